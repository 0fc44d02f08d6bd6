import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  body,
  button,
  buttons,
  chars,
  flow,
  link,
  list,
  productCard,
  reply,
  row,
  sections,
} from '../interactive/samples.ts'
import { files } from '../media/outgoing/files.ts'
import { issuesOf, type Stack, startStack, user } from './stack.ts'

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
    ['carousel', { body, action: { cards: [productCard(0), productCard(1)] } }],
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
  test('is taken by the gateway and by the stand-in', async () => {
    for (const [limit, payload] of largest) {
      const isButtons = (payload as { type: string }).type === 'button'
      const { header } = payload as { header?: { type: string } }
      const written = isButtons && header?.type === 'image' ? { ...(payload as object), header: image() } : payload
      expect([limit, (await send(written)).status]).toEqual([limit, 201])
    }
  })
})

/** What is refused, limit by limit: `test/interactive/`. */
describe('400 VALIDATION_ERROR', () => {
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
