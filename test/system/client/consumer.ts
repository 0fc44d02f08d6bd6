import {
  type AttemptEnd,
  GatewayRefusal,
  type Message,
  type ReadMark,
  type SendBody,
  verifyWebhook,
  WaypostClient,
  WebhookNotVerified,
} from '@waypost/client'

/* What the types of the client take, and what they refuse. It is checked, and never run. */

const key = { url: 'https://gateway.example.com', apiKey: 'pk_1', apiSecret: 'sk_1' }
const log = ({ path, status, durationMs }: AttemptEnd) => console.log(path, status, durationMs)
export const gateway = new WaypostClient({ ...key, timeoutMs: 5_000, afterAttempt: log })
export const inPage = new WaypostClient({ url: 'https://shop.example/waypost', withoutKey: true })
export const configured = WaypostClient.fromEnvironment({ attemptsMax: 2 })

export async function taken(
  recipient: { phone: string } | { contactId: string } | { userId: string },
): Promise<Message[]> {
  const text: SendBody = { type: 'text', content: 'Hi', ...recipient }
  const template = { type: 'template', templateName: 'order_confirmation', phone: '+15550150100' } as const
  const variables = { '1': 'Ada' }
  const sent = [
    await gateway.send(text, { timeoutMs: 1_000, attemptsMax: 1, signal: new AbortController().signal }),
    await gateway.send({ type: 'interactive', content: '{}', contactId: 'contact_1', idempotencyKey: 'order-1' }),
    await gateway.send({ ...template, templateVariables: {} }),
    await gateway.send({ ...template, templateVariables: variables, bodyParameters: variables }),
    await gateway.send({ ...template, templateComponents: [{ type: 'body' }] }),
    await gateway.send({ ...template, carousel: { cards: [{ index: 0, bodyValues: variables }] } }),
  ]
  for (const { name: templateName, exampleValues } of await gateway.templates()) {
    if (exampleValues) sent.push(await gateway.send({ ...template, templateName, ...exampleValues }))
  }
  for await (const event of gateway.events({ type: ['message.failed'] })) {
    // Its type says what its data has.
    if (event.type === 'message.failed') sent.push(event.data.message)
  }
  for await (const { id, contactId, interactive } of gateway.inbound({ after: null, raw: true })) {
    const { id: marked, typing }: ReadMark = await gateway.markRead(id, { typing: true, attemptsMax: 1 })
    console.log(marked, typing)
    const { window } =
      contactId === null ? await gateway.contactByPhone('+15550150100') : await gateway.contact(contactId)
    if (window.open && interactive?.buttonReply?.id === 'yes') sent.push(await gateway.send(text))
  }
  for await (const message of gateway.messages({
    status: 'FAILED',
    type: 'text',
    reference: undefined,
    order: 'asc',
  })) {
    sent.push(message)
  }
  const { next } = await gateway.messagePage({ contactId: 'contact_1', limit: 10, timeoutMs: 1_000 })
  await gateway.messagePage({ after: next, templateName: 'order_confirmation' })
  await gateway.findContact({ userId: 'US.1' }, { attemptsMax: 1 })
  const { status } = await gateway.waitFor('msg_1', 'DELIVERED')
  const reached: 'DELIVERED' | 'READ' = status
  const final: 'DELIVERED' | 'READ' | 'FAILED' | 'CANCELLED' = (await gateway.waitUntilFinal('msg_1')).status
  const { type, range, bytes } = await gateway.media('media_1', { range: { from: 0 }, attemptsMax: 1 })
  console.log(reached, final, type, range?.size, (await bytes()).length)
  const { id: mediaId } = await gateway.uploadMedia(new Blob([await bytes()]), { fileName: 'invoice.pdf' })
  const document = { type: 'document', fileName: 'invoice.pdf', caption: 'Yours', replyTo: 'inb_1' } as const
  sent.push(
    await gateway.send({ ...document, ...recipient, mediaId }),
    await gateway.send({ ...document, ...recipient, link: 'https://shop.example/invoice.pdf' }),
    await gateway.send({ type: 'location', latitude: 52.5, longitude: 13.4, ...recipient }),
    await gateway.send({ type: 'contacts', contacts: [{ name: { formattedName: 'Ada' } }], ...recipient }),
    await gateway.send({ type: 'reaction', messageId: 'inb_1', emoji: '', ...recipient }),
  )
  sent.push(await gateway.status('msg_1', { wait: 10, for: 'READ' }))
  for await (const message of gateway.eachFinal(sent.map(({ id }) => id))) sent.push(message)
  return sent
}

