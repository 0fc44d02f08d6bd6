import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Clock } from '../../src/base/clock.ts'
import { hourMs } from '../../src/base/durations.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { BrokenPromise, onBroken } from '../../src/telemetry/promises.ts'
import { Mailbox, type MailboxOptions } from '../../src/threads/mailbox.ts'
import { ManualClock } from '../clock.ts'
import { replaceWorkers, ScriptedWorker } from './workers.ts'

interface Verbs {
  double(n: number): Promise<number>
}

let clock: ManualClock
let workers: ReturnType<typeof replaceWorkers<ScriptedWorker>>

beforeEach(() => {
  clock = new ManualClock()
  workers = replaceWorkers(ScriptedWorker)
})
afterEach(() => workers.restore())

/** The thread that is there now. */
function worker(): ScriptedWorker {
  const last = workers.spawned.at(-1)
  if (!last) throw new Error('no thread was spawned')
  return last
}

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

const opening = (options: Partial<MailboxOptions> = {}) =>
  Mailbox.open<Verbs>({
    worker: 'sender',
    options: { a: 1 },
    clock,
    log: silentLogger,
    stopMsMax: 35_000,
    onCrash: 'respawn',
    ...options,
  })

async function opened(options: Partial<MailboxOptions> = {}) {
  const mailbox = opening(options)
  worker().start()
  const ready = await mailbox
  return { mailbox: ready, double: ready.verb('double') }
}

/** The end of a promise, so that none is left unhandled. */
const end = (promise: Promise<unknown>) =>
  promise.then(
    value => value,
    (error: unknown) => error,
  )

/** A thread that has crashed. */
async function crash() {
  worker().close()
  await turn()
}

describe('starting', () => {
  test('options are posted once it listens, and it is open once it is ready', async () => {
    const mailbox = opening()
    expect(worker().posted).toEqual([])
    worker().say({ kind: 'listening' })
    expect(worker().posted).toEqual([{ kind: 'start', options: { a: 1 } }])
    expect(Bun.peek.status(mailbox)).toBe('pending')
    worker().say({ kind: 'ready' })
    await mailbox
    expect(clock.pending).toBe(0)
  })

  test('the calls of a worker that names its verbs are made from its list', async () => {
    const mailbox = opening()
    worker().say({ kind: 'listening' })
    worker().say({ kind: 'ready', verbs: ['double'] })
    const verbs = (await mailbox).verbs()
    expect(Object.keys(verbs)).toEqual(['double'])
    const doubled = verbs.double(2)
    await turn()
    expect(worker().calls).toEqual([{ id: 1, verb: 'double', argument: 2 }])
    worker().say({ kind: 'answers', answers: [{ id: 1, ok: true, value: 4 }] })
    expect(await doubled).toBe(4)
  })

  test('a refusal is told in the words of the worker, and ends it', async () => {
    const mailbox = end(opening())
    worker().say({ kind: 'refused', message: 'The file is no database.' })
    expect(String(await mailbox)).toContain('The file is no database.')
    expect(worker().isTerminated).toBe(true)
    await turn()
    expect([workers.spawned.length, clock.pending]).toEqual([1, 0])
  })

  const failures: readonly [name: string, fail: () => void][] = [
    ['ends before it is ready', () => worker().close()],
    ['never becomes ready', () => clock.advance(60_000)],
  ]
  test.each(failures)('a worker that %s refuses the start, and nobody goes on trying', async (_, fail) => {
    const mailbox = end(opening())
    fail()
    expect(await mailbox).toBeInstanceOf(Error)
    await turn()
    clock.advance(hourMs)
    await turn()
    expect([workers.spawned.length, clock.pending]).toEqual([1, 0])
  })

  test.each(failures)('a worker that %s is no crash of an open mailbox', async (_, fail) => {
    let crashes = 0
    const mailbox = end(opening({ onCrash: () => (crashes += 1) }))
    fail()
    await mailbox
    await turn()
    expect(crashes).toBe(0)
  })
})

