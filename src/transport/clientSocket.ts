import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'

/** Up to here, copying costs less than another call of the system, and another record of TLS. */
const joinedBytesMax = 65_536

/**
 * The part of an open socket that undici's client uses, without the machinery of a stream, which takes a third of an
 * exchange's CPU time: received bytes are passed on at once, and the head of a request is written together with its
 * body. The socket itself does the backpressure in both directions.
 */
export class ClientSocket extends EventEmitter {
  readonly #socket: Socket
  readonly #unreadBytesMax: number
  readonly #pieces: Buffer[] = []
  #unreadBytes = 0
  #isDestroyed = false
  /** Reading is paused. */
  #isHeld = false
  /** The far end sends no more. */
  #hasEnded = false
  #isCorked = false
  /** What is to be written together with the next piece. */
  #head = ''

  /**
   * @param socket is not closed by the runtime when the far end sends no more: what came before may not be read yet
   * @param unreadBytesMax how many bytes may be read between two calls of `hasRead`
   */
  constructor(socket: Socket, unreadBytesMax: number) {
    super()
    this.#socket = socket
    this.#unreadBytesMax = unreadBytesMax
    // An idle connection keeps no process alive. An exchange does by its timer.
    socket.unref()
    socket.on('data', piece => {
      this.#pieces.push(piece)
      this.emit('readable')
    })
    socket.on('end', () => {
      this.#hasEnded = true
      if (!this.#isHeld) this.emit('end')
    })
    for (const event of ['drain', 'error', 'close']) socket.on(event, value => this.emit(event, value))
  }

  get destroyed(): boolean {
    return this.#isDestroyed || this.#socket.destroyed
  }

  get errored(): Error | null {
    return this.#socket.errored
  }

  get writableLength(): number {
    return this.#socket.writableLength
  }

  get writableNeedDrain(): boolean {
    return this.#socket.writableNeedDrain
  }

  /** To be called whenever a part of an answer could be understood. */
  hasRead(): void {
    this.#unreadBytes = 0
  }

  /** Undici counts the headers alone, not the reason behind the status, nor the lines before chunks. */
  read(): Buffer | null {
    const piece = this.#pieces.shift()
    if (!piece) {
      if (this.#isHeld) this.#release()
      return null
    }
    // Before this piece: of one that is large, most is a body.
    if (this.#unreadBytes > this.#unreadBytesMax) this.destroy(new Error('header overflow'))
    this.#unreadBytes += piece.length
    return piece
  }

  /** Undici calls it when it does not want to read on: with the rest of a piece, which may be empty. */
  unshift(rest: Buffer): void {
    this.#isHeld = true
    this.#socket.pause()
    if (rest.length > 0) this.#pieces.unshift(rest)
  }

  cork(): void {
    this.#isCorked = true
  }

  uncork(): void {
    this.#isCorked = false
    this.#writeHead()
  }

  /** @returns false when the caller should wait for `drain` */
  write(data: string | Buffer): boolean {
    if (typeof data === 'string') {
      this.#head += data
      if (!this.#isCorked) this.#writeHead()
      return !this.writableNeedDrain
    }
    if (this.#head.length + data.length > joinedBytesMax) this.#writeHead()
    if (this.#head === '') return this.#socket.write(data)
    const joined = Buffer.allocUnsafe(this.#head.length + data.length)
    joined.write(this.#head, 'latin1')
    joined.set(data, this.#head.length)
    this.#head = ''
    return this.#socket.write(joined)
  }

  destroy(error?: Error): this {
    this.#isDestroyed = true
    this.#socket.destroy(error)
    return this
  }

  /** Undici asks whether it has a stream by this name. */
  pipe(): void {}

  /** The end is reported after everything before it was read, and not within a call. */
  #release(): void {
    this.#isHeld = false
    this.#socket.resume()
    if (this.#hasEnded) process.nextTick(() => this.destroyed || this.emit('end'))
  }

  #writeHead(): void {
    if (this.#head !== '') this.#socket.write(this.#head, 'latin1')
    this.#head = ''
  }
}
