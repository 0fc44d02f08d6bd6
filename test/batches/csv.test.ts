import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { csvLine, spreadsheetLine } from '../../src/base/csv.ts'
import { itemsOf, missingValues, type TemplateValues } from '../../src/batches/csvItems.ts'
import { proposeMapping } from '../../src/batches/csvMapping.ts'
import { type CsvTable, csvColumnsMax, readCsv, readTable } from '../../src/batches/csvTable.ts'
import { batchItemsMax } from '../../src/message/batches.ts'

const tableOf = (text: string): CsvTable => {
  const read = readTable(text)
  if (!read.ok) throw new Error(read.problem)
  return read.table
}
const needs = (...required: string[]): TemplateValues => ({ required, constants: {} })
const made = (text: string, template: TemplateValues | null) => {
  const table = tableOf(text)
  return itemsOf(table, proposeMapping(table.header, template?.required ?? null), template)
}

describe('a file', () => {
  test.each([
    ['', 'empty'],
    ['phone,name\n', 'empty'],
    ['+4915112345678,Ada\n+4915112345679,Grace', 'noHeader'],
    [`a${',b'.repeat(csvColumnsMax)}\n1`, 'tooManyColumns'],
    [`a\n${'1\n'.repeat(batchItemsMax + 1)}`, 'tooManyRows'],
  ] as const)('%#: is refused as a whole', (text, problem) => {
    expect(readTable(text)).toEqual({ ok: false, problem })
  })

  test('that is not UTF-8 is refused, not guessed', () => {
    for (const encoding of ['latin1', 'utf16le'] as const)
      expect(readCsv(Buffer.from('phone;name\n+49151;Zoë', encoding))).toEqual({ ok: false, problem: 'encoding' })
  })

  test('of as many rows as a batch has is read', () => {
    expect(tableOf(`a\n${'1\n'.repeat(batchItemsMax)}`).rows).toHaveLength(batchItemsMax)
  })
})

describe('a proposed mapping', () => {
  test.each([
    ['by name, with another column', ['Telefon-Nr.', 'Ort', 'Handynummer'], null, { phone: 2 }, {}],
    ['of the numbered values', ['phone', '{{2}}', '1'], ['1', '2'], { phone: 0 }, { '1': 2, '2': 1 }],
    ['of named values', ['name', 'NÚMERO'], ['name'], { phone: 1 }, { name: 0 }],
    ['of no value by its place', ['Teléfono', 'Nombre', 'Pedido'], ['1', '2'], { phone: 0 }, {}],
    ['of no value where columns are more than values', ['phone', 'name', 'city'], ['1'], { phone: 0 }, {}],
    ['of one recipient', ['user_id', 'Phone'], [], { phone: 1 }, {}],
    ['of no value by an id', ['phone', 'name', 'contact id'], ['1', '2'], { phone: 0 }, {}],
    ['of a text', ['phone', 'Nachricht'], null, { phone: 0, content: 1 }, {}],
    ['of a value that is called as a field', ['phone', 'reference'], ['reference'], { phone: 0 }, { reference: 1 }],
    ['of nothing', ['', 'x'], ['1', '2'], {}, {}],
  ] as const)('%s', (_, header, keys, fields, values) => {
    expect(proposeMapping(header, keys)).toEqual({ fields, values })
  })

  test('takes each column once, and only such as there are', () => {
    const name = fc.constantFrom('phone', 'name', '1', '2', 'ref', 'userId', '', 'text', 'sendAt', 'Sprache')
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 8 }),
        fc.uniqueArray(fc.constantFrom('1', '2', 'name', 'x')),
        (header, keys) => {
          const { fields, values } = proposeMapping(header, keys)
          const taken = [...Object.values(fields), ...Object.values(values)]
          expect(new Set(taken).size).toBe(taken.length)
          expect(taken.every(at => header[at] !== undefined && header[at] !== '')).toBe(true)
        },
      ),
    )
  })
})

describe('rows', () => {
  test('become items, and wrong ones are named with what to do', () => {
    const text = [
      'Phone;Name;Ref',
      '+49 151 12340001;Ada;A-1',
      '0151 12340002;Grace;',
      "'+4915112340003; Mary  Ann ;",
      '4.91512E+12;Ida;',
      '4915112340006.0;Eve;',
      ';Nobody;',
      '+4915112340004;;x',
      '+4915112340005;"Ann;e',
    ].join('\r\n')
    const { items, wrong } = made(text, needs('name'))
    expect(items).toEqual([
      { row: 2, item: { phone: '+4915112340001', reference: 'A-1', templateVariables: { name: 'Ada' } } },
      { row: 4, item: { phone: '+4915112340003', templateVariables: { name: 'Mary Ann' } } },
    ])
    expect(wrong.map(({ row, column, code }) => [row, column, code])).toEqual([
      [3, 'Phone', 'phone'],
      [5, 'Phone', 'shortened'],
      [6, 'Phone', 'phone'],
      [7, 'Phone', 'recipient'],
      [8, 'Name', 'value'],
      [9, null, 'quotes'],
    ])
  })

  test.each([
    ['phone,name\n+4915112340001,Ada,more', 'cells'],
    [`phone,name\n+4915112340001,${'x'.repeat(5_000)}`, 'long'],
    ['phone,name,sendAt\n+4915112340001,Ada,2026-12-01T09:00', 'time'],
  ] as const)('%#: a wrong one', (text, code) => {
    expect(made(text, needs('name')).wrong.map(found => found.code)).toEqual([code])
  })

  test('what a file has not is the same for all, and an optional value may be empty', () => {
    const table = tableOf('phone,header_filename\n+4915112340001,\n+4915112340002,a.pdf')
    const mapping = { fields: { phone: 0 }, values: { header_filename: 1 } }
    const template = { required: ['1'], constants: { '1': 'Friday' } }
    expect(missingValues(mapping, template)).toEqual([])
    expect(missingValues(mapping, needs('1', '2'))).toEqual(['1', '2'])
    expect(itemsOf(table, mapping, template).items.map(({ item }) => item.templateVariables)).toEqual([
      { '1': 'Friday' },
      { '1': 'Friday', header_filename: 'a.pdf' },
    ])
  })

  test('each is an item or wrong, whatever a file says', () => {
    const cell = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('+4915112340001', '', 'Ada', '4.9E+12', '=1+1'))
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }), rows => {
        const text = ['phone,name,x', ...rows.map(csvLine)].join('\n')
        const read = readTable(text)
        if (!read.ok) return
        const { items, wrong } = itemsOf(read.table, { fields: { phone: 0 }, values: { '1': 1 } }, needs('1'))
        const told = [...items, ...wrong].map(({ row }) => row).sort((a, b) => a - b)
        expect(told).toEqual(read.table.rows.map(({ row }) => row))
        for (const { item } of items) expect(item.phone).toMatch(/^\+[1-9]\d{6,14}$/)
      }),
    )
  })

  test('of our own export of numbers go', () => {
    const text = [csvLine(['phone']), spreadsheetLine(['+4915112340001'])].join('\r\n')
    expect(made(text, null).items).toEqual([{ row: 2, item: { phone: '+4915112340001' } }])
  })
})
