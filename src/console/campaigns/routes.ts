import { Elysia } from 'elysia'
import type { Batch } from '../../../db/contract/batches.ts'
import { byteOrderMark, spreadsheetLine } from '../../base/csv.ts'
import { closed, Type, wire } from '../../base/schema.ts'
import { manyItemsReader } from '../../http/manyItems.ts'
import { batchDetails } from '../../operations/batchDetails.ts'
import { type BatchSender, batchOf, batchPage, itemPage, stepsOf } from '../../operations/batches.ts'
import { addItems, createBatch } from '../../operations/batchMaking.ts'
import { batchStart, leaveOut, moveBatch, retryBatch } from '../../operations/batchMoves.ts'
import { countOptedOut, optOutsOf } from '../../operations/batchOutlook.ts'
import {
  batchFields,
  itemFields,
  itemStatusField,
  moreItemsSchema,
  newBatchSchema,
  retriedFields,
  wholeBatchFields,
} from '../../operations/batchSchemas.ts'
import { batchView, itemView, wholeBatchView } from '../../operations/batchView.ts'
import { pageDefault } from '../../reading/steps.ts'
import { optedOut } from '../../sending/optOut.ts'
import { guard, type MemberCaller } from '../guard.ts'
import { csvStream, exportUntilAborted } from '../messages/csv.ts'
import { senderSchema, sendersOf } from '../messages/senders.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { iso, moment, orNull, textOrNull, wired, wiredQuery } from '../shapes.ts'
import { itemsWithContacts, knownContact } from './contacts.ts'
import { peopleRoutes } from './peopleRoutes.ts'
import { previewRoutes } from './previewRoutes.ts'

/** The id of a campaign, or a number. */
const batchCursorMax = 64
const cursor = Type.Optional(Type.String({ maxLength: batchCursorMax, description: 'The page after this cursor.' }))
const listQuery = wiredQuery({ cursor })
const messagesField = Type.Integer({ description: 'Items that became messages.' })
const listAnswer = wired('CampaignList', {
  campaigns: Type.Array(
    closed({
      ...batchFields,
      by: senderSchema,
      waiting: orNull(Type.Integer(), { description: 'Items that are still to become messages; null: it has ended.' }),
      messages: messagesField,
    }),
    { description: 'Newest first.' },
  ),
  next: textOrNull,
})
const whole = wired('Campaign', {
  ...wholeBatchFields,
  by: senderSchema,
  messages: messagesField,
  defaults: Type.Object({}, { additionalProperties: true, description: 'The fields of a send that all items share.' }),
})
const itemsQuery = wiredQuery({ status: Type.Optional(itemStatusField), cursor })
const itemsAnswer = wired('CampaignItems', {
  items: Type.Array(closed({ ...itemFields, contact: knownContact })),
  next: textOrNull,
})
const actBody = wired('CampaignAct', {
  act: Type.Enum(['start', 'pause', 'resume', 'cancel']),
  sendAt: Type.Optional(moment),
  now: Type.Optional(Type.Boolean()),
})
const retryBody = wired('CampaignRetry', { dryRun: Type.Boolean() })
const retryAnswer = wired('CampaignRetried', retriedFields)
const outlookAnswer = wired('CampaignOutlook', {
  optedOut: Type.Integer({ description: 'Items that wait, to people who want no marketing: they are left out.' }),
})

