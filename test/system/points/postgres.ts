import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { SQL } from 'bun'
import { startPostgres, unsynced } from '../../postgres.ts'
import type { StageAct } from './acts.ts'
import { Stage } from './stage.ts'
import { Counting, type Try } from './tried.ts'

/** The way to a server, which counts what the server answers, and cuts the connection at one answer. */
interface Relay {
  readonly port: number
  /** The nth answer from now on does not come: the server has done what it was asked for. */
  cutAt(n: number): void
  /** @returns whether it was cut; from now on all is let through */
  end(): boolean
  close(): void
}

async function startRelay(serverPort: number): Promise<Relay> {
  const open = new Set<Socket>()
  let left = Number.POSITIVE_INFINITY
  const listener = createServer(near => {
    const far = connect(serverPort, '127.0.0.1')
    const ends = [near, far]
    near.on('data', bytes => far.write(bytes))
    far.on('data', bytes => {
      left -= 1
      if (left === 0) for (const socket of ends) socket.destroy()
      else near.write(bytes)
    })
    for (const socket of ends) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        for (const other of ends) other.destroy()
        open.delete(socket)
      })
    }
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as AddressInfo).port,
    cutAt(n) {
      left = n
    },
    end() {
      const wasCut = left <= 0
      left = Number.POSITIVE_INFINITY
      return wasCut
    },
    close() {
      listener.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Cuts each answer of the server to an act, as calls are hit, and ends each with the same verdict. */
export const cuttingAnswers =
  ({ name, prepare }: StageAct): Try =>
  async (choice = {}, say = () => {}) => {
    const counting = new Counting(onPostgres(name), choice, say)
    const server = await startPostgres(unsynced)
    const relay = await startRelay(server.port)
    const databaseUrl = await server.createDatabase()
    const url = new URL(databaseUrl)
    url.port = String(relay.port)
    const beside = new SQL({ url: databaseUrl, max: 1 })
    const stage = await Stage.make({
      databaseUrl,
      env: { DATABASE_URL: String(url) },
      // As if the ten seconds were over for which the next one leaves to it what only one does.
      killed: () => beside.unsafe('UPDATE instances SET expires_at = 0; UPDATE leases SET expires_at = 0'),
    })
    try {
      await stage.restart()
      await counting.up({ of: 'server', call: 'answer', fault: 'cut' }, async n => {
        const { perform, finish } = await prepare(stage)
        relay.cutAt(n)
        await perform([])
        const isReached = relay.end()
        return { isReached, violations: [...(await finish()), ...(await stage.verdict())] }
      })
      counting.end(await stage.lastVerdict())
    } finally {
      await stage.close()
      await beside.close()
      relay.close()
      await server.remove()
    }
    return counting.tried
  }

/** @returns the name of an act that is done on PostgreSQL while an answer of the server is cut off */
export const onPostgres = (name: string) => `${name}, on PostgreSQL`
