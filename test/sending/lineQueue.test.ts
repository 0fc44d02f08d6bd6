import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hourMs } from '../../src/base/durations.ts'
import { accepted, fault, maxPerSecond, notNow, Simulation, start, turn } from './simulation.ts'

let sim: Simulation
beforeEach(() => {
  sim = new Simulation()
})

const recipient = (index: number) => `+49301234${String(index).padStart(4, '0')}`

describe('the rate of a line', () => {
  test('never more than its rate leave in any second, however they arrive', async () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 700 })), { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), gaps, async (perSecond, between) => {
        const sim = new Simulation()
        for (const [index, gap] of between.entries()) {
          await sim.clock.pass(gap)
          sim.add({ perSecond, recipient: recipient(index) })
        }
        await sim.clock.pass(70_000)
        expect(sim.settled).toHaveLength(between.length)
        expect(maxPerSecond(sim.times())).toBeLessThanOrEqual(perSecond)
      }),
      { numRuns: 40 },
    )
  })

  test('nor do they when the disk takes its time to say that they may leave', async () => {
    const perSecond = 5
    // The disk stands still for three seconds and then answers everything that was asked meanwhile.
    sim.diskMs = () => Math.max(0, start + 3_000 - sim.clock.now())
    for (let index = 0; index < 30; index += 1) sim.add({ perSecond, recipient: recipient(index), isResumed: true })
    await sim.clock.pass(60_000)
    expect(sim.settled).toHaveLength(30)
    expect(maxPerSecond(sim.times())).toBeLessThanOrEqual(perSecond)
  })

  test('a burst leaves as fast as the rate allows', async () => {
    for (let index = 0; index < 9; index += 1) sim.add({ perSecond: 3, recipient: recipient(index) })
    await sim.clock.pass(10_000)
    expect(sim.times()).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2])
  })

  test('5,000 in one burst at 80 a second all leave, in the order they came', async () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => sim.add({ perSecond: 80, recipient: recipient(index) }))
    await sim.clock.pass(63_000)
    expect(sim.left.map(({ id }) => id)).toEqual(ids)
    expect(maxPerSecond(sim.times())).toBe(80)
  })

  test('0 per second and 0 seconds per pair: everything leaves at once, whoever it goes to', async () => {
    for (let index = 0; index < 100; index += 1) sim.add()
    await turn()
    expect(sim.left).toHaveLength(100)
  })
})

