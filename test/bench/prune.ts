import { Database } from 'bun:sqlite'
import { hourMs } from '../../src/base/durations.ts'
import type { Bench } from './bench.ts'
import { syncFile } from './fill.ts'
import { count, freeAddress, type Installation } from './gateway.ts'
import { type Load, type Target, under } from './load.ts'
import { until } from './processes.ts'
import { grouped } from './report.ts'
import { comparison } from './rounds.ts'
import type { Benchmark } from './scenario.ts'
import { countedSends } from './sends.ts'
import { freshSends, keyed } from './traffic.ts'

const connections = 64

/** A 99th percentile needs many requests, and while keys are pruned there are few. */
const stretch = 2

/** Keys expire from an hour from now on, one each millisecond: the schedule's own run would still leave them alone. */
const expiryMs = hourMs
/** The job that is measured finds all of them expired, and none of the keys that the sends themselves leave. */
const jobAheadMs = 12 * hourMs

/** Keys of one transaction: the gateway, which is idle meanwhile, would wait no longer than that for the file. */
const keysPerCommit = 50_000
/** Negative: kibibytes. The keys' tree is changed at random places. */
const cacheKib = -1_000_000

/** Sends with keys of their own, in turn while nothing is pruned and while very many expired keys are. */
export async function pruneBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const { keysExpired } = bench.options.sizes
  const installation = await bench.install('prune')
  const { url, port } = freeAddress()
  const env = { ...installation.env, PORT: port }
  const { url: controlUrl } = await bench.fleet.service('pruning.ts', [String(jobAheadMs)], env)
  const gateway = { ...installation, url }
  const load: Load = {
    what: `sends while ${grouped(keysExpired)} expired keys are pruned`,
    connections,
    traffic: round => freshSends(keyed, installation.key, round),
    answers: 'success',
    folder: bench.folder,
  }
  const sends = countedSends(gateway, bench.upstream.url, connections)
  return [
    comparison({
      what: load.what,
      connections,
      baselines: [
        {
          name: 'none',
          side: under(load, sends),
          figures: [
            { kind: 'p99', most: 2 },
            { kind: 'throughput', least: null },
          ],
        },
      ],
      gateway: under(load, pruned({ gateway, sends, controlUrl, keys: keysExpired })),
      stretch,
    }),
  ]
}

/** A round of it lies within the pruning, or throws. */
function pruned({ gateway, sends, controlUrl, keys }: Pruned): Target {
  return {
    url: sends.url,
    async watch() {
      const checkSends = await sends.watch?.()
      const expiring = fillKeys(gateway, keys)
      const pruning = fetch(controlUrl, { method: 'POST' })
      await until('the first keys that are pruned', () => expiring.count() < keys || null)
      return async driven => {
        const left = expiring.count()
        if (left === 0) throw new Error('the pruning ended before the round did: make the rounds shorter (--seconds)')
        console.error(`  ${grouped(keys - left)} keys were pruned by the end of the round`)
        await checkSends?.(driven)
        await fetch(controlUrl, { method: 'DELETE' })
        if (!(await pruning).ok) throw new Error('the pruning failed')
        expiring.remove()
      }
    },
  }
}

interface Pruned {
  readonly gateway: Pick<Installation, 'databasePath' | 'key'>
  readonly sends: Target
  readonly controlUrl: string
  readonly keys: number
}

/** Stores keys as callers make them, in no order, who used them at one time after another. */
function fillKeys({ databasePath, key }: Pruned['gateway'], keys: number) {
  const from = Date.now() + expiryMs
  changeKeys(databasePath, keys, database => {
    const put = database.query(
      `INSERT INTO idempotency_keys (scope, key, fingerprint, message_seq, expires_at)
       WITH RECURSIVE numbers(n) AS (SELECT $from UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < $to)
       SELECT $scope, lower(hex(randomblob(16))), randomblob(32), n, n
       FROM numbers`,
    )
    return (first, end) => put.run({ from: from + first, to: from + end, scope: key.apiKey })
  })
  return {
    count: () =>
      count(databasePath, 'SELECT count(*) AS count FROM idempotency_keys WHERE expires_at < ?', from + keys),
    /** So that the next round without pruning finds none. */
    remove: () =>
      changeKeys(databasePath, keys, database => {
        const remove = database.query('DELETE FROM idempotency_keys WHERE expires_at >= $from AND expires_at < $to')
        return (first, end) => remove.run({ from: from + first, to: from + end })
      }),
  }
}

/** Changes the keys beside the gateway, some at a time. Afterwards all of it is in the file and on the disk. */
function changeKeys(
  databasePath: string,
  keys: number,
  prepare: (database: Database) => (first: number, end: number) => void,
): void {
  using database = new Database(databasePath, { readwrite: true, strict: true })
  database.run('PRAGMA busy_timeout = 5000')
  database.run('PRAGMA synchronous = OFF')
  database.run(`PRAGMA cache_size = ${cacheKib}`)
  const change = prepare(database)
  for (let first = 0; first < keys; first += keysPerCommit) change(first, Math.min(first + keysPerCommit, keys))
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  syncFile(databasePath)
}
