import { closed, Type } from '../../base/schema.ts'
import { findingSchema } from '../../doctor/attention.ts'
import { healthSchema } from '../channels/lineHealth.ts'
import { callbacksSchema } from '../channels/schemas.ts'
import { orNull, textOrNull, wired, wiredQuery } from '../shapes.ts'

const rate = orNull(Type.Number({ minimum: 0, maximum: 1 }))
const seconds = orNull(Type.Number({ description: 'Seconds, to the exactness of the classes that are counted.' }))

/** A year of days is a chart that nobody can read; the numbers are kept for 400 days. */
const daysMax = 90
export const daysDefault = 30

export const overviewQuery = wiredQuery({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: daysMax })) })

export const overviewLine = closed({
  id: Type.String(),
  number: Type.String(),
  label: textOrNull,
  channelId: Type.String(),
  active: Type.Boolean(),
  isDefault: Type.Boolean(),
  health: healthSchema,
})

const plan = { limit: orNull(Type.Integer()), used: Type.Integer(), month: Type.String(), resetsAt: Type.String() }

export const overviewAnswer = wired('Overview', {
  days: Type.Array(
    closed({
      day: Type.String({ description: 'UTC, `2026-01-31`: when the messages were accepted.' }),
      sent: Type.Integer(),
      delivered: Type.Integer(),
      read: Type.Integer(),
      failed: Type.Integer(),
      unknown: Type.Integer(),
    }),
    { description: 'The messages of each day by their current status. Each is counted once.' },
  ),
  totals: closed({
    messages: Type.Integer(),
    delivered: Type.Integer({ description: 'Those that were read included.' }),
    read: Type.Integer(),
    failed: Type.Integer(),
    unknown: Type.Integer(),
    deliveryRate: rate,
    readRate: Type.Union([rate], { description: 'Of those delivered.' }),
  }),
  timeToDeliver: closed({ median: seconds, p95: seconds }),
  open: closed({ queued: Type.Integer(), unknown: Type.Integer(), unknownSince: textOrNull, isMore: Type.Boolean() }),
  plan: closed(plan),
  failures: Type.Array(
    closed({
      code: orNull(Type.Integer()),
      reason: Type.String(),
      count: Type.Integer(),
      meaning: textOrNull,
      remedy: textOrNull,
    }),
    { description: 'By cause, most first.' },
  ),
  lines: Type.Array(overviewLine),
  channels: Type.Array(closed({ id: Type.String(), accountId: Type.String(), callbacks: callbacksSchema })),
  attention: Type.Array(
    closed({
      ...findingSchema.properties,
      id: Type.String({ description: 'Another one when it happens anew.' }),
      putAway: orNull(closed({ by: Type.String(), at: Type.String() }), {
        description: 'Who has put it away, for 30 days at most.',
      }),
    }),
    { description: 'What does most harm first.' },
  ),
})

export const usageQuery = wiredQuery({
  month: Type.Optional(
    Type.String({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])$', description: 'The month of the days, UTC; else this one.' }),
  ),
})
export const usageAnswer = wired('Usage', {
  months: Type.Array(closed({ month: Type.String(), used: Type.Integer() }), {
    description: 'What counted against the monthly limit, latest first.',
  }),
  plan: closed({
    ...plan,
    scheduled: closed(
      { count: Type.Integer(), isMore: Type.Boolean({ description: 'There are more, which were not counted.' }) },
      { description: 'Messages that wait for a time in this month.' },
    ),
    reachedAt: Type.Union([textOrNull], {
      description: 'When the limit is reached at the pace of the last week; null when not in this month.',
    }),
  }),
  days: Type.Array(closed({ day: Type.String(), messages: Type.Integer() }), {
    description: 'Messages of each day, waiting ones not included.',
  }),
})
