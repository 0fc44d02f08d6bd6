import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { TemplateRecord } from '../../src/channel/wire.ts'
import { checkInteractive } from '../../src/interactive/check.ts'
import { checkForwardedComponents } from '../../src/templates/components.ts'
import { exampleSend, previewTemplate } from '../../src/templates/preview.ts'
import { renderTemplate } from '../../src/templates/render.ts'
import { parseTemplate } from '../../src/templates/shape.ts'
import { listVariables } from '../../src/templates/variables.ts'
import { authentication, couponReminder, invoice, manyButtons, named, plants, record } from './fixtures.ts'

const shapes = [couponReminder, manyButtons, authentication, named, invoice, plants(2)].map(parseTemplate)

const key = fc.oneof(
  fc.constantFrom('1', '2', 'day', 'copy_code', 'header', 'header_link', 'c0_1', 'c1_header', '__proto__', 'toString'),
  fc.string(),
)
const marked = fc.string().map(text => `<secret>${text}`)
const texts = fc.dictionary(key, marked)
const card = fc.record(
  {
    index: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.double()),
    bodyValues: texts,
    buttonValues: fc.array(
      fc.record({
        index: fc.integer(),
        sub_type: fc.string(),
        parameters: fc.record({ type: fc.string(), text: marked }),
      }),
    ),
    header: fc.record({ format: fc.constantFrom('image', 'video', ''), link: marked }),
  },
  { requiredKeys: ['index'] },
)

const json = fc.jsonValue({ maxDepth: 6 })
const kinds = fc.constantFrom('HEADER', 'BODY', 'BUTTONS', 'CAROUSEL', 'FOOTER', 'carousel', 'body', 'button')

describe('whatever is sent, rendering answers', () => {
  test('with components or issues, never with an exception, and never with a value in an issue', () => {
    const values = fc.record({
      templateVariables: texts,
      bodyParameters: texts,
      carousel: fc.record({ cards: fc.array(card) }),
    })
    fc.assert(
      fc.property(fc.constantFrom(...shapes), values, (shape, given) => {
        const result = renderTemplate(shape, given)
        if (!result.ok) {
          expect(result.issues.length).toBeGreaterThan(0)
          expect(JSON.stringify(result.issues)).not.toContain('<secret>')
        }
      }),
    )
  })

  test('forwarded components and interactive content are judged without an exception', () => {
    const component = fc.tuple(kinds, json, json).map(([type, cards, parameters]) => ({ type, cards, parameters }))
    fc.assert(
      fc.property(fc.array(component), json, (components, value) => {
        expect(checkForwardedComponents(components)).toBeArray()
        expect(checkForwardedComponents(value)).toBeArray()
        expect(checkInteractive(JSON.stringify(value))).toHaveProperty('ok')
      }),
    )
  })

  test('interactive content of a known kind with anything inside', () => {
    const kind = fc.constantFrom('button', 'list', 'cta_url', 'flow', 'product')
    const payload = fc.record({ type: kind, header: json, body: json, footer: json, action: json })
    fc.assert(
      fc.property(payload, value => {
        expect(checkInteractive(JSON.stringify(value))).toHaveProperty('ok')
      }),
    )
  })
})

describe('a template with any text in it', () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('{{1}}', '{{2}}', '{{name}}', '{{ 3 }}', '{{', '}}', '😀', ' a '))
      .map(parts => parts.join('')),
  )
  const template = fc
    .tuple(text, text, text, text, fc.constantFrom('POSITIONAL', 'NAMED', ''))
    .map(([header, body, url, cardBody, parameter_format]): TemplateRecord => {
      const card = {
        components: [
          { type: 'HEADER', format: 'VIDEO' },
          { type: 'BODY', text: cardBody.slice(0, 30) },
        ],
      }
      return record(
        [
          { type: 'HEADER', format: 'TEXT', text: header },
          { type: 'BODY', text: body },
          { type: 'BUTTONS', buttons: [{ type: 'URL', url }] },
          { type: 'CAROUSEL', cards: [card, card] },
        ],
        { parameter_format },
      )
    })

  test('is read, listed, shown, and sent with its own example', () => {
    fc.assert(
      fc.property(template, stored => {
        const { templateVariables } = exampleSend(stored)
        expect(Object.keys(templateVariables).sort()).toEqual(listVariables(stored).sort())
        expect(renderTemplate(parseTemplate(stored), { templateVariables })).toHaveProperty('ok', true)
        expect(previewTemplate(stored)).toBeString()
      }),
    )
  })
})
