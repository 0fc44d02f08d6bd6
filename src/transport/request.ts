import http from 'node:http'
import https from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import tls from 'node:tls'

export type RequestBody = string | Uint8Array | readonly Uint8Array[]

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The pieces of a list are written one after the other, and not copied because files are large. */
  readonly body?: RequestBody
  /** The agent that keeps the connections. */
  readonly agent: http.Agent
  /** Resolves the name instead of the system. */
  readonly lookup?: LookupFunction
}

/** Why there is no whole answer. */
export interface Failure {
  /** False: no byte of the request has left, so that it can be repeated. */
  readonly hasLeft: boolean
  readonly error: Error
}

export interface RequestEvents {
  /** The status and the headers have arrived, and the body follows. The listener reads it, or ends the request. */
  onAnswer(answer: http.IncomingMessage): void
  /** Called once: null after the whole answer was read, by `end` or otherwise a failure. */
  onEnd(failure: Failure | null): void
}

/** For each header section of an answer; servers usually stay below 16 KiB. */
const headerBytesMax = 65_536
/** Interim answers (1xx) before the answer. Servers send one or two. */
const interimAnswersMax = 16

/** How the far end proves its name. Set here, because the environment could change the defaults. */
const proof = {
  rejectUnauthorized: true,
  ALPNProtocols: ['http/1.1'],
  // The certificate of a resumed session would not be checked again.
  maxCachedSessions: 0,
}

/** @param ca the authorities to trust instead of the system's, in PEM. */
export function createAgent(protocol: string, options: http.AgentOptions, ca?: string): http.Agent {
  return protocol === 'https:'
    ? new https.Agent({ ...options, ...proof, ...(ca !== undefined && { ca }) })
    : new http.Agent(options)
}

/**
 * Sends one request, once. Nothing is written before the connection is open and the far end has proved its name: a
 * request that fails until then has not left. From the first write on it counts as sent, also when the write fails.
 * @throws Error when HTTP cannot carry a header
 * @returns how to end it at once, which is harmless after its end
 */
export function startRequest(request: OutgoingRequest, events: RequestEvents): (error: Error) => void {
  const { method, url, body, agent, lookup } = request
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  for (const [name, value] of Object.entries(request.headers)) {
    // The value is not shown: it may be a secret.
    if (notAscii.test(value)) throw new Error(`the header ${name} has a character that is not ASCII`)
  }
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : (body ?? [])
  const outgoing = (url.protocol === 'https:' ? https : http).request({
    method,
    host: hostname,
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    path: url.pathname + url.search,
    headers: {
      ...request.headers,
      ...((body !== undefined || method === 'POST') && { 'content-length': byteLength(pieces) }),
    },
    agent,
    maxHeaderSize: headerBytesMax,
    insecureHTTPParser: false,
    ...(lookup && { lookup }),
  })
  let hasLeft = false
  let isOver = false
  let interimAnswers = 0
  let answer: http.IncomingMessage | undefined

  function finish(failure: Failure | null) {
    if (isOver) return
    isOver = true
    if (failure) outgoing.destroy()
    events.onEnd(failure)
  }
  const end = (error: Error) => finish({ hasLeft, error })

  function write() {
    hasLeft = true
    for (const piece of pieces.slice(0, -1)) outgoing.write(piece)
    outgoing.end(pieces.at(-1))
  }

  function onOpen(socket: Socket) {
    const refusal = refusalOf(socket, hostname)
    if (refusal) end(refusal)
    else write()
  }

  outgoing.on('socket', socket => {
    if (socket.destroyed) end(socket.errored ?? new Error('the connection was closed'))
    else if (outgoing.reusedSocket) write()
    else socket.once(socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect', () => onOpen(socket))
  })
  outgoing.on('information', () => {
    interimAnswers += 1
    if (interimAnswers > interimAnswersMax) end(new Error('the answer has too many interim answers'))
  })
  outgoing.on('upgrade', (_, socket) => {
    socket.destroy()
    end(new Error(otherProtocol))
  })
  outgoing.on('error', (error: Error) => {
    // Bytes after a complete answer are an error of the connection. The answer is good.
    if (!answer?.complete) end(error)
  })
  outgoing.on('response', incoming => {
    // It may come with the bytes for which the request was ended.
    if (isOver) return
    answer = incoming
    const { socket, statusCode = 0, headers, httpVersion } = incoming
    const { 'transfer-encoding': coding, 'content-length': length } = headers
    if (statusCode < 200) return end(new Error(otherProtocol))
    // Nothing else is decoded, and HTTP/1.0 has no chunks.
    if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
      return end(new Error('the answer has an unknown transfer coding'))
    // The end of the connection ends an answer without a length. If it also cut the request, the answer is not
    // complete.
    const isInDoubt = socket.writableLength > 0 && coding === undefined && length === undefined
    events.onAnswer(incoming)
    const cut = () => {
      if (!isOver) end(new Error('the answer was cut off'))
    }
    incoming.on('error', cut)
    incoming.on('close', cut)
    incoming.on('end', () => {
      if (!incoming.complete || isInDoubt) return cut()
      finish(null)
      // The server would read the rest of the request as the next one.
      if (socket.writableLength > 0) outgoing.destroy()
    })
  })
  return end
}

const otherProtocol = 'the answer changes to another protocol'

/** RFC 9110 5.5 allows latin1, but `node:http` would write it as UTF-8 when a text follows. */
const notAscii = /[\x80-\uffff]/

const byteLength = (pieces: readonly (string | Uint8Array)[]): number =>
  pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length), 0)

/** @returns why the far end does not have the expected name. The runtime also compares; this is a second check. */
function refusalOf(socket: Socket, hostname: string): Error | undefined {
  if (!(socket instanceof tls.TLSSocket)) return undefined
  socket.disableRenegotiation()
  if (!socket.authorized) return new Error('the certificate could not be verified')
  return tls.checkServerIdentity(hostname, socket.getPeerCertificate())
}
