import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { startPostgres } from '../../postgres.ts'
import { childrenOf, cpuUsOf, cpuUsOfTree } from '../cpu.ts'
import { freeAddress } from '../gateway.ts'
import { type Fleet, run, until } from '../processes.ts'
import { residentMb, residentShareMb } from '../resident.ts'
import { sentCount } from '../sends.ts'
import { serverPid } from '../server.ts'

/** A server that a gateway needs. */
export interface PeerServer {
  readonly url: string
  /** Its name and version. */
  readonly program: string
  cpuUs(): number
  memoryMb(): number | null
}

/** A database of its own, on a server of its own: so its processor time and its memory are those of one gateway. */
export interface Database extends PeerServer {
  countSent(): Promise<number>
}

/** Connections of one gateway, and those that count. */
const connectionsMax = 50

export async function startDatabase(fleet: Fleet): Promise<Database> {
  const server = await startPostgres({ max_connections: String(connectionsMax) })
  fleet.defer(() => server.remove())
  const url = await server.createDatabase()
  const client = new SQL({ url, max: 1 })
  fleet.defer(() => client.close({ timeout: 0 }))
  const pid = serverPid(server)
  const [told] = await client.unsafe<{ server_version: string }[]>('SHOW server_version')
  return {
    url,
    program: `PostgreSQL ${told?.server_version.split(' ', 1)[0]}`,
    cpuUs: () => cpuUsOfTree(pid),
    memoryMb: () => totalMb([pid, ...childrenOf(pid)].map(residentShareMb)),
    countSent: async () => Number((await client.unsafe<{ count: string }[]>(sentCount))[0]?.count),
  }
}

/** @returns the sum; null when one of them is not told */
export const totalMb = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0)

const redisProgram = 'redis-server'

export const hasRedis = Bun.which(redisProgram) !== null

/** Of the queue: each command is in a file that is synced once a second, as BullMQ's documents ask for. */
const redisDurability = [
  '--appendonly',
  'yes',
  '--appendfsync',
  'everysec',
  '--save',
  '',
  '--maxmemory-policy',
  'noeviction',
]

export async function startRedis(fleet: Fleet, folder: string): Promise<PeerServer> {
  mkdirSync(folder, { recursive: true })
  const { port } = freeAddress()
  const place = ['--bind', '127.0.0.1', '--port', port, '--dir', folder, '--logfile', join(folder, 'redis.log')]
  const { pid } = fleet.start([redisProgram, ...place, ...redisDurability], {})
  await until('the start of Redis', () => isOpen(Number(port)))
  return {
    url: `redis://127.0.0.1:${port}`,
    program: `Redis ${/v=(\S+)/.exec(await run([redisProgram, '--version'], {}))?.[1]}`,
    cpuUs: () => cpuUsOf(pid),
    memoryMb: () => residentMb(pid),
  }
}

const isOpen = (port: number) =>
  Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).then(
    socket => {
      socket.end()
      return true
    },
    () => null,
  )
