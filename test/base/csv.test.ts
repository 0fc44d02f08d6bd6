import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parse } from 'papaparse'
import { csvLine, spreadsheetLine } from '../../src/base/csv.ts'
import { hungAfterMs } from '../timeLimit.ts'

describe('a cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1+1', "'+1+1"],
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠A1', "'＠A1"],
    ['\t=1+1', '"\'\t\'=1+1"'],
    ['\rA', '"\'\rA"'],
    [' =1+1', " '=1+1"],
    ['"=1+1"', `"""'=1+1"""`],
    ['A;=1+1;x', `"A;'=1+1;x"`],
    ['A; "=1+1&"', `"A; ""'=1+1&"""`],
    ['A;+1+1;-A1;@B', `"A;'+1+1;'-A1;'@B"`],
    ['A\t=1+1', `"A\t'=1+1"`],
    ['A\n=1+1', `"A\n'=1+1"`],
    ['A\r\n\r\n=1+1', `"A\r\n\r\n'=1+1"`],
    ['A;＝1', `"A;'＝1"`],
    ['A\n+4915112345678', `"A\n'+4915112345678"`],
  ])('%j runs no formula', (text, written) => {
    expect(csvLine([text])).toBe(written)
  })

  // Minutes each, when each space looked back at all before it.
  test.each([' ', '"'])('a long text of %j is written at once', sign => {
    const start = performance.now()
    csvLine([`A${sign.repeat(100_000)}B`])
    expect(performance.now() - start).toBeLessThan(hungAfterMs / 4)
  })

  test.each([
    ['+4915112345678', '+4915112345678'],
    ['-5', '-5'],
    [-0.5, '-0.5'],
    [true, 'true'],
    [null, ''],
    ['a=b, c@d.example, 1 - 2', '"a=b, c@d.example, 1 - 2"'],
    ['Ada +4915112345678', 'Ada +4915112345678'],
    ['Ada "Countess"', '"Ada ""Countess"""'],
  ])('%j stays as it is', (cell, written) => {
    expect(csvLine([cell])).toBe(written)
  })

  test('holds no formula, whichever separator a program takes, with quotes or without', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠;\t\r\n"\' ,1A') })
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 3 }), cells => {
        const line = csvLine(['msg_1', ...cells])
        const read = ([',', ';', '\t'] as const).flatMap(delimiter => [
          ...parse<string[]>(line, { delimiter }).data.flat(),
          ...line.split(new RegExp(`[\r\n${delimiter === ',' ? '' : delimiter}]`)),
        ])
        const runs = read.filter(cell => /^[\s"]*(?:[=@＝＠＋－]|[+-](?!\d+$))/.test(cell))
        expect(runs).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['+4915112345678', '"\t+4915112345678"'],
    ['0042', '"\t0042"'],
    [42, '42'],
    ['132018 times', '132018 times'],
    ['2026-11-29T10:00:00.000Z', '2026-11-29T10:00:00.000Z'],
    ['+1+1', "'+1+1"],
    [null, ''],
  ])('for a spreadsheet %j is a number only if it was one', (cell, written) => {
    expect(spreadsheetLine([cell])).toBe(written)
    const [[read = ''] = []] = parse<string[]>(spreadsheetLine([cell]), { delimiter: ',' }).data
    expect(read.trim().replace(/^'/, '')).toBe(String(cell ?? ''))
  })

  test('is read back as it was, but for the marks', () => {
    const cells = ['a;b', 'c,d', 'e"f', 'g\nh', 'i']
    expect(parse<string[]>(csvLine(cells), { delimiter: ',' }).data).toEqual([cells])
  })
})
