import { describe, expect, test } from 'bun:test'
import type { TemplateComponent, TemplateRecord } from '../../src/graph/wire.ts'
import { compareComponents } from '../../src/templates/compare.ts'
import { exampleValues } from '../../src/templates/exampleSend.ts'
import { renderTemplate } from '../../src/templates/renderComponents.ts'
import { parseTemplate } from '../../src/templates/shape.ts'
import { authentication, catalog, couponReminder, invoice, manyButtons, named, plants, record } from './fixtures.ts'

const now = Date.parse('2026-03-01T09:30:00Z')
const text = (value: unknown, name?: string) => ({ type: 'text', text: value, ...(name && { parameter_name: name }) })
const header = (...parameters: object[]) => ({ type: 'header', parameters })
const body = (...parameters: object[]) => ({ type: 'body', parameters })
const button = (subType: string, index: string | number, ...parameters: object[]) => ({
  type: 'button',
  sub_type: subType,
  index,
  parameters,
})

/** @returns what does not fit, a line each: the pointer below `/templateComponents`, and the words */
function misfits(template: TemplateRecord, ...components: object[]): string[] {
  const issues = compareComponents(components, parseTemplate(template), now)
  expect(issues.every(({ path }) => path.startsWith('/templateComponents'))).toBe(true)
  return issues.map(({ path, message }) => `${path.slice('/templateComponents'.length)} ${message}`)
}

const buttons = (...list: object[]): TemplateComponent => ({ type: 'BUTTONS', buttons: list as never })
/** A picture above, a number to call, a fixed address. */
const shop = record([
  { type: 'HEADER', format: 'IMAGE' },
  { type: 'BODY', text: 'Our shop is open.' },
  buttons(
    { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+12025550123' },
    { type: 'URL', text: 'About', url: 'https://shop.example/about' },
  ),
])
const picture = header({ type: 'image', image: { link: 'https://files.example/cover.jpg' } })
const offer = record([
  { type: 'BODY', text: 'Save now' },
  { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
  buttons({ type: 'COPY_CODE', example: 'SAVE20' }),
])
const place = record([
  { type: 'HEADER', format: 'LOCATION' },
  { type: 'BODY', text: 'Here' },
])
const ends = (expiration_time_ms: unknown) => ({
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } }],
})
const coupon = button('copy_code', '0', { type: 'coupon_code', coupon_code: 'SAVE20' })

