import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallbackRefusal } from '../../db/contract/records.ts'
import { dayMs, hourMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { loadConfig } from '../../src/config/config.ts'
import { weaknessesOf } from '../../src/config/weaknesses.ts'
import { SANDBOX, startSandbox } from '../../src/sandbox/server.ts'
import { draft } from '../db/fixtures.ts'
import { freePort } from '../freePort.ts'
import { canMount, mountSmallDisk, type SmallDisk } from '../smallDisk.ts'
import {
  besideGateway,
  type CallOptions,
  connected,
  Deployment,
  expectRefusal,
  type Identified,
  queueMessages,
  seeded,
} from './waypost.ts'

let deployment: Deployment
beforeEach(() => {
  deployment = new Deployment()
})
afterEach(() => deployment.remove())

interface Diagnosis {
  readonly ok: boolean
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[]
}

/**
 * A doctor that finds something still answers on stdout; only its exit code is another. No test asks the real upstream.
 */
async function examine(args: readonly string[] = ['--offline'], { env }: CallOptions = {}) {
  const { code, stdout, stderr } = await besideGateway(env?.DATABASE_PATH ?? deployment.databasePath, gateway =>
    deployment.run(['doctor', ...args, '--json'], {
      env: { ...gateway, BACKUP_DIR: deployment.path('backups'), ...env },
    }),
  )
  const diagnosis = JSON.parse(stdout) as Diagnosis
  expect(code).toBe(diagnosis.ok ? 0 : 1)
  expect(stderr).toBe('')
  return { ...diagnosis, failed: diagnosis.checks.filter(({ ok }) => !ok) }
}

const day = Date.UTC(2026, 0, 2, 3, 4, 5)

/** A callback as the gateway notes it. */
const noteCallback = (channelId: string, after: number, refusal: CallbackRefusal | null) =>
  deployment.withStore(store => store.write.noteCallback({ channelId, at: day + after, refusal }))

/** Subscribes the account as the gateway would, at an address that proves itself. */
async function subscribe(sandboxUrl: string, channelId: string) {
  const proof = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: request => new Response(new URL(request.url).searchParams.get('hub.challenge')),
  })
  const address = `http://127.0.0.1:${proof.port}/callbacks/channel/${channelId}`
  for (const body of [{}, { override_callback_uri: address, verify_token: 'any' }]) {
    const answer = await fetch(`${sandboxUrl}/v25.0/${SANDBOX.accountId}/subscribed_apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SANDBOX.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(200)
  }
  await proof.stop(true)
}

test('a folder without a database is refused, and looking makes nothing', async () => {
  const ended = await deployment.run(['doctor', '--json'])
  expectRefusal(ended, 1, `There is no database at ${deployment.databasePath}`)
  expect(JSON.parse(ended.stdout)).toMatchObject({ error: 'NO_DATABASE' })
  expect(existsSync(deployment.dataDir)).toBe(false)
})

describe('the gateway', () => {
  /** What the doctor and `health` say of it, by the same settings. */
  async function askedAt(port: number) {
    const env = { PORT: String(port) }
    const { stdout } = await deployment.run(['doctor', '--offline', '--json'], { env })
    const diagnosis = JSON.parse(stdout) as Diagnosis
    const health = await deployment.run(['health'], { env })
    const found = diagnosis.checks.find(({ name }) => name === 'gateway')
    expect(health.stdout).toBe(`${found?.message}.\n`)
    expect([diagnosis.ok, health.code]).toEqual([false, 1])
    expect(diagnosis).toMatchObject({ dataDir: deployment.dataDir, database: deployment.databasePath })
    return found
  }
  beforeEach(() => deployment.withStore(async () => {}))

  test('that does not run is found, as by health', async () => {
    const port = freePort()
    const message = `Nothing listens at http://127.0.0.1:${port}: the gateway does not run, or was started with another HOST or PORT`
    expect(await askedAt(port)).toEqual({ name: 'gateway', ok: false, message })
  })

  test('is not what another program answers, in HTTP or not', async () => {
    const web = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('hello', { status: 418 }) })
    const port = web.port ?? 0
    expect(await askedAt(port)).toMatchObject({
      message: expect.stringContaining(`Another program answers at http://127.0.0.1:${port} (HTTP 418)`),
    })
    await web.stop(true)
    const ssh = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { open: socket => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'), data() {} },
    })
    expect(await askedAt(ssh.port)).toMatchObject({ message: expect.stringContaining('Another program listens at') })
    ssh.stop(true)
  })

  test('may be what accepts and does not answer', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    const health = await deployment.run(['health'], { env: { PORT: String(silent.port) } })
    silent.stop(true)
    expect(health.stdout).toEndWith(
      'has not answered within 5 seconds: the gateway hangs and has to be restarted, or another program has its port.\n',
    )
  })

  test('that is not ready says what is wrong with it', async () => {
    const answer = {
      error: 'SERVICE_UNAVAILABLE',
      message: '…',
      details: { parts: { disk: 'takes no writes', writer: 'ok' } },
    }
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json(answer, { status: 503 }) })
    const port = server.port ?? 0
    expect(await askedAt(port)).toMatchObject({
      message: `The gateway at http://127.0.0.1:${port} is not ready: disk takes no writes`,
    })
    await server.stop(true)
  })

  test('of another folder is not taken for that of this one', async () => {
    const other = deployment.path('other.db')
    const { stdout } = await besideGateway(other, env => deployment.run(['doctor', '--offline', '--json'], { env }))
    expect((JSON.parse(stdout) as Diagnosis).checks.find(({ name }) => name === 'gateway')).toMatchObject({
      ok: false,
      message: expect.stringContaining(`works on another database: none runs on ${deployment.databasePath}`),
    })
  })
})

