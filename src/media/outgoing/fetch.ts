import type { IncomingHttpHeaders } from 'node:http'
import type { InboundFile } from '../../../db/contract/files.ts'
import { type AddressGuard, ForbiddenAddress } from '../../base/addressGuard.ts'
import type { Clock } from '../../base/clock.ts'
import { nameInLink } from '../../base/fileName.ts'
import { Pieces } from '../../base/pieces.ts'
import { mediaBytesMax } from '../../base/upstreamLimits.ts'
import { causeOf } from '../../transport/cause.ts'
import { Connection } from '../../transport/connection.ts'
import { type ExchangeFailure, SentRequest } from '../../transport/request.ts'
import type { FileStorage } from '../storage.ts'
import { bytesMaxOf, judgedBytes, mayBe, mediaType, type UploadFormat, wrongType } from './types.ts'

/** Where a file is that is sent: behind a caller's link, or among those that are kept here. */
export type FileSource =
  | { readonly kind: 'link'; readonly link: string }
  | ({ readonly kind: 'kept'; readonly id: string; readonly bytes: number } & Pick<
      InboundFile,
      'mimeType' | 'fileName'
    >)

/** What a file is remembered by: its link, or its id here, which is no link. */
export const nameOf = (source: FileSource) => (source.kind === 'link' ? source.link : source.id)

/** What people call it; null: nothing is known. */
export const knownName = (source: FileSource): string | null =>
  source.kind === 'link' ? (nameInLink(source.link) ?? null) : source.fileName

export type FetchedMedia =
  /** In the pieces in which it arrived: joining them would need the memory twice. */
  | { readonly kind: 'fetched'; readonly file: readonly Uint8Array[]; readonly mime: string }
  /** The reason, in words for the caller. They say nothing about our network. */
  | { readonly kind: 'failed'; readonly why: string }
  /** There was no memory for the file. */
  | { readonly kind: 'busy' }

/** The caller of the send waits meanwhile. A file that takes longer has to be uploaded beforehand. */
const fetchMsMax = 20_000
/** Shorteners and content networks redirect once or twice. */
const redirectsMax = 4
/** Memory for a file whose length is not known. A larger file acquires as much again. */
const unknownLengthBytes = mediaBytesMax.video

export interface FetchParts {
  readonly guard: AddressGuard
  /** URLs with this prefix are fetched without the guard: the example files of the stand-in upstream. */
  readonly exampleFiles?: string | undefined
  readonly clock: Clock
  /** Acquires memory once the file's server has answered, before the body is read. A dead link holds none. */
  readonly hold: (bytes: number) => Promise<boolean>
}

type Hop =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'file'; readonly file: readonly Uint8Array[]; readonly declared: string | null }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'busy' }

/**
 * Fetches the file behind a caller's link. The address guard checks every redirect. Size and type are checked while the
 * file streams, so that a wrong file is not read to its end.
 */
export async function fetchMedia(parts: FetchParts, link: string, format: UploadFormat): Promise<FetchedMedia> {
  const until = parts.clock.steady() + fetchMsMax
  let next = link
  for (let hops = 0; hops <= redirectsMax; hops += 1) {
    const url = URL.canParse(next) ? new URL(next) : null
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      return failed('leads to something that is not a web address')
    if (url.username !== '' || url.password !== '') return failed('must not carry a user name or password')
    const hop = await get(parts, url, format, until - parts.clock.steady())
    if (hop.kind === 'failed' || hop.kind === 'busy') return hop
    if (hop.kind === 'file') {
      const mime = mediaType(format, hop.file, hop.declared)
      return mime === null ? failed(wrongType(format, hop.file)) : { kind: 'fetched', file: hop.file, mime }
    }
    const target = URL.parse(hop.location, url.href)
    if (!target) return failed('leads to something that is not a web address')
    next = target.href
  }
  return failed(`redirects more than ${redirectsMax} times`)
}

/** Reads a file that is kept here, of a size and type that may be sent so. */
export async function readKept(
  { storage, hold }: { readonly storage: Pick<FileStorage, 'open'>; readonly hold: FetchParts['hold'] },
  { id, bytes, mimeType }: Extract<FileSource, { kind: 'kept' }>,
  format: UploadFormat,
): Promise<FetchedMedia> {
  if (bytes > bytesMaxOf(format)) return tooLargeFor(format)
  if (!(await hold(bytes))) return { kind: 'busy' }
  try {
    const content = await storage.open(id, bytes, 0, bytes)
    if (content === null) return failed('is not there: it was removed, or is on another machine')
    const file = content instanceof Blob ? [await content.bytes()] : await Array.fromAsync(content)
    const mime = mediaType(format, file, mimeType)
    return mime === null ? failed(wrongType(format, file)) : { kind: 'fetched', file, mime }
  } catch {
    return failed('cannot be read at the moment from where files are kept; try again later')
  }
}

