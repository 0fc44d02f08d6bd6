import net from 'node:net'
import tls from 'node:tls'
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
 * Idle connections are dropped before the far end would do it: common servers keep one for 5 s, and a request written
 * on a connection that is just being closed has an unknown outcome. The pool is exact about what it still uses, by the
 * clock; the socket's own timer gives back what nobody asks for.
 */
export const idleMsMax = 4_000

/**
 * One connection of HTTP/1.1. It carries one exchange at a time and never repeats one.
 *
 *   connecting  not open, or the far end has yet to prove its name; nothing is written   -> busy, closed
 *   busy        a request is being written, or its answer awaited                         -> idle, closed
 *   idle        open and without an exchange                                              -> busy, closed
 *   closed      for good
 *
 * A new connection is made for one exchange and writes its request as soon as it may. An exchange that ends without a
 * whole answer is `notSent` until the connection is busy with it and `lost` from then on, whatever the write said.
 *
 * Over node:net and not Bun.connect, which costs the same and cannot call off an attempt: one that hangs would keep its
 * file open for two minutes after its exchange has ended.
 */
export class Connection {
  readonly #peer: Peer
  readonly #events: ConnectionEvents
  #state: 'connecting' | 'busy' | 'idle' | 'closed' = 'connecting'
  #socket: net.Socket | undefined
  #reader = new AnswerReader()
  #parts: readonly RequestPart[] = []
  #finish = ignored

  constructor(peer: Peer, events: ConnectionEvents) {
    this.#peer = peer
    this.#events = events
  }

  /**
   * Carries an exchange: once when the connection is new, which connects it, and once after each `onIdle`.
   * @param parts written one after the other
   * @param finish called once, with the end of the exchange
   */
  carry(parts: readonly RequestPart[], finish: (exchange: Exchange) => void): void {
    this.#parts = parts
    this.#finish = finish
    if (this.#state === 'idle') {
      this.#socket?.ref()
      this.#write()
    } else {
      this.#connect()
    }
  }

  /** Ends the connection here and now, and the exchange on it without an answer. Harmless after its end. */
  end(why: string): void {
    if (this.#state === 'closed') return
    const finish = this.#finish
    const hasLeft = this.#state === 'busy'
    this.#close()
    finish({ kind: hasLeft ? 'lost' : 'notSent', why })
  }

  #connect(): void {
    const { hostname, port, isSecure } = this.#peer
    const options = { host: hostname, port, noDelay: true, timeout: idleMsMax }
    const socket = isSecure ? tls.connect({ ...options, ...this.#proof() }) : net.connect(options)
    this.#socket = socket
    socket.on(isSecure ? 'secureConnect' : 'connect', () => this.#onOpen())
    socket.on('data', (bytes: Buffer) => this.#onData(bytes))
    socket.on('end', () => this.#onEnd())
    socket.on('timeout', () => this.#onTimeout())
    socket.on('error', (error: Error) => this.#onError(error))
    socket.on('close', () => this.end('the connection was closed'))
  }

  /** How the far end proves its name. */
  #proof(): tls.ConnectionOptions {
    const { hostname, ca } = this.#peer
    return {
      // RFC 6066 3: an address is no server name. It is compared with the certificate all the same.
      servername: net.isIP(hostname) === 0 ? hostname : '',
      // Said because the environment could say otherwise.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(ca !== undefined && { ca }),
    }
  }

  #onOpen(): void {
    // A renegotiation of TLS 1.2 opens a second time: the request has been written then.
    if (this.#state !== 'connecting') return
    if (this.#socket instanceof tls.TLSSocket) {
      // It compares chain and name by itself; whoever gets the token should not hang on a single check.
      const refusal = tls.checkServerIdentity(this.#peer.hostname, this.#socket.getPeerCertificate())
      if (!this.#socket.authorized || refusal) {
        this.end(refusal?.message ?? 'the far end could not prove its name')
        return
      }
      this.#socket.disableRenegotiation()
    }
    this.#write()
  }

  /** From here on, the request may have left. */
  #write(): void {
    this.#state = 'busy'
    for (const part of this.#parts) this.#socket?.write(part)
    this.#parts = []
  }

  #onData(bytes: Buffer): void {
    // Bytes that nobody asked for would be read as the answer to the next request.
    if (this.#state !== 'busy') this.end('something came without a request')
    else this.#take(this.#reader.feed(bytes))
  }

  #onEnd(): void {
    if (this.#state === 'busy' && this.#isWritten()) this.#take(this.#reader.end())
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
    if (keepMs > 0 && this.#isWritten()) this.#rest(keepMs)
    else this.#close()
    finish({ kind: 'answered', status, headers, body })
  }

  #isWritten(): boolean {
    return this.#socket?.writableLength === 0
  }

  #rest(keepMs: number): void {
    this.#state = 'idle'
    this.#reader = new AnswerReader()
    this.#finish = ignored
    // An idle connection keeps no process alive.
    this.#socket?.unref()
    this.#events.onIdle(this, keepMs)
  }

  #onError({ message }: Error): void {
    const { hostname, port } = this.#peer
    this.end(this.#state === 'connecting' ? `no connection to ${hostname} port ${port}: ${message}` : message)
  }

  /** Also comes while an answer is awaited for long, which has a time limit of its own. */
  #onTimeout(): void {
    if (this.#state === 'idle') this.#close()
  }

  #close(): void {
    this.#state = 'closed'
    this.#finish = ignored
    this.#parts = []
    this.#socket?.destroy()
    this.#events.onClosed(this)
  }
}

const ignored = (_exchange: Exchange): void => {}
