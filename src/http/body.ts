import { GatewayError, invalid } from '../errors.ts'

/** The largest send, ten cards with every value at its limit, has some 50 KB; larger bodies are answered 413. */
export const bodyBytesMax = 1_048_576

const utf8 = new TextDecoder('utf-8', { fatal: true })

export const tooLarge = (bytesMax: number) =>
  new GatewayError({ reason: 'PAYLOAD_TOO_LARGE', message: `The body is larger than ${bytesMax} bytes.` })

/**
 * Reads a body no further than it may be long: what a chunked body or a wrong length holds beyond that is never kept.
 * @throws GatewayError PAYLOAD_TOO_LARGE; VALIDATION_ERROR when the caller hung up within it
 */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  try {
    return await readWithin(request, bytesMax)
  } catch (cause) {
    // Nobody reads the answer; as an unexpected error it would stand in the log as a fault of ours.
    if (!(cause instanceof DOMException && cause.name === 'AbortError')) throw cause
    throw new GatewayError(invalid([{ path: '', message: 'ended before it was whole' }]), { cause })
  }
}

async function readWithin(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > bytesMax) throw tooLarge(bytesMax)
  // The server reads no more than the declared length.
  if (declared >= 0) return request.bytes()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Reads a JSON body.
 * @throws GatewayError PAYLOAD_TOO_LARGE or VALIDATION_ERROR
 */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request, bodyBytesMax)
  if (bytes.length === 0) throw new GatewayError(invalid([{ path: '', message: 'is empty; send a JSON object' }]))
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new GatewayError(invalid([{ path: '', message: 'is not readable JSON in UTF-8' }]))
  }
}

/** @returns whether the header names JSON; the only charset that JSON has is UTF-8. */
export function isJson(contentType: string | null): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/json') return false
  return parameters.every(parameter => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim() !== 'charset' || ['utf-8', 'utf8'].includes(value.trim().replaceAll('"', ''))
  })
}