test('a working deployment is examined down to its secrets, and up to its account', async () => {
  const { channelId } = await connected(deployment)
  await noteCallback(channelId, 0, null)
  const sandbox = await startSandbox()
  try {
    const env = { CHANNEL_API_URL: sandbox.url }
    const unsubscribed = await examine([], { env })
    expect(unsubscribed.failed).toEqual([
      { name: 'upstream', ok: false, message: expect.stringContaining(`waypost channel subscribe ${channelId}`) },
    ])
    await subscribe(sandbox.url, channelId)
    const subscribed = await examine([], { env })
    expect(subscribed.checks.slice(-16)).toEqual([
      { name: 'secrets', ok: true, message: 'the key fits, and opens the secrets of 1 channel' },
      { name: 'channels', ok: true, message: '1 channel, each with its own account' },
      { name: 'access tokens', ok: true, message: 'none was refused at the latest message' },
      { name: 'callbacks', ok: true, message: `last accepted (UTC): ${channelId} at 2026-01-02 03:04:05` },
      { name: 'messages', ok: true, message: 'none has an unknown outcome' },
      { name: 'lines', ok: true, message: expect.stringContaining('none is stopped') },
      { name: 'batches', ok: true, message: 'none has paused itself' },
      { name: 'limits', ok: true, message: 'no monthly limit is nearly reached' },
      { name: 'templates', ok: true, message: 'none was rejected or paused' },
      { name: 'webhooks', ok: true, message: expect.stringContaining('no endpoint fails') },
      { name: 'keys', ok: true, message: 'there is none: waypost key create' },
      { name: 'backups', ok: true, message: 'none yet: the gateway makes the first when it is due' },
      { name: 'clock', ok: true, message: 'the time has not jumped within a day' },
      { name: 'promises', ok: true, message: 'no promise was found broken within a week' },
      { name: 'upgrade', ok: true, message: 'none within a week' },
      {
        ...{ name: 'upstream', ok: true },
        message:
          'answered for 1 channel with active lines, whose callbacks come here\n' +
          `${channelId}: 250 new people a day for all numbers of its portfolio; ` +
          '0 people were written to first in the last 24 hours, as far as is known here',
      },
    ])
    expect(subscribed.ok).toBe(true)
    await fetch(`${sandbox.url}/sandbox/token`, { method: 'PUT', body: '{"state":"expired"}' })
    const refused = await examine([], { env })
    expect(refused.failed).toMatchObject([
      { name: 'upstream', message: expect.stringMatching(/code 190.*waypost channel set-token chan_/) },
    ])
  } finally {
    await sandbox.stop()
  }
  const env = { CHANNEL_API_URL: 'http://127.0.0.1:1' }
  const unreached = await examine([], { env })
  expect(unreached.failed.map(({ name }) => name)).toEqual(['upstream'])
  expect(unreached.failed[0]?.message).not.toContain('token')
  expect((await examine(['--offline'], { env })).checks.map(({ name }) => name)).not.toContain('upstream')
})

test('an upstream that does not answer keeps the doctor for some seconds, whatever CHANNEL_TIMEOUT_MS is', async () => {
  const { channelId } = await connected(deployment)
  await noteCallback(channelId, 0, null)
  const silent = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Promise<Response>(() => {}) })
  const env = { CHANNEL_API_URL: `http://127.0.0.1:${silent.port}`, CHANNEL_TIMEOUT_MS: '600000' }
  const { failed } = await examine([], { env })
  await silent.stop(true)
  expect(failed).toMatchObject([{ name: 'upstream', message: expect.stringContaining(channelId) }])
})

