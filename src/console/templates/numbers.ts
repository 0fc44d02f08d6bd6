import type { TemplateCount, TemplateStep } from '../../../db/contract/usage.ts'
import { lastDays } from '../../doctor/workspaceState.ts'
import { failureReasonOf } from '../../message/state.ts'
import { hasFailed } from '../../message/statuses.ts'
import { templateNumbersOf } from '../../message/templateNumbers.ts'
import { findAll, searcherOf } from '../../reading/messages.ts'
import { inSteps, scanMax } from '../../reading/steps.ts'
import type { MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'

const periodDays = { week: 7, month: 30 } as const

type Reader = Pick<MemberCaller, 'workspaceId' | 'turn'>

/** @returns what reads how many messages each template was sent with lately, how many failed, and why */
export function templateNumbersReader({ clock, searches, store: { read } }: ConsoleParts) {
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

  return async (member: MemberCaller) => {
    const firstOf = (days: number) => lastDays(clock.now(), days)[0] ?? ''
    const periods = { week: firstOf(periodDays.week), month: firstOf(periodDays.month) }
    const since = periods.month
    const { failures, from, counts, until } = await searches.search(member, async () => ({
      ...(await failuresOf(member, since)),
      ...(await countsOf(member, since)),
    }))
    return { periods, until, from, templates: templateNumbersOf(counts, failures, periods) }
  }
}
