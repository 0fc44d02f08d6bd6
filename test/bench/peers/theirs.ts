import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { cpuUsOf } from '../cpu.ts'
import { freeAddress, messagesPath, ready, upstreamPhoneId } from '../gateway.ts'
import { type Child, end, type Fleet, run } from '../processes.ts'
import { residentMb } from '../resident.ts'
import type { Opened, Setup } from './peer.ts'
import { startDatabase, startRedis, totalMb } from './servers.ts'

/** Their gateways, with their packages. */
export interface Installed {
  readonly folder: string
  /** What runs them, and its name. */
  readonly runtime: string
  readonly runtimeName: string
}

/** By itself, Bun makes at most 256 requests at once. More than there are connections is no limit at all. */
const requestsMax = 10_000

/** Copies the gateways, and installs the packages of their own lock file. @throws Error with what the installation said */
export async function installTheirs(folder: string): Promise<Installed> {
  cpSync(join(import.meta.dir, 'gateways'), folder, { recursive: true })
  // Where the cache of the packages is, and which registry they come from.
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]))
  await run([process.execPath, 'install', '--frozen-lockfile', '--silent'], env, folder)
  const node = Bun.which('node')
  if (node === null) return { folder, runtime: process.execPath, runtimeName: `Bun ${Bun.version}, as Node is missing` }
  return { folder, runtime: node, runtimeName: `Node ${(await run([node, '--version'], {})).trim().slice(1)}` }
}

/** What callers of their one workspace know. */
const key = { apiKey: 'key_bench', apiSecret: 'sk_bench' }

/** @param kind the name of its file */
export async function openTheirs(
  { fleet, installed }: { readonly fleet: Fleet; readonly installed: Installed },
  kind: 'express' | 'bullmq',
  { name, upstreamUrl, perSecond, waitMs }: Setup,
): Promise<Opened> {
  const database = await startDatabase(fleet)
  const redis = kind === 'bullmq' ? await startRedis(fleet, join(installed.folder, name)) : null
  const servers = redis === null ? [database] : [database, redis]
  const { url, port } = freeAddress()
  const env = {
    PORT: port,
    DATABASE_URL: database.url,
    PLATFORM_URL: upstreamUrl + messagesPath(upstreamPhoneId),
    API_KEY: key.apiKey,
    API_SECRET: key.apiSecret,
    WAIT_MS: String(waitMs),
    BUN_CONFIG_MAX_HTTP_REQUESTS: String(requestsMax),
    ...(redis && { REDIS_URL: redis.url }),
    ...(perSecond !== null && { PER_SECOND: String(perSecond) }),
  }
  const start = async (): Promise<Child> => {
    const child = fleet.start([installed.runtime, join(installed.folder, `${kind}.js`)], env)
    await ready(url)
    return child
  }
  let gateway = await start()
  return {
    url,
    key,
    programs: [installed.runtimeName, ...servers.map(({ program }) => program)],
    cpuUs: () => cpuUsOf(gateway.pid) + servers.reduce((sum, server) => sum + server.cpuUs(), 0),
    memory: () => ({
      gatewayMb: residentMb(gateway.pid),
      serversMb: totalMb(servers.map(server => server.memoryMb())),
    }),
    countSent: database.countSent,
    async killAndStart() {
      await end(gateway, 'SIGKILL')
      gateway = await start()
    },
    graphToken: null,
  }
}
