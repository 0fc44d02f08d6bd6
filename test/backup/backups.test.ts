import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { noBackups, statusProperty } from '../../src/backup/status.ts'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import { freshFixture } from '../fixture.ts'
import { canMount, mountSmallDisk } from '../smallDisk.ts'
import { BackupScene, workspacesIn } from './installation.ts'

const scene = freshFixture(() => BackupScene.make())

const first = 'waypost-20260131T040000Z.db'

describe('when', () => {
  test('without BACKUP_DIR nothing is ever made', async () => {
    const backups = await scene.open({ BACKUP_DIR: '' })
    await backups.run()
    expect(backups.status).toEqual(noBackups)
    expect(scene.files()).toEqual([])
  })

  test('of an interval the first is made at once, and the next when the newest is as old as that', async () => {
    const backups = await scene.open({ BACKUP_EVERY: '6h' })
    await backups.run()
    expect(scene.files()).toEqual([first])
    scene.clock.advance(6 * hourMs - minuteMs)
    await backups.run()
    expect(scene.files()).toEqual([first])
    scene.clock.advance(minuteMs)
    await backups.run()
    expect(scene.files()).toEqual([first, 'waypost-20260131T100000Z.db'])
  })

  test('a restart begins no new interval', async () => {
    await (await scene.open({ BACKUP_EVERY: '6h' })).run()
    scene.clock.advance(5 * hourMs)
    const restarted = await scene.open({ BACKUP_EVERY: '6h' })
    await restarted.run()
    expect(scene.files()).toEqual([first])
    scene.clock.advance(hourMs)
    await restarted.run()
    expect(scene.files()).toHaveLength(2)
  })

  test('of a pattern the first is made at its time, and one that was missed at the next start', async () => {
    const backups = await scene.open({ BACKUP_EVERY: '30 4 * * *' })
    await backups.run()
    expect(scene.files()).toEqual([])
    scene.clock.advance(30 * minuteMs)
    await backups.run()
    expect(scene.files()).toEqual(['waypost-20260131T043000Z.db'])
    scene.clock.advance(26 * hourMs)
    await (await scene.open({ BACKUP_EVERY: '30 4 * * *' })).run()
    expect(scene.files()).toEqual(['waypost-20260131T043000Z.db', 'waypost-20260201T063000Z.db'])
  })

  test('backups that are dated in the future, after a clock was set back, do not end all others', async () => {
    mkdirSync(scene.dir)
    const future = 'waypost-20990101T000000Z.db'
    writeFileSync(join(scene.dir, future), '')
    const backups = await scene.open({ BACKUP_EVERY: '6h', BACKUP_KEEP: '1' })
    await backups.run()
    expect(scene.files()).toEqual([first])
    // Nor do they make one due each minute.
    writeFileSync(join(scene.dir, future), '')
    scene.clock.advance(minuteMs)
    await backups.run()
    expect(scene.files()).toEqual([first, future])
  })
})

describe('a backup', () => {
  test('holds what the database holds, is for its owner alone, and is reported with its size and messages', async () => {
    const backups = await scene.open()
    await backups.run()
    const file = join(scene.dir, first)
    expect(workspacesIn(file)).toEqual(['Acme'])
    expect([statSync(file).mode & 0o777, statSync(scene.dir).mode & 0o777]).toEqual([0o600, 0o700])
    expect(backups.status.lastBackup).toMatchObject({
      at: scene.clock.now(),
      file,
      bytes: statSync(file).size,
      messages: 0,
    })
  })

  test('leaves nothing beside it: no log, no half file, also none that a crash has left', async () => {
    mkdirSync(scene.dir)
    writeFileSync(join(scene.dir, 'waypost-20260130T040000Z.db.partial'), 'half')
    writeFileSync(join(scene.dir, 'notes.txt'), 'of the operator')
    await (await scene.open()).run()
    expect(scene.files()).toEqual(['notes.txt', first])
  })

  test('BACKUP_KEEP of them stay, the newest; other files are not touched', async () => {
    const backups = await scene.open({ BACKUP_EVERY: '1h', BACKUP_KEEP: '2' })
    mkdirSync(scene.dir)
    const others = ['waypost.db', 'waypost-20200101T000000Z.db.old', 'my-waypost-20200101T000000Z.db']
    for (const name of others) writeFileSync(join(scene.dir, name), '')
    for (let hour = 0; hour < 4; hour += 1) {
      await backups.run()
      scene.clock.advance(hourMs)
    }
    const kept = ['waypost-20260131T060000Z.db', 'waypost-20260131T070000Z.db']
    expect(scene.files()).toEqual([...others, ...kept].sort())
  })

  test('what became of it is known after a restart, and to other processes', async () => {
    const backups = await scene.open()
    await backups.run()
    expect((await scene.open()).status).toEqual(backups.status)
    expect(JSON.parse((await scene.store.read.property(statusProperty)) ?? '')).toEqual(backups.status)
  })
})

test('without BACKUP_DIR nothing of former backups is told: nobody could end the alert', async () => {
  await (await scene.open()).run()
  expect((await scene.open({ BACKUP_DIR: '' })).status).toEqual(noBackups)
})

describe('a failure', () => {
  test('keeps every older backup, says why, and is tried again after 15 minutes', async () => {
    const backups = await scene.open({ BACKUP_EVERY: '6h', BACKUP_KEEP: '1' })
    await backups.run()
    const older = readFileSync(join(scene.dir, first))
    scene.clock.advance(6 * hourMs)
    // A folder has the name that the copy would get.
    const blocked = join(scene.dir, 'waypost-20260131T100000Z.db')
    mkdirSync(blocked)
    writeFileSync(join(blocked, 'file'), '')
    await backups.run()
    expect(backups.status.makeFailure).toMatchObject({ since: scene.clock.now(), at: scene.clock.now() })
    expect(backups.status.makeFailure?.reason).not.toBe('')
    rmSync(blocked, { recursive: true })
    expect(scene.files()).toEqual([first])
    expect(readFileSync(join(scene.dir, first))).toEqual(older)

    scene.clock.advance(14 * minuteMs)
    await backups.run()
    expect(scene.files()).toEqual([first])
    scene.clock.advance(minuteMs)
    await backups.run()
    expect(scene.files()).toEqual(['waypost-20260131T101500Z.db'])
  })

  test.skipIf(process.getuid?.() === 0)('a folder that may not be written is named', async () => {
    mkdirSync(scene.dir)
    chmodSync(scene.dir, 0o500)
    const backups = await scene.open()
    await backups.run()
    expect(backups.status.makeFailure?.reason).toContain(scene.dir)
  })

  test('a place that cannot be a folder is named', async () => {
    writeFileSync(scene.dir, 'a file')
    const backups = await scene.open()
    await backups.run()
    expect(backups.status.makeFailure?.reason).toContain(scene.dir)
  })

  test.skipIf(!canMount)(
    'a disk without room gets not one byte, and the sentence says how much is needed',
    async () => {
      const disk = mountSmallDisk(1024)
      try {
        const backups = await scene.open({ BACKUP_DIR: disk.folder })
        await backups.run()
        expect(backups.status.makeFailure?.reason).toMatch(/needs \d+ MiB, and 1 MiB are free in /)
        expect(existsSync(join(disk.folder, first))).toBe(false)
      } finally {
        disk.remove()
      }
    },
  )

  test('a stop ends a backup that is being made, and leaves the database as it was', async () => {
    const backups = await scene.open()
    const running = backups.run()
    await backups.stop()
    await running
    expect(backups.status.makeFailure).toBeNull()
    expect(await scene.store.read.workspaces()).toHaveLength(1)
  })
})