describe('what fits is not complained about', () => {
  const all = { authentication, catalog, couponReminder, invoice, manyButtons, named, shop, offer, place }

  test.each(Object.entries({ ...all, plants: plants(3) }))('%s, filled with its examples', (_name, template) => {
    const values = exampleValues(template)
    if (values === null) throw new Error('no examples')
    if ('templateComponents' in values) return expect(misfits(template, ...values.templateComponents)).toEqual([])
    const rendered = renderTemplate(parseTemplate(template), values)
    if (!rendered.ok) throw new Error('the examples do not fit')
    // Files are uploaded before a send.
    const sent = JSON.parse(JSON.stringify(rendered.components).replaceAll(/"link":"[^"]+"/g, '"id":"1"'))
    expect(misfits(template, ...sent)).toEqual([])
  })

  test('amounts and dates in a body, buttons of kinds that are not known here, components of next year', () => {
    const template = record([
      { type: 'BODY', text: '{{1}} on {{2}}' },
      buttons({ type: 'ORDER_DETAILS', text: 'Pay' }, { type: 'QUICK_REPLY', text: 'Stop' }),
    ])
    const amount = { type: 'currency', currency: { fallback_value: '$1', code: 'USD', amount_1000: 1000 } }
    const date = { type: 'date_time', date_time: { fallback_value: 'Monday' } }
    const pay = button('order_details', 0, { type: 'action', action: { order_details: {} } })
    const stop = button('QUICK_REPLY', '1', { type: 'payload', payload: 'stop' })
    expect(misfits(template, body(amount, date), pay, stop, { type: 'kind_of_next_year' })).toEqual([])
  })
})

describe('each mistake is named where it stands', () => {
  const onlyBody = (name: string) => body(text('Saturday', 'day'), text('Ana', name))
  const url = button('url', '3', text('77'))
  const save = button('copy_code', '4', { type: 'coupon_code', coupon_code: 'SAVE20' })
  const deals = button('url', '0', text('summer'))
  const days = body(text('SUMMER20'), text('10'))
  const pablo = header(text('Pablo'))

  test.each<[string, TemplateRecord, object[], string[]]>([
    [
      'buttons that take nothing',
      shop,
      [picture, button('phone_number', '0', text('+12025550100')), button('url', '1', text('https://shop.example/x'))],
      [
        '/1/sub_type must be left out with its component: button 0 of the template takes nothing (it is a phone number)',
        '/2/parameters/0/text must be left out with its component: button 1 of the template takes nothing (its address has no variable)',
      ],
    ],
    [
      'a header that is missing',
      shop,
      [],
      [" must have a header component: the template's header is of the kind image"],
    ],
    [
      'a header of another kind',
      shop,
      [header({ type: 'video', video: { id: '1' } })],
      ["/0/parameters/0/type must be image, as the template's header"],
    ],
    [
      'the handle of an example',
      shop,
      [header({ type: 'image', image: { id: '4::aW1n' } })],
      ['/0/parameters/0/image/id must be the media id of an upload to the channel: digits only'],
    ],
    [
      'a header where there is none',
      manyButtons,
      [header(text('x')), url, save],
      ['/0 must be left out: the template has no header that takes a value'],
    ],
    [
      'a place without its coordinates',
      place,
      [header({ type: 'location', location: { latitude: '1' } })],
      ['/0/parameters/0/location/longitude is required'],
    ],
    [
      'a parameter too many',
      couponReminder,
      [pablo, body(text('a'), text('b'), text('c')), deals],
      ["/1/parameters/2 is one too many: the template's body takes 2"],
    ],
    [
      'a parameter too few',
      couponReminder,
      [pablo, body(text('a')), deals],
      ["/1/parameters must have 2, for {{1}} and {{2}} of the template's body; it has 1"],
    ],
    [
      'a line break, and nothing at all',
      couponReminder,
      [pablo, body(text('a\nb'), text(' ')), deals],
      [
        '/1/parameters/0/text must not contain a line break, a tab or more than 4 spaces in a row',
        '/1/parameters/1/text must not be empty',
      ],
    ],
    [
      'a body that is missing, beside a button and a header',
      couponReminder,
      [],
      [
        " must have a header component: the template's header has {{1}}",
        " must have a body component: the template's body has {{1}} and {{2}}",
        ' must have a button component with sub_type url and index "0": button 0 of the template has {{1}} in its address',
      ],
    ],
    [
      'names in a template without',
      couponReminder,
      [pablo, body(text('a', 'code'), text('b')), deals],
      ["/1/parameters/0/parameter_name must be left out: the template's body has no names"],
    ],
    [
      'a name that is missing',
      named,
      [header(text('Ana')), onlyBody('first_name'), button('url', '0', text('a'))],
      [
        "/0/parameters/0/parameter_name is required: the template's header takes its values by name; it takes first_name",
        "/0/parameters must have a parameter with the parameter_name first_name: the template's header has {{first_name}}",
      ],
    ],
    [
      'a name that the template does not have',
      named,
      [header(text('Ana', 'first_name')), onlyBody('name'), button('url', '0', text('a'))],
      [
        "/1/parameters/1/parameter_name is not in the template's body; it takes first_name, day",
        "/1/parameters must have a parameter with the parameter_name first_name: the template's body has {{first_name}}",
      ],
    ],
    [
      'a name twice',
      named,
      [header(text('Ana', 'first_name')), onlyBody('day'), button('url', '0', text('a'))],
      [
        '/1/parameters/1/parameter_name repeats the name of another parameter',
        "/1/parameters must have a parameter with the parameter_name first_name: the template's body has {{first_name}}",
      ],
    ],
    [
      'a button at the wrong index, and one that no template has',
      manyButtons,
      [button('url', '2', text('77')), button('copy_code', 7, { type: 'coupon_code', coupon_code: 'SAVE20' })],
      [
        '/0/parameters/0/text must be left out with its component: button 2 of the template takes nothing (its address has no variable)',
        '/1/index names no button: the template has 5, from 0 on',
        ' must have a button component with sub_type url and index "3": button 3 of the template has {{1}} in its address',
        ' must have a button component with sub_type copy_code and index "4": button 4 of the template copies a code',
      ],
    ],
    [
      'a sub_type of another kind, and a button twice',
      manyButtons,
      [button('url', '0', text('x')), url, url, save],
      [
        '/0/sub_type must be quick_reply: so is button 0 of the template',
        '/2/index repeats the index of another button',
      ],
    ],
    [
      'a whole address',
      manyButtons,
      [button('url', '3', text('https://x.example/o/77')), save],
      [
        "/0/parameters/0/text must be only what follows https://x.example/o/ in the button's address, not a whole address",
      ],
    ],
    [
      'a code without its button',
      authentication,
      [body(text('482913'))],
      [
        ' must have a button component with sub_type url and index "0": button 0 of the template takes the same code as the body',
      ],
    ],
    [
      'two codes, and one that is too long',
      authentication,
      [body(text('4829130000000000')), button('url', '0', text('1'))],
      ['/0/parameters/0/text must be at most 15 characters long', "/1/parameters/0/text must be the body's code"],
    ],
    [
      'an offer in seconds',
      offer,
      [ends(now / 1_000), coupon],
      [`${offerEnd(0)} must be in milliseconds since 1970; this is in seconds`],
    ],
    ['an offer in the past', offer, [ends(now - 1), coupon], [`${offerEnd(0)} is in the past: the offer has ended`]],
    [
      'an offer without its end',
      offer,
      [coupon],
      [' must have a limited_time_offer component: the offer of the template expires'],
    ],
    [
      'an offer where there is none',
      manyButtons,
      [url, save, ends(now + 1)],
      ['/2 must be left out: the template has no offer that expires'],
    ],
    [
      "the template's own definition in place of its values",
      manyButtons,
      [{ type: 'FOOTER', text: 'x' }, { type: 'BUTTONS', buttons: [] }, url, save],
      [
        '/0 must be left out: a send has only what the template leaves open',
        '/1 must be left out: a send has only what the template leaves open',
      ],
    ],
    [
      'a body twice',
      record([{ type: 'BODY', text: '{{1}}' }]),
      [body(text('a')), body(text('b'))],
      ['/1 repeats the component body'],
    ],
    [
      'a text that is too long once it is filled',
      record([{ type: 'HEADER', format: 'TEXT', text: `${'x'.repeat(50)}{{1}}` }]),
      [header(text('y'.repeat(11)))],
      ["/0/parameters makes the template's header 61 characters long; at most 60 are allowed"],
    ],
    ['cards that are missing', plants(2), [days], [' must have a carousel component: the template has 2 cards']],
    [
      'cards where there are none',
      catalog,
      [{ type: 'carousel', cards: [] }],
      ['/0 must be left out: the template has no carousel'],
    ],
  ])('%s', (_what, template, components, expected) => {
    expect(misfits(template, ...components)).toEqual(expected)
  })
})

function offerEnd(at: number): string {
  return `/${at}/parameters/0/limited_time_offer/expiration_time_ms`
}

test('cards: their number, their indexes, and what each is filled with', () => {
  const card = (card_index: unknown, ...components: object[]) => ({ card_index, components })
  const image = header({ type: 'image', image: { id: '1' } })
  const buy = button('url', '1', text('aloe'))
  const cards = [
    card(0, image, body(text('a')), buy),
    card(1, header({ type: 'image', image: { link: 'https://files.example/a.jpg' } }), body(text('a'), text('b'))),
    card(undefined, image),
  ]
  expect(misfits(plants(4), body(text('Pablo'), text('20%')), { type: 'carousel', cards })).toEqual([
    '/1/cards must have 4 cards, as the template; it has 3',
    '/1/cards/1/components/0/parameters/0/image must have the id of an uploaded file: cards take no link',
    "/1/cards/1/components/1/parameters/1 is one too many: card 1's body takes 1",
    '/1/cards/1/components must have a button component with sub_type url and index "1": button 1 of card 1 has {{1}} in its address',
    '/1/cards/2/card_index is required: the cards count from 0',
  ])
})
