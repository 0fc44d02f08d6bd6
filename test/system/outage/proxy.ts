import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The way to a server, through which everything goes in the same process. */
export interface CuttableProxy {
  readonly port: number
  /** What waits before it goes on, in each direction. */
  delayMs: number
  /**
   * From now on everything is lost, and nobody is told: connections stay open on both sides. New ones get no answer.
   * Those that have lost something stay dead for ever, as behind a firewall that has forgotten them.
   */
  cut(): void
  /** New connections are let through again. */
  mend(): void
  /** How many connections have lost something and are still open at the near side. */
  readonly dead: number
  close(): void
}

export async function startProxy(serverPort: number): Promise<CuttableProxy> {
  const open = new Set<Socket>()
  const dead = new Set<Socket>()
  let isCut = false

  function pass(near: Socket, from: Socket, to: Socket) {
    from.on('data', bytes => {
      if (isCut) dead.add(near)
      if (dead.has(near)) return
      if (proxy.delayMs === 0) to.write(bytes)
      else setTimeout(() => to.write(bytes), proxy.delayMs)
    })
    from.on('error', () => {})
    from.on('close', () => {
      open.delete(from)
      if (from === near) dead.delete(near)
      // The end of a connection gets lost as well.
      if (!isCut && !dead.has(near)) to.destroy()
    })
    open.add(from)
  }

  const listener = createServer(near => {
    const far = connect(serverPort, '127.0.0.1')
    pass(near, near, far)
    pass(near, far, near)
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  const proxy: CuttableProxy = {
    port: (listener.address() as AddressInfo).port,
    delayMs: 0,
    cut() {
      isCut = true
    },
    mend() {
      isCut = false
    },
    get dead() {
      return dead.size
    },
    close() {
      listener.close()
      for (const socket of open) socket.destroy()
    },
  }
  return proxy
}
