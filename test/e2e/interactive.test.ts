import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { body, button, buttons, chars, flow, link, list, reply, row, sections } from '../interactive/samples.ts'
import { files } from '../media/files.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { issuesOf, type Stack, startStack, user } from './stack.ts'

setDefaultTimeout(hungAfterMs)

let stack: Stack
/** An upload of the line, for headers that show a file. */
let mediaId: string

beforeAll(async () => {
  stack = await startStack()
  mediaId = await stack.upload(files.png, 'image/png')
})
afterAll(async () => {
  expect(stack.control.doubles()).toEqual([])
  await stack.stop()
})

const send = (content: unknown) =>
  stack.send({
    type: 'interactive',
    phone: user,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  })

const image = () => ({ type: 'image', image: { id: mediaId } })
const textHeader = { type: 'text', text: 'Plants' }
const plainFlow = (parameters: object = {}) => ({ ...flow(parameters), header: textHeader })

describe('201: every kind reaches the upstream as it was written', () => {
  const kinds: readonly [kind: string, payload: () => unknown][] = [
    ['button, with a picture', () => button({ header: image() })],
    [
      'button, with a linked film',
      () => button({ header: { type: 'video', video: { link: 'https://x.example/a.mp4' } } }),
    ],
    ['button, without header and footer', () => ({ type: 'button', body, action: { buttons: [reply('a', 'A')] } })],
    ['list', () => list()],
    ['list, one section', () => sections({ title: 'All', rows: [row('1')] })],
    ['cta_url', () => link()],
    ['flow by id', () => plainFlow()],
    ['flow by name', () => plainFlow({ flow_id: undefined, flow_name: 'booking' })],
    ['flow with data_exchange', () => plainFlow({ flow_action: 'data_exchange', flow_action_payload: undefined })],
    ['flow in draft', () => plainFlow({ mode: 'draft' })],
  ]
  test.each(kinds)('%s', async (_, payload) => {
    const written = JSON.parse(JSON.stringify(payload()))
    const sent = await send(written)
    expect([sent.status, sent.json.data?.status]).toEqual([201, 'SENT'])
    expect(stack.sent().at(-1)).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: user,
      type: 'interactive',
      interactive: written,
      biz_opaque_callback_data: sent.json.data.id,
    })
  })

  const others: readonly [kind: string, payload: object][] = [
    ['product', { body, action: { catalog_id: '1', product_retailer_id: 'SKU' } }],
    [
      'product_list',
      {
        header: textHeader,
        body,
        action: { catalog_id: '1', sections: [{ title: 'A', product_items: [{ product_retailer_id: 'SKU' }] }] },
      },
    ],
    ['catalog_message', { body, action: { name: 'catalog_message' } }],
    ['location_request_message', { body, action: { name: 'send_location' } }],
    ['call_permission_request', { body, action: { name: 'call_permission_request' } }],
    ['request_contact_info', { body, action: { name: 'request_contact_info' } }],
    ['carousel', { body, action: { cards: [{ card_index: 0, type: 'cta_url' }] } }],
  ]
  test.each(others)('%s is passed through', async (kind, rest) => {
    const written = { type: kind, ...rest }
    expect((await send(written)).status).toBe(201)
    expect(stack.sent().at(-1).interactive).toEqual(written)
  })

  test('a kind that nobody knows yet is the upstream to judge', async () => {
    const refused = await send({ type: 'hologram', body, action: {} })
    expect([refused.status, refused.json.error, refused.json.details.code]).toEqual([400, 'CHANNEL_GRAPH_ERROR', 100])
  })

  test('fields that the upstream may add to a known kind pass', async () => {
    const written = { ...button({ header: image() }), experiment: { a: 1 } }
    expect((await send(written)).status).toBe(201)
    expect(stack.sent().at(-1).interactive).toEqual(written)
  })
})

