import { beforeAll, describe, expect, test } from 'bun:test'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { sharedFixture } from '../fixture.ts'
import { at, body, button, errorCode, errorDetails, mp4, otherLineId, png, startRig, textParameter } from './rig.ts'

const rig = sharedFixture(startRig)
let imageId = ''
let videoId = ''
let otherLineImageId = ''
beforeAll(async () => {
  imageId = String(at((await rig.upload(png, 'image/png')).json, 'id'))
  videoId = String(at((await rig.upload(mp4, 'video/mp4')).json, 'id'))
  otherLineImageId = String(at((await rig.upload(png, 'image/png', otherLineId)).json, 'id'))
})

const named = (name: string, language: string, ...components: object[]) => ({
  name,
  language: { code: language },
  ...(components.length > 0 && { components }),
})
const order = (...components: object[]) => named('order_confirmation', 'en_US', ...components)
const orderUrl = button('url', '0', textParameter('1001'))
const orderBody = body('1001', 'Ada')
const header = (...parameters: object[]) => ({ type: 'header', parameters })
const image = (id: string) => header({ type: 'image', image: { id } })
const sent = (name: string, text: string) => ({ type: 'text', parameter_name: name, text })
const offer = (expiresAt: unknown) => ({
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: expiresAt } }],
})
const coupon = (code: string) => ({ type: 'coupon_code', coupon_code: code })
const action = (content: object) => ({ type: 'action', action: content })
const dollars = { type: 'currency', currency: { fallback_value: '$100.99', code: 'USD', amount_1000: 100_990 } }
const bodyOf = (...parameters: object[]) => ({ type: 'body', parameters })
const far = Date.UTC(2030, 0, 1)

/** Sends of the templates that the sandbox begins with. */
const photo = (...components: object[]) => named('photo_ready', 'en_US', ...components)
const delivery = (...components: object[]) => named('delivery_update', 'en', ...components)
const pickup = (location: object) => named('pickup_point', 'en_US', header({ type: 'location', location }), body('A-1'))
const login = (inBody: string, inButton: string) =>
  named('login_code', 'en_US', body(inBody), button('url', '0', textParameter(inButton)))
const reminder = (text: string, code: string) =>
  named(
    'coupon_reminder',
    'en_US',
    header(textParameter(text)),
    body('a', '10'),
    button('url', '0', textParameter('x')),
    button('copy_code', '1', coupon(code)),
  )
const weekend = (...offers: object[]) =>
  named(
    'weekend_offer',
    'en_US',
    image(imageId),
    ...offers,
    body('weekend', 'Ada'),
    button('copy_code', '0', coupon('W20')),
    button('url', '1', textParameter('weekend')),
  )

/** The code, what is wrong, how it is made, and the detail text where its words matter. */
type Refused<Made> = readonly [code: number, what: string, make: () => Made, details?: string]

describe('accepted: every kind of component', () => {
  const accepted: readonly [what: string, template: () => object][] = [
    ['body and URL', () => order(orderBody, orderUrl)],
    [
      'money and a date, and the one language policy there is',
      () => ({
        ...order(bodyOf(dollars, { type: 'date_time', date_time: { fallback_value: 'Saturday' } }), orderUrl),
        language: { code: 'en_US', policy: 'deterministic' },
      }),
    ],
    ['another language', () => named('order_confirmation', 'de', orderBody, orderUrl)],
    ['nothing to fill', () => named('hello_world', 'en_US')],
    ['integer index', () => order(orderBody, { ...orderUrl, index: 0 })],
    [
      'named parameters in any order',
      () => delivery(header(sent('first_name', 'Ada')), bodyOf(sent('day', 'Monday'), sent('parcel', 'P-1'))),
    ],
    ['text header, URL and coupon', () => reminder('SUMMER20', 'SUMMER20')],
    ['image header', () => photo(image(imageId))],
    [
      'document by link',
      () =>
        named(
          'invoice_ready',
          'en_US',
          header({ type: 'document', document: { link: 'https://x.example/a.pdf' } }),
          body('R-1'),
        ),
    ],
    ['location header with texts for numbers', () => pickup({ latitude: '37.44', longitude: '-122.16', name: 'n' })],
    ['authentication: the same code twice', () => login('123456', '123456')],
    ['catalog without parameters', () => named('spring_catalog', 'en_US', body('Ada'))],
    [
      'catalog with a picture',
      () =>
        named(
          'spring_catalog',
          'en_US',
          body('Ada'),
          button('CATALOG', '0', action({ thumbnail_product_retailer_id: 'S' })),
        ),
    ],
    [
      'products',
      () =>
        named(
          'bundle_offer',
          'en_US',
          body('Ada'),
          button('mpm', '0', action({ sections: [{ title: 't', product_items: [{ product_retailer_id: 'S' }] }] })),
        ),
    ],
    ['limited-time offer', () => weekend(offer(far))],
    ['flow button', () => named('book_visit', 'en_US', body('Ada'), button('flow', '0', action({ flow_token: 't' })))],
    ['money as a body parameter', () => order(bodyOf(dollars, textParameter('Ada')), orderUrl)],
  ]
  test.each(accepted)('%s', async (_, template) => {
    const got = await rig.template(template())
    expect(got.text).toContain('wamid.')
    expect(at(got.json, 'messages', 0, 'message_status')).toBe('accepted')
  })
})

