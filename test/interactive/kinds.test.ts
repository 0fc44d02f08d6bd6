import { describe } from 'bun:test'
import {
  ask,
  body,
  button,
  buttons,
  call,
  carousel,
  chars,
  flow,
  items,
  judge,
  link,
  linkCard,
  list,
  product,
  productCard,
  productSections,
  products,
  type Row,
  reply,
  replyCard,
  row,
  sections,
  tooLong,
} from './samples.ts'

describe('button', () => {
  const at = '/action/buttons'
  judge([
    ['no action', button({ action: undefined }), ['/action is required'], 131008],
    ['no buttons', button({ action: {} }), [`${at} is required`], 131008],
    ['zero', buttons(), [`${at} must have 1 to 3 elements`]],
    ['three', buttons(reply('1', 'a'), reply('2', 'b'), reply('3', 'c')), []],
    ['four', buttons(...['1', '2', '3', '4'].map(n => reply(n, n))), [`${at} must have 1 to 3 elements`]],
    [
      'two titles',
      buttons(reply('1', 'a'), reply('2', 'a')),
      [`${at}/1/reply/title must be unique; /content${at}/0/reply/title is the same`],
    ],
    ['limits reached', buttons(reply(chars(256), chars(20))), []],
    [
      'limits passed',
      buttons(reply(chars(257), chars(21))),
      [tooLong(`${at}/0/reply/id`, 256), tooLong(`${at}/0/reply/title`, 20)],
    ],
    [
      'the same twice',
      buttons(reply('1', 'a'), reply('1', 'a')),
      [
        `${at}/1/reply/id must be unique; /content${at}/0/reply/id is the same`,
        `${at}/1/reply/title must be unique; /content${at}/0/reply/title is the same`,
      ],
    ],
    ['an empty id', buttons(reply('', 'a')), [`${at}/0/reply/id must not be empty`]],
    ['an empty title', buttons(reply('1', '')), [`${at}/0/reply/title must not be empty`]],
    ['a title of 20 emoji', buttons(reply('1', '😀'.repeat(20))), []],
    ['a title of 21 emoji', buttons(reply('1', '😀'.repeat(21))), [tooLong(`${at}/0/reply/title`, 20)]],
    [
      'missing parts',
      buttons({}, { type: 'url', reply: {} }, 'x'),
      [
        `${at}/0/type is required`,
        `${at}/0/reply is required`,
        `${at}/1/type must be reply or cta_url`,
        `${at}/1/reply/id is required`,
        `${at}/1/reply/title is required`,
        `${at}/2 must be an object`,
      ],
      100,
    ],
  ])
})

