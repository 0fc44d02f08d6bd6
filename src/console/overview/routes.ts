import { Elysia } from 'elysia'
import type { EpochMs } from '../../base/clock.ts'
import { dayMs } from '../../base/durations.ts'
import { findingId, findingOfUpgrade, findingsOf } from '../../doctor/attention.ts'
import { hasNoCopies } from '../../doctor/copyChecks.ts'
import { withoutPlaces } from '../../doctor/running.ts'
import { lastUpgrade } from '../../doctor/upgradeCheck.ts'
import { lastDays, readWorkspaceState } from '../../doctor/workspaceState.ts'
import { explain } from '../../graph/codes.ts'
import { dayOf } from '../../message/counts.ts'
import { causesOf, deliveredWithin, numbersByDay, ratesOf } from '../../message/dayNumbers.ts'
import { limitReachedAt, monthEnd, monthOf } from '../../message/plan.ts'
import { lineHealth } from '../../operations/channels/lineHealth.ts'
import { healthView } from '../channels/lineHealth.ts'
import { callbacksView } from '../channels/schemas.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { iso, isoOrNull, picked } from '../shapes.ts'
import { daysDefault, overviewAnswer, overviewLine, overviewQuery, usageAnswer, usageQuery } from './schemas.ts'

const causesMax = 10
/** Two years; the chart of the page has as many. */
const monthsMax = 24
/** Counted one by one: more are told as more. */
const scheduledMax = 1_000

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
        const { state, latest, counts } = await readWorkspaceState(read, { workspaceId, now, days: count })
        const putAway = await read.putAwayFindings({ workspaceId, at: now })
        const isOwner = role === 'owner'
        const upgrade = isOwner ? await lastUpgrade(read, now) : null
        const { channels, lines, open, receipts } = state
        const { status, due } = parts.backups
        const shown = counts.filter(({ day }) => day >= (shownDays[0] ?? ''))
        const days = numbersByDay(shown, shownDays)
        return {
          days,
          totals: ratesOf(days),
          timeToDeliver: {
            median: shownSeconds(deliveredWithin(shown, 0.5)),
            p95: shownSeconds(deliveredWithin(shown, 0.95)),
          },
          open: { ...open, unknownSince: isoOrNull(open.unknownSince) },
          plan: planView(state.plan, now),
          failures: causesOf(shown).slice(0, causesMax).map(shownCause),
          lines: lines.map(line =>
            picked(overviewLine, { ...line, health: healthView(lineHealth(line, latest, channels, now)) }),
          ),
          channels: channels.map(({ id, accountId }) => ({
            id,
            accountId,
            callbacks: callbacksView(receipts.get(id)),
          })),
          // A backup that failed names its folder, and an upgrade its copy.
          attention: [
            ...findingsOf({
              ...state,
              backlogs: parts.sending.outbox.backlogs(),
              backups: isOwner ? { status, due, areMade: !hasNoCopies(config) } : null,
            }),
            ...(upgrade ? [findingOfUpgrade(upgrade)] : []),
          ].map(found => {
            const id = findingId(found)
            const away = putAway.find(({ finding }) => finding === id)
            return {
              ...found,
              id,
              what: found.what && withoutPlaces(config, found.what),
              putAway: away ? { by: away.by, at: iso(away.at) } : null,
            }
          }),
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
      async ({ member: { workspaceId }, query }) => {
        const now = clock.now()
        const days = daysOf(query.month ?? monthOf(now))
        const lately = lastDays(now, daysDefault)
        const since = [days[0] ?? '', lately[0] ?? ''].sort()[0] ?? ''
        const [months, plan, counts, scheduled] = await Promise.all([
          read.usage({ workspaceId, limit: monthsMax }),
          read.plan({ workspaceId, month: monthOf(now) }),
          read.dailyCounts({ workspaceId, since }),
          read.scheduledCount({ workspaceId, before: monthEnd(now), max: scheduledMax + 1 }),
        ])
        const numbers = numbersByDay(counts, lately)
        return {
          months: months.map(({ month, used }) => ({ month, used })),
          plan: {
            ...planView(plan, now),
            reachedAt: isoOrNull(limitReachedAt(plan, numbers, now)),
            scheduled: { count: Math.min(scheduled, scheduledMax), isMore: scheduled > scheduledMax },
          },
          days: numbersByDay(counts, days).map(ofDay => ({ day: ofDay.day, messages: ratesOf([ofDay]).messages })),
        }
      },
      {
        role: 'viewer',
        query: usageQuery,
        response: usageAnswer,
        summary: 'Usage by month and day, and the monthly limit',
      },
    )
}

/** @param month `2026-01` */
const daysOf = (month: string): string[] =>
  Array.from({ length: 31 }, (_, at) => dayOf(Date.parse(`${month}-01`) + at * dayMs)).filter(day =>
    day.startsWith(month),
  )

const planView = ({ limit, used }: { readonly limit: number | null; readonly used: number }, now: EpochMs) => ({
  ...{ limit, used, month: monthOf(now) },
  resetsAt: iso(monthEnd(now)),
})

/** Longer than the last class is shown as its bound: JSON has no infinity. */
const shownSeconds = (seconds: number | null) => (seconds === null ? null : Math.min(seconds, dayMs / 1_000))

function shownCause({ cause, count }: { cause: string; count: number }) {
  const code = /^\d{1,9}$/.test(cause) ? Number(cause) : null
  const { meaning = null, remedy = null } = (code === null ? null : explain(code)) ?? {}
  return { code, reason: cause, count, meaning, remedy }
}
