import type { IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { Pieces } from '../base/pieces.ts'
import { ShortLivedMap } from '../base/shortLivedMap.ts'
import { type Cause, causeOf, Silence } from './cause.ts'
import type { Connection } from './connection.ts'
import { Connections } from './connections.ts'
import { type ExchangeFailure, type RequestBody, type RequestMethod, SentRequest } from './request.ts'

/** Of another server. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** One HTTP exchange with the upstream. Its three outcomes are what "never twice" rests on. */
export type Exchange = ({ readonly kind: 'answered' } & HttpAnswer) | NoAnswer

/** `cause`: when it is one that an operator can look at. */
export type NoAnswer =
  /** No byte of the request has left: it can be repeated. */
  | { readonly kind: 'notSent'; readonly why: string; readonly cause?: Cause }
  /**
   * Bytes have left and no complete answer came: the upstream may have acted on it. `begun`: what came of the answer;
   * absent when its headers did not.
   */
  | { readonly kind: 'lost'; readonly why: string; readonly cause?: Cause; readonly begun?: HttpAnswer }

export interface HttpRequest {
  readonly method: RequestMethod
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestBody
  /** Covers the whole exchange, connecting included. */
  readonly timeoutMs: number
  /** Of the body of the answer: one that is larger is lost, and one with more small pieces (src/base/pieces.ts). */
  readonly answerMax?: { readonly bytes: number; readonly smallPieces?: number }
}

export interface Transport {
  /** Never repeats a request. */
  exchange(request: HttpRequest): Promise<Exchange>
  /** Open exchanges end as `notSent` or `lost`, later ones as `notSent`. */
  close(): void
}

/** The upstream's answers have a few hundred bytes, a page of a thousand templates some megabytes. */
const bodyBytesMax = 4 * 1024 * 1024
/** A reason repeats the names of the far end's certificate, which may be thousands. */
const whyCharsMax = 8_192

/** A line sends its messages to one address; the pages of listings have one each. */
const targetsMax = 1_000

/** Whom it calls. */
export interface TransportOptions {
  /** The authorities to believe instead of the system's, in PEM. */
  readonly ca?: string
  /** What resolves the name of an address in place of the system; it may refuse. */
  readonly lookupFor?: (url: URL) => LookupFunction
}

/** A parsed address, cached because all messages of a line have the same. */
interface Target {
  readonly connections: Connections
  readonly path: string
}

const closed = 'the transport is closed'

/**
 * The transport over undici's client, each with one connection. Not `node:https`: an exchange takes it twice the
 * processor time. Not fetch: that runs at most 256 requests in the whole process, and does not say whether a request
 * has left when it fails. Not undici's pool: it takes the first connection that has no request, even where that one has
 * to be opened again and the next one is open, and never closes one, so that a burst would cost memory for ever.
 * Proxies of the environment are ignored.
 */
export function createTransport(clock: Clock, { ca, lookupFor }: TransportOptions = {}): Transport {
  const origins = new Map<string, Connections>()
  const targets = new Map<string, Target>()
  const underWay = new ShortLivedMap<Connection, SentRequest>()
  let isClosed = false

  function forgetTargets() {
    targets.clear()
    for (const [origin, { hasIdle }] of origins) if (!hasIdle) origins.delete(origin)
  }

  /** @returns why not, when the address is not a plain one of the web */
  function targetOf(address: string): Target | string {
    const known = targets.get(address)
    if (known) return known
    const url = parseAddress(address)
    if (typeof url === 'string') return url
    if (targets.size >= targetsMax) forgetTargets()
    const connections = origins.get(url.origin) ?? new Connections({ url, ca, lookup: lookupFor?.(url) }, clock)
    origins.set(url.origin, connections)
    const target = { connections, path: url.pathname + url.search }
    targets.set(address, target)
    return target
  }

  return {
    exchange(request) {
      const { method, headers, body, timeoutMs, answerMax = { bytes: bodyBytesMax } } = request
      return new Promise(resolve => {
        const notSent = (why: string) => resolve({ kind: 'notSent', why })
        if (isClosed) return notSent(closed)
        const target = targetOf(request.url)
        if (typeof target === 'string') return notSent(target)
        const { connections, path } = target
        const connection = connections.take()
        // Status 0: none has come.
        let head = { status: 0, headers: {} as IncomingHttpHeaders }
        const pieces = new Pieces(answerMax.smallPieces)

        function onEnd(failure: ExchangeFailure | null) {
          cancelTimer()
          underWay.delete(connection)
          const answer = { ...head, body: utf8.decode(pieces.joined()) }
          if (failure) {
            const why = whyOf(failure.error)
            if (!failure.hasLeft) return resolve({ kind: 'notSent', ...why })
            return resolve({ kind: 'lost', ...why, ...(head.status > 0 && { begun: answer }) })
          }
          connections.giveBack(connection, keptMs(answer.headers))
          resolve({ kind: 'answered', ...answer })
        }
        const sent = new SentRequest(connection, {
          onAnswer(status, headers) {
            head = { status, headers }
          },
          onData(piece) {
            pieces.add(piece)
            if (pieces.bytes > answerMax.bytes) sent.end(tooLarge(answerMax.bytes))
            else if (pieces.areTooSmall) sent.end(new Error('the answer comes in pieces that are too small'))
          },
          onEnd,
        })
        underWay.set(connection, sent)
        const cancelTimer = clock.setTimer(timeoutMs, () => sent.end(new Silence(`no answer within ${timeoutMs} ms`)))
        sent.start({ method, path, headers, body })
      })
    },
    close() {
      isClosed = true
      for (const sent of underWay.values()) sent.end(new Error(closed))
      for (const connections of origins.values()) connections.close()
    },
  }
}

/** @returns the cause in words, and the system's own, which name the address */
function whyOf(error: Error): { why: string; cause?: Cause } {
  const known = causeOf(error)
  if (known === null) return { why: error.message.slice(0, whyCharsMax) }
  const { cause, words } = known
  const why = words === error.message ? words : `${words} (${error.message})`
  return { why: why.slice(0, whyCharsMax), cause }
}

const tooLarge = (bytesMax: number) => new Error(`the answer has more than ${bytesMax / 1_024} KB`)

/** What is no UTF-8 becomes U+FFFD. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Control characters. The URL parser drops line breaks, so that the request would go to another path. */
const controlCharacter = /[^\x20-\x7e\x80-\uffff]/

/** @returns why not, when the address is not a plain one of the web */
function parseAddress(text: string): URL | string {
  const url = controlCharacter.test(text) ? null : URL.parse(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'the address is not one of the web'
  if (url.username !== '' || url.password !== '') return 'the address has a user name or a password'
  return url
}

/** @returns how long the far end keeps an idle connection (`Keep-Alive: timeout=5`); Infinity when it does not say. */
function keptMs({ 'keep-alive': keepAlive }: IncomingHttpHeaders): number {
  const seconds = /(?:^|[,;])[\t ]*timeout[\t ]*=[\t ]*(\d{1,9})/i.exec(String(keepAlive ?? ''))?.[1]
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000
}
