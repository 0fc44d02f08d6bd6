import { beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { statusProperty, uploadedAt } from '../../src/backup/status.ts'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import type { Environment } from '../../src/config/config.ts'
import { DeadStore } from '../bucket/deadStore.ts'
import { freshFixture } from '../fixture.ts'
import { BackupScene } from './installation.ts'
import { ObjectStore, refusal } from './objectStore.ts'

const secret = 'a-secret-that-nobody-may-see-0123456789'
const account = { bucket: 'acme', region: 'eu-central-1', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: secret }
const first = 'waypost-20260131T040000Z.db'

const scene = freshFixture(() => BackupScene.make())
const bucket = freshFixture(() => new ObjectStore(account))
let settings: Environment
beforeEach(() => {
  settings = {
    BACKUP_EVERY: '1h',
    BACKUP_S3_ENDPOINT: bucket.url,
    BACKUP_S3_BUCKET: 'acme/gateway one',
    BACKUP_S3_REGION: account.region,
    BACKUP_S3_ACCESS_KEY_ID: account.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secret,
  }
})

const keys = () => [...bucket.objects.keys()].sort()

describe('a backup in a bucket', () => {
  test('is the file of the folder, byte for byte, under the same name', async () => {
    const backups = await scene.open(settings)
    await scene.runAll(backups)
    expect(keys()).toEqual([`gateway one/${first}`])
    expect(Buffer.from(bucket.objects.get(`gateway one/${first}`) ?? [])).toEqual(readFileSync(join(scene.dir, first)))
    const at = scene.clock.now()
    expect(backups.status.lastUpload).toEqual({ name: first, url: `s3://acme/gateway one/${first}`, at })
  })

  test('a large one goes in parts, and is whole', async () => {
    // Larger than two parts, and not a whole number of them.
    const bytes = new Uint8Array(33 * 1_048_576 + 17).map((_, at) => at % 251)
    mkdirSync(scene.dir)
    writeFileSync(join(scene.dir, first), bytes)
    await scene.runAll(await scene.open(settings))
    expect(bucket.requests.filter(request => request.includes('partNumber'))).toHaveLength(3)
    expect(Bun.hash(bucket.objects.get(`gateway one/${first}`) ?? '')).toBe(Bun.hash(bytes))
    expect(bucket.openUploads.size).toBe(0)
  })

  test('BACKUP_KEEP of them stay there too, over all pages of the listing; other objects are not touched', async () => {
    for (const key of [
      'gateway one/notes.txt',
      'gateway one/a/waypost-20200101T000000Z.db',
      'waypost-20200101T000000Z.db',
    ]) {
      bucket.objects.set(key, new Uint8Array(1))
    }
    const others = keys()
    const backups = await scene.open({ ...settings, BACKUP_KEEP: '3' })
    for (let hour = 0; hour < 6; hour += 1) {
      await scene.runAll(backups)
      scene.clock.advance(hourMs)
    }
    const kept = ['07', '08', '09'].map(hour => `gateway one/waypost-20260131T${hour}0000Z.db`)
    expect(keys()).toEqual([...others, ...kept].sort())
  })

  test('is the one that was made last, whatever other files say of their dates', async () => {
    mkdirSync(scene.dir)
    for (const name of ['waypost-20990101T000000Z.db', 'waypost-20990102T000000Z.db']) {
      writeFileSync(join(scene.dir, name), 'x')
      bucket.objects.set(`gateway one/${name}`, new Uint8Array(1))
    }
    await scene.runAll(await scene.open({ ...settings, BACKUP_KEEP: '2' }))
    expect(keys()).toEqual([`gateway one/${first}`, 'gateway one/waypost-20990102T000000Z.db'])
  })

  test('the secret may come from a file, and a restart does not upload again', async () => {
    const file = scene.folder.file.replace('waypost.db', 's3.secret')
    writeFileSync(file, `${secret}\n`)
    const fromFile = { ...settings, BACKUP_S3_SECRET_ACCESS_KEY: '', BACKUP_S3_SECRET_ACCESS_KEY_FILE: file }
    await scene.runAll(await scene.open(fromFile))
    expect(keys()).toEqual([`gateway one/${first}`])
    const asked = bucket.requests.length
    await scene.runAll(await scene.open(fromFile))
    expect(bucket.requests).toHaveLength(asked)
  })
})

describe('a bucket that cannot be used', () => {
  const failures: readonly [name: string, change: Environment, says: RegExp][] = [
    ['another secret', { BACKUP_S3_SECRET_ACCESS_KEY: 'wrong' }, /SignatureDoesNotMatch/],
    ['another region', { BACKUP_S3_REGION: 'eu-west-1' }, /SignatureDoesNotMatch/],
    ['no such bucket', { BACKUP_S3_BUCKET: 'nobody' }, /NoSuchBucket/],
    ['nobody there', { BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1' }, /ECONNREFUSED.*127\.0\.0\.1:1/],
    [
      'no file of the secret',
      { BACKUP_S3_SECRET_ACCESS_KEY: '', BACKUP_S3_SECRET_ACCESS_KEY_FILE: '/nonexistent' },
      /BACKUP_S3_SECRET_ACCESS_KEY_FILE cannot be read/,
    ],
  ]
  test.each(failures)(
    '%s: the backup in the folder is made, and the reason is said without a secret',
    async (...row) => {
      const [, change, says] = row
      const backups = await scene.open({ ...settings, ...change })
      await scene.runAll(backups)
      expect(scene.files()).toEqual([first])
      expect(backups.status.lastBackup).not.toBeNull()
      expect(backups.status.uploadFailure).toMatchObject({ reason: expect.stringMatching(says) })
      expect(await scene.store.read.property(statusProperty)).not.toContain(secret)
    },
  )

  test('the same backup is uploaded 15 minutes later, and none is made for that', async () => {
    const backups = await scene.open({ ...settings, BACKUP_EVERY: '1d', BACKUP_KEEP: '1' })
    bucket.fault = () => refusal(503, 'SlowDown')
    await scene.runAll(backups)
    bucket.fault = () => undefined
    scene.clock.advance(14 * minuteMs)
    await scene.runAll(backups)
    expect(keys()).toEqual([])
    scene.clock.advance(minuteMs)
    await scene.runAll(backups)
    expect(keys()).toEqual([`gateway one/${first}`])
    expect(scene.files()).toEqual([first])
  })

  test('one that stores less than it was given is found out, and nothing older is removed for it', async () => {
    const old = 'gateway one/waypost-20260130T040000Z.db'
    bucket.objects.set(old, new Uint8Array(1))
    bucket.fault = request =>
      request.method === 'HEAD' ? new Response(null, { headers: { 'content-length': '7', etag: '"x"' } }) : undefined
    const backups = await scene.open({ ...settings, BACKUP_KEEP: '1' })
    await scene.runAll(backups)
    expect(backups.status.uploadFailure?.reason).toMatch(/has 7 bytes of \d+/)
    expect(keys()).toContain(old)
  })
})

describe('a bucket that accepts and never answers', () => {
  test('keeps no backup from being made and rotated: the upload is a matter of its own', async () => {
    const dead = await DeadStore.open()
    try {
      const backups = await scene.open({ ...settings, BACKUP_S3_ENDPOINT: dead.url, BACKUP_KEEP: '2' })
      await backups.run()
      await dead.until(({ asked }) => asked === 1)
      for (let hour = 0; hour < 3; hour += 1) {
        scene.clock.advance(hourMs)
        await backups.run()
      }
      expect(scene.files()).toEqual(['waypost-20260131T060000Z.db', 'waypost-20260131T070000Z.db'])
      expect(backups.status).toMatchObject({
        lastUpload: null,
        makeFailure: null,
        lastBackup: { at: scene.clock.now() },
      })
      // The same upload: none accumulate.
      expect(dead.open).toBe(1)
      await backups.stop()
      await backups.uploading
      await dead.until(({ open }) => open === 0)
    } finally {
      dead.stop()
    }
  })
})

test('what became of uploads is told by the last file, and since when they fail', async () => {
  const backups = await scene.open(settings)
  await scene.runAll(backups)
  bucket.fault = () => refusal(503, 'SlowDown')
  const failedAt = scene.clock.now() + hourMs
  for (let time = 0; time < 2; time += 1) {
    scene.clock.advance(hourMs)
    await scene.runAll(backups)
  }
  expect(uploadedAt(backups.status)).toBeNull()
  expect(backups.status.uploadFailure).toMatchObject({ since: failedAt, at: failedAt + hourMs })
  expect(backups.due).toEqual({ make: scene.clock.now() + hourMs, upload: failedAt })
  bucket.fault = () => undefined
  scene.clock.advance(15 * minuteMs)
  await scene.runAll(backups)
  expect([uploadedAt(backups.status), backups.status.uploadFailure]).toEqual([scene.clock.now(), null])
})

test('without a bucket any more, nothing of former uploads is told', async () => {
  bucket.fault = () => refusal(503, 'SlowDown')
  const backups = await scene.open(settings)
  await scene.runAll(backups)
  expect(backups.status.uploadFailure).not.toBeNull()
  expect((await scene.open()).status.uploadFailure).toBeNull()
})
