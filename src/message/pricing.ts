import { field, text } from '../base/json.ts'
import { described, Type } from '../base/schema.ts'

/*
 * What the upstream says that a message costs (docs/upstream.md#prices), as callers see it and as one small number that
 * is kept with the message. The places of the words are stored: a new word goes to the end of its list.
 */

/** What stands for a word that the platform has and we do not know yet. */
export const otherWord = 'other'
const types = [otherWord, 'regular', 'free_customer_service', 'free_entry_point'] as const
export const priceCategories = [
  otherWord,
  'marketing',
  'utility',
  'authentication',
  'authentication_international',
  'service',
  'marketing_lite',
  'referral_conversion',
  'group_marketing',
  'group_utility',
  'group_service',
  'general_purpose_ai',
] as const
const models = [otherWord, 'PMP'] as const

export type PriceCategory = (typeof priceCategories)[number]

export interface Pricing {
  /** Whether it is charged, once it is delivered. */
  readonly billable: boolean
  readonly type: (typeof types)[number]
  readonly category: PriceCategory
  readonly model: (typeof models)[number]
}

/** The lists are open, so they are texts; those of today stand above. */
export const pricingSchema = described('Pricing', 'What the upstream platform says that the message costs.', {
  billable: Type.Boolean({ description: 'Whether it is charged, once it is delivered.' }),
  type: Type.String({
    description: '`regular` (charged), `free_customer_service`, `free_entry_point`, or `other`.',
    examples: ['regular'],
  }),
  category: Type.String({
    description:
      '`marketing`, `utility`, `authentication`, `service` and others; `other`: one that Waypost does not know.',
    examples: ['utility'],
  }),
  model: Type.String({ description: '`PMP`: each message has its price; or `other`.', examples: ['PMP'] }),
})

/*
 * The number, from its highest part: whether the delivery told it, whether it is billable, type (8 words at most),
 * category (32), model (4). So of two reports the greater number counts: what the delivery told, and of reports that
 * contradict each other the one that is charged. It is below 4,096.
 */
const [typeUnit, categoryUnit] = [128, 4]
const billableUnit = 1_024
const deliveryUnit = 2_048

const placeOf = (words: readonly string[], word: string | null) => Math.max(0, words.indexOf(word ?? otherWord))

/**
 * Reads `pricing` of a status.
 * @returns the number to keep; null: the status has none, as each that is not `sent`, `delivered` or `read`
 */
export function readPricing(status: 'sent' | 'delivered' | 'read' | 'failed', given: unknown): number | null {
  const [type, category] = [text(field(given, 'type')), text(field(given, 'category'))]
  if (status === 'failed' || (type === null && category === null)) return null
  const billable = field(given, 'billable')
  // `regular` is the type of what is charged.
  const isBillable = typeof billable === 'boolean' ? billable : type === 'regular'
  return (
    (status === 'sent' ? 0 : deliveryUnit) +
    (isBillable ? billableUnit : 0) +
    placeOf(types, type) * typeUnit +
    placeOf(priceCategories, category) * categoryUnit +
    placeOf(models, text(field(given, 'pricing_model')))
  )
}

/** @returns what is known after a report, in whichever order reports come */
export const withPricing = (known: number | null, reported: number | null): number | null =>
  known === null || reported === null ? (known ?? reported) : Math.max(known, reported)

/** @returns what callers see of the number */
export function pricingOf(code: number | null): Pricing | null {
  if (code === null) return null
  const part = (unit: number, count: number) => Math.floor(code / unit) % count
  return {
    billable: part(billableUnit, 2) === 1,
    type: types[part(typeUnit, 8)] ?? otherWord,
    category: priceCategories[part(categoryUnit, 32)] ?? otherWord,
    model: models[part(1, categoryUnit)] ?? otherWord,
  }
}

/** As schemas have it, whose lists of words are open. */
type Shown = Pick<Pricing, 'billable'> & Readonly<Record<'type' | 'category', string>>

/** @returns the same as columns of a table */
export const pricingCells = (pricing: Shown | null) => ({
  priceCategory: pricing?.category ?? null,
  priceType: pricing?.type ?? null,
  billable: pricing?.billable ?? null,
})

/** @returns the same in a line, for people: `utility, regular, billable` */
export const pricingText = (pricing: Shown | null): string | null =>
  pricing && `${pricing.category}, ${pricing.type}, ${pricing.billable ? 'billable' : 'not billable'}`
