import { itemStatuses } from '../../db/contract/batches.ts'
import { dayMs } from '../base/durations.ts'
import { nameLengthMax } from '../base/names.ts'
import { closed, described, orNull, type Static, Type } from '../base/schema.ts'
import { batchItemsMax, batchStates, duplicateRules, itemsAtOnceMax } from '../message/batches.ts'
import { pageMax } from '../reading/steps.ts'
import { idempotencyKeyLengthMax } from './sends/sendSchema.ts'

/*
 * The fields of batches, as requests and answers have them.
 */

/** As far ahead as the platform's own products plan: what is written further ahead is a mistake. */
export const sendAtMsMax = 35 * dayMs

const moment = (description: string) => orNull(Type.String({ format: 'date-time' }), { description })
/** Of the reasons of a batch, so many tell what there is to know. */
export const reasonsShown = 20
/** The reader of a send checks it together with the item. */
const sendFields = (description: string) => Type.Object({}, { additionalProperties: true, description })

const items = Type.Array(sendFields('Fields of a send. They go before those of `defaults`.'), {
  maxItems: itemsAtOnceMax,
  description:
    `At most ${itemsAtOnceMax}; a draft takes further ones, ${batchItemsMax} in all. Each, with \`defaults\`, ` +
    'is the body of a send without `idempotencyKey`; an item may have a `sendAt` of its own. All problems are told ' +
    'by their index, and then nothing is stored.',
})

export const newBatchSchema = described('NewBatch', 'Many sends as one thing.', {
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: nameLengthMax, description: 'What you call it.', examples: ['Spring'] }),
  ),
  defaults: Type.Optional(
    sendFields('Fields of a send that all items share, as `type`, `templateName` and `phoneNumberId`.'),
  ),
  items,
  idempotencyKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: idempotencyKeyLengthMax,
      description:
        'Required, here or as the `Idempotency-Key` header. The same key and body return the batch as it is with ' +
        '200, as long as the batch is kept; the same key and another body 409.',
      examples: ['spring-news-2026'],
    }),
  ),
  sendAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: `When it starts by itself, at most ${sendAtMsMax / dayMs} days ahead. Left out: at once.`,
    }),
  ),
  state: Type.Optional(
    Type.Literal('draft', { description: 'It waits for `POST /batches/{batchId}/start`, and takes further items.' }),
  ),
  duplicates: Type.Optional(
    Type.Enum([...duplicateRules], {
      type: 'string',
      description:
        'An item with the recipient of an earlier one is left out (`skip`, the default), or sent as well (`send`). ' +
        'Compared is what they name: a number with a number, an id with an id.',
    }),
  ),
})

export const moreItemsSchema = described('MoreBatchItems', 'Further items of a draft.', {
  offset: Type.Integer({
    minimum: 0,
    maximum: batchItemsMax,
    description: 'How many items the batch has before. So a request that is repeated adds nothing twice.',
  }),
  items,
})

export const startSchema = closed({
  sendAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        `When a draft or a scheduled batch is to start by itself, at most ${sendAtMsMax / dayMs} days ahead, ` +
        'whatever time it had. Left out: as it has it.',
    }),
  ),
  now: Type.Optional(Type.Boolean({ description: 'Starts it now, also where it has a time that is to come.' })),
})

export const retrySchema = closed({
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Tells how many items would be sent again, and changes nothing.' }),
  ),
})

export const retriedFields = {
  retried: Type.Integer({ description: 'Items that wait again; with `dryRun`: that would.' }),
  leftOut: Type.Integer({ description: 'Items that failed for good, or may have arrived.' }),
}

export const itemStatusField = Type.Enum([...itemStatuses], {
  type: 'string',
  description:
    '`WAITING`: it is still to become a message. `SKIPPED`: it was left out, or its number cannot be delivered to, ' +
    '`reason` says why. `CANCELLED`: it ' +
    'never becomes one. `FAILED`: its message failed; or it was refused: `reason` says why, and there is no message. ' +
    '`DELETED`: its message was deleted by its age. Else the state of its message.',
})

const reason = (description: string) =>
  orNull(
    described('BatchReason', 'Why.', {
      code: Type.String({ description: 'A word for programs.' }),
      message: Type.String({ description: 'A sentence.' }),
    }),
    { description },
  )