function tooLargeFor(format: UploadFormat) {
  const kib = bytesMaxOf(format) / 1_024
  return failed(`is larger than ${kib < 1_024 ? `${kib} KB` : `${kib / 1_024} MB`}`)
}

const failed = (why: string) => ({ kind: 'failed', why }) as const

const unfetched = (reason: string | undefined) =>
  failed(reason === undefined ? 'could not be fetched' : `could not be fetched: ${reason}`)

const hintOf = (status: number) =>
  status === 404 || status === 410 ? ', not found' : status === 401 || status === 403 ? ', access denied' : ''

/** Only a kind and a name: a proxy in front of the upstream could read an escaped slash as a path out of the folder. */
const isExampleFile = (exampleFiles: string, address: string) =>
  address.startsWith(exampleFiles) && /^[\w-]+\/[\w-]+(\.\w+)?$/.test(address.slice(exampleFiles.length))

function get({ guard, exampleFiles, clock, hold }: FetchParts, url: URL, format: UploadFormat, timeoutMs: number) {
  return new Promise<Hop>(resolve => {
    const isExample = exampleFiles !== undefined && isExampleFile(exampleFiles, url.href)
    try {
      if (!isExample) guard.checkHost(url.hostname)
    } catch {
      return resolve(failed(notPublic))
    }
    const bytesMax = bytesMaxOf(format)
    const tooLarge = tooLargeFor(format)
    const pieces = new Pieces()
    let held = 0
    let isJudged = false
    let declared: string | null | undefined
    let isOver = false
    let until = clock.steady() + timeoutMs

    const limit = (ms: number) =>
      clock.setTimer(ms, () => finish(failed(`did not arrive within ${fetchMsMax / 1000} seconds`)))
    let cancelTimer = limit(timeoutMs)

    function finish(hop: Hop) {
      if (isOver) return
      isOver = true
      cancelTimer()
      resolve(hop)
      sent.end(new Error('the rest is not needed'))
    }

    /** Resumes once there is memory for that much more. The wait for memory does not count towards the time limit. */
    async function readOn(more: number) {
      held += more
      sent.pause()
      cancelTimer()
      const leftMs = until - clock.steady()
      const isHeld = await hold(more)
      if (isOver) return
      if (!isHeld) return finish({ kind: 'busy' })
      until = clock.steady() + leftMs
      // Data that arrived after the pause may have asked for memory, too.
      cancelTimer()
      cancelTimer = limit(leftMs)
      sent.resume()
    }

    function onAnswer(status: number, headers: IncomingHttpHeaders) {
      declared = headers['content-type'] ?? null
      if (status >= 300 && status < 400 && headers.location !== undefined) {
        return finish({ kind: 'redirect', location: headers.location })
      }
      if (status !== 200) return finish(unfetched(`its server answered HTTP ${status}${hintOf(status)}`))
      const length = Number(headers['content-length'] ?? Number.NaN)
      if (length > bytesMax) return finish(tooLarge)
      void readOn(Number.isNaN(length) ? Math.min(unknownLengthBytes, bytesMax) : length)
    }

    function onData(piece: Buffer) {
      pieces.add(piece)
      if (pieces.bytes > bytesMax) return finish(tooLarge)
      if (pieces.areTooSmall) return finish(unfetched('its server sends it in pieces that are too small'))
      if (!isJudged && pieces.bytes >= judgedBytes(format)) {
        isJudged = true
        if (!mayBe(format, pieces.list())) return finish(failed(wrongType(format, pieces.list())))
      }
      if (pieces.bytes > held) void readOn(Math.min(unknownLengthBytes, bytesMax - held))
    }

    function onEnd(failure: ExchangeFailure | null) {
      if (!failure) finish({ kind: 'file', file: pieces.list(), declared: declared ?? null })
      else if (failure.error instanceof ForbiddenAddress) finish(failed(notPublic))
      else
        finish(declared === undefined ? unfetched(causeOf(failure.error)?.words) : failed('could not be fetched whole'))
    }

    const sent = new SentRequest(new Connection({ url, ...(!isExample && { lookup: guard.lookup }) }), {
      onAnswer,
      onData,
      onEnd,
    })
    sent.start({ method: 'GET', path: url.pathname + url.search, headers: requestHeaders, isLast: true })
  })
}

/**
 * Without `Accept-Encoding` a server may compress its answer (RFC 9110 12.5.3), and nothing here decodes one. Some
 * servers refuse clients without a `User-Agent` (RFC 9110 10.1.5).
 */
const requestHeaders = { 'accept-encoding': 'identity', 'user-agent': 'Waypost' }

const notPublic = 'leads to an address that is not public'
