import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lockDatabase } from '../../db/sqlite/lock.ts'
import { type ChannelSecret, Credentials, channelSecrets } from '../../src/base/credentials.ts'
import { loadConfig } from '../../src/config/config.ts'
import { rotateSecretKey } from '../../src/operations/keyRotation.ts'
import { openVault, unlockVault } from '../../src/operations/secretKey.ts'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { connected, Deployment, expectRefusal } from './waypost.ts'

let deployment: Deployment
let channelId: string
let keyFile: string
beforeEach(async () => {
  deployment = new Deployment()
  channelId = (await connected(deployment)).channelId
  keyFile = join(deployment.dataDir, 'secret.key')
})
afterEach(() => deployment.remove())

const read = (path: string) => readFileSync(path, 'utf8').trim()
const next = () => `${keyFile}.next`
const former = () => readdirSync(deployment.dataDir).filter(name => name.includes('.former-'))

/** All secrets of the channel, opened with the key that is found. */
const secretsOf = (env: Record<string, string> = {}) =>
  deployment.withStore(async store => {
    const credentials = new Credentials(await unlockVault(store, loadConfig({ DATA_DIR: deployment.dataDir, ...env })))
    const channel = await store.read.channel(channelId)
    if (!channel) throw new Error('no channel')
    const open = (secret: ChannelSecret) => [secret, credentials.open(channel, secret)] as const
    return Object.fromEntries(channelSecrets.map(open))
  })

const opens = (key: string) =>
  deployment.withStore(store =>
    openVault(store, key).then(
      () => true,
      () => false,
    ),
  )

test('rotate seals every secret with a new key, and keeps the old one for backups from before', async () => {
  const oldKey = read(keyFile)
  const before = await secretsOf()
  const rotated = await deployment.json<{ formerKeyFile: string }>(['secrets', 'rotate'])
  const [formerName = ''] = former()
  expect(rotated).toEqual({ channels: 1, keyFile, formerKeyFile: join(deployment.dataDir, formerName) } as never)
  const newKey = read(keyFile)
  expect(newKey).not.toBe(oldKey)
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  expect(read(rotated.formerKeyFile)).toBe(oldKey)
  expect(existsSync(next())).toBe(false)
  expect(await secretsOf()).toEqual(before)
  expect(before).toMatchObject({ accessToken: SANDBOX.accessToken, appSecret: SANDBOX.appSecret })
  expect([await opens(oldKey), await opens(newKey)]).toEqual([false, true])

  const again = await deployment.run(['secrets', 'rotate'])
  expect(again).toMatchObject({ code: 0, stderr: '' })
  expect(again.stdout).not.toContain(read(keyFile))
  expect(await secretsOf()).toEqual(before)
})

test('while a gateway runs, nothing is rotated', async () => {
  const oldKey = read(keyFile)
  const unlock = lockDatabase(deployment.databasePath)
  try {
    expectRefusal(await deployment.run(['secrets', 'rotate'], { asProcess: true }), 1, 'Another gateway is running')
  } finally {
    unlock()
  }
  expect(read(keyFile)).toBe(oldKey)
  expect([existsSync(next()), former()]).toEqual([false, []])
})

test('a gateway is looked for before the database is opened: the end of that look would take the locks of SQLite', async () => {
  const unlock = lockDatabase(deployment.databasePath)
  writeFileSync(deployment.databasePath, 'not a database')
  for (const command of ['secrets rotate', 'secrets forget', 'message settle-waiting']) {
    expectRefusal(await deployment.run(command.split(' '), { asProcess: true }), 1, 'Another gateway is running')
  }
  unlock()
})

test('with SECRET_KEY the new key comes from a file, and a person is told what to change', async () => {
  const env = { SECRET_KEY: read(keyFile) }
  const before = await secretsOf(env)
  expectRefusal(await deployment.run(['secrets', 'rotate'], { env }), 2, '--new-key-file')
  const rotate = ['secrets', 'rotate', '--new-key-file', '-']
  expectRefusal(await deployment.run(rotate, { env, stdin: 'short' }), 2, 'at least 16 characters')
  expectRefusal(await deployment.run(rotate, { env, stdin: `${env.SECRET_KEY}\n` }), 2, 'the one in SECRET_KEY')
  expect(await secretsOf(env)).toEqual(before)

  const newKey = 'a-new-key-of-enough-characters'
  const rotated = await deployment.run(rotate, { env, stdin: `${newKey}\n` })
  expect(rotated).toMatchObject({ code: 0, stderr: '' })
  expect(rotated.stdout).toContain('set SECRET_KEY to the new key')
  expect(rotated.stdout).not.toContain(newKey)
  expect(await opens(env.SECRET_KEY)).toBe(false)
  expect(await secretsOf({ SECRET_KEY: newKey })).toEqual(before)
  expect(existsSync(next())).toBe(false)
})

test.each(['written', 'sealed', 'replaced'])('killed once %s, the next command opens every secret', async step => {
  const oldKey = read(keyFile)
  const before = await secretsOf()
  const script = resolve(import.meta.dir, 'rotateAndDie.ts')
  const child = Bun.spawn([process.execPath, script, step], {
    env: { DATA_DIR: deployment.dataDir },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  // What the kill has left behind.
  expect(existsSync(next())).toBe(step !== 'replaced')
  expect(await opens(oldKey)).toBe(step === 'written')

  // A command of its own process finds its way, and from then on the key file is the right one.
  const setSecret = ['channel', 'set-app-secret', channelId, '--app-secret-file', '-']
  await deployment.json(setSecret, { stdin: 'another-app-secret', asProcess: true })
  expect(await opens(read(keyFile))).toBe(true)
  expect(await secretsOf()).toEqual({ ...before, appSecret: 'another-app-secret' })

  await deployment.json(['secrets', 'rotate'])
  expect(existsSync(next())).toBe(false)
  expect(await secretsOf()).toEqual({ ...before, appSecret: 'another-app-secret' })
})

test('a rotation that was cut off is not taken for a lost key', async () => {
  const before = await secretsOf()
  const script = resolve(import.meta.dir, 'rotateAndDie.ts')
  await Bun.spawn([process.execPath, script, 'sealed'], { env: { DATA_DIR: deployment.dataDir } }).exited
  expectRefusal(await deployment.run(['secrets', 'forget', '--force']), 1, 'there is no need')
  expect(await secretsOf()).toEqual(before)
})

test('a next key that opens nothing is passed over', async () => {
  const before = await secretsOf()
  writeFileSync(next(), 'a-key-that-opens-nothing\n', { mode: 0o600 })
  expect(await secretsOf()).toEqual(before)
  await deployment.json(['secrets', 'rotate'])
  expect(await secretsOf()).toEqual(before)
})

test('nothing is rotated when another command changes a secret while it is read', async () => {
  const oldKey = read(keyFile)
  const before = await secretsOf()
  await deployment.withStore(async store => {
    const config = loadConfig({ DATA_DIR: deployment.dataDir })
    const credentials = new Credentials(await unlockVault(store, config))
    const sealed = credentials.sealOne(channelId, 'appSecret', 'newer')
    const change = { channelId, secret: 'appSecret', sealed, at: 1 } as const
    // Between the reading and the sealing.
    const onStep = () => void store.write.replaceSecret(change)
    const rotation = rotateSecretKey({ store, config, newKey: null, at: 2, onStep })
    expect(await rotation.then(String, (error: Error) => error.message)).toContain('try again')
  })
  expect(read(keyFile)).toBe(oldKey)
  expect(existsSync(next())).toBe(false)
  expect(await secretsOf()).toEqual({ ...before, appSecret: 'newer' })
})
