import type { Clock } from '../base/clock.ts'
import { inTime, readChunks, refuseEncoded, tooLarge } from './body.ts'
import { watchPace } from './pace.ts'

/**
 * Reads a body that is a file, into memory.
 * @returns it in pieces, in their order
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE; VALIDATION_ERROR for what ends early, takes longer
 *   than `msMax`, or comes too slowly or in too small pieces
 */
export async function readFileBody(
  request: Request,
  clock: Clock,
  { bytesMax, msMax }: { readonly bytesMax: number; readonly msMax: number },
): Promise<readonly Uint8Array[]> {
  refuseEncoded(request)
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax)
  return inTime(clock, msMax, async tooLate => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    tooLate.catch(reject)
    let bytes = 0
    const chunk = (length: number) => {
      bytes += length
    }
    const endWatch = watchPace(clock, () => ({ bytes, isReading: true }), reject)
    try {
      return (await readChunks(request, bytesMax, { late, chunk })).list()
    } finally {
      endWatch()
    }
  })
}
