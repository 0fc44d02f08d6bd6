import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Store } from '../../db/contract/store.ts'
import { openStore } from '../../db/sqlite/store.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import type { SenderOptions, SenderVerbs } from '../../src/sending/sender.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { Mailbox } from '../../src/threads/mailbox.ts'
import { ManualClock } from '../clock.ts'
import { acceptedNow, draft, makeFolder, seedStore, type TestFolder, t0 } from '../db/fixtures.ts'
import { startUpstream, type Upstream } from '../upstream.ts'
import { replaceWorkers, WatchedWorker } from './workers.ts'

/** Real threads are the subject here. The clock drives only their supervision. */
let clock: ManualClock
let workers: ReturnType<typeof replaceWorkers<WatchedWorker>>

beforeEach(() => {
  clock = new ManualClock(t0)
  workers = replaceWorkers(WatchedWorker)
})
afterEach(() => workers.restore())

function worker(): WatchedWorker {
  const last = workers.spawned.at(-1)
  if (!last) throw new Error('no thread was spawned')
  return last
}

const end = (promise: Promise<unknown>) =>
  promise.then(
    value => value,
    (error: unknown) => error,
  )

describe('the writer thread', () => {
  let folder: TestFolder
  let store: Store
  let losses: number

  const open = () =>
    openStore({
      path: folder.file,
      clock,
      log: silentLogger,
      onWriterLost: () => {
        losses += 1
      },
    })
  beforeEach(async () => {
    folder = makeFolder()
    losses = 0
    store = await open()
    await seedStore(store)
  })
  afterEach(async () => {
    await store.close()
    folder.remove()
  })

  test('calls of one tick travel as one batch', async () => {
    const before = worker().batches.length
    await Promise.all(Array.from({ length: 50 }, (_, n) => store.write.acceptMessage(draft({ id: `msg_${n}` }))))
    expect(worker().batches.slice(before)).toEqual([50])
    expect(worker().said.at(-1)).toMatchObject({ kind: 'answers', answers: { length: 50 } })
  })

  test('one call that fails rejects alone, and its neighbours are stored', async () => {
    const ends = await Promise.all([
      end(store.write.acceptMessage(draft({ id: 'msg_1' }))),
      end(store.write.acceptMessage(draft({ id: 'msg_1' }))),
      end(store.write.acceptMessage(draft({ id: 'msg_2', workspaceId: 'ws_9' }))),
      end(store.write.acceptMessage(draft({ id: 'msg_3' }))),
    ])
    expect(ends.map(one => (one instanceof Error ? one.name : one))).toEqual([
      acceptedNow,
      'Error',
      'Error',
      acceptedNow,
    ])
    expect(await store.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).toMatchObject({ used: 2 })
  })

  test('100,000 calls in one tick are all answered', async () => {
    const calls = Array.from({ length: 100_000 }, () => store.write.countRequests({ windows: [] }))
    await Promise.all(calls)
    expect(worker().batches.at(-1)).toBe(100_000)
  })

  test('a stop stores what was asked before it, and refuses what comes after', async () => {
    const asked = Array.from({ length: 20 }, (_, n) => end(store.write.acceptMessage(draft({ id: `msg_${n}` }))))
    const closed = store.close()
    const late = end(store.write.acceptMessage(draft({ id: 'msg_late' })))
    expect(await Promise.all(asked)).toEqual(Array(20).fill(acceptedNow))
    expect(await late).toBeInstanceOf(Unavailable)
    await closed
    expect(await end(store.write.acceptMessage(draft({ id: 'msg_later' })))).toBeInstanceOf(Unavailable)
    // A search takes a turn for each of its steps, and goes on after a stop that has not waited for it.
    expect(await end(store.read.workspaces())).toBeInstanceOf(Unavailable)
    expect(await end(store.read.key('pk_seed'))).toBeInstanceOf(Unavailable)
    store = await open()
    expect(await store.read.messages({ workspaceId: 'ws_1', limit: 100 })).toHaveLength(20)
    expect(losses).toBe(0)
  })

  test('its end is told once, and what is asked later is refused', async () => {
    const asked = end(store.write.acceptMessage(draft({ id: 'msg_1' })))
    await worker().crash()
    await asked
    expect(losses).toBe(1)
    expect(await end(store.write.acceptMessage(draft({ id: 'msg_2' })))).toBeInstanceOf(Unavailable)
    expect(workers.spawned).toHaveLength(1)
  })
})

describe('a sender thread', () => {
  let upstream: Upstream
  let mailbox: Mailbox<SenderVerbs>
  /** Resolves once the upstream has been asked. */
  let asked: PromiseWithResolvers<void>
  /** The upstream answers once this is resolved. */
  let answer: PromiseWithResolvers<void>

  beforeEach(async () => {
    asked = Promise.withResolvers()
    answer = Promise.withResolvers()
    upstream = startUpstream(() => {
      asked.resolve()
      return answer.promise.then(() => Response.json({ messages: [{ id: 'wamid.1' }] }))
    })
    const options: SenderOptions = {
      apiUrl: upstream.url,
      apiVersion: 'v25.0',
      timeoutMs: 10_000,
      mediaAllowedNetworks: [],
      storage: { folder: '', bucket: null },
    }
    mailbox = await Mailbox.open({
      worker: 'sender',
      options,
      clock,
      log: silentLogger,
      stopMsMax: 35_000,
      onCrash: 'respawn',
    })
  })
  afterEach(async () => {
    answer.resolve()
    await mailbox.stop()
    await upstream.stop()
  })

  const send = (name: string) =>
    mailbox.verb('send')({ upstreamPhoneId: '1', accessToken: 'token', payload: JSON.stringify({ to: name }) })

  test('makes one attempt, and answers with how it ended', async () => {
    answer.resolve()
    expect(await send('m1')).toEqual({
      kind: 'accepted',
      channelMessageId: 'wamid.1',
      waId: null,
      messageStatus: null,
    })
    expect(upstream.received).toMatchObject([{ path: '/v25.0/1/messages', json: { to: 'm1' } }])
  })

  test('that dies fails what waits for it with OutcomeUnknown, and the thread after it takes new calls', async () => {
    const underWay = end(send('m1'))
    await asked.promise
    await worker().crash()
    expect(await underWay).toBeInstanceOf(OutcomeUnknown)
    const next = send('m2')
    clock.advance(100)
    answer.resolve()
    expect(await next).toMatchObject({ kind: 'accepted' })
    expect(workers.spawned).toHaveLength(2)
    // Never twice: the new thread knows nothing of what the old one had.
    expect(upstream.received.map(({ json }) => json.to)).toEqual(['m1', 'm2'])
  })

  test('that stops waits for the answers of what has left', async () => {
    const left = send('m1')
    await asked.promise
    const stopped = mailbox.stop()
    answer.resolve()
    await stopped
    expect(await left).toMatchObject({ kind: 'accepted' })
    expect(upstream.received).toHaveLength(1)
  })
})