test('each thing that is wrong is named, with what to do', async () => {
  const { channelId } = await connected(deployment)
  await noteCallback(channelId, 0, null)
  const otherKey = await examine(['--offline'], {
    env: { SECRET_KEY: 'some other key, which is long enough for a start' },
  })
  expect(otherKey.failed).toMatchObject([{ name: 'secrets', message: expect.stringContaining('Restore SECRET_KEY') }])

  const settings = await examine(['--offline'], { env: { PORT: 'high' } })
  expect(settings.failed).toMatchObject([{ name: 'settings', message: expect.stringContaining('PORT must be') }])

  const keyFile = join(deployment.dataDir, 'secret.key')
  chmodSync(keyFile, 0o644)
  const open = await examine()
  expect(open.failed).toMatchObject([{ name: 'key file', message: expect.stringContaining(`chmod 600 ${keyFile}`) }])

  const client = new Database(deployment.databasePath)
  client.run('CREATE INDEX by_name ON contacts (name)')
  client.close()
  const strange = await examine()
  const says = expect.stringMatching(
    /Backups of .* cannot be restored.*the index "by_name" on "contacts" is not of Waypost/,
  )
  expect(strange.failed).toContainEqual({ name: 'database', ok: false, message: says })

  writeFileSync(deployment.databasePath, 'burnt '.repeat(1_000))
  const burnt = await examine()
  expect(burnt.failed.map(({ name }) => name)).toEqual(['key file', 'database', 'migrations'])
  const text = await deployment.run(['doctor'])
  expect(text).toMatchObject({ code: 1, stderr: '' })
  expect(text.stdout).toContain('✗ database')
  expect(text.stdout).toContain('✓ settings')
})

test('what a start warns of is found', async () => {
  await deployment.withStore(async () => {})
  const weakKey = 'correct horse battery'
  writeFileSync(join(deployment.dataDir, 'secret.key'), weakKey, { mode: 0o600 })
  const env = { PUBLIC_URL: 'http://gateway.example', HOST: '0.0.0.0', CHANNEL_API_URL: 'http://upstream.example' }
  const { checks } = await examine(['--offline'], { env })
  const found = weaknessesOf(loadConfig(env), weakKey)
  const report = (await deployment.run(['doctor', '--offline'], { env })).stdout
  // One below the other.
  expect(
    new Set(
      found.map(weakness =>
        report
          .split('\n')
          .find(line => line.includes(weakness))
          ?.indexOf(weakness),
      ),
    ),
  ).toHaveProperty('size', 1)
  expect(found).toHaveLength(4)
  expect(checks).toContainEqual({ name: 'settings', ok: false, message: found.join('\n') })
})

test('a key file that is lost is missed before the start misses it', async () => {
  await connected(deployment)
  const keyFile = join(deployment.dataDir, 'secret.key')
  renameSync(keyFile, deployment.path('lost'))
  const { failed } = await examine()
  const says = `${failed[0]?.name}: ${failed[0]?.message}`
  expect(says).toStartWith(`key file: There is no key file at ${keyFile}`)
  const start = await deployment.run(['serve'], { env: { PORT: '0', LOG_LEVEL: 'silent' } })
  expectRefusal(start, 1, says.slice('key file: '.length))
})

test('a database that cannot be examined is not called damaged', async () => {
  const DATABASE_PATH = deployment.path('folder.db')
  mkdirSync(DATABASE_PATH)
  const { failed } = await examine(['--offline'], { env: { DATABASE_PATH } })
  expect(failed.map(({ name }) => name)).toEqual(['database', 'migrations'])
  expect(failed[0]?.message).toContain('cannot be examined')
  expect(failed[0]?.message).not.toMatch(/damaged|restore/)
})

describe.skipIf(!canMount)('a full disk', () => {
  let disk: SmallDisk
  beforeEach(() => {
    disk = mountSmallDisk()
  })
  afterEach(() => disk.remove())

  test('is reported beside all the rest', async () => {
    const env = { DATA_DIR: disk.folder, SECRET_KEY: 'any key, of enough letters for a start' }
    await deployment.json(['workspace', 'create', '--name', 'Acme'], { env })
    const { stdout } = await besideGateway(join(disk.folder, 'waypost.db'), gateway => {
      disk.fill(process.pid)
      return deployment.run(['doctor', '--offline', '--json'], { env: { ...env, ...gateway, BACKUP_DIR: disk.folder } })
    })
    const { checks } = JSON.parse(stdout) as Diagnosis
    const failed = checks.filter(({ ok }) => !ok)
    expect(failed).toMatchObject([
      { name: 'disk space', message: expect.stringContaining('the file never shrinks') },
      { name: 'secrets', message: expect.stringMatching(/full/) },
      { name: 'channels', message: expect.stringContaining('there is none') },
    ])
    expect(checks.map(({ name }) => name)).toContain('migrations')
  })
})

