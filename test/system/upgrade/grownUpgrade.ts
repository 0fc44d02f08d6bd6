import { Database } from 'bun:sqlite'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS } from '../../../db/migrations/list.ts'
import { appliedOf } from '../../../db/migrations.ts'
import { eventually } from '../../eventually.ts'
import { type Fixture, readFixtures, unpack } from '../../upgrade/fixture.ts'
import { startUpstream, type Upstream } from '../../upstream.ts'
import { type Serving, serve } from '../rig/serving.ts'
import { type Growth, grow } from './grown.ts'

export interface GrownReport extends Growth {
  readonly megabytes: number
  /** From the start of the process until it serves. */
  readonly readySeconds: number
  /** From SIGTERM in the middle until the end of the process. */
  readonly stopMs: number
  /** The most memory that the process had until it served. */
  readonly peakMegabytes: number
  /** The database after it, and its log, at most. */
  readonly afterMegabytes: number
  readonly logMegabytes: number
  /** Promises that were broken. */
  readonly violations: readonly string[]
}

const bytesPerMegabyte = 1_048_576
/** A million messages take less than a minute. */
const upgradeMsMax = 600_000

/**
 * Upgrades a large database of the first version with the executable: killed in its middle, stopped in its middle, and
 * then to its end.
 * @param options `lines`: how many lines of the log are the middle; one is the beginning of the copy, and each further
 *   one comes five seconds later
 */
export async function upgradeGrown(
  options: Growth & { lines: number; say?: (line: string) => void },
): Promise<GrownReport> {
  const { messages, inbound, statistics, lines, say = () => {} } = options
  const fixture = readFixtures().find(({ version }) => version === '0.1.0-init')
  if (!fixture) throw new Error('there is no fixture of the first version')
  const folder = mkdtempSync(join(tmpdir(), 'waypost-grown-'))
  const upstream = startUpstream()
  const scene = new Scene(fixture, folder, upstream)
  try {
    unpack(fixture, scene.file)
    grow(scene.file, options)
    const megabytes = scene.megabytes(scene.file)
    const before = scene.count()
    say(`a database of ${megabytes} MB is made`)

    const killed = scene.start()
    await said(killed, lines)
    await killed.end('SIGKILL')
    scene.checkUntouched('a kill', before)

    const stopped = scene.start()
    await said(stopped, lines)
    const askedMs = performance.now()
    const code = await stopped.end('SIGTERM')
    const stopMs = Math.round(performance.now() - askedMs)
    if (code !== 0) scene.violations.push(`a stop in the middle ended with ${code}`)
    scene.checkUntouched('a stop', before)
    say(`killed, and stopped in ${stopMs} ms`)

    const startedMs = performance.now()
    const upgraded = scene.start()
    if ((await upgraded.ready) === null) throw new Error(`it did not start: ${upgraded.stderr()}`)
    const readySeconds = Number(((performance.now() - startedMs) / 1_000).toFixed(1))
    const peakMegabytes = peakOf(upgraded.pid)
    const logMegabytes = scene.megabytes(`${scene.file}-wal`)
    await eventually(() => {
      if (upstream.received.length === 0) throw new Error('what waits was not sent')
    })
    if ((await upgraded.end('SIGTERM')) !== 0) scene.violations.push('the upgraded gateway did not end with 0')
    scene.checkDone(before, inbound)
    const afterMegabytes = scene.megabytes(scene.file)
    const { violations } = scene
    const sizes = { megabytes, afterMegabytes, logMegabytes, peakMegabytes }
    return { messages, inbound, statistics, ...sizes, readySeconds, stopMs, violations }
  } finally {
    await scene.close()
    await upstream.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Resolves with so many lines of the log, or when the start has ended. */
async function said(serving: Serving, lines: number): Promise<void> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  serving.ready.then(over, over)
  await eventually(() => {
    const count = serving.stderr().split('\n').length - 1
    if (!isOver && count < lines) throw new Error(`only ${count} lines: ${serving.stderr()}`)
  }, upgradeMsMax)
}

function peakOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_024)
}

interface Counted {
  readonly messages: number
  readonly inbound: number
}

/** The data folder, and the gateways that run on it one after another. */
class Scene {
  readonly file: string
  readonly violations: string[] = []
  readonly #servings: Serving[] = []
  readonly #env: Readonly<Record<string, string>>
  readonly #upstream: Upstream

  constructor({ secretKey }: Fixture, folder: string, upstream: Upstream) {
    this.file = join(folder, 'waypost.db')
    this.#upstream = upstream
    this.#env = { DATA_DIR: folder, SECRET_KEY: secretKey, CHANNEL_API_URL: upstream.url }
  }

  start(): Serving {
    const serving = serve({ env: this.#env })
    this.#servings.push(serving)
    return serving
  }

  async close(): Promise<void> {
    await Promise.all(this.#servings.map(serving => serving.end('SIGKILL')))
  }

  megabytes(file: string): number {
    return Math.ceil(statSync(file).size / bytesPerMegabyte)
  }

  count(): Counted {
    return this.#read(client => ({
      messages: countOf(client, 'messages'),
      inbound: countOf(client, 'inbound_messages'),
    }))
  }

  /** As it was, or as it is to be, where the upgrade had just ended; and sound, and nothing was sent. */
  checkUntouched(after: string, before: Counted): void {
    const applied = this.#read(migrationsOf)
    if (applied.length !== 1 && applied.length !== MIGRATIONS.length) {
      this.violations.push(`after ${after}: half of the migrations are there: ${applied.join(', ')}`)
    }
    if (applied.length === 1 && this.#upstream.received.length > 0)
      this.violations.push(`after ${after}: something was sent`)
    this.#check(after, before)
  }

  checkDone(before: Counted, inbound: number): void {
    const names = appliedOf(MIGRATIONS).map(({ name }) => name)
    if (this.#read(migrationsOf).join() !== names.join()) this.violations.push('a migration is missing')
    const numbered = this.#read(client => countOf(client, 'inbound_messages', 'seq IS NOT NULL'))
    if (numbered < inbound) this.violations.push(`${numbered} messages of users have a number, of ${inbound}`)
    this.#check('the upgrade', before)
    const left = readdirSync(join(this.file, '..')).filter(name => /\.(part|migrating)/.test(name))
    if (left.length > 0) this.violations.push(`left behind: ${left.join(', ')}`)
  }

  #check(after: string, before: Counted): void {
    const verdict = this.#read(client => client.query('PRAGMA quick_check(1)').values().flat().join())
    if (verdict !== 'ok') this.violations.push(`after ${after}: the database is damaged: ${verdict}`)
    const found = this.count()
    if (found.messages !== before.messages || found.inbound !== before.inbound) {
      this.violations.push(`after ${after}: ${JSON.stringify(found)} in place of ${JSON.stringify(before)}`)
    }
  }

  #read<Result>(read: (client: Database) => Result): Result {
    const client = new Database(this.file, { readonly: true })
    try {
      return read(client)
    } finally {
      client.close()
    }
  }
}

const countOf = (client: Database, table: string, where = 'true') =>
  Number(client.query(`SELECT count(*) FROM ${table} WHERE ${where}`).values()[0]?.[0])

const migrationsOf = (client: Database) => client.query('SELECT name FROM migrations').values().flat().map(String)
