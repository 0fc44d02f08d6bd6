import { join } from 'node:path'
import { cpuUsOf } from '../cpu.ts'
import { type BenchGateway, count, graphToken, type Installation, install, serve } from '../gateway.ts'
import { type Fleet, run } from '../processes.ts'
import { residentMb } from '../resident.ts'
import { sentCount } from '../sends.ts'
import type { Opened, Setup } from './peer.ts'
import { type Database, startDatabase } from './servers.ts'

/** @param on what it stores in */
export async function openOurs(
  { fleet, folder, binary }: { readonly fleet: Fleet; readonly folder: string; readonly binary: string },
  on: 'SQLite' | 'PostgreSQL',
  { name, upstreamUrl, perSecond, waitMs }: Setup,
): Promise<Opened> {
  const database = on === 'PostgreSQL' ? await startDatabase(fleet) : null
  const env = {
    SEND_WAIT_MS: String(waitMs),
    GRAPH_API: 'on',
    ...(database && { DATABASE_URL: database.url }),
  }
  const installation = await install({ binary, upstreamUrl, dataDir: join(folder, `${name}-${on}`), env })
  const pace = ['line', 'set-rate', installation.lineId, '--per-second', String(perSecond ?? 0), '--pair-seconds', '0']
  await run([binary, ...pace], installation.env)
  let gateway: BenchGateway = await serve({ fleet, installation })
  return {
    key: installation.key,
    programs: database === null ? [] : [database.program],
    get url() {
      return gateway.url
    },
    cpuUs: () => cpuUsOf(gateway.pid) + (database?.cpuUs() ?? 0),
    memory: () => ({ gatewayMb: residentMb(gateway.pid), serversMb: database === null ? 0 : database.memoryMb() }),
    countSent: counting(installation, database),
    async killAndStart() {
      await gateway.end('SIGKILL')
      gateway = await serve({ fleet, installation })
    },
    graphToken: () => graphToken(installation),
  }
}

const counting = ({ databasePath }: Installation, database: Database | null) =>
  database?.countSent ?? (async () => count(databasePath, sentCount))