/** Batches, as people make and steer them: the page has its own word for one. In the routes of a workspace. */
export function campaignRoutes(parts: ConsoleParts) {
  const { clock, exports } = parts
  const { read } = parts.store
  const bodies = manyItemsReader(clock)
  const [newItems, moreItems] = [bodies(newBatchSchema), bodies(moreItemsSchema)]
  const senderOf = ({ workspaceId }: MemberCaller): BatchSender => ({
    ...{ workspaceId, keyId: null, scope: workspaceId, lineIds: null },
  })
  const ownOf = async (member: MemberCaller, batchId: string) => done(await batchOf(member, batchId))
  const rest = (member: MemberCaller) => () => member.turn()
  /** @returns a function that says who made each of these, or the key in whose name they go */
  const makersOf = async ({ workspaceId }: MemberCaller, batches: readonly Batch[]) => {
    const asked = batches.map(({ id, keyId }) => ({ id, apiKeyId: keyId }))
    const makerOf = await sendersOf(read, workspaceId, asked)
    return ({ id, keyId }: Batch) => makerOf({ id, apiKeyId: keyId })
  }

  return new Elysia({ name: 'console-campaigns' })
    .use(guard(parts))
    .use(peopleRoutes(parts))
    .use(previewRoutes(parts))
    .get(
      '/campaigns',
      async ({ member, query: { cursor: after = null } }) => {
        const { batches, next } = await batchPage(member, senderOf(member), { after, limit: pageDefault })
        const makerOf = await makersOf(member, batches)
        const campaigns = []
        for (const batch of batches) {
          const view = { ...batchView(batch), reason: batch.reason && { ...batch.reason } }
          await member.turn()
          const { waiting = 0, claimed = 0, sent: messages = 0 } = await read.batchItemStates(batch.id)
          const left = view.endedAt === null ? waiting + claimed : null
          campaigns.push({ ...view, by: makerOf(batch), waiting: left, messages })
        }
        return { campaigns, next }
      },
      {
        ...{ role: 'viewer', query: listQuery, response: listAnswer },
        ...{ summary: 'List campaigns', description: 'Newest first, with how much of each is still to be sent.' },
      },
    )
    .post(
      '/campaigns',
      async ({ member, file }) => {
        const given = await file(request => newItems(request, member.workspaceId))
        const made = await createBatch(member, senderOf(member), { ...given, state: 'draft' }, null, rest(member))
        return { id: done(made).batch.id }
      },
      {
        ...{ fileOf: 'member', response: wired('NewCampaign', { id: Type.String() }), summary: 'Make a campaign' },
        description: 'A draft, with the first of its items: a body as that of `POST /batches` of the partner API.',
      },
    )
    .get(
      '/campaigns/:batchId',
      async ({ member, params: { batchId } }) => {
        const batch = await ownOf(member, batchId)
        const view = wholeBatchView(batch, await batchDetails(member, batch, rest(member)))
        const by = (await makersOf(member, [batch]))(batch)
        const { sent: messages = 0 } = await read.batchItemStates(batch.id)
        return { ...view, by, messages, reason: view.reason && { ...view.reason }, defaults: { ...batch.defaults } }
      },
      {
        ...{ role: 'viewer', response: whole, summary: 'Show a campaign' },
        description: 'With what became of its items, who answered, and what it costs.',
      },
    )
    .get(
      '/campaigns/:batchId/outlook',
      async ({ member, params: { batchId } }) => {
        const batch = await ownOf(member, batchId)
        return { optedOut: await countOptedOut(member, batch, rest(member)) }
      },
      { role: 'viewer', response: outlookAnswer, summary: 'Say who will be left out of a campaign' },
    )
    .get(
      '/campaigns/:batchId/items',
      async ({ member, params: { batchId }, query: { status, cursor: after } }) => {
        const batch = await ownOf(member, batchId)
        const from = /^\d{1,9}$/.test(after ?? '') ? Number(after) : -1
        const { items, next } = await itemPage(member, batch.id, { status, after: from, limit: pageDefault })
        const isLeftOut = await optOutsOf(read, batch)
        const shown = await Promise.all(
          items.map(async item => {
            const willBeOut = item.status === 'WAITING' && (await isLeftOut(item.recipient, item.own))
            const reason = willBeOut ? { code: optedOut.reason, message: optedOut.message } : item.reason
            return { ...itemView(item), reason: reason && { ...reason } }
          }),
        )
        const withContacts = await itemsWithContacts(read, member.workspaceId, shown)
        return { items: withContacts, next: next === null ? null : String(next) }
      },
      {
        ...{ role: 'viewer', query: itemsQuery, response: itemsAnswer, summary: 'List the items of a campaign' },
        description:
          'In their order. With a status, a page may be short or empty, and `next` goes on. One that waits and has a ' +
          'reason will be left out, as it is known now.',
      },
    )
    .get(
      '/campaigns/:batchId/items.csv',
      async ({ member, params: { batchId }, request, set }) => {
        const batch = await ownOf(member, batchId)
        set.headers['content-type'] = 'text/csv; charset=utf-8'
        set.headers['content-disposition'] = `attachment; filename="campaign-${iso(clock.now()).slice(0, 10)}.csv"`
        const lines = itemLines(stepsOf(member, batch.id, null, rest(member)))
        return new Response(csvStream(lines, exportUntilAborted(exports, member, request)))
      },
      {
        ...{ role: 'viewer', summary: 'Export the items of a campaign' },
        description: 'As CSV (RFC 4180); two exports at once for a user, three for a workspace (429).',
      },
    )
    .post(
      '/campaigns/:batchId/items',
      async ({ member, params: { batchId }, file }) => {
        const more = await file(request => moreItems(request, member.workspaceId))
        const added = done(await addItems(member, senderOf(member), batchId, more, rest(member)))
        return { total: added.batch.total }
      },
      {
        ...{
          fileOf: 'member',
          response: wired('AddedItems', { total: Type.Integer() }),
          summary: 'Add items to a draft',
        },
        description: 'Sent twice, it adds them once.',
      },
    )
    .post(
      '/campaigns/:batchId/items/:number/leave-out',
      async ({ member, params: { batchId, number } }) => {
        done(await leaveOut(member, senderOf(member), batchId, number))
        return {}
      },
      {
        ...{ role: 'member', response: wire(closed({})), summary: 'Leave an item out' },
        description: 'For good, as long as it waits.',
      },
    )
    .put(
      '/campaigns/:batchId/state',
      async ({ member, params: { batchId }, body: { act, ...when } }) => {
        const begins = done(batchStart(when))
        const { id, state } = done(await moveBatch(member, senderOf(member), batchId, act, begins))
        return { id, state }
      },
      {
        ...{ role: 'member', body: actBody, summary: 'Start, pause, resume or cancel a campaign' },
        response: wired('CampaignState', { id: Type.String(), state: batchFields.state }),
        description: 'As the calls of the partner API. A start may name a time, at most 35 days ahead, or say `now`.',
      },
    )
    .post(
      '/campaigns/:batchId/retry',
      async ({ member, params: { batchId }, body: { dryRun } }) => {
        const how = { isDry: dryRun, rest: rest(member) }
        const { retried, leftOut } = done(await retryBatch(member, senderOf(member), batchId, how))
        return { retried, leftOut }
      },
      {
        ...{ role: 'member', body: retryBody, response: retryAnswer, summary: 'Send again what failed of a campaign' },
        description: 'Only what failed for a reason that can pass, and never what may have arrived.',
      },
    )
}

const headings = ['number', 'recipient', 'status', 'reference', 'messageId', 'reasonCode', 'reason']

async function* itemLines(steps: ReturnType<typeof stepsOf>): AsyncGenerator<readonly string[]> {
  yield [byteOrderMark + spreadsheetLine(headings)]
  for await (const items of steps)
    yield items.map(item => {
      const { number, recipient, status, reference, messageId, reason } = itemView(item)
      const why = [reason?.code ?? null, reason?.message ?? null]
      return spreadsheetLine([number, recipient, status, reference, messageId, ...why])
    })
}
