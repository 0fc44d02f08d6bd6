import { createHmac } from 'node:crypto'

/** One request that reached the stub. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}

type Answer = Response | Promise<Response>

/**
 * A stub of the upstream for tests of the gateway: it records every request and answers what the test says. Stricter
 * behaviour is the sandbox's, which has tests of its own.
 */
export interface Upstream {
  readonly url: string
  readonly received: Received[]
  /** Replaces how requests are answered; `accept` is the default. */
  answer: (request: Received) => Answer
  /** Requests for the listing of templates, which are not among `received`. */
  readonly listings: Received[]
  /** How the listing is answered. Unset: it is unavailable. */
  listing?: (request: Received) => Answer
  stop(): Promise<void>
}

let lastWamid = 0

/** @returns the upstream's answer to an accepted send. */
export function accept({ json }: Received): Response {
  lastWamid += 1
  return Response.json({
    messaging_product: 'whatsapp',
    contacts: [{ input: json.to, wa_id: String(json.to).replace(/\D/g, '') }],
    messages: [{ id: `wamid.test${lastWamid}` }],
  })
}

/** @returns a Graph error. */
export function graphError(status: number, error: Readonly<Record<string, unknown>>): Response {
  return Response.json({ error: { type: 'OAuthException', fbtrace_id: 'trace-1', ...error } }, { status })
}

/** @returns the answer to a block of one user that is refused with this code */
export const blockRefused = (code: number, message: string): Response =>
  Response.json(
    {
      block_users: { failed_users: [{ input: '+49', errors: [{ code, message }] }] },
      error: { message: '(#139100) Failed to block/unblock users', code: 139100 },
    },
    { status: 400 },
  )

/** The gateway asks for it by itself before it refuses a send for its template. */
const isListing = ({ method, path }: Received) => method === 'GET' && path.includes('/message_templates')

/** @param answer how requests are answered until the test says otherwise */
export function startUpstream(answer: Upstream['answer'] = accept): Upstream {
  const received: Received[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const text = await request.text()
      const entry: Received = {
        method: request.method,
        path: new URL(request.url).pathname + new URL(request.url).search,
        headers: request.headers,
        text,
        json: text.startsWith('{') ? JSON.parse(text) : {},
      }
      if (isListing(entry)) {
        upstream.listings.push(entry)
        return upstream.listing?.(entry) ?? graphError(503, { code: 131016 })
      }
      received.push(entry)
      return upstream.answer(entry)
    },
  })
  const upstream: Upstream = {
    url: `http://127.0.0.1:${server.port}`,
    received,
    listings: [],
    answer,
    stop: () => server.stop(true),
  }
  return upstream
}

/** A status as it stands in a callback. */
export interface StatusFields {
  readonly id: string
  readonly status: string
  readonly timestamp: string
  readonly biz_opaque_callback_data?: string
  readonly errors?: readonly unknown[]
}

/** @returns a callback of the account with changes, which it gathers in one entry. */
export const callbackOf = (
  changes: readonly object[],
  { id = '100001', time }: { id?: string; time?: number } = {},
) => ({
  object: 'whatsapp_business_account',
  entry: [{ id, ...(time !== undefined && { time }), changes }],
})

/** What a callback says of the first line, as `metadata`. */
export const lineMetadata = { display_phone_number: '15550783881', phone_number_id: '106540352242921' }

/** @returns a callback of the field `messages`: with statuses, or with what users wrote and their contacts. */
export const messagesCallback = <Value extends object>(value: Value) =>
  callbackOf([{ field: 'messages', value: { messaging_product: 'whatsapp', metadata: lineMetadata, ...value } }])

export const statusCallback = (...statuses: readonly (StatusFields | Record<string, unknown>)[]) =>
  messagesCallback({ statuses })

/** @returns the header that proves who a callback is from, as the upstream makes it over the exact bytes. */
export const signatureOf = (body: string | Uint8Array, appSecret: string) =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`

/** Posts a callback, signed over its exact bytes as the upstream does. */
export function postCallback(url: string, payload: unknown, appSecret: string): Promise<Response> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(body, appSecret) },
    body,
  })
}
