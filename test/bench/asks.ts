import { dayMs, secondMs } from '../../src/base/durations.ts'
import { mediaBytesMax } from '../../src/base/upstreamLimits.ts'
import { type PartnerCall, partnerPrefix } from '../../src/http/calls.ts'
import { dropInPrefix } from '../../src/http/dropInCalls.ts'
import type { Request } from './loops.ts'
import { manyTemplatesAccount } from './manyTemplates.ts'
import type { Neighbour } from './neighbour.ts'
import { mark } from './traffic.ts'

/*
 * Every call that a key can make, with the heaviest input that is allowed. What can be done once only is asked of many
 * things, and then refused.
 */

/** Makes what has to be there, right before the call is asked. */
type Ask = (neighbour: Neighbour) => readonly Request[] | Promise<readonly Request[]>

const api = (method: string, path: string, body?: object): Request => ({
  method,
  path: partnerPrefix + path,
  ...(body && { body: JSON.stringify(body) }),
})
const graph = (method: string, path: string, body?: object): Request => ({
  method,
  path: `${dropInPrefix}/v23.0${path}`,
  ...(body && { body: JSON.stringify(body) }),
})

/** As many cards of people as fit into one body, each with as much as its share of it. */
const cardsOf = (name: object) =>
  Array.from({ length: 200 }, () => ({
    name,
    phones: [{ phone: '+4915112345678', type: 'CELL' }],
    org: { company: 'Acme', title: 'x'.repeat(150), department: 'x'.repeat(150) },
  }))
