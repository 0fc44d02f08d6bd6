import type { Message, MessageFilter } from '../../../db/contract/records.ts'
import { byFieldFilter, messageFields } from '../../../db/messageFields.ts'
import { phoneLengthMax } from '../../base/phone.ts'
import { closed, type Static, type TSchema, Type } from '../../base/schema.ts'
import { templateNameCharsMax } from '../../base/upstreamLimits.ts'
import { cures } from '../../graph/failures.ts'
import { saidSchema } from '../../inbound/said.ts'
import { causeCharsMax } from '../../message/counts.ts'
import { pricingSchema } from '../../message/pricing.ts'
import { messageStatuses } from '../../message/statuses.ts'
import { messageTypes } from '../../message/words.ts'
import { idField, idLengthMax, referenceLengthMax } from '../../operations/fields.ts'
import { changedRowsMax, pageMax } from '../../reading/steps.ts'
import { draftSchema } from '../../templates/authoring/draftSchema.ts'
import type { Bubble } from '../../templates/bubble.ts'
import { moment, orNull, shape, textOrNull, wired, wiredQuery } from '../shapes.ts'
import { senderSchema } from './senders.ts'
import { idempotencyKeyField, submittedFields, templateValuesField } from './submit.ts'

/** That of a text names ten contacts. */
const cursorLengthMax = 600

const anyStatus = `(${messageStatuses.join('|')})`
const statusesPattern = `^${anyStatus}(,${anyStatus}){0,${messageStatuses.length - 1}}$`

/** A filter by the value of a field is a text, unless it says more below. */
const fieldFilterSchemas = byFieldFilter(({ orNone }) =>
  Type.Optional(Type.String({ maxLength: referenceLengthMax, ...(orNone && { description: '`-`: of none.' }) })),
)

const filters = {
  ...fieldFilterSchemas,
  q: Type.Optional(
    Type.String({
      maxLength: referenceLengthMax,
      description:
        "A part of a name, a number or a text, a template's name; or our id, the channel's id, an idempotency key or " +
        'a user id.',
    }),
  ),
  status: Type.Optional(
    Type.String({ pattern: statusesPattern, description: 'One of them, or several with commas: `DELIVERED,READ`.' }),
  ),
  line: Type.Optional(idField),
  key: Type.Optional(Type.String({ ...idField, description: '`-`: sent in the console.' })),
  type: Type.Optional(Type.Enum([...messageTypes])),
  template: Type.Optional(Type.String({ maxLength: templateNameCharsMax, description: '`-`: of none.' })),
  cause: Type.Optional(
    Type.String({ maxLength: causeCharsMax, description: 'Why it failed: the code of an error, or our sentence.' }),
  ),
  since: Type.Optional(moment),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive.' })),
} satisfies Readonly<Record<FilterName | 'q' | 'since' | 'until', TSchema>>
/** A search finds recipients by its text. */
type FilterName = Exclude<keyof MessageFilter, 'recipient'>

const { q: _q, ...countable } = filters
const cursors = {
  older: Type.Optional(Type.String({ maxLength: cursorLengthMax, description: 'The page after this cursor.' })),
  newer: Type.Optional(Type.String({ maxLength: cursorLengthMax, description: 'The page before this cursor.' })),
}
export const countQuery = wiredQuery(countable)
export const listQuery = wiredQuery({
  ...filters,
  ...cursors,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax })),
  format: Type.Optional(Type.Enum(['json', 'csv'], { description: '`csv`: all matches, as a table.' })),
})
export type ListQuery = Static<typeof listQuery>

const anyId = `[^,]{1,${idLengthMax}}`
export const rowsQuery = wiredQuery({
  ...countable,
  ...cursors,
  ids: Type.String({
    pattern: `^${anyId}(,${anyId}){0,${changedRowsMax - 1}}$`,
    description: `Of these messages, with commas: at most ${changedRowsMax}.`,
  }),
})

const explanation = orNull(closed({ short: Type.String(), meaning: Type.String(), remedy: Type.String() }))

const failure = orNull(
  shape('Failure', {
    code: orNull(Type.Integer()),
    reason: Type.String(),
    explanation,
    cure: orNull(
      Type.Enum([...cures], { description: 'Where the cure is: the token, the channel, a template or the contact.' }),
    ),
  }),
)