describe('201: the largest of each limit', () => {
  const rows = (count: number, prefix = 'r') => Array.from({ length: count }, (_, at) => row(`${prefix}${at}`))
  const largest: readonly [limit: string, payload: unknown][] = [
    ['three buttons', buttons(reply('a', 'A'), reply('b', 'B'), reply('c', 'C'))],
    ['a button id of 256 and a title of 20', buttons(reply(chars(256), chars(20)))],
    ['a title of 20 emoji', buttons(reply('a', '😀'.repeat(20)))],
    ['a body of 1024', { ...buttons(reply('a', 'A')), body: { text: chars(1024) } }],
    [
      'header and footer of 60',
      { ...buttons(reply('a', 'A')), header: { type: 'text', text: chars(60) }, footer: { text: chars(60) } },
    ],
    ['a list body of 4096', list({ body: { text: chars(4096) } })],
    ['ten rows in one section', sections({ title: 'A', rows: rows(10) })],
    [
      'ten sections of one row',
      sections(...Array.from({ length: 10 }, (_, at) => ({ title: 'A', rows: rows(1, `s${at}`) }))),
    ],
    ['a section title of 24', sections({ title: chars(24), rows: rows(1) })],
    [
      'a row with an id of 200, a title of 24 and a description of 72',
      sections({ title: 'A', rows: [{ id: chars(200), title: chars(24), description: chars(72) }] }),
    ],
    ['a list button of 20', list({ action: { button: chars(20), sections: [{ title: 'A', rows: rows(1) }] } })],
    ['a link label of 20', link({ display_text: chars(20) })],
    ['a flow label of 30', plainFlow({ flow_cta: chars(30) })],
  ]
  test.each(largest)('%s', async (_, payload) => {
    const isButtons = (payload as { type: string }).type === 'button'
    const { header } = payload as { header?: { type: string } }
    const written = isButtons && header?.type === 'image' ? { ...(payload as object), header: image() } : payload
    expect((await send(written)).status).toBe(201)
  })
})

