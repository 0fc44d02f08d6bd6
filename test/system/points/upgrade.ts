import { Database } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS } from '../../../db/migrations/list.ts'
import { eventually } from '../../eventually.ts'
import { readFixtures, unpack } from '../../upgrade/fixture.ts'
import { startUpstream } from '../../upstream.ts'
import { checkIntegrity } from '../rig/ledger.ts'
import { type Serving, serve } from '../rig/serving.ts'
import type { Act, Place } from './acts.ts'
import { neverMs } from './strace.ts'

/** A small database of the oldest state there is, with a message that waits. */
const fixture = readFixtures().find(({ version }) => version === '0.1.0-init')

const former = '0000_init'
const current = MIGRATIONS.map(({ name }) => name).join()

/** A start that migrates the database, each time a fresh one. */
export const upgradeAct: Act = {
  name: 'an upgrade of a small database',
  counted: ['program', 'its files', 'its folder'],
  open: async () => openPlace(),
}

function openPlace(): Place {
  if (fixture === undefined) throw new Error('there is no fixture of the oldest state')
  const { queuedId, replay, key, messages, secretKey } = fixture
  const folder = mkdtempSync(join(tmpdir(), 'waypost-points-'))
  const dataDir = join(folder, 'data')
  const databasePath = join(dataDir, 'waypost.db')
  const upstream = startUpstream()
  const env = { DATA_DIR: dataDir, SECRET_KEY: secretKey, CHANNEL_API_URL: upstream.url, SEND_WORKERS: '1' }
  let serving: Serving | undefined

  /** Resolves once the message that waits has left, or the gateway has ended. */
  async function serveUntilSent(wrapper: readonly string[] = []): Promise<string | null> {
    const next = serve({ env, wrapper })
    serving = next
    let hasEnded = false
    next.ended.then(() => {
      hasEnded = true
    })
    const url = await next.ready
    if (url === null) return null
    await eventually(() => {
      if (!hasEnded && read(databasePath).statuses.get(queuedId) === 'QUEUED') throw new Error('it waits still')
    }, neverMs)
    return url
  }

  function* wrongWith({ migrations, statuses }: ReturnType<typeof read>) {
    if (migrations !== former && migrations !== current) yield `migrated halfway: ${migrations}`
    if (migrations === former && upstream.received.length > 0) yield 'was sent before the database was migrated'
    for (const { id } of messages) if (!statuses.has(id)) yield `${id} is lost`
    if (upstream.received.length > 1) yield `the message that waited went out ${upstream.received.length} times`
  }

  async function finish(): Promise<string[]> {
    await serving?.end('SIGKILL')
    const wrong: string[] = []
    const verdict = checkIntegrity(databasePath, folder)
    if (verdict !== 'ok') wrong.push(`the database is damaged: ${verdict}`)
    const url = await serveUntilSent()
    if (url === null) return [...wrong, `the next gateway does not start: ${serving?.stderr()}`]
    const answer = await fetch(`${url}/api/v1/public/messages/${replay.id}`, { headers: { ...key } })
    if (answer.status !== 200) wrong.push(`a message of the former version is answered ${answer.status}`)
    const found = read(databasePath)
    wrong.push(...wrongWith(found))
    const status = found.statuses.get(queuedId)
    if (upstream.received.length === 0 && status !== 'UNKNOWN')
      wrong.push(`${queuedId} is ${status} and never went out`)
    const halves = readdirSync(dataDir).filter(name => /\.(part|migrating)/.test(name))
    if (halves.length > 0) wrong.push(`half a file stays: ${halves.join()}`)
    await serving?.end('SIGKILL')
    return wrong
  }

  return {
    get pid() {
      return serving?.pid ?? 0
    },
    databasePath,
    async prepare() {
      rmSync(dataDir, { recursive: true, force: true })
      mkdirSync(dataDir)
      unpack(fixture, databasePath)
      upstream.received.length = 0
      return { perform: async wrapper => void (await serveUntilSent(wrapper)), finish }
    },
    verdict: async () => [],
    lastVerdict: async () => [],
    async close() {
      await serving?.end('SIGKILL')
      await upstream.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Reads the file beside a gateway that runs. */
function read(path: string) {
  const client = new Database(path, { readonly: true })
  try {
    client.run('PRAGMA busy_timeout = 5000')
    const rows = client.query<{ id: string; status: string }, []>('SELECT id, status FROM messages').all()
    return {
      migrations: client.query('SELECT name FROM migrations').values().join(),
      statuses: new Map(rows.map(({ id, status }) => [id, status])),
    }
  } finally {
    client.close()
  }
}
