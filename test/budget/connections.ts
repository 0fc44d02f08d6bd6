import { connect, createServer, type Socket } from 'node:net'
import type { Upstream } from '../upstream.ts'

/** An upstream whose connections are counted. */
export interface CountedUpstream extends Upstream {
  /** How many were opened so far. */
  readonly opened: number
}

/** Puts a door before an upstream, which passes on every byte. */
export async function countConnections(upstream: Upstream): Promise<CountedUpstream> {
  const sockets = new Set<Socket>()
  let opened = 0
  const behind = Number(new URL(upstream.url).port)
  const door = createServer(socket => {
    opened += 1
    const onward = connect(behind, '127.0.0.1')
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      // The other side ends with it; why it ended is told where it is used.
      from.on('error', () => to.destroy())
    }
  })
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
  const address = door.address()
  if (address === null || typeof address === 'string') throw new Error('the door has no port')
  return {
    ...upstream,
    url: `http://127.0.0.1:${address.port}`,
    get opened() {
      return opened
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => door.close(resolve))
      await upstream.stop()
    },
  }
}
