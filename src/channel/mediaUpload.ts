import type { Clock } from '../clock.ts'
import type { MediaFormat } from '../templates/structure.ts'
import type { UpstreamFault } from './answer.ts'
import type { ChannelClient } from './client.ts'
import { fetchMedia } from './mediaFetch.ts'
import { mediaBytesMax } from './mediaTypes.ts'
import type { AddressGuard } from './publicAddress.ts'

/** One link to be put on one line. Flat: it crosses a thread. */
export interface MediaOrder {
  readonly channelId: string
  readonly upstreamPhoneId: string
  readonly accessToken: string
  readonly link: string
  readonly format: MediaFormat
}

export type Upload =
  | { readonly kind: 'uploaded'; readonly mediaId: string }
  /** The link is at fault; `why` completes the sentence "the file …". */
  | { readonly kind: 'unavailable'; readonly why: string }
  | { readonly kind: 'refused'; readonly fault: UpstreamFault }
  | { readonly kind: 'unreachable'; readonly why: string }

/** What files may hold in memory at a time: ten cards with videos side by side. */
const bytesInFlightMax = 10 * mediaBytesMax.video

/** Fetches files and uploads them to a line, many side by side, as long as they fit into memory. */
export function createMediaUploader(parts: { client: ChannelClient; guard: AddressGuard; clock: Clock }) {
  let bytesInFlight = 0
  const waiting: (() => void)[] = []

  async function reserve(bytes: number): Promise<void> {
    while (bytesInFlight > 0 && bytesInFlight + bytes > bytesInFlightMax) {
      await new Promise<void>(resolve => waiting.push(resolve))
    }
    bytesInFlight += bytes
  }

  function release(bytes: number): void {
    bytesInFlight -= bytes
    for (const wake of waiting.splice(0)) wake()
  }

  return async function upload(order: MediaOrder): Promise<Upload> {
    const bytesMax = mediaBytesMax[order.format]
    await reserve(bytesMax)
    try {
      const file = await fetchMedia(parts, order.link, order.format)
      if (file.kind === 'failed') return { kind: 'unavailable', why: file.why }
      return await parts.client.uploadMedia({ ...order, file: file.file, mime: file.mime })
    } finally {
      release(bytesMax)
    }
  }
}
