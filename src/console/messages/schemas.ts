import { messageStatuses, messageTypes } from '../../message/words.ts'
import { type Static, type TSchema, Type, wire } from '../../schema.ts'

const strict = { additionalProperties: false } as const
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const nullableText = orNull(Type.String())

/** The longest idempotency key has 255 characters; the upstream's ids some 60. */
const referenceLengthMax = 512
const idLengthMax = 100
const templateNameLengthMax = 512
const cursorLengthMax = 100
export const pageMax = 100
export const pageDefault = 50

const filters = {
  q: Type.Optional(
    Type.String({
      maxLength: referenceLengthMax,
      description: "A phone number, one of our ids, the channel's id, an idempotency key, or a user id.",
    }),
  ),
  status: Type.Optional(Type.Enum([...messageStatuses])),
  lineId: Type.Optional(Type.String({ maxLength: idLengthMax })),
  keyId: Type.Optional(Type.String({ maxLength: idLengthMax })),
  type: Type.Optional(Type.Enum([...messageTypes])),
  template: Type.Optional(Type.String({ maxLength: templateNameLengthMax })),
  since: Type.Optional(Type.String({ format: 'date-time' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive.' })),
}

export const listQuery = wire(
  Type.Object(
    {
      ...filters,
      older: Type.Optional(Type.String({ maxLength: cursorLengthMax, description: 'The page behind this cursor.' })),
      newer: Type.Optional(Type.String({ maxLength: cursorLengthMax, description: 'The page before this cursor.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax })),
      format: Type.Optional(Type.Enum(['json', 'csv'], { description: '`csv`: all that fit, as a table.' })),
    },
    strict,
  ),
  'text',
)
export type ListQuery = Static<typeof listQuery>

const explanation = orNull(Type.Object({ meaning: Type.String(), remedy: Type.String() }, strict))

const failure = orNull(
  Type.Object({ code: orNull(Type.Integer()), reason: Type.String(), explanation }, { ...strict, title: 'Failure' }),
)

/** The scopes are those of a "not now" (docs/upstream.md#error-classes), and what else a message waits for. */
const waiting = orNull(
  Type.Object(
    {
      scope: Type.Enum(['app', 'line', 'pair', 'message', 'turn', 'answer', 'elsewhere'], {
        description:
          'What it waits for: the pause of the account, of the line, of the recipient or of itself, its turn, or the ' +
          "channel's answer. `elsewhere`: another instance of the gateway has it.",
      }),
      until: orNull(Type.String({ description: 'It is tried no sooner.' })),
      refusal: failure,
    },
    { ...strict, title: 'Waiting' },
  ),
)

const messageFields = {
  id: Type.String(),
  status: Type.Enum([...messageStatuses]),
  type: Type.Enum([...messageTypes]),
  templateName: nullableText,
  recipient: Type.String({ description: "A phone number, the channel's user id, or `forgotten`." }),
  contactId: nullableText,
  lineId: Type.String(),
  channelId: Type.String(),
  keyId: orNull(Type.String({ description: 'Null: sent in the console.' })),
  idempotencyKey: nullableText,
  requestId: nullableText,
  channelMessageId: nullableText,
  failureReason: nullableText,
  createdAt: Type.String({ format: 'date-time' }),
  sentAt: nullableText,
  deliveredAt: nullableText,
  readAt: nullableText,
}
const messageSchema = Type.Object(messageFields, { ...strict, title: 'ConsoleMessage' })
export type ShownMessage = Static<typeof messageSchema>

/** Not checked by the router: the same route also gives CSV. */
const listAnswer = Type.Object(
  {
    messages: Type.Array(messageSchema, { description: 'Newest first.' }),
    older: nullableText,
    newer: nullableText,
    searchedTo: orNull(
      Type.String({
        description: 'The search stopped here before the page was full; go on with `older` or `newer`.',
      }),
    ),
  },
  { ...strict, title: 'ConsoleMessageList' },
)
export type MessagesAnswer = Static<typeof listAnswer>

export const choicesAnswer = wire(
  Type.Object(
    {
      lines: Type.Array(Type.Object({ id: Type.String(), number: Type.String() }, strict)),
      keys: Type.Array(Type.Object({ id: Type.String(), label: nullableText }, strict)),
      templates: Type.Array(Type.String()),
    },
    { ...strict, title: 'MessageFilterChoices' },
  ),
)

export const messageAnswer = wire(
  Type.Object(
    {
      message: messageSchema,
      failure,
      waiting: Type.Union([waiting], { description: 'Why it has no end yet; null when it has one.' }),
      line: orNull(Type.Object({ id: Type.String(), number: Type.String() }, strict)),
      key: orNull(Type.Object({ id: Type.String(), label: nullableText }, strict)),
      contact: orNull(Type.Object({ id: Type.String(), name: nullableText }, strict)),
      content: orNull(Type.Unknown({ description: "The upstream's request; null when it is not kept any more." })),
      canSendAgain: Type.Boolean(),
      attempts: Type.Integer({ description: 'How often it was handed over, as far as the timeline shows.' }),
      timeline: Type.Array(
        Type.Object(
          {
            event: Type.String(),
            at: Type.String(),
            recordedAt: Type.String(),
            explanation,
            detail: orNull(Type.Object({}, { additionalProperties: true })),
          },
          strict,
        ),
      ),
    },
    { ...strict, title: 'ConsoleMessageDetails' },
  ),
)

export const settleBody = wire(Type.Object({ as: Type.Enum(['SENT', 'FAILED']) }, { ...strict, title: 'Settlement' }))
export const settledAnswer = wire(Type.Object({ message: messageSchema }, { ...strict, title: 'SettledMessage' }))

export const againBody = wire(
  Type.Object(
    {
      idempotencyKey: Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'A new one for each wish to send again: a second request with it sends nothing.',
      }),
    },
    { ...strict, title: 'SendAgain' },
  ),
)
export const againAnswer = wire(
  Type.Object(
    { messageId: Type.String(), status: Type.String(), isReplay: Type.Boolean() },
    { ...strict, title: 'SentAgain' },
  ),
)
