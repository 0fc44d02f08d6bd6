import { secondMs } from '../../../base/durations.ts'
import { language } from '../texts/texts.ts'
import { timeUnits } from './times.ts'

const wholeFormat = new Intl.NumberFormat(language)
const shareFormat = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })

/** `12,345` */
export const whole = (count: number): string => wholeFormat.format(count)

/** `€1,234.50`; of several currencies `€12.00 + US$3.40`. */
export const money = (sums: readonly { readonly currency: string; readonly amount: number }[]): string =>
  sums
    .map(({ currency, amount }) => new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount))
    .join(' + ')

export interface Bounds {
  readonly min: number
  readonly max: number
}

/** Some languages group four digits only where it is asked for. */
const groupedFormat = new Intl.NumberFormat(language, { useGrouping: 'always' })
const separator = groupedFormat.formatToParts(1_000).find(({ type }) => type === 'group')?.value ?? ''

/**
 * Reads a whole number that somebody typed: `12000`, or grouped as the language does: `12,000`. Nothing is corrected:
 * the page does not guess the meaning of `-5` or `2,5`.
 * @returns null when it is no whole number within the bounds
 */
export function wholeOf(text: string, { min, max }: Bounds): number | null {
  const typed = text.trim()
  const digits = typed.replaceAll(separator, '')
  if (!/^\d+$/.test(digits)) return null
  const number = Number(digits)
  const isGrouped = typed === groupedFormat.format(number)
  return (typed === digits || isGrouped) && number >= min && number <= max ? number : null
}

/** The smallest step that is shown. */
const shareStep = 0.001

/** A share from 0 to 1: `98.4%`. Only all is `100%`, and only nothing `0%`. */
export const share = (part: number): string =>
  shareFormat.format(part <= 0 || part >= 1 ? part : Math.min(Math.max(part, shareStep), 1 - shareStep))

/** A span of time: `0.5 s`, `2 min`, `4 hr`. Seconds have one sign in all languages, as milliseconds do. */
export function span(seconds: number): string {
  const ms = seconds * secondMs
  const [unit, unitMs] = timeUnits.find(([, longMs]) => ms >= longMs) ?? (['second', secondMs] as const)
  if (unit === 'second') {
    const digits = seconds < 10 ? 1 : 0
    return `${new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(seconds)}\u00a0s`
  }
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 0 }).format(ms / unitMs)
}

const byteUnits = [
  ['gigabyte', 2 ** 30],
  ['megabyte', 2 ** 20],
  ['kilobyte', 2 ** 10],
] as const

/** A size for people: `1.4 GB`. Its units are those of the settings and of the doctor. */
export function byteSize(bytes: number): string {
  const [unit, size] = byteUnits.find(([, length]) => bytes >= length) ?? (['byte', 1] as const)
  // Of the short names, that of a byte has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, options).format(bytes / size)
}