describe('list', () => {
  const at = '/action/sections'
  const rowsOf = (from: number, count: number) => Array.from({ length: count }, (_, n) => row(`${from + n}`))
  judge([
    [
      'no button',
      list({ action: { sections: [{ title: 'a', rows: [row('1')] }] } }),
      ['/action/button is required'],
      131008,
    ],
    ['no header', list({ header: undefined }), []],
    ['no sections', sections(), [`${at} must have 1 to 10 elements`]],
    ['ten sections', sections(...rowsOf(0, 10).map(each => ({ title: 'a', rows: [each] }))), []],
    [
      'eleven sections',
      sections(...rowsOf(0, 11).map(each => ({ title: 'a', rows: [each] }))),
      [`${at} must have 1 to 10 elements`],
    ],
    ['a row without id', sections({ rows: [row('1', { id: undefined })] }), [`${at}/0/rows/0/id is required`], 131008],
    [
      'a row without title',
      sections({ rows: [row('1', { title: undefined })] }),
      [`${at}/0/rows/0/title is required`],
      131008,
    ],
    ['ten rows in one section', sections({ title: 'a', rows: rowsOf(0, 10) }), []],
    [
      'eleven rows, one of them too long',
      sections({
        title: 'a',
        rows: rowsOf(0, 11).map((row, n) => (n === 1 ? { ...row, description: chars(73) } : row)),
      }),
      [`${at}/0/rows must have 1 to 10 elements`, tooLong(`${at}/0/rows/1/description`, 72)],
    ],
    ['eleven rows in one', sections({ title: 'a', rows: rowsOf(0, 11) }), [`${at}/0/rows must have 1 to 10 elements`]],
    [
      'eleven rows in two',
      sections({ title: 'a', rows: rowsOf(0, 5) }, { title: 'b', rows: rowsOf(5, 6) }),
      [`${at} must have at most 10 rows in all`],
    ],
    ['an empty description, which is none', sections({ rows: [row('1', { description: '' })] }), []],
    [
      'no text as description',
      sections({ rows: [row('1', { description: 7 })] }),
      [`${at}/0/rows/0/description must be a string`],
      100,
    ],
    ['a section without title that stands alone', sections({ rows: [row('1')] }), []],
    ['an empty title', sections({ title: '', rows: [row('1')] }), [`${at}/0/title must not be empty`]],
    [
      'a section without title beside another',
      sections({ title: 'a', rows: [row('1')] }, { rows: [row('2')] }),
      [`${at}/1/title is required`],
      131008,
    ],
    ['a section without rows', sections({ title: 'a', rows: [] }), [`${at}/0/rows must have 1 to 10 elements`], 131008],
    [
      'the same row id in two sections',
      sections({ title: 'a', rows: [row('1')] }, { title: 'b', rows: [row('1')] }),
      [`${at}/1/rows/0/id must be unique; /content${at}/0/rows/0/id is the same`],
    ],
    [
      'limits passed',
      list({
        action: {
          button: chars(21),
          sections: [{ title: chars(25), rows: [{ id: chars(201), title: chars(25), description: chars(73) }] }],
        },
      }),
      [
        tooLong('/action/button', 20),
        tooLong(`${at}/0/title`, 24),
        tooLong(`${at}/0/rows/0/id`, 200),
        tooLong(`${at}/0/rows/0/title`, 24),
        tooLong(`${at}/0/rows/0/description`, 72),
      ],
    ],
    [
      'limits reached',
      list({
        action: {
          button: chars(20),
          sections: [{ title: chars(24), rows: [{ id: chars(200), title: chars(24), description: chars(72) }] }],
        },
      }),
      [],
    ],
  ])
})

describe('cta_url', () => {
  const at = '/action/parameters'
  judge([
    ['http', link({ url: 'http://x.example' }), []],
    ['another scheme', link({ url: 'tel:+12025550123' }), [`${at}/url must be an http or https URL`]],
    ['a scheme that ends alike', link({ url: 'xhttps://x.example' }), [`${at}/url must be an http or https URL`]],
    [
      'no url and a long text',
      link({ url: undefined, display_text: chars(21) }),
      [tooLong(`${at}/display_text`, 20), `${at}/url is required`],
    ],
    ['a script', link({ url: 'javascript:alert(1)' }), [`${at}/url must be an http or https URL`]],
    ['a url without a scheme', link({ url: 'x.example' }), [`${at}/url must be an http or https URL`]],
    ['no label', link({ display_text: undefined }), [`${at}/display_text is required`], 131008],
    ['no parameters', link({}, { action: { name: 'cta_url' } }), [`${at} is required`], 131008],
    [
      'another action',
      link({}, { action: { name: 'flow' } }),
      ['/action/name must be cta_url', `${at} is required`],
      100,
    ],
  ])
})