export async function received(request: Request, nodeHeaders: Record<string, string | string[] | undefined>) {
  const event = await verifyWebhook(await request.text(), request.headers, ['whsec_new', 'whsec_old'])
  const other = await verifyWebhook(await request.arrayBuffer(), nodeHeaders, 'whsec_new')
  return event.type === 'message.received' ? event.data.inbound.text : other.id
}

export function refused(error: unknown): string | null {
  // @ts-expect-error nobody gets it
  void gateway.send({ type: 'text', content: 'Hi' })
  // @ts-expect-error one of them may be another person
  void gateway.send({ type: 'text', content: 'Hi', phone: '+15550150100', contactId: 'contact_1' })
  // @ts-expect-error the same
  void gateway.send({ type: 'text', content: 'Hi', phone: '+15550150100', userId: 'US.1' })
  // @ts-expect-error nobody gets it
  void gateway.send({ type: 'template', templateName: 'order_confirmation', templateVariables: {} })
  // @ts-expect-error a template without values
  void gateway.send({ type: 'template', templateName: 'order_confirmation', phone: '+15550150100' })
  // @ts-expect-error a misspelled field
  void gateway.send({ type: 'text', content: 'Hi', phone: '+15550150100', idempotencykey: 'order-1' })
  // @ts-expect-error a field of another type
  void gateway.send({ type: 'text', content: 'Hi', phone: '+15550150100', templateName: 'order_confirmation' })
  // @ts-expect-error a picture that is nowhere
  void gateway.send({ type: 'image', caption: 'Hi', phone: '+15550150100' })
  // @ts-expect-error one of them may be another picture
  void gateway.send({ type: 'image', link: 'https://shop.example/1.png', mediaId: 'media_1', phone: '+15550150100' })
  // @ts-expect-error no such type
  void gateway.send({ type: 'poll', content: 'Hi', phone: '+15550150100' })
  // @ts-expect-error cannot be waited for
  void gateway.waitFor('msg_1', 'FAILED')
  // @ts-expect-error not every message is read that was delivered
  void gateway.waitFor('msg_1', 'DELIVERED').then((message): 'READ' => message.status)
  // @ts-expect-error no part of a file
  void gateway.media('media_1', { range: 'bytes=0-' })
  // @ts-expect-error a page has at most so many, as a number
  void gateway.inboundPage({ limit: '10' })
  // @ts-expect-error no such filter
  void gateway.inboundPage({ contact: 'contact_1' })
  // @ts-expect-error no such status
  void gateway.messagePage({ status: 'LOST' })
  // @ts-expect-error one of them may be another person
  void gateway.findContact({ phone: '+15550150100', userId: 'US.1' })
  // @ts-expect-error nobody is looked for
  void gateway.findContact({})
  // @ts-expect-error no such type of event
  void gateway.eventPage({ type: ['message.lost'] })
  // @ts-expect-error without a secret
  void new WaypostClient({ url: key.url, apiKey: key.apiKey })
  // @ts-expect-error with a key and without
  void new WaypostClient({ ...key, withoutKey: true })
  // @ts-expect-error a parsed body
  void verifyWebhook({ id: 'evt_1' }, {}, 'whsec_new')
  // @ts-expect-error no such problem
  if (error instanceof WebhookNotVerified && error.code === 'TOO_LATE') return null
  return error instanceof GatewayRefusal ? error.code : null
}
