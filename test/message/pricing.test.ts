import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { countryOf } from '../../src/message/callingCodes.ts'
import { type Pricing, priceCategories, pricingOf, readPricing, withPricing } from '../../src/message/pricing.ts'

const statuses = ['sent', 'delivered', 'read'] as const
const types = ['regular', 'free_customer_service', 'free_entry_point', 'other'] as const
const wire = ({ billable, type, category, model }: Pricing) => ({ billable, type, category, pricing_model: model })
const prices = fc.record({
  billable: fc.boolean(),
  type: fc.constantFrom(...types),
  category: fc.constantFrom(...priceCategories),
  model: fc.constantFrom('PMP' as const, 'other' as const),
})

test('every price is kept in two bytes, and read back as it was told', () => {
  fc.assert(
    fc.property(fc.constantFrom(...statuses), prices, (status, price) => {
      const code = readPricing(status, wire(price))
      expect(code).toBeLessThan(4_096)
      expect(pricingOf(code)).toEqual(price)
    }),
  )
})

test('an unknown word is told as other, and what is no price as none', () => {
  const told = { billable: true, type: 'regular', category: 'carrier_pigeon', pricing_model: 'XYZ' }
  expect(pricingOf(readPricing('sent', told))).toEqual({
    ...{ billable: true, type: 'regular', category: 'other', model: 'other' },
  })
  for (const nothing of [undefined, null, {}, 'utility', [], { billable: true }, { type: 7 }])
    expect(readPricing('delivered', nothing)).toBeNull()
  expect(readPricing('failed', told)).toBeNull()
  expect(pricingOf(null)).toBeNull()
})

test('without `billable` the type says whether it is charged', () => {
  const billable = (type: string) => pricingOf(readPricing('sent', { type, category: 'service' }))?.billable
  expect([billable('regular'), billable('free_entry_point')]).toEqual([true, false])
})

test('in every order and any number of times the same price stays: the one of the delivery', () => {
  const reports = fc.array(fc.tuple(fc.constantFrom(...statuses), prices), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(
      reports.chain(told =>
        fc.tuple(fc.constant(told), fc.shuffledSubarray([...told, ...told], { minLength: 2 * told.length })),
      ),
      ([told, again]) => {
        const codes = (list: typeof told) => list.map(([status, price]) => readPricing(status, wire(price)))
        const known = codes(told).reduce(withPricing, null)
        expect(codes(again).reduce(withPricing, null)).toBe(known)
        const ofDelivery = told.filter(([status]) => status !== 'sent')
        if (ofDelivery.length > 0)
          expect<unknown[]>(ofDelivery.map(([, price]) => price)).toContainEqual(pricingOf(known))
      },
    ),
  )
})

test.each<[number: string, country: string | null]>([
  ['+4930123456', 'DE'],
  ['+12025550123', 'US'],
  ['+14165550123', 'CA'],
  ['+18765550123', 'JM'],
  ['+17875550123', 'PR'],
  ['+79161234567', 'RU'],
  ['+77011234567', 'KZ'],
  ['+393331234567', 'IT'],
  ['+447700900123', 'GB'],
  ['+5511912345678', 'BR'],
  ['+919876543210', 'IN'],
  ['+998901234567', 'UZ'],
  ['+971501234567', 'AE'],
  ['+8801712345678', 'BD'],
  ['+80012345678', null],
  ['+21012345678', null],
  ['DE.13491208655302741918', null],
  ['4930123456', null],
  ['forgotten', null],
])('the country of %s is %s', (number, country) => {
  expect(countryOf(number)).toBe(country)
})
