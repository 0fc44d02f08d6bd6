import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { TemplateRecord } from '../../src/graph/wire.ts'
import { checkInteractive } from '../../src/interactive/check.ts'
import { exampleValues } from '../../src/templates/exampleSend.ts'
import { checkForwardedComponents } from '../../src/templates/forwardedComponents.ts'
import { previewTemplate } from '../../src/templates/preview.ts'
import { readComponents } from '../../src/templates/record.ts'
import { renderTemplate } from '../../src/templates/renderComponents.ts'
import { parseTemplate } from '../../src/templates/shape.ts'
import { readRequirements } from '../../src/templates/variables.ts'
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
        const values = exampleValues(stored)
        if (!values || !('templateVariables' in values)) throw new Error('no keys to send')
        expect(Object.keys(values.templateVariables).sort()).toEqual([...readRequirements(stored).variables].sort())
        expect(renderTemplate(parseTemplate(stored), values)).toHaveProperty('ok', true)
        expect(previewTemplate(stored)).toBeString()
      }),
    )
  })
})

describe('a record that drifted', () => {
  const or = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof(arbitrary, json)
  const text = or(fc.constantFrom('Hi {{1}}', '{{name}}', 'https://x.example/{{1}}'))
  const strange = { requiredKeys: [] as [] }
  const button = or(
    fc.record(
      { type: or(fc.constantFrom('URL', 'COPY_CODE', 'otp')), text, url: text, example: or(fc.array(text)) },
      strange,
    ),
  )
  const pair = or(fc.record({ param_name: text, example: text }, strange))
  const example = or(
    fc.record(
      {
        header_text: or(fc.array(text)),
        header_handle: or(fc.array(text)),
        body_text: or(fc.array(or(fc.array(text)))),
        body_text_named_params: or(fc.array(pair)),
        header_text_named_params: or(fc.array(pair)),
      },
      strange,
    ),
  )
  const fields = {
    type: or(kinds),
    format: text,
    text,
    example,
    buttons: or(fc.array(button)),
    limited_time_offer: json,
  }
  const plain = fc.record(fields, strange)
  const card = or(fc.record({ components: or(fc.array(or(plain))) }, strange))
  const component = or(fc.record({ ...fields, cards: or(fc.array(card)) }, strange))

  test('is read, listed and shown, whatever its fields hold', () => {
    fc.assert(
      fc.property(
        or(fc.array(component)),
        or(fc.constantFrom('AUTHENTICATION', 'MARKETING')),
        (components, category) => {
          const drifted = record(readComponents(components), {
            category: typeof category === 'string' ? category : 'UTILITY',
          })
          const values = exampleValues(drifted)
          const keys = values && 'templateVariables' in values ? Object.keys(values.templateVariables) : null
          if (keys) expect(keys.sort()).toEqual([...readRequirements(drifted).variables].sort())
          expect(previewTemplate(drifted)).toBeString()
          if (values && 'templateVariables' in values)
            expect(renderTemplate(parseTemplate(drifted), values)).toHaveProperty('ok')
        },
      ),
    )
  })

  test('its buttons and cards keep their places', () => {
    const url = { type: 'URL', url: 'https://x.example/{{1}}' }
    const card = { components: [{ type: 'BODY', text: '{{1}}' }] }
    const drifted = record(
      readComponents([null, { type: 'BUTTONS', buttons: [null, url] }, { type: 'CAROUSEL', cards: ['x', card] }]),
    )
    expect(parseTemplate(drifted).buttons).toMatchObject([
      { kind: 'other', index: '0', subType: 'unknown' },
      { kind: 'url', index: '1' },
    ])
    expect(readRequirements(drifted).variables).toEqual(['1', 'c1_1'])
  })

  test('one that did not comes back as it was, with the fields that we do not know', () => {
    for (const { components } of [couponReminder, manyButtons, authentication, named, invoice, plants(2)]) {
      const listed = components.map(component => ({ ...component, added_later: [null, { type: 5 }] }))
      expect<unknown>(readComponents(JSON.parse(JSON.stringify(listed)))).toEqual(listed)
    }
  })
})
