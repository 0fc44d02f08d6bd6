import type { EpochMs } from '../base/clock.ts'
import { countryOf } from './callingCodes.ts'
import { type PriceCategory, priceCategories, pricingOf } from './pricing.ts'
import { beganAtOf, failureReasonOf, type MessageRecord, statusOf, timesOf } from './state.ts'
import { hasFailed, isOpen } from './statuses.ts'

/*
 * What a message adds to the counts of its day. The counts are stored separately and change with the messages, in the
 * same step: so a month is read at once however many messages it has, and its counts stay when the messages are pruned.
 */

/** @returns the calendar day that a message counts for, in UTC: `2026-01-31`. */
export const dayOf = (at: EpochMs): string => new Date(at).toISOString().slice(0, 10)

/**
 * Bounds of the classes in which delivery times are counted, in seconds: the upstream's clock has whole seconds. The
 * last class has no upper bound.
 */
export const deliverySecondsMax = [
  1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1_800, 3_600, 10_800, 43_200, 86_400,
] as const

/**
 * A reason without a code is one of a few sentences of ours. A longer one is the upstream's; only its beginning is
 * used.
 */
export const causeCharsMax = 80

/**
 * @returns what the message counts as: nothing while it is open; then its status, `within:5` once it is delivered,
 *   `failed:131026` while it is failed, and its price once that is due
 */
export function countsOf(record: Counted): readonly string[] {
  const status = statusOf(record)
  if (isOpen(status)) return []
  const counts: string[] = [status]
  const { deliveredAt } = timesOf(record)
  if (deliveredAt !== null) counts.push(`within:${deliveryClass(deliveredAt - beganAtOf(record))}`)
  if (hasFailed(status)) counts.push(`failed:${causeOf(failureReasonOf(record))}`)
  const price = priceKindOf(record)
  if (price !== null) counts.push(price)
  return counts
}

/** The recipient decides on nothing before a callback has told a price. */
type Counted = MessageRecord & { readonly recipient?: string }

/** How kinds of prices begin: what is charged, and what the platform names a price of and does not charge. */
export const priceKindStarts = ['price:', 'free:'] as const

/**
 * @returns `price:utility:DE` or `free:service:`, by the country of its recipient where a number tells it; null: the
 *   platform has told no price, or it is not due, as only what is delivered is charged
 */
export function priceKindOf(record: Counted): string | null {
  const pricing = record.deliveredAt === null && record.readAt === null ? null : pricingOf(record.pricing)
  if (pricing === null) return null
  return `${priceKindStarts[pricing.billable ? 0 : 1]}${pricing.category}:${countryOf(record.recipient ?? '') ?? ''}`
}

/** How many messages of a day the platform named one price of. */
export interface PriceCount {
  /** `2026-01-31`, UTC. */
  readonly day: string
  readonly category: PriceCategory
  /** ISO 3166-1, by the calling code of the recipient; null: unknown. */
  readonly country: string | null
  readonly billable: boolean
  readonly count: number
}

/** @returns what a count of such a kind says */
export function priceCountOf({ day, kind, count }: DailyCount): PriceCount {
  const [start, named, country] = kind.split(':')
  const category = priceCategories.find(category => category === named) ?? 'other'
  return { day, category, country: country || null, billable: `${start}:` === priceKindStarts[0], count }
}

/**
 * What failures are counted by, and found by.
 * @returns the upstream's code where the reason begins with one, else the reason itself; empty when there is none
 */
export const causeOf = (reason: string | null) =>
  /^(\d+): /.exec(reason ?? '')?.[1] ?? (reason ?? '').slice(0, causeCharsMax)

const deliveryClass = (tookMs: number) => deliverySecondsMax.find(seconds => tookMs <= seconds * 1_000) ?? 'more'

/**
 * @returns what a message adds to the usage of its month, whatever becomes of it. The key is empty for what was sent in
 *   the console, and the template for what is none
 */
export const usageKindsOf = (message: {
  readonly keyId: string | null
  readonly lineId: string
  readonly templateName: string | null
}): readonly string[] => [
  `key:${message.keyId ?? ''}`,
  `line:${message.lineId}`,
  `template:${message.templateName ?? ''}`,
]

/**
 * @returns what a message of a template also adds to the usage of its day, by name and language. Both are ids without a
 *   space
 */
export const templateKindOf = (message: {
  readonly templateName: string | null
  readonly templateLanguage: string | null
}): string => `${templateKindStart}${message.templateName ?? ''} ${message.templateLanguage ?? ''}`

/** Kinds of a day that begin so are counted afterwards, and are none of `countsOf`. */
export const templateKindStart = 'template:'

/** A count of one day: `kind` as in `countsOf`. */
export interface DailyCount {
  readonly day: string
  readonly kind: string
  readonly count: number
}

/** @returns one count of each day and kind, in their order */
export function addedUp(counts: readonly DailyCount[]): DailyCount[] {
  const sums = new Map<string, DailyCount>()
  for (const { day, kind, count } of counts) {
    const key = `${day} ${kind}`
    sums.set(key, { day, kind, count: count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
}