describe('refused, in the order of the checks', () => {
  const refused: readonly Refused<unknown>[] = [
    [100, 'the template is no object', () => 'x'],
    [100, 'components are no array', () => ({ ...order(), components: {} })],
    [100, 'an unknown component', () => order({ type: 'hedaer' })],
    [100, 'an unknown field in a parameter', () => order(bodyOf({ ...textParameter('x'), paramater_name: 'y' }))],
    [131008, 'no language', () => ({ name: 'order_confirmation' })],
    [132001, 'an unknown name', () => named('nope', 'en_US'), 'template name (nope) does not exist in en_US'],
    [132001, 'a language that differs in form only', () => named('order_confirmation', 'en')],
    [132001, 'pending', () => named('summer_sale', 'en_US')],
    [132001, 'rejected', () => named('bold_claim', 'en_US')],
    [132015, 'paused', () => named('tired_promo', 'en_US')],
    [132016, 'disabled', () => named('old_promo', 'en_US')],
    [
      132000,
      'a body with too few parameters is refused with the real detail text',
      () => order(body('Ada'), orderUrl),
      'body: number of localizable_params (1) does not match the expected number of params (2)',
    ],
    [132000, 'too many', () => order(body('a', 'b', 'c'), orderUrl)],
    [
      132000,
      'a text header without its parameter',
      () => named('coupon_reminder', 'en_US', body('a', 'b')),
      'header: number of localizable_params (0) does not match the expected number of params (1)',
    ],
    [132000, 'a header where there is none', () => order(header(textParameter('x')), orderBody, orderUrl)],
    [
      132012,
      'a media header that is missing',
      () => photo(),
      'header: Format mismatch, expected IMAGE, received UNKNOWN',
    ],
    [
      132012,
      'a media header of another kind',
      () => photo(header({ type: 'video', video: { id: videoId } })),
      'header: Format mismatch, expected IMAGE, received VIDEO',
    ],
    [100, 'a named template without names', () => delivery(header(textParameter('Ada')), body('a', 'b'))],
    [
      132018,
      'a name that the template does not have',
      () => delivery(header(sent('first_name', 'Ada')), bodyOf(sent('day', 'x'), sent('nope', 'y'))),
    ],
    [132018, 'names in a positional template', () => order(bodyOf(sent('a', 'b'), sent('c', 'd')), orderUrl)],
    [
      132018,
      'a newline',
      () => order(body('a\nb', 'c'), orderUrl),
      'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    ],
    [132018, 'a tab', () => order(body('a\tb', 'c'), orderUrl)],
    [132018, 'five spaces', () => order(body('a     b', 'c'), orderUrl)],
    [132018, 'an empty text', () => order(body('', 'c'), orderUrl)],
    [
      131008,
      'a URL button without its parameter',
      () => order(orderBody),
      'buttons: Button at index 0 of type Url requires a parameter',
    ],
    [132018, 'a button that does not exist', () => order(orderBody, orderUrl, button('url', '1', textParameter('x')))],
    [
      132018,
      'a button of another kind',
      () => order(orderBody, button('quick_reply', '0', { type: 'payload', payload: 'x' })),
    ],
    [132018, 'a static URL button', () => photo(image(imageId), button('url', '1', textParameter('x')))],
    [132018, 'a phone button', () => photo(image(imageId), button('voice_call', '0'))],
    [
      100,
      'a sub_type that no button has',
      () => photo(image(imageId), button('phone_number', '0', textParameter('+1'))),
    ],
    [132018, 'a footer', () => order({ type: 'footer' })],
    [
      132018,
      'a URL suffix that is not percent-encoded',
      () => order(orderBody, button('url', '0', textParameter('a b'))),
    ],
    [131009, 'a coupon of 16 characters', () => reminder('x', 'x'.repeat(16))],
    [132018, 'two different codes', () => login('1', '2')],
    [131008, 'an offer without its end', () => weekend()],
    [131009, 'seconds instead of milliseconds', () => weekend(offer(1_893_456_000))],
    [132018, 'a carousel where there is none', () => order(orderBody, orderUrl, { type: 'carousel', cards: [] })],
    [
      132000,
      'an offer with a second parameter',
      () => weekend({ ...offer(far), parameters: [...offer(far).parameters, textParameter('x')] }),
    ],
    ...[
      { type: 'currency', currency: {} },
      { type: 'currency', currency: { fallback_value: '$1', code: 'USD' } },
      { type: 'currency', currency: { fallback_value: '$1', amount_1000: 1_000 } },
      { type: 'date_time', date_time: {} },
    ].map(
      (part): Refused<unknown> => [
        131008,
        JSON.stringify(part),
        () => order(bodyOf(part, textParameter('Ada')), orderUrl),
      ],
    ),
    [131009, 'a latitude that is no number', () => pickup({ latitude: 'north', longitude: '13' })],
    [131009, 'a longitude beyond the earth', () => pickup({ latitude: 52, longitude: 9_999 })],
    [100, 'an unknown field of the template', () => ({ ...order(orderBody, orderUrl), x: 1 })],
    [
      100,
      'an unknown language policy',
      () => ({ ...order(orderBody, orderUrl), language: { code: 'en_US', policy: 'fallback' } }),
    ],
    [100, 'an unknown media id', () => photo(image('77'))],
    [100, "another line's media id", () => photo(image(otherLineImageId))],
    [131053, 'a media id of another kind', () => photo(image(videoId))],
    [132005, 'a header over 60 characters once filled', () => reminder('x'.repeat(55), 'x')],
    [132005, 'a body over 1024 characters once filled', () => order(body('x'.repeat(1_020), 'y'), orderUrl)],
  ]
  test.each(refused)('%d: %s', async (code, _, template, details = expect.anything()) => {
    const got = await rig.send({ type: 'template', template: template() })
    expect([errorCode(got), errorDetails(got) ?? '']).toEqual([code, details])
  })

  describe('an authentication template takes its code at a url button, whatever kind of button it is stored with', () => {
    const code = (text: string) => named('otp', 'en_US', body(text), button('url', '0', textParameter(text)))
    test.each<[what: string, stored: { type: string; [more: string]: unknown }, listedAs: string]>([
      ['a one-time password', { type: 'OTP', otp_type: 'ONE_TAP', text: 'Copy' }, 'URL'],
      ['copy code', { type: 'COPY_CODE', text: 'Copy' }, 'COPY_CODE'],
      ['a URL without a variable', { type: 'URL', text: 'Copy', url: 'https://www.whatsapp.com/otp/code/' }, 'URL'],
      ['a URL with one', { type: 'URL', text: 'Copy', url: 'https://www.whatsapp.com/otp/code/?code={{1}}' }, 'URL'],
    ])('%s', async (_, stored, listedAs) => {
      const components = [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [stored] }]
      const put = { name: 'otp', language: 'en_US', category: 'AUTHENTICATION', components }
      expect((await rig.call('PUT', '/sandbox/templates', put)).status).toBe(200)
      expect((await rig.template(code('123 456'))).status).toBe(200)
      expect(errorDetails(await rig.template(code('12\n6')))).toContain('new-line')
      expect(errorCode(await rig.template(named('otp', 'en_US', body('1'))))).toBe(131008)
      const { json } = await rig.call('GET', `/v25.0/${SANDBOX.accountId}/message_templates?name=otp`)
      const shown = at(json, 'data', 0, 'components', 1, 'buttons', 0)
      expect(shown).toMatchObject({ type: listedAs, text: 'Copy' })
      if (stored.type === 'OTP') expect(at(shown, 'url')).toEndWith('otp_type=ONE_TAP&code=otp{{1}}')
      else expect(shown).toEqual(stored)
    })
  })

  test('132005: the body of an offer over 600 characters once filled, also of one that does not expire', async () => {
    const components = [
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Now!', has_expiration: false } },
      { type: 'BODY', text: `${'x'.repeat(590)}{{1}}` },
    ]
    await rig.call('PUT', '/sandbox/templates', { name: 'open_offer', language: 'en_US', components })
    expect((await rig.template(named('open_offer', 'en_US', body('x'.repeat(10))))).status).toBe(200)
    expect(errorCode(await rig.template(named('open_offer', 'en_US', body('x'.repeat(11)))))).toBe(132005)
  })

  test('132005: a URL over 2000 characters once filled; 2000 are accepted', async () => {
    const url = `https://x.example/${'y'.repeat(1_972)}{{1}}`
    const components = [
      { type: 'BODY', text: 'x' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'u', url }] },
    ]
    await rig.call('PUT', '/sandbox/templates', { name: 'long_url', language: 'en_US', components })
    const send = (suffix: string) => rig.template(named('long_url', 'en_US', button('url', '0', textParameter(suffix))))
    expect((await send('x'.repeat(10))).status).toBe(200)
    expect(errorCode(await send('x'.repeat(11)))).toBe(132005)
  })

  test('131062: an authentication template cannot go to a user id', async () => {
    const template = named('login_code', 'en_US', body('1'), button('url', '0', textParameter('1')))
    const got = await rig.send({ to: undefined, recipient: 'US.123', type: 'template', template })
    expect(errorCode(got)).toBe(131062)
  })

  test('100/33: a media id that expired since the check', async () => {
    const id = String(at((await rig.upload(png, 'image/png')).json, 'id'))
    expect((await rig.template(photo(image(id)))).status).toBe(200)
    expect(rig.sandbox.control.expireMedia(id)).toBe(true)
    const got = await rig.template(photo(image(id)))
    expect(at(got.json, 'error', 'error_subcode')).toBe(33)
  })

  test('132015: a template paused since the check', async () => {
    const { control } = rig.sandbox
    await control.setTemplateStatus({ name: 'hello_world', language: 'en_US', event: 'PAUSED', silent: true })
    expect(errorCode(await rig.template(named('hello_world', 'en_US')))).toBe(132015)
    await control.setTemplateStatus({ name: 'hello_world', language: 'en_US', event: 'APPROVED', silent: true })
    expect((await rig.template(named('hello_world', 'en_US'))).status).toBe(200)
  })
})