describe('calls', () => {
  test('of one tick leave as one post, in order', async () => {
    const { double } = await opened()
    const ends = [1, 2, 3].map(n => double(n))
    expect(worker().calls).toEqual([])
    await turn()
    expect(worker().posted.filter(({ kind }) => kind === 'calls')).toHaveLength(1)
    expect(worker().calls.map(({ verb, argument }) => [verb, argument])).toEqual([
      ['double', 1],
      ['double', 2],
      ['double', 3],
    ])
    worker().say({ kind: 'answers', answers: worker().calls.map(({ id }, n) => ({ id, ok: true, value: 2 * n })) })
    expect(await Promise.all(ends)).toEqual([0, 2, 4])
  })

  test('one that cannot be written fails alone; those beside it leave', async () => {
    const { mailbox } = await opened()
    const ask = mailbox.verb('double') as (argument: unknown) => Promise<number>
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    const ends = [ask(1), ask(deep), ask(2)].map(end)
    await turn()
    expect(worker().calls.map(({ argument }) => argument)).toEqual([1, 2])
    expect(await ends[1]).toBeInstanceOf(RangeError)
  })

  test('are answered in any order, each by its own answer, and only once', async () => {
    const { mailbox, double } = await opened()
    const ends = [double(1), double(2)]
    await turn()
    const [first, second] = worker().calls
    if (!first || !second) throw new Error('two calls were made')
    worker().say({ kind: 'answers', answers: [{ id: second.id, ok: true, value: 'second' }] })
    worker().say({ kind: 'answers', answers: [{ id: second.id, ok: true, value: 'again' }] })
    worker().say({ kind: 'answers', answers: [{ id: 999, ok: true, value: 'nobody asked' }] })
    expect(mailbox.pending).toBe(1)
    worker().say({ kind: 'answers', answers: [{ id: first.id, ok: true, value: 'first' }] })
    expect(await Promise.all<unknown>(ends)).toEqual(['first', 'second'])
  })

  test('that failed reject: as unavailable when the worker did nothing, else with its words', async () => {
    const { double } = await opened()
    const ends = [end(double(1)), end(double(2))]
    await turn()
    const [first, second] = worker().calls.map(({ id }) => id)
    worker().say({
      kind: 'answers',
      answers: [
        { id: first ?? 0, ok: false, unavailable: true, message: 'SQLITE_FULL' },
        { id: second ?? 0, ok: false, unavailable: false, message: 'UNIQUE' },
      ],
    })
    const [unavailable, failed] = await Promise.all(ends)
    expect(unavailable).toBeInstanceOf(Unavailable)
    expect(failed).not.toBeInstanceOf(Unavailable)
    expect(String(failed)).toContain('UNIQUE')
  })

  test('their answers are told of before any is handed out', async () => {
    const order: string[] = []
    const { double } = await opened({ onAnswers: () => order.push('told') })
    const answered = double(1).then(() => order.push('handed out'))
    await turn()
    worker().say({ kind: 'answers', answers: worker().calls.map(({ id }) => ({ id, ok: true, value: 2 })) })
    expect(order).toEqual(['told'])
    await answered
    expect(order).toEqual(['told', 'handed out'])
  })
})

test('a call that would break a promise is refused by its name, and the promise is told here', async () => {
  const told: unknown[] = []
  const ignore = onBroken(broken => told.push(broken))
  const { double } = await opened()
  const answer = end(double(2))
  await turn()
  const broken = { promise: 'endsStay', about: { messageId: 'msg_1' } } as const
  worker().say({ kind: 'broken', broken })
  worker().say({
    kind: 'answers',
    answers: [{ id: 1, ok: false, unavailable: false, message: '', broken: 'endsStay' }],
  })
  expect(await answer).toEqual(new BrokenPromise('endsStay'))
  expect(told).toEqual([broken])
  ignore()
})

describe('a crash', () => {
  test('fails what was posted with OutcomeUnknown, for it may have happened, and what was not with Unavailable', async () => {
    const { mailbox, double } = await opened()
    const posted = end(double(1))
    await turn()
    const unposted = end(double(2))
    worker().close()
    expect(await posted).toBeInstanceOf(OutcomeUnknown)
    expect(await unposted).toBeInstanceOf(Unavailable)
    expect(mailbox.pending).toBe(0)
  })

  test('is answered by a new thread, which is given the options and the calls made meanwhile', async () => {
    const { double } = await opened()
    await crash()
    const waiting = double(5)
    clock.advance(100)
    expect(workers.spawned).toHaveLength(2)
    worker().start()
    await turn()
    expect(worker().posted[0]).toEqual({ kind: 'start', options: { a: 1 } })
    const [call] = worker().calls
    worker().say({ kind: 'answers', answers: [{ id: call?.id ?? 0, ok: true, value: 10 }] })
    expect(await waiting).toBe(10)
  })

  test('after a crash the next one waits longer, up to a bound; a thread that lived long starts over', async () => {
    await opened()
    const waits: number[] = []
    for (let times = 0; times < 10; times += 1) {
      await crash()
      let waited = 0
      const before = workers.spawned.length
      while (workers.spawned.length === before) {
        clock.advance(100)
        waited += 100
      }
      waits.push(waited)
      worker().start()
    }
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000])
    clock.advance(30_001)
    await crash()
    clock.advance(100)
    expect(workers.spawned).toHaveLength(12)
  })

  test.each([hourMs, -hourMs])('a machine whose time is set by %d ms changes nothing of that', async byMs => {
    await opened()
    await crash()
    clock.advance(100)
    worker().start()
    clock.advance(byMs > 0 ? 0 : 30_001)
    clock.set(byMs)
    await crash()
    clock.advance(100)
    expect(workers.spawned).toHaveLength(byMs > 0 ? 2 : 3)
  })

  test('a new thread that does not become ready is ended and replaced again', async () => {
    await opened()
    await crash()
    clock.advance(100)
    clock.advance(60_000)
    await turn()
    clock.advance(200)
    expect(workers.spawned).toHaveLength(3)
    expect(workers.spawned[1]?.isTerminated).toBe(true)
  })

  test('a new thread that refuses to start leaves no call waiting for ever', async () => {
    const { double } = await opened()
    await crash()
    const waiting = end(double(1))
    clock.advance(100)
    worker().say({ kind: 'listening' })
    worker().say({ kind: 'refused', message: 'no' })
    await turn()
    clock.advance(hourMs)
    await turn()
    expect(Bun.peek.status(waiting)).toBe('fulfilled')
  })

  test('of a worker that is not replaced is told once, and later calls fail at once', async () => {
    let crashes = 0
    const { double } = await opened({ onCrash: () => (crashes += 1) })
    const waiting = end(double(1))
    await turn()
    await crash()
    expect(await waiting).toBeInstanceOf(OutcomeUnknown)
    expect(await end(double(2))).toBeInstanceOf(Unavailable)
    expect([crashes, workers.spawned.length, clock.pending]).toEqual([1, 1, 0])
  })
})

