import type { Command } from 'commander'
import type { Batch } from '../../db/contract/batches.ts'
import { moment } from '../base/clock.ts'
import { batchItemsMax } from '../message/batches.ts'
import type { Actor, Refused } from '../operations/act.ts'
import { batchDetails } from '../operations/batchDetails.ts'
import { batchOf, batchPage } from '../operations/batches.ts'
import { type BatchAct, leaveOut, moveBatch, retryBatch } from '../operations/batchMoves.ts'
import { batchView, wholeBatchView } from '../operations/batchView.ts'
import { pageMax } from '../reading/steps.ts'
import { readSendAt, sendAtProblem } from '../sending/sendAt.ts'
import { createCommand } from './batchCreate.ts'
import { batchFields } from './batchText.ts'
import { addNoun, addVerb } from './command.ts'
import { done, UsageError } from './failure.ts'
import { argument, idOf, optional, text, toggle, whole, workspacesOption } from './inputs.ts'
import { addList, addReading } from './list.ts'
import { card, commandLine, report } from './output.ts'
import type { Workbench } from './session.ts'
import { ofWorkspaces } from './workspace.ts'

const batchArgument = argument(idOf('batch'), 'the batch, batch_…')
const startsAtOption = optional(text('time'), 'start it by itself at this time, with its offset from UTC')
const startsNow = toggle('start it now, also where it has a time that is to come')

export function batchCommands(program: Command, workbench: Workbench): void {
  const batch = addNoun(program, 'batch', 'batches: many sends as one thing')
  addList(batch, workbench, {
    summary: `list the batches of each workspace, the newest ${pageMax} first`,
    example: 'batch list',
    inputs: { workspace: workspacesOption },
    read: ({ store, operator }, { workspace }) =>
      ofWorkspaces(store, workspace, async workspaceId => {
        const by = { workspaceId, keyId: null, scope: workspaceId, lineIds: null }
        return (await batchPage(operator, by, { after: null, limit: pageMax })).batches
      }),
    view: batchView,
    columns: {
      ...{ id: 'id', name: 'name', state: 'state', items: 'total' },
      'made (UTC)': ({ createdAt }) => moment(createdAt),
      why: ({ reason }) => reason?.message ?? null,
      workspace: 'workspaceId',
    },
    whenEmpty: () =>
      `No batch yet. Make one: ${commandLine('batch create --csv people.csv --template …')}; ` +
      'callers do it with POST /api/v1/public/batches.',
  })
  addReading(batch, workbench, {
    name: 'show',
    summary: 'show a batch, and what became of its items',
    example: 'batch show batch_…',
    inputs: { batch: batchArgument },
    async read({ operator }, { batch: id }) {
      const found = done(await batchOf(operator, id))
      return { batch: found, details: await batchDetails(operator, found) }
    },
    view: ({ batch, details }) => wholeBatchView(batch, details),
    parts: ({ batch, details }) => [card(batch.name ?? batch.id, batchFields(batch, details))],
  })
  createCommand(batch, workbench)
  addVerb(batch, {
    name: 'start',
    summary: 'start a draft, at its time where it has one; or give a batch that waits another time',
    example: 'batch start batch_… --send-at 2026-03-02T09:00:00+01:00',
    inputs: { batch: batchArgument, sendAt: startsAtOption, now: startsNow },
    run: ({ batch: id, sendAt, now }) =>
      workbench.withStore(async ({ operator }) => {
        if (now && sendAt !== undefined)
          throw new UsageError('--now says that it starts now: leave out --send-at, or this')
        const startsAt = sendAt === undefined ? null : readSendAt(sendAt)
        if (sendAt !== undefined && startsAt === null) throw new UsageError(`--send-at ${sendAtProblem}`)
        return shown(
          operator,
          await moveBatch(operator, undefined, id, 'start', now ? 'now' : startsAt),
          'Batch started',
        )
      }),
  })
  addVerb(batch, {
    name: 'leave-out',
    summary: 'leave out an item that still waits, for good',
    example: 'batch leave-out batch_… 7',
    inputs: { batch: batchArgument, number: argument(whole(0, batchItemsMax), 'the number of the item, from 0') },
    run: ({ batch: id, number }) =>
      workbench.withStore(async ({ operator }) =>
        shown(operator, await leaveOut(operator, undefined, id, number), 'Item left out'),
      ),
  })
  const acts = [
    ['pause', 'let no further item become a message; what is queued leaves all the same', 'Batch paused'],
    ['resume', 'let a paused batch go on where it was', 'Batch resumed'],
    ['cancel', 'end a batch for good: what waits never becomes a message', 'Batch cancelled'],
  ] as const satisfies readonly (readonly [BatchAct, string, string])[]
  for (const [name, summary, title] of acts) {
    addVerb(batch, {
      ...{ name, summary, example: `batch ${name} batch_…` },
      inputs: { batch: batchArgument },
      run: ({ batch: id }) =>
        workbench.withStore(async ({ operator }) =>
          shown(operator, await moveBatch(operator, undefined, id, name), title),
        ),
    })
  }
  retryCommand(batch, workbench)
}

/** @param title of the report on a batch that an act has changed */
async function shown(operator: Actor, changed: Batch | Refused, title: string) {
  const batch = done(changed)
  const details = await batchDetails(operator, batch)
  return { data: wholeBatchView(batch, details), text: report(title, batchFields(batch, details)) }
}

function retryCommand(batch: Command, { withStore }: Workbench): void {
  addVerb(batch, {
    name: 'retry',
    summary:
      'send the items again whose message failed for a reason that can pass, never what may have arrived; ' +
      'without --force it says how many',
    example: 'batch retry batch_… --force',
    inputs: { batch: batchArgument, force: toggle('really do it') },
    run: ({ batch: id, force }) =>
      withStore(async ({ operator }) => {
        const { retried, leftOut } = done(await retryBatch(operator, undefined, id, { isDry: !force }))
        const title = force ? 'Sent again' : 'Nothing was changed: --force sends them again'
        return {
          data: { id, retried, leftOut, dryRun: !force },
          text: report(title, { id, 'items sent again': retried, 'left out': leftOut }),
        }
      }),
  })
}
