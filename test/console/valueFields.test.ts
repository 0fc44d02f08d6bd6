import { describe, expect, test } from 'bun:test'
import type { TemplateRecord } from '../../src/graph/wire.ts'
import { draftOf } from '../../src/templates/authoring/read.ts'
import { noSendValues } from '../../src/templates/authoring/values.ts'
import { parseTemplate } from '../../src/templates/shape.ts'
import { authentication, couponReminder, invoice, plants } from '../templates/fixtures.ts'

// Not by a static import: browser code is type-checked by itself.
const { isFilled, placeIn, valueFieldsOf } = await import(
  `${import.meta.dir}/../../src/console/web/pages/templates/valueFields.ts`
)
interface Field {
  readonly part: string
  readonly key: string
  readonly label: string
  readonly place: string | null
  readonly example: string
  readonly file: object | null
}

describe('a value is named by the words around it', () => {
  test.each<[text: string, key: string, place: string | null]>([
    ['Bestellung {{1}} ist bestätigt.', '1', 'Bestellung ▢ ist bestätigt'],
    ['Hi {{1}}, order {{2}} is confirmed.', '1', 'Hi ▢, order …'],
    ['Hi {{1}}, order {{2}} is confirmed.', '2', '… order ▢ is confirmed'],
    ['Good morning! Your code: {{code}}\nIt is secret.', 'code', 'Your code: ▢'],
    ['Good morning! It is *{{ 1 }}* today, and _you_ know it.', '1', 'It is ▢ today, and you know it'],
    ['a_b {{1}} c_d', '1', 'a_b ▢ c_d'],
    [
      'We are very happy to let you know that {{1}} has left our house in the morning',
      '1',
      '… to let you know that ▢ has left our house in …',
    ],
    ['{{1}}', '1', null],
    ['Hello', '1', null],
  ])('%j has %s as %j', (text, key, place) => {
    expect(placeIn(text, key)).toBe(place)
  })
})

const detailOf = (record: TemplateRecord) => ({
  template: { draft: draftOf(record).draft },
  variables: [...parseTemplate(record).variables.values()].map(({ requiredBy, places, ...variable }) => ({
    ...variable,
    isRequired: requiredBy !== null,
    places: [...places],
  })),
  unsupported: [],
})
const fieldsOf = (record: TemplateRecord) =>
  (valueFieldsOf(detailOf(record)) as Field[]).map(({ part, key, label, place, example }) => [
    ...[`${part} ${key}`, label, place, example],
  ])

describe('the fields of a template', () => {
  test('are in the order of the text, each with the words around it; the text may have another value', () => {
    expect(fieldsOf(couponReminder)).toEqual([
      ['variables 1', 'Value 1', 'Code ▢ expires in …', 'SUMMER20'],
      ['body 1', 'Value 1 in the text', 'Code ▢ expires in …', 'SUMMER20'],
      ['variables 2', 'Value 2', '… expires in ▢ days', '10'],
    ])
    const turned = structuredClone(detailOf(couponReminder))
    turned.variables.reverse()
    expect((valueFieldsOf(turned) as Field[]).map(({ key }) => key)).toEqual(['1', '1', '2'])
  })

  test('a code is one field, and a card says which one it is', () => {
    expect(fieldsOf(authentication)).toEqual([['variables 1', 'Code', null, expect.any(String)]])
    expect(fieldsOf(plants(2)).map(row => row.slice(0, 3))).toContainEqual([
      ...['variables c1_1', 'Card 2: Value 1', 'Meet ▢'],
    ])
  })

  test('a file may be named by its address, or chosen', () => {
    const detail = detailOf(invoice)
    const [file] = (valueFieldsOf(detail) as Field[]).filter(field => field.file !== null)
    expect(file).toMatchObject({ key: 'header_link', file: { accept: 'application/pdf', key: 'header' } })
    const given = Object.fromEntries(detail.variables.map(({ key }) => [key, key.startsWith('header') ? '' : 'x']))
    const filled = (more: object) => isFilled(detail, { ...noSendValues, variables: { ...given, ...more } })
    expect([filled({}), filled({ header: 'media_1' }), filled({ header_link: 'https://x.example' })]).toEqual([
      ...[false, true, true],
    ])
  })
})
