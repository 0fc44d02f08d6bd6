import type { EpochMs } from '../base/clock.ts'
import { causeOf, dayOf } from './counts.ts'

/** What became of the messages of a template in some days. */
export interface TemplateNumbers {
  readonly sent: number
  readonly failed: number
  /** Why most of them failed, as failures are counted; null: none has failed. */
  readonly cause: { readonly cause: string; readonly count: number } | null
}

interface Named {
  readonly name: string
  /** Empty for what was sent before languages were kept. */
  readonly language: string
}

/**
 * @param counts the messages of templates by day
 * @param failures those of them that failed
 * @param periods how long each is, and its first day
 * @returns by name and language
 */
export function templateNumbersOf<Period extends string>(
  counts: readonly (Named & { readonly day: string; readonly count: number })[],
  failures: readonly (Named & { readonly createdAt: EpochMs; readonly reason: string | null })[],
  periods: Readonly<Record<Period, string>>,
): (Named & Record<Period, TemplateNumbers>)[] {
  const keyOf = ({ name, language }: Named) => `${name} ${language}`
  const countsOf = Map.groupBy(counts, keyOf)
  const failuresOf = Map.groupBy(failures, keyOf)
  const keys = new Set([...countsOf.keys(), ...failuresOf.keys()])
  return [...keys].map(key => {
    const [name = '', language = ''] = key.split(' ')
    const within = (since: string): TemplateNumbers => {
      const failed = failuresOf.get(key)?.filter(({ createdAt }) => dayOf(createdAt) >= since) ?? []
      const [top] = [...Map.groupBy(failed, ({ reason }) => causeOf(reason))].sort(
        ([, one], [, other]) => other.length - one.length,
      )
      const counted = countsOf.get(key)?.filter(({ day }) => day >= since) ?? []
      return {
        sent: counted.reduce((sum, { count }) => sum + count, 0),
        failed: failed.length,
        cause: top ? { cause: top[0], count: top[1].length } : null,
      }
    }
    const numbers = Object.entries<string>(periods).map(([period, since]) => [period, within(since)] as const)
    return { name, language, ...(Object.fromEntries(numbers) as Record<Period, TemplateNumbers>) }
  })
}
