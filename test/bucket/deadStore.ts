import net, { type AddressInfo, type Socket } from 'node:net'

/** A store on loopback that accepts every connection, and does with it only what a test says. */
export class DeadStore {
  readonly #server: net.Server
  readonly #sockets = new Set<Socket>()
  #waiting: (() => void)[] = []
  /** Requests of which at least the head has come. */
  asked = 0
  /** Bytes that were read of all connections. */
  bytes = 0

  private constructor(answer: (socket: Socket, asked: number) => void) {
    this.#server = net.createServer({ allowHalfOpen: false }, socket => {
      this.#sockets.add(socket)
      let head = ''
      socket.on('data', piece => {
        this.bytes += piece.length
        if (head !== 'read') {
          head += piece.toString('latin1')
          if (head.includes('\r\n\r\n')) {
            head = 'read'
            this.asked += 1
            answer(socket, this.asked)
          }
        }
        this.#tell()
      })
      socket.on('error', () => {})
      socket.once('close', () => {
        this.#sockets.delete(socket)
        this.#tell()
      })
    })
  }

  /** @param answer what becomes of the connection once the head of a request has come; absent: nothing */
  static async open(answer: (socket: Socket, asked: number) => void = () => {}, port = 0): Promise<DeadStore> {
    const store = new DeadStore(answer)
    const { promise, resolve } = Promise.withResolvers<void>()
    store.#server.listen(port, '127.0.0.1', resolve)
    await promise
    return store
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Connections that are open. */
  get open(): number {
    return this.#sockets.size
  }

  /** Waits until this holds; it is looked at after each event of a connection. */
  async until(holds: (store: DeadStore) => boolean): Promise<void> {
    while (!holds(this)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.push(resolve)
      await promise
    }
  }

  #tell(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}
