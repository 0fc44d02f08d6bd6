import type { DocumentDecoration } from 'elysia'
import { itemStatuses } from '../../../db/contract/batches.ts'
import { described, type Static, type TSchema, Type } from '../../base/schema.ts'
import * as fields from '../../operations/batchSchemas.ts'
import { idempotencyKeyLengthMax } from '../../operations/sends/sendSchema.ts'
import { answer, jsonBody, type Parameters, queryParameters } from '../docs/operation.ts'

/*
 * The operations of batches in the API document.
 */

const batchSchema = described('Batch', 'Many sends as one thing, with what became of them.', fields.wholeBatchFields)
const listedSchema = described('ListedBatch', 'A batch.', fields.batchFields)
const itemSchema = described('BatchItem', 'A send of a batch.', fields.itemFields)
const envelope = <Data extends TSchema>(title: string, description: string, data: Data) =>
  described(title, description, { success: Type.Literal(true), data })

const listed: Static<typeof listedSchema> = {
  ...{ id: 'batch_01jd4v7m9xf5ksxj1q5y8p0c3n', name: 'Spring news', state: 'running', reason: null },
  ...{ duplicates: 'skip', total: 1_000, createdAt: '2026-03-01T09:00:00.000Z', sendAt: null },
  ...{ startedAt: '2026-03-01T09:00:00.000Z', endedAt: null },
}
const none = Object.fromEntries(itemStatuses.map(status => [status, 0]))
const example: Static<typeof batchSchema> = {
  ...listed,
  counts: { ...none, WAITING: 640, QUEUED: 8, SENT: 40, DELIVERED: 280, READ: 17, FAILED: 3, SKIPPED: 12 },
  ...{
    firstMessageAt: '2026-03-01T09:00:01.120Z',
    lastMessageAt: '2026-03-01T09:00:09.480Z',
    answered: 9,
    warnings: [],
  },
  reasons: [
    { status: 'SKIPPED', code: 'OPTED_OUT', message: 'The recipient wants no marketing messages.', count: 12 },
    { status: 'FAILED', code: '131049', message: 'Too much marketing for recipient (131049)', count: 3 },
  ],
  cost: {
    ...{ soFar: [{ currency: 'EUR', amount: 33.69 }], expected: [{ currency: 'EUR', amount: 109.67 }], withoutRate: 0 },
    byCountry: [{ category: 'marketing', country: 'DE', billable: 297, free: 0, amount: 33.69, currency: 'EUR' }],
  },
}
const newExample = {
  name: 'Spring news',
  idempotencyKey: 'spring-news-2026',
  defaults: { type: 'template', templateName: 'spring_news', templateLanguage: 'en_US' },
  items: [
    { phone: '+4915112345678', templateVariables: { '1': 'Ada' } },
    { phone: '+4915112345679', templateVariables: { '1': 'Grace' }, reference: 'customer-17' },
  ],
}

const tags = ['Batches']
const parameters: Parameters = [
  {
    ...{ name: 'batchId', in: 'path', required: true, description: 'The batch, `batch_…`.' },
    ...{ schema: { type: 'string' }, example: listed.id },
  },
]

const whole = (description: string, fields: object = {}) =>
  answer(description, envelope('BatchAnswer', 'The batch as it is now.', batchSchema), {
    batch: { summary: description, value: { success: true, data: { ...example, ...fields } } },
  })

