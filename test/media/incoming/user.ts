import { sha256 } from '../../../src/base/crypto.ts'
import type { TestGateway } from '../../gateway.ts'
import { userWrites } from '../../partner/inboundMessages.ts'
import { graphError, type Received } from '../../upstream.ts'

/** A PNG by its first bytes. */
export const picture = (size = 1_000) => {
  const bytes = Buffer.alloc(size, 'pixels')
  bytes.set(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  return bytes
}

export const base64Hash = (bytes: Uint8Array) => Buffer.from(sha256(bytes), 'hex').toString('base64')

let lastId = 0

export interface SentFile {
  /** The upstream's id. */
  readonly id: string
  readonly path: string
}

/**
 * Has a user send a file, and the upstream have it.
 * @param file of the type `form`: it comes with the answer to one. `describe`: fields of the upstream's description in place of the right ones; `download`: its answer
 */
export async function userSends(
  gateway: TestGateway,
  file: {
    readonly bytes?: Uint8Array
    readonly type?: string
    readonly fields?: Readonly<Record<string, unknown>>
    readonly describe?: () => Record<string, unknown> | Response
    readonly download?: (request: Received) => Response
  } = {},
): Promise<SentFile> {
  const { bytes = picture(), type = 'image', fields = {}, describe = () => ({}), download } = file
  lastId += 1
  const id = `7000${lastId}`
  const path = `/files/${id}`
  const earlier = gateway.upstream.answer
  gateway.upstream.answer = request => {
    if (request.path === path) return download?.(request) ?? new Response(new Uint8Array(bytes))
    if (!request.path.endsWith(`/${id}`)) return earlier(request)
    const described = describe()
    if (described instanceof Response) return described
    return Response.json({ url: `${gateway.upstream.url}${path}`, mime_type: 'image/png', id, ...described })
  }
  const content = { id, mime_type: 'image/png', sha256: base64Hash(bytes), ...fields }
  const answer = { flow_token: 't', name: 'Ada', photo_picker: [{ file_name: 'IMG 5237.jpg', ...content }] }
  const form = { name: 'flow', body: 'Sent', response_json: JSON.stringify(answer) }
  const said = type === 'form' ? { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: form } } : null
  await userWrites(gateway, gateway, said ?? { type, [type]: content })
  return { id, path }
}

/** The answer of the upstream to an id that does not exist (any more). */
export const noSuchFile = (id: string) =>
  graphError(400, { code: 100, error_subcode: 33, message: `Object with ID '${id}' does not exist` })

/** Does what the gateway does every few seconds. */
export const keepFiles = ({ gateway }: TestGateway) => gateway.jobs.trigger('keep-files')

/** @returns `media` of the message that came last */
export async function lastMedia(gateway: TestGateway) {
  const { json } = await gateway.get('/api/v1/public/inbound?limit=100')
  return json.data.at(-1).media
}

export const getMedia = ({ url, key }: TestGateway, id: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/v1/public/media/${id}`, { headers: { ...key, ...headers } })
