import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreWrites } from '../../db/contract/store.ts'
import { type LastUpgrade, upgradeName } from '../../db/migrations.ts'
import { watchFiles } from '../../db/sqlite/fileWatch.ts'
import { dayMs } from '../../src/base/durations.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import type { Remark } from '../../src/doctor/remarks.ts'
import { createReadiness } from '../../src/http/readiness.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'

const plenty = 1_000_000_000
const allOk = { writer: 'ok', senders: 'ok', disk: 'ok', database: 'ok' }

describe('what a send needs', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-ready-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  let files = 0
  function start(fields: { write?: () => Promise<void>; free?: number; senders?: boolean[] } = {}) {
    files += 1
    const databasePath = join(folder, `${files}.db`)
    writeFileSync(databasePath, '')
    const clock = new ManualClock()
    const write: Pick<StoreWrites, 'countRequests'> = { countRequests: fields.write ?? (async () => {}) }
    const check = createReadiness({
      file: { path: databasePath, findLost: watchFiles(databasePath) },
      store: { write, read: { property: async () => null } },
      senders: (fields.senders ?? [true]).map(isReady => ({ isReady })),
      clock,
      clockAheadMs: () => null,
      freeBytes: async () => fields.free ?? plenty,
    })
    return { check, clock, databasePath }
  }

  test('all is well', async () => {
    expect(await start().check()).toEqual(allOk)
    expect(await start({ senders: [false, true] }).check()).toEqual(allOk)
  })

  test('no sender thread runs', async () => {
    expect(await start({ senders: [false, false] }).check()).toEqual({ ...allOk, senders: 'no thread is running' })
  })

  test('the disk takes no writes, or is nearly full', async () => {
    const full = start({ write: () => Promise.reject(new Unavailable('disk full')) })
    expect(await full.check()).toEqual({ ...allOk, disk: 'takes no writes' })
    expect(await start({ free: 1_000_000 }).check()).toEqual({ ...allOk, disk: 'less than 64 MiB are free' })
  })

  test('the writer has ended, or does not answer', async () => {
    const ended = start({ write: () => Promise.reject(new OutcomeUnknown('gone')) })
    expect(await ended.check()).toEqual({ ...allOk, writer: 'ended' })
    const { check, clock } = start({ write: () => new Promise(() => {}) })
    const answer = check()
    clock.advance(2_000)
    expect(await answer).toEqual({ ...allOk, writer: 'did not store anything within 2 seconds' })
    expect(clock.pending).toBe(0)
  })

  test('the file of the database has gone', async () => {
    const { check, databasePath } = start()
    renameSync(databasePath, `${databasePath}.old`)
    expect(await check()).toEqual({ ...allOk, database: 'its file was removed or replaced' })
  })

  test('it is looked at once a second, however often it is asked', async () => {
    let writes = 0
    const { check, clock } = start({
      write: async () => {
        writes += 1
      },
    })
    for (let at = 0; at < 50; at += 1) await check()
    expect(writes).toBe(1)
    clock.advance(1_000)
    await check()
    expect(writes).toBe(2)
  })
})

describe('with a database on a server', () => {
  interface Fields {
    write?: () => Promise<void>
    read?: () => Promise<null>
    senders?: boolean[]
    aheadMs?: number
  }
  function start(fields: Fields = {}) {
    const clock = new ManualClock()
    const check = createReadiness({
      file: null,
      store: {
        write: { countRequests: fields.write ?? (async () => {}) },
        read: { property: fields.read ?? (async () => null) },
      },
      senders: (fields.senders ?? [true]).map(isReady => ({ isReady })),
      clock,
      clockAheadMs: () => fields.aheadMs ?? null,
    })
    return { check, clock }
  }
  const refused = () => Promise.reject(new Unavailable('no connection'))
  const lost = () => Promise.reject(new OutcomeUnknown('the connection ended at the commit'))

  test('nothing is asked about a disk or a file', async () => {
    expect(await start().check()).toEqual({ senders: 'ok', database: 'ok' })
    expect(await start({ senders: [] }).check()).toEqual({ senders: 'no thread is running', database: 'ok' })
  })

  test('it cannot be reached', async () => {
    const gone = { senders: 'ok', database: 'cannot be reached' }
    expect(await start({ write: refused, read: refused }).check()).toEqual(gone)
    expect(await start({ write: lost, read: refused }).check()).toEqual(gone)
  })

  test('it answers and stores nothing: its disk is full, or it only reads', async () => {
    expect(await start({ write: refused }).check()).toEqual({ senders: 'ok', database: 'takes no writes' })
  })

  test('it is too slow', async () => {
    const { check, clock } = start({ write: () => new Promise(() => {}) })
    const answer = check()
    await new Promise(setImmediate)
    clock.advance(2_000)
    expect(await answer).toEqual({ senders: 'ok', database: 'did not store anything within 2 seconds' })
    expect(clock.pending).toBe(0)
  })

  test.each([
    [5_000, 'ok'],
    [-5_000, 'ok'],
    [5_001, '5 s ahead of that of the database'],
    [-90_000_000, '90000 s behind that of the database'],
  ])('the clock of this machine is ahead of its clock by %d ms', async (aheadMs, clock) => {
    expect(await start({ aheadMs }).check()).toEqual({ senders: 'ok', database: 'ok', clock })
  })

  test('nothing comes back from it', async () => {
    const { check, clock } = start({ write: () => new Promise(() => {}), read: () => new Promise(() => {}) })
    const answer = check()
    await new Promise(setImmediate)
    clock.advance(2_000)
    expect(await answer).toEqual({ senders: 'ok', database: 'cannot be reached' })
    expect(clock.pending).toBe(0)
  })
})

