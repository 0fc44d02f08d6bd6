import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parse } from 'papaparse'
import { byteOrderMark, csvLine } from '../../src/base/csv.ts'
import { csvRecords, csvText, separatorOf } from '../../src/base/csvRecords.ts'
import { hungAfterMs } from '../timeLimit.ts'

const cellsOf = (text: string) => [...csvRecords(text)].map(({ cells }) => cells)

describe('the records of a file', () => {
  test.each<[string, string, readonly (readonly string[])[]]>([
    [
      'commas',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons',
      'a;b,c;d\n1;2,3;4\n',
      [
        ['a', 'b,c', 'd'],
        ['1', '2,3', '4'],
      ],
    ],
    [
      'tabs',
      'a\tb\r\n1\t2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'bars',
      'a|b\r1|2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['one column', 'a\n1\n', [['a'], ['1']]],
    ['a line that names the separator', `${byteOrderMark}sep=;\r\na;b,c,d\r\n`, [['a', 'b,c,d']]],
    ['a byte order mark', `${byteOrderMark}"a",b`, [['a', 'b']]],
    [
      'separators, quotes and line ends within quotes',
      'a,b\n"x,y","p""q\r\nr"',
      [
        ['a', 'b'],
        ['x,y', 'p"q\r\nr'],
      ],
    ],
    [
      'empty cells',
      'a,b\n"",\n,x',
      [
        ['a', 'b'],
        ['', 'x'],
      ],
    ],
    ['blanks around quotes', 'a,"b" ,c', [['a', 'b', 'c']]],
    [
      'a quote within a cell',
      'a,b\n5" pipe,x',
      [
        ['a', 'b'],
        ['5" pipe', 'x'],
      ],
    ],
    ['nothing', '', []],
    ['blank rows alone', '\n\r\n , \n', []],
  ])('%s', (_, text, cells) => {
    expect(cellsOf(text)).toEqual(cells.map(row => [...row]))
  })

  test('are counted as a spreadsheet counts its rows', () => {
    const text = '\na,b\r\n"two\nlines",x\n\n\ny,z'
    expect([...csvRecords(text)].map(({ row }) => row)).toEqual([2, 3, 6])
  })

  test.each([
    ['a,b\n"x,y\nz', 'open'],
    ['a,b\n"x"y,z', 'behind'],
  ] as const)('%j has a quotation mark too few', (text, problem) => {
    expect([...csvRecords(text)].map(record => record.problem)).toEqual([null, problem])
  })

  const sign = fc.constantFrom(...'ab"\',;|\t\r\n é')
  const cell = fc.string({ unit: sign, maxLength: 6 })
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

  test('are what was written, with any separator and line end', () => {
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), fc.constantFrom('\n', '\r\n', '\r'), (rows, by, end) => {
        // A header of plain names says what the separator is.
        const header = ['h1', 'h2', 'h3', 'h4']
        const text = [header.join(by), ...rows.map(row => row.map(quoted).join(by))].join(end)
        const filled = rows.filter(row => row.some(text => text.trim() !== ''))
        expect(cellsOf(text)).toEqual([header, ...filled])
        expect([...csvRecords(text)].every(({ problem }) => problem === null)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('of what we write ourselves come back, but for the marks against formulas', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'ab",; \n'), minLength: 1 })
    fc.assert(
      fc.property(fc.array(plain, { minLength: 2, maxLength: 4 }), cells => {
        fc.pre(cells.some(text => text.trim() !== '') && cells.every(text => !text.startsWith('\n')))
        expect(cellsOf(`a,b,c,d\n${csvLine(cells)}`).slice(1)).toEqual([cells])
      }),
    )
  })

  test('of any text are those of a reader that is known, where its quotes are in order', () => {
    const texts = fc.string({ unit: sign, maxLength: 30 })
    fc.assert(
      fc.property(texts, text => {
        const ours = [...csvRecords(text, ',')]
        fc.pre(ours.every(({ problem }) => problem === null) && !/"[ \t]*[ \t\u00a0]/.test(text))
        // It takes one line end for the whole file.
        const theirs = parse<string[]>(text.replaceAll(/\r\n?/g, '\n'), { delimiter: ',', skipEmptyLines: 'greedy' })
        fc.pre(theirs.errors.length === 0)
        const plain = ours.map(({ cells }) => cells.map(text => text.replaceAll(/\r\n?/g, '\n')))
        expect(plain).toEqual(theirs.data)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a quoted separator of a header says nothing, and rows below it nothing either', () => {
    expect(separatorOf('"a,b,c";d\n1,2,3,4,5')).toBe(';')
    expect(separatorOf('\n\na\tb')).toBe('\t')
    expect(separatorOf('a')).toBe(',')
  })

  test.each(['"', ',', '\n', '""', 'a"'])('many of %j are read at once', signs => {
    const start = performance.now()
    for (const _ of csvRecords(signs.repeat(1_000_000)));
    expect(performance.now() - start).toBeLessThan(hungAfterMs / 4)
  })
})

describe('the text of a file', () => {
  test('is UTF-8 or marked UTF-16, and else none', () => {
    expect(csvText(Buffer.from(`${byteOrderMark}Zoë`))).toBe('Zoë')
    expect(csvText(Buffer.from(`${byteOrderMark}Zoë`, 'utf16le'))).toBe('Zoë')
    expect(csvText(Buffer.from('Zoë', 'latin1'))).toBeNull()
    expect(csvText(new Uint8Array())).toBe('')
  })
})
