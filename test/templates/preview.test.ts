import { describe, expect, test } from 'bun:test'
import type { TemplateRecord } from '../../src/graph/wire.ts'
import { exampleSend, previewTemplate } from '../../src/templates/preview.ts'
import { renderTemplate } from '../../src/templates/render.ts'
import { parseTemplate } from '../../src/templates/shape.ts'
import { listVariables } from '../../src/templates/variables.ts'
import { authentication, catalog, couponReminder, invoice, manyButtons, named, plants, record } from './fixtures.ts'

describe('the example of a send', () => {
  test('is a whole body, filled with the examples that came with the template', () => {
    expect(exampleSend(couponReminder)).toEqual({
      type: 'template',
      phone: '+12025550123',
      templateName: 'coupon_reminder',
      templateLanguage: 'en_US',
      templateVariables: { 1: 'SUMMER20', 2: '10' },
    })
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
    expect(exampleSend(template).templateVariables).toEqual(variables)
  })

  test.each([couponReminder, manyButtons, authentication, named, invoice, catalog, plants(2), plants(10)])(
    'renders, and fills exactly the listed variables: %#',
    template => {
      const { templateVariables } = exampleSend(template)
      expect(Object.keys(templateVariables).sort()).toEqual(listVariables(template).sort())
      expect(renderTemplate(parseTemplate(template), { templateVariables }).ok).toBe(true)
    },
  )
})

describe('the preview', () => {
  test('shows header, body, footer and buttons, filled', () => {
    expect(previewTemplate(couponReminder).split('\n')).toEqual([
      'Act fast, SUMMER20!',
      'Code SUMMER20 expires in 10 days',
      'Lucky Shrub',
      '( See deals: https://x.example/d?p=SUMMER20 )',
      '( Stop )',
    ])
  })

  test('shows the cards of a carousel', () => {
    const card = ['[image]', 'Meet Blue Elf', '( More )', '( Buy: https://x.example/p/Blue Elf )']
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
