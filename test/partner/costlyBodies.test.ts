import { afterEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hasMoreEntriesThan } from '../../src/base/json.ts'
import { bodyBytesMax, bodyEntriesMax } from '../../src/http/limits.ts'
import { checkSendBody } from '../../src/operations/sends/sendBody.ts'
import { textSendSchema, untypedSendSchema } from '../../src/operations/sends/sendSchema.ts'
import { sharedFixture } from '../fixture.ts'
import { codeOf, startTestGateway } from '../gateway.ts'
import { chars, expectNothingHappened, interactive, nested, post, template, text } from './refusals.ts'

const gateway = sharedFixture(startTestGateway)
afterEach(() => expectNothingHappened(gateway))

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const fields = (count: number, value: unknown) => Object.fromEntries(many(count, at => [`x${at}`, value]))
const components = (...list: readonly unknown[]) => ({ ...template, templateComponents: list })
const content = (payload: unknown) => ({
  ...interactive,
  content: typeof payload === 'string' ? payload : JSON.stringify(payload),
})
const levels = nested(60_000)

/** Each fits into 128 KiB, and checked entry by entry would stop the HTTP thread for 5 to 60 ms. */
const costly: readonly [name: string, path: string, body: unknown][] = [
  ['variables', '', { ...template, templateVariables: fields(8_000, 'x') }],
  ['levels', '', `{"type":"text","x":${levels}}`],
  ['sections of a list', '/content', content({ type: 'list', action: { sections: many(60_000, () => 1) } })],
  ['levels of a payload', '/content', content(`{"type":"x","a":${levels}}`)],
]

describe('400 VALIDATION_ERROR: a body that holds too much is counted and refused, and not walked', () => {
  test.each(costly)('%s', async (_, path, body) => {
    const response = await post(gateway, body)
    const { details } = (await response.json()) as { details: { issues: object[] } }
    expect(response.status).toBe(400)
    expect(details.issues).toEqual([
      { path, message: `must not have more than ${bodyEntriesMax} fields and elements in all` },
    ])
  })

  test('every one of them is within the size of a body', () => {
    for (const [, , body] of costly) {
      const bytes = typeof body === 'string' ? body.length : JSON.stringify(body).length
      expect(bytes).toBeLessThanOrEqual(bodyBytesMax)
    }
  })
})

/** As many fields are checked as are known, and a hundred others. */
const tooMany = ({ properties }: { properties: object }) =>
  `must not have more than ${Object.keys(properties).length + 100} fields`

/** Each holds no more than a body may, and checked entry by entry would stop the HTTP thread for 5 to 60 ms. */
const overfull: readonly [name: string, body: unknown, problems: readonly [path: string, message: string][]][] = [
  [
    'variables of a wrong type',
    { ...template, templateVariables: fields(2_900, 1) },
    [['/templateVariables', 'must not have more than 200 fields']],
  ],
  [
    'two maps of values',
    { ...template, templateVariables: fields(1_400, 'x'), bodyParameters: fields(1_400, 'x') },
    [
      ['/templateVariables', 'must not have more than 200 fields'],
      ['/bodyParameters', 'must not have more than 200 fields'],
    ],
  ],
  ['unknown fields', { ...text, ...fields(2_900, 1) }, [['', tooMany(textSendSchema)]]],
  ['unknown fields without a type', fields(2_900, 1), [['', tooMany(untypedSendSchema)]]],
  [
    'cards',
    { ...template, carousel: { cards: many(2_900, () => 1) } },
    [['/carousel/cards', 'must not have more than 20 elements']],
  ],
  [
    'values and buttons of one card',
    {
      ...template,
      carousel: { cards: [{ index: 0, bodyValues: fields(1_400, 1), buttonValues: many(1_400, () => 1) }] },
    },
    [
      ['/carousel/cards/0/bodyValues', 'must not have more than 200 fields'],
      ['/carousel/cards/0/buttonValues', 'must not have more than 20 elements'],
    ],
  ],
  [
    'forwarded cards',
    components({ type: 'carousel', cards: many(2_900, () => 1) }),
    [['/templateComponents/0/cards', 'must not have more than 20 cards']],
  ],
  [
    'forwarded parameters',
    components({ type: 'body', parameters: many(900, () => ({ text: chars(100) })) }),
    [['/templateComponents/0/parameters', 'must not have more than 250 parameters']],
  ],
  [
    'components of a card',
    components({ type: 'carousel', cards: [{ card_index: 0, components: many(2_900, () => 1) }] }),
    [['/templateComponents/0/cards/0/components', 'must not have more than 20 components']],
  ],
  [
    'a media address of 40,000 labels',
    content({
      type: 'button',
      header: { type: 'image', image: { link: `https://${'ü.'.repeat(40_000)}` } },
      body: { text: 'x' },
      action: { buttons: [{ type: 'reply', reply: { id: '1', title: 'x' } }] },
    }),
    [['/content/header/image/link', 'must be at most 2048 characters long']],
  ],
]

