import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import type { Socket, SocketHandler, TLSOptions } from 'bun'
import { AnswerReader, type Reading } from './httpAnswer.ts'
import type { RequestPart } from './httpRequest.ts'
import type { Exchange } from './transport.ts'

/** The far end of a connection. */
export interface Peer {
  readonly isSecure: boolean
  /** A name or an address; an IPv6 address without its brackets. */
  readonly hostname: string
  readonly port: number
  /** The authorities to believe instead of the system's, in PEM. */
  readonly ca?: string
}

/** What the owner of a connection hears of it. */
export interface ConnectionEvents {
  /** It can carry another exchange, and the far end keeps it for so long. */
  onIdle(connection: Connection, keepMs: number): void
  /** It is gone and carries nothing more. */
  onClosed(connection: Connection): void
}

/**
 * An idle connection closes itself after this time, by the socket's own timer: one of ours for each request would cost
 * more. That timer moves in steps of 4 s, so that this means 4 to 8 s; the pool is exact about what it still uses.
 */
const idleSecondsMax = 8

/** As TLS writes it (RFC 7301 3.1): the length of the name, then the name. */
const http11 = Buffer.from('\x08http/1.1', 'latin1')

/**
 * One connection of HTTP/1.1. It carries one exchange at a time and never repeats one.
 *
 *   connecting  no socket yet                                               -> securing, busy, closed
 *   securing    the far end has yet to prove its name; nothing is written   -> busy, closed
 *   busy        a request is being written, or its answer awaited           -> idle, closed
 *   idle        open and without an exchange                                -> busy, closed
 *   closed      for good; a socket that opens only then is closed at once
 *
 * A new connection is made for one exchange and writes its request as soon as it may. An exchange that ends without a
 * whole answer is `notSent` until the connection is busy with it and `lost` from then on, whatever the write said.
 */
export class Connection {
  readonly #peer: Peer
  readonly #events: ConnectionEvents
  #state: 'connecting' | 'securing' | 'busy' | 'idle' | 'closed' = 'connecting'
  #socket: Socket<Connection> | undefined
  #reader = new AnswerReader()
  /** What is still to be written, in order. */
  #unwritten: RequestPart[] = []
  #finish = ignored