const phone = `+4915${mark}`
const largestSend = { type: 'contacts', phone, contacts: cardsOf({ formattedName: 'Ada Lovelace', firstName: 'Ada' }) }
const largestGraphSend = {
  messaging_product: 'whatsapp',
  to: phone,
  type: 'contacts',
  contacts: cardsOf({ formatted_name: 'Ada Lovelace', first_name: 'Ada' }),
}
const items = Array.from({ length: 1_000 }, (_, at) => ({
  ...{ type: 'text', phone: `+4917${100_000_000 + at}`, content: 'x'.repeat(1_900) },
}))
const later = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
const file = (bytes: number) => ({ bytes, type: 'application/pdf', form: true })
const blockedUsers = {
  messaging_product: 'whatsapp',
  block_users: Array.from({ length: 1_000 }, (_, at) => ({ user: `+4915${100_000_000 + at}` })),
}
/** Of ten cards, as the platform takes them. */
const largestTemplate = {
  ...{ name: `news_${mark}`, language: 'en_US', category: 'MARKETING' },
  components: [
    { type: 'BODY', text: 'x'.repeat(1_024) },
    {
      type: 'CAROUSEL',
      cards: Array.from({ length: 10 }, () => ({
        components: [
          { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::bench'] } },
          { type: 'BODY', text: 'x'.repeat(160) },
          {
            type: 'BUTTONS',
            buttons: [{ type: 'URL', text: 'View', url: `https://shop.example/${'x'.repeat(1_900)}` }],
          },
        ],
      })),
    },
  ],
}
const moves = async ({ runningBatch }: Neighbour) => {
  const id = await runningBatch()
  return ['pause', 'resume'].map(move => api('POST', `/batches/${id}/${move}`))
}
const ofEndpoint =
  (of: (id: string) => Request): Ask =>
  async ({ endpoint }) => [of(await endpoint())]

export const asks: Readonly<Record<PartnerCall, Ask>> = {
  'POST /messages/send': () => [api('POST', '/messages/send', largestSend)],
  'POST /messages/check': () => [api('POST', '/messages/check', largestSend)],
  'GET /messages/:messageId': ({ messages }) => messages.map(id => api('GET', `/messages/${id}`)),
  'PATCH /messages/:messageId': async ({ scheduled }) =>
    (await scheduled()).map((id, at) => api('PATCH', `/messages/${id}`, { sendAt: later(2 + (at % 20)) })),
  'DELETE /messages/:messageId': async ({ scheduled }) =>
    (await scheduled()).map(id => api('DELETE', `/messages/${id}`)),
  'GET /messages': () => [
    api('GET', '/messages?limit=100'),
    api('GET', '/messages?limit=100&templateName=none'),
    api('GET', '/messages?limit=100&reference=none&order=asc'),
  ],
  'GET /lines': () => [api('GET', '/lines')],
  'GET /events': () => [api('GET', '/events?limit=100'), api('GET', '/events?limit=100&type=payment.failed')],
  'GET /templates': () => [
    api('GET', '/templates'),
    api('GET', '/templates?language=en_US'),
    api('GET', '/templates?name=order_17'),
  ],
  'GET /inbound': () => [api('GET', '/inbound?limit=100')],
  'GET /inbound/:inboundId': ({ inbound }) => inbound.map(id => api('GET', `/inbound/${id}`)),
  'POST /inbound/:inboundId/read': ({ inbound }) => inbound.map(id => api('POST', `/inbound/${id}/read`)),
  'POST /media': () => [{ ...api('POST', '/media'), file: file(mediaBytesMax.document) }],
  'GET /media/:mediaId': async ({ mediaId }) => [api('GET', `/media/${await mediaId()}`)],
  'GET /contacts': () => [api('GET', '/contacts?phone=%2B4916000000017')],
  'GET /contacts/:contactId': ({ contactId }) => [api('GET', `/contacts/${contactId}`)],
  'POST /contacts': () => [api('POST', '/contacts', { phone: '+4916000000017' })],
  // A person who never wrote is blocked on the default line.
  'PUT /contacts/:contactId/blocked': ({ contactId }) => [
    api('PUT', `/contacts/${contactId}/blocked`, { blocked: true }),
  ],
  'PUT /contacts/:contactId/preferences': ({ contactId }) =>
    ['stop', 'resume'].map(value =>
      api('PUT', `/contacts/${contactId}/preferences`, { category: 'marketing_messages', value }),
    ),
  'GET /batches': () => [api('GET', '/batches?limit=100')],
  'GET /batches/:batchId': async ({ largeBatch }) => [api('GET', `/batches/${await largeBatch()}`)],
  'GET /batches/:batchId/items': async ({ largeBatch }) => [
    api('GET', `/batches/${await largeBatch()}/items?limit=100`),
    api('GET', `/batches/${await largeBatch()}/items?limit=100&status=FAILED`),
  ],
  'POST /batches/:batchId/items': async ({ draft }) => {
    const id = await draft()
    return Array.from({ length: 100 }, (_, at) =>
      api('POST', `/batches/${id}/items`, { offset: 1_000 * (at + 1), items }),
    )
  },
  'DELETE /batches/:batchId/items/:number': async ({ draft }) => {
    const id = await draft()
    return Array.from({ length: 1_000 }, (_, at) => api('DELETE', `/batches/${id}/items/${at + 1}`))
  },
  'POST /batches/:batchId/start': async ({ largeBatch }) => [api('POST', `/batches/${await largeBatch()}/start`)],
  'POST /batches/:batchId/pause': moves,
  'POST /batches/:batchId/resume': moves,
  'POST /batches/:batchId/retry': async ({ failedBatch }) => [api('POST', `/batches/${await failedBatch()}/retry`)],
  'POST /batches/:batchId/cancel': async ({ runningBatch }) => [api('POST', `/batches/${await runningBatch()}/cancel`)],
  'POST /batches': () => [api('POST', '/batches', { idempotencyKey: mark, state: 'draft', items })],
  'GET /webhooks': () => [api('GET', '/webhooks')],
  'POST /webhooks': ({ receiver }) => [
    api('POST', '/webhooks', { url: `${receiver}/${'x'.repeat(1_000)}`, events: ['template.updated'] }),
  ],
  'GET /webhooks/:webhookId': ofEndpoint(id => api('GET', `/webhooks/${id}`)),
  'PUT /webhooks/:webhookId': ofEndpoint(id => api('PUT', `/webhooks/${id}`, { description: mark })),
  'POST /webhooks/:webhookId/rotate': ofEndpoint(id => api('POST', `/webhooks/${id}/rotate`, { graceHours: 0 })),
  'POST /webhooks/:webhookId/test': ofEndpoint(id => api('POST', `/webhooks/${id}/test`)),
  'GET /webhooks/:webhookId/deliveries': ofEndpoint(id => api('GET', `/webhooks/${id}/deliveries?limit=100`)),
  'POST /webhooks/:webhookId/replay': ofEndpoint(id =>
    // One of all that the workspace has takes minutes, and the next is refused meanwhile.
    api('POST', `/webhooks/${id}/replay`, { since: new Date(Date.now() - secondMs).toISOString() }),
  ),
  'DELETE /webhooks/:webhookId': ofEndpoint(id => api('DELETE', `/webhooks/${id}`)),

  'POST /graph/:line/messages': ({ line }) => [graph('POST', `/${line}/messages`, largestGraphSend)],
  'POST /graph/:line/media': ({ line }) => [{ ...graph('POST', `/${line}/media`), file: file(mediaBytesMax.document) }],
  'GET /graph/:media/content': async ({ uploadedAddress }) => [{ method: 'GET', path: await uploadedAddress() }],
  'GET /graph/:line/whatsapp_business_profile': ({ line }) => [graph('GET', `/${line}/whatsapp_business_profile`)],
  'GET /graph/:line/block_users': ({ line }) => [graph('GET', `/${line}/block_users`)],
  'POST /graph/:line/block_users': ({ line }) => [graph('POST', `/${line}/block_users`, blockedUsers)],
  'DELETE /graph/:line/block_users': ({ line }) => [graph('DELETE', `/${line}/block_users`, blockedUsers)],
  'GET /graph/:account/phone_numbers': () => [graph('GET', `/${manyTemplatesAccount}/phone_numbers`)],
  'GET /graph/:account/message_templates': () =>
    [1_000, 5_000].map(limit => graph('GET', `/${manyTemplatesAccount}/message_templates?limit=${limit}`)),
  'POST /graph/:account/message_templates': () => [
    graph('POST', `/${manyTemplatesAccount}/message_templates`, largestTemplate),
  ],
  'DELETE /graph/:account/message_templates': () => [
    graph('DELETE', `/${manyTemplatesAccount}/message_templates?name=order_${mark}`),
  ],
  'GET /graph/:account/subscribed_apps': () => [graph('GET', `/${manyTemplatesAccount}/subscribed_apps`)],
  'POST /graph/:account/subscribed_apps': ({ receiver }) => [
    graph('POST', `/${manyTemplatesAccount}/subscribed_apps`, { override_callback_uri: `${receiver}/${mark}` }),
  ],
  'DELETE /graph/:account/subscribed_apps': () => [graph('DELETE', `/${manyTemplatesAccount}/subscribed_apps`)],
  'POST /graph/:app/uploads': () => [
    graph('POST', `/app/uploads?file_length=${mediaBytesMax.document}&file_type=application/pdf`),
  ],
  'POST /graph/upload:id': async ({ example }) => [
    { ...graph('POST', `/${await example()}`), file: { ...file(mediaBytesMax.document), form: false } },
  ],
  'GET /graph/upload:id': async ({ example }) => [graph('GET', `/${await example()}`)],
  'GET /graph/debug_token': () => [graph('GET', '/debug_token?input_token=x')],
  'GET /graph/me/permissions': () => [graph('GET', '/me/permissions')],
  'GET /graph/:id': ({ line }) => [424242424242, 9000017, line].map(id => graph('GET', `/${id}`)),
  'POST /graph/:id': () => [graph('POST', '/9000017', largestTemplate)],
  'DELETE /graph/:id': () => [graph('DELETE', '/424242424242')],
  'another call of /graph': ({ line }) => [
    graph('GET', `/${manyTemplatesAccount}/flows`),
    graph('POST', `/${line}/register`, { pin: '123456' }),
  ],
  'no such route': () => [api('GET', '/none')],
}
export const askedCalls = Object.keys(asks) as PartnerCall[]