export const batchFields = {
  id: Type.String({ description: '`batch_…`' }),
  name: orNull(Type.String(), { description: 'What you call it.' }),
  state: Type.Enum([...batchStates], {
    type: 'string',
    description:
      '`draft`: it waits to be started. `scheduled`: it starts at `sendAt`. `running`: its items become messages. ' +
      '`paused`: no further item does. `done`: none waits any more. `cancelled`: what waited never becomes a message.',
  }),
  reason: reason(
    'Why it has paused itself: `template`, `line`, `payment`, `failures`, `plan`, `key`, `late`, `restored`. ' +
      'Null: it has not.',
  ),
  duplicates: Type.Enum([...duplicateRules], { type: 'string', description: 'As it was made.' }),
  total: Type.Integer({ description: 'Its items.' }),
  createdAt: Type.String({ format: 'date-time', description: 'When it was made.' }),
  sendAt: moment('When it starts by itself; null: at no time.'),
  startedAt: moment('When it was started; null: not yet.'),
  endedAt: moment('When it was done or cancelled; null: it is not.'),
}

const sums = (description: string) =>
  Type.Array(
    described('BatchSum', 'An amount.', {
      currency: Type.String({ description: 'ISO 4217.' }),
      amount: Type.Number({ description: 'In this currency.' }),
    }),
    { description },
  )

const cost = described('BatchCost', 'An estimate, at the rates that the settings have.', {
  soFar: sums(
    'Of what was delivered, by what the platform says that it charges. Empty: nothing, or there are no rates.',
  ),
  expected: orNull(sums('In all.'), {
    description:
      'In all, once what waits or is under way is delivered, each by the category of its template. Null: there are ' +
      'no rates, or a template is not known.',
  }),
  withoutRate: Type.Integer({ description: 'Messages that are charged, or would be, and have no rate: in no sum.' }),
  byCountry: Type.Array(
    described('BatchCountryCost', 'What was delivered of one category to one country.', {
      category: Type.String({ description: 'As `pricing.category` of a message.' }),
      country: orNull(Type.String(), { description: 'ISO 3166-1; null: the number tells none.' }),
      billable: Type.Integer({ description: 'Messages that the platform charges for.' }),
      free: Type.Integer({ description: 'Those that it does not charge for.' }),
      amount: orNull(Type.Number(), { description: 'The estimate; null: nothing is charged, or there is no rate.' }),
      currency: orNull(Type.String(), { description: 'ISO 4217.' }),
    }),
    { description: 'Most charged first.' },
  ),
})

export const wholeBatchFields = {
  ...batchFields,
  counts: Type.Object(
    Object.fromEntries(itemStatuses.map(status => [status, Type.Integer({ description: 'Items that are so.' })])),
    { additionalProperties: false, title: 'BatchCounts', description: 'Its items by what became of them.' },
  ),
  firstMessageAt: moment('When the first of its messages was accepted.'),
  lastMessageAt: moment('When the last one was.'),
  answered: Type.Integer({
    description: 'Messages whose recipient wrote within 72 hours of it, as long as what people write is kept.',
  }),
  reasons: Type.Array(
    described('BatchReasonCount', 'Why items failed or were left out.', {
      status: itemStatusField,
      code: Type.String({ description: 'A code of the platform, or a word; empty: all others.' }),
      message: Type.String({ description: 'A sentence.' }),
      count: Type.Integer({ description: 'Items.' }),
    }),
    { description: `Most first, ${reasonsShown} at most.` },
  ),
  cost,
  warnings: Type.Array(
    described('BatchWarning', 'What will hold it up.', {
      code: Type.Enum(['plan', 'messagingLimit'], { type: 'string', description: 'A word for programs.' }),
      message: Type.String({ description: 'A sentence.' }),
    }),
    { description: 'Told while items wait: what the plan or the line does not have room for.' },
  ),
}

export const itemFields = {
  number: Type.Integer({ description: 'Its place in the batch, from 0.' }),
  status: itemStatusField,
  recipient: orNull(Type.String(), {
    description: 'A number, or the id of a contact or of a user, as the item names it. Null: it was erased.',
  }),
  reference: orNull(Type.String(), { description: 'Its `reference`.' }),
  messageId: orNull(Type.String(), { description: 'The message that it became, `msg_…`; null: none.' }),
  reason: reason('Why it was left out or refused; null: it was not.'),
}

const after = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }))
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax, description: 'Of a page. Default: 50.' }))
export const listSchema = closed({ after: after('The `next` of the page before.'), limit })
export const itemListSchema = closed({
  status: Type.Optional(itemStatusField),
  after: after('The `next` of the page before, with the same status.'),
  limit,
})
export const next = orNull(Type.String(), {
  description: 'Give it as `after` for what comes next. Null: this is the end. A page may be short, or empty, before.',
})

export type NewBatch = Static<typeof newBatchSchema>
export type MoreItems = Static<typeof moreItemsSchema>