  /** One set for all connections, so that a connection costs no functions. */
  static readonly #handlers: SocketHandler<Connection> = {
    open: socket => socket.data.#onOpen(socket),
    handshake: (socket, isProved, error) => socket.data.#onHandshake(socket, isProved, error),
    data: (socket, bytes) => socket.data.#onData(bytes),
    drain: ({ data: connection }) => connection.#write(),
    end: ({ data: connection }) => connection.#onEnd(),
    close: ({ data: connection }, error) => connection.end(error?.message ?? 'the connection was closed'),
    error: ({ data: connection }, error) => connection.end(error.message),
    timeout: ({ data: connection }) => connection.#onTimeout(),
  }

  constructor(peer: Peer, events: ConnectionEvents) {
    this.#peer = peer
    this.#events = events
  }

  /**
   * Carries an exchange: once when the connection is new, which connects it, and once after each `onIdle`.
   * @param parts taken over and used up
   * @param finish called once, with the end of the exchange
   */
  carry(parts: RequestPart[], finish: (exchange: Exchange) => void): void {
    this.#unwritten = parts
    this.#finish = finish
    if (this.#state === 'idle') {
      this.#socket?.ref()
      this.#begin()
    } else {
      void this.#connect()
    }
  }

  /** Ends the connection here and now, and the exchange on it without an answer. Harmless after its end. */
  end(why: string): void {
    if (this.#state === 'closed') return
    const finish = this.#finish
    const hasLeft = this.#state === 'busy'
    this.#close(this.#state === 'idle' ? 'close' : 'terminate')
    finish({ kind: hasLeft ? 'lost' : 'notSent', why })
  }

  async #connect(): Promise<void> {
    const { hostname, port, isSecure } = this.#peer
    try {
      const tls = isSecure && { tls: this.#tls() }
      await Bun.connect<Connection>({ hostname, port, ...tls, data: this, socket: Connection.#handlers })
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      this.end(`no connection to ${hostname} port ${port}: ${code ?? message}`)
    }
  }

  #tls(): TLSOptions {
    const { hostname, ca } = this.#peer
    return {
      // RFC 6066 3: an address is no server name. It is compared with the certificate all the same.
      serverName: isIP(hostname) === 0 ? hostname : '',
      // Said because the environment could say otherwise.
      rejectUnauthorized: true,
      ALPNProtocols: http11,
      ...(ca !== undefined && { ca }),
    }
  }

  #onOpen(socket: Socket<Connection>): void {
    // Bun cannot call off an attempt: the time limit may have come first.
    if (this.#state !== 'connecting') {
      socket.terminate()
      return
    }
    this.#socket = socket
    if (this.#peer.isSecure) this.#state = 'securing'
    else this.#begin()
  }

  #onHandshake(socket: Socket<Connection>, isProved: boolean, error: Error | null): void {
    if (this.#state !== 'securing') return
    // Bun compares the name as well; whoever gets the token should not hang on a single check.
    const refusal = error ?? checkServerIdentity(this.#peer.hostname, socket.getPeerCertificate())
    if (refusal || !isProved || !socket.authorized) {
      this.end(refusal?.message ?? 'the far end could not prove its name')
      return
    }
    // Of TLS 1.2: it would be another handshake in the middle of an exchange, with perhaps another certificate.
    socket.disableRenegotiation()
    this.#begin()
  }

  #begin(): void {
    this.#state = 'busy'
    this.#write()
  }

  /** From the first call on, the request may have left. */
  #write(): void {
    if (this.#state !== 'busy') return
    for (let part = this.#unwritten[0]; part !== undefined; part = this.#unwritten[0]) {
      const written = this.#socket?.write(part) ?? -1
      // The connection has broken, which `end` or `close` will say. An answer may have come before that.
      if (written < 0) return
      const rest = unwrittenOf(part, written)
      if (rest) {
        // The system takes no more for now; `drain` says when it does.
        this.#unwritten[0] = rest
        return
      }
      this.#unwritten.shift()
    }
  }

  #onData(bytes: Buffer): void {
    // Bytes that nobody asked for would be read as the answer to the next request.
    if (this.#state !== 'busy') this.end('something came without a request')
    else this.#take(this.#reader.feed(bytes))
  }

  #onEnd(): void {
    // When a write has failed, a reset can look like an end.
    if (this.#state === 'busy' && this.#unwritten.length === 0) this.#take(this.#reader.end())
    else this.end('the connection was closed')
  }

  #take(reading: Reading): void {
    if (reading.kind === 'incomplete') return
    if (reading.kind === 'malformed') {
      this.end(reading.why)
      return
    }
    const { status, headers, body, keepMs } = reading.answer
    const finish = this.#finish
    // An answer that came before the end of the request leaves the rest of it behind.
    if (keepMs > 0 && this.#unwritten.length === 0) this.#rest(keepMs)
    else this.#close('close')
    finish({ kind: 'answered', status, headers, body })
  }

  #rest(keepMs: number): void {
    this.#state = 'idle'
    this.#reader = new AnswerReader()
    this.#finish = ignored
    // An idle connection keeps no process alive.
    this.#socket?.unref()
    this.#socket?.timeout(idleSecondsMax)
    this.#events.onIdle(this, keepMs)
  }

  /** May come late, in an exchange of a connection that was idle when the timer was set. */
  #onTimeout(): void {
    if (this.#state === 'idle') this.#close('close')
  }

  /** @param how `close` takes leave; `terminate` also drops what the system has not sent yet */
  #close(how: 'close' | 'terminate'): void {
    this.#state = 'closed'
    this.#finish = ignored
    this.#unwritten = []
    // Calls the handlers of this socket at once, which find it closed.
    this.#socket?.[how]()
    this.#events.onClosed(this)
  }
}

const ignored = (_exchange: Exchange): void => {}

/** @returns what is left of a part of which so many bytes were written; undefined for nothing */
function unwrittenOf(part: RequestPart, written: number): Uint8Array | undefined {
  const length = typeof part === 'string' ? Buffer.byteLength(part) : part.length
  if (written >= length) return undefined
  return (typeof part === 'string' ? Buffer.from(part) : part).subarray(written)
}
