import { afterAll, expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockDatabase } from '../../db/sqlite/lock.ts'
import { SANDBOX, startSandbox } from '../../src/sandbox/server.ts'
import { timestamp } from '../timestamp.ts'
import { connected, Deployment, expectRefusal, type Identified } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

/** In a workspace of its own: each test starts with an account that is not connected there. */
async function newConnect(): Promise<(...rest: string[]) => string[]> {
  const { id } = await deployment.json<Identified>(['workspace', 'create', '--name', 'Acme'])
  const connect = [
    'channel',
    'connect',
    '--workspace',
    id,
    '--account-id',
    SANDBOX.accountId,
    '--no-verify',
    '--also-here',
  ]
  return (...rest) => [...connect, ...rest]
}

interface Connected extends Identified {
  readonly verifyToken: string
  readonly hasAppSecret: boolean
  readonly numbers: null
}

test('a key that is lost costs the secrets and nothing else, once somebody says so', async () => {
  const lost = new Deployment()
  try {
    const forget = ['secrets', 'forget']
    await lost.json(['workspace', 'create', '--name', 'Acme'])
    expectRefusal(await lost.run([...forget, '--force']), 1, 'nothing to discard')
    const { workspaceId, channelId } = await connected(lost)
    expectRefusal(await lost.run([...forget, '--force']), 1, 'there is no need')
    const add = ['webhook', 'add', '--workspace', workspaceId, '--url', 'https://93.184.215.14/']
    const hook = await lost.json<Identified>(add)
    // It was off before, and nothing changes for it.
    const { id: off } = await lost.json<Identified>(add)
    await lost.json(['webhook', 'edit', off, '--off'])
    const backup = lost.path('backup.db')
    await lost.json(['backup', '--to', backup])

    const key = join(lost.dataDir, 'secret.key')
    rmSync(key)
    const serve = await lost.run(['serve'], { env: { PORT: '0', LOG_LEVEL: 'silent' } })
    expectRefusal(serve, 1, 'waypost secrets forget')
    const unlock = lockDatabase(lost.databasePath)
    expectRefusal(await lost.run([...forget, '--force']), 1, 'Another gateway is running')
    unlock()
    expectRefusal(await lost.run(forget), 1, '--force discards')
    expect(existsSync(key)).toBe(false)
    const connect = ['channel', 'connect', '--workspace', workspaceId, '--account-id', SANDBOX.accountId]
    const again = [...connect, '--no-verify', '--access-token', 'new', '--app-secret', 'new-secret']
    expectRefusal(await lost.run(again), 1, 'waypost secrets forget')

    const said = await lost.run([...forget, '--force'])
    expect(said.stdout).toMatch(/webhooks now off +1\n/)
    expect(said.stdout).toContain(`Webhooks are off, because their secrets are lost too. For each (${hook.id})`)
    expectRefusal(await lost.run([...forget, '--force']), 1, 'there is no need')
    // Nobody has the app secret now: the doctor misses it, and so does who connects without one.
    const { stdout } = await lost.run(['doctor', '--offline', '--json'])
    expect(stdout).toContain(`the app secret of ${channelId} is absent: waypost channel set-app-secret ${channelId}`)
    const halfway = await lost.json<{ hasAppSecret: boolean }>([...connect, '--no-verify', '--access-token', 'new'])
    expect(halfway.hasAppSecret).toBe(false)
    expect(await lost.json<Identified>(again)).toMatchObject({ id: channelId })
    expect(await lost.json(['line', 'list', '--workspace', workspaceId])).toHaveLength(1)
    const examined = async () => {
      const { checks } = JSON.parse((await lost.run(['doctor', '--offline', '--json'])).stdout) as {
        checks: { name: string; ok: boolean; message: string }[]
      }
      expect(checks.find(({ name }) => name === 'secrets')?.ok).toBe(true)
      return checks.find(({ name }) => name === 'webhooks')
    }
    // What the doctor says brings the endpoint back, in its order.
    const webhooks = await examined()
    const commands = webhooks?.message.match(/waypost webhook [a-z]+ hook_\w+( --on)?/g) ?? []
    expect(commands).toEqual([`waypost webhook rotate ${hook.id}`, `waypost webhook edit ${hook.id} --on`])
    for (const command of commands) await lost.json(command.split(' ').slice(1))
    expect(await examined()).toMatchObject({ ok: true })

    // The backup was made with the key that is lost.
    const restore = ['restore', '--from', backup, '--force']
    expectRefusal(await lost.run(restore), 1, 'not the one')
    const restored = await lost.run([...restore, '--forget-secrets'])
    expect(restored.stdout).toContain(`waypost webhook rotate ${hook.id}`)
    expect(await lost.json<Identified>(again)).toMatchObject({ id: channelId })
  } finally {
    lost.remove()
  }
})

