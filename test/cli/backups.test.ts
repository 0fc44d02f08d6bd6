import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase } from '../../db/sqlite/backup.ts'
import { noBackups, statusProperty } from '../../src/backup/status.ts'
import { moment, systemClock } from '../../src/base/clock.ts'
import { hourMs } from '../../src/base/durations.ts'
import { ObjectStore } from '../backup/objectStore.ts'
import { DeadStore } from '../bucket/deadStore.ts'
import { Deployment, expectRefusal, type Identified } from './waypost.ts'

const secret = 'a-secret-that-nobody-may-see-0123456789'
const account = { bucket: 'acme', region: 'eu-central-1', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: secret }
const name = 'waypost-20260131T040000Z.db'

let deployment: Deployment
let bucket: ObjectStore
let env: Record<string, string>
beforeEach(() => {
  deployment = new Deployment()
  bucket = new ObjectStore(account)
  env = {
    BACKUP_DIR: deployment.path('backups'),
    BACKUP_S3_ENDPOINT: bucket.url,
    BACKUP_S3_BUCKET: 'acme/one',
    BACKUP_S3_REGION: account.region,
    BACKUP_S3_ACCESS_KEY_ID: account.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secret,
  }
})
afterEach(async () => {
  deployment.remove()
  await bucket.stop()
})

/** A database with one workspace, and its backup in the folder and in the bucket. */
async function backedUp(): Promise<{ id: string; file: string }> {
  const { id } = await deployment.json<Identified>(['workspace', 'create', '--name', 'Before'])
  const file = join(deployment.path('backups'), name)
  mkdirSync(deployment.path('backups'))
  copyDatabase(deployment.databasePath, file)
  bucket.objects.set(`one/${name}`, await Bun.file(file).bytes())
  return { id, file }
}

describe('backups', () => {
  test('lists the folder and the bucket, newest first, each as restore takes it', async () => {
    const { file } = await backedUp()
    bucket.objects.set('one/waypost-20260201T040000Z.db', new Uint8Array(1))
    expect(await deployment.json(['backups'], { env })).toEqual([
      { at: Date.UTC(2026, 1, 1, 4), from: 's3://acme/one/waypost-20260201T040000Z.db' },
      { at: Date.UTC(2026, 0, 31, 4), from: file },
      { at: Date.UTC(2026, 0, 31, 4), from: `s3://acme/one/${name}` },
    ])
  })

  test('in a terminal with colours, the command that it prints is text alone', async () => {
    const { file } = await backedUp()
    const { stdout } = await deployment.run(['backups'], {
      env: { ...env, FORCE_COLOR: '1', NO_COLOR: '' },
      asProcess: true,
    })
    // A path with a space is quoted.
    expect(stdout.replaceAll("'", '')).toContain(`  waypost restore --from ${file} --force\n`)
  })

  test('the command that it prints works as it is pasted, whatever the folder is called', async () => {
    const { id } = await backedUp()
    const folder = deployment.path("ada's backups")
    renameSync(deployment.path('backups'), folder)
    await deployment.json(['workspace', 'create', '--name', 'After'])
    const { stdout } = await deployment.run(['backups'], { env: { BACKUP_DIR: folder } })
    const [, restore = ''] = /waypost (restore .*)$/m.exec(stdout) ?? []
    // As a shell takes it apart.
    const split = Bun.spawnSync(['sh', '-c', `printf '%s\\n' ${restore}`])
    const words = split.stdout.toString().trimEnd().split('\n')
    expect((await deployment.run(words)).stderr).toBe('')
    expect(await deployment.json<Identified[]>(['workspace', 'list'])).toMatchObject([{ id }])
  })

  test('of a bucket that accepts and never answers says so once it is given up, below those of the folder', async () => {
    const { file } = await backedUp()
    const dead = await DeadStore.open()
    try {
      const ended = await deployment.run(['backups', '--json'], { env: { ...env, BACKUP_S3_ENDPOINT: dead.url } })
      expect(ended.code).toBe(1)
      expect(JSON.parse(ended.stdout)).toEqual([{ at: Date.UTC(2026, 0, 31, 4), from: file }])
      expect(ended.stderr).toContain('The bucket s3://acme/one/ cannot be listed: no answer')
      expect(dead.asked).toBe(1)
    } finally {
      dead.stop()
    }
  })

  test('says so where none are made', async () => {
    expectRefusal(await deployment.run(['backups', '--json']), 1, 'BACKUP_DIR is not set')
  })
})