const file = closed({
  id: Type.String(),
  state: Type.Enum(['pending', 'stored', 'failed', 'expired']),
  mimeType: textOrNull,
  bytes: orNull(Type.Integer()),
  saveAs: Type.String(),
  shownAs: orNull(Type.Enum(['image', 'audio', 'video'], { description: 'Null: it may only be saved.' })),
})
export type ShownFile = Static<typeof file>
/** Neither: it is known by the upstream's id alone. */
const headerFile = closed({ link: textOrNull, file: orNull(file) })

/** A message as its recipient sees it, with the files that are kept here. */
export interface ShownBubble extends Omit<Bubble, 'files'> {
  readonly files: { readonly header: Static<typeof headerFile>; readonly cards: readonly Static<typeof headerFile>[] }
}
export const bubble = orNull(
  Type.Unsafe<ShownBubble>(
    shape('Bubble', {
      draft: draftSchema,
      code: orNull(Type.String({ description: 'Of an authentication template.' })),
      files: closed({ header: headerFile, cards: Type.Array(headerFile) }),
      choices: Type.Array(closed({ title: Type.String(), description: textOrNull })),
    }),
  ),
)

/** What a person or the business said, in parts, with its files: a form may have some, any other message one. */
export const said = shape('Said', { ...saidSchema.properties, files: Type.Array(file) })
export type Said = Static<typeof said>

/** The scopes are those of a "not now" (docs/upstream.md#error-classes), and what else a message waits for. */
const waiting = orNull(
  shape('Waiting', {
    scope: Type.Enum(['app', 'line', 'pair', 'message', 'turn', 'answer', 'elsewhere'], {
      description:
        'What it waits for: the pause of the account, of the line, of the recipient or of itself, its turn, or the ' +
        "channel's answer. `elsewhere`: another instance of the gateway has it.",
    }),
    until: orNull(Type.String({ description: 'The earliest time of the next attempt.' })),
    refusal: failure,
  }),
)

type FieldName = keyof typeof messageFields
/** Those that are text or null. */
type TextField = { [Name in FieldName]: string extends Message[Name] ? Name : never }[FieldName]
const textFields = Object.fromEntries(
  Object.entries(messageFields).map(([name, { meaning }]) => [name, orNull(Type.String({ description: meaning }))]),
) as Record<TextField, typeof textOrNull>

/** What a send has brought of a message. */
const fieldSchemas = {
  ...textFields,
  type: Type.Enum([...messageTypes]),
  recipient: Type.String({ description: messageFields.recipient.meaning }),
} satisfies Readonly<Record<FieldName, TSchema>>

/** In the order of the exported table, which does not have the channel. */
export const messageSchema = shape('ConsoleMessage', {
  id: Type.String(),
  status: Type.Enum([...messageStatuses]),
  ...fieldSchemas,
  lineId: Type.String(),
  keyId: orNull(Type.String({ description: 'Null: sent in the console.' })),
  channelMessageId: textOrNull,
  failureReason: textOrNull,
  pricing: orNull(pricingSchema, { description: 'What the platform says that it costs.' }),
  createdAt: moment,
  sendAt: orNull(moment, { description: 'When it is to leave, or was; null: at once.' }),
  sentAt: textOrNull,
  deliveredAt: textOrNull,
  readAt: textOrNull,
  channelId: Type.String(),
})
export type ShownMessage = Static<typeof messageSchema>

/** With what people look for in a list. */
const listedSchema = shape('ListedMessage', {
  ...messageSchema.properties,
  sentBy: senderSchema,
  contact: orNull(closed({ id: Type.String(), name: textOrNull })),
  words: orNull(
    Type.String({ description: 'The beginning of the text as it was seen; null without one, and once it is dropped.' }),
  ),
  isVoice: Type.Boolean({ description: 'A sound that was sent as a voice message.' }),
  failure: orNull(Type.String({ description: 'Why it failed, in a few words.' })),
  isSentAgain: Type.Boolean({ description: 'It failed, and another message repeats it.' }),
})
export type ListedMessage = Static<typeof listedSchema>

/** Not checked by the router: the same route also gives CSV. */
const listAnswer = shape('ConsoleMessageList', {
  messages: Type.Array(listedSchema, { description: 'Newest first.' }),
  older: textOrNull,
  newer: textOrNull,
  searchedTo: orNull(
    Type.String({
      description: 'The search stopped here before the page was full; continue with `older` or `newer`.',
    }),
  ),
})
export type MessagesAnswer = Static<typeof listAnswer>

