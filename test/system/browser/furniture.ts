import { eventually } from '../../eventually.ts'
import { freePort } from '../../freePort.ts'
import { type Receiver, took } from '../../webhooks/receiver.ts'
import type { Backstage } from './backstage.ts'
import type { Deployment } from './deployment.ts'
import { startProgram } from './program.ts'

/** What the addresses of pages name, by the name of the parameter. */
export type Place = Readonly<
  Record<
    | 'workspaceId'
    | 'channelId'
    | 'phoneNumberId'
    | 'templateId'
    | 'messageId'
    | 'contactId'
    | 'webhookId'
    | 'eventId'
    | 'requestId'
    | 'batchId',
    string
  >
>

const orderTemplate = {
  templateName: 'order_confirmation',
  templateLanguage: 'en_US',
  templateVariables: { '1': '1001', '2': 'Ada' },
}
const texts = [
  'Your parcel is on its way. It arrives on Friday between 9 and 12.',
  'Your order 1001 is ready: you can fetch it until Saturday evening.',
  'We open at nine on Saturday.',
  'Thank you for your order! We have packed it today.',
]
/** Who writes, and what; the first one has a conversation. */
const writers = [
  ['Ada Example', ['Hello! Is my order on its way?', 'Great, thank you!']],
  ['Björn Åkesson', ['Are you open on Saturday?']],
  ['Giulia Bianchi', ['Can I still change the address of my order 1004?']],
  ['Hans Müller', ['Danke schön!']],
  ['Priya Raman', ['The pot was broken when it arrived. What can I do?']],
  ['Zoë Washington', ['Do you ship to Sweden?']],
] as const
/** Refused, reported as failed later, lost, only sent: numbers of the sandbox, docs/sandbox.md. */
const troubled = ['+15550101026', '+15550111026', '+15550130010', '+15550140002']

/** Fills a deployment, so that every page has something to show. @param receiver takes its events */
export async function furnish(backstage: Backstage, { sandbox }: Deployment, receiver: Receiver): Promise<Place> {
  const { channelId, lineId } = await backstage.connectSandbox()
  const key = await backstage.createKey('Shop backend')
  const older = await backstage.createKey('Old shop')
  await backstage.call(`/api-keys/${older.apiKey}/revoke`, {})
  for (const role of ['admin', 'member', 'viewer'] as const) await backstage.invite(role)
  await backstage.call('/invitations', { email: 'dorothy@example.com', role: 'member' })

  const scopes = ['graph', 'messages:send', 'templates:read', 'media', 'inbound']
  await backstage.call('/api-keys', { label: 'Inbox', scopes, lineIds: [lineId] })
  const { webhookId, mend } = await addWebhooks(backstage, receiver)
  await using inbox = startProgram()
  await backstage.call('/webhooks', { url: inbox.url, description: 'Inbox', format: 'platform', lineIds: [lineId] })

  const ordinary = Array.from({ length: 12 }, (_, at) => ({
    phone: `+155501501${String(at).padStart(2, '0')}`,
    ...(at % 3 === 0 ? { type: 'template', ...orderTemplate } : { type: 'text', content: texts[at % texts.length] }),
  }))
  const difficult = troubled.map(phone => ({ phone, type: 'text', content: 'Your parcel could not be delivered.' }))
  const sent = await Promise.all([...ordinary, ...difficult].map(message => backstage.send(key, message)))
  for (const [at, [name, said]] of writers.entries()) {
    for (const text of said) {
      const body = JSON.stringify({ kind: 'text', from: `+1555015010${at}`, name, text })
      await fetch(`${sandbox.url}/sandbox/callbacks/inbound`, { method: 'POST', body })
    }
  }
  await backstage.send(key, { type: 'text', phone: '+49 (0)151 100', text: 'Hello' }, 'VALIDATION_ERROR')

  const contact = await eventuallyFound(async () => {
    const { contacts } = await backstage.call<{ contacts: { id: string; phone: string }[] }>('/contacts')
    return contacts.find(({ phone }) => phone === '+15550150100')?.id
  })
  const templateId = await eventuallyFound(async () => {
    const { templates } = await backstage.call<{ templates: { id: string; name: string }[] }>(
      `/templates?phoneNumberId=${lineId}`,
    )
    return templates.find(({ name }) => name === 'coupon_reminder')?.id
  })
  const messageId = sent[0] ?? ''
  await eventually(async () => {
    const { message } = await backstage.call<{ message: { status: string } }>(`/messages/${messageId}`)
    if (message.status !== 'READ') throw new Error(`the first message is ${message.status}`)
  })
  const requestId = await eventuallyFound(async () => {
    const { requests } = await backstage.call<{ requests: { id: string }[] }>('/requests?reason=VALIDATION_ERROR')
    return requests[0]?.id
  })
  const { id: batchId } = await backstage.call<{ id: string }>('/campaigns', {
    ...{ name: 'Opening hours', idempotencyKey: 'opening', defaults: { type: 'text', content: 'We open at nine.' } },
    items: Array.from({ length: 8 }, (_, at) => ({ phone: `+1555015011${at % 6}` })),
  })
  const eventId = await mend()
  return {
    workspaceId: backstage.workspaceId,
    channelId,
    phoneNumberId: lineId,
    templateId,
    messageId,
    contactId: contact,
    webhookId,
    eventId,
    requestId,
    batchId,
  }
}

/**
 * One endpoint that works now and did not at first, and one where nobody answers.
 * @returns the first one, and what makes it work: it resolves to an event that was delivered at the second attempt
 */
async function addWebhooks(backstage: Backstage, receiver: Receiver) {
  const add = (body: object) => backstage.call<{ id: string }>('/webhooks', body)
  receiver.answer = () => new Response('The order desk is closed.', { status: 503 })
  const shop = await add({ url: receiver.url, description: 'Order desk', headers: { 'x-tenant': 'shop' } })
  await add({ url: `http://127.0.0.1:${freePort()}/`, description: 'Old shop', events: ['message.failed'] })
  const deliveries = async () =>
    (await backstage.call<{ deliveries: { eventId: string; state: string }[] }>(`/webhooks/${shop.id}/deliveries`))
      .deliveries
  const mend = async () => {
    const eventId = await eventuallyFound(async () => (await deliveries()).at(-1)?.eventId)
    receiver.answer = took
    await backstage.call(`/webhooks/${shop.id}/replay`, { eventId })
    await eventually(async () => {
      const first = (await deliveries()).find(delivery => delivery.eventId === eventId)
      if (first?.state !== 'delivered') throw new Error(`the first event is ${first?.state}`)
    })
    return eventId
  }
  return { webhookId: shop.id, mend }
}

async function eventuallyFound(find: () => Promise<string | undefined>): Promise<string> {
  let found: string | undefined
  await eventually(async () => {
    found = await find()
    if (found === undefined) throw new Error('nothing was found')
  })
  return found ?? ''
}
