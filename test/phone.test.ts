import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { normalizePhone } from '../src/phone.ts'

describe('a phone number', () => {
  const readable: readonly [written: string, number: string][] = [
    ['+4915112345678', '+4915112345678'],
    ['4915112345678', '+4915112345678'],
    ['+49 151 1234-5678', '+4915112345678'],
    ['+1 (555) 078-3881', '+15550783881'],
    ['1.555.078.3881', '+15550783881'],
    ['  +5511987654321 ', '+5511987654321'],
    // As the upstream still writes Mexican mobile numbers: with a 1 that the numbering plan dropped.
    ['+521 55 1234 5678', '+5215512345678'],
    ['+52 55 1234 5678', '+525512345678'],
  ]
  test.each(readable)('%j is %s: country code first, the + optional, separators allowed', (written, number) => {
    expect(normalizePhone(written)).toBe(number)
  })

  test.each([
    '',
    '+',
    'hello',
    '123',
    '0151 1234567',
    '+49151abc',
    '++4915112345678',
    '+49+15112345678',
    '+4915112345678;ext=5',
    '+999123456789',
    '１５５５０７８３８８１',
    '1'.repeat(18),
  ])('%j is refused', written => {
    expect(normalizePhone(written)).toBeNull()
  })

  test('a long text is refused without being read', () => {
    expect(normalizePhone(`+4915112345678${' '.repeat(1_000_000)}`)).toBeNull()
  })

  test('no country rule rewrites it: the digits are those that were given', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+?[1-9][0-9 ().-]{4,30}$/), written => {
        const number = normalizePhone(written)
        if (number !== null) expect(number).toBe(`+${written.replace(/\D/g, '')}`)
      }),
    )
  })

  test('what the library takes for impossible is refused, and the reverse, whatever the country', () => {
    const codes = [
      ...new Set(getCountries().map(country => getCountryCallingCode(country))),
      '800',
      '888',
      '999',
      '0',
      '21',
    ]
    const digits = fc.stringMatching(/^[0-9]{1,14}$/)
    // Prefixes that numbers have within a country, and begin with when somebody wrote them so.
    const prefixes = fc.constantFrom('', '', '0', '1', '8', '9', '15', '0044')
    fc.assert(
      fc.property(fc.constantFrom(...codes), prefixes, digits, (code, prefix, rest) => {
        const number = `+${code}${prefix}${rest}`
        fc.pre(/^\+\d{5,17}$/.test(number) && !/^\+521\d{10}$/.test(number))
        expect(normalizePhone(number) !== null).toBe(parsePhoneNumberFromString(number)?.isPossible() === true)
      }),
      { numRuns: 20_000 },
    )
  })

  test('what was read once reads the same again', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), written => {
        const number = normalizePhone(written)
        if (number !== null) expect(normalizePhone(number)).toBe(number)
      }),
    )
  })
})
