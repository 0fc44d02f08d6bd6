import { Elysia } from 'elysia'
import { latestMessages, lineHealth } from '../../channels/lineHealth.ts'
import { refusedTokens } from '../../channels/refusedTokens.ts'
import { findingsOf } from '../../doctor/attention.ts'
import { withoutPlaces } from '../../doctor/running.ts'
import { explain } from '../../graph/codes.ts'
import { dayOf } from '../../message/counts.ts'
import { causesOf, deliveredWithin, numbersByDay, ratesOf } from '../../message/dayNumbers.ts'
import { limitReachedAt } from '../../message/forecast.ts'
import { monthEnd, monthOf } from '../../message/plan.ts'
import type { EpochMs } from '../../time/clock.ts'
import { healthView } from '../channels/lineHealth.ts'
import { callbacksView } from '../channels/schemas.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { iso, isoOrNull, picked } from '../shapes.ts'
import { daysDefault, lineSchema, overviewAnswer, overviewQuery, usageAnswer } from './schemas.ts'

const dayMs = 86_400_000
/** Open messages are counted up to this number; beyond it the page says "more than". */
const openMax = 1_000
/** Days by which "many failures" is judged. */
const latelyDays = 7
const causesMax = 10
/** Two years; the chart of the page has as many. */
const monthsMax = 24

/**
 * `GET …/overview` and `GET …/usage`: numbers that are kept by day, so that they cost the same for any number of
 * messages.
 */
export function overviewRoutes(parts: ConsoleParts) {
  const { store, clock, config } = parts
  const { read } = store
  return new Elysia({ name: 'console-overview', prefix: '/workspaces/:workspaceId' })
    .use(guard(parts))
    .get(
      '/overview',
      async ({ member: { workspaceId, role }, query: { days: count = daysDefault } }) => {
        const now = clock.now()
        const shownDays = lastDays(now, count)
        const counted = lastDays(now, Math.max(count, latelyDays + 1))
        const [counts, open, plan, lines, channels, receipts, keys, templates, webhooks] = await Promise.all([
          read.dailyCounts({ workspaceId, since: counted[0] ?? dayOf(now) }),
          read.openMessages({ workspaceId, max: openMax }),
          planOf(parts, workspaceId),
          read.lines(workspaceId),
          read.channels(workspaceId),
          read.callbackReceipts(),
          read.keys(workspaceId),
          read.templates({ workspaceId, approved: false }),
          read.webhooks(workspaceId),
        ])
        const latest = await latestMessages(read, workspaceId, lines)
        const refused = refusedTokens(latest, channels)
        const subjects = [...channels, ...lines].map(({ id }) => id)
        const updates = new Map(await Promise.all(subjects.map(async id => [id, await read.updates(id)] as const)))
        const shown = counts.filter(({ day }) => day >= (shownDays[0] ?? ''))
        const days = numbersByDay(shown, shownDays)
        const byChannel = new Map(receipts.map(receipt => [receipt.channelId, receipt]))
        const lately = ratesOf(numbersByDay(counts, lastDays(now, latelyDays)))
        return {
          days,
          totals: ratesOf(days),
          timeToDeliver: {
            median: shownSeconds(deliveredWithin(shown, 0.5)),
            p95: shownSeconds(deliveredWithin(shown, 0.95)),
          },
          open: { ...open, unknownSince: isoOrNull(open.unknownSince) },
          plan,
          failures: causesOf(shown).slice(0, causesMax).map(shownCause),
          lines: lines.map(line =>
            picked(lineSchema, { ...line, health: healthView(lineHealth(line, latest, channels, now)) }),
          ),
          channels: channels.map(({ id, accountId }) => ({
            id,
            accountId,
            callbacks: callbacksView(byChannel.get(id)),
          })),
          // A backup that failed names its folder.
          attention: findingsOf({
            now,
            channels,
            refused,
            backlogs: parts.sending.outbox.backlogs(),
            receipts: byChannel,
            lines,
            keys,
            templates,
            webhooks,
            open,
            plan: { ...plan, reachedAt: limitReachedAt(plan, numbersByDay(counts, counted), now) },
            updates,
            backups: role === 'owner' ? parts.backups : null,
            lately: { messages: lately.messages, failed: lately.failed },
          }).map(found => ({ ...found, what: found.what && withoutPlaces(config, found.what) })),
        }
      },
      {
        role: 'viewer',
        query: overviewQuery,
        response: overviewAnswer,
        summary: 'Overview',
        description: 'The outcome of messages, how fast they arrive, why they fail, and what needs attention.',
      },
    )
    .get(
      '/usage',
      async ({ member: { workspaceId } }) => {
        const now = clock.now()
        const days = lastDays(now, daysDefault)
        const [months, plan, counts] = await Promise.all([
          read.usage({ workspaceId, limit: monthsMax }),
          planOf(parts, workspaceId),
          read.dailyCounts({ workspaceId, since: days[0] ?? '' }),
        ])
        const numbers = numbersByDay(counts, days)
        return {
          months: months.map(({ month, used }) => ({ month, used })),
          plan: { ...plan, reachedAt: isoOrNull(limitReachedAt(plan, numbers, now)) },
          days: numbers.map(ofDay => ({ day: ofDay.day, messages: ratesOf([ofDay]).messages })),
        }
      },
      { role: 'viewer', response: usageAnswer, summary: 'Usage by month and day, and the monthly limit' },
    )
}

async function planOf({ store, clock }: ConsoleParts, workspaceId: string) {
  const now = clock.now()
  const month = monthOf(now)
  const { limit, used } = await store.read.plan({ workspaceId, month })
  return { limit, used, month, resetsAt: iso(monthEnd(now)) }
}

/** @returns the last days in UTC, oldest first, today included */
const lastDays = (now: EpochMs, count: number): string[] =>
  Array.from({ length: count }, (_, at) => dayOf(now - (count - 1 - at) * dayMs))

/** Longer than the last class is shown as its bound: JSON has no infinity. */
const shownSeconds = (seconds: number | null) => (seconds === null ? null : Math.min(seconds, dayMs / 1_000))

function shownCause({ cause, count }: { cause: string; count: number }) {
  const code = /^\d{1,9}$/.test(cause) ? Number(cause) : null
  const { meaning = null, remedy = null } = (code === null ? null : explain(code)) ?? {}
  return { code, reason: cause, count, meaning, remedy }
}
