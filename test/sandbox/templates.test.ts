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
const image = (id: string) => ({ type: 'header', parameters: [{ type: 'image', image: { id } }] })
const sent = (name: string, text: string) => ({ type: 'text', parameter_name: name, text })
const offer = (expiresAt: unknown) => ({
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: expiresAt } }],
})
const coupon = (code: string) => ({ type: 'coupon_code', coupon_code: code })
const action = (content: object) => ({ type: 'action', action: content })

describe('accepted: every kind of component', () => {
  const far = Date.UTC(2030, 0, 1)
  const samples: readonly { name: string; template: () => object }[] = [
    { name: 'body and URL', template: () => order(orderBody, orderUrl) },
    {
      name: 'money and a date, and the one language policy there is',
      template: () => ({
        ...order(
          {
            type: 'body',
            parameters: [
              { type: 'currency', currency: { fallback_value: '$100.99', code: 'USD', amount_1000: 100_990 } },
              { type: 'date_time', date_time: { fallback_value: 'Saturday' } },
            ],
          },
          orderUrl,
        ),
        language: { code: 'en_US', policy: 'deterministic' },
      }),
    },
    { name: 'another language', template: () => named('order_confirmation', 'de', orderBody, orderUrl) },
    { name: 'nothing to fill', template: () => named('hello_world', 'en_US') },
    { name: 'integer index', template: () => order(orderBody, { ...orderUrl, index: 0 }) },
    {
      name: 'named parameters in any order',
      template: () =>
        named(
          'delivery_update',
          'en',
          { type: 'header', parameters: [sent('first_name', 'Ada')] },
          { type: 'body', parameters: [sent('day', 'Monday'), sent('parcel', 'P-1')] },
        ),
    },
    {
      name: 'text header, URL and coupon',
      template: () =>
        named(
          'coupon_reminder',
          'en_US',
          { type: 'header', parameters: [textParameter('SUMMER20')] },
          body('SUMMER20', '10'),
          button('url', '0', textParameter('SUMMER20')),
          button('copy_code', '1', coupon('SUMMER20')),
        ),
    },
    { name: 'image header', template: () => named('photo_ready', 'en_US', image(imageId)) },
    {
      name: 'document by link',
      template: () =>
        named(
          'invoice_ready',
          'en_US',
          { type: 'header', parameters: [{ type: 'document', document: { link: 'https://x.example/a.pdf' } }] },
          body('R-1'),
        ),
    },
    {
      name: 'location header with texts for numbers',
      template: () =>
        named(
          'pickup_point',
          'en_US',
          {
            type: 'header',
            parameters: [{ type: 'location', location: { latitude: '37.44', longitude: '-122.16', name: 'n' } }],
          },
          body('A-1'),
        ),
    },
    {
      name: 'authentication: the same code twice',
      template: () => named('login_code', 'en_US', body('123456'), button('url', '0', textParameter('123456'))),
    },
    { name: 'catalog without parameters', template: () => named('spring_catalog', 'en_US', body('Ada')) },
    {
      name: 'catalog with a picture',
      template: () =>
        named(
          'spring_catalog',
          'en_US',
          body('Ada'),
          button('CATALOG', '0', action({ thumbnail_product_retailer_id: 'S' })),
        ),
    },
    {
      name: 'products',
      template: () =>
        named(
          'bundle_offer',
          'en_US',
          body('Ada'),
          button('mpm', '0', action({ sections: [{ title: 't', product_items: [{ product_retailer_id: 'S' }] }] })),
        ),
    },
    {
      name: 'limited-time offer',
      template: () =>
        named(
          'weekend_offer',
          'en_US',
          image(imageId),
          offer(far),
          body('weekend', 'Ada'),
          button('copy_code', '0', coupon('W20')),
          button('url', '1', textParameter('weekend')),
        ),
    },
    {
      name: 'flow button',
      template: () => named('book_visit', 'en_US', body('Ada'), button('flow', '0', action({ flow_token: 't' }))),
    },
    {
      name: 'money as a body parameter',
      template: () =>
        order(
          {
            type: 'body',
            parameters: [
              { type: 'currency', currency: { fallback_value: '$1', code: 'USD', amount_1000: 1_000 } },
              textParameter('Ada'),
            ],
          },
          orderUrl,
        ),
    },
  ]
  for (const { name, template } of samples)
    test(name, async () => {
      const got = await rig.template(template())
      expect(got.text).toContain('wamid.')
      expect(at(got.json, 'messages', 0, 'message_status')).toBe('accepted')
    })
})

