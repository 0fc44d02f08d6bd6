import { graphTokenOf } from '../../../src/base/graphToken.ts'
import type { KeyScope } from '../../../src/base/keyScopes.ts'
import { type Answer, answerOf, type TestGateway } from '../../gateway.ts'
import { accept, type Received } from '../../upstream.ts'

/** The first bytes of a picture say what it is. */
export const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

export type Asked = RequestInit & { readonly token?: string | null }

/** An answer in one line, `403 200`. */
export const failure = ({ status, json }: Answer) => `${status} ${json?.error?.code}`

/** Asks a gateway as clients of the platform do. */
export function graphClient(gateway: TestGateway) {
  const ask = (path: string, { token, headers, ...init }: Asked): Promise<Answer> => {
    const authorization = token == null ? {} : { authorization: `Bearer ${token}` }
    return answerOf(fetch(`${gateway.url}/graph${path}`, { ...init, headers: { ...authorization, ...headers } }))
  }
  return {
    ask,
    async tokenOf(...[scopes, of = {}]: [readonly KeyScope[], Parameters<TestGateway['createKey']>[0]?]) {
      const { apiKey, apiSecret } = await gateway.createKey({ ...of, scopes })
      return graphTokenOf(apiKey, apiSecret)
    },
    json: (path: string, method: string, body: unknown, { headers, ...init }: Asked) =>
      ask(path, {
        ...init,
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    upload(token: string, line = gateway.line.upstreamPhoneId) {
      const body = new FormData()
      body.set('messaging_product', 'whatsapp')
      body.set('file', new Blob([png]), 'box.png')
      return ask(`/${line}/media`, { method: 'POST', body, token })
    },
  }
}

/** The platform's side of a file: it is taken under an id, and deleted by it. */
export const takingFiles = (id: string) => (request: Received) =>
  request.path.endsWith('/media')
    ? Response.json({ id })
    : request.method === 'DELETE'
      ? Response.json({ success: true })
      : accept(request)

/** What reached the platform, without the version. */
export const reached = ({ upstream }: TestGateway) =>
  upstream.received.map(({ method, path }) => `${method} ${path.replace(/^\/v[\d.]+/, '')}`)
