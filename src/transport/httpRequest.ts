import { isFieldName, isFieldValue } from './httpFields.ts'
import type { HttpRequest } from './transport.ts'

/** A string is written as UTF-8. */
export type RequestPart = string | Uint8Array

export type EncodedRequest =
  /** The parts go over the connection one after the other. */
  | { readonly kind: 'encoded'; readonly url: URL; readonly parts: RequestPart[] }
  | { readonly kind: 'invalid'; readonly why: string }

/** Up to here a copy of the body behind the headers is cheaper than a second write. */
const joinedBytesMax = 65_536

/** Of ASCII. */
const controlCharacter = /[^\x20-\x7e\x80-\uffff]/
const beyondAscii = /[\x80-\uffff]/
/** They say where a request ends and what becomes of its connection, which is for the transport to say. */
const reservedName = /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/**
 * Writes a request as HTTP/1.1 (RFC 9112). What HTTP cannot carry as it was given is refused, not altered; only the
 * address is percent-encoded where it has to be.
 */
export function encodeRequest({ method, url: address, headers, body }: HttpRequest): EncodedRequest {
  // The URL parser would drop a line break in silence, and the request would go to another path than was asked for.
  if (controlCharacter.test(address)) return invalid('the address has a control character')
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return invalid('the address is not one of the web')
  if (url.username !== '' || url.password !== '') return invalid('the address has a user name or a password')

  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n`
  for (const [name, value] of Object.entries(headers)) {
    if (!isFieldName(name)) return invalid(`not the name of a header: ${JSON.stringify(name)}`)
    if (reservedName.test(name)) return invalid(`the header ${name} is for the transport to set`)
    // The value is not shown: it may be a secret.
    if (!isFieldValue(value)) return invalid(`the header ${name} has a character that HTTP cannot carry`)
    head += `${name}: ${value}\r\n`
  }
  // RFC 9110 8.6: the length is told even when it is 0, where the method lets one expect a body.
  const bodyParts = typeof body === 'string' || body instanceof Uint8Array ? [body] : (body ?? [])
  const length = bodyParts.reduce((sum, part) => sum + byteLength(part), 0)
  if (body !== undefined || method === 'POST') head += `Content-Length: ${length}\r\n`
  head += 'Connection: keep-alive\r\n\r\n'
  return { kind: 'encoded', url, parts: join(head, bodyParts, length) }
}

const invalid = (why: string): EncodedRequest => ({ kind: 'invalid', why })

const byteLength = (part: RequestPart): number => (typeof part === 'string' ? Buffer.byteLength(part) : part.length)

function join(head: string, body: readonly RequestPart[], length: number): RequestPart[] {
  const [first = ''] = body
  // Headers are latin1. Where they are ASCII, which is the same in UTF-8, one string can hold both.
  if (typeof first === 'string' && length <= joinedBytesMax && !beyondAscii.test(head)) return [head + first]
  const parts = [
    Buffer.from(head, 'latin1'),
    ...body.map(part => (typeof part === 'string' ? Buffer.from(part) : part)),
  ]
  return length <= joinedBytesMax ? [Buffer.concat(parts)] : parts
}
