import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { type PostgresServer, startPostgres } from '../postgres.ts'
import type { Bench } from './bench.ts'
import { cpuUsOfTree } from './cpu.ts'

/** Connections of all gateways of a group. */
const connectionsMax = 200

/** What the server has done so far, for all databases. */
export interface ServerWork {
  readonly cpuUs: number
  readonly statements: number
  /** With several statements. A read is one by itself, and is not counted. */
  readonly transactions: number
  readonly walBytes: number
}

/** @returns the process that all others of the server are children of */
export const serverPid = ({ folder }: Pick<PostgresServer, 'folder'>) =>
  Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0])

/** A PostgreSQL server that syncs to disk, and counts its statements. */
export interface BenchServer {
  createDatabase(): Promise<string>
  /** Connects to a database, until the end of the group. */
  connect(url: string): SQL
  work(): Promise<ServerWork>
}

/** @param settings of postgresql.conf */
export async function startServer(
  { fleet }: Bench,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  const server = await startPostgres({
    max_connections: String(connectionsMax),
    shared_preload_libraries: 'pg_stat_statements',
    ...settings,
  })
  fleet.defer(() => server.remove())
  const connect = (url: string) => {
    const client = new SQL({ url, max: 1 })
    fleet.defer(() => client.close({ timeout: 0 }))
    return client
  }
  const asking = connect(await server.createDatabase())
  await asking.unsafe('CREATE EXTENSION pg_stat_statements')
  const pid = serverPid(server)

  return {
    createDatabase: server.createDatabase,
    connect,
    async work() {
      const cpuUs = cpuUsOfTree(pid)
      // Not pg_stat_database: a connection tells it of its transactions up to a second later.
      const [counted] = await asking.unsafe<Omit<ServerWork, 'cpuUs'>[]>(
        `SELECT sum(calls)::float8 AS statements, sum(calls) FILTER (WHERE query ILIKE 'begin%')::float8 AS transactions,
           (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes" FROM pg_stat_statements`,
      )
      const { statements = 0, transactions = 0, walBytes = 0 } = counted ?? {}
      return { cpuUs, statements, transactions, walBytes }
    },
  }
}
