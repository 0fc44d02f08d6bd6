import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Line } from '../../db/contract/records.ts'
import type { Attempt } from '../../src/graph/answer.ts'
import { Outbox } from '../../src/sending/outbox.ts'
import { type Logger, silentLogger } from '../../src/telemetry/log.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { ManualClock } from '../clock.ts'
import { draft, t0 } from '../db/fixtures.ts'
import { SharedStore } from './sharedStore.ts'
import { accepted, fault, notNow, turn } from './simulation.ts'

let clock: ManualClock
let shared: SharedStore
let outbox: Outbox
/** Every attempt in order: the message and when, in milliseconds from the start. */
let left: [id: string, at: number][]
/** The upstream's answers to the next attempts; then it accepts. */
let answers: Attempt[]
let warnings: unknown[]
/** Every line paces only itself, at ten a second. */
let line: Line

beforeEach(async () => {
  clock = new ManualClock(t0)
  shared = await SharedStore.open(clock)
  left = []
  answers = []
  warnings = []
  line = await shared.addLine({ id: 'line_a', perSecond: 10 })
  outbox = new Outbox({
    store: shared.store,
    sender: {
      isReady: true,
      send: async ({ payload }) => {
        left.push([payload, clock.steady() - t0])
        return answers.shift() ?? { ...accepted, channelMessageId: `wamid.${payload}` }
      },
    },
    templateRefresher: { request: () => {} },
    explainer: { explain: async (_channelId, _payload, fault) => fault },
    accessToken: async () => 'token',
    clock,
    random: () => 1,
    log: Object.assign(Object.create(silentLogger), { warn: (entry: unknown) => warnings.push(entry) }) as Logger,
    metrics: new Metrics(),
    queueMax: 1_000,
  })
})
afterEach(async () => {
  shared.writeMs = 0
  outbox.stop()
  await pass(100)
  await outbox.finished()
  shared.db.close()
})

/** Lets time pass in steps, so that what waits for a promise is not late by more than one. */
async function pass(ms: number): Promise<void> {
  await turn()
  for (let passed = 0; passed < ms; passed += 10) {
    clock.advance(Math.min(10, ms - passed))
    await turn()
  }
}

/** Accepts a message whose body is its id. */
async function accept(id: string, fields: { on?: Line; recipient?: string } = {}) {
  const { on = line, recipient = `+4930${id}` } = fields
  const acceptance = await outbox.accept(draft({ id, payload: id, lineId: on.id, recipient }), on, 'token', null)
  if (acceptance.outcome !== 'accepted') throw new Error(acceptance.outcome)
  return acceptance
}

/** Accepts messages of which none may leave before `room` is set. */
async function acceptHeld(...ids: string[]): Promise<void> {
  shared.room = 0
  for (const id of ids) await accept(id)
}

