import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openStore } from '../../db/sqlite/store.ts'
import type { Store } from '../../db/store.ts'
import { Credentials } from '../../src/credentials.ts'
import { createVault } from '../../src/crypto.ts'
import { newId } from '../../src/ids.ts'
import { silentLogger } from '../../src/log.ts'
import { Outbox } from '../../src/messages/outbox.ts'
import { recover } from '../../src/messages/recover.ts'
import { Metrics } from '../../src/metrics.ts'
import { ManualClock } from '../clock.ts'
import { accepted, channel, draft, line, makeFolder, type TestFolder, t0 } from '../db/fixtures.ts'
import { hungAfterMs } from '../timeLimit.ts'

setDefaultTimeout(hungAfterMs)

const credentials = new Credentials(createVault('a key of enough characters'))

let folder: TestFolder
let clock: ManualClock
let store: Store
let resumed: Parameters<Outbox['resume']>[]

const recording: Pick<Outbox, 'resume'> = { resume: (...call) => void resumed.push(call) }

const open = () => openStore({ path: folder.file, clock, log: silentLogger, onWriterLost: () => {} })

/** Ends the process that wrote the file, as far as the file can tell, and starts the next one. */
async function restart(outbox: Pick<Outbox, 'resume'> = recording) {
  await store.close()
  store = await open()
  resumed = []
  return recover({ store, outbox, accessToken: async channelId => `token of ${channelId}`, clock })
}

const outboxOf = (store: Store) =>
  new Outbox({
    store,
    sender: { isReady: true, send: () => Promise.reject(new Error('nothing is sent here')) },
    templateRefresher: { request: () => {} },
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
    await restart(outbox)
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
