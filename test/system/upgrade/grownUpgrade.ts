import { Database } from 'bun:sqlite'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS } from '../../../db/migrations/list.ts'
import { appliedOf } from '../../../db/migrations.ts'
import { eventually } from '../../eventually.ts'
import { readFixtures, unpack } from '../../upgrade/fixture.ts'
import { startUpstream, type Upstream } from '../../upstream.ts'
import { Instance } from '../rig/instance.ts'
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
  await using ended = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'waypost-grown-'))
  ended.defer(() => rmSync(folder, { recursive: true, force: true }))
  const upstream = startUpstream()
  ended.defer(() => upstream.stop())
  const env = { DATA_DIR: folder, SECRET_KEY: fixture.secretKey, CHANNEL_API_URL: upstream.url }
  const gateway = new Instance({ env })
  ended.defer(() => gateway.kill())
  const file = join(folder, 'waypost.db')
  unpack(fixture, file)
  grow(file, options)
  const before = read(file)
  const megabytes = megabytesOf(file)
  const violations: string[] = []
  const check = (after: string, broken: (found: Found) => Iterable<string>) => {
    for (const why of broken(read(file))) violations.push(`after ${after}: ${why}`)
  }
  say(`a database of ${megabytes} MB is made`)

  await inTheMiddle(gateway, lines)
  await gateway.kill()
  check('a kill', found => untouched(found, before, upstream))

  await inTheMiddle(gateway, lines)
  const askedMs = performance.now()
  const code = await gateway.terminate()
  const stopMs = Math.round(performance.now() - askedMs)
  if (code !== 0) violations.push(`a stop in the middle ended with ${code}`)
  check('a stop', found => untouched(found, before, upstream))
  say(`killed, and stopped in ${stopMs} ms`)

  const startedMs = performance.now()
  await gateway.serve()
  const readySeconds = Number(((performance.now() - startedMs) / 1_000).toFixed(1))
  const peakMegabytes = peakOf(gateway.serving.pid)
  const logMegabytes = megabytesOf(`${file}-wal`)
  await eventually(() => {
    if (upstream.received.length === 0) throw new Error('what waits was not sent')
  })
  if ((await gateway.terminate()) !== 0) violations.push('the upgraded gateway did not end with 0')
  check('the upgrade', found => done(found, before))
  const left = readdirSync(folder).filter(name => /\.(part|migrating)/.test(name))
  if (left.length > 0) violations.push(`left behind: ${left.join(', ')}`)
  const sizes = { megabytes, afterMegabytes: megabytesOf(file), logMegabytes, peakMegabytes }
  return { messages, inbound, statistics, ...sizes, readySeconds, stopMs, violations }
}

/** Starts it. Resolves with so many lines of its log, or when the start has ended. */
async function inTheMiddle(gateway: Instance, lines: number): Promise<void> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  gateway.start().then(over, over)
  const { serving } = gateway
  await eventually(() => {
    const count = serving.stderr().split('\n').length - 1
    if (!isOver && count < lines) throw new Error(`only ${count} lines: ${serving.stderr()}`)
  }, upgradeMsMax)
}

const megabytesOf = (file: string) => Math.ceil(statSync(file).size / bytesPerMegabyte)

function peakOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_024)
}

/** What stands in the file. */
interface Found {
  readonly migrations: readonly string[]
  readonly messages: number
  readonly inbound: number
  /** Messages of users with a number, which the first version did not give. */
  readonly numbered: number
  readonly damage: string
}

function read(file: string): Found {
  using client = new Database(file, { readonly: true })
  const column = (sql: string) => client.query(sql).values().flat().map(String)
  const count = (table: string) => Number(column(`SELECT count(*) FROM ${table}`)[0])
  const migrations = column('SELECT name FROM migrations')
  return {
    migrations,
    messages: count('messages'),
    inbound: count('inbound_messages'),
    numbered: migrations.length === 1 ? 0 : count('inbound_messages WHERE seq IS NOT NULL'),
    damage: column('PRAGMA quick_check(1)').join(),
  }
}

/** As it was, or as it is to be, where the upgrade had just ended; and sound, and nothing was sent. */
function* untouched(found: Found, before: Found, upstream: Upstream) {
  const { migrations } = found
  if (migrations.length !== 1 && migrations.length !== MIGRATIONS.length)
    yield `half of the migrations are there: ${migrations.join(', ')}`
  if (migrations.length === 1 && upstream.received.length > 0) yield 'something was sent'
  yield* sound(found, before)
}

function* done(found: Found, before: Found) {
  const names = appliedOf(MIGRATIONS).map(({ name }) => name)
  if (found.migrations.join() !== names.join()) yield 'a migration is missing'
  if (found.numbered < before.inbound) yield `${found.numbered} messages of users have a number, of ${before.inbound}`
  yield* sound(found, before)
}

function* sound({ damage, messages, inbound }: Found, before: Found) {
  if (damage !== 'ok') yield `the database is damaged: ${damage}`
  if (messages !== before.messages) yield `${messages} messages in place of ${before.messages}`
  if (inbound !== before.inbound) yield `${inbound} messages of users in place of ${before.inbound}`
}