test('with a wrong SECRET_KEY it says the same, and an empty key file is not taken for a lost key', async () => {
  const lost = new Deployment()
  try {
    await connected(lost)
    const forget = ['secrets', 'forget']
    const env = { SECRET_KEY: 'another-key-of-enough-length' }
    const doctor = await lost.run(['doctor', '--offline', '--json'], { env })
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('waypost secrets forget') })
    writeFileSync(join(lost.dataDir, 'secret.key'), '')
    expectRefusal(await lost.run([...forget, '--force']), 1, 'remove the file, and: waypost secrets forget')
    expect(await lost.json([...forget, '--force'], { env })).toEqual({ channels: 1, webhooks: [] })
  } finally {
    lost.remove()
  }
})

test('secrets come from options, files or standard input, and are never shown again', async () => {
  const connect = await newConnect()
  const [, , , workspaceId] = connect()
  const tokenFile = deployment.path('token')
  writeFileSync(tokenFile, 'first-access-token\n')
  const args = connect('--access-token-file', tokenFile, '--app-secret-file', '-')
  const first = await deployment.json<Connected>(args, { stdin: 'first-app-secret\n' })
  expect(first).toEqual({
    id: expect.stringMatching(/^chan_/),
    workspaceId,
    accountId: SANDBOX.accountId,
    appId: null,
    callbackPath: `/callbacks/channel/${first.id}`,
    verifyToken: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
    hasAppSecret: true,
    numbers: null,
    createdAt: timestamp,
    updatedAt: timestamp,
  } as unknown as Connected)

  // Connecting again replaces the secrets, keeps the id, and leaves a verify token alone that nobody names.
  const second = await deployment.json<Connected>(connect('--access-token', 'second', '--app-secret', 'second-app'))
  expect(second).toMatchObject({ id: first.id, verifyToken: first.verifyToken })
  const third = await deployment.json<Connected>(
    connect('--access-token', 'third', '--app-secret', 'third-app', '--verify-token-file', '-'),
    { stdin: 'my-verify-token' },
  )
  expect(third).toMatchObject({ id: first.id, verifyToken: 'my-verify-token' })

  const [all, ofWorkspace, text] = await Promise.all([
    deployment.json(['channel', 'list']),
    deployment.json(['channel', 'list', '--workspace', String(workspaceId)]),
    deployment.run(['channel', 'list']),
  ])
  const { verifyToken: _verifyToken, hasAppSecret: _hasAppSecret, numbers: _numbers, ...connected } = third
  const listed = { ...connected, updates: [] }
  expect(all).toContainEqual(listed)
  expect(ofWorkspace).toEqual([listed])
  expect(text.stdout).toContain(first.id)
  for (const shown of [JSON.stringify(all), text.stdout]) expect(shown).not.toMatch(/third|verify|sealed/i)

  const database = await Bun.file(deployment.databasePath).text()
  for (const secret of ['first-access-token', 'first-app-secret', 'third-app', 'my-verify-token']) {
    expect(database).not.toContain(secret)
  }
})