export const rowsAnswer = wired('ConsoleMessageRows', {
  messages: Type.Array(listedSchema, { description: 'Those that fit, newest first.' }),
})

export const countAnswer = wired('MessageCount', {
  count: Type.Integer(),
  isMore: Type.Boolean({ description: 'There are more, which were not counted.' }),
})

export const choicesAnswer = wired('MessageFilterChoices', {
  lines: Type.Array(closed({ id: Type.String(), number: Type.String(), label: textOrNull })),
  keys: Type.Array(closed({ id: Type.String(), label: textOrNull })),
  templates: Type.Array(Type.String()),
  languages: Type.Array(Type.String()),
  causes: Type.Array(closed({ cause: Type.String(), words: Type.String() }), {
    description: 'Why messages failed lately, most first.',
  }),
})

const issue = closed({ path: Type.String(), message: Type.String() })
const issues = Type.Array(issue)
const textMap = Type.Record(Type.String(), Type.String())

export const messageAnswer = wired('ConsoleMessageDetails', {
  message: messageSchema,
  failure,
  openUntil: orNull(moment, {
    description:
      'Of a message that the platform refused because the window is closed: until when it was shown as open here. ' +
      'Null: it was not.',
  }),
  waiting: Type.Union([waiting], { description: 'Why it has no end yet; null when it has one.' }),
  line: orNull(closed({ id: Type.String(), number: Type.String(), label: textOrNull })),
  channel: orNull(closed({ id: Type.String(), accountId: Type.String() })),
  sentBy: senderSchema,
  contact: orNull(closed({ id: Type.String(), name: textOrNull })),
  template: orNull(closed({ id: Type.String(), language: Type.String() })),
  bubble: Type.Union([bubble], {
    description: 'What the recipient sees; null when it is no longer stored, or its template is not known any more.',
  }),
  said: orNull(said, { description: 'The same of a file, a place, cards or a reaction, which have no bubble.' }),
  content: orNull(Type.Unknown({ description: "The upstream's request; null when it is no longer stored." })),
  canSendAgain: Type.Boolean(),
  filled: orNull(closed({ values: closed({ variables: textMap, body: textMap, addresses: textMap }), wrong: issues }), {
    description:
      'What fills its template, by the keys of a send, to be mended; with what is known to be wrong of it. Null: no ' +
      'template, or keys cannot say it.',
  }),
  repeated: orNull(Type.String({ description: 'The message that it repeats, as long as that one is stored.' })),
  cost: Type.Array(closed({ currency: Type.String(), amount: Type.Number() }), {
    description: 'At the rates in the settings; empty: it is not charged, or has no rate.',
  }),
  sentAgainAs: Type.Array(Type.String(), { description: 'The messages that repeat it, newest first: the last 20.' }),
  attempts: Type.Integer({ description: 'How often it was handed over, according to the timeline.' }),
  timeline: Type.Array(
    closed({
      event: Type.String(),
      at: Type.String(),
      recordedAt: Type.String(),
      explanation,
      issues: Type.Array(issue, {
        description: 'What of the send does not fit into its template, beside the words of the platform.',
      }),
      detail: orNull(Type.Object({}, { additionalProperties: true })),
    }),
  ),
})

export type MessageDetails = Static<typeof messageAnswer>

export const settleBody = wired('Settlement', { as: Type.Enum(['SENT', 'FAILED']) })
export const rescheduleBody = wired('Rescheduling', {
  sendAt: Type.String({ description: 'With its offset from UTC.' }),
})
export const changedMessageAnswer = wired('ChangedMessage', { message: messageSchema })

export const againBody = wired('SendAgain', {
  phone: Type.Optional(Type.String({ maxLength: phoneLengthMax, description: 'Another recipient than before.' })),
  phoneNumberId: Type.Optional(Type.String({ ...idField, description: 'Another line than before.' })),
  values: Type.Optional(templateValuesField),
  idempotencyKey: {
    ...idempotencyKeyField,
    description: 'A new one for each resend: a second request with the same key sends nothing.',
  },
})
export const againAnswer = wired('SentAgain', submittedFields)
