import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { Clock, EpochMs, SteadyMs } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { createAgent, type Failure, type RequestBody, startRequest } from './request.ts'

/** One HTTP exchange with the upstream. It has three ends, from which "never twice" is decided. */
export type Exchange =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly body: string
    }
  /** No byte of the request has left: it can be repeated. */
  | { readonly kind: 'notSent'; readonly why: string }
  /** Bytes have left and no complete answer came: the upstream may have acted on it. */
  | { readonly kind: 'lost'; readonly why: string }

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestBody
  /** Covers the whole exchange, connecting included. */
  readonly timeoutMs: number
}

export interface Transport {
  /** Never repeats a request. */
  exchange(request: HttpRequest): Promise<Exchange>
  /** Open exchanges end as `notSent` or `lost`, later ones as `notSent`. */
  close(): void
}

/** The upstream's answers have a few hundred bytes, listings some hundred kilobytes. */
const bodyBytesMax = 16 * 1024 * 1024
/**
 * Idle connections are closed before the far end would close them. Common servers keep one for 5 s, and a request on a
 * connection that is being closed has an unknown outcome.
 */
const idleMsMax = 4_000
/** Where the far end says how long it keeps an idle connection, ours is closed this much earlier. */
const idleMarginMs = 1_000
/** Idle connections kept per origin. Connections in use have no limit. */
const idleConnectionsMax = 512

/** A reason repeats the names of the far end's certificate, which may be thousands. */
const whyCharsMax = 8_192

const agentOptions = {
  keepAlive: true,
  maxSockets: Number.POSITIVE_INFINITY,
  maxFreeSockets: idleConnectionsMax,
  // The connection used last is used first, so that the extra ones of a burst can expire.
  scheduling: 'lifo',
  timeout: idleMsMax,
  agentKeepAliveTimeoutBuffer: idleMarginMs,
} as const

const closed = 'the transport is closed'

/**
 * The transport over `node:http` and its agents. Not fetch: that runs at most 256 requests in the whole process,
 * repeats a request by itself when a kept connection breaks, and does not say whether a request has left when it fails.
 * Proxies of the environment are ignored: an agent uses one only when it is configured.
 * @param trust `ca`: the authorities to believe instead of the system's, in PEM
 */
export function createTransport(clock: Clock, trust: { readonly ca?: string } = {}): Transport {
  const agents = new Map<string, Agent>()
  const idleUntil = new WeakMap<Socket, { readonly steady: SteadyMs; readonly wall: EpochMs }>()
  const underWay = new Set<(error: Error) => void>()
  let isClosed = false

  function agentOf({ origin, protocol }: URL): Agent {
    const agent = agents.get(origin) ?? createAgent(protocol, agentOptions, trust.ca)
    agents.set(origin, agent)
    dropStale(agent)
    return agent
  }

  /** The agent's own timer closes idle connections. The one that would be used next is also judged by the clock. */
  function dropStale({ freeSockets }: Agent) {
    for (const sockets of Object.values(freeSockets)) {
      const next = sockets?.at(-1)
      const until = next && idleUntil.get(next)
      // By both clocks: wall time may be set back, and steady time stops while the machine sleeps.
      if (until && clock.steady() < until.steady && clock.now() < until.wall) continue
      for (const socket of sockets ?? []) socket.destroy()
    }
  }

  return {
    exchange(request) {
      const { timeoutMs } = request
      return new Promise(resolve => {
        const notSent = (why: string) => resolve({ kind: 'notSent', why })
        if (isClosed) return notSent(closed)
        let end = (_error: Error) => {}
        let cancelTimer = () => {}
        let read = () => ''
        let answer: IncomingMessage | undefined
        let socket: Socket | undefined

        function onAnswer(incoming: IncomingMessage) {
          answer = incoming
          socket = incoming.socket
          read = collectBody(incoming, end)
        }
        function onEnd(failure: Failure | null) {
          cancelTimer()
          underWay.delete(end)
          if (failure)
            return resolve({
              kind: failure.hasLeft ? 'lost' : 'notSent',
              why: failure.error.message.slice(0, whyCharsMax),
            })
          const { statusCode = 0, headers = {} } = answer ?? {}
          const idleMs = Math.min(idleMsMax, keptMs(headers) - idleMarginMs)
          if (socket) idleUntil.set(socket, { steady: clock.steady() + idleMs, wall: clock.now() + idleMs })
          resolve({ kind: 'answered', status: statusCode, headers, body: read() })
        }

        try {
          const url = parseAddress(request.url)
          end = startRequest({ ...request, url, agent: agentOf(url) }, { onAnswer, onEnd })
        } catch (error) {
          // A header that HTTP cannot hold. Its name is shown, but not its value, which may be a secret.
          return notSent(messageOf(error))
        }
        underWay.add(end)
        cancelTimer = clock.setTimer(timeoutMs, () => end(new Error(`no answer within ${timeoutMs} ms`)))
      })
    },
    close() {
      isClosed = true
      for (const end of [...underWay]) end(new Error(closed))
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

/**
 * Decodes the body as it comes: many small pieces would otherwise keep many buffers. @returns a function for the whole
 * text
 */
function collectBody(answer: IncomingMessage, end: (error: Error) => void): () => string {
  const tooLarge = () => end(new Error('the answer is too large'))
  const decoder = new StringDecoder('utf8')
  let body = ''
  let bytes = 0
  if (Number(answer.headers['content-length'] ?? 0) > bodyBytesMax) tooLarge()
  answer.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > bodyBytesMax) tooLarge()
    else body += decoder.write(piece)
  })
  return () => body + decoder.end()
}

/** Control characters. The URL parser drops line breaks, so that the request would go to another path. */
const controlCharacter = /[^\x20-\x7e\x80-\uffff]/

/** @throws Error when the address is not a plain one of the web. */
function parseAddress(text: string): URL {
  const url = controlCharacter.test(text) ? null : URL.parse(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw new Error('the address is not one of the web')
  if (url.username !== '' || url.password !== '') throw new Error('the address has a user name or a password')
  return url
}

/** @returns how long the far end keeps an idle connection (`Keep-Alive: timeout=5`); Infinity when it does not say. */
function keptMs({ 'keep-alive': keepAlive }: IncomingHttpHeaders): number {
  const seconds = /(?:^|[,;])[\t ]*timeout[\t ]*=[\t ]*(\d{1,9})/i.exec(String(keepAlive ?? ''))?.[1]
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000
}
