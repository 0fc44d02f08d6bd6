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
    // As it is copied from a page, a chat or a table.
    ['\u202a+49 151 12345678\u202c', '+4915112345678'],
    ['\u2066+49\u00a0151\u202f12345678\u2069\u200e', '+4915112345678'],
    ['\ufeff+49\u200b151\u200d123\u00ad45678', '+4915112345678'],
    ['+49\u2010151\u20111234\u20125678', '+4915112345678'],
    ['+49\u2013151\u20141234\u22125678', '+4915112345678'],
    ['＋４９（１５１）１２３－４５６．７８', '+4915112345678'],
    ['１５５５０７８３８８１', '+15550783881'],
    // Arabic, Persian, Devanagari, and the bold digits of a text that is made to stand out.
    ['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '+966501234567'],
    ['۹۸۹۱۲۳۴۵۶۷۸۹', '+989123456789'],
    ['+९१ ९८७६५ ४३२१०', '+919876543210'],
    ['+𝟒𝟗𝟏𝟓𝟏𝟏𝟐𝟑𝟒𝟓', '+4915112345'],
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
    '+49151abc',
    '++4915112345678',
    '+49+15112345678',
    '+4915112345678;ext=5',
    '+4915112345678\u0000',
    // No digits, though they look like some: a footnote, a list, a letter.
    '+4915112345678²',
    '①1234567',
    '+4915112345O78',
    '1'.repeat(18),
  ])('%j is refused', written => {
    expect(readPhone(written)).toEqual({
      ok: false,
      problem: 'is not an international number: country code first, 7 to 15 digits in all',
    })
  })

  test.each(['0049 151 12345678', '+0049 151 12345678', '٠٠٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '\u200e0049151'])(
    '%j is refused: in another country the digits behind 00 are a number of its own',
    written => {
      expect(readPhone(written)).toEqual({
        ok: false,
        problem: 'begins with 00, which only some countries dial before a country code: write + in its place',
      })
    },
  )

  test.each(['0151 1234567', '+0151 1234567', '(0151) 123', '０１５１１２３４５６７'])(
    '%j is refused: it has no country code',
    written => {
      expect(readPhone(written)).toEqual({
        ok: false,
        problem:
          'begins with 0, as it is dialled inside its country: ' +
          'write it as it is dialled from abroad, + and country code first',
      })
    },
  )

  test.each([
    '+49 (0)151 12345678',
    '+49 （０）151 12345678',
    '+49 (\u200e٠) 151 12345678',
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

  test.each(['4915112345678.0', '+4915112345678.00 ', '４９１５１１２３４５６７８．０'])(
    '%j is refused, not read with a zero more: a spreadsheet took the number for a measure',
    written => {
      expect(readPhone(written)).toEqual({
        ok: false,
        problem: 'ends in .0, as a spreadsheet writes a number that is no text: leave out the .0',
      })
    },
  )

  test('a long text is refused without being read', () => {
    expect(numberOf(`+4915112345678${' '.repeat(1_000_000)}`)).toBeNull()
  })

  test('each digit of each script is itself', () => {
    const scripts = new Map<number, number>()
    for (let code = 0; code <= 0x1ffff; code += 1) {
      const char = String.fromCodePoint(code)
      if (!/^\p{Nd}$/u.test(char)) continue
      const value = Number(numberOf(`+123456${char}`)?.at(-1))
      scripts.set(value, (scripts.get(value) ?? 0) + 1)
      if (value > 0) expect(numberOf(`+123456${String.fromCodePoint(code - 1)}`)?.at(-1)).toBe(String(value - 1))
    }
    expect(new Set(scripts.values()).size).toBe(1)
    expect([...scripts.keys()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('signs that nobody sees change nothing, wherever they stand', () => {
    const unseen = fc.constantFrom('\u200e', '\u200f', '\u061c', '\u202a', '\u2068', '\u200b', '\u2060', '\ufeff')
    fc.assert(
      fc.property(fc.stringMatching(/^\+?[0-9() -]{5,18}$/), fc.nat(18), unseen, (written, at, sign) => {
        expect(readPhone(written.slice(0, at) + sign + written.slice(at))).toEqual(readPhone(written))
      }),
    )
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
