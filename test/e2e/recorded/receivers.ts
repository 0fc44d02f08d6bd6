import { createHmac } from 'node:crypto'
import { field, isText, list } from '../../../src/base/json.ts'

/*
 * How Chatwoot, Typebot and Evolution API take callbacks of the platform, as their code does: none of them looks at a
 * second entry, change or message.
 */

/** What a program makes of a callback: the answer, and what it takes from it; null: nothing. */
export interface Taken {
  readonly status: number
  readonly reads: unknown
}

export interface Receiver {
  /** Where it takes callbacks. */
  readonly path: string
  readonly verifyToken: string
  /** Answers the question whether the address is the client's. */
  verify(given: { readonly token: string; readonly challenge: string }): Response
  /** @throws TypeError where the program would end with one, too. @param secret what it has as the secret of its app */
  receive(body: string, signature: string | null, secret: string): Taken
}

/** A part of a callback, as programs reach into it. */
interface Told {
  readonly entry: readonly { readonly changes: readonly { readonly field: string; readonly value: Value }[] }[]
}
interface Value {
  readonly metadata: { readonly display_phone_number: string; readonly phone_number_id: string }
  readonly contacts?: readonly { readonly wa_id?: string; readonly profile: { readonly name: string } }[]
  readonly messages?: readonly Message[]
  readonly statuses?: readonly Status[]
}
interface Message extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly type: string
  readonly from: string
  readonly timestamp: string
}
interface Status extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly status: string
  readonly recipient_id: string
}

const changeOf = (body: string): Value => {
  const value = (JSON.parse(body) as Told).entry[0]?.changes[0]?.value
  if (!value) throw new TypeError('a callback has an entry with a change')
  return value
}
/** @returns what stands there; undefined: nothing */
const at = (value: unknown, path: string): unknown => path.split('.').reduce(field, value)
const firstOf = (value: unknown, names: readonly string[]) =>
  names.map(name => at(value, name)).find(found => found !== undefined && found !== null)

/** @returns whether a field is there of this type, or is not there at all where it need not be */
const has = (value: unknown, path: string, type = 'string') => typeof at(value, path) === type

const files = ['image', 'video', 'audio', 'document', 'sticker']

