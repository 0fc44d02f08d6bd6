import type { Command } from 'commander'
import type { Message } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import { type EpochMs, moment } from '../base/clock.ts'
import type { BatchReason } from '../message/batches.ts'
import { isRestorable, isScheduled, not } from '../message/statuses.ts'
import { addVerb } from './command.ts'
import { CommandError } from './failure.ts'
import { toggle } from './inputs.ts'
import { report } from './output.ts'
import type { Workbench } from './session.ts'

/**
 * `waypost message settle-waiting`: after a restore with the tools of PostgreSQL. `waypost restore` does it
 * automatically.
 */
export function settleWaiting(message: Command, withStore: Workbench['withStore']): void {
  addVerb(message, {
    name: 'settle-waiting',
    summary:
      'settle waiting messages as UNKNOWN after a restore by other tools, so that none is sent twice; ' +
      'stop all gateways first',
    example: 'message settle-waiting --force',
    inputs: { force: toggle('really do it; without --force nothing is changed') },
    run: ({ force }) =>
      withStore(
        async ({ store }) => {
          if (!force) {
            throw new CommandError(
              '--force settles all messages that wait for their turn, or were due, as UNKNOWN: they are never sent',
              { code: 'NOT_CONFIRMED' },
            )
          }
          const { keysForgotten, messages, batches } = await settleRestored(store)
          return {
            data: { messages, batches, keysForgotten },
            text: report(
              'Waiting messages settled',
              { 'messages now UNKNOWN': messages, 'batches now paused': batches },
              keysAdvice(keysForgotten),
            ),
          }
        },
        { withoutGateways: true },
      ),
  })
}

type RestoredStore = Pick<Store, 'clock' | 'read' | 'write'>

/** What a restore has settled. */
export interface Settled {
  /** Messages that were waiting in the backup. */
  readonly messages: number
  /** Batches that ran in the backup, or were to start. */
  readonly batches: number
  readonly keysForgotten: ForgottenKeys
}

/**
 * Settles what a database from a backup cannot know. First its events get numbers of their own: what is settled is
 * told. No gateway may run.
 */
export async function settleRestored(store: RestoredStore): Promise<Settled> {
  const keysForgotten = await forgottenKeys(store)
  await store.write.passEventNumbers({ at: store.clock.now() })
  const messages = await interruptWaiting(store)
  return { keysForgotten, messages, batches: await pauseBatches(store) }
}

/** Between which times idempotency keys were used that a restored database does not know. Null: from the first on. */
export interface ForgottenKeys {
  readonly since: string | null
  readonly until: string
}

/** @returns the time from the last message in the restored database, which the backup has, until now */
async function forgottenKeys({ read, clock }: RestoredStore): Promise<ForgottenKeys> {
  let last: EpochMs | null = null
  for (const { id: workspaceId } of await read.workspaces()) {
    const [newest] = await read.messages({ workspaceId, limit: 1 })
    if (newest) last = Math.max(last ?? 0, newest.createdAt)
  }
  return { since: last === null ? null : new Date(last).toISOString(), until: new Date(clock.now()).toISOString() }
}

/** What callers have to know: a backend that repeats such a send would send twice. */
export const keysAdvice = ({ since, until }: ForgottenKeys): string =>
  `idempotency keys that were used ${since === null ? '' : `after ${moment(Date.parse(since))} and `}before ` +
  `${moment(Date.parse(until))} (UTC) are forgotten: a send of that time that is repeated is sent twice. Tell those ` +
  'who run your backends.'

/** Small enough for the memory and speed of any machine. */
const settledAtOnce = 500

/**
 * Messages that waited at the time of the backup, or were handed over, may have been sent since, and must never be sent
 * twice: they become UNKNOWN. So do those whose time has passed since. No gateway may run. @returns how many
 */
async function interruptWaiting(store: RestoredStore): Promise<number> {
  let count = 0
  for (const { id } of await store.read.workspaces()) count += await interruptWorkspace(store, id)
  return count
}

/** Items that waited in them may have been sent since. @returns how many */
const pauseBatches = ({ clock, write }: RestoredStore): Promise<number> =>
  write.pauseBatches({ at: clock.now(), reason: restoredReason })

const restoredReason: BatchReason = {
  code: 'restored',
  message:
    'The database is from a backup: some of its items may have been sent since. Resume it only if they were not.',
}

async function interruptWorkspace({ clock, read, write }: RestoredStore, workspaceId: string): Promise<number> {
  const at = clock.now()
  const search = {
    workspaceId,
    status: not(isRestorable).statuses,
    direction: 'newer',
    limit: settledAtOnce,
    scan: settledAtOnce,
  } as const
  // What is due later is sent at its time, unless somebody cancelled it, or moved it, since the backup.
  const mayHaveLeft = ({ status, dueAt }: Message) => !isScheduled(status) || (dueAt ?? at) <= at
  let count = 0
  for (let cursor: string | undefined; ; ) {
    const { messages, next } = await read.searchMessages({ ...search, cursor })
    await Promise.all(
      messages.filter(mayHaveLeft).map(({ id: messageId }) =>
        write.recordEvent({
          messageId,
          event: { kind: 'lost', at },
          detail: { why: 'restored from a backup' },
          recordedAt: at,
        }),
      ),
    )
    count += messages.filter(mayHaveLeft).length
    if (next === null) return count
    cursor = next
  }
}
