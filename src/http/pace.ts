import type { Clock } from '../base/clock.ts'
import { GatewayError, invalid } from '../base/errors.ts'
import { paceBytesMin, paceMs } from './limits.ts'

const tooSlow = () => {
  const message = `came too slowly; send at least ${paceBytesMin} bytes in ${paceMs / 1_000} seconds`
  return new GatewayError(invalid([{ path: '', message }]))
}

/**
 * Watches a file that comes.
 * @param came how many bytes so far, and whether more are waited for
 * @param reject called once, when they come below the least pace
 * @returns ends it
 */
export function watchPace(
  clock: Clock,
  came: () => { readonly bytes: number; readonly isReading: boolean },
  reject: (error: GatewayError) => void,
): () => void {
  let bytesBefore = 0
  let cancelTimer = () => {}
  const watch = () => {
    cancelTimer = clock.setTimer(paceMs, () => {
      const { bytes, isReading } = came()
      if (isReading && bytes - bytesBefore < paceBytesMin) return reject(tooSlow())
      bytesBefore = bytes
      watch()
    })
  }
  watch()
  return () => cancelTimer()
}
