import type { Clock } from '../../base/clock.ts'
import { nameOfType, safeName } from '../../base/fileName.ts'
import { Semaphore } from '../../base/semaphore.ts'
import { mediaBytesMax } from '../../base/upstreamLimits.ts'
import type { ChannelClient, MediaUpload } from '../../graph/client.ts'
import type { FileStorage } from '../storage.ts'
import { type FetchParts, type FileSource, fetchMedia, knownName, readKept } from './fetch.ts'
import type { UploadFormat } from './types.ts'

/** One file to upload to one line. Plain data, because it is sent to another thread. */
export interface MediaOrder {
  readonly channelId: string
  readonly upstreamPhoneId: string
  readonly accessToken: string
  readonly source: FileSource
  readonly format: UploadFormat
}

export type Upload =
  | MediaUpload
  /** The file is at fault; `why` completes the sentence "the file …". */
  | { readonly kind: 'unavailable'; readonly why: string }
  /** Too many other files are being uploaded. */
  | { readonly kind: 'busy' }

/**
 * Memory for files, of all channels and of one: enough for the largest file, or for half of the videos of a carousel. A
 * channel whose file server is slow uses up only its own share.
 */
const bytesMax = { all: 2 * mediaBytesMax.document, channel: mediaBytesMax.document }
/** Links that are fetched at the same time, of all channels and of one. Each has an open socket. */
const linksMax = { all: 1024, channel: 64 }

/** Fetches files and uploads them to a line, many in parallel. */
export function createMediaUploader(
  parts: Omit<FetchParts, 'hold'> & { client: ChannelClient; storage: Pick<FileStorage, 'open'> },
) {
  const { client, storage, clock } = parts
  const bytes = createShares(clock, bytesMax)
  const links = createShares(clock, linksMax)

  return async function upload(order: MediaOrder): Promise<Upload> {
    const { channelId, source, format } = order
    if (!(await links.acquire(channelId, 1))) return { kind: 'busy' }
    let held = 0
    let isOver = false
    /** Releases the memory held beyond this size. */
    const keep = (size: number) => {
      bytes.release(channelId, held - size)
      held = size
    }
    const hold = async (size: number) => {
      const isAcquired = await bytes.acquire(channelId, size)
      if (isAcquired) held += size
      // The link may have failed meanwhile.
      if (isOver) keep(0)
      return isAcquired
    }
    try {
      const fetched =
        source.kind === 'link'
          ? await fetchMedia({ ...parts, hold }, source.link, format)
          : await readKept({ storage, hold }, source, format)
      if (fetched.kind === 'busy') return fetched
      if (fetched.kind === 'failed') return { kind: 'unavailable', why: fetched.why }
      const { file, mime } = fetched
      keep(file.reduce((sum, piece) => sum + piece.length, 0))
      const fileName = nameOfType(safeName(knownName(source) ?? ''), mime)
      return await client.uploadMedia({ ...order, file, mime, fileName })
    } finally {
      isOver = true
      keep(0)
      links.release(channelId, 1)
    }
  }
}

/** A semaphore for all channels together and one for each channel that sends files. */
function createShares(clock: Clock, max: { readonly all: number; readonly channel: number }) {
  const all = new Semaphore(clock, max.all)
  const channels = new Map<string, Semaphore>()

  function shareOf(channelId: string): Semaphore {
    const share = channels.get(channelId) ?? new Semaphore(clock, max.channel)
    channels.set(channelId, share)
    return share
  }

  return {
    async acquire(channelId: string, amount: number): Promise<boolean> {
      const share = shareOf(channelId)
      // The channel's own first: waiting for it takes nothing from the other channels.
      if (!(await share.acquire(amount))) return false
      if (await all.acquire(amount)) return true
      share.release(amount)
      return false
    },
    release(channelId: string, amount: number): void {
      shareOf(channelId).release(amount)
      all.release(amount)
    },
  }
}
