import type { Clock } from '../base/clock.ts'
import { inTime, readChunks, refuseEncoded, tooLarge } from './body.ts'
import { watchPace } from './pace.ts'
import type { Room } from './requestHead.ts'

/**
 * Reads a body that is a file, into memory.
 * @returns it in pieces, in their order
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE; VALIDATION_ERROR for what ends early, takes longer
 *   than `msMax`, or comes too slowly or in too small pieces
 */
export async function readFileBody(
  request: Request,
  clock: Clock,
  { bytesMax, msMax, room }: { readonly bytesMax: number; readonly msMax: number; readonly room: Room },
): Promise<readonly Uint8Array[]> {
  refuseEncoded(request)
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax)
  return inTime(clock, msMax, async tooLate => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    tooLate.catch(reject)
    let bytes = 0
    let isReading = true
    const chunk = async (length: number) => {
      bytes += length
      isReading = false
      await room(length)
      isReading = true
    }
    const endWatch = watchPace(clock, () => ({ bytes, isReading }), reject)
    try {
      return (await readChunks(request, bytesMax, { late, chunk })).list()
    } finally {
      endWatch()
    }
  })
}
