import { rmSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { ChannelSettings } from '../../graph/call.ts'
import type { ChannelClient } from '../../graph/client.ts'
import { sniffedType } from '../outgoing/types.ts'
import { type FileStorage, partialPath, type StorageSettings } from '../storage.ts'
import type { download } from './download.ts'

/** What the thread that fetches is started with. */
export interface FetcherOptions extends ChannelSettings {
  readonly storage: StorageSettings
}

/** A file to fetch. Flat, because it is sent to another thread. */
export interface FileOrder {
  readonly fileId: string
  readonly upstreamId: string
  readonly accessToken: string
  /** As the callback gave them. */
  readonly sha256: string | null
  readonly mimeType: string | null
  readonly bytesMax: number
}

/** `why` is for the operator. */
export type Fetched =
  /** It is on disk, or in the bucket. */
  | { readonly kind: 'stored'; readonly bytes: number; readonly mimeType: string }
  /** It will never be fetched. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The bytes are others than the upstream said. */
  | { readonly kind: 'mismatch'; readonly why: string }
  | { readonly kind: 'notNow'; readonly why: string }

export interface FetcherVerbs {
  fetchFile(order: FileOrder): Promise<Fetched>
  /** @throws Error with a sentence for the operator */
  removeFile(fileId: string): Promise<void>
}

/**
 * The hosts besides that of the API which the upstream gives addresses at (docs/upstream.md#media). An address comes
 * from the upstream itself, never from a callback; even so, the token goes nowhere else.
 */
const downloadHosts = ['fbsbx.com', 'fbcdn.net', 'facebook.com', 'whatsapp.net'] as const

/** @returns whether the access token may be sent there */
export function mayGetToken(url: URL, apiUrl: string): boolean {
  if (url.origin === new URL(apiUrl).origin) return true
  const isKnown = downloadHosts.some(host => url.hostname === host || url.hostname.endsWith(`.${host}`))
  return url.protocol === 'https:' && url.port === '' && isKnown
}

const sizeOf = (bytes: number) => `${Math.floor(bytes / 1_048_576)} MB`

export function createFetcher(parts: {
  readonly client: Pick<ChannelClient, 'describeMedia'>
  readonly download: typeof download
  readonly storage: FileStorage
  readonly options: FetcherOptions
  readonly clock: Clock
}): FetcherVerbs {
  const { client, download, storage, options, clock } = parts
  const { folder } = options.storage
  const notNow = (why: string): Fetched => ({ kind: 'notNow', why })

  async function fetchTo(path: string, order: FileOrder): Promise<Fetched> {
    const { fileId, upstreamId, accessToken, bytesMax } = order
    const tooLarge: Fetched = { kind: 'refused', why: `it has more than ${sizeOf(bytesMax)}` }
    // Anew at each attempt: an address is good for minutes.
    const media = await client.describeMedia({ mediaId: upstreamId, accessToken })
    if (media.kind === 'unreachable') return notNow(media.why)
    if (media.kind === 'refused') {
      const { title, details, fault } = media.fault
      return { kind: fault === 'request' ? 'refused' : 'notNow', why: details ?? title }
    }
    if ((media.bytes ?? 0) > bytesMax) return tooLarge
    const url = URL.parse(media.url)
    if (!url || !mayGetToken(url, options.apiUrl)) {
      return notNow(`its address is at ${url?.host ?? 'no host'}, where the access token is not sent`)
    }
    // Some servers refuse clients without a `User-Agent` (RFC 9110 10.1.5). What came compressed would have another
    // hash.
    const headers = {
      authorization: `Bearer ${accessToken}`,
      'accept-encoding': 'identity',
      'user-agent': 'Waypost',
    }
    const got = await download({ url, headers, path, bytesMax, bytes: media.bytes }, clock)
    if (got.kind === 'tooLarge') return tooLarge
    if (got.kind === 'failed') return notNow(got.why)
    const expected = readSha256(order.sha256) ?? readSha256(media.sha256)
    if (expected !== null && expected !== got.sha256) {
      return { kind: 'mismatch', why: `its SHA-256 is ${got.sha256} in place of ${expected}` }
    }
    const mimeType = sniffedType(got.head, order.mimeType ?? media.mimeType)
    await storage.put(fileId, path, mimeType)
    return { kind: 'stored', bytes: got.bytes, mimeType }
  }

  return {
    async fetchFile(order) {
      const path = partialPath(folder, order.fileId)
      try {
        return await fetchTo(path, order)
      } catch (error) {
        // The disk is full, or the bucket cannot be reached.
        return notNow(messageOf(error))
      } finally {
        rmSync(path, { force: true })
      }
    },
    removeFile: fileId => storage.remove(fileId),
  }
}

const hexPattern = /^[0-9a-f]{64}$/i
/** 32 bytes; a receiver may be given the letters of addresses, and no end. */
const base64Pattern = /^[A-Za-z0-9+/_-]{43}=?$/

/**
 * Reads a hash as the upstream writes it (docs/upstream.md#inbound-messages).
 * @returns it in hexadecimal; null when it is neither that nor base64
 */
export function readSha256(text: string | null): string | null {
  if (text === null) return null
  if (hexPattern.test(text)) return text.toLowerCase()
  return base64Pattern.test(text) ? Buffer.from(text, 'base64').toString('hex') : null
}
