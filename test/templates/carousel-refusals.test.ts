import { describe, expect, test } from 'bun:test'
import type { CarouselCard } from '../../src/templates/values.ts'
import { card, issues, plants, record, structured } from './fixtures.ts'

describe('carousel: refusals', () => {
  const noSuchCard = '/carousel/cards/2/index must be an integer from 0 to 1: the template has 2 cards'
  const rows: readonly [name: string, cards: CarouselCard[], expected: string[]][] = [
    [
      'no card at all',
      [],
      [0, 1].map(n => `/carousel/cards must have a card with index ${n}: the template has 2 cards`),
    ],
    ['a card too few', [card(0)], ['/carousel/cards must have a card with index 1: the template has 2 cards']],
    ['a card too many', [card(0), card(1), card(2)], [noSuchCard]],
    ['a card twice', [card(0), card(1), card(1)], ['/carousel/cards/2/index repeats the index of /carousel/cards/1']],
    ['an index that is no integer', [card(0), card(1), card(0.5)], [noSuchCard]],
    [
      'indexes from 1 on',
      [card(1), card(2)],
      [
        '/carousel/cards/1/index must be an integer from 0 to 1: the template has 2 cards',
        '/carousel/cards must have a card with index 0: the template has 2 cards',
      ],
    ],
    ['a negative index', [card(0), card(1), card(-1)], [noSuchCard]],
    [
      'no header',
      [card(0), { index: 1, bodyValues: { 1: 'a' }, buttonValues: card(1).buttonValues }],
      ["/carousel/cards/1/header is required: card 1's header is of the kind image"],
    ],
    [
      'several things on several cards',
      [card(0, { bodyValues: {} }), card(1, { header: { format: 'image', id: 'x' } })],
      [
        "/carousel/cards/0/bodyValues/1 is required: card 0's body has {{1}}",
        '/carousel/cards/1/header/id must be the id of a file here, media_…, or of an upload to the channel, digits only',
      ],
    ],
  ]
  test.each(rows)('%s', (_, cards, expected) => {
    expect(issues(plants(2), structured(...cards))).toEqual(expected)
  })

  const ofOneCard: readonly [name: string, fields: Partial<CarouselCard>, ...expected: string[]][] = [
    [
      'a value with a line break',
      { bodyValues: { 1: 'a\nb' } },
      'bodyValues/1 must not contain a line break, a tab or more than 4 spaces in a row',
    ],
    [
      'another header kind',
      { header: { format: 'video', id: '1' } },
      'header/format must be image, as in the template',
    ],
    ['a header without its media', { header: { format: 'image' } }, 'header must have a link or an id'],
    [
      'a header with both',
      { header: { format: 'image', id: '1', link: 'https://cdn.example/1.jpg' } },
      'header must have either link or id, not both',
    ],
    [
      'a media handle',
      { header: { format: 'image', id: '4::aW1hZ2U' } },
      'header/id must be the id of a file here, media_…, or of an upload to the channel, digits only',
    ],
    [
      'a link that is none',
      { header: { format: 'image', link: 'file:///etc/passwd' } },
      'header/link must be a public http or https URL',
    ],
    [
      'a missing and an unknown slot',
      { bodyValues: { 2: 'x' } },
      'bodyValues/2 is not in the body of card 1; it takes 1',
      "bodyValues/1 is required: card 1's body has {{1}}",
    ],
    [
      'numbers and names mixed',
      { bodyValues: { 1: 'a', plant: 'b' } },
      'bodyValues/plant is not in the body of card 1; it takes 1',
    ],
    [
      'more names than slots',
      { bodyValues: { plant: 'a', pot: 'b' } },
      "bodyValues/pot has no slot: card 1's body takes 1",
    ],
    ['an empty value', { bodyValues: { 1: '' } }, 'bodyValues/1 must not be empty'],
    ['no value for the URL button', { buttonValues: [] }, 'buttonValues is required: URL button 1 of card 1 has {{1}}'],
  ]
  test.each(ofOneCard)('%s', (_, fields, ...expected) => {
    const said = issues(plants(2), structured(card(0), card(1, fields)))
    expect(said).toEqual(expected.map(line => `/carousel/cards/1/${line}`))
  })

  test('fewer names than slots', () => {
    const both = card(0, { bodyValues: { 1: 'a', 2: 'b' } })
    const one = card(1, { bodyValues: { plant: 'a' } })
    expect(issues(plants(2, 'Meet {{1}} and {{2}}'), structured(both, one))).toEqual([
      "/carousel/cards/1/bodyValues/2 is required: card 1's body has {{2}}",
    ])
  })

  test.each(['x', 'ä', '😀'])('a body of exactly 160 characters after substitution passes, 161 do not: %s', letter => {
    const said = (count: number) =>
      issues(plants(2), structured(card(0), card(1, { bodyValues: { 1: letter.repeat(count) } })))
    expect(said(155)).toEqual([])
    expect(said(156)).toEqual([
      '/carousel/cards/1/bodyValues makes the body of card 1 161 characters long; at most 160 are allowed',
    ])
  })

  test('a value that stands twice in the body counts twice', () => {
    const template = record([
      { type: 'BODY', text: 'Look' },
      { type: 'CAROUSEL', cards: [{ components: [{ type: 'BODY', text: '{{1}} and {{1}}' }] }] },
    ])
    const withValue = (length: number) =>
      issues(template, { carousel: { cards: [{ index: 0, bodyValues: { 1: 'x'.repeat(length) } }] } })
    expect(withValue(77)).toEqual([])
    expect(withValue(78)).toEqual([
      '/carousel/cards/0/bodyValues makes the body of card 0 161 characters long; at most 160 are allowed',
    ])
  })

  test('buttons: place, kind, repetition and value are checked', () => {
    const parameters = { type: 'text', text: 'a' }
    const buttonValues = [
      { index: 1, sub_type: 'quick_reply', parameters },
      { index: 1, sub_type: 'url', parameters: { type: 'text', text: 'x'.repeat(161) } },
      { index: 2, sub_type: 'url', parameters },
      { index: 0, sub_type: 'QUICK_REPLY', parameters: { type: 'payload', payload: '' } },
      { index: 1, sub_type: 'url', parameters: { type: 'payload', payload: 'a' } },
    ]
    const at = '/carousel/cards/1/buttonValues'
    expect(issues(plants(2), structured(card(0), card(1, { buttonValues })))).toEqual([
      `${at}/0/sub_type must be url`,
      `${at}/1/index repeats the index of another button value`,
      `${at}/1/parameters/text must be at most 160 characters long`,
      `${at}/2/index is not a button of card 1; it has 2`,
      `${at}/3/parameters/payload must not be empty`,
      `${at}/4/index repeats the index of another button value`,
      `${at}/4/parameters/type must be text`,
      `${at}/4/parameters/text is required`,
    ])
  })

  test('a button without a variable takes no value', () => {
    const components = [
      { type: 'HEADER', format: 'VIDEO' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://x.example/' }] },
    ]
    const template = record([{ type: 'CAROUSEL', cards: [{ components }, { components }] }])
    const plain = (index: number) => ({ index, header: { format: 'video', id: '1' } })
    const wrong = { ...plain(1), buttonValues: card(0).buttonValues?.map(value => ({ ...value, index: 0 })) }
    expect(issues(template, { carousel: { cards: [plain(0), plain(1)] } })).toEqual([])
    expect(issues(template, { carousel: { cards: [plain(0), wrong] } })).toEqual([
      '/carousel/cards/1/buttonValues/0/index is a button of card 1 that takes no value',
    ])
  })

  test('product cards can only be sent with templateComponents', () => {
    const cards = [{ components: [{ type: 'HEADER', format: 'PRODUCT' }] }]
    expect(issues(record([{ type: 'CAROUSEL', cards }]), { carousel: { cards: [{ index: 0 }] } })).toEqual([
      '/templateComponents is required: the header of card 0 is of the kind product, which no other field can fill',
    ])
  })
})