describe('a message that is held', () => {
  test('by its acceptance is on disk as waiting, and leaves when it may', async () => {
    await acceptHeld('m1')
    await turn()
    expect(await shared.waits('m1')).toBe(true)
    await pass(90)
    expect(shared.asked).toEqual(['m1'])
    shared.room = 1
    await pass(10)
    expect(left).toEqual([['m1', 100]])
    expect(await shared.message('m1')).toMatchObject({ status: 'SENT' })
  })

  test('makes nothing slower: its line asks again at the time it was told, however often', async () => {
    await acceptHeld('m1')
    await pass(500)
    expect(shared.asked).toHaveLength(6)
    shared.room = 1
    await pass(100)
    expect(left).toEqual([['m1', 600]])
  })

  test('keeps its turn: it leaves before those that came after it, also to others', async () => {
    await acceptHeld('m1', 'm2', 'm3', 'm4')
    shared.room = 2
    await pass(100)
    await accept('m5')
    shared.room = 10
    await pass(100)
    expect(left.map(([id]) => id)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
    expect(shared.asked).toEqual(['m1', 'm1 m2 m3 m4', 'm3 m4 m5'])
  })

  test('does not hold back what was handed over with it', async () => {
    await acceptHeld('m1', 'm2')
    shared.room = 1
    await pass(100)
    expect(left).toEqual([['m1', 100]])
    expect(await shared.waits('m2')).toBe(true)
  })

  test('holds its line: what comes meanwhile does not ask', async () => {
    await acceptHeld('m1')
    await accept('m2')
    expect(shared.asked).toEqual(['m1'])
    expect(await shared.waits('m2')).toBe(true)
  })

  test('for no time asks again soon, and not without a pause', async () => {
    shared.waitMs = 0
    await acceptHeld('m1')
    await pass(100)
    expect(shared.asked).toHaveLength(11)
  })

  test('does not hold other lines', async () => {
    await acceptHeld('m1')
    shared.room = 1
    await accept('m2', { on: await shared.addLine({ id: 'line_b', perSecond: 10 }) })
    await turn()
    expect(left).toEqual([['m2', 0]])
  })

  test('gives its departure back: a line of one a second sends at once when it may', async () => {
    const slow = await shared.addLine({ id: 'line_b', perSecond: 1 })
    shared.room = 0
    await accept('m1', { on: slow })
    shared.room = 1
    await pass(100)
    expect(left).toEqual([['m1', 100]])
  })
})

describe('a message that may leave only for some time', () => {
  test('waits again when the answer came too late, which the disk is told, and asks again', async () => {
    shared.validMs = 50
    shared.writeMs = 60
    const accepting = accept('m1')
    await pass(60)
    await accepting
    expect(left).toEqual([])
    // The write that puts it back.
    await pass(60)
    expect(await shared.message('m1')).toMatchObject({ status: 'QUEUED' })
    shared.writeMs = 0
    // The second answer was under way, and too late as well.
    await pass(60)
    expect(shared.asked).toEqual(['m1', 'm1', 'm1'])
    expect(left).toEqual([['m1', 180]])
  })

  test('leaves up to the last moment, and the machine may set its clock meanwhile', async () => {
    shared.validMs = 50
    shared.writeMs = 50
    const accepting = accept('m1')
    clock.set(60_000)
    await pass(50)
    await accepting
    await turn()
    expect(left).toEqual([['m1', 50]])
  })

  test('is on disk as waiting before it asks again', async () => {
    shared.validMs = 50
    shared.writeMs = 60
    const accepting = accept('m1')
    await pass(60)
    await accepting
    await turn()
    // The deferral is written at once; its answer comes later.
    expect(await shared.waits('m1')).toBe(true)
    expect(shared.asked).toEqual(['m1'])
  })

  test('counts from before the write that succeeded, not from the first one', async () => {
    await acceptHeld('m1')
    shared.room = 10
    shared.validMs = 50
    shared.failing = 1
    await pass(1_200)
    expect(left).toEqual([['m1', 1_100]])
  })

  test('only what can leave in that time asks', async () => {
    // Ten departures, spread over a second: so they are in the next second too.
    for (let n = 1; n <= 10; n += 1) {
      await accept(`m${n}`)
      await pass(100)
    }
    shared.validMs = 250
    shared.asked.length = 0
    // The first one shows how long messages may take.
    for (let n = 11; n <= 20; n += 1) await accept(`m${n}`)
    await pass(1_000)
    expect(left).toHaveLength(20)
    expect(shared.asked).toEqual(['m11', 'm12 m13 m14', 'm15 m16 m17', 'm18 m19 m20'])
  })

  test('one that misses its time does not keep back the others', async () => {
    await acceptHeld('m1', 'm2')
    shared.room = 10
    shared.validMs = 50
    shared.writeMs = 60
    await pass(160)
    expect(left).toEqual([])
    shared.validMs = null
    await pass(200)
    expect(left.map(([id]) => id)).toEqual(['m1', 'm2'])
  })
})

describe('a message that another instance has', () => {
  test('does not leave here, is told no end, and the disk is left alone', async () => {
    await acceptHeld('m1')
    const end = outbox.find('m1')
    shared.taken.add('m1')
    shared.room = 10
    await pass(100)
    expect(await end).toBeNull()
    expect([left, outbox.size, outbox.find('m1')]).toEqual([[], 0, undefined])
    expect(await shared.waits('m1')).toBe(true)
  })

  test('frees its recipient and its departure: the next message to it leaves at once', async () => {
    const paired = await shared.addLine({ id: 'line_b', perSecond: 1, pairSeconds: 6 })
    shared.room = 0
    await accept('m1', { on: paired, recipient: '+4930' })
    await accept('m2', { on: paired, recipient: '+4930' })
    shared.taken.add('m1')
    shared.room = 10
    await pass(100)
    expect(left).toEqual([['m2', 100]])
  })

  test('is dropped when it would wait again', async () => {
    answers = [notNow('line', 1_000)]
    shared.taken.add('m1')
    const { end } = await accept('m1')
    await pass(5_000)
    expect(await end).toBeNull()
    expect([left.length, outbox.size]).toEqual([1, 0])
    expect(await shared.message('m1')).toMatchObject({ status: 'QUEUED', dispatchedAt: t0 })
  })

  test.each([
    ['would leave', 0],
    ['would wait again', 1],
  ])('is not dropped when it %s, and the other has given it back before the answer comes', async (_, refusals) => {
    answers = refusals === 0 ? [] : [notNow('line', 10)]
    shared.room = refusals
    await accept('m1')
    shared.room = 10
    shared.taken.add('m1')
    shared.writeMs = 200
    // The disk has been asked, and has not answered yet.
    await pass(150)
    shared.taken.delete('m1')
    // What the one that had it has put back, and this one claims.
    await shared.db.write('deferMessages', { messages: [{ messageId: 'm1', payload: null, refusal: null }], at: t0 })
    const [claimed] = await shared.db.write('claimWaiting', { after: null, limit: 10 })
    if (!claimed) throw new Error('nothing waits')
    outbox.resume(claimed, line, 'token')
    shared.writeMs = 0
    await pass(2_000)
    expect(left.map(([id]) => id)).toEqual(Array(refusals + 1).fill('m1'))
    expect(await shared.message('m1')).toMatchObject({ status: 'SENT' })
  })

  describe('is not called refused when it is taken', () => {
    /** Its file is lost, and cannot be uploaded again. */
    async function acceptWithLostFile(onRenewal: () => void) {
      answers = [{ kind: 'refused', fault: { ...fault, errorClass: 'permanent', fault: 'request', code: 131053 } }]
      const renew = async () => {
        onRenewal()
        return null
      }
      const message = draft({ id: 'm1', payload: 'm1', lineId: line.id })
      const acceptance = await outbox.accept(message, line, 'token', { ids: ['1001'], renew })
      if (acceptance.outcome !== 'accepted') throw new Error(acceptance.outcome)
      return acceptance.end
    }

    test('while its file is uploaded again', async () => {
      const end = acceptWithLostFile(() => shared.taken.add('m1'))
      await pass(1_000)
      expect(await end).toBeNull()
      expect(await shared.waits('m1')).toBe(true)
      expect(outbox.size).toBe(0)
    })

    test('after the upload has failed', async () => {
      const end = acceptWithLostFile(() => {
        shared.room = 0
      })
      await pass(100)
      expect(await shared.waits('m1')).toBe(true)
      shared.taken.add('m1')
      await pass(1_000)
      expect(await end).toBeNull()
      expect(await shared.waits('m1')).toBe(true)
      expect(outbox.size).toBe(0)
    })
  })

  test('and frees its recipient then too', async () => {
    const paired = await shared.addLine({ id: 'line_b', perSecond: 10, pairSeconds: 1 })
    answers = [notNow('message', 100)]
    shared.taken.add('m1')
    await accept('m1', { on: paired, recipient: '+4930' })
    await accept('m2', { on: paired, recipient: '+4930' })
    await pass(2_000)
    expect(left.map(([id]) => id)).toEqual(['m1', 'm2'])
  })
})

describe('a message that is resumed', () => {
  test('while it is here stays as it is, and is sent once', async () => {
    await acceptHeld('m1')
    const [claimed] = await shared.db.write('claimWaiting', { after: null, limit: 10 })
    if (!claimed) throw new Error('nothing waits')
    const end = outbox.find('m1')
    outbox.resume(claimed, line, 'another token')
    expect([outbox.size, outbox.find('m1')]).toEqual([1, end])
    shared.room = 10
    await pass(1_000)
    expect(left.map(([id]) => id)).toEqual(['m1'])
  })
})

test('a pace that another process changes on disk holds within a second for what waits, without another send', async () => {
  const slow = await shared.addLine({ id: 'line_b', perSecond: 1 })
  for (let n = 1; n <= 30; n += 1) await accept(`m${n}`, { on: slow })
  await pass(500)
  expect(left).toHaveLength(1)
  await shared.db.write('changeLine', { lineId: slow.id, perSecond: 0 })
  await pass(1_000)
  expect(left).toHaveLength(30)
})

describe('a throttle', () => {
  test('of the line is told to the other instances, as a slower pace and as a pause', async () => {
    answers = [notNow('line', 3_000)]
    await accept('m1')
    await turn()
    expect(shared.throttles).toEqual([
      ['slowDown', 'line_a'],
      ['pause', 'line', 'line_a', 3_000],
    ])
  })

  test('of the account is told as a pause of its channel', async () => {
    answers = [notNow('app', 3_000)]
    await accept('m1')
    await turn()
    expect(shared.throttles).toEqual([['pause', 'channel', 'chan_1', 3_000]])
  })

  test.each(['pair', 'message'] as const)('of the %s is not: it concerns one recipient', async scope => {
    answers = [notNow(scope, 3_000)]
    await accept('m1')
    await turn()
    expect(shared.throttles).toEqual([])
  })

  test('that many messages get at once is told once', async () => {
    answers = Array.from({ length: 5 }, () => notNow('line', 3_000))
    // All are stored by then, and leave together.
    shared.writeMs = 10
    for (const id of ['m1', 'm2', 'm3', 'm4', 'm5']) void accept(id)
    await pass(10)
    expect(left).toHaveLength(5)
    expect(shared.throttles).toHaveLength(2)
  })

  test('that cannot be told is logged, and acted on here all the same', async () => {
    shared.throttleError = new Error('the database is gone')
    answers = [notNow('line', 3_000)]
    await accept('m1')
    await pass(2_990)
    expect(left).toHaveLength(1)
    expect(warnings).toMatchObject([{ lineId: 'line_a' }, { lineId: 'line_a' }])
    await pass(10)
    expect(left).toHaveLength(2)
  })
})