describe('restore from a bucket', () => {
  const restore = ['restore', '--from', `s3://acme/one/${name}`, '--force']

  test('brings back what was there, and leaves no download behind', async () => {
    const { id } = await backedUp()
    await deployment.json(['workspace', 'create', '--name', 'After'])
    const restored = await deployment.json(restore, { env })
    expect(restored).toMatchObject({ database: deployment.databasePath, restoredFrom: `s3://acme/one/${name}` })
    expect(await deployment.json<Identified[]>(['workspace', 'list'])).toMatchObject([{ id }])
    expect(readdirSync(deployment.dataDir).filter(file => file.includes('download'))).toEqual([])
  })

  test('on an empty machine makes the folder, and a file that cannot be written is not blamed on the bucket', async () => {
    const { id } = await backedUp()
    rmSync(deployment.dataDir, { recursive: true })
    const there = deployment.path('there')
    mkdirSync(there)
    writeFileSync(join(there, 'file'), '')
    const blocked = await deployment.run([...restore, '--json'], {
      env: { ...env, DATA_DIR: join(there, 'file/data') },
    })
    expectRefusal(blocked, 1, `The file ${there}/file/data/waypost.db.downloading cannot be written`)
    expect(blocked.stderr).not.toContain('The object')

    // Where the object is not there, nothing is made.
    expectRefusal(await deployment.run(['restore', '--from', 's3://acme/one/other.db'], { env }), 1, 'cannot be read')
    expect(existsSync(deployment.dataDir)).toBe(false)
    await deployment.json(restore, { env })
    expect(await deployment.json<Identified[]>(['workspace', 'list'])).toMatchObject([{ id }])
    expect(statSync(deployment.dataDir).mode & 0o777).toBe(0o700)
  })

  test('of an address that names no backup is refused before the bucket is asked', async () => {
    for (const from of ['s3://acme', 's3://acme/', 's3://acme/one/']) {
      const named = ['restore', '--from', from, '--force', '--json']
      expectRefusal(await deployment.run(named, { env }), 2, `${from} names no backup: waypost backups lists`)
    }
  })

  test('of what is not there, or with a wrong secret, changes nothing and shows no secret', async () => {
    const { id } = await backedUp()
    const missing = await deployment.run(['restore', '--from', 's3://acme/one/other.db', '--force', '--json'], { env })
    expectRefusal(missing, 1, 'The object s3://acme/one/other.db cannot be read')
    const refused = await deployment.run([...restore, '--json'], {
      env: { ...env, BACKUP_S3_SECRET_ACCESS_KEY: `${secret}-wrong` },
    })
    expectRefusal(refused, 1, 'SignatureDoesNotMatch')
    expect(missing.stderr + refused.stderr + refused.stdout).not.toContain(secret)
    expect(await deployment.json<Identified[]>(['workspace', 'list'])).toMatchObject([{ id }])
    expect(readdirSync(deployment.dataDir).filter(file => file.includes('download'))).toEqual([])
  })

  test('needs the settings of the bucket', async () => {
    expectRefusal(await deployment.run([...restore, '--json']), 1, 'BACKUP_S3_')
  })
})

describe('doctor', () => {
  interface Diagnosis {
    readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[]
  }

  /** What the doctor says of backups of which the gateway has noted this. */
  async function examine(status: object | null, every = '1d') {
    await deployment.withStore(async store => {
      const value = JSON.stringify({ ...noBackups, ...status })
      if (status !== null) await store.write.putProperty({ name: statusProperty, value })
    })
    const ended = await deployment.run(['doctor', '--offline', '--json'], { env: { ...env, BACKUP_EVERY: every } })
    return (JSON.parse(ended.stdout) as Diagnosis).checks.find(check => check.name === 'backups')
  }

  const now = systemClock.now()
  const made = (agoMs: number) => ({ at: now - agoMs, file: '/backups/one.db', bytes: 9, messages: 1_234, seconds: 1 })

  test('finds that there are none without BACKUP_DIR, unless Litestream copies the database', async () => {
    env = {}
    expect(await examine(null)).toMatchObject({ ok: false, message: expect.stringContaining('set BACKUP_DIR') })
    mkdirSync(join(deployment.dataDir, '.waypost.db-litestream'))
    expect(await examine(null)).toMatchObject({ ok: true, message: expect.stringContaining('Litestream') })
  })

  test('names the last one, with its messages', async () => {
    expect(await examine(null)).toMatchObject({ ok: true, message: expect.stringContaining('none yet') })
    const fine = await examine({ lastBackup: made(20 * hourMs) })
    expect(fine).toMatchObject({ ok: true, message: expect.stringContaining('with 1,234 messages: /backups/one.db') })
  })

  test('finds one that is overdue', async () => {
    expect(await examine({ lastBackup: made(8 * hourMs) }, '6h')).toMatchObject({
      ok: false,
      message: expect.stringContaining('overdue'),
    })
  })

  test('finds a failure, and since when', async () => {
    const makeFailure = { since: now - 5 * hourMs, at: now - hourMs, reason: 'the disk is full' }
    const failed = await examine({ lastBackup: made(6 * hourMs), makeFailure })
    const since = moment(makeFailure.since)
    expect(failed).toMatchObject({
      ok: false,
      message: expect.stringContaining(`since ${since} (UTC): the disk is full`),
    })
    expect(await examine({ lastBackup: made(hourMs) })).toMatchObject({ ok: true })
  })

  test('speaks of the last file: one before it that was uploaded does not make it so', async () => {
    const lastUpload = { at: now - 20 * hourMs, name: 'zero.db', url: 's3://acme/one/zero.db' }
    const notYet = await examine({ lastBackup: made(hourMs), lastUpload })
    expect(notYet).toMatchObject({ ok: true, message: expect.stringMatching(/one\.db, not in the bucket yet$/) })
    const uploadFailure = { since: now - 5 * hourMs, at: now - hourMs, reason: 'no answer within 8000 ms' }
    expect(await examine({ lastBackup: made(hourMs), lastUpload, uploadFailure })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/is not in the bucket: uploads fail since .*: no answer within 8000 ms/),
    })
    const uploaded = await examine({ lastBackup: made(hourMs), lastUpload: { ...lastUpload, name: 'one.db' } })
    expect(uploaded?.message).toEndWith(`one.db, in the bucket since ${moment(lastUpload.at)}`)
    const old = { ...lastUpload, name: 'waypost-20260131T040000Z.db' }
    expect(await examine({ lastBackup: made(hourMs), lastUpload: old })).toMatchObject({
      ok: false,
      message: expect.stringContaining('waypost-20260131T040000Z.db is the last one in the bucket'),
    })
  })
})