describe('flow', () => {
  const at = '/action/parameters'
  judge([
    [
      'the least',
      flow({ flow_token: undefined, mode: undefined, flow_action: undefined, flow_action_payload: undefined }),
      [],
    ],
    ['a newer version', flow({ flow_message_version: '4' }), [], null],
    ['a numeric name', flow({ flow_id: undefined, flow_name: 1 }), [`${at}/flow_name must be a string`], 100],
    ['by name', flow({ flow_id: undefined, flow_name: 'signup' }), []],
    ['id and name', flow({ flow_name: 'signup' }), [`${at} must have either flow_id or flow_name`]],
    ['neither', flow({ flow_id: undefined }), [`${at} must have either flow_id or flow_name`]],
    ['a numeric id', flow({ flow_id: 1 }), [`${at}/flow_id must be a string`], 100],
    ['no version', flow({ flow_message_version: undefined }), [`${at}/flow_message_version is required`], 100],
    ['no label', flow({ flow_cta: undefined }), [`${at}/flow_cta is required`], 131008],
    ['a label of 31', flow({ flow_cta: chars(31) }), [tooLong(`${at}/flow_cta`, 30)]],
    ...['🚀', '😀', '❤️', '❤', '✈\uFE0F', '1️⃣', '🇩🇪', '\u{1F1E9}', '👍🏽'].map(
      (emoji): Row => [
        `${emoji} in the label`,
        flow({ flow_cta: `Go ${emoji}` }),
        [`${at}/flow_cta must not contain emoji`],
      ],
    ),
    ...['Acme™ #1 © ®', '#1 © * 2', 'Réserver', '预订'].map(
      (label): Row => [`the label ${label}`, flow({ flow_cta: label }), []],
    ),
    ['an empty id', flow({ flow_id: '' }), [`${at}/flow_id must not be empty`]],
    ['another mode', flow({ mode: 'test' }), [`${at}/mode must be draft or published`], 100],
    ['another action', flow({ flow_action: 'open' }), [`${at}/flow_action must be navigate or data_exchange`], 100],
    [
      'data_exchange and draft',
      flow({ flow_action: 'data_exchange', mode: 'draft', flow_action_payload: undefined }),
      [],
    ],
    ['a payload without data', flow({ flow_action_payload: { screen: 'A' } }), []],
    [
      'empty data',
      flow({ flow_action_payload: { screen: 'A', data: {} } }),
      [`${at}/flow_action_payload/data must be an object that is not empty`],
    ],
    ['an empty token', flow({ flow_token: '' }), [`${at}/flow_token must not be empty`], null],
    [
      'data as a string',
      flow({ flow_action_payload: { screen: 'A', data: '{}' } }),
      [`${at}/flow_action_payload/data must be an object that is not empty`],
      null,
    ],
    ['no screen', flow({ flow_action_payload: {} }), [`${at}/flow_action_payload/screen is required`], 131008],
  ])
})

describe('buttons with addresses and replies', () => {
  const at = '/action/buttons'
  const open = (parameters: object = {}) => ({
    type: 'cta_url',
    cta_url: { url: 'https://x.example/d', display_text: 'See', ...parameters },
  })
  const replies = (count: number) => Array.from({ length: count }, (_, n) => reply(`${n}`, `Reply ${n}`))
  judge([
    ['two and eight', buttons(open(), open({ display_text: 'More' }), ...replies(8)), []],
    ['eleven', buttons(open(), ...replies(10)), [`${at} must have 1 to 10 elements`]],
    ['three addresses', buttons(open(), open(), open()), [`${at} must have at most 2 buttons with an address`]],
    ['a reply first', buttons(reply('1', 'a'), open()), [`${at}/1 must stand before the reply buttons`]],
    ['a long text', buttons(open({ display_text: chars(21) })), [tooLong(`${at}/0/cta_url/display_text`, 20)]],
  ])
})

