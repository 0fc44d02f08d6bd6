import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { kParser } from 'undici/lib/core/symbols.js'
import Client from 'undici/lib/dispatcher/client.js'
import { ClientSocket } from './clientSocket.ts'
import { type FarEnd, openSocket } from './socket.ts'

/** For each header section of an answer; servers usually stay below 16 KiB. */
const headerBytesMax = 65_536
/**
 * Idle connections are closed before the far end would close them. Common servers keep one for 5 s, and a request on a
 * connection that is being closed has an unknown outcome.
 */
export const idleMsMax = 4_000
/** Where the far end says how long it keeps an idle connection, ours is closed this much earlier. */
export const idleMarginMs = 1_000

const clientOptions = {
  maxHeaderSize: headerBytesMax,
  pipelining: 1,
  keepAliveTimeout: idleMsMax,
  keepAliveMaxTimeout: idleMsMax,
  keepAliveTimeoutThreshold: idleMarginMs,
  // A request has one time limit, which is not the client's.
  headersTimeout: 0,
  bodyTimeout: 0,
  useMilo: false,
} as const

/**
 * One HTTP/1.1 connection: undici's `Client`, which has one socket and sends one request after the other. Before it
 * writes on an idle socket, it reads what the far end has sent meanwhile. If the far end has closed it, it reconnects.
 */
export class Connection {
  readonly #client: Client
  #socket: Socket | ClientSocket | undefined

  /** @param onClose called when a socket that was open has closed */
  constructor(farEnd: FarEnd, onClose = () => {}) {
    this.#client = new Client(farEnd.url.origin, {
      ...clientOptions,
      connect: (_, callback) => {
        const opening = openSocket(farEnd, failure => {
          if (failure) return callback(failure, null)
          const socket = new ClientSocket(opening, headerBytesMax)
          this.#socket = socket
          // It has the members that the client uses.
          callback(null, socket as unknown as Socket)
          correct(socket)
        })
        this.#socket = opening
      },
    })
    this.#client.on('disconnect', onClose)
  }

  get isOpen(): boolean {
    return this.#socket?.destroyed === false
  }

  /** True when the system has not taken everything that was written. */
  get isWriting(): boolean {
    return (this.#socket?.writableLength ?? 0) > 0
  }

  /** True when the socket has failed, although what came until then could be read as a whole answer. */
  get isBroken(): boolean {
    return (this.#socket?.errored ?? null) !== null
  }

  send(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(request, handler)
  }

  destroy(error: Error): void {
    this.#client.destroy(error, () => {})
    // While it connects, the client does not have it yet.
    this.#socket?.destroy(error)
  }

  /** To be called whenever a part of an answer could be read. */
  hasRead(): void {
    if (this.#socket instanceof ClientSocket) this.#socket.hasRead()
  }
}

/** The part of undici's parser that is used here; undici does not export its type. */
interface Parser {
  readonly ptr: number
  readonly llhttp: { llhttp_get_http_minor(ptr: number): number }
  readonly hasTransferEncoding: boolean
  onHeadersComplete(status: number, isUpgrade: boolean, isKept: boolean): number
}

/**
 * Undici refuses `100 Continue` unless it was asked for, though a client must be able to read every interim answer (RFC
 * 9110 15.2): its parser is given `103` instead. And it reads chunks in HTTP/1.0, which has none (RFC 9112 6.1).
 */
function correct(socket: ClientSocket & { [kParser]?: Parser }): void {
  const parser = socket[kParser]
  if (!parser) return
  const { onHeadersComplete } = parser
  parser.onHeadersComplete = (status, isUpgrade, isKept) => {
    if (parser.hasTransferEncoding && parser.llhttp.llhttp_get_http_minor(parser.ptr) === 0)
      socket.destroy(new Error('the answer has chunks in HTTP/1.0'))
    return onHeadersComplete.call(parser, status === 100 ? 103 : status, isUpgrade, isKept)
  }
}
