import type { RequestBody } from '../transport/request.ts'
import type { Exchange, Transport } from '../transport/transport.ts'

export interface ChannelSettings {
  readonly apiUrl: string
  readonly apiVersion: string
  readonly timeoutMs: number
}

export interface CallRequest {
  /** Default: GET without a body, POST with one. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly accessToken: string
  /** Behind the version, with its query. */
  readonly path: string
  readonly body?: RequestBody | undefined
  readonly contentType?: string
  /** How the token is given: `Bearer`, unless said. */
  readonly scheme?: 'OAuth'
  /** Besides the usual ones. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One request to the upstream's API, with a time limit. It is never repeated. */
export type Call = (request: CallRequest) => Promise<Exchange>

export const createCall =
  (transport: Transport, { apiUrl, apiVersion, timeoutMs }: ChannelSettings): Call =>
  ({ method, accessToken, scheme = 'Bearer', path, body, contentType = 'application/json', headers }) =>
    transport.exchange({
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      url: `${apiUrl}/${apiVersion}/${path}`,
      headers: {
        authorization: `${scheme} ${accessToken}`,
        // Without this header a server may compress its answer (RFC 9110 12.5.3), and nothing here decodes one.
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-type': contentType }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      timeoutMs,
    })