describe('stopping', () => {
  test('lets the worker finish: what was asked leaves first, and its answers still arrive', async () => {
    const { mailbox, double } = await opened()
    const asked = double(4)
    const stopped = mailbox.stop()
    expect(worker().posted.map(({ kind }) => kind)).toEqual(['start', 'calls', 'stop'])
    worker().say({ kind: 'answers', answers: [{ id: worker().calls[0]?.id ?? 0, ok: true, value: 8 }] })
    worker().say({ kind: 'stopped' })
    await stopped
    expect(await asked).toBe(8)
    expect([worker().isTerminated, clock.pending]).toEqual([true, 0])
  })

  test('calls made while or after it stops fail at once, and nothing of them happens', async () => {
    const { mailbox, double } = await opened()
    const stopped = mailbox.stop()
    expect(await end(double(1))).toBeInstanceOf(Unavailable)
    worker().say({ kind: 'stopped' })
    await stopped
    expect(await end(double(2))).toBeInstanceOf(Unavailable)
    expect(worker().calls).toEqual([])
  })

  test('what it could not finish in its time is lost, not forgotten', async () => {
    const { mailbox, double } = await opened()
    const asked = end(double(1))
    const stopped = mailbox.stop()
    clock.advance(35_000)
    await stopped
    expect(await asked).toBeInstanceOf(OutcomeUnknown)
    expect([worker().isTerminated, workers.spawned.length]).toEqual([true, 1])
  })

  test('a worker that dies meanwhile ends the stop, and is not replaced', async () => {
    const { mailbox } = await opened()
    const stopped = mailbox.stop()
    worker().close()
    await stopped
    clock.advance(hourMs)
    expect(workers.spawned).toHaveLength(1)
  })

  test('between a crash and its replacement nothing is started any more', async () => {
    const { mailbox, double } = await opened()
    await crash()
    const waiting = end(double(1))
    await mailbox.stop()
    expect(await waiting).toBeInstanceOf(Unavailable)
    clock.advance(hourMs)
    expect([workers.spawned.length, clock.pending]).toEqual([1, 0])
  })

  test('asked twice, both wait for the end', async () => {
    const { mailbox } = await opened()
    const first = mailbox.stop()
    const second = mailbox.stop()
    await turn()
    expect(Bun.peek.status(second)).toBe('pending')
    worker().say({ kind: 'stopped' })
    await Promise.all([first, second])
  })
})

describe('watching a thread', () => {
  const pings = () => worker().posted.filter(({ kind }) => kind === 'ping').length

  test('it is asked every five seconds; while it answers it is left alone', async () => {
    const watch = new ManualClock()
    await opened({ watch })
    for (let seconds = 0; seconds < 300; seconds += 5) {
      worker().say({ kind: 'pong' })
      watch.advance(5_000)
    }
    expect([pings(), workers.spawned.length, worker().isTerminated]).toEqual([61, 1, false])
  })

  test('one that does not answer is ended and replaced as if it had crashed', async () => {
    const watch = new ManualClock()
    const { double } = await opened({ watch })
    const waiting = end(double(1))
    await turn()
    watch.advance(60_000)
    await turn()
    expect(await waiting).toBeInstanceOf(OutcomeUnknown)
    clock.advance(100)
    expect([workers.spawned.length, workers.spawned[0]?.isTerminated]).toEqual([2, true])
  })

  test('a machine that slept, or a clock that was set, is no hang: the thread has answered every question', async () => {
    let now = 0
    let fire = () => {}
    const watch: Clock = {
      now: () => now,
      steady: () => now,
      ago: ms => now - ms,
      setTimer: (_, next) => {
        fire = next
        return () => {}
      },
    }
    await opened({ watch })
    worker().say({ kind: 'pong' })
    now += hourMs
    fire()
    await turn()
    expect([worker().isTerminated, pings()]).toEqual([false, 2])
  })

  test('a stopped mailbox asks no more', async () => {
    const watch = new ManualClock()
    const { mailbox } = await opened({ watch })
    const stopped = mailbox.stop()
    worker().say({ kind: 'stopped' })
    await stopped
    expect(watch.pending).toBe(0)
  })

  test('a crashed one is not asked either, until it is replaced', async () => {
    const watch = new ManualClock()
    await opened({ watch })
    await crash()
    expect(watch.pending).toBe(0)
    clock.advance(100)
    worker().start()
    expect(watch.pending).toBe(1)
  })
})
