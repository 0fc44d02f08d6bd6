import type { Clock } from '../clock.ts'
import type { UpstreamFault } from '../graph/answer.ts'
import type { ChannelClient } from '../graph/client.ts'
import type { MediaFormat } from '../message/media.ts'
import { fetchMedia } from './fetch.ts'
import type { AddressGuard } from './publicAddress.ts'
import { Room } from './room.ts'
import { mediaBytesMax } from './types.ts'

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
  /** Too many other files are under way; nobody is at fault. */
  | { readonly kind: 'busy' }

/** What files may hold in memory: a channel as much as the largest of them, or a carousel's videos in two goes. */
const memory = { max: 2 * mediaBytesMax.document, shareMax: mediaBytesMax.document }
/** Each has a socket open. A link that answers nothing keeps its place for 20 seconds, from its own channel alone. */
const underWay = { max: 1024, shareMax: 64 }

/** Fetches files and uploads them to a line, many side by side. */
export function createMediaUploader(parts: { client: ChannelClient; guard: AddressGuard; clock: Clock }) {
  const { client, clock } = parts
  const bytes = new Room(clock, memory)
  const places = new Room(clock, underWay)

  return async function upload(order: MediaOrder): Promise<Upload> {
    const { channelId, link, format } = order
    if (!(await places.take(channelId, 1))) return { kind: 'busy' }
    let held = 0
    let isOver = false
    /** Gives back what is beyond so much. */
    const keep = (size: number) => {
      bytes.give(channelId, held - size)
      held = size
    }
    const hold = async (size: number) => {
      const isTaken = await bytes.take(channelId, size)
      if (isTaken) held += size
      // The link may have failed meanwhile.
      if (isOver) keep(0)
      return isTaken
    }
    try {
      const fetched = await fetchMedia({ ...parts, hold }, link, format)
      if (fetched.kind === 'busy') return fetched
      if (fetched.kind === 'failed') return { kind: 'unavailable', why: fetched.why }
      const { file, mime } = fetched
      keep(file.reduce((sum, piece) => sum + piece.length, 0))
      return await client.uploadMedia({ ...order, file, mime })
    } finally {
      isOver = true
      keep(0)
      places.give(channelId, 1)
    }
  }
}
