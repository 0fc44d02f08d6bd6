import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readPhone } from '../../src/base/phone.ts'

const numberOf = (written: string): string | null => {
  const reading = readPhone(written)
  return reading.ok ? reading.number : null
}

describe('a phone number', () => {
  const readable: readonly [written: string, number: string][] = [
    ['+4915112345678', '+4915112345678'],
    ['4915112345678', '+4915112345678'],
    ['+49 151 1234-5678', '+4915112345678'],
    ['+1 (555) 078-3881', '+15550783881'],
    ['(+1) 555 078 3881', '+15550783881'],
    ['1.555.078.3881', '+15550783881'],
    ['  +5511987654321 ', '+5511987654321'],
    // As the upstream still writes Mexican mobile numbers: with a 1 that the numbering plan dropped.
    ['+521 55 1234 5678', '+5215512345678'],
    ['+52 55 1234 5678', '+525512345678'],
    // Benin's numbers have ten digits since 2024.
    ['+229 01 97 12 34 56', '+2290197123456'],
    // A zero that belongs to the number: Italy, Ivory Coast.
    ['+39 (06) 698 12345', '+390669812345'],
    ['+225 07 12 34 56 78', '+2250712345678'],
    // No numbering plan: the upstream decides whether the country code exists.
    ['+999 123 456 789', '+999123456789'],
    ['1234567', '+1234567'],
    ['123456789012345', '+123456789012345'],
  ]
  test.each(readable)('%j is %s: country code first, the + optional, separators allowed', (written, number) => {
    expect(numberOf(written)).toBe(number)
  })

  test.each([
    '',
    '+',
    'hello',
    '123456',
    '1234567890123456',
    '0151 1234567',
    '+0151 1234567',
    '0049 151 12345678',
    '+49151abc',
    '++4915112345678',
    '+49+15112345678',
    '+4915112345678;ext=5',
    '+4915112345678\u0000',
    '１５５５０７８３８８１',
    '1'.repeat(18),
  ])('%j is refused', written => {
    expect(readPhone(written)).toEqual({
      ok: false,
      problem: 'is not an international number: country code first, 7 to 15 digits in all',
    })
  })

  test.each([
    '+49 (0)151 12345678',
    '49(0)15112345678',
    '+44 ( 0 ) 20 7946 0958',
    '+44-(0)-2079460958',
    '(0)151 123456',
  ])('%j is refused, not corrected: the zero in parentheses is not dialled from abroad', written => {
    expect(readPhone(written)).toEqual({
      ok: false,
      problem: 'has a trunk zero in parentheses, as in +49 (0)151…: leave out the (0)',
    })
  })

  test('a long text is refused without being read', () => {
    expect(numberOf(`+4915112345678${' '.repeat(1_000_000)}`)).toBeNull()
  })

  test('every number of 7 to 15 digits is read as it was given, unless it begins with 0', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,18}$/), digits => {
        const isInternational = digits.length >= 7 && digits.length <= 15 && !digits.startsWith('0')
        expect(numberOf(digits)).toBe(isInternational ? `+${digits}` : null)
      }),
    )
  })

  test('no country rule rewrites it: the digits are those that were given', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+?[1-9][0-9 ().-]{4,30}$/), written => {
        const number = numberOf(written)
        if (number !== null) expect(number).toBe(`+${written.replace(/\D/g, '')}`)
      }),
    )
  })

  test('what was read once reads the same again', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), written => {
        const number = numberOf(written)
        if (number !== null) expect(numberOf(number)).toBe(number)
      }),
    )
  })
})