describe('requests and calls', () => {
  judge([
    ['a place', ask('location_request_message', 'send_location'), []],
    ['a number', ask('request_contact_info', 'request_contact_info'), []],
    ['another action', ask('location_request_message', 'location'), ['/action/name must be send_location'], 100],
    [
      'a header',
      ask('request_contact_info', 'request_contact_info', { header: { type: 'text', text: 'x' } }),
      ['/header does not belong to this kind'],
      null,
    ],
    ['no text', ask('location_request_message', 'send_location', { body: undefined }), ['/body is required'], 131008],
    ['a call', call(), []],
    ['another action of a call', ask('voice_call', 'call'), ['/action/name must be voice_call'], 100],
    [
      'a footer, of which no source says anything',
      ask('voice_call', 'voice_call', { footer: { text: 'x' } }),
      [],
      null,
    ],
    [
      'a permission to call, without a text',
      { type: 'call_permission_request', action: { name: 'call_permission_request' } },
      [],
    ],
    ['a call without parameters', ask('voice_call', 'voice_call'), []],
    ['a call without values', call({ display_text: undefined, ttl_minutes: undefined, payload: undefined }), []],
    ['a long label', call({ display_text: chars(21) }), [tooLong('/action/parameters/display_text', 20)]],
    ['a long payload', call({ payload: chars(513) }), [tooLong('/action/parameters/payload', 512)]],
    [
      'too many minutes',
      call({ ttl_minutes: 43_201 }),
      ['/action/parameters/ttl_minutes must be a whole number from 1 to 43200'],
    ],
  ])
})

describe('products', () => {
  const at = '/action/sections'
  const productsOf = (count: number) => Array.from({ length: count }, () => ({ title: 'a', product_items: items(1) }))
  judge([
    ['one', product(), []],
    ['one with a text', product({}, { body, footer: { text: 'x' } }), []],
    ['one without its catalog', product({ catalog_id: undefined }), ['/action/catalog_id is required'], 131008],
    ['sections', products(), []],
    ['without a header', products({ header: undefined }), ['/header is required'], 131008],
    ['30', productSections({ title: 'a', product_items: items(15) }, { title: 'b', product_items: items(15) }), []],
    [
      '31',
      productSections({ title: 'a', product_items: items(15) }, { title: 'b', product_items: items(16) }),
      [`${at} must have at most 30 products in all`],
    ],
    ['a long title', productSections({ title: chars(25), product_items: items(1) }), [tooLong(`${at}/0/title`, 24)]],
    [
      'sections without their catalog',
      products({ action: { sections: [{ product_items: items(1) }] } }),
      ['/action/catalog_id is required'],
      131008,
    ],
    ...[product(), ask('catalog_message', 'catalog_message')].map(
      (one): Row => [
        `a header above ${one.type}`,
        { ...one, body, header: { type: 'text', text: 'x' } },
        ['/header does not belong to this kind'],
        100,
      ],
    ),
    [
      'a catalog with empty parameters',
      { type: 'catalog_message', body, action: { name: 'catalog_message', parameters: {} } },
      [],
    ],
    [
      'an empty picture of a catalog',
      {
        type: 'catalog_message',
        body,
        action: { name: 'catalog_message', parameters: { thumbnail_product_retailer_id: '' } },
      },
      ['/action/parameters/thumbnail_product_retailer_id must not be empty'],
      null,
    ],
    ['ten sections', productSections(...productsOf(10)), []],
    ['eleven sections', productSections(...productsOf(11)), [`${at} must have 1 to 10 elements`]],
    [
      'a section without products beside another',
      productSections({ title: 'a', product_items: items(1) }, { title: 'b', product_items: [] }),
      [`${at}/1/product_items must have 1 to 30 elements`],
    ],
    ['a catalog', ask('catalog_message', 'catalog_message'), []],
    [
      'a catalog with the picture of a product',
      {
        type: 'catalog_message',
        body,
        action: { name: 'catalog_message', parameters: { thumbnail_product_retailer_id: 'sku' } },
      },
      [],
    ],
    ['a catalog without its name', { type: 'catalog_message', body, action: {} }, ['/action/name is required'], null],
  ])
})