/** Of a body that Chatwoot and Typebot check. */
const signatureOf = (body: string, secret: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** One address for each number. It checks signatures where its inbox was given the secret. */
const chatwoot: Receiver = {
  path: '/webhooks/whatsapp/+15550783881',
  verifyToken: '5f1d3a9c',
  verify: ({ token, challenge }) =>
    token === chatwoot.verifyToken
      ? new Response(challenge, { headers: { 'content-type': 'application/json' } })
      : Response.json({ error: 'Error; wrong verify token' }, { status: 401 }),
  receive(body, signature, secret) {
    if (signature !== signatureOf(body, secret)) return { status: 401, reads: null }
    const value = changeOf(body)
    const { display_phone_number: number, phone_number_id: line } = value.metadata
    const inbox = { number: `+${number}`, line }
    const [status] = value.statuses ?? []
    const [message] = value.messages ?? []
    if (status) {
      const [error] = list(status.errors)
      const failed = status.status === 'failed' && error ? `${at(error, 'code')}: ${at(error, 'title')}` : null
      return { status: 200, reads: { inbox, id: status.id, status: status.status, failed } }
    }
    const [contact] = value.contacts ?? []
    if (!message || !contact || ['reaction', 'ephemeral', 'unsupported'].includes(message.type))
      return { status: 200, reads: { inbox } }
    const words = ['text.body', 'button.text', 'interactive.button_reply.title', 'interactive.list_reply.title']
    const file = files.includes(message.type) ? message[message.type] : undefined
    const cards = list(message.contacts).map(card => [at(card, 'name'), at(card, 'phones')])
    return {
      status: 200,
      reads: {
        ...{ inbox, id: message.id, waId: contact.wa_id, name: contact.profile.name, phone: `+${message.from}` },
        ...{ content: firstOf(message, words), caption: at(file, 'caption'), file: at(file, 'id') },
        ...{ answers: at(message, 'context.id'), location: message.location, cards, errors: message.errors },
      },
    }
  },
}

/** Fields that a message of a type must have for Typebot. Of the others it takes none: it answers 400. */
const required: Readonly<Record<string, (message: Message) => boolean>> = {
  text: message => has(message, 'text.body'),
  button: message => has(message, 'button.text'),
  interactive: message =>
    message.interactive === undefined ||
    ['button_reply', 'list_reply'].some(
      type =>
        at(message, 'interactive.type') === type &&
        has(message, `interactive.${type}.id`) &&
        has(message, `interactive.${type}.title`),
    ),
  ...Object.fromEntries(
    files.map(type => [type, (message: Message) => has(message, `${type}.id`) && has(message, `${type}.mime_type`)]),
  ),
  location: message => has(message, 'location.latitude', 'number') && has(message, 'location.longitude', 'number'),
  reaction: message => has(message, 'reaction', 'object'),
  contacts: message => Array.isArray(message.contacts),
  system: message => has(message, 'system.body'),
  unsupported: () => true,
}
const isStatus = (status: Status) =>
  ['id', 'recipient_id', 'timestamp'].every(name => has(status, name)) &&
  ['sent', 'delivered', 'read', 'failed', 'deleted'].includes(status.status) &&
  (status.pricing === undefined ||
    (has(status, 'pricing.billable', 'boolean') &&
      has(status, 'pricing.pricing_model') &&
      has(status, 'pricing.category'))) &&
  list(status.errors).every(error => has(error, 'code', 'number') && has(error, 'title'))

/** Its verify token is good once. */
const tokens = new Set(['cm1typebot'])
const typebot: Receiver = {
  path: '/api/v1/workspaces/w1/whatsapp/c1/webhook',
  verifyToken: 'cm1typebot',
  verify: ({ token, challenge }) =>
    tokens.delete(token)
      ? Response.json(Number(challenge))
      : Response.json({ message: 'Unauthorized' }, { status: 401 }),
  receive(body, signature, secret) {
    if (signature !== signatureOf(body, secret)) return { status: 401, reads: null }
    const value = changeOf(body)
    const { messages = [], statuses = [], contacts = [] } = value
    const isRead =
      messages.every(message => isText(message.timestamp) && required[message.type]?.(message) === true) &&
      statuses.every(isStatus) &&
      contacts.every(contact => contact.profile === undefined || isText(contact.profile.name))
    if (!isRead) return { status: 400, reads: null }
    const [message] = messages
    if (!message) return { status: 200, reads: { statuses: statuses.map(({ id, status }) => [id, status]) } }
    const words = ['text.body', 'button.text', 'interactive.button_reply.title', 'interactive.list_reply.title']
    return {
      status: 200,
      reads: {
        ...{ line: value.metadata.phone_number_id, from: message.from ?? message.from_user_id, id: message.id },
        ...{ name: contacts[0]?.profile.name, words: firstOf(message, words), location: message.location },
        reply: firstOf(message, ['interactive.button_reply.id', 'interactive.list_reply.id']),
        file: files.includes(message.type) ? message[message.type] : undefined,
        referral: at(message, 'referral.ctwa_clid'),
      },
    }
  },
}

const evolution: Receiver = {
  path: '/webhook/meta',
  verifyToken: 'evolution',
  /** A wrong token is answered 200, too. */
  verify: ({ token, challenge }) =>
    new Response(token === evolution.verifyToken ? challenge : 'Error, wrong validation token'),
  receive(body) {
    const value = changeOf(body)
    const line = value.metadata.phone_number_id
    const [message] = value.messages ?? []
    if (!message) {
      const [status] = value.statuses ?? []
      if (!status) throw new TypeError('neither a message nor a status')
      const to = status.recipient_id.length > 0
      return { status: 200, reads: { line, to, id: status.id, status: status.status.toUpperCase() } }
    }
    const known = ['text', ...files, 'location', 'contacts', 'interactive', 'button', 'reaction']
    if (!known.includes(message.type)) return { status: 200, reads: { line } }
    const [contact] = value.contacts ?? []
    return {
      status: 200,
      reads: {
        ...{ line, from: message.from, id: message.id, at: Number.parseInt(message.timestamp, 10) },
        ...{ name: contact?.profile.name, content: message[message.type], answers: at(message, 'context.id') },
        title: at(message, `interactive.${at(message, 'interactive.type')}.title`),
      },
    }
  },
}

export const receivers = { chatwoot, typebot, evolution } as const
export type ClientName = keyof typeof receivers
