import type { Socket } from 'bun'
import { announce } from './processes.ts'

/*
 * Puts a network between a gateway and its database: what is sent to the server arrives later, and the answers at once.
 * So each trip takes that much longer, and what is sent without waiting for an answer takes it once.
 * bun test/bench/delayProxy.ts <milliseconds> <host> <port>
 */

const [delayMs = '', hostname = '', port = ''] = process.argv.slice(2)

interface Pair {
  readonly server: Promise<Socket<undefined>>
}

const listener = Bun.listen<Pair>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open(client) {
      client.data = {
        server: Bun.connect({
          hostname,
          port: Number(port),
          socket: {
            data: (_, bytes) => void client.write(bytes),
            close: () => void client.end(),
            error: () => void client.end(),
          },
        }),
      }
    },
    data({ data }, bytes) {
      const sent = Buffer.from(bytes)
      setTimeout(async () => (await data.server).write(sent), Number(delayMs))
    },
    close: async ({ data }) => void (await data.server).end(),
  },
})
announce({ url: `http://127.0.0.1:${listener.port}` })
