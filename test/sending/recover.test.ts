import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Store } from '../../db/contract/store.ts'
import { Credentials } from '../../src/base/credentials.ts'
import { createVault } from '../../src/base/crypto.ts'
import { newId } from '../../src/base/ids.ts'
import { Outbox } from '../../src/sending/outbox.ts'
import { Recovery, type RecoveryParts } from '../../src/sending/recover.ts'
import { type Logger, silentLogger } from '../../src/telemetry/log.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { ManualClock } from '../clock.ts'
import { accepted, channel, draft, line, makeFolder, type TestFolder, t0 } from '../db/fixtures.ts'
import { openFile } from '../openFile.ts'
import { SharedStore } from './sharedStore.ts'
import { turn } from './simulation.ts'

const credentials = new Credentials(createVault('a key of enough characters'))

let folder: TestFolder
let clock: ManualClock
let store: Store
let resumed: Parameters<Outbox['resume']>[]
let followed: Parameters<Outbox['followEnded']>[]

const recording: RecoveryParts['outbox'] = {
  resume: (...call) => void resumed.push(call),
  followEnded: (...call) => void followed.push(call),
}

const open = () => openFile(folder.file, clock)

/** Ends the process that wrote the file, as far as the file can tell, and starts the next one. */
async function restart() {
  await store.close()
  store = await open()
  resumed = []
  followed = []
  return recoverInto(recording)
}

function recoverInto(outbox: RecoveryParts['outbox']) {
  const accessToken = async (channelId: string) => `token of ${channelId}`
  return new Recovery({ store, outbox, accessToken, clock, log: silentLogger, metrics: new Metrics() }).run()
}

const outboxOf = (store: Store, isReady = false) =>
  new Outbox({
    store,
    sender: { isReady, send: () => Promise.reject(new Error('nothing is sent here')) },
    templateRefresher: { request: () => {} },
    explainer: { explain: async (_channelId, _payload, fault) => fault },
    accessToken: async () => 'token',
    clock,
    random: () => 1,
    log: silentLogger,
    metrics: new Metrics(),
    queueMax: 10,
  })

beforeEach(async () => {
  folder = makeFolder()
  clock = new ManualClock(t0)
  store = await open()
  await store.write.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
  const sealed = credentials.seal('chan_1', { accessToken: 'access-token', appSecret: 'secret', verifyToken: 'verify' })
  await store.write.connectChannel(channel(sealed))
  await store.write.addLine(line({ perSecond: 40, pairSeconds: 3 }))
})

afterEach(async () => {
  await store.close()
  folder.remove()
})

describe('while several instances share the database', () => {
  let shared: SharedStore
  let recovery: Recovery
  let errors: unknown[]
  /** What cannot be read; null when all can. */
  let tokenError: Error | null

  beforeEach(async () => {
    shared = await SharedStore.open(clock)
    resumed = []
    followed = []
    errors = []
    tokenError = null
    recovery = recoveryOn(shared.store)
  })
  afterEach(() => {
    shared.db.close()
  })

  const recoveryOn = (store: RecoveryParts['store']) =>
    new Recovery({
      store,
      outbox: recording,
      accessToken: async () => {
        if (tokenError) throw tokenError
        return 'token'
      },
      clock,
      log: Object.assign(Object.create(silentLogger), { error: (entry: unknown) => errors.push(entry) }) as Logger,
      metrics: new Metrics(),
    })
  const resumedIds = () => resumed.map(([{ message }]) => message.id)
  const accept = async (id: string, dispatchedAt: number | null) => {
    await shared.db.write('acceptMessage', draft({ id, dispatchedAt }))
  }

  async function pass(ms: number) {
    clock.advance(ms)
    await turn()
  }

  test('it goes on looking for what instances that are gone have left', async () => {
    recovery.keepRunning()
    await pass(1_999)
    await accept('msg_1', null)
    await accept('msg_2', t0)
    expect(resumed).toEqual([])
    await pass(1)
    expect(resumedIds()).toEqual(['msg_1'])
    expect(await shared.message('msg_2')).toMatchObject({ status: 'UNKNOWN', lostAt: t0 + 2_000 })
    await accept('msg_3', t0)
    await pass(2_000)
    expect(await shared.message('msg_3')).toMatchObject({ status: 'UNKNOWN' })
  })

  test('what the others have sent is in the pace that they share', async () => {
    await accept('msg_1', t0)
    await recovery.run()
    expect(followed).toEqual([])
  })

  test('a process that has the database to itself does not: what is under way is its own', () => {
    recoveryOn({ ...shared.store, shared: null }).keepRunning()
    expect(clock.pending).toBe(0)
  })

  test('a run begins only after the last one has ended', async () => {
    let runs = 0
    const { store } = shared
    const slow = Promise.withResolvers<number>()
    const markInterrupted = () => {
      runs += 1
      return slow.promise
    }
    recoveryOn({ ...store, write: { ...store.write, markInterrupted } }).keepRunning()
    await pass(10_000)
    expect(runs).toBe(1)
    slow.resolve(0)
    await turn()
    await pass(2_000)
    expect(runs).toBe(2)
  })

  test('a database that cannot be reached is logged, and asked again', async () => {
    recovery.keepRunning()
    await accept('msg_1', null)
    shared.failing = 1
    await pass(2_000)
    expect([errors.length, resumed]).toEqual([1, []])
    await pass(2_000)
    expect([errors.length, resumedIds()]).toEqual([1, ['msg_1']])
  })

  test('what was claimed and could not be queued is queued later, though nobody offers it again', async () => {
    const { store } = shared
    await accept('msg_1', null)
    const pages = [await shared.db.write('claimWaiting', { after: null, limit: 10 })]
    const claimWaiting = async () => pages.shift() ?? []
    recoveryOn({ ...store, write: { ...store.write, claimWaiting } }).keepRunning()
    tokenError = new Error('the secret does not open')
    await pass(2_000)
    expect([errors.length, resumed]).toEqual([1, []])
    tokenError = null
    await pass(2_000)
    expect(resumedIds()).toEqual(['msg_1'])
  })

  test('one line that cannot be read does not keep back the messages of others', async () => {
    const other = await shared.addLine({ id: 'line_b', perSecond: 0 })
    const { store } = shared
    await accept('msg_1', null)
    await shared.db.write('acceptMessage', draft({ id: 'msg_2', dispatchedAt: null, lineId: other.id }))
    const line = async (id: string) => (id === other.id ? store.read.line(id) : null)
    const one = recoveryOn({ ...store, read: { ...store.read, line } })
    await expect(one.run()).rejects.toThrow('a message without its line')
    expect(resumedIds()).toEqual(['msg_2'])
  })

  test('a stop waits for the run that has begun, and begins none', async () => {
    const { store } = shared
    await accept('msg_1', null)
    const slow = Promise.withResolvers<number>()
    const stopping = recoveryOn({ ...store, write: { ...store.write, markInterrupted: () => slow.promise } })
    stopping.keepRunning()
    await pass(2_000)
    let hasStopped = false
    const stopped = stopping.stop().then(() => {
      hasStopped = true
    })
    await turn()
    expect(hasStopped).toBe(false)
    slow.resolve(0)
    await stopped
    expect([clock.pending, resumed]).toEqual([0, []])
  })
})