export const details = {
  create: {
    ...{ operationId: 'createBatch', summary: 'Send many messages', tags },
    description:
      'Each item becomes one ordinary message, at most once, as the line has room: with its own status, its events ' +
      'and its place in the plan. A single send is not slower beside it.',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'In place of `idempotencyKey` in the body, or equal to it.',
        schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLengthMax },
      },
    ],
    requestBody: jsonBody(fields.newBatchSchema, {
      template: { summary: 'A template to two people', value: newExample },
      draft: { summary: 'A draft, which takes further items', value: { ...newExample, state: 'draft' } },
    }),
    responses: {
      202: whole('It is stored.'),
      200: whole('An idempotent replay: nothing new was stored; the batch as it is now.'),
    },
  },
  list: {
    ...{ operationId: 'listBatches', summary: 'List batches', tags },
    description: 'The newest first.',
    parameters: queryParameters(fields.listSchema),
    responses: {
      200: answer(
        'A page of batches.',
        described('BatchList', 'A page of batches.', {
          success: Type.Literal(true),
          data: Type.Array(listedSchema, { description: 'The newest first.' }),
          next: fields.next,
        }),
        { page: { summary: 'One batch', value: { success: true, data: [listed], next: null } } },
      ),
    },
  },
  get: {
    ...{ operationId: 'getBatch', summary: 'Get a batch', tags, parameters },
    description: 'With what became of its items. To follow a batch, read its events.',
    responses: { 200: whole('The batch.') },
  },
  items: {
    ...{ operationId: 'listBatchItems', summary: "List a batch's items", tags },
    description: 'In the order in which they were given.',
    parameters: [...parameters, ...queryParameters(fields.itemListSchema)],
    responses: {
      200: answer(
        'A page of items.',
        described('BatchItemList', 'A page of items.', {
          success: Type.Literal(true),
          data: Type.Array(itemSchema, { description: 'In their order.' }),
          next: fields.next,
        }),
        {
          page: {
            summary: 'An item that was left out',
            value: {
              success: true,
              data: [
                {
                  ...{ number: 7, status: 'SKIPPED', recipient: '+4915112345678', reference: null, messageId: null },
                  reason: { code: 'DUPLICATE', message: 'An earlier item of the batch has the same recipient.' },
                },
              ],
              next: null,
            },
          },
        },
      ),
    },
  },
  add: {
    ...{ operationId: 'addBatchItems', summary: 'Add items to a draft', tags, parameters },
    description: 'A request that is repeated finds its items there, and adds nothing.',
    requestBody: jsonBody(fields.moreItemsSchema, {
      more: { summary: 'One more', value: { offset: 2, items: [{ phone: '+4915112345680' }] } },
    }),
    responses: { 200: whole('The draft as it is now.', { state: 'draft', startedAt: null }) },
  },
  leaveOut: {
    ...{ operationId: 'leaveOutBatchItem', summary: 'Leave an item out', tags },
    description: 'For good, and as long as it waits: nothing of it becomes a message. It counts as `CANCELLED`.',
    parameters: [
      ...parameters,
      {
        ...{ name: 'number', in: 'path', required: true, description: 'The item, as the list of items numbers it.' },
        ...{ schema: { type: 'integer', minimum: 0 }, example: 7 },
      },
    ],
    responses: { 200: whole('The batch as it is now.') },
  },
  start: {
    ...{ operationId: 'startBatch', summary: 'Start a batch', tags, parameters },
    description: 'One whose `sendAt` is to come waits for it, however often it is started; with `now` it does not.',
    requestBody: {
      ...jsonBody(fields.startSchema, {
        later: { summary: 'At a time', value: { sendAt: '2026-03-02T09:00:00+01:00' } },
      }),
      required: false,
    },
    responses: { 200: whole('The batch as it is now.') },
  },
  pause: {
    ...{ operationId: 'pauseBatch', summary: 'Pause a batch', tags, parameters },
    description:
      'No further item becomes a message. What is `QUEUED` leaves all the same: `counts` says how many, and an item ' +
      'that was becoming a message at this moment may be added to them.',
    responses: { 200: whole('The batch as it is now.', { state: 'paused' }) },
  },
  resume: {
    ...{ operationId: 'resumeBatch', summary: 'Resume a batch', tags, parameters },
    description: 'It goes on where it was, in the name of this API key.',
    responses: { 200: whole('The batch as it is now.') },
  },
  cancel: {
    ...{ operationId: 'cancelBatch', summary: 'Cancel a batch', tags, parameters },
    description: 'For good: what waits never becomes a message. What is `QUEUED` leaves all the same.',
    responses: { 200: whole('The batch as it is now.', { state: 'cancelled', endedAt: '2026-03-01T09:01:00.000Z' }) },
  },
  retry: {
    ...{ operationId: 'retryBatch', summary: 'Send failed items again', tags, parameters },
    description:
      'Only those whose message is `FAILED` for a reason that can pass, as a line that was blocked or a platform ' +
      'that was not reached: each becomes a new message. Never one that is or was `UNKNOWN`, that failed for good, ' +
      'or that the platform held back within the last 24 hours (131049). Repeated at once, it finds nothing more.',
    requestBody: {
      ...jsonBody(fields.retrySchema, { dry: { summary: 'How many it would be', value: { dryRun: true } } }),
      required: false,
    },
    responses: {
      200: answer(
        'What is sent again.',
        envelope(
          'BatchRetryAnswer',
          'What is sent again.',
          described('BatchRetry', 'What is sent again.', {
            ...fields.retriedFields,
            dryRun: Type.Boolean({ description: 'Whether nothing was changed.' }),
          }),
        ),
        {
          retry: {
            summary: 'Three of five',
            value: { success: true, data: { retried: 3, leftOut: 2, dryRun: false } },
          },
        },
      ),
    },
  },
} satisfies Record<string, DocumentDecoration>