describe('400 VALIDATION_ERROR: every limit, with its pointer', () => {
  const buttonPath = (at: number, rest: string) => `/content/action/buttons/${at}/reply/${rest}`
  const rowPath = (section: number, at: number, rest: string) =>
    `/content/action/sections/${section}/rows/${at}/${rest}`
  const parameter = (name: string) => `/content/action/parameters/${name}`
  const oneRow = (fields: object) => sections({ title: 'A', rows: [{ ...row('1'), ...fields }] })
  const section = (title: unknown) => sections({ title, rows: [row('1')] })
  const elevenRows = [
    { title: 'A', rows: Array.from({ length: 6 }, (_, at) => row(`a${at}`)) },
    { title: 'B', rows: Array.from({ length: 5 }, (_, at) => row(`b${at}`)) },
  ]

  const rows: readonly [limit: string, payload: unknown, paths: string[]][] = [
    ['content that is no JSON', '{"type":', ['/content']],
    ['content that is no object', '["button"]', ['/content']],
    ['content that is null', 'null', ['/content']],
    ['no type', { body }, ['/content/type']],
    ['a type that is no text', { type: 1, body }, ['/content/type']],

    ['button: no body', button({ body: undefined }), ['/content/body']],
    ['button: an empty body', button({ body: { text: '' } }), ['/content/body/text']],
    ['button: a body over 1024', button({ body: { text: chars(1025) } }), ['/content/body/text']],
    ['button: a footer over 60', button({ footer: { text: chars(61) } }), ['/content/footer/text']],
    ['button: a header text over 60', button({ header: { type: 'text', text: chars(61) } }), ['/content/header/text']],
    [
      'button: a header of another kind',
      button({ header: { type: 'audio', audio: { id: '1' } } }),
      ['/content/header/type'],
    ],
    ['button: a header without its file', button({ header: { type: 'image' } }), ['/content/header/image']],
    [
      'button: a header with id and link',
      button({ header: { type: 'image', image: { id: '1', link: 'https://x.example/a.png' } } }),
      ['/content/header/image'],
    ],
    [
      'button: a header link that is none',
      button({ header: { type: 'image', image: { link: 'a.png' } } }),
      ['/content/header/image/link'],
    ],
    ['button: no action', button({ action: undefined }), ['/content/action']],
    ['button: no buttons', buttons(), ['/content/action/buttons']],
    [
      'button: four buttons',
      buttons(reply('a', 'A'), reply('b', 'B'), reply('c', 'C'), reply('d', 'D')),
      ['/content/action/buttons'],
    ],
    [
      'button: another kind of button',
      buttons({ ...reply('a', 'A'), type: 'url' }),
      ['/content/action/buttons/0/type'],
    ],
    ['button: an id over 256', buttons(reply(chars(257), 'A')), [buttonPath(0, 'id')]],
    ['button: an empty id', buttons(reply('', 'A')), [buttonPath(0, 'id')]],
    ['button: a title over 20', buttons(reply('a', chars(21))), [buttonPath(0, 'title')]],
    ['button: a title over 20 emoji', buttons(reply('a', '😀'.repeat(21))), [buttonPath(0, 'title')]],
    ['button: an empty title', buttons(reply('a', '')), [buttonPath(0, 'title')]],
    ['button: an id twice', buttons(reply('a', 'A'), reply('a', 'B')), [buttonPath(1, 'id')]],
    ['button: a title twice', buttons(reply('a', 'A'), reply('b', 'A')), [buttonPath(1, 'title')]],

    ['list: a body over 4096', list({ body: { text: chars(4097) } }), ['/content/body/text']],
    ['list: a footer over 60', list({ footer: { text: chars(61) } }), ['/content/footer/text']],
    [
      'list: a header that shows a file',
      list({ header: { type: 'image', image: { id: '1' } } }),
      ['/content/header/type'],
    ],
    ['list: a header text over 60', list({ header: { type: 'text', text: chars(61) } }), ['/content/header/text']],
    ['list: no button', list({ action: { sections: [{ title: 'A', rows: [row('1')] }] } }), ['/content/action/button']],
    [
      'list: a button over 20',
      list({ action: { button: chars(21), sections: [{ title: 'A', rows: [row('1')] }] } }),
      ['/content/action/button'],
    ],
    ['list: no sections', sections(), ['/content/action/sections']],
    [
      'list: eleven sections',
      sections(...Array.from({ length: 11 }, (_, at) => ({ title: 'A', rows: [row(`${at}`)] }))),
      ['/content/action/sections'],
    ],
    ['list: eleven rows in all', sections(...elevenRows), ['/content/action/sections']],
    [
      'list: eleven rows in one section',
      sections({ title: 'A', rows: Array.from({ length: 11 }, (_, at) => row(`${at}`)) }),
      ['/content/action/sections/0/rows'],
    ],
    ['list: a section without rows', sections({ title: 'A', rows: [] }), ['/content/action/sections/0/rows']],
    [
      'list: a section without a title beside another',
      sections({ title: 'A', rows: [row('1')] }, { rows: [row('2')] }),
      ['/content/action/sections/1/title'],
    ],
    ['list: a section title over 24', section(chars(25)), ['/content/action/sections/0/title']],
    ['list: a row id over 200', oneRow({ id: chars(201) }), [rowPath(0, 0, 'id')]],
    ['list: a row without an id', oneRow({ id: undefined }), [rowPath(0, 0, 'id')]],
    ['list: a row title over 24', oneRow({ title: chars(25) }), [rowPath(0, 0, 'title')]],
    ['list: a row without a title', oneRow({ title: undefined }), [rowPath(0, 0, 'title')]],
    ['list: a row description over 72', oneRow({ description: chars(73) }), [rowPath(0, 0, 'description')]],
    [
      'list: a row id twice, in two sections',
      sections({ title: 'A', rows: [row('1')] }, { title: 'B', rows: [row('1')] }),
      [rowPath(1, 0, 'id')],
    ],

    ['cta_url: a body over 1024', link({}, { body: { text: chars(1025) } }), ['/content/body/text']],
    ['cta_url: a footer over 60', link({}, { footer: { text: chars(61) } }), ['/content/footer/text']],
    [
      'cta_url: another action',
      link({}, { action: { name: 'url', parameters: link().action.parameters } }),
      ['/content/action/name'],
    ],
    ['cta_url: no parameters', link({}, { action: { name: 'cta_url' } }), ['/content/action/parameters']],
    ['cta_url: no label', link({ display_text: undefined }), [parameter('display_text')]],
    ['cta_url: a label over 20', link({ display_text: chars(21) }), [parameter('display_text')]],
    ['cta_url: no address', link({ url: undefined }), [parameter('url')]],
    ['cta_url: an address that is none', link({ url: 'x.example' }), [parameter('url')]],
    ['cta_url: an address of another scheme', link({ url: 'javascript:alert(1)' }), [parameter('url')]],

    ['flow: a body over 1024', { ...plainFlow(), body: { text: chars(1025) } }, ['/content/body/text']],
    ['flow: no version', plainFlow({ flow_message_version: undefined }), [parameter('flow_message_version')]],
    ['flow: neither id nor name', plainFlow({ flow_id: undefined }), ['/content/action/parameters']],
    ['flow: id and name', plainFlow({ flow_name: 'booking' }), ['/content/action/parameters']],
    ['flow: no label', plainFlow({ flow_cta: undefined }), [parameter('flow_cta')]],
    ['flow: a label over 30', plainFlow({ flow_cta: chars(31) }), [parameter('flow_cta')]],
    ['flow: a label with emoji', plainFlow({ flow_cta: 'Book 😀' }), [parameter('flow_cta')]],
    ['flow: another mode', plainFlow({ mode: 'live' }), [parameter('mode')]],
    ['flow: another action', plainFlow({ flow_action: 'open' }), [parameter('flow_action')]],
    ['flow: an empty token', plainFlow({ flow_token: '' }), [parameter('flow_token')]],
    [
      'flow: a payload without a screen',
      plainFlow({ flow_action_payload: {} }),
      [parameter('flow_action_payload/screen')],
    ],
    [
      'flow: data without anything in it',
      plainFlow({ flow_action_payload: { screen: 'A', data: {} } }),
      [parameter('flow_action_payload/data')],
    ],

    ['another kind: a body that is no object', { type: 'product', body: 'x', action: {} }, ['/content/body']],
    ['another kind: an action that is no object', { type: 'product', body, action: [] }, ['/content/action']],

    [
      'everything at once',
      {
        type: 'button',
        header: { type: 'text', text: chars(61) },
        body: { text: chars(1025) },
        footer: { text: chars(61) },
        action: { buttons: [reply(chars(257), 'A'), reply('b', 'A'), { type: 'url' }] },
      },
      [
        '/content/action/buttons/0/reply/id',
        '/content/action/buttons/1/reply/title',
        '/content/action/buttons/2/reply',
        '/content/action/buttons/2/type',
        '/content/body/text',
        '/content/footer/text',
        '/content/header/text',
      ],
    ],
  ]

  test.each(rows)('%s', async (_, payload, paths) => {
    const before = stack.control.totals().requests
    expect(issuesOf(await send(payload)).map(([path]) => path)).toEqual(paths.toSorted())
    expect(stack.control.totals().requests).toBe(before)
  })

  test('a value is never shown, however wrong it is', async () => {
    const refused = await send(buttons(reply('secret-id', 'Secret title'), reply('secret-id', 'Secret title')))
    expect(issuesOf(refused)).toHaveLength(2)
    expect(refused.text.toLowerCase()).not.toContain('secret')
  })

  test('content that is an object instead of JSON text names the field', async () => {
    const refused = await stack.send({ type: 'interactive', phone: user, content: button() })
    expect(issuesOf(refused).map(([path]) => path)).toEqual(['/content'])
  })
})