describe('refused, in the order of the checks', () => {
  const refused: readonly { name: string; template: () => unknown; code: number; details?: string }[] = [
    { name: '100: the template is no object', template: () => 'x', code: 100 },
    { name: '100: components are no array', template: () => ({ ...order(), components: {} }), code: 100 },
    { name: '100: an unknown component', template: () => order({ type: 'hedaer' }), code: 100 },
    {
      name: '100: an unknown field in a parameter',
      template: () => order({ type: 'body', parameters: [{ type: 'text', text: 'x', paramater_name: 'y' }] }),
      code: 100,
    },
    { name: '131008: no language', template: () => ({ name: 'order_confirmation' }), code: 131008 },
    {
      name: '132001: an unknown name',
      template: () => named('nope', 'en_US'),
      code: 132001,
      details: 'template name (nope) does not exist in en_US',
    },
    {
      name: '132001: a language that differs in form only',
      template: () => named('order_confirmation', 'en'),
      code: 132001,
    },
    { name: '132001: pending', template: () => named('summer_sale', 'en_US'), code: 132001 },
    { name: '132001: rejected', template: () => named('bold_claim', 'en_US'), code: 132001 },
    { name: '132015: paused', template: () => named('tired_promo', 'en_US'), code: 132015 },
    { name: '132016: disabled', template: () => named('old_promo', 'en_US'), code: 132016 },
    {
      name: '132000: a body with too few parameters is refused with the real detail text',
      template: () => order(body('Ada'), orderUrl),
      code: 132000,
      details: 'body: number of localizable_params (1) does not match the expected number of params (2)',
    },
    { name: '132000: too many', template: () => order(body('a', 'b', 'c'), orderUrl), code: 132000 },
    {
      name: '132000: a text header without its parameter',
      template: () => named('coupon_reminder', 'en_US', body('a', 'b')),
      code: 132000,
      details: 'header: number of localizable_params (0) does not match the expected number of params (1)',
    },
    {
      name: '132000: a header where there is none',
      template: () => order({ type: 'header', parameters: [textParameter('x')] }, orderBody, orderUrl),
      code: 132000,
    },
    {
      name: '132012: a media header that is missing',
      template: () => named('photo_ready', 'en_US'),
      code: 132012,
      details: 'header: Format mismatch, expected IMAGE, received UNKNOWN',
    },
    {
      name: '132012: a media header of another kind',
      template: () =>
        named('photo_ready', 'en_US', { type: 'header', parameters: [{ type: 'video', video: { id: videoId } }] }),
      code: 132012,
      details: 'header: Format mismatch, expected IMAGE, received VIDEO',
    },
    {
      name: '132012: a named template without names',
      template: () =>
        named('delivery_update', 'en', { type: 'header', parameters: [textParameter('Ada')] }, body('a', 'b')),
      code: 132012,
    },
    {
      name: '132018: a name that the template does not have',
      template: () =>
        named(
          'delivery_update',
          'en',
          { type: 'header', parameters: [sent('first_name', 'Ada')] },
          { type: 'body', parameters: [sent('day', 'x'), sent('nope', 'y')] },
        ),
      code: 132018,
    },
    {
      name: '132018: names in a positional template',
      template: () => order({ type: 'body', parameters: [sent('a', 'b'), sent('c', 'd')] }, orderUrl),
      code: 132018,
    },
    {
      name: '132018: a newline',
      template: () => order(body('a\nb', 'c'), orderUrl),
      code: 132018,
      details: 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    },
    { name: '132018: a tab', template: () => order(body('a\tb', 'c'), orderUrl), code: 132018 },
    { name: '132018: five spaces', template: () => order(body('a     b', 'c'), orderUrl), code: 132018 },
    { name: '132018: an empty text', template: () => order(body('', 'c'), orderUrl), code: 132018 },
    {
      name: '131008: a URL button without its parameter',
      template: () => order(orderBody),
      code: 131008,
      details: 'buttons: Button at index 0 of type Url requires a parameter',
    },
    {
      name: '132018: a button that does not exist',
      template: () => order(orderBody, orderUrl, button('url', '1', textParameter('x'))),
      code: 132018,
    },
    {
      name: '132018: a button of another kind',
      template: () => order(orderBody, button('quick_reply', '0', { type: 'payload', payload: 'x' })),
      code: 132018,
    },
    {
      name: '132018: a static URL button',
      template: () => named('photo_ready', 'en_US', image(imageId), button('url', '1', textParameter('x'))),
      code: 132018,
    },
    {
      name: '132018: a phone button',
      template: () => named('photo_ready', 'en_US', image(imageId), button('voice_call', '0')),
      code: 132018,
    },
    { name: '132018: a footer', template: () => order({ type: 'footer' }), code: 132018 },
    {
      name: '132018: a URL suffix that is not percent-encoded',
      template: () => order(orderBody, button('url', '0', textParameter('a b'))),
      code: 132018,
    },
    {
      name: '131009: a coupon of 16 characters',
      template: () =>
        named(
          'coupon_reminder',
          'en_US',
          { type: 'header', parameters: [textParameter('x')] },
          body('a', 'b'),
          button('url', '0', textParameter('x')),
          button('copy_code', '1', coupon('x'.repeat(16))),
        ),
      code: 131009,
    },
    {
      name: '132018: two different codes',
      template: () => named('login_code', 'en_US', body('1'), button('url', '0', textParameter('2'))),
      code: 132018,
    },
    {
      name: '131008: an offer without its end',
      template: () =>
        named(
          'weekend_offer',
          'en_US',
          image(imageId),
          body('a', 'b'),
          button('copy_code', '0', coupon('x')),
          button('url', '1', textParameter('x')),
        ),
      code: 131008,
    },
    {
      name: '131009: seconds instead of milliseconds',
      template: () =>
        named(
          'weekend_offer',
          'en_US',
          image(imageId),
          offer(1_893_456_000),
          body('a', 'b'),
          button('copy_code', '0', coupon('x')),
          button('url', '1', textParameter('x')),
        ),
      code: 131009,
    },
    {
      name: '132018: a carousel where there is none',
      template: () => order(orderBody, orderUrl, { type: 'carousel', cards: [] }),
      code: 132018,
    },
    {
      name: '132000: an offer with a second parameter',
      template: () =>
        named(
          'weekend_offer',
          'en_US',
          image(imageId),
          {
            ...offer(Date.UTC(2030, 0, 1)),
            parameters: [...offer(Date.UTC(2030, 0, 1)).parameters, textParameter('x')],
          },
          body('a', 'b'),
          button('copy_code', '0', coupon('x')),
          button('url', '1', textParameter('x')),
        ),
      code: 132000,
    },
    ...[
      { type: 'currency', currency: {} },
      { type: 'currency', currency: { fallback_value: '$1', code: 'USD' } },
      { type: 'currency', currency: { fallback_value: '$1', amount_1000: 1_000 } },
      { type: 'date_time', date_time: {} },
    ].map(parameter => ({
      name: `131008: ${JSON.stringify(parameter)}`,
      template: () => order({ type: 'body', parameters: [parameter, textParameter('Ada')] }, orderUrl),
      code: 131008,
    })),
    ...[
      { latitude: 'north', longitude: '13' },
      { latitude: 52, longitude: 9_999 },
    ].map(location => ({
      name: `131009: a location at ${JSON.stringify(location)}`,
      template: () =>
        named('pickup_point', 'en_US', { type: 'header', parameters: [{ type: 'location', location }] }, body('A-1')),
      code: 131009,
    })),
    {
      name: '100: an unknown field of the template',
      template: () => ({ ...order(orderBody, orderUrl), x: 1 }),
      code: 100,
    },
    {
      name: '100: an unknown language policy',
      template: () => ({ ...order(orderBody, orderUrl), language: { code: 'en_US', policy: 'fallback' } }),
      code: 100,
    },
    { name: '100/33: an unknown media id', template: () => named('photo_ready', 'en_US', image('77')), code: 100 },
    {
      name: "100/33: another line's media id",
      template: () => named('photo_ready', 'en_US', image(otherLineImageId)),
      code: 100,
    },
    {
      name: '131053: a media id of another kind',
      template: () => named('photo_ready', 'en_US', image(videoId)),
      code: 131053,
    },
    {
      name: '132005: a header over 60 characters once filled',
      template: () =>
        named(
          'coupon_reminder',
          'en_US',
          { type: 'header', parameters: [textParameter('x'.repeat(55))] },
          body('a', 'b'),
          button('url', '0', textParameter('x')),
          button('copy_code', '1', coupon('x')),
        ),
      code: 132005,
    },
    {
      name: '132005: a body over 1024 characters once filled',
      template: () => order(body('x'.repeat(1_020), 'y'), orderUrl),
      code: 132005,
    },
  ]
  for (const { name, template, code, details } of refused)
    test(name, async () => {
      const got = await rig.send({ type: 'template', template: template() })
      expect(errorCode(got)).toBe(code)
      if (details !== undefined) expect(errorDetails(got)).toBe(details)
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
    expect((await rig.template(named('photo_ready', 'en_US', image(id)))).status).toBe(200)
    expect(rig.sandbox.control.expireMedia(id)).toBe(true)
    const got = await rig.template(named('photo_ready', 'en_US', image(id)))
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
      { type: 'header', parameters: options.header ?? [{ type: 'image', image: { id: imageId } }] },
      body(...(options.texts ?? ['Aloe', '12'])),
      ...(options.url === false ? [] : [button('url', '1', textParameter('aloe'))]),
    ],
  })
  const plants = (...cards: object[]) => named('plant_carousel', 'en_US', body('Ada'), { type: 'carousel', cards })
  const clip = (index: number) => ({
    card_index: index,
    components: [{ type: 'header', parameters: [{ type: 'video', video: { id: videoId } }] }],
  })
  const product = (index: number) => ({
    card_index: index,
    components: [
      { type: 'header', parameters: [{ type: 'product', product: { product_retailer_id: 'S', catalog_id: '1' } }] },
    ],
  })

  test('accepted: media cards in any order, clips, product cards beyond the stored two', async () => {
    expect((await rig.template(plants(cardOf(2), cardOf(0), cardOf(1)))).text).toContain('wamid.')
    expect(
      (await rig.template(named('clip_carousel', 'en_US', { type: 'carousel', cards: [clip(0), clip(1)] }))).text,
    ).toContain('wamid.')
    const products = { type: 'carousel', cards: [0, 1, 2, 3].map(product) }
    expect((await rig.template(named('product_carousel', 'en_US', products))).text).toContain('wamid.')
  })

  const refused: readonly { name: string; cards: () => object[]; code: number; details?: string }[] = [
    {
      name: '132012: one card too few gets the misleading detail text',
      cards: () => [cardOf(0), cardOf(1)],
      code: 132012,
      details: 'header component parameter should not be empty',
    },
    {
      name: '132018: a repeated index',
      cards: () => [cardOf(0), cardOf(1), cardOf(1)],
      code: 132018,
      details: 'carousel: duplicate card index',
    },
    { name: '132018: a missing index', cards: () => [cardOf(0), cardOf(1), cardOf(undefined)], code: 132018 },
    { name: '132018: indexes from 1 on', cards: () => [cardOf(1), cardOf(2), cardOf(3)], code: 132018 },
    { name: '100: an index as text', cards: () => [cardOf(0), cardOf(1), cardOf('2')], code: 100 },
    {
      name: '132012: a card without a header',
      cards: () => [cardOf(0), cardOf(1), cardOf(2, { header: [] })],
      code: 132012,
    },
    {
      name: '132012: a header of another kind',
      cards: () => [cardOf(0), cardOf(1), cardOf(2, { header: [{ type: 'video', video: { id: videoId } }] })],
      code: 132012,
    },
    {
      name: '132012: a link instead of an id',
      cards: () => [
        cardOf(0),
        cardOf(1),
        cardOf(2, { header: [{ type: 'image', image: { link: 'https://x.example/a.png' } }] }),
      ],
      code: 132012,
    },
    {
      name: '132012: an upload handle instead of an id',
      cards: () => [cardOf(0), cardOf(1), cardOf(2, { header: [{ type: 'image', image: { id: '4::aW' } }] })],
      code: 132012,
    },
    {
      name: '132000: a card text with too few parameters',
      cards: () => [cardOf(0), cardOf(1), cardOf(2, { texts: ['Aloe'] })],
      code: 132000,
      details: 'card body: number of localizable_params (1) does not match the expected number of params (2)',
    },
    {
      name: '131008: a card without its URL parameter',
      cards: () => [cardOf(0), cardOf(1), cardOf(2, { url: false })],
      code: 131008,
      details: 'Parameter value for URL was expected but was not found',
    },
    {
      name: '132005: a card text over 160 characters once filled',
      cards: () => [cardOf(0), cardOf(1), cardOf(2, { texts: ['x'.repeat(150), '12'] })],
      code: 132005,
    },
    {
      name: '100/33: an unknown media id on a card',
      cards: () => [cardOf(0), cardOf(1), cardOf(2, { header: [{ type: 'image', image: { id: '5' } }] })],
      code: 100,
    },
  ]
  for (const { name, cards, code, details } of refused)
    test(name, async () => {
      const got = await rig.template(plants(...cards()))
      expect(errorCode(got)).toBe(code)
      if (details !== undefined) expect(errorDetails(got)).toBe(details)
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
  const inMessage = (...pair: object[]) =>
    named('named_urls', 'en', { type: 'body', parameters: [sent('first_name', 'Ada')] }, ...pair)
  const onCard = (...pair: object[]) =>
    named(
      'named_cards',
      'en',
      { type: 'body', parameters: [sent('first_name', 'Ada')] },
      { type: 'carousel', cards: [{ card_index: 0, components: [image(imageId), ...pair] }] },
    )

  for (const [place, template] of [
    ['a message', inMessage],
    ['a card', onCard],
  ] as const) {
    test(`${place}: a name for a named placeholder, none for a number`, async () => {
      expect((await rig.template(template(...toParcel(sent('parcel', 'P-1'))))).text).toContain('wamid.')
    })
    test(`132012: ${place} without the name`, async () => {
      const got = await rig.template(template(...toParcel(textParameter('P-1'))))
      expect([errorCode(got), errorDetails(got)]).toEqual([132012, 'button 0: Parameter name is missing or empty'])
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