describe('the pace towards one recipient', () => {
  const paired = { pairSeconds: 6 }

  test('a burst of 45 goes, then nothing until 45 times the interval after its first', async () => {
    for (let index = 0; index < 50; index += 1) sim.add(paired)
    await sim.clock.pass(600_000)
    const times = sim.times()
    expect(times.slice(0, 45)).toEqual(Array(45).fill(0))
    expect(times.slice(45)).toEqual(Array(5).fill(270))
  })

  test('one leaves only when the one before it has its answer, so that order is kept', async () => {
    sim.upstreamMs = 500
    for (let index = 0; index < 3; index += 1) sim.add(paired)
    await sim.clock.pass(10_000)
    expect(sim.times()).toEqual([0, 0.5, 1])
  })

  test('a recipient who has to wait holds nobody else back', async () => {
    for (let index = 0; index < 60; index += 1) sim.add(paired)
    for (let index = 0; index < 20; index += 1) sim.add({ ...paired, recipient: recipient(index) })
    await turn()
    expect(sim.left.filter(({ to }) => to !== '+4930123456')).toHaveLength(20)
  })

  test('a recipient whose answer takes long holds nobody else back', async () => {
    sim.upstreamMs = 30_000
    sim.add(paired)
    sim.add(paired)
    sim.add({ ...paired, recipient: recipient(1) })
    await sim.clock.pass(1_000)
    expect(sim.left.map(({ id }) => id)).toEqual(['m1', 'm3'])
  })

  test('order is kept when the disk says that one may leave, and a pause puts it back', async () => {
    sim.diskMs = () => 2_000
    for (let index = 0; index < 3; index += 1) sim.add({ ...paired, isResumed: true })
    await sim.clock.pass(1_000)
    await sim.pause(9_000)
    await sim.clock.pass(60_000)
    expect(sim.left.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3'])
  })

  test('a line whose recipients are not paced any more waits for no answer', async () => {
    sim.upstreamMs = 30_000
    sim.add(paired)
    await turn()
    for (let index = 0; index < 2; index += 1) sim.add({ pairSeconds: 0 })
    await sim.clock.pass(1_000)
    expect(sim.times()).toEqual([0, 0, 0])
  })

  test('what a recipient has had still counts when its pace is taken away and given back', async () => {
    for (let index = 0; index < 45; index += 1) sim.add(paired)
    await sim.clock.pass(1_000)
    sim.add({ pairSeconds: 0 })
    await sim.clock.pass(1_000)
    sim.add(paired)
    await sim.clock.pass(600_000)
    expect(sim.times().slice(45)).toEqual([1, 270])
  })

  test('order per recipient is kept over waits, throttles and retries; every message has one end', async () => {
    const scopes = fc.constantFrom<'pair' | 'line' | 'message' | 'app'>('pair', 'line', 'message', 'app')
    const plan = fc.array(
      fc.record({ to: fc.nat({ max: 2 }), faults: fc.array(scopes, { maxLength: 4 }), gap: fc.nat({ max: 3_000 }) }),
      { minLength: 1, maxLength: 15 },
    )
    await fc.assert(
      fc.asyncProperty(plan, fc.nat({ max: 800 }), async (messages, upstreamMs) => {
        const sim = new Simulation()
        sim.upstreamMs = upstreamMs
        const faultsOf = new Map<string, readonly ('pair' | 'line' | 'message' | 'app')[]>()
        sim.answer = (id, nth) => {
          const scope = faultsOf.get(id)?.[nth - 1]
          return scope ? notNow(scope) : accepted
        }
        const order = new Map<string, string[]>()
        for (const { to, faults, gap } of messages) {
          const id = sim.add({ perSecond: 4, pairSeconds: 2, recipient: recipient(to) })
          faultsOf.set(id, faults)
          order.set(recipient(to), [...(order.get(recipient(to)) ?? []), id])
          await sim.clock.pass(gap)
        }
        await sim.clock.pass(hourMs)
        for (const [to, ids] of order) {
          const ends = sim.settled.filter(({ id }) => ids.includes(id)).map(({ id }) => id)
          expect(ends).toEqual(ids)
          // Nobody's attempt comes between two attempts of an earlier message.
          const attempts = sim.left.filter(entry => entry.to === to).map(({ id }) => ids.indexOf(id))
          expect(attempts).toEqual(attempts.toSorted((one, other) => one - other))
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('a setting that the operator changes while messages wait, and nobody sends anything', () => {
  const waiting = (count: number, settings: { perSecond?: number; pairSeconds?: number }) => {
    for (let index = 0; index < count; index += 1) sim.add(settings)
  }

  test('a raised rate holds within a second', async () => {
    waiting(40, { perSecond: 1 })
    await sim.clock.pass(4_500)
    expect(sim.left).toHaveLength(5)
    sim.change('line_1', { perSecond: 10 })
    await sim.clock.pass(1_000)
    expect(sim.left.length).toBeGreaterThanOrEqual(14)
    await sim.clock.pass(3_000)
    expect(sim.left).toHaveLength(40)
    expect(maxPerSecond(sim.times())).toBe(10)
  })

  test('so does a lowered one', async () => {
    waiting(100, { perSecond: 10 })
    await sim.clock.pass(500)
    sim.change('line_1', { perSecond: 1 })
    await sim.clock.pass(10_000)
    expect(maxPerSecond(sim.times().filter(at => at > 2))).toBe(1)
  })

  test('and an interval between messages to one recipient that is taken away', async () => {
    waiting(50, { pairSeconds: 6 })
    await sim.clock.pass(10_000)
    expect(sim.left).toHaveLength(45)
    sim.change('line_1', { pairSeconds: 0 })
    await sim.clock.pass(1_000)
    expect(sim.left).toHaveLength(50)
  })

  test('the settings of a line are read at most once a second, and never while nothing waits', async () => {
    waiting(10, {})
    await sim.clock.pass(60_000)
    expect(sim.sendReads).toBe(0)
    waiting(11, { perSecond: 1 })
    await sim.clock.pass(60_000)
    expect(sim.left).toHaveLength(21)
    expect(sim.sendReads).toBeGreaterThan(0)
    expect(sim.sendReads).toBeLessThanOrEqual(11)
  })
})

describe('a throttled line', () => {
  const to = (index: number) => ({ perSecond: 8, recipient: recipient(index) })

  test('pauses for as long as the upstream says, then runs at half its pace', async () => {
    sim.answer = (id, nth) => (id === 'm1' && nth === 1 ? notNow('line', 5_000) : accepted)
    sim.add(to(0))
    await turn()
    for (let index = 1; index <= 40; index += 1) sim.add(to(index))
    await sim.clock.pass(30_000)
    const later = sim.times().slice(1)
    expect(sim.settled).toHaveLength(41)
    expect(Math.min(...later)).toBe(5)
    expect(maxPerSecond(later)).toBe(4)
  })

  test('pauses only itself', async () => {
    sim.answer = id => (id === 'm1' ? notNow('line', 60_000) : accepted)
    sim.add(to(0))
    await turn()
    sim.add(to(1))
    sim.add({ lineId: 'line_2', ...to(2) })
    await sim.clock.pass(1_000)
    expect(sim.left.map(({ id }) => id)).toEqual(['m1', 'm3'])
  })

  test('without a time from the upstream it waits 1, 2, 4 … seconds', async () => {
    sim.answer = (_, nth) => (nth <= 4 ? notNow('line') : accepted)
    sim.add(to(0))
    await sim.clock.pass(60_000)
    expect(sim.times()).toEqual([0, 1, 3, 7, 15])
  })

  test('waits 1 second again once a message was taken', async () => {
    sim.answer = (id, nth) => (nth <= (id === 'm1' ? 3 : 1) ? notNow('line') : accepted)
    sim.add(to(0))
    await sim.clock.pass(60_000)
    sim.add(to(1))
    await sim.clock.pass(60_000)
    expect(sim.times()).toEqual([0, 1, 3, 7, 60, 61])
  })

  test('runs at half its pace also when the disk lets many go at once', async () => {
    sim.answer = (id, nth) => (id === 'm1' && nth === 1 ? notNow('line', 1_000) : accepted)
    sim.add(to(0))
    await turn()
    sim.diskMs = () => Math.max(0, start + 6_000 - sim.clock.now())
    for (let index = 1; index <= 40; index += 1) sim.add(to(index))
    await sim.clock.pass(40_000)
    expect(sim.settled).toHaveLength(41)
    expect(maxPerSecond(sim.times())).toBe(4)
  })

  test('has no more handed over than it lets out', async () => {
    sim.answer = (id, nth) => (id === 'm1' && nth === 1 ? notNow('line', 1_000) : accepted)
    sim.add(to(0))
    await turn()
    for (let index = 1; index <= 40; index += 1) sim.add(to(index))
    await sim.clock.pass(30_000)
    expect(sim.settled).toHaveLength(41)
    expect(maxPerSecond(sim.handedOverAt)).toBe(4)
  })
})

describe('a throttled account', () => {
  test('has all its lines wait, and the message is sent again', async () => {
    sim.answer = (id, nth) => (id === 'm1' && nth === 1 ? notNow('app', 7_000) : accepted)
    sim.add({ recipient: recipient(1) })
    await turn()
    sim.add({ lineId: 'line_2', recipient: recipient(2) })
    await sim.clock.pass(20_000)
    expect(sim.left.map(({ id, at }) => `${id} ${at}`).sort()).toEqual(['m1 0', 'm1 7', 'm2 7'])
  })

  test('holds no line of another channel', async () => {
    sim.answer = (_, nth) => (nth === 1 ? notNow('app', 7_000) : accepted)
    sim.add()
    await turn()
    sim.answer = () => accepted
    sim.add({ lineId: 'line_2', channelId: 'chan_2' })
    await sim.clock.pass(1_000)
    expect(sim.left.map(({ id }) => id)).toEqual(['m1', 'm2'])
  })

  test('waits 1, 2, 4 … seconds without a time from the upstream, and 1 second again once a message was taken', async () => {
    sim.answer = (id, nth) => (nth <= (id === 'm1' ? 3 : 1) ? notNow('app') : accepted)
    sim.add()
    await sim.clock.pass(60_000)
    sim.add()
    await sim.clock.pass(60_000)
    expect(sim.times()).toEqual([0, 1, 3, 7, 60, 61])
  })

  test('with a queue that waits is asked ever less often, one burst at a time', async () => {
    sim.upstreamMs = 50
    sim.answer = () => notNow('app')
    for (let index = 0; index < 1_000; index += 1) sim.add({ perSecond: 80, recipient: recipient(index) })
    await sim.clock.pass(60_000)
    const begun = sim.times().filter((at, index, times) => at - (times[index - 1] ?? -1) >= 1)
    expect(begun.map(Math.round)).toEqual([0, 1, 3, 7, 15, 31])
    expect(sim.left.length).toBeLessThanOrEqual(6 * 80)
  })

  test('a paused line lets nothing out before the pause ends, and everything after it', async () => {
    await sim.pause(7_000)
    for (let index = 0; index < 3; index += 1) sim.add({ recipient: recipient(index) })
    await sim.clock.pass(20_000)
    expect(sim.times()).toEqual([7, 7, 7])
  })
})

describe('a message that waits for the disk', () => {
  test('does not leave into a pause that began meanwhile', async () => {
    sim.diskMs = () => 2_000
    sim.add({ isResumed: true })
    await sim.clock.pass(1_000)
    await sim.pause(9_000)
    await sim.clock.pass(60_000)
    expect(sim.times()).toHaveLength(1)
    expect(sim.times()[0]).toBeGreaterThanOrEqual(10)
  })

  test('is known by the disk not to have left while that pause lasts', async () => {
    sim.diskMs = () => 2_000
    sim.add({ isResumed: true })
    await sim.clock.pass(1_000)
    await sim.pause(9_000)
    await sim.clock.pass(60_000)
    expect(sim.steps).toEqual(['hand over m1', 'defer m1', 'hand over m1', 'leave m1'])
  })
})

describe('a throttled recipient', () => {
  test('waits 4^X seconds, and only messages to that recipient wait', async () => {
    sim.answer = (id, nth) => (id === 'm1' && nth <= 3 ? notNow('pair') : accepted)
    sim.add({ pairSeconds: 1 })
    sim.add({ pairSeconds: 1, recipient: recipient(1) })
    await sim.clock.pass(60_000)
    const of = (wanted: string) => sim.left.filter(({ id }) => id === wanted).map(({ at }) => at)
    expect(of('m1')).toEqual([0, 1, 5, 21])
    expect(of('m2')).toEqual([0])
  })

  test('waits 1 second again once a message to it was taken', async () => {
    sim.answer = (id, nth) => (nth <= (id === 'm1' ? 2 : 1) ? notNow('pair') : accepted)
    for (let index = 0; index < 2; index += 1) sim.add({ pairSeconds: 1 })
    await sim.clock.pass(60_000)
    expect(sim.times()).toEqual([0, 1, 5, 5, 7])
  })
})

describe('a machine whose time is set back', () => {
  test('sends at its pace as before', async () => {
    for (let index = 0; index < 2; index += 1) sim.add({ perSecond: 2, recipient: recipient(index) })
    await sim.clock.pass(10_000)
    sim.clock.manual.set(-hourMs)
    for (let index = 2; index < 4; index += 1) sim.add({ perSecond: 2, recipient: recipient(index) })
    await turn()
    expect(sim.left).toHaveLength(4)
  })

  test('pays for a burst to one recipient no longer than before', async () => {
    for (let index = 0; index < 46; index += 1) sim.add({ pairSeconds: 6 })
    await sim.clock.pass(1_000)
    sim.clock.manual.set(-hourMs)
    await sim.clock.pass(269_000)
    expect(sim.left).toHaveLength(46)
  })
})

describe('retries and giving up', () => {
  test('a "not now" of the message is tried three times in all, with a growing wait', async () => {
    sim.answer = () => notNow('message')
    sim.add()
    await sim.clock.pass(600_000)
    expect(sim.times()).toEqual([0, 0.5, 1.5])
    expect(sim.settled).toMatchObject([{ id: 'm1', event: 'refused', detail: { code: 2 } }])
  })

  test('a message that is given up for the time that it should wait leaves its recipient free', async () => {
    sim.answer = id => (id === 'm1' ? notNow('message', 12 * hourMs) : accepted)
    sim.add({ pairSeconds: 6 })
    sim.add({ pairSeconds: 6 })
    await sim.clock.pass(60_000)
    expect(sim.settled).toMatchObject([
      { id: 'm1', event: 'refused' },
      { id: 'm2', event: 'accepted' },
    ])
  })

  test('a message that waits for its next try goes before those that came after it', async () => {
    sim.answer = (id, nth) => (id === 'm1' && nth === 1 ? notNow('message', 30_000) : accepted)
    sim.add({ pairSeconds: 6 })
    sim.add({ pairSeconds: 6 })
    await sim.clock.pass(60_000)
    expect(sim.left.map(({ id, at }) => `${id} ${at}`)).toEqual(['m1 0', 'm1 30', 'm2 30'])
  })

  test('throttles do not count as tries', async () => {
    sim.answer = (_, nth) => (nth <= 5 ? notNow('line', 1_000) : nth <= 7 ? notNow('message') : accepted)
    sim.add()
    await sim.clock.pass(600_000)
    expect(sim.settled).toMatchObject([{ event: 'accepted' }])
  })

  test('a recipient that is throttled for the first time waits one second, whatever was throttled before', async () => {
    sim.answer = (_, nth) => (nth <= 5 ? notNow('line', 1_000) : nth === 6 ? notNow('pair') : accepted)
    sim.add()
    await sim.clock.pass(600_000)
    expect(sim.times()).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(sim.settled).toMatchObject([{ event: 'accepted' }])
  })

  test('a refusal or a lost answer is the end: it is not tried again', async () => {
    const ends = [{ kind: 'lost', why: 'reset' } as const, { kind: 'refused', fault } as const]
    for (const end of ends) {
      sim.answer = () => end
      sim.add()
      await sim.clock.pass(600_000)
    }
    expect(sim.left.map(({ id }) => id)).toEqual(['m1', 'm2'])
    expect(sim.settled).toMatchObject([
      { id: 'm1', event: 'lost', detail: { why: 'reset' } },
      { id: 'm2', event: 'refused' },
    ])
  })

  test('a message that is put off for ten minutes is given up, with what the upstream said last', async () => {
    sim.answer = () => notNow('line', 30_000)
    sim.add()
    await sim.clock.pass(hourMs)
    expect(sim.settled).toMatchObject([{ event: 'refused', detail: { code: 2 } }])
    expect(sim.times().at(-1)).toBe(600)
  })

  const longWaits: readonly [name: string, scope: 'line' | 'pair', retryAfterMs: number | null][] = [
    ['the upstream asks for an hour', 'line', hourMs],
    ['the waits for one recipient grow past it', 'pair', null],
  ]
  test.each(longWaits)('no attempt is made after those ten minutes: %s', async (_, scope, retryAfterMs) => {
    sim.answer = () => notNow(scope, retryAfterMs)
    sim.add()
    await sim.clock.pass(24 * hourMs)
    expect(sim.settled).toMatchObject([{ event: 'refused' }])
    expect(Math.max(...sim.times())).toBeLessThanOrEqual(600)
  })

  test('nor of a message that is told to wait for less than the line waits already', async () => {
    sim.upstreamMs = 100
    sim.answer = id => notNow('line', id === 'm1' ? hourMs : 1_000)
    for (let index = 0; index < 2; index += 1) sim.add({ recipient: recipient(index) })
    await sim.clock.pass(24 * hourMs)
    expect(sim.settled).toMatchObject([{ event: 'refused' }, { event: 'refused' }])
    expect(sim.times()).toEqual([0, 0])
  })

  test('a recipient who was throttled to the end is asked again by the next message, from one second on', async () => {
    sim.answer = (id, nth) => (id === 'm1' || nth === 1 ? notNow('pair') : accepted)
    sim.add({ pairSeconds: 1 })
    sim.add({ pairSeconds: 1 })
    await sim.clock.pass(hourMs)
    expect(sim.settled).toMatchObject([{ event: 'refused' }, { id: 'm2', event: 'accepted' }])
    const [first = 0, second = 0] = sim.left.filter(({ id }) => id === 'm2').map(({ at }) => at)
    expect(second - first).toBe(1)
  })

  test('the end of one message is the turn of the next', async () => {
    sim.answer = id => (id === 'm1' ? notNow('message') : accepted)
    sim.add({ pairSeconds: 6 })
    sim.add({ pairSeconds: 6 })
    await sim.clock.pass(60_000)
    expect(sim.settled).toMatchObject([{ id: 'm1', event: 'refused' }, { id: 'm2' }])
  })
})

describe('what the disk is told', () => {
  test('a message that leaves at once is accepted as handed over: neither handed over again nor deferred', async () => {
    sim.add({ perSecond: 5, pairSeconds: 6 })
    await turn()
    expect(sim.steps).toEqual(['leave m1'])
  })

  test('a message that has to wait is accepted as one that waits, and handed over before it leaves', async () => {
    sim.add({ perSecond: 1 })
    sim.add({ perSecond: 1 })
    await sim.pause(5_000)
    await sim.clock.pass(20_000)
    expect(sim.steps).toEqual(['leave m1', 'hand over m2', 'leave m2'])
  })

  test('what the coming second can take is handed over in one write', async () => {
    for (let index = 0; index < 50; index += 1) sim.add({ perSecond: 20, recipient: recipient(index) })
    await sim.clock.pass(60_000)
    expect(sim.handOvers).toEqual([20, 10])
  })

  test('also when departures come free one by one', async () => {
    for (let index = 0; index < 20; index += 1) {
      sim.add({ perSecond: 20, recipient: recipient(index) })
      await sim.clock.pass(10)
    }
    for (let index = 0; index < 20; index += 1) sim.add({ perSecond: 20, recipient: recipient(index) })
    await sim.clock.pass(60_000)
    expect(sim.handOvers).toEqual([20])
    expect(maxPerSecond(sim.times())).toBe(20)
  })

  test('nothing while no sender thread is there, however much waits; everything leaves, in order, once one is', async () => {
    sim.hasSender = false
    for (let index = 0; index < 600; index += 1) sim.add({ isResumed: true, recipient: recipient(index) })
    sim.add()
    await sim.clock.pass(5_000)
    expect(sim.steps).toEqual([])
    sim.hasSender = true
    await sim.clock.pass(200)
    expect(sim.left).toHaveLength(601)
    expect(sim.left.at(-1)?.id).toBe('m601')
    expect(sim.steps.filter(step => step.startsWith('defer'))).toEqual([])
  })

  test('a message that the disk knows as waiting is handed over and never deferred', async () => {
    sim.add({ isResumed: true })
    await turn()
    expect(sim.steps).toEqual(['hand over m1', 'leave m1'])
  })

  test('each "not now" is a deferral, and each further attempt is handed over', async () => {
    sim.answer = (_, nth) => (nth <= 2 ? notNow('message') : accepted)
    sim.add()
    await sim.clock.pass(60_000)
    expect(sim.steps).toEqual([
      'leave m1',
      'defer m1',
      'hand over m1',
      'leave m1',
      'defer m1',
      'hand over m1',
      'leave m1',
    ])
  })

  test('the last "not now" is no deferral: the message has its end', async () => {
    sim.answer = () => notNow('message')
    sim.add()
    await sim.clock.pass(60_000)
    expect(sim.steps.filter(entry => entry === 'defer m1')).toHaveLength(2)
  })

  test('what has waited leaves with the token that the channel has when it leaves', async () => {
    for (let index = 0; index < 2; index += 1) sim.add({ perSecond: 1 })
    await turn()
    sim.token = 'another token'
    await sim.clock.pass(1_000)
    expect(sim.left.map(({ token }) => token)).toEqual(['token', 'another token'])
  })

  test('nothing leaves before the disk has said so', async () => {
    sim.diskMs = () => 2_500
    sim.add({ isResumed: true })
    await sim.clock.pass(2_499)
    expect(sim.left).toEqual([])
    await sim.clock.pass(1)
    expect(sim.times()).toEqual([2.5])
  })
})

describe('what waits for longer than it is of use', () => {
  const lasting = { ttlSeconds: 30 }
  const ends = (event: string) => sim.settled.filter(end => end.event === event).map(({ id }) => id)

  test('ends, though nothing of its line may leave, and what came with it leaves', async () => {
    await sim.pause(90_000)
    for (const ttlSeconds of [30, null, 60, 120]) sim.add({ ttlSeconds })
    await sim.clock.pass(29_999)
    expect(ends('expired')).toEqual([])
    await sim.clock.pass(1)
    expect(ends('expired')).toEqual(['m1'])
    await sim.clock.pass(30_000)
    expect(ends('expired')).toEqual(['m1', 'm3'])
    await sim.clock.pass(60_000)
    expect(sim.left.map(({ id }) => id)).toEqual(['m2', 'm4'])
    expect(ends('expired')).toEqual(['m1', 'm3'])
    expect(sim.settled[0]?.detail).toMatchObject({ title: 'It waited to be sent for longer than its ttlSeconds' })
  })

  test('takes no departure of what still is of use', async () => {
    for (let index = 0; index < 200; index += 1) sim.add({ perSecond: 1, ...lasting })
    const last = sim.add({ perSecond: 1 })
    await sim.clock.pass(31_000)
    expect(ends('expired')).toHaveLength(200 - 30)
    expect(sim.left.at(-1)).toMatchObject({ id: last, at: 30 })
  })

  test('keeps no other message to its recipient back, and does not free one that is under way', async () => {
    sim.upstreamMs = 40_000
    const paired = { pairSeconds: 1 }
    sim.add(paired)
    sim.add({ ...paired, ...lasting })
    sim.add(paired)
    await sim.clock.pass(39_999)
    expect(sim.left.map(({ id }) => id)).toEqual(['m1'])
    await sim.clock.pass(1_000)
    expect(sim.left.map(({ id }) => id)).toEqual(['m1', 'm3'])
    expect(ends('expired')).toEqual(['m2'])
  })

  test('ends also when the upstream put it off, and when an earlier process accepted it', async () => {
    sim.answer = () => notNow('message', 60_000)
    sim.add(lasting)
    await sim.pause(90_000)
    sim.add({ ...lasting, isResumed: true, createdAt: start - 20_000 })
    // Of a clock that was ahead then.
    sim.add({ ...lasting, isResumed: true, createdAt: start + hourMs })
    await sim.clock.pass(10_000)
    expect(ends('expired')).toEqual(['m2'])
    await sim.clock.pass(20_000)
    expect(ends('expired').toSorted()).toEqual(['m1', 'm2', 'm3'])
  })

  test('is as ever where it has not to wait', async () => {
    sim.upstreamMs = 60_000
    sim.add(lasting)
    await sim.clock.pass(60_000)
    expect(sim.settled.map(({ event }) => event)).toEqual(['accepted'])
  })
})

describe('a stop', () => {
  test('lets nothing out any more, keeps no timer, and still tells the end of what has left', async () => {
    sim.upstreamMs = 1_000
    sim.add({ perSecond: 1, recipient: recipient(1) })
    sim.add({ perSecond: 1, recipient: recipient(2) })
    await turn()
    sim.outbox.stop()
    await sim.clock.pass(60_000)
    sim.add({ perSecond: 1, recipient: recipient(3) })
    await sim.clock.pass(60_000)
    expect(sim.left.map(({ id }) => id)).toEqual(['m1'])
    expect(sim.settled.map(({ id }) => id)).toEqual(['m1'])
    expect(sim.clock.manual.pending).toBe(0)
  })

  test('what is handed over and has to wait for its departure is deferred: the next start sends it', async () => {
    const paced = { perSecond: 3, isResumed: true }
    sim.add(paced)
    // A second after the start, and half of one.
    await sim.clock.pass(1_500)
    for (let index = 1; index < 4; index += 1) sim.add({ ...paced, recipient: recipient(index) })
    await sim.clock.pass(100)
    sim.outbox.stop()
    await sim.clock.pass(60_000)
    expect(sim.steps).toEqual([
      'hand over m1',
      'leave m1',
      'hand over m2',
      'leave m2',
      'hand over m3',
      'hand over m4',
      'leave m3',
      'defer m4',
    ])
    expect(sim.outbox.size).toBe(0)
  })

  test('what is just being handed over leaves when it may at once', async () => {
    sim.diskMs = () => 2_000
    for (let index = 0; index < 2; index += 1) sim.add({ perSecond: 1, recipient: recipient(index), isResumed: true })
    await sim.clock.pass(1_000)
    sim.outbox.stop()
    await sim.clock.pass(60_000)
    expect(sim.steps).toEqual(['hand over m1', 'leave m1'])
  })
})

describe('a pause that the upstream asks for', () => {
  test('of ten seconds or more is logged with its end and reach, once for all that left together', async () => {
    for (const [lineId, scope] of [
      ['line_1', 'line'],
      ['line_2', 'app'],
    ] as const) {
      sim.warnings.length = 0
      sim.answer = () => notNow(scope, hourMs)
      for (let index = 0; index < 3; index += 1) sim.add({ lineId, recipient: recipient(index) })
      await turn()
      const until = new Date(sim.clock.now() + hourMs).toISOString()
      expect(sim.warnings).toEqual([{ channelId: 'chan_1', lineId: scope === 'line' ? lineId : null, until, code: 2 }])
    }
  })

  test('is logged again when it is asked for anew, and not when it is short or of a message alone', async () => {
    const answers = [notNow('line', 60_000), notNow('line', 60_000), accepted]
    sim.answer = () => answers.shift() ?? accepted
    sim.add()
    await sim.clock.pass(120_000)
    expect(sim.warnings).toHaveLength(2)
    const unlogged = [notNow('line', 5_000), notNow('app'), notNow('message', 60_000), notNow('pair', 60_000)]
    for (const [at, attempt] of unlogged.entries()) {
      sim.answer = () => attempt
      sim.add({ lineId: `line_${at + 10}`, channelId: `chan_${at + 10}` })
      await turn()
    }
    expect(sim.warnings).toHaveLength(2)
  })
})

describe('memory', () => {
  test('recipients are forgotten once their debts are paid: no timer and no pace is left', async () => {
    for (let index = 0; index < 500; index += 1) sim.add({ pairSeconds: 6, recipient: recipient(index % 100) })
    await sim.clock.pass(29_999)
    expect(sim.clock.manual.pending).toBe(1)
    await sim.clock.pass(1)
    expect(sim.clock.manual.pending).toBe(0)
  })

  test('it is not forgotten before, nor while it has messages', async () => {
    for (let index = 0; index < 46; index += 1) sim.add({ pairSeconds: 6 })
    await sim.clock.pass(269_999)
    expect(sim.left).toHaveLength(45)
    await sim.clock.pass(1)
    expect(sim.left).toHaveLength(46)
    await sim.clock.pass(6_000)
    expect(sim.clock.manual.pending).toBe(0)
  })
})
