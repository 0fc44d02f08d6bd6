import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Deployment } from '../../cli/waypost.ts'
import { eventually } from '../../eventually.ts'
import { freePort } from '../../freePort.ts'
import { needs } from '../../programs.ts'
import { type Fixture, readFixtures, unpack } from '../../upgrade/fixture.ts'
import { startUpstream, type Upstream } from '../../upstream.ts'
import { type NotifySocket, notifyNeeds, openNotifySocket } from '../packaging/notifySocket.ts'
import { type Serving, serve } from '../rig/serving.ts'

const endless = [process.execPath, resolve(import.meta.dir, 'endlessGateway.ts'), 'serve']
const current = [process.execPath, resolve(import.meta.dir, '../../../src/main.ts'), 'serve']

/** A database with a message that waits: the next start sends it. */
const fixture = readFixtures().find(({ version }) => version === '0.1.0-init') as Fixture

let deployment: Deployment
let upstream: Upstream
let port: number
let servings: Serving[]
let systemd: NotifySocket | undefined
beforeEach(() => {
  deployment = new Deployment()
  upstream = startUpstream()
  port = freePort()
  servings = []
  mkdirSync(deployment.dataDir)
  unpack(fixture, deployment.databasePath)
})
afterEach(async () => {
  systemd?.close()
  await Promise.all(servings.map(serving => serving.end('SIGKILL')))
  await upstream.stop()
  deployment.remove()
})

const settings = () => ({
  DATA_DIR: deployment.dataDir,
  SECRET_KEY: fixture.secretKey,
  CHANNEL_API_URL: upstream.url,
  PORT: String(port),
})

function start(program: readonly string[], env: Readonly<Record<string, string>> = {}): Serving {
  const serving = serve({ env: { ...settings(), ...env }, program })
  servings.push(serving)
  return serving
}

const lines = (serving: Serving): Record<string, unknown>[] =>
  serving
    .stderr()
    .split('\n')
    .filter(line => line.startsWith('{') && line.endsWith('}'))
    .map(line => JSON.parse(line))

/** Resolves once the migration has changed something, and is in the statement that has no end. */
async function amidst(serving: Serving): Promise<void> {
  await eventually(() => {
    const said = lines(serving).find(({ step }) => String(step).startsWith('9999_endless'))
    if (!said) throw new Error(`not there yet: ${serving.stderr()}`)
  })
}

/** As the former version sees it. */
function found() {
  using client = new Database(deployment.databasePath, { readonly: true })
  return {
    integrity: client.query('PRAGMA integrity_check').values().flat(),
    migrations: client.query('SELECT name FROM migrations').values().flat(),
    waiting: client.query("SELECT id FROM messages WHERE status = 'QUEUED'").values().flat(),
  }
}
const untouched = { integrity: ['ok'], migrations: ['0000_init'], waiting: [fixture.queuedId] }

const files = (mark: string) => readdirSync(deployment.dataDir).filter(name => name.includes(mark))

test('a stop in the middle of a migration ends at once with 0: the database is as before, and nothing is sent', async () => {
  const serving = start(endless)
  await amidst(serving)

  // Beside it, commands say why nobody answers.
  const since = /the database is being migrated from 0000_init to [\d.]+ since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/
  const health = await deployment.run(['health'], { env: settings() })
  expect(health).toMatchObject({ code: 1, stdout: expect.stringMatching(since) })
  const doctor = await deployment.run(['doctor', '--offline'], { env: settings() })
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(since) })

  expect(await serving.end('SIGTERM')).toBe(0)
  // One of these comes every five seconds.
  const others = lines(serving).filter(({ msg }) => msg !== 'the database is being migrated')
  expect(others.map(({ msg }) => msg)).toEqual([
    'the database is of an older version and is migrated; the gateway is not ready until then',
    'the gateway is stopping',
    'the migration was stopped: unless it had just ended, the database stays as it was before',
    'the gateway has stopped before it was ready',
  ])
  expect(lines(serving)[0]).toMatchObject({
    from: '0000_init',
    copy: join(deployment.dataDir, files('.before-')[0] ?? ''),
  })
  expect(found()).toEqual(untouched)
  expect(upstream.received).toEqual([])
  expect((await deployment.run(['health'], { env: settings() })).stdout).toContain('Nothing listens at')

  // What waits is sent by the first gateway that is ready.
  const next = start(current)
  expect(await next.ready).not.toBeNull()
  await eventually(() => expect(upstream.received).toHaveLength(1))
})

test('a kill in the middle of a migration leaves the database as before, and nobody says that it goes on', async () => {
  const serving = start(endless)
  await amidst(serving)
  await serving.end('SIGKILL')

  expect(found()).toEqual(untouched)
  expect((await deployment.run(['health'], { env: settings() })).stdout).toContain('Nothing listens at')
  const doctor = await deployment.run(['doctor', '--offline'], { env: settings() })
  expect(doctor.stdout).toContain('the next start applies 0001_')

  const next = start(current)
  expect(await next.ready).not.toBeNull()
  expect(files('.migrating')).toEqual([])
})

const notify = needs('systemd is told what a long start does, and gives it more time', ...notifyNeeds)
test.skipIf(notify.isMissing)(notify.name, async () => {
  systemd = await openNotifySocket(deployment.path('notify.sock'))
  start(endless, systemd.env)
  for (let status = ''; !status.includes('UTC: 9999_endless ('); ) {
    expect(await systemd.next()).toBe('EXTEND_TIMEOUT_USEC=60000000')
    status = await systemd.next()
    expect(status).toStartWith('STATUS=Migrating the database since ')
  }
})
