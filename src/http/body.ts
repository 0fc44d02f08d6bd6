import { GatewayError, invalid } from '../errors.ts'

/** DESIGN section 3: larger bodies are answered 413. */
export const bodyBytesMax = 1_048_576

const utf8 = new TextDecoder('utf-8', { fatal: true })

export const tooLarge = (bytesMax: number) =>
  new GatewayError({ reason: 'PAYLOAD_TOO_LARGE', message: `The body is larger than ${bytesMax} bytes.` })

/**
 * Reads a JSON body. A chunked body has no length up front, so it is measured here as well.
 * @throws GatewayError PAYLOAD_TOO_LARGE or VALIDATION_ERROR
 */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await request.bytes()
  if (bytes.length > bodyBytesMax) throw tooLarge(bodyBytesMax)
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
