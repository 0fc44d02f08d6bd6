import { Elysia } from 'elysia'
import type { TemplateCount, TemplateStep } from '../../../db/contract/usage.ts'
import { closed, Type } from '../../base/schema.ts'
import { lastDays } from '../../doctor/workspaceState.ts'
import { causeWords } from '../../graph/failures.ts'
import { failureReasonOf } from '../../message/state.ts'
import { hasFailed } from '../../message/statuses.ts'
import { type TemplateNumbers, templateNumbersOf } from '../../message/templateNumbers.ts'
import { findAll, searcherOf } from '../../reading/messages.ts'
import { inSteps, scanMax } from '../../reading/steps.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { isoOrNull, orNull, textOrNull, wired } from '../shapes.ts'

const periodDays = { week: 7, month: 30 } as const

interface Reader {
  readonly workspaceId: string
  turn(): Promise<void>
}

const numbers = closed({
  since: Type.String({ description: 'The first of its days, of UTC: `2026-01-31`.' }),
  sent: Type.Integer({ description: 'All that were accepted, also those that failed later.' }),
  failed: Type.Integer(),
  cause: orNull(closed({ cause: Type.String(), words: Type.String(), count: Type.Integer() }), {
    description: 'Why most of them failed.',
  }),
})
const answer = wired('TemplateNumbers', {
  templates: Type.Array(
    closed({
      name: Type.String(),
      language: Type.String({ description: 'Empty for what was sent before languages were kept.' }),
      week: Type.Union([numbers], { description: 'The last 7 days.' }),
      month: Type.Union([numbers], { description: 'The last 30 days.' }),
    }),
  ),
  countedUntil: Type.Union([textOrNull], { description: 'Later messages are not all counted yet; null: all are.' }),
  failuresSince: Type.Union([textOrNull], { description: 'Only failures since then were counted; null: all were.' }),
})

/** `GET …/template-numbers`: which templates fail, and why. */
export function templateNumberRoutes(parts: ConsoleParts) {
  const { clock, searches } = parts
  const { read } = parts.store

  async function countsOf({ workspaceId, turn }: Reader, since: string) {
    const every = { cursor: undefined, limit: Number.POSITIVE_INFINITY }
    const { rows, next } = await inSteps<TemplateCount, TemplateStep>(turn, every, async ({ cursor, scan }) => {
      const step = await read.templateCounts({ workspaceId, since, after: cursor, limit: scan })
      return { rows: step.counts, next: step.next }
    })
    return { counts: rows, until: next?.counted.until ?? null }
  }

  async function failuresOf(member: Reader, since: string) {
    const { workspaceId, turn } = member
    const filter = { workspaceId, status: hasFailed.statuses, type: 'template', since: Date.parse(since) } as const
    const failures = []
    for await (const found of findAll(searcherOf(read, clock, turn), filter)) {
      for (const message of found) {
        const { createdAt, templateName, templateLanguage } = message
        const of = { name: templateName ?? '', language: templateLanguage ?? '' }
        failures.push({ ...of, createdAt, reason: failureReasonOf(message) })
      }
      if (failures.length >= scanMax) return { failures, from: failures.at(-1)?.createdAt ?? null }
    }
    return { failures, from: null }
  }

  return new Elysia({ name: 'console-template-numbers', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).get(
    '/template-numbers',
    async ({ member }) => {
      const firstOf = (days: number) => lastDays(clock.now(), days)[0] ?? ''
      const periods = { week: firstOf(periodDays.week), month: firstOf(periodDays.month) }
      const since = periods.month
      const { failures, from, counts, until } = await searches.search(member, async () => ({
        ...(await failuresOf(member, since)),
        ...(await countsOf(member, since)),
      }))
      const shown = (of: TemplateNumbers, period: keyof typeof periods) => ({
        ...of,
        since: periods[period],
        cause: of.cause && { ...of.cause, words: causeWords(of.cause.cause) },
      })
      return {
        templates: templateNumbersOf(counts, failures, periods).map(({ name, language, week, month }) => ({
          ...{ name, language },
          week: shown(week, 'week'),
          month: shown(month, 'month'),
        })),
        countedUntil: isoOrNull(until),
        failuresSince: isoOrNull(from),
      }
    },
    {
      role: 'viewer',
      response: answer,
      summary: 'Numbers of templates',
      description: 'How many messages each template was sent with, how many failed, and why, by name and language.',
    },
  )
}