describe('over HTTP', () => {
  const gateway = sharedFixture(startTestGateway)
  /** No callback has come yet. The first answers do not know it. */
  const remarks: readonly Remark[] = [{ kind: 'callbacks', severity: 'warning', workspaces: 1 }]

  test('200: /readyz names each part', async () => {
    // Another test may have had it not ready a moment ago, and the answer is kept that long.
    await eventually(async () => {
      const ready = await gateway.get('/readyz')
      expect([ready.status, ready.json]).toEqual([200, { status: 'ready', parts: allOk, remarks }])
    })
  })

  test('200: /livez tells the version to this machine, and to nobody who comes through a proxy', async () => {
    expect((await gateway.get('/livez')).json).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\./) })
    const behind = await fetch(`${gateway.url}/livez`, { headers: { 'x-forwarded-for': '203.0.113.1' } })
    expect(await behind.json()).toEqual({ status: 'ok' })
  })

  test('200: for a week /readyz tells of an upgrade to this machine, and to nobody who comes through a proxy', async () => {
    const upgrade = { from: '0.1.0', to: '0.2.0', at: Date.now() - 6 * dayMs, copy: '/data/copy.db' }
    const store = (value: LastUpgrade) =>
      gateway.gateway.store.write.putProperty({ name: upgradeName, value: JSON.stringify(value) })
    const told = async (headers = {}) =>
      (await (await fetch(`${gateway.url}/readyz`, { headers })).json()) as { status: string; upgraded?: unknown }
    await store(upgrade)
    const here = await eventually(async () => {
      const answer = await told()
      expect(answer.status).toBe('ready')
      return answer
    })
    expect(here.upgraded).toEqual(upgrade)
    expect(await told({ 'x-forwarded-for': '203.0.113.1' })).not.toHaveProperty('upgraded')
    await store({ ...upgrade, at: Date.now() - 8 * dayMs })
    expect(await told()).not.toHaveProperty('upgraded')
  })

  test('503 SERVICE_UNAVAILABLE: /readyz says what is wrong, and when to ask again', async () => {
    const { store } = gateway.gateway
    const { countRequests } = store.write
    Object.assign(store.write, { countRequests: () => Promise.reject(new Unavailable('disk full')) })
    try {
      const answer = await eventually(async () => {
        const answer = await gateway.get('/readyz')
        expect([answer.status, answer.json.details?.remarks]).toEqual([503, remarks])
        return answer
      })
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(answer.json).toEqual({
        error: 'SERVICE_UNAVAILABLE',
        message: 'Not ready: disk.',
        details: { parts: { ...allOk, disk: 'takes no writes' }, remarks },
      })
    } finally {
      Object.assign(store.write, { countRequests })
    }
  })
})

describe('remarks', () => {
  const ask = async (gateway: TestGateway) => {
    const { status, json } = await gateway.get('/readyz')
    return { status, remarks: (json.remarks ?? json.details?.remarks ?? null) as readonly Remark[] | null }
  }
  const known = (gateway: TestGateway) =>
    eventually(async () => {
      const { remarks } = await ask(gateway)
      if (remarks === null) throw new Error('they are not known yet')
      return remarks
    })

  test('say in how many workspaces something is bad or a warning, name none, and change no status', async () => {
    const clock = new ManualClock(Date.now())
    // Where no backup can be made.
    const gateway = await startTestGateway({ clock, env: { BACKUP_DIR: '/dev/null/backups', BACKUP_EVERY: '6h' } })
    try {
      const { store } = gateway.gateway
      const other = await gateway.addWorkspace()
      // The first try of a backup goes on beside the start.
      await eventually(async () => expect(await store.read.property('backups')).toContain('makeFailure":{'))
      expect(await ask(gateway)).toEqual({ status: 200, remarks: null })
      expect(await known(gateway)).toEqual([
        { kind: 'callbacks', severity: 'warning', workspaces: 2 },
        { kind: 'lateBackup', severity: 'warning', workspaces: null },
      ])
      // An old key and one that is not there are notes.
      for (const { id } of [gateway.line, other.line]) await store.write.changeLine({ lineId: id, active: false })
      await store.write.setMonthlyLimit({ workspaceId: other.workspaceId, limit: 0 })
      clock.advance(59_000)
      expect((await ask(gateway)).remarks).toHaveLength(2)
      clock.advance(1_001)
      const bad = [
        { kind: 'limitReached', severity: 'bad', workspaces: 1 },
        { kind: 'noActiveLine', severity: 'bad', workspaces: 2 },
      ]
      await eventually(async () => expect((await known(gateway)).slice(0, 2)).toMatchObject(bad))
      expect((await ask(gateway)).status).toBe(200)
      expect((await gateway.get('/readyz')).text).not.toMatch(/ws_|chan_|line_|Acme|Other|null\/backups/)
    } finally {
      await gateway.stop()
    }
  })
})
