import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspectDatabase } from '../../../db/sqlite/backup.ts'
import { ObjectStore } from '../../backup/objectStore.ts'
import { eventually } from '../../eventually.ts'
import { binary, ensureBuilt } from '../../executable.ts'
import { freshFixture } from '../../fixture.ts'
import { canMount, mountSmallDisk } from '../../smallDisk.ts'
import { Installation } from '../disk/installation.ts'
import type { Serving } from '../rig/serving.ts'

const secret = 'a-secret-that-nobody-may-see-0123456789'
const account = { bucket: 'acme', region: 'eu-central-1', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: secret }

const installation = freshFixture(() => Installation.make())
let dir: string
let serving: Serving | undefined
beforeAll(ensureBuilt)
beforeEach(() => {
  dir = installation.path('backups')
})

async function start(env: Readonly<Record<string, string>>): Promise<string> {
  const started = await installation.run({ program: [binary, 'serve'], env: { BACKUP_DIR: dir, ...env } })
  serving = started.serving
  return started.url
}

const send = async (url: string, key: string) => (await installation.send(url, key)).status

/** The lines of its log about backups. */
const said = () => (serving?.stderr() ?? '').split('\n').filter(line => line.includes('backup'))

describe('the executable', () => {
  test('makes a backup at its start, checks it, uploads it, and shows its secret nowhere', async () => {
    const bucket = new ObjectStore(account)
    try {
      await start({
        BACKUP_S3_ENDPOINT: bucket.url,
        BACKUP_S3_BUCKET: 'acme',
        BACKUP_S3_REGION: account.region,
        BACKUP_S3_ACCESS_KEY_ID: account.accessKeyId,
        BACKUP_S3_SECRET_ACCESS_KEY: secret,
      })
      await eventually(() => expect(bucket.objects.size).toBe(1))
      const [name = ''] = readdirSync(dir)
      expect([...bucket.objects.keys()]).toEqual([name])
      expect(inspectDatabase(join(dir, name), 'full')).toMatchObject({ damage: null, obstacle: null, mismatch: null })
      await eventually(() => expect(said().join('\n')).toMatch(/made a backup[\s\S]*uploaded a backup/))
      expect(serving?.stderr()).not.toContain(secret)
    } finally {
      await bucket.stop()
    }
  })

  test('that cannot make a backup says so at once, and sends go on', async () => {
    writeFileSync(dir, 'a file where the folder should be')
    const url = await start({})
    await eventually(() => expect(said().join('\n')).toContain('the backup could not be made'))
    expect(await send(url, 'one')).toBe(201)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  test.skipIf(!canMount)('on a full disk for backups, sends go on and not a byte is left there', async () => {
    const disk = mountSmallDisk(1024)
    try {
      disk.fill(0)
      const url = await start({ BACKUP_DIR: join(disk.folder, 'backups') })
      await eventually(() => expect(said().join('\n')).toContain('the backup could not be made'))
      expect(await send(url, 'one')).toBe(201)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      const left = join(disk.folder, 'backups')
      expect(existsSync(left) ? readdirSync(left) : []).toEqual([])
    } finally {
      disk.remove()
    }
  })

  test('that is stopped while it makes a backup ends with 0, and the next start removes what is half written', async () => {
    mkdirSync(dir)
    writeFileSync(join(dir, 'waypost-20260131T040000Z.db.partial'), 'half')
    await start({})
    expect(await serving?.end('SIGTERM')).toBe(0)
    await start({})
    await eventually(() => {
      const files = readdirSync(dir)
      expect(files.filter(name => name.endsWith('.partial'))).toEqual([])
      expect(files.length).toBeGreaterThan(0)
    })
  })
})