describe('carousel', () => {
  const cardOf = (index: unknown, options: { header?: object[]; texts?: string[]; url?: boolean } = {}) => ({
    card_index: index,
    components: [
      ...(options.header ? [header(...options.header)] : [image(imageId)]),
      body(...(options.texts ?? ['Aloe', '12'])),
      ...(options.url === false ? [] : [button('url', '1', textParameter('aloe'))]),
    ],
  })
  const carouselOf = (...cards: object[]) => ({ type: 'carousel', cards })
  const plants = (...cards: object[]) => named('plant_carousel', 'en_US', body('Ada'), carouselOf(...cards))
  const clip = (index: number) => ({
    card_index: index,
    components: [header({ type: 'video', video: { id: videoId } })],
  })
  const product = (index: number) => ({
    card_index: index,
    components: [header({ type: 'product', product: { product_retailer_id: 'S', catalog_id: '1' } })],
  })

  test.each<[what: string, template: () => object]>([
    ['media cards in any order', () => plants(cardOf(2), cardOf(0), cardOf(1))],
    ['clips', () => named('clip_carousel', 'en_US', carouselOf(clip(0), clip(1)))],
    [
      'product cards beyond the stored two',
      () => named('product_carousel', 'en_US', carouselOf(...[0, 1, 2, 3].map(product))),
    ],
  ])('accepted: %s', async (_, template) => {
    expect((await rig.template(template())).text).toContain('wamid.')
  })

  const third = (options: Parameters<typeof cardOf>[1]) => () => [cardOf(0), cardOf(1), cardOf(2, options)]
  const refused: readonly Refused<object[]>[] = [
    // The text misleads, as the real one does.
    [132012, 'a card too few', () => [cardOf(0), cardOf(1)], 'header component parameter should not be empty'],
    [132018, 'a repeated index', () => [cardOf(0), cardOf(1), cardOf(1)], 'carousel: duplicate card index'],
    [132018, 'a missing index', () => [cardOf(0), cardOf(1), cardOf(undefined)]],
    [132018, 'indexes from 1 on', () => [cardOf(1), cardOf(2), cardOf(3)]],
    [100, 'an index as text', () => [cardOf(0), cardOf(1), cardOf('2')]],
    [132012, 'a card without a header', third({ header: [] })],
    [132012, 'a header of another kind', () => third({ header: [{ type: 'video', video: { id: videoId } }] })()],
    [132012, 'a link instead of an id', third({ header: [{ type: 'image', image: { link: 'https://x.example/a' } }] })],
    [132012, 'an upload handle instead of an id', third({ header: [{ type: 'image', image: { id: '4::aW' } }] })],
    [
      132000,
      'a card text with too few parameters',
      third({ texts: ['Aloe'] }),
      'card body: number of localizable_params (1) does not match the expected number of params (2)',
    ],
    [
      131008,
      'a card without its URL parameter',
      third({ url: false }),
      'Parameter value for URL was expected but was not found',
    ],
    [132005, 'a card text over 160 characters once filled', third({ texts: ['x'.repeat(150), '12'] })],
    [100, 'an unknown media id on a card', third({ header: [{ type: 'image', image: { id: '5' } }] })],
  ]
  test.each(refused)('%d: %s', async (code, _, cards, details = expect.anything()) => {
    const got = await rig.template(plants(...cards()))
    expect([errorCode(got), errorDetails(got) ?? '']).toEqual([code, details])
  })

  test('132012: the carousel itself is missing', async () => {
    expect(errorCode(await rig.template(named('plant_carousel', 'en_US', body('Ada'))))).toBe(132012)
  })
})

