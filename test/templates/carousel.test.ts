import { describe, expect, test } from 'bun:test'
import { placeMedia } from '../../src/templates/media.ts'
import { card, components, issues, plantsMain as main, plants, render, structured } from './fixtures.ts'

const image = (n: number) => `https://cdn.example/${n}.jpg`

/** What the upstream expects for one card of `plants` (docs/upstream.md#carousel). */
function sent(index: number, name: string, slug: string, media: object, payload?: string): object {
  const quickReply = {
    type: 'button',
    sub_type: 'quick_reply',
    index: '0',
    parameters: [{ type: 'payload', payload }],
  }
  return {
    card_index: index,
    components: [
      { type: 'header', parameters: [{ type: 'image', image: media }] },
      { type: 'body', parameters: [{ type: 'text', text: name }] },
      ...(payload === undefined ? [] : [quickReply]),
      { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: slug }] },
    ],
  }
}

const sentBody = {
  type: 'body',
  parameters: [
    { type: 'text', text: 'Pablo' },
    { type: 'text', text: '20%' },
  ],
}

describe('carousel.cards', () => {
  test('the sample of the platform', () => {
    const first = card(0, {
      bodyValues: { 1: 'Blue Elf' },
      buttonValues: [
        { index: 0, sub_type: 'quick_reply', parameters: { type: 'text', text: 'more-aloes' } },
        { index: 1, sub_type: 'url', parameters: { type: 'text', text: 'blue-elf' } },
      ],
      header: { format: 'IMAGE', id: '1558081531584829' },
    })
    expect(components(plants(2), structured(card(1), first))).toEqual([
      sentBody,
      {
        type: 'carousel',
        cards: [
          sent(0, 'Blue Elf', 'blue-elf', { id: '1558081531584829' }, 'more-aloes'),
          sent(1, 'Plant 1', 'plant-1', { id: '1001' }),
        ],
      },
    ])
  })

  test('ten cards: every card_index is an integer, in order, with its own values', () => {
    const cards = Array.from({ length: 10 }, (_, index) => card(9 - index))
    const expected = cards.map((_, index) => sent(index, `Plant ${index}`, `plant-${index}`, { id: `100${index}` }))
    expect(components(plants(10), structured(...cards))).toEqual([sentBody, { type: 'carousel', cards: expected }])
  })

  test('bodyParameters override the main bubble only', () => {
    const values = { ...structured(card(0), card(1)), templateVariables: { 2: '20%' }, bodyParameters: { 1: 'Pablo' } }
    expect(components(plants(2), values)).toEqual(components(plants(2), structured(card(0), card(1))))
  })

  test('named keys on a numbered template go to the slots in JSON key order', () => {
    const bodyValues = JSON.parse('{"zeta":"first","alpha":"second"}')
    const result = components(
      plants(2, '{{1}} then {{2}}'),
      structured(card(0, { bodyValues }), card(1, { bodyValues })),
    )
    expect(result).toMatchObject([
      {},
      { cards: [{ components: [{}, { parameters: [{ text: 'first' }, { text: 'second' }] }, {}] }, {}] },
    ])
  })

  test("a named template takes its own names, and sends them as the parameter's name", () => {
    const template = { ...plants(2, 'Meet {{plant}}'), parameter_format: 'NAMED' }
    const bodyValues = { plant: 'Blue Elf' }
    expect(components(template, structured(card(0, { bodyValues }), card(1, { bodyValues })))).toMatchObject([
      {},
      { cards: [{ components: [{}, { parameters: [{ parameter_name: 'plant', text: 'Blue Elf' }] }, {}] }, {}] },
    ])
    expect(issues(template, structured(card(0, { bodyValues }), card(1)))).toEqual([
      '/carousel/cards/1/bodyValues/1 is not in the body of card 1; it takes plant',
      "/carousel/cards/1/bodyValues/plant is required: card 1's body has {{plant}}",
    ])
  })

  test('a header link is named for uploading, each link once', () => {
    const header = { format: 'image', link: image(1) }
    const result = render(plants(2), structured(card(0, { header }), card(1, { header })))
    expect(result.ok && result.media).toEqual([
      { format: 'image', link: image(1), path: '/carousel/cards/0/header/link' },
    ])
  })
})

