import { describe, expect, test } from 'bun:test'
import { checkForwardedComponents } from '../../src/templates/forwardedComponents.ts'

const text = (length: number) => ({ type: 'text', text: 'x'.repeat(length) })

/** docs/upstream.md#carousel, written out. */
const carousel = {
  type: 'carousel',
  cards: [
    {
      card_index: 0,
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { id: '1558081531584829' } }] },
        { type: 'body', parameters: [{ type: 'text', text: 'card text' }] },
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: '0',
          parameters: [{ type: 'payload', payload: 'more-aloes' }],
        },
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'blue-elf' }] },
      ],
    },
    { card_index: 1, components: [] },
  ],
}

/** docs/upstream.md#template-messages: every kind of component, some with fields that no other send can fill. */
const full = [
  { type: 'header', parameters: [{ type: 'location', location: { latitude: '37.44', longitude: '-122.16' } }] },
  {
    type: 'body',
    parameters: [
      { type: 'text', text: 'Pablo', parameter_name: 'first_name' },
      { type: 'currency', currency: { fallback_value: '$100.99', code: 'USD', amount_1000: 100990 } },
    ],
  },
  {
    type: 'button',
    sub_type: 'mpm',
    index: 0,
    parameters: [
      {
        type: 'action',
        action: { sections: [{ title: 'Plants', product_items: [{ product_retailer_id: 'SKU' }] }] },
      },
    ],
  },
  {
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1 } }],
  },
  { type: 'kind_of_next_year', anything: { goes: true } },
  carousel,
]

describe('templateComponents is forwarded untouched', () => {
  test('every form of the upstream passes, unknown kinds and fields included', () => {
    expect(checkForwardedComponents(full)).toEqual([])
  })

  const rows: readonly [name: string, value: unknown, expected: string[]][] = [
    ['not an array', { type: 'body' }, [' must be an array of component objects']],
    ['too many', Array.from({ length: 21 }, () => ({ type: 'body' })), [' must not have more than 20 components']],
    ['an element that is no object', ['body', null, []], [0, 1, 2].map(at => `/${at} must be a component object`)],
    ['a missing type', [{ parameters: [] }], ['/0/type is required']],
    [
      'a type that is no text',
      [{ type: 5 }, { type: '' }],
      ['/0/type', '/1/type'].map(p => `${p} must be a component type`),
    ],
    [
      'a body text of 161',
      [{ type: 'BODY', parameters: [text(160), text(161)] }],
      ['/0/parameters/1/text must be at most 160 characters long'],
    ],
    [
      'a button text of 161',
      [{ type: 'button', parameters: [text(161)] }],
      ['/0/parameters/0/text must be at most 160 characters long'],
    ],
    ['a header text of 161 is the upstream’s to judge', [{ type: 'header', parameters: [text(161)] }], []],
    ['a carousel without cards', [{ type: 'carousel' }], ['/0/cards is required']],
    ['cards that are no array', [{ type: 'carousel', cards: {} }], ['/0/cards must be an array of cards']],
    [
      'card_index: integer and unique; the upstream answers for one that is missing',
      [
        {
          type: 'carousel',
          cards: [
            {},
            { card_index: 0 },
            { card_index: '1' },
            { card_index: 1.5 },
            { card_index: -1 },
            { card_index: 0 },
            7,
          ],
        },
      ],
      [
        '/0/cards/2/card_index must be an integer from 0',
        '/0/cards/3/card_index must be an integer from 0',
        '/0/cards/4/card_index must be an integer from 0',
        '/0/cards/5/card_index repeats the index of /templateComponents/0/cards/1',
        '/0/cards/6 must be a card object',
      ],
    ],
    [
      'texts on cards',
      [{ type: 'carousel', cards: [{ card_index: 0, components: [{ type: 'body', parameters: [text(161)] }, {}] }] }],
      [
        '/0/cards/0/components/0/parameters/0/text must be at most 160 characters long',
        '/0/cards/0/components/1/type is required',
      ],
    ],
  ]
  test.each(rows)('%s', (_, value, expected) => {
    const said = checkForwardedComponents(value).map(({ path, message }) => `${path} ${message}`)
    expect(said).toEqual(expected.map(line => `/templateComponents${line}`))
  })

  test('deep nesting is refused without walking to its end', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)
    expect(checkForwardedComponents([{ type: 'body', ...deep }])).toEqual([
      { path: '/templateComponents', message: 'must not be nested deeper than 24 levels' },
    ])
  })
})
