import { type TSchema, Type, wire } from '../../schema.ts'

const strict = { additionalProperties: false } as const
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const nullableText = orNull(Type.String())
const rate = orNull(Type.Number({ minimum: 0, maximum: 1 }))
const seconds = orNull(Type.Number({ description: 'Seconds, to the exactness of the classes that are counted.' }))

/** A year of days is a chart that nobody can read; the numbers are kept for 400 days. */
const daysMax = 90
export const daysDefault = 30

export const overviewQuery = wire(
  Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: daysMax })) }, strict),
  'text',
)

const callbacks = Type.Object(
  {
    state: Type.Enum(['none', 'accepted', 'refused']),
    acceptedAt: nullableText,
    refusedAt: nullableText,
    refusal: nullableText,
  },
  strict,
)
const update = Type.Object({ what: Type.String(), at: Type.String(), detail: Type.Unknown() }, strict)

/** What needs attention. Which of the fields are there follows from `kind`. */
const finding = Type.Object(
  {
    kind: Type.Enum([
      'noChannel',
      'noActiveLine',
      'noDefaultLine',
      'noKey',
      'refusedToken',
      'backlog',
      'callbacks',
      'sharedAccount',
      'unknownMessages',
      'planLimit',
      'manyFailures',
      'templates',
      'oldKeys',
      'update',
    ]),
    subjects: Type.Array(Type.String(), { description: 'The ids or names that it is about.' }),
    count: orNull(Type.Integer()),
    of: orNull(Type.Integer()),
    isMore: Type.Boolean(),
    since: nullableText,
    what: nullableText,
  },
  { ...strict, title: 'Finding' },
)

export const overviewAnswer = wire(
  Type.Object(
    {
      days: Type.Array(
        Type.Object(
          {
            day: Type.String({ description: 'UTC, `2026-01-31`: when the messages were accepted.' }),
            sent: Type.Integer(),
            delivered: Type.Integer(),
            read: Type.Integer(),
            failed: Type.Integer(),
            unknown: Type.Integer(),
          },
          strict,
        ),
        { description: 'What has become of the messages of each day. Each message is counted once.' },
      ),
      totals: Type.Object(
        {
          messages: Type.Integer(),
          delivered: Type.Integer({ description: 'Those that were read included.' }),
          read: Type.Integer(),
          failed: Type.Integer(),
          unknown: Type.Integer(),
          deliveryRate: rate,
          readRate: Type.Union([rate], { description: 'Of those delivered.' }),
        },
        strict,
      ),
      timeToDeliver: Type.Object({ median: seconds, p95: seconds }, strict),
      open: Type.Object(
        { queued: Type.Integer(), unknown: Type.Integer(), unknownSince: nullableText, isMore: Type.Boolean() },
        strict,
      ),
      plan: Type.Object(
        { limit: orNull(Type.Integer()), used: Type.Integer(), month: Type.String(), resetsAt: Type.String() },
        strict,
      ),
      failures: Type.Array(
        Type.Object(
          {
            code: orNull(Type.Integer()),
            reason: Type.String(),
            count: Type.Integer(),
            meaning: nullableText,
            remedy: nullableText,
          },
          strict,
        ),
        { description: 'By cause, most first.' },
      ),
      lines: Type.Array(
        Type.Object(
          {
            id: Type.String(),
            number: Type.String(),
            channelId: Type.String(),
            active: Type.Boolean(),
            isDefault: Type.Boolean(),
            updates: Type.Array(update),
          },
          strict,
        ),
      ),
      channels: Type.Array(
        Type.Object(
          {
            id: Type.String(),
            accountId: Type.String(),
            isTokenRefused: Type.Boolean({ description: 'At the latest message: its lines cannot send.' }),
            callbacks,
            updates: Type.Array(update),
          },
          strict,
        ),
      ),
      attention: Type.Array(finding, { description: 'The worst first.' }),
    },
    { ...strict, title: 'Overview' },
  ),
)

export const usageAnswer = wire(
  Type.Object(
    {
      months: Type.Array(Type.Object({ month: Type.String(), used: Type.Integer() }, strict), {
        description: 'What counted against the monthly limit, latest first.',
      }),
      plan: Type.Object(
        { limit: orNull(Type.Integer()), used: Type.Integer(), month: Type.String(), resetsAt: Type.String() },
        strict,
      ),
      days: Type.Array(Type.Object({ day: Type.String(), messages: Type.Integer() }, strict), {
        description: 'Messages of each day, waiting ones not included.',
      }),
    },
    { ...strict, title: 'Usage' },
  ),
)