describe('the channels', () => {
  test('none at all is found, also before there is a key', async () => {
    await deployment.withStore(async () => {})
    const { failed } = await examine()
    expect(failed).toEqual([
      { name: 'channels', ok: false, message: expect.stringContaining('waypost channel connect') },
    ])
  })

  test('one that never got a callback is told to subscribe', async () => {
    const { channelId } = await connected(deployment)
    const { failed } = await examine()
    expect(failed).toEqual([
      { name: 'callbacks', ok: false, message: expect.stringContaining(`waypost channel subscribe ${channelId}`) },
    ])
  })

  test('a wrong app secret is found by the callback that was refused last, and over with the next good one', async () => {
    const { channelId } = await connected(deployment)
    await noteCallback(channelId, 0, null)
    await noteCallback(channelId, 60_000, 'wrongSignature')
    const refused = await examine()
    expect(refused.failed).toMatchObject([{ name: 'callbacks' }])
    expect(refused.failed[0]?.message).toBe(
      `${channelId}: the last callback was refused at 2026-01-02 03:05:05 (UTC): its signature was not made with this ` +
        `app secret. Give the right one: waypost channel set-app-secret ${channelId} (the last accepted one came at 2026-01-02 03:04:05)`,
    )
    await noteCallback(channelId, 120_000, null)
    expect((await examine()).failed).toEqual([])
  })

  test('an app secret that is absent is missed, until it is set; connecting again without it keeps it', async () => {
    const { id: workspaceId } = await deployment.json<Identified>(['workspace', 'create', '--name', 'Acme'])
    const connect = ['channel', 'connect', '--account-id', '1', '--access-token', 'token', '--no-verify']
    const channel = await deployment.json<Identified>(connect)
    expect(channel).toMatchObject({ workspaceId, hasAppSecret: false })
    await deployment.json([
      'line',
      'add',
      '--channel',
      channel.id,
      '--upstream-phone-id',
      '2',
      '--number',
      '+15550783881',
    ])
    await noteCallback(channel.id, 0, null)
    const remedy = `waypost channel set-app-secret ${channel.id}`
    expect((await deployment.run(connect)).stdout).toContain(`Next: ${remedy}`)
    const { failed } = await examine()
    expect(failed).toMatchObject([{ name: 'secrets', message: `the app secret of ${channel.id} is absent: ${remedy}` }])
    const secret = { stdin: 'app-secret' }
    await deployment.json(['channel', 'set-app-secret', channel.id, '--app-secret-file', '-'], secret)
    expect(await deployment.json(connect)).toMatchObject({ id: channel.id, hasAppSecret: true })
    expect((await examine()).failed).toEqual([])
  })

  test('two of one account, and secrets that do not open, are named', async () => {
    const { channelId } = await connected(deployment)
    const second = newId('chan')
    await deployment.withStore(async store => {
      const [known] = await store.read.channels(null)
      if (!known) throw new Error('no channel')
      const workspaceId = newId('ws')
      await store.write.createWorkspace({ id: workspaceId, name: 'Other', monthlyMessageLimit: null, createdAt: day })
      // Its secrets were sealed for another channel: none of them opens for this one.
      await store.write.connectChannel({ ...known, id: second, workspaceId })
    })
    const { failed } = await examine()
    const said = Object.fromEntries(failed.map(({ name, message }) => [name, message]))
    expect(said.channels).toContain(`${channelId} and ${second} have the same account ${SANDBOX.accountId}`)
    expect(said.secrets).toContain(`the access token of ${second} does not open`)
    expect(said.secrets).toContain(`the app secret of ${second} does not open`)
    expect(said.secrets).not.toContain(channelId)
  })
})

test('messages of unknown outcome are counted, with their age and what to do', async () => {
  await deployment.withStore(async store => {
    const owner = await seeded(store)
    const ids = await queueMessages(store, owner, 2)
    for (const [at, messageId] of ids.entries()) {
      const event = { kind: 'lost', at: day + at * 1_000 } as const
      await store.write.recordEvent({ messageId, event, detail: null, recordedAt: day })
    }
  })
  const { failed } = await examine()
  const message = failed.find(({ name }) => name === 'messages')?.message
  expect(message).toStartWith('2 messages with an unknown outcome, the oldest since 2026-01-02 03:04:05 (UTC).')
  expect(message).toContain('waypost message resolve')
})