describe('carousel', () => {
  const at = '/action/cards'
  const cards = (count: number) => Array.from({ length: count }, (_, n) => linkCard(n))
  const video = { type: 'video', video: { link: 'https://x.example/a.mp4' } }
  judge([
    ['of addresses', carousel(), []],
    ['of products', carousel([productCard(0), productCard(1)]), []],
    [
      'of replies, with the same labels',
      carousel([replyCard(0, ['More', 'Keep']), replyCard(1, ['More', 'Keep'])]),
      [],
    ],
    [
      'a reply with a long label',
      carousel([replyCard(0), replyCard(1, [chars(21)])]),
      [tooLong(`${at}/1/action/buttons/0/quick_reply/title`, 20)],
    ],
    [
      'no reply',
      carousel([replyCard(0, []), replyCard(1, [])]),
      [0, 1].map(card => `${at}/${card}/action/buttons must have 1 to 10 elements`),
    ],
    [
      'more replies than on the first card',
      carousel([replyCard(0), replyCard(1, ['More', 'Keep'])]),
      [`${at}/1/action/buttons must be the same for all cards`],
    ],
    [
      'an address beside replies',
      carousel([replyCard(0), linkCard(1)]),
      [`${at}/1/action/buttons must be the same for all cards`],
    ],
    ['ten', carousel(cards(10)), []],
    ['a card without a text', carousel([linkCard(0), linkCard(1, { body: undefined })]), []],
    [
      'a header',
      carousel(undefined, { header: { type: 'text', text: 'x' } }),
      ['/header does not belong to this kind'],
      100,
    ],
    [
      'a reply with a long id',
      carousel([
        replyCard(0),
        linkCard(1, { action: { buttons: [{ type: 'quick_reply', quick_reply: { id: chars(257), title: 'x' } }] } }),
      ]),
      [tooLong(`${at}/1/action/buttons/0/quick_reply/id`, 256)],
    ],
    [
      'a reply of another type',
      carousel([replyCard(0), linkCard(1, { action: { buttons: [{ type: 'reply' }] } })]),
      [`${at}/1/action/buttons/0/type must be quick_reply`, `${at}/1/action/buttons/0/quick_reply is required`],
      100,
    ],
    [
      'a card of another type',
      carousel([linkCard(0, { type: 'x' }), linkCard(1, { type: 'x', action: undefined })]),
      [
        `${at}/0/type must be cta_url or product`,
        `${at}/1/type must be cta_url or product`,
        `${at}/1/action is required`,
      ],
      100,
    ],
    ['eleven', carousel(cards(11)), [`${at} must have 2 to 10 elements`]],
    ['one', carousel(cards(1)), [`${at} must have 2 to 10 elements`]],
    ['a footer', carousel(undefined, { footer: { text: 'x' } }), ['/footer does not belong to this kind'], null],
    [
      'a card twice',
      carousel([linkCard(0), linkCard(0)]),
      [`${at}/1/card_index must be unique; /content${at}/0/card_index is the same`],
    ],
    [
      'a card beyond the last',
      carousel([linkCard(0), linkCard(2)]),
      [`${at}/1/card_index must be a whole number from 0 to 1`],
    ],
    ['two kinds of cards', carousel([linkCard(0), productCard(1)]), [`${at}/1/type must be the same for all cards`]],
    [
      'two kinds of headers',
      carousel([linkCard(0), linkCard(1, { header: video })]),
      [`${at}/1/header/type must be the same for all cards`],
    ],
    [
      'two catalogs',
      carousel([productCard(0), productCard(1, { catalog_id: '2' })]),
      [`${at}/1/action/catalog_id must be the same for all cards`],
    ],
    [
      'a long text',
      carousel([linkCard(0), linkCard(1, { body: { text: chars(161) } })]),
      [tooLong(`${at}/1/body/text`, 160)],
    ],
    ['two line breaks', carousel([linkCard(0), linkCard(1, { body: { text: 'a-b-c\nd\ne' } })]), []],
    [
      'three line breaks',
      carousel([linkCard(0), linkCard(1, { body: { text: 'a\nb\nc\nd' } })]),
      [`${at}/1/body/text must have at most 2 line breaks`],
      null,
    ],
  ])
})
