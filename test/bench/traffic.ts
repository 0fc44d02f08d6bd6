import { messagesCallback, signatureOf, statusCallback } from '../upstream.ts'

/** A number in a text, 9 digits, made anew for each request. */
export const mark = '#########'
/** Far more than a round sends; each round counts from a start of its own, so that nothing repeats. */
const numbersPerRound = 1_000_000
const numberLength = mark.length

export const fixedNumber = (number: number) => String(number).padStart(numberLength, '0')

/** What wrk sends. */
export type Traffic =
  /** One request with `mark` in it: `first`, `first + 1` … and from `first` again after `cycle`. */
  | { readonly kind: 'numbered'; readonly request: string; readonly first: number; readonly cycle: number }
  /** These, one after another, over and over. */
  | { readonly kind: 'listed'; readonly requests: readonly string[] }

/** @returns the bytes of a request, ASCII only. */
export function rawRequest(options: {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string
}): string {
  const { method, path, headers = {}, body } = options
  const all: Record<string, string> = { host: '127.0.0.1', ...headers }
  if (body !== undefined) Object.assign(all, { 'content-type': 'application/json', 'content-length': body.length })
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n')
}

export interface Key {
  readonly apiKey: string
  readonly apiSecret: string
}

export const sendPath = '/api/v1/public/messages/send'
export const statusPath = '/api/v1/public/messages'

/** A German mobile number that nobody has: country code, prefix, and the number of the request. */
const phone = `+4915${mark}`

/** Both sides get the same bytes. */
const sendBodies = {
  text: { type: 'text', phone, content: 'Your parcel is on its way.' },
  'text with an idempotency key': {
    type: 'text',
    phone,
    content: 'Your parcel is on its way.',
    idempotencyKey: `bench-${mark}`,
  },
  template: {
    type: 'template',
    phone,
    templateName: 'order_confirmation',
    templateLanguage: 'en_US',
    templateVariables: { '1': 'Ada', '2': mark },
  },
  interactive: {
    type: 'interactive',
    phone,
    content: JSON.stringify({
      type: 'button',
      body: { text: 'Shall we bring your parcel today?' },
      action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] },
    }),
  },
} as const

export type SendKind = keyof typeof sendBodies
export const sendKinds = Object.keys(sendBodies) as SendKind[]
/** What the seed is sent with, and sent again as replays. */
export const keyed = 'text with an idempotency key' satisfies SendKind

export const sendBody = (kind: SendKind) => JSON.stringify(sendBodies[kind])

/** @returns sends that nobody has made before */
export const freshSends = (kind: SendKind, key: Key, round: number): Traffic =>
  freshRequests(rawRequest({ method: 'POST', path: sendPath, headers: { ...key }, body: sendBody(kind) }), round)

/** @returns requests that nobody has made before. @throws Error when the numbers of all rounds are used up */
export function freshRequests(request: string, round: number): Traffic {
  const first = (round + 1) * numbersPerRound
  if (first + numbersPerRound > 10 ** numberLength) throw new Error('there are too many rounds: give fewer --rounds')
  return { kind: 'numbered', request, first, cycle: numbersPerRound }
}

/** A stored message: its id here, and the upstream's. */
export interface Seeded {
  readonly id: string
  readonly channelMessageId: string
}

/** @returns the first sends of all, once more. */
export const replays = (key: Key, sends: number): Traffic => ({
  kind: 'numbered',
  request: rawRequest({ method: 'POST', path: sendPath, headers: { ...key }, body: sendBody(keyed) }),
  first: 0,
  cycle: sends,
})

export const statusReads = (key: Key, seeded: readonly Seeded[]): Traffic => ({
  kind: 'listed',
  requests: seeded.map(({ id }) => rawRequest({ method: 'GET', path: `${statusPath}/${id}`, headers: { ...key } })),
})

/** More than a few seconds take; after that they come again, as duplicates. */
const callbacksPerRound = 60_000
/** More than a round of some seconds takes, too. */
const peoplePerRound = 30_000
const reported = ['sent', 'delivered', 'read']

/** @returns signed callbacks with one status each, of times that no other round has. */
export function callbacks(options: {
  path: string
  appSecret: string
  seeded: readonly Seeded[]
  round: number
}): Traffic {
  const { path, appSecret, seeded, round } = options
  const from = Math.floor(Date.now() / 1000) + round * 1000
  const requests = Array.from({ length: callbacksPerRound }, (_, at) => {
    const message = seeded[at % seeded.length]
    if (!message) throw new Error('callbacks need messages')
    const turn = Math.floor(at / seeded.length)
    const body = callbackBody([{ message, status: reported[turn % reported.length] ?? 'sent', timestamp: from + turn }])
    return rawRequest({ method: 'POST', path, headers: signed(body, appSecret), body })
  })
  return { kind: 'listed', requests }
}

/** @returns signed callbacks with one text each, of people who have never written before. */
export function newPeople({ path, appSecret, round }: { path: string; appSecret: string; round: number }): Traffic {
  const now = String(Math.floor(Date.now() / 1000))
  const requests = Array.from({ length: peoplePerRound }, (_, at) => {
    const from = `4916${fixedNumber(round * peoplePerRound + at)}`
    const text = { from, id: `wamid.bench-${from}`, timestamp: now, type: 'text', text: { body: 'Hello' } }
    const contacts = [{ profile: { name: 'Ada' }, wa_id: from }]
    const body = JSON.stringify(messagesCallback({ contacts, messages: [text] }))
    return rawRequest({ method: 'POST', path, headers: signed(body, appSecret), body })
  })
  return { kind: 'listed', requests }
}

/** @returns the header that proves who a callback is from. */
export const signed = (body: string, appSecret: string) => ({
  'x-hub-signature-256': signatureOf(body, appSecret),
})

/** What a callback says of a message. */
export interface StatusUpdate {
  readonly message: Seeded
  readonly status: string
  /** Unix seconds: the upstream platform tells no finer. */
  readonly timestamp: number
}

/** A callback as the upstream platform writes it; it gathers up to 1,000 statuses into one. */
export function callbackBody(updates: readonly StatusUpdate[]): string {
  const statuses = updates.map(({ message, status, timestamp }) => ({
    id: message.channelMessageId,
    status,
    timestamp: String(timestamp),
    recipient_id: '491510000000',
    biz_opaque_callback_data: message.id,
  }))
  return JSON.stringify(statusCallback(...statuses))
}
