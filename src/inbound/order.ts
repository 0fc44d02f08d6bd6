import type { InboundContents } from './schemas.ts'

type Items = NonNullable<InboundContents['order']>['productItems']

/** Prices have two places; those of some currencies three. What is finer is a mistake of the catalogue. */
const pricePlacesMin = 2
const pricePlacesMax = 6

const placesOf = (price: number) => Math.min(pricePlacesMax, (String(price).split('.')[1] ?? '').length)

/** @returns the price of one piece, as people write it; null when the order does not say it */
export const priceOf = ({ itemPrice, currency }: Items[number]): string | null =>
  itemPrice === null ? null : amountOf(itemPrice, Math.max(pricePlacesMin, placesOf(itemPrice)), currency)

/** @returns what all pieces cost together; null when a price or a number is not said, or the currencies differ */
export function totalOf(items: Items): string | null {
  const [currency, ...others] = new Set(items.map(item => item.currency))
  if (items.length === 0 || others.length > 0) return null
  const places = Math.max(pricePlacesMin, ...items.map(({ itemPrice }) => placesOf(itemPrice ?? 0)))
  // In whole units, because tenths of a price have no exact number.
  const unit = 10 ** places
  let units = 0
  for (const { itemPrice, quantity } of items) {
    if (itemPrice === null || quantity === null) return null
    units += Math.round(itemPrice * unit) * quantity
  }
  return amountOf(units / unit, places, currency ?? null)
}

const amountOf = (amount: number, places: number, currency: string | null) =>
  `${amount.toFixed(places)} ${currency ?? ''}`.trim()
