import { graphTokenOf } from '../../../src/base/graphToken.ts'
import type { KeyScope } from '../../../src/base/keyScopes.ts'
import { accountId, type Stack, startStack } from '../stack.ts'

/*
 * Clients of the platform that are set to the gateway by their one setting (docs/drop-in.md): what they get from the
 * stand-in of the platform, they get through the gateway.
 */

/** What a client is set to. */
export interface Address {
  readonly url: string
  readonly accessToken: string
}

export interface ClientStack extends Stack {
  readonly straight: Address
  readonly through: Address
}

const scopes: readonly KeyScope[] = [
  ...(['graph', 'graph:pass', 'messages:send', 'templates:read', 'templates:write'] as const),
  ...(['inbound', 'media', 'webhooks'] as const),
]

/** A gateway for such clients, with the templates of the stand-in, and a key that may what they do. */
export async function startClientStack(): Promise<ClientStack> {
  const stack = await startStack({ env: { GRAPH_API: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } })
  const { apiKey, apiSecret } = await stack.createKey({ scopes })
  await stack.sync()
  return {
    ...stack,
    straight: { url: stack.sandbox.url, accessToken: 'access-token' },
    through: { url: `${stack.url}/graph`, accessToken: graphTokenOf(apiKey, apiSecret) },
  }
}

/** Of the platform, or made anew with each request. */
const differs = /^(wamid\.|media_|\d{10,}$|https?:)/

/** What differs between two answers that are alike: ids, and the addresses of pages and files. */
export const shapeOf = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (_name, value) => (typeof value === 'string' && differs.test(value) ? 'its own' : value)),
  )

/** What a client reads of an answer, without a look at its type: so do the clients. */
export interface Read {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: clients reach into answers as they expect them
  readonly json: any
  readonly bytes: Uint8Array
}

export interface RecordedRequest {
  readonly method?: 'POST' | 'DELETE'
  /** Behind the address, or whole. `{line}`, `{account}`, `{token}` and what the recording names are put in. */
  readonly path: string
  /** In place of the token and the type that nearly all requests have. */
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: object
  readonly form?: () => FormData
  /** The form is sent without its length, as some libraries do. */
  readonly isChunked?: true
}

/** A call as a client makes it, and what it reads of the answer. */
export interface RecordedCall extends RecordedRequest {
  readonly title: string
  /** The request that the client makes next, by what it has read; null: none. */
  readonly next?: (read: Read) => RecordedRequest | null
  /** The stand-in refuses it as well. */
  readonly isRefused?: true
  /** What it must read, where the stand-in does not answer such a call. */
  readonly needs?: unknown
  /** @param reads of each request in turn */
  readonly reads: (...reads: readonly Read[]) => unknown
}

/** Puts what a recording leaves open into its text. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** The stand-in's addresses of pages lead to the platform, as its own do, and have no token, which its own have. */
const addressOf = (path: string, { url, accessToken }: Address): string =>
  path.startsWith(platform)
    ? `${path.replace(platform, url)}&access_token=${accessToken}`
    : path.startsWith('http')
      ? path
      : `${url}/${path}`
const platform = 'https://graph.facebook.com'

/** No call has more pages. */
const requestsMax = 40

/** Makes a recorded call. @returns what the client reads of it */
export async function perform(
  stack: Pick<Stack, 'line'>,
  { url, accessToken }: Address,
  call: RecordedCall,
  values: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly read: unknown }> {
  const known = { line: stack.line.upstreamPhoneId, account: accountId, token: accessToken, ...values }
  const reads: Read[] = []
  let request: RecordedRequest | null = call
  while (request !== null && reads.length < requestsMax) {
    const { method, path, headers, json, form, isChunked }: RecordedRequest = request
    const whole = form && new Response(form())
    const type = whole?.headers.get('content-type') ?? 'application/json'
    const body = whole ? (isChunked ? whole.body : await whole.bytes()) : json && filled(JSON.stringify(json), known)
    const given = headers ?? { authorization: 'Bearer {token}', 'content-type': type }
    const answer = await fetch(addressOf(filled(path, known), { url, accessToken }), {
      ...{ method: method ?? 'GET', headers: JSON.parse(filled(JSON.stringify(given), known)) },
      ...(body !== undefined && { body }),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    const read: Read = { status: answer.status, json: isJson ? JSON.parse(Buffer.from(bytes).toString()) : null, bytes }
    reads.push(read)
    request = call.next?.(read) ?? null
  }
  return { status: reads[0]?.status ?? 0, read: call.reads(...reads) }
}

/** A file of a user: where it is, and then its bytes. @param headers with which a client asks for these */
export const fileCall = (path: string, headers: Readonly<Record<string, string>>): RecordedCall => ({
  ...{ title: 'a file of a user', path },
  next: ({ json }) => (json?.url ? { path: json.url, headers } : null),
  reads: (described, file) => [described.status, described.json?.mime_type, file?.status, file?.bytes],
})