describe('names on URL buttons', () => {
  const url = (address: string) => ({ type: 'URL', text: 'Track', url: `https://shop.example/${address}` })
  const buttons = { type: 'BUTTONS', buttons: [url('{{parcel}}'), url('{{1}}')] }
  const image0 = { type: 'HEADER', format: 'IMAGE' }
  beforeAll(() => {
    for (const [name, ...components] of [
      ['named_urls', { type: 'BODY', text: 'For {{first_name}}' }, buttons],
      [
        'named_cards',
        { type: 'BODY', text: 'For {{first_name}}' },
        { type: 'CAROUSEL', cards: [{ components: [image0, buttons] }] },
      ],
    ] as const)
      rig.sandbox.control.putTemplate({ name, language: 'en', parameter_format: 'NAMED', components })
  })

  const toParcel = (parameter: object) => [button('url', '0', parameter), button('url', '1', textParameter('2'))]
  const inMessage = (...pair: object[]) => named('named_urls', 'en', bodyOf(sent('first_name', 'Ada')), ...pair)
  const onCard = (...pair: object[]) =>
    named('named_cards', 'en', bodyOf(sent('first_name', 'Ada')), {
      type: 'carousel',
      cards: [{ card_index: 0, components: [image(imageId), ...pair] }],
    })

  for (const [place, template] of [
    ['a message', inMessage],
    ['a card', onCard],
  ] as const) {
    test(`${place}: a name for a named placeholder, none for a number`, async () => {
      expect((await rig.template(template(...toParcel(sent('parcel', 'P-1'))))).text).toContain('wamid.')
    })
    test(`100: ${place} without the name`, async () => {
      const got = await rig.template(template(...toParcel(textParameter('P-1'))))
      expect([errorCode(got), errorDetails(got)]).toEqual([100, 'button 0: Parameter name is missing or empty'])
    })
    test(`132018: ${place} with a name that the address does not have`, async () => {
      expect(errorCode(await rig.template(template(...toParcel(sent('first_name', 'P-1')))))).toBe(132018)
      const other = [button('url', '0', sent('parcel', 'P-1')), button('url', '1', sent('parcel', '2'))]
      expect(errorCode(await rig.template(template(...other)))).toBe(132018)
    })
  }

  test('132018: a name in a positional template', async () => {
    expect(errorCode(await rig.template(order(orderBody, button('url', '0', sent('1', '1001')))))).toBe(132018)
  })
})
