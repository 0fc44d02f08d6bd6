import { describe, expect, test } from 'bun:test'
import type { TemplateRecord } from '../../src/graph/wire.ts'
import { exampleSend, exampleValues } from '../../src/templates/exampleSend.ts'
import { previewTemplate } from '../../src/templates/preview.ts'
import { renderTemplate } from '../../src/templates/renderComponents.ts'
import { parseTemplate } from '../../src/templates/shape.ts'
import { readRequirements } from '../../src/templates/variables.ts'
import { authentication, catalog, couponReminder, invoice, manyButtons, named, plants, record } from './fixtures.ts'

describe('the example of a send', () => {
  test('is a whole body, filled with the examples that came with the template', () => {
    expect(exampleSend(manyButtons)).toEqual({
      type: 'template',
      phone: '+12025550123',
      templateName: 'a_template',
      templateLanguage: 'en_US',
      templateVariables: { 1: '77', copy_code: 'SAVE20' },
    })
  })

  test('a body with an example of its own gets it by bodyParameters', () => {
    const opening = record([
      { type: 'HEADER', format: 'TEXT', text: 'Our {{1}} is on!', example: { header_text: ['Summer Sale'] } },
      { type: 'BODY', text: 'Until {{1}}, {{2}} off', example: { body_text: [['the end of August', '25%']] } },
    ])
    expect(exampleValues(opening)).toEqual({
      templateVariables: { 1: 'Summer Sale', 2: '25%' },
      bodyParameters: { 1: 'the end of August' },
    })
  })

  test('header and URL button with different examples for one key need templateComponents', () => {
    const text = (value: string) => [{ type: 'text', text: value }]
    expect<unknown>(exampleValues(couponReminder)).toEqual({
      templateComponents: [
        { type: 'header', parameters: text('Pablo') },
        { type: 'body', parameters: [...text('SUMMER20'), ...text('10')] },
        { type: 'button', sub_type: 'url', index: '0', parameters: text('summer') },
      ],
    })
  })

  test("a card's URL button with an example of its own gets it by carousel", () => {
    const buttonValues = [{ index: 1, sub_type: 'url', parameters: { type: 'text', text: 'blue-elf' } }]
    expect(exampleValues(plants(2))).toEqual({
      templateVariables: {
        1: 'Pablo',
        2: '20%',
        c0_header_link: 'https://cdn.example/p.jpg',
        c0_1: 'Blue Elf',
        c1_header_link: 'https://cdn.example/p.jpg',
        c1_1: 'Blue Elf',
      },
      carousel: {
        cards: [
          { index: 0, buttonValues },
          { index: 1, buttonValues },
        ],
      },
    })
  })

  test('which places share a key is said, of the message and of each card', () => {
    expect(readRequirements(couponReminder).sharedVariables).toEqual([
      { variable: '1', places: ['header', 'body', 'URL button 0'] },
    ])
    expect(readRequirements(plants(2)).sharedVariables).toEqual([
      { variable: 'c0_1', places: ['body', 'URL button 1'] },
      { variable: 'c1_1', places: ['body', 'URL button 1'] },
    ])
    expect(readRequirements(manyButtons).sharedVariables).toEqual([])
  })

  test('a part without a key stands in templateComponents; of an unknown kind there is no body to copy', () => {
    const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Now', has_expiration: true } }
    expect<unknown>(exampleValues(record([offer, { type: 'BODY', text: 'Hi {{1}}' }]))).toEqual({
      templateComponents: [
        {
          type: 'limited_time_offer',
          parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 4_102_444_800_000 } }],
        },
        { type: 'body', parameters: [{ type: 'text', text: 'example' }] },
      ],
    })
    expect(exampleSend(record([{ type: 'HEADER', format: 'HOLOGRAM' }]))).toBeNull()
  })

  const rows: readonly [name: string, template: TemplateRecord, variables: Record<string, string>][] = [
    ['URL suffix and coupon', manyButtons, { 1: '77', copy_code: 'SAVE20' }],
    ['a stand-in where there is no example', authentication, { 1: '123456' }],
    ['named parameters', named, { first_name: 'Ana', day: 'Saturday', 1: 'a' }],
    ['a media header', invoice, { 1: 'A-1', header_link: 'https://cdn.example/i.pdf' }],
    ['nothing to fill', catalog, {}],
    [
      'a suffix taken from the whole address of the example',
      record([
        {
          type: 'BUTTONS',
          buttons: [{ type: 'URL', url: 'https://x.example/{{1}}', example: ['https://x.example/a'] }],
        },
      ]),
      { 1: 'a' },
    ],
    [
      'an upload handle cannot be sent',
      record([{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2U'] } }]),
      { header_link: 'https://example.com/header' },
    ],
    [
      'an example that could not be sent',
      record([{ type: 'BODY', text: '{{1}}', example: { body_text: [['a\nb']] } }]),
      { 1: 'example' },
    ],
  ]
  test.each(rows)('%s', (_, template, variables) => {
    expect<unknown>(exampleValues(template)).toEqual({ templateVariables: variables })
  })

  test.each([manyButtons, authentication, named, invoice, catalog, plants(2), plants(10)])(
    'renders, and fills exactly the listed variables: %#',
    template => {
      const values = exampleValues(template)
      if (!values || !('templateVariables' in values)) throw new Error('no keys to send')
      expect(Object.keys(values.templateVariables).sort()).toEqual([...readRequirements(template).variables].sort())
      expect(renderTemplate(parseTemplate(template), values).ok).toBe(true)
    },
  )
})

describe('the preview', () => {
  test('shows header, body, footer and buttons, filled', () => {
    expect(previewTemplate(couponReminder).split('\n')).toEqual([
      'Act fast, Pablo!',
      'Code SUMMER20 expires in 10 days',
      'Lucky Shrub',
      '( See deals: https://x.example/d?p=summer )',
      '( Stop )',
    ])
  })

  test('shows the cards of a carousel', () => {
    const card = ['[image]', 'Meet Blue Elf', '( More )', '( Buy: https://x.example/p/blue-elf )']
    expect(previewTemplate(plants(2)).split('\n')).toEqual([
      'Pablo, take 20% off',
      '--- card 0 ---',
      ...card,
      '--- card 1 ---',
      ...card,
    ])
  })

  test('shows what an authentication template does not say itself', () => {
    expect(previewTemplate(authentication).split('\n')).toEqual([
      '123456',
      'This code expires in 10 minutes.',
      '( Copy code: https://www.whatsapp.com/otp/code/?code=otp123456 )',
    ])
  })
})