test('secrets that are missing, given twice or unusable are wrong use, and not repeated in the error', async () => {
  const connect = await newConnect()
  const rows: [args: string[], code: 1 | 2, says: string][] = [
    [connect('--app-secret', 's'), 2, '--access-token-file'],
    [connect('--access-token', 't', '--app-secret-file', '/dev/null'), 2, '--app-secret must be one word'],
    [connect('--access-token', 't', '--access-token-file', '-', '--app-secret', 's'), 2, 'not both'],
    [connect('--access-token-file', '-', '--app-secret-file', '-'), 2, 'Only one'],
    [connect('--access-token', 'hunter2 hunter2', '--app-secret', 's'), 2, '--access-token must be one word'],
    [connect('--access-token-file', '-', '--app-secret', 's'), 2, '--access-token must be one word'],
    [connect('--access-token-file', '/does/not/exist', '--app-secret', 's'), 1, '/does/not/exist'],
  ]
  const ended = await Promise.all(rows.map(([args]) => deployment.run([...args, '--json'])))
  for (const [at, [, code, says]] of rows.entries()) {
    expectRefusal(ended[at], code, says)
    expect(ended[at]?.stderr).not.toContain('hunter2')
  }
})

test("a database that was written with another key is refused before anything is stored with this one's", async () => {
  const connect = await newConnect()
  await deployment.json(connect('--access-token', 'x', '--app-secret', 'y'))
  const ended = await deployment.run(connect('--access-token', 'x', '--app-secret', 'y', '--json'), {
    env: { SECRET_KEY: 'another-key-of-enough-characters' },
  })
  expectRefusal(ended, 1, 'secret key')
})

test('subscribe points the account to this gateway, and says why when it cannot', async () => {
  const connect = await newConnect()
  const credentials = ['--access-token', SANDBOX.accessToken, '--app-secret', SANDBOX.appSecret]
  const { id, verifyToken } = await deployment.json<Connected>(connect(...credentials))
  // The same account, of another workspace: it has one address for callbacks.
  const elsewhere = await newConnect()
  await deployment.json(elsewhere(...credentials))
  const sandbox = await startSandbox()
  const asked: string[] = []
  const gateway = Bun.serve({
    port: 0,
    fetch(request) {
      const url = new URL(request.url)
      asked.push(url.pathname)
      const isRight = url.searchParams.get('hub.verify_token') === verifyToken
      return new Response(isRight ? url.searchParams.get('hub.challenge') : 'no', { status: isRight ? 200 : 403 })
    },
  })
  try {
    const publicUrl = `http://127.0.0.1:${gateway.port}`
    const env = { CHANNEL_API_URL: sandbox.url }
    const subscribe = ['channel', 'subscribe', id]
    const [unset, unreachable, done] = await Promise.all([
      deployment.run([...subscribe, '--json'], { env }),
      deployment.run([...subscribe, '--json'], { env: { ...env, PUBLIC_URL: 'http://127.0.0.1:1' } }),
      deployment.json(subscribe, { env: { ...env, PUBLIC_URL: `${publicUrl}/` } }),
    ])
    expectRefusal(unset, 1, 'Set PUBLIC_URL')
    const long = { ...env, PUBLIC_URL: `https://gateway.example.com/${'x'.repeat(200)}` }
    expectRefusal(await deployment.run(subscribe, { env: long }), 1, 'at most 200 characters')
    expectRefusal(unreachable, 1, 'http://127.0.0.1:1')
    expect(done).toMatchObject({ id, callbackUrl: `${publicUrl}/callbacks/channel/${id}`, subscribed: true })
    const connected = await deployment.json<Identified[]>(['channel', 'list'])
    const others = connected.map(channel => channel.id).filter(other => other !== id)
    expect(others.length).toBeGreaterThan(0)
    expect(done).toMatchObject({ cutOff: others })
    const { stdout } = await deployment.run(subscribe, { env: { ...env, PUBLIC_URL: publicUrl } })
    for (const other of others) expect(stdout).toContain(other)
    expect(new Set(asked)).toEqual(new Set([`/callbacks/channel/${id}`]))
    expect(unreachable.stderr).not.toContain(SANDBOX.accessToken)
  } finally {
    await gateway.stop(true)
    await sandbox.stop()
  }
})
