import type { TestGateway } from '../gateway.ts'

export const phone = '+4915112345678'

const body = (text: string) => ({ type: 'BODY', text })
const buttons = (...list: readonly object[]) => ({ type: 'BUTTONS', buttons: list })
const urlButton = { type: 'URL', text: 'Open', url: 'https://x.example/{{1}}', example: ['https://x.example/1'] }
const record = (name: string, components: readonly object[], rest: object = {}) => ({
  name,
  components: JSON.stringify(components),
  ...rest,
})

/** A card with an image header, a body slot, a quick reply and a URL button. */
const card = (text: string) => ({
  components: [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://cdn.example/1'] } },
    body(text),
    buttons({ type: 'QUICK_REPLY', text: 'More' }, urlButton),
  ],
})

/** Templates of each kind, as the upstream lists them. */
export const catalog = [
  record('plain', [body('Hello')]),
  record('order', [body('Hi {{1}}, your order {{2}} is confirmed.')]),
  record('sale', [
    { type: 'HEADER', format: 'TEXT', text: 'Act fast, {{1}}!' },
    body('Code {{1}} expires in {{2}} days'),
    { type: 'FOOTER', text: 'Lucky Shrub' },
    buttons({ type: 'QUICK_REPLY', text: 'Stop' }, urlButton),
  ]),
  record('track', [body('Order {{1}}'), buttons(urlButton)]),
  record('cards', [body('For {{1}}'), { type: 'CAROUSEL', cards: [card('Card {{1}}'), card('Other {{1}}')] }], {
    category: 'MARKETING',
  }),
]

/** The one request that reached the upstream; takes it off the record. */
export function takeSent(gateway: TestGateway) {
  const [request, ...more] = gateway.upstream.received.splice(0)
  if (!request || more.length > 0) throw new Error(`${more.length + (request ? 1 : 0)} requests reached the upstream`)
  return request
}

export const templateOf = (request: { json: Record<string, unknown> }) =>
  request.json.template as { name: string; language: { code: string }; components?: unknown }
