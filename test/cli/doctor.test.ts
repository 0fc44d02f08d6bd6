import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '../../src/sandbox/server.ts'
import { canMount, mountSmallDisk, type SmallDisk } from '../disk/smallDisk.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { type CallOptions, connected, Deployment, expectRefusal } from './waypost.ts'

setDefaultTimeout(hungAfterMs)

let deployment: Deployment
beforeEach(() => {
  deployment = new Deployment()
})
afterEach(() => deployment.remove())

interface Diagnosis {
  readonly ok: boolean
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[]
}

/** A doctor that finds something still answers on stdout; only its exit code is another. */
async function examine(args: readonly string[] = [], options?: CallOptions) {
  const { code, stdout, stderr } = await deployment.run(['doctor', ...args, '--json'], options)
  const diagnosis = JSON.parse(stdout) as Diagnosis
  expect(code).toBe(diagnosis.ok ? 0 : 1)
  expect(stderr).toBe('')
  return { ...diagnosis, failed: diagnosis.checks.filter(({ ok }) => !ok) }
}

test('nothing is there yet: all is well, and looking makes nothing', async () => {
  const { ok, checks } = await examine()
  expect(ok).toBe(true)
  expect(checks.map(({ name }) => name)).toEqual([
    'bun',
    'settings',
    'data folder',
    'disk space',
    'key file',
    'database',
    'migrations',
  ])
  expect(existsSync(deployment.dataDir)).toBe(false)
})

test('a working deployment is examined down to its secrets, and online up to its account', async () => {
  await connected(deployment)
  const sandbox = await startSandbox()
  try {
    const online = await examine(['--online'], { env: { CHANNEL_API_URL: sandbox.url } })
    expect(online.ok).toBe(true)
    expect(online.checks.slice(-2)).toEqual([
      { name: 'secrets', ok: true, message: 'the key fits, and opens the secrets of 1 channel' },
      { name: 'upstream', ok: true, message: 'answered for 1 channel with active lines' },
    ])
  } finally {
    await sandbox.stop()
  }
  const unreachable = await examine(['--online'], { env: { CHANNEL_API_URL: 'http://127.0.0.1:1' } })
  expect(unreachable.failed.map(({ name }) => name)).toEqual(['upstream'])
})

test('each thing that is wrong is named, with what to do', async () => {
  await connected(deployment)
  const otherKey = await examine([], { env: { SECRET_KEY: 'some-other-key-of-enough-length' } })
  expect(otherKey.failed).toMatchObject([{ name: 'secrets', message: expect.stringContaining('Restore SECRET_KEY') }])

  const settings = await examine([], { env: { PORT: 'high' } })
  expect(settings.failed).toMatchObject([{ name: 'settings', message: expect.stringContaining('PORT must be') }])

  const keyFile = join(deployment.dataDir, 'secret.key')
  chmodSync(keyFile, 0o644)
  const open = await examine()
  expect(open.failed).toMatchObject([{ name: 'key file', message: expect.stringContaining(`chmod 600 ${keyFile}`) }])

  writeFileSync(deployment.databasePath, 'burnt '.repeat(1_000))
  const burnt = await examine()
  expect(burnt.failed.map(({ name }) => name)).toEqual(['key file', 'database', 'migrations'])
  const text = await deployment.run(['doctor'])
  expect(text).toMatchObject({ code: 1, stderr: '' })
  expect(text.stdout).toContain('✗ database')
  expect(text.stdout).toContain('✓ settings')
})

test('a key file that is lost is missed before the start misses it', async () => {
  await connected(deployment)
  const keyFile = join(deployment.dataDir, 'secret.key')
  renameSync(keyFile, deployment.path('lost'))
  const { failed } = await examine()
  const says = failed.map(({ name, message }) => `${name}: ${message}`).join()
  expect(says).toStartWith(`key file: There is no key file at ${keyFile}`)
  const start = await deployment.run(['serve'], { env: { PORT: '0', LOG_LEVEL: 'silent' } })
  expectRefusal(start, 1, says.slice('key file: '.length))
})

test('a database that cannot be looked at is not called damaged', async () => {
  const DATABASE_PATH = deployment.path('folder.db')
  mkdirSync(DATABASE_PATH)
  const { failed } = await examine([], { env: { DATABASE_PATH } })
  expect(failed.map(({ name }) => name)).toEqual(['database', 'migrations'])
  expect(failed[0]?.message).toContain('cannot be looked at')
  expect(failed[0]?.message).not.toMatch(/damaged|restore/)
})

describe.skipIf(!canMount)('a full disk', () => {
  let disk: SmallDisk
  beforeEach(() => {
    disk = mountSmallDisk()
  })
  afterEach(() => disk.remove())

  test('is reported beside all the rest', async () => {
    const env = { DATA_DIR: disk.folder, SECRET_KEY: 'any-key-of-enough-length' }
    await deployment.json(['workspace', 'create', '--name', 'Acme'], { env })
    disk.fill(process.pid)
    const { checks, failed } = await examine([], { env })
    expect(failed).toMatchObject([
      { name: 'disk space', message: expect.stringContaining('the file never shrinks') },
      { name: 'secrets', message: expect.stringMatching(/full/) },
    ])
    expect(checks.map(({ name }) => name)).toContain('migrations')
  })
})
