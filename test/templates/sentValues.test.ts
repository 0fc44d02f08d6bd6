import { describe, expect, test } from 'bun:test'
import type { Issue } from '../../src/base/errors.ts'
import type { TemplateRecord } from '../../src/graph/wire.ts'
import { draftOf } from '../../src/templates/authoring/read.ts'
import { sendFields } from '../../src/templates/authoring/values.ts'
import { compareComponents } from '../../src/templates/compare.ts'
import { sentValues } from '../../src/templates/sentValues.ts'
import { parseTemplate } from '../../src/templates/shape.ts'
import type { TemplateValues } from '../../src/templates/values.ts'
import { components, couponReminder, invoice, issues, manyButtons, named, plants, record } from './fixtures.ts'

const read = (template: TemplateRecord, sent: unknown, sentence = '', known: readonly Issue[] = []) =>
  sentValues(sent as unknown[], parseTemplate(template), known, sentence)

describe('values that are read back', () => {
  test.each<[what: string, template: TemplateRecord, values: TemplateValues]>([
    [
      'the text has another one',
      couponReminder,
      { templateVariables: { 1: 'Ada', 2: '7' }, bodyParameters: { 1: 'X' } },
    ],
    ['all are the same', couponReminder, { templateVariables: { 1: 'Ada', 2: '7' } }],
    ['a code to copy', manyButtons, { templateVariables: { 1: '77', copy_code: 'SAVE' } }],
    ['a file by its id', invoice, { templateVariables: { 1: 'A-1', header: '4711', header_filename: 'May.pdf' } }],
    ['names', named, { templateVariables: { 1: 'a', day: 'Sunday', first_name: 'Ada' } }],
    [
      'an address of a card has another one',
      plants(1),
      {
        templateVariables: { 1: 'Ada', 2: '20%', c0_header: '4711', c0_1: 'Aloe' },
        carousel: {
          cards: [{ index: 0, buttonValues: [{ index: 1, sub_type: 'url', parameters: { type: 'text', text: 'a' } }] }],
        },
      },
    ],
  ])('fill the template as before: %s', (_, template, values) => {
    expect(issues(template, values)).toEqual([])
    const sent = components(template, values)
    const known = read(template, sent)
    if (known === null) throw new Error(`not read: ${JSON.stringify(sent)}`)
    expect(components(template, sendFields(draftOf(template).draft, known.values))).toEqual(sent)
    expect(known.wrong).toEqual([])
  })

  test.each<[what: string, template: TemplateRecord, sent: unknown[]]>([
    ['an amount', couponReminder, [{ type: 'body', parameters: [{ type: 'currency', currency: {} }] }]],
    [
      'the payload of a button',
      couponReminder,
      [{ type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'x' }] }],
    ],
    ['a place', record([{ type: 'HEADER', format: 'LOCATION' }]), []],
  ])('are none where keys cannot say it: %s', (_, template, sent) => {
    expect(read(template, sent)).toBeNull()
  })
})

describe('the wrong value is marked', () => {
  const texts = (...values: string[]) => values.map(text => ({ type: 'text', text }))
  const sent = [
    { type: 'header', parameters: texts('Ada') },
    { type: 'body', parameters: texts('Ada', 'a\nb') },
    { type: 'button', sub_type: 'url', index: '0', parameters: texts('Ada') },
  ]
  const wrongOf = (sentence: string, given: unknown[] = sent, known: readonly Issue[] = []) =>
    read(couponReminder, given, sentence, known)?.wrong

  test('where the comparison names it', () => {
    const known = compareComponents(sent, parseTemplate(couponReminder), 0)
    expect(wrongOf('131000: Something went wrong', sent, known)).toEqual([
      { path: '/templateVariables/2', message: known[0]?.message ?? '' },
    ])
  })

  test('where the platform names a button, or what is missing of a part', () => {
    const sentence = 'buttons: URL suffix at index 0 is not percent-encoded'
    expect(wrongOf(sentence)).toEqual([{ path: '/templateVariables/1', message: sentence }])
    const count = 'body: number of localizable_params (1) does not match the expected number of params (2)'
    const short = sent.with(1, { type: 'body', parameters: texts('Ada') })
    expect(wrongOf(count, short)).toEqual([{ path: '/templateVariables/2', message: count }])
  })

  test('and none where nobody names one', () => {
    expect(wrongOf('Message undeliverable')).toEqual([])
    expect(wrongOf('body: the parameters are not allowed')).toEqual([])
  })
})