describe('400 VALIDATION_ERROR: what holds too many entries is one problem, and its entries are not walked', () => {
  test.each(overfull)('%s', async (_, body, problems) => {
    const response = await post(gateway, body)
    const { details } = (await response.json()) as { details: { issues: object[] } }
    expect(response.status).toBe(400)
    expect(details.issues).toEqual(problems.map(([path, message]) => ({ path, message })))
  })
})

test('the largest send that is valid is within the bounds: every value of the longest body and of ten cards', () => {
  const values = (count: number) =>
    many(count, at => ({ type: 'text', parameter_name: `n${at}`, text: 'ä'.repeat(30) }))
  const button = (index: number) => ({
    type: 'button',
    sub_type: 'url',
    index,
    parameters: [{ type: 'text', text: 'ä'.repeat(160) }],
  })
  const body = components(
    { type: 'body', parameters: values(205) },
    {
      type: 'carousel',
      cards: many(10, card_index => ({
        card_index,
        components: [
          { type: 'header', parameters: [{ type: 'image', image: { link: `https://x.example/${chars(2_000)}` } }] },
          { type: 'body', parameters: values(32) },
          button(0),
          button(1),
        ],
      })),
    },
  )
  const json = JSON.stringify(body)
  expect(Buffer.byteLength(json)).toBeLessThan(bodyBytesMax)
  expect(hasMoreEntriesThan(json, bodyEntriesMax)).toBe(false)
  expect(checkSendBody(body)).toMatchObject({ ok: true })
})

test('413 PAYLOAD_TOO_LARGE: 40,000 variables', async () => {
  const response = await post(gateway, { ...template, templateVariables: fields(40_000, 'x') })
  expect(await codeOf(response)).toBe('413 PAYLOAD_TOO_LARGE')
})

test('400 VALIDATION_ERROR: a long field name does not make a long answer', async () => {
  const name = chars(60_000)
  const response = await post(gateway, components({ type: 'body', [name]: many(1_000, () => 1e30) }))
  expect(response.status).toBe(400)
  expect((await response.text()).length).toBeLessThan(60_000)
})

/**
 * Fields and elements, and one for each object and array that is not empty: what commas and opening brackets come to.
 */
function entriesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return 1 + Math.max(inner.length - 1, 0) + inner.reduce((sum: number, each) => sum + entriesOf(each), 0)
}

test('entries are counted as the parser would find them, whatever the texts contain', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1), (json, indent) => {
      const value: unknown = JSON.parse(json)
      const written = JSON.stringify(value, null, indent)
      const entries = entriesOf(value)
      // A text shorter than the bound is not counted at all: white space makes it longer.
      const padded = written.padEnd(entries + 2)
      expect(hasMoreEntriesThan(padded, entries)).toBe(false)
      if (entries > 0) expect(hasMoreEntriesThan(padded, entries - 1)).toBe(true)
    }),
  )
})