describe('c{cardIndex}_ keys of templateVariables', () => {
  const keys = {
    ...main,
    c0_1: 'aloe',
    c0_header_link: image(0),
    c1_1: 'cactus',
    c1_header: '42',
  }

  test('fill body and URL button of the card with the same string', () => {
    expect(components(plants(2), { templateVariables: keys })).toEqual([
      sentBody,
      {
        type: 'carousel',
        cards: [sent(0, 'aloe', 'aloe', { link: image(0) }), sent(1, 'cactus', 'cactus', { id: '42' })],
      },
    ])
  })

  test('a structured card wins over its keys, value by value; the other cards keep theirs', () => {
    const partial = { index: 0, bodyValues: { 1: 'Blue Elf' } }
    expect(components(plants(2), { templateVariables: keys, carousel: { cards: [partial] } })).toEqual([
      sentBody,
      {
        type: 'carousel',
        cards: [sent(0, 'Blue Elf', 'aloe', { link: image(0) }), sent(1, 'cactus', 'cactus', { id: '42' })],
      },
    ])
    const complete = { templateVariables: keys, carousel: { cards: [card(0)] } }
    expect(components(plants(2), complete)).toMatchObject([
      {},
      { cards: [sent(0, 'Plant 0', 'plant-0', { id: '1000' }), {}] },
    ])
  })

  test('missing keys are named one by one, with what needs them', () => {
    expect(issues(plants(2), { templateVariables: { ...main, c0_1: 'a', c0_header: '4::aW1' } })).toEqual([
      '/templateVariables/c0_header must be the id of a file here, media_…, or of an upload to the channel, digits only',
      "/templateVariables/c1_header_link is required: card 1's header is an image (or give its media id as c1_header)",
      "/templateVariables/c1_1 is required: card 1's body and URL button 1 have {{1}}",
    ])
  })

  test('a card index that the template does not have is an unknown key', () => {
    const result = issues(plants(2), { templateVariables: { ...keys, c2_1: 'x' } })
    expect(result).toEqual([
      '/templateVariables/c2_1 is not a variable of this template; ' +
        'it takes 1, 2, c0_header_link, c0_header, c0_1, c1_header_link, c1_header, c1_1',
    ])
  })

  test('a body that the keys make too long is refused at its key', () => {
    expect(issues(plants(2), { templateVariables: { ...keys, c1_1: 'x'.repeat(156) } })).toEqual([
      expect.stringMatching(/^\/templateVariables\/c1_1 .*161 characters long; at most 160/),
    ])
  })

  test('a link and an id for one header are refused', () => {
    expect(issues(plants(2), { templateVariables: { ...keys, c1_header_link: image(1) } })).toEqual([
      '/templateVariables/c1_header must not be given together with c1_header_link',
    ])
  })
})

describe('media links', () => {
  const values = { templateVariables: { ...main, c0_1: 'a', c0_header_link: image(0), c1_1: 'b', c1_header: '42' } }

  test('are named, and replaced by the ids of their uploads', () => {
    const result = render(plants(2), values)
    expect(result.ok && result.media).toMatchObject([{ format: 'image', link: image(0) }])
    const ready = placeMedia(result.ok ? result.components : [], new Map([[image(0), { id: '900', name: null }]]))
    expect(ready).toEqual([
      sentBody,
      { type: 'carousel', cards: [sent(0, 'a', 'a', { id: '900' }), sent(1, 'b', 'b', { id: '42' })] },
    ] as never)
  })

  test('sending before everything is uploaded is a bug, not a request without its picture', () => {
    const result = render(plants(2), values)
    expect(() => placeMedia(result.ok ? result.components : [], new Map())).toThrow('before every link was uploaded')
  })
})
