import type { Clock } from '../base/clock.ts'
import { GatewayError, type Issue, invalid, type Refusal } from '../base/errors.ts'
import { hasMoreEntriesThan, parseJson } from '../base/json.ts'
import { Pieces } from '../base/pieces.ts'
import { bodyBytesMax, bodyEntriesMax, bodyMsMax } from './limits.ts'
import type { Room } from './requestHead.ts'

/** @returns the problem of a JSON text with too many elements; null when there are not too many. */
export const entriesProblem = (path: string, json: string, entriesMax = bodyEntriesMax): Issue | null =>
  hasMoreEntriesThan(json, entriesMax)
    ? { path, message: `must not have more than ${entriesMax} fields and elements in all` }
    : null

const utf8 = new TextDecoder('utf-8', { fatal: true })

export const tooLarge = (bytesMax: number) =>
  new GatewayError({ reason: 'PAYLOAD_TOO_LARGE', message: `The body is larger than ${bytesMax} bytes.` })

export const tooSmallPieces = () =>
  new GatewayError(invalid([{ path: '', message: 'came in too small pieces; send larger ones' }]))

/**
 * Reads a body up to its limit. The rest of a chunked body, or of one with a wrong length, is never kept.
 * @throws GatewayError PAYLOAD_TOO_LARGE; VALIDATION_ERROR when the caller closed the connection before its end, or
 * sends too small pieces
 */
export async function readBytes(request: Request, bytesMax: number, late?: Promise<never>): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > bytesMax) throw tooLarge(bytesMax)
  // The server reads no more than the declared length.
  if (declared >= 0) {
    const whole = request.bytes().catch(hungUp)
    return late ? Promise.race([whole, late]) : whole
  }
  return (await readChunks(request, bytesMax, { late })).joined()
}

/**
 * Reads a body as it arrives, up to its limit. The rest is dropped.
 * @param on.late rejects when the body takes too long
 * @param on.chunk waited for with the size of each piece before it is kept; an error from it ends the reading
 * @throws GatewayError PAYLOAD_TOO_LARGE; VALIDATION_ERROR when the caller closed the connection before its end or
 * sends too small pieces; the errors of `on`
 */
export async function readChunks(
  request: Request,
  bytesMax: number,
  on: { readonly late?: Promise<never> | undefined; readonly chunk?: (bytes: number) => Promise<void> | void },
): Promise<Pieces> {
  const pieces = new Pieces()
  const reader = request.body?.getReader()
  if (!reader) return pieces
  let isOver = false
  async function readAll(from: NonNullable<typeof reader>) {
    while (true) {
      const { done, value } = await from.read()
      if (done || isOver) return
      if (pieces.bytes + value.length > bytesMax) throw tooLarge(bytesMax)
      await on.chunk?.(value.length)
      pieces.add(value)
      if (pieces.areTooSmall) throw tooSmallPieces()
    }
  }
  const whole = readAll(reader).catch(hungUp)
  try {
    // Once: each race with a long-lived promise leaves a reaction behind in it, until it settles.
    await (on.late ? Promise.race([whole, on.late]) : whole)
    return pieces
  } finally {
    isOver = true
    await reader.cancel().catch(() => {})
  }
}

/** Nobody reads this answer. It is a refusal, so that the log does not show it as our error. */
export function hungUp(cause: unknown): never {
  if (!(cause instanceof DOMException && cause.name === 'AbortError')) throw cause
  throw new GatewayError(invalid([{ path: '', message: 'ended before it was whole' }]), { cause })
}

/**
 * Reads a JSON body of a caller who is known.
 * @param room waited for before the bytes are parsed
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or VALIDATION_ERROR; the errors of `room`
 */
export async function readJson(request: Request, clock: Clock, room?: Room): Promise<unknown> {
  const bytes = await readSmall(request, clock)
  await room?.(bytes.length)
  return jsonOf(bytes)
}

/** The same where none need be sent. @returns an empty object where it is empty, also where it came in chunks */
export async function readJsonIfAny(request: Request, clock: Clock): Promise<unknown> {
  const bytes = await readSmall(request, clock)
  return bytes.length === 0 ? {} : jsonOf(bytes)
}

async function readSmall(request: Request, clock: Clock): Promise<Uint8Array> {
  refuseEncoded(request)
  return readInTime(request, clock, { bytesMax: bodyBytesMax, msMax: bodyMsMax })
}

/**
 * A small compressed body may become very large when it is unpacked. So no body is unpacked.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE
 */
export function refuseEncoded({ headers }: Request): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity')
    throw new GatewayError({
      reason: 'UNSUPPORTED_MEDIA_TYPE',
      message: 'The body is compressed: send it as it is, without the header Content-Encoding.',
    })
}

/** @throws GatewayError VALIDATION_ERROR */
export function jsonOf(bytes: Uint8Array, entriesMax?: number): unknown {
  if (bytes.length === 0) throw new GatewayError(invalid([{ path: '', message: 'is empty; send a JSON object' }]))
  const json = decoded(bytes)
  const tooMany = json === null ? null : entriesProblem('', json, entriesMax)
  if (tooMany) throw new GatewayError(invalid([tooMany]))
  const value = json === null ? undefined : parseJson(json)
  if (value === undefined) throw new GatewayError(invalid([{ path: '', message: 'is not readable JSON in UTF-8' }]))
  return value
}

/**
 * Reads a body up to its limits.
 * @throws GatewayError PAYLOAD_TOO_LARGE or VALIDATION_ERROR
 */
export const readInTime = (
  request: Request,
  clock: Clock,
  { bytesMax, msMax }: { bytesMax: number; msMax: number },
): Promise<Uint8Array> => inTime(clock, msMax, late => readBytes(request, bytesMax, late))

/** @throws GatewayError VALIDATION_ERROR when reading takes longer; it is handed the promise that rejects then */
export async function inTime<Result>(
  clock: Clock,
  msMax: number,
  read: (late: Promise<never>) => Promise<Result>,
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const unfinished = { path: '', message: `did not arrive within ${msMax / 1000} seconds` }
  const cancelTimer = clock.setTimer(msMax, () => reject(new GatewayError(invalid([unfinished]))))
  try {
    return await read(late)
  } finally {
    cancelTimer()
  }
}

/** @returns null when the bytes are no UTF-8 */
function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

export const notJson: Refusal = {
  reason: 'UNSUPPORTED_MEDIA_TYPE',
  message: 'Send the body as JSON, with the header Content-Type: application/json.',
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