describe('a restart', () => {
  test('makes UNKNOWN of what had been handed over, and offers it to nobody', async () => {
    await store.write.acceptMessage(draft({ id: 'msg_1', dispatchedAt: t0 }))
    clock.advance(5_000)
    expect(await restart()).toEqual({ unknown: 1, resumed: 0 })
    expect(await store.read.message('msg_1')).toMatchObject({ status: 'UNKNOWN', lostAt: t0 + 5_000 })
    expect(resumed).toEqual([])
  })

  test('resumes what was never handed over, as it was accepted', async () => {
    await store.write.acceptMessage(draft({ id: 'msg_1', dispatchedAt: null, payload: '{"to":"+49"}' }))
    expect(await restart()).toEqual({ unknown: 0, resumed: 1 })
    expect(resumed).toMatchObject([
      [
        { message: { id: 'msg_1', recipient: '+4930123456' }, payload: '{"to":"+49"}' },
        { id: 'line_1', upstreamPhoneId: '106540352242922', perSecond: 40, pairSeconds: 3 },
        'token of chan_1',
      ],
    ])
    expect(await store.read.message('msg_1')).toMatchObject({ status: 'QUEUED', dispatchedAt: null })
  })

  test('counts in the pace of a line what left a moment ago, whatever has become of it', async () => {
    for (const [id, dispatchedAt] of [
      ['msg_1', t0],
      ['msg_2', t0 + 1],
      ['msg_3', t0 + 2_001],
    ] as const)
      await store.write.acceptMessage(draft({ id, dispatchedAt }))
    await store.write.recordEvent(accepted('msg_2'))
    clock.advance(2_001)
    await restart()
    expect(followed).toMatchObject([[{ id: 'line_1', perSecond: 40 }, 2]])
  })

  test.each([
    [2, null],
    [3, t0],
  ])('two that left a moment ago: at %d a second, the next one leaves at %p', async (perSecond, dispatchedAt) => {
    await store.write.changeLine({ lineId: 'line_1', perSecond, pairSeconds: 0 })
    for (const id of ['msg_1', 'msg_2']) await store.write.acceptMessage(draft({ id, dispatchedAt: t0 }))
    const outbox = outboxOf(store, true)
    await recoverInto(outbox)
    const paced = (await store.read.line('line_1')) ?? line()
    await outbox.accept(draft({ id: 'msg_3' }), paced, 'token', null)
    expect(await store.read.message('msg_3')).toMatchObject({ dispatchedAt })
    outbox.stop()
    await outbox.finished()
  })

  test('leaves alone what has an end', async () => {
    await store.write.acceptMessage(draft({ id: 'msg_1' }))
    await store.write.recordEvent(accepted('msg_1'))
    expect(await restart()).toEqual({ unknown: 0, resumed: 0 })
    expect(await store.read.message('msg_1')).toMatchObject({ status: 'SENT' })
  })

  test('takes every waiting message up once and in the order of acceptance, over many pages and past the queue bound', async () => {
    const ids = Array.from({ length: 1_201 }, () => newId('msg'))
    await Promise.all(ids.map(id => store.write.acceptMessage(draft({ id, dispatchedAt: null }))))
    expect(await restart()).toEqual({ unknown: 0, resumed: ids.length })
    expect(resumed.map(([{ message }]) => message.id)).toEqual(ids)
    const outbox = outboxOf(store)
    await recoverInto(outbox)
    expect([outbox.size, outbox.isFull('line_1')]).toEqual([ids.length, true])
    outbox.stop()
    await outbox.finished()
  })

  test('a second restart finds the same: recovery itself sends nothing and loses nothing', async () => {
    await store.write.acceptMessage(draft({ id: 'msg_1', dispatchedAt: null }))
    await store.write.acceptMessage(draft({ id: 'msg_2' }))
    await restart()
    expect(await restart()).toEqual({ unknown: 0, resumed: 1 })
    expect(await store.read.message('msg_2')).toMatchObject({ status: 'UNKNOWN', lostAt: t0 })
  })
})