test('a line whose sends fail, and a key that ends soon, are found with what to do', async () => {
  const { workspaceId, channelId, lineId } = await deployment.withStore(seeded)
  const now = Date.now()
  await deployment.withStore(async store => {
    const ids = await queueMessages(store, { workspaceId, channelId, lineId }, 6, true)
    const refused = { kind: 'refused', at: now, reason: '131026: Message undeliverable' } as const
    await Promise.all(
      ids.map(messageId => store.write.recordEvent({ messageId, event: refused, detail: null, recordedAt: now })),
    )
  })
  const { apiKey } = await deployment.json<{ apiKey: string }>(['key', 'create', '--label', 'shop', '--expires', '13d'])
  const { failed } = await examine()
  const said = Object.fromEntries(failed.map(({ name, message }) => [name, message]))
  expect(said.lines).toMatch(
    new RegExp(
      `^${lineId} \\(\\+15550783881\\): 6 of its last 6 messages failed, most with: .+ \\(131026\\): waypost message list --line ${lineId}$`,
    ),
  )
  expect(said.keys).toMatch(
    new RegExp(`^${apiKey} \\(shop\\) ends at [-0-9: ]+ \\(UTC\\): waypost key rotate ${apiKey}, or`),
  )
})

test('a version of the platform that never was, and a folder for backups that is none, are found', async () => {
  await connected(deployment)
  const BACKUP_DIR = deployment.path('file')
  writeFileSync(BACKUP_DIR, '')
  const { failed } = await examine(['--offline'], { env: { CHANNEL_API_VERSION: 'v25.7', BACKUP_DIR } })
  const said = Object.fromEntries(failed.map(({ name, message }) => [name, message]))
  expect(said['API version']).toContain('v25.7 is not among the versions that this Waypost knows')
  expect(said.backups).toBe(`${BACKUP_DIR} is not writable by this user: change its owner, or set BACKUP_DIR`)
})

test('endpoints that are off or fail, a locked account and a limit that is reached are found, as in the console', async () => {
  const { workspaceId, channelId, lineId } = await connected(deployment)
  await noteCallback(channelId, 0, null)
  const now = Date.now()
  await deployment.withStore(async ({ write }) => {
    const all = { types: null, lineIds: null, description: null, format: 'events' } as const
    const endpoint = { workspaceId, ...all, createdAt: now - 9 * dayMs }
    for (const id of ['wh_off', 'wh_failing', 'wh_switched']) {
      const secrets = { sealedSecrets: 'sealed', sealedHeaders: null }
      await write.addWebhook({ ...endpoint, ...secrets, id, url: `https://example.com/${id}` })
    }
    const own = { workspaceId, channelId, lineId, createdAt: now, dispatchedAt: null }
    await write.acceptMessage(draft({ ...own, id: 'msg_1' }))
    await write.setMonthlyLimit({ workspaceId, limit: 1 })
    const detail = { code: 131031, title: 'Account locked' }
    const update = { accountId: SANDBOX.accountId, about: { of: 'account' as const }, detail }
    const updates = [{ ...update, kind: 'account_error 131031', at: now + 1_000 }]
    await write.keepUpdates({ channelId, updates, recordedAt: now + 1_000 })
  })
  const client = new Database(deployment.databasePath)
  const change = (id: string, fields: string) => client.run(`UPDATE webhook_endpoints SET ${fields} WHERE id = '${id}'`)
  change('wh_off', `disabled_at = ${now - 121 * hourMs}, disabled_reason = 'failing'`)
  change('wh_failing', `failing_since = ${now - hourMs}`)
  change('wh_switched', `disabled_at = ${now}, disabled_reason = 'switchedOff'`)
  client.close()
  const { failed } = await examine()
  expect(failed.map(({ name }) => name)).toEqual(['lines', 'limits', 'webhooks'])
  const said = (name: string) => failed.find(check => check.name === name)?.message ?? ''
  expect(said('lines')).toMatch(new RegExp(`${channelId}: .*stopped its account.*code 131031.*platform's own console`))
  expect(said('webhooks')).toMatch(/wh_off .* is off since .*failed for five days.*waypost webhook edit wh_off --on/)
  expect(said('webhooks')).toMatch(/wh_failing .* takes no events since .*waypost webhook deliveries wh_failing/)
  expect(said('webhooks')).not.toContain('wh_switched')
  expect(said('limits')).toContain('all 1 messages of the month are used')
})
