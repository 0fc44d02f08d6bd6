import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Lane } from '../../src/messages/lane.ts'
import { accepted, mostPerSecond, notNow, start, turn, Yard } from '../transport/yard.ts'

let yard: Yard
beforeEach(() => {
  yard = new Yard()
})

const recipient = (index: number) => `+49301234${String(index).padStart(4, '0')}`

describe('the rate of a line', () => {
  test('never more than its rate leave in any second, however they arrive', async () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 700 })), { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), gaps, async (perSecond, between) => {
        const world = new Yard()
        for (const [index, gap] of between.entries()) {
          await world.clock.pass(gap)
          world.add({ perSecond, recipient: recipient(index) })
        }
        await world.clock.pass(70_000)
        expect(world.settled).toHaveLength(between.length)
        expect(mostPerSecond(world.times())).toBeLessThanOrEqual(perSecond)
      }),
      { numRuns: 40 },
    )
  })

  test('nor do they when the disk takes its time to say that they may leave', async () => {
    const perSecond = 5
    // The disk stands still for three seconds and then answers everything that was asked meanwhile.
    yard.diskMs = () => Math.max(0, start + 3_000 - yard.clock.now())
    for (let index = 0; index < 30; index += 1)
      yard.add({ perSecond, recipient: recipient(index), isDispatched: false })
    await yard.clock.pass(60_000)
    expect(yard.settled).toHaveLength(30)
    expect(mostPerSecond(yard.times())).toBeLessThanOrEqual(perSecond)
  })

  test('a burst leaves as fast as the rate allows', async () => {
    for (let index = 0; index < 9; index += 1) yard.add({ perSecond: 3, recipient: recipient(index) })
    await yard.clock.pass(10_000)
    expect(yard.times()).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2])
  })

  test('5,000 in one burst at 80 a second all leave, in the order they came', async () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => yard.add({ perSecond: 80, recipient: recipient(index) }))
    await yard.clock.pass(63_000)
    expect(yard.left.map(({ id }) => id)).toEqual(ids)
    expect(mostPerSecond(yard.times())).toBe(80)
  })

  test('0 per second and 0 seconds per pair: everything leaves at once, whoever it goes to', () => {
    for (let index = 0; index < 100; index += 1) yard.add()
    expect(yard.left).toHaveLength(100)
  })
})

describe('the pace towards one recipient', () => {
  const paired = { pairSeconds: 6 }

  test('a burst of 45 goes, then nothing until 45 times the interval after its first', async () => {
    for (let index = 0; index < 50; index += 1) yard.add(paired)
    await yard.clock.pass(600_000)
    const times = yard.times()
    expect(times.slice(0, 45)).toEqual(Array(45).fill(0))
    expect(times.slice(45)).toEqual(Array(5).fill(270))
  })

  test('a small burst is paid for as well', async () => {
    for (let index = 0; index < 3; index += 1) yard.add(paired)
    await yard.clock.pass(6_000)
    yard.add(paired)
    await yard.clock.pass(60_000)
    expect(yard.times()).toEqual([0, 0, 0, 18])
  })

  test('one per interval never waits', async () => {
    for (let index = 0; index < 10; index += 1) {
      yard.add(paired)
      await yard.clock.pass(6_000)
    }
    expect(yard.times()).toEqual([0, 6, 12, 18, 24, 30, 36, 42, 48, 54])
    expect(yard.news.filter(entry => entry.startsWith('defer'))).toEqual([])
  })

  test('one leaves only when the one before it has its answer, so that order is kept', async () => {
    yard.upstreamMs = 500
    for (let index = 0; index < 3; index += 1) yard.add(paired)
    await yard.clock.pass(10_000)
    expect(yard.times()).toEqual([0, 0.5, 1])
  })

  test('a recipient who has to wait holds nobody else back', async () => {
    for (let index = 0; index < 60; index += 1) yard.add(paired)
    for (let index = 0; index < 20; index += 1) yard.add({ ...paired, recipient: recipient(index) })
    await turn()
    expect(yard.left.filter(({ to }) => to !== '+4930123456')).toHaveLength(20)
  })

  test('a recipient whose answer takes long holds nobody else back', async () => {
    yard.upstreamMs = 30_000
    yard.add(paired)
    yard.add(paired)
    yard.add({ ...paired, recipient: recipient(1) })
    await yard.clock.pass(1_000)
    expect(yard.left.map(({ id }) => id)).toEqual(['m1', 'm3'])
  })

  test('order is kept when the disk says that one may leave, and a pause puts it back', async () => {
    yard.diskMs = () => 2_000
    for (let index = 0; index < 3; index += 1) yard.add({ ...paired, isDispatched: false })
    await yard.clock.pass(1_000)
    yard.lane.pause(yard.clock.now() + 9_000)
    await yard.clock.pass(60_000)
    expect(yard.left.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3'])
  })

  test('a line whose recipients are not paced any more waits for no answer', async () => {
    yard.upstreamMs = 30_000
    yard.add(paired)
    await turn()
    for (let index = 0; index < 2; index += 1) yard.add({ pairSeconds: 0 })
    await yard.clock.pass(1_000)
    expect(yard.times()).toEqual([0, 0, 0])
  })

  test('what a recipient has had still counts when its pace is taken away and given back', async () => {
    for (let index = 0; index < 45; index += 1) yard.add(paired)
    await yard.clock.pass(1_000)
    yard.add({ pairSeconds: 0 })
    await yard.clock.pass(1_000)
    yard.add(paired)
    await yard.clock.pass(600_000)
    expect(yard.times().slice(45)).toEqual([1, 270])
  })

  test('order per recipient is kept over waits, throttles and retries; every message has one end', async () => {
    const scopes = fc.constantFrom<'pair' | 'line' | 'message' | 'app'>('pair', 'line', 'message', 'app')
    const plan = fc.array(
      fc.record({ to: fc.nat({ max: 2 }), troubles: fc.array(scopes, { maxLength: 4 }), gap: fc.nat({ max: 3_000 }) }),
      { minLength: 1, maxLength: 15 },
    )
    await fc.assert(
      fc.asyncProperty(plan, fc.nat({ max: 800 }), async (messages, upstreamMs) => {
        const world = new Yard()
        world.upstreamMs = upstreamMs
        const troublesOf = new Map<string, readonly ('pair' | 'line' | 'message' | 'app')[]>()
        world.answer = (job, nth) => {
          const scope = troublesOf.get(job.messageId)?.[nth - 1]
          return scope ? notNow(scope) : accepted
        }
        const order = new Map<string, string[]>()
        for (const { to, troubles, gap } of messages) {
          const job = world.job({ perSecond: 4, pairSeconds: 2, recipient: recipient(to) })
          troublesOf.set(job.messageId, troubles)
          order.set(job.recipient, [...(order.get(job.recipient) ?? []), job.messageId])
          world.lane.add(job)
          await world.clock.pass(gap)
        }
        await world.clock.pass(3_600_000)
        for (const [to, ids] of order) {
          const ends = world.settled.filter(({ id }) => ids.includes(id)).map(({ id }) => id)
          expect(ends).toEqual(ids)
          // Nobody's attempt comes between two attempts of an earlier message.
          const attempts = world.left.filter(entry => entry.to === to).map(({ id }) => ids.indexOf(id))
          expect(attempts).toEqual(attempts.toSorted((one, other) => one - other))
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('a throttled line', () => {
  const to = (index: number) => ({ perSecond: 8, recipient: recipient(index) })

  test('pauses for as long as the upstream says, then runs at half its pace', async () => {
    yard.answer = (job, nth) => (job.messageId === 'm1' && nth === 1 ? notNow('line', 5_000) : accepted)
    yard.add(to(0))
    await turn()
    for (let index = 1; index <= 40; index += 1) yard.add(to(index))
    await yard.clock.pass(30_000)
    const later = yard.times().slice(1)
    expect(yard.settled).toHaveLength(41)
    expect(Math.min(...later)).toBe(5)
    expect(mostPerSecond(later)).toBe(4)
  })

  test('pauses only itself', async () => {
    const other = new Lane(yard.door)
    yard.answer = job => (job.lineId === 'line_1' ? notNow('line', 60_000) : accepted)
    yard.add(to(0))
    await turn()
    yard.add(to(1))
    other.add(yard.job({ lineId: 'line_2', ...to(2) }))
    await yard.clock.pass(1_000)
    expect(yard.left.map(({ id }) => id)).toEqual(['m1', 'm3'])
    expect(yard.pausedChannels).toEqual([])
  })

  test('without a time from the upstream it waits 1, 2, 4 … seconds', async () => {
    yard.answer = (_, nth) => (nth <= 4 ? notNow('line') : accepted)
    yard.add(to(0))
    await yard.clock.pass(60_000)
    expect(yard.times()).toEqual([0, 1, 3, 7, 15])
  })

  test('0 seconds are no time from the upstream', async () => {
    yard.answer = (_, nth) => (nth <= 4 ? notNow('line', 0) : accepted)
    yard.add(to(0))
    await yard.clock.pass(60_000)
    expect(yard.times()).toEqual([0, 1, 3, 7, 15])
  })

  test('waits 1 second again once a message was taken', async () => {
    yard.answer = (job, nth) => (nth <= (job.messageId === 'm1' ? 3 : 1) ? notNow('line') : accepted)
    yard.add(to(0))
    await yard.clock.pass(60_000)
    yard.add(to(1))
    await yard.clock.pass(60_000)
    expect(yard.times()).toEqual([0, 1, 3, 7, 60, 61])
  })

  test('what is taken while it waits had left before, and shortens no later wait', async () => {
    yard.upstreamMs = 100
    yard.answer = (job, nth) => (job.messageId === 'm1' && nth <= 2 ? notNow('line') : accepted)
    yard.add(to(0))
    await yard.clock.pass(50)
    yard.add(to(1))
    await yard.clock.pass(60_000)
    expect(yard.left.filter(({ id }) => id === 'm1').map(({ at }) => at)).toEqual([0, 1.1, 3.2])
  })

  test('runs at half its pace also when the disk lets many go at once', async () => {
    yard.answer = (job, nth) => (job.messageId === 'm1' && nth === 1 ? notNow('line', 1_000) : accepted)
    yard.add(to(0))
    await turn()
    yard.diskMs = () => Math.max(0, start + 6_000 - yard.clock.now())
    for (let index = 1; index <= 40; index += 1) yard.add(to(index))
    await yard.clock.pass(40_000)
    expect(yard.settled).toHaveLength(41)
    expect(mostPerSecond(yard.times())).toBe(4)
  })

  test('has no more announced than it lets out', async () => {
    const announced: number[] = []
    yard.diskMs = () => {
      announced.push((yard.clock.now() - start) / 1000)
      return 0
    }
    yard.answer = (job, nth) => (job.messageId === 'm1' && nth === 1 ? notNow('line', 1_000) : accepted)
    yard.add(to(0))
    await turn()
    for (let index = 1; index <= 40; index += 1) yard.add(to(index))
    await yard.clock.pass(30_000)
    expect(yard.settled).toHaveLength(41)
    expect(mostPerSecond(announced)).toBe(4)
  })

  test('half of such a wait is drawn by lot', async () => {
    const lane = new Lane({ ...yard.door, random: () => 0 })
    yard.answer = (_, nth) => (nth === 1 ? notNow('line') : accepted)
    lane.add(yard.job(to(0)))
    await yard.clock.pass(10_000)
    expect(yard.times()).toEqual([0, 0.5])
  })
})

describe('a throttled account', () => {
  test('is paused through the door, where all its lines are known, and the message is sent again', async () => {
    yard.answer = (_, nth) => (nth === 1 ? notNow('app', 7_000) : accepted)
    yard.add()
    await turn()
    expect(yard.pausedChannels).toEqual(['chan_1 7'])
  })

  test('with a queue that waits is asked ever less often, one burst at a time', async () => {
    yard.upstreamMs = 50
    yard.answer = () => notNow('app')
    for (let index = 0; index < 1_000; index += 1) yard.add({ perSecond: 80, recipient: recipient(index) })
    await yard.clock.pass(60_000)
    const begun = yard.times().filter((at, index, times) => at - (times[index - 1] ?? -1) >= 1)
    expect(begun.map(Math.round)).toEqual([0, 1, 3, 7, 15, 31])
    expect(yard.left.length).toBeLessThanOrEqual(6 * 80)
  })

  test('a paused lane lets nothing out before the pause ends, and everything after it', async () => {
    yard.lane.pause(yard.clock.now() + 7_000)
    for (let index = 0; index < 3; index += 1) yard.add({ recipient: recipient(index) })
    await yard.clock.pass(20_000)
    expect(yard.times()).toEqual([7, 7, 7])
  })
})

describe('a message that waits for the disk', () => {
  test('does not leave into a pause that began meanwhile', async () => {
    yard.diskMs = () => 2_000
    yard.add({ isDispatched: false })
    await yard.clock.pass(1_000)
    yard.lane.pause(yard.clock.now() + 9_000)
    await yard.clock.pass(60_000)
    expect(yard.times()).toHaveLength(1)
    expect(yard.times()[0]).toBeGreaterThanOrEqual(10)
  })

  test('is known by the disk not to have left while that pause lasts', async () => {
    yard.diskMs = () => 2_000
    yard.add({ isDispatched: false })
    await yard.clock.pass(1_000)
    yard.lane.pause(yard.clock.now() + 9_000)
    await yard.clock.pass(60_000)
    expect(yard.news).toEqual(['announce m1', 'defer m1', 'announce m1', 'leave m1'])
  })
})

describe('a throttled recipient', () => {
  test('waits 4^X seconds, and only messages to that recipient wait', async () => {
    yard.answer = (job, nth) => (job.messageId === 'm1' && nth <= 3 ? notNow('pair') : accepted)
    yard.add({ pairSeconds: 1 })
    yard.add({ pairSeconds: 1, recipient: recipient(1) })
    await yard.clock.pass(60_000)
    const of = (wanted: string) => yard.left.filter(({ id }) => id === wanted).map(({ at }) => at)
    expect(of('m1')).toEqual([0, 1, 5, 21])
    expect(of('m2')).toEqual([0])
  })

  test('waits 1 second again once a message to it was taken', async () => {
    yard.answer = (job, nth) => (nth <= (job.messageId === 'm1' ? 2 : 1) ? notNow('pair') : accepted)
    for (let index = 0; index < 2; index += 1) yard.add({ pairSeconds: 1 })
    await yard.clock.pass(60_000)
    expect(yard.times()).toEqual([0, 1, 5, 5, 7])
  })

  test('0 seconds are no time from the upstream', async () => {
    yard.answer = (_, nth) => (nth <= 3 ? notNow('pair', 0) : accepted)
    yard.add({ pairSeconds: 1 })
    await yard.clock.pass(60_000)
    expect(yard.times()).toEqual([0, 1, 5, 21])
  })
})

describe('a machine whose time is set back', () => {
  test('sends at its pace as before', async () => {
    for (let index = 0; index < 2; index += 1) yard.add({ perSecond: 2, recipient: recipient(index) })
    await yard.clock.pass(10_000)
    yard.clock.manual.set(-3_600_000)
    for (let index = 2; index < 4; index += 1) yard.add({ perSecond: 2, recipient: recipient(index) })
    await turn()
    expect(yard.left).toHaveLength(4)
  })

  test('pays for a burst to one recipient no longer than before', async () => {
    for (let index = 0; index < 46; index += 1) yard.add({ pairSeconds: 6 })
    await yard.clock.pass(1_000)
    yard.clock.manual.set(-3_600_000)
    await yard.clock.pass(269_000)
    expect(yard.left).toHaveLength(46)
  })
})

describe('retries and giving up', () => {
  test('a "not now" of the message is tried three times in all, with a growing wait', async () => {
    yard.answer = () => notNow('message')
    yard.add()
    await yard.clock.pass(600_000)
    expect(yard.times()).toEqual([0, 0.5, 1.5])
    expect(yard.settled).toMatchObject([{ id: 'm1', answer: { kind: 'refused', fault: { code: 2 } } }])
  })

  test('a "not now" of the message with 0 seconds waits as one without a time', async () => {
    yard.answer = () => notNow('message', 0)
    yard.add()
    await yard.clock.pass(600_000)
    expect(yard.times()).toEqual([0, 0.5, 1.5])
  })

  test('a message that is given up for the time that it should wait leaves its recipient free', async () => {
    yard.answer = job => (job.messageId === 'm1' ? notNow('message', 12 * 3_600_000) : accepted)
    yard.add({ pairSeconds: 6 })
    yard.add({ pairSeconds: 6 })
    await yard.clock.pass(60_000)
    expect(yard.settled).toMatchObject([
      { id: 'm1', answer: { kind: 'refused' } },
      { id: 'm2', answer: { kind: 'accepted' } },
    ])
  })

  test('a message that waits for its next try goes before those that came after it', async () => {
    yard.answer = (job, nth) => (job.messageId === 'm1' && nth === 1 ? notNow('message', 30_000) : accepted)
    yard.add({ pairSeconds: 6 })
    yard.add({ pairSeconds: 6 })
    await yard.clock.pass(60_000)
    expect(yard.left.map(({ id, at }) => `${id} ${at}`)).toEqual(['m1 0', 'm1 30', 'm2 30'])
  })

  test('throttles do not count as tries', async () => {
    yard.answer = (_, nth) => (nth <= 5 ? notNow('line', 1_000) : nth <= 7 ? notNow('message') : accepted)
    yard.add()
    await yard.clock.pass(600_000)
    expect(yard.settled).toMatchObject([{ answer: { kind: 'accepted' } }])
  })

  test('a recipient that is throttled for the first time waits one second, whatever was throttled before', async () => {
    yard.answer = (_, nth) => (nth <= 5 ? notNow('line', 1_000) : nth === 6 ? notNow('pair') : accepted)
    yard.add()
    await yard.clock.pass(600_000)
    expect(yard.times()).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(yard.settled).toMatchObject([{ answer: { kind: 'accepted' } }])
  })

  test('a refusal or a lost answer is the end: it is not tried again', async () => {
    for (const end of [{ kind: 'lost', why: 'reset' } as const]) {
      yard.answer = () => end
      yard.add()
      await yard.clock.pass(600_000)
      expect(yard.left).toHaveLength(1)
      expect(yard.settled).toEqual([{ id: 'm1', answer: end }])
    }
  })

  test('a message that is put off for ten minutes is given up, with what the upstream said last', async () => {
    yard.answer = () => notNow('line', 30_000)
    yard.add()
    await yard.clock.pass(3_600_000)
    expect(yard.settled).toMatchObject([{ answer: { kind: 'refused', fault: { code: 2 } } }])
    expect(yard.times().at(-1)).toBe(600)
  })

  const longWaits: readonly [name: string, scope: 'line' | 'pair', retryAfterMs: number | null][] = [
    ['the upstream asks for an hour', 'line', 3_600_000],
    ['the waits for one recipient grow past it', 'pair', null],
  ]
  test.each(longWaits)('no attempt is made after those ten minutes: %s', async (_, scope, retryAfterMs) => {
    yard.answer = () => notNow(scope, retryAfterMs)
    yard.add()
    await yard.clock.pass(24 * 3_600_000)
    expect(yard.settled).toMatchObject([{ answer: { kind: 'refused' } }])
    expect(Math.max(...yard.times())).toBeLessThanOrEqual(600)
  })

  test('nor of a message that is told to wait for less than the line waits already', async () => {
    yard.upstreamMs = 100
    yard.answer = job => notNow('line', job.messageId === 'm1' ? 3_600_000 : 1_000)
    for (let index = 0; index < 2; index += 1) yard.add({ recipient: recipient(index) })
    await yard.clock.pass(24 * 3_600_000)
    expect(yard.settled).toMatchObject([{ answer: { kind: 'refused' } }, { answer: { kind: 'refused' } }])
    expect(yard.times()).toEqual([0, 0])
  })

  test('a recipient who was throttled to the end is asked again by the next message, from one second on', async () => {
    yard.answer = (job, nth) => (job.messageId === 'm1' || nth === 1 ? notNow('pair') : accepted)
    yard.add({ pairSeconds: 1 })
    yard.add({ pairSeconds: 1 })
    await yard.clock.pass(3_600_000)
    expect(yard.settled).toMatchObject([{ answer: { kind: 'refused' } }, { id: 'm2', answer: { kind: 'accepted' } }])
    const [first = 0, second = 0] = yard.left.filter(({ id }) => id === 'm2').map(({ at }) => at)
    expect(second - first).toBe(1)
  })

  test('the end of one message is the turn of the next', async () => {
    yard.answer = job => (job.messageId === 'm1' ? notNow('message') : accepted)
    yard.add({ pairSeconds: 6 })
    yard.add({ pairSeconds: 6 })
    await yard.clock.pass(60_000)
    expect(yard.settled).toMatchObject([{ id: 'm1', answer: { kind: 'refused' } }, { id: 'm2' }])
  })
})

describe('what the disk is told', () => {
  test('a dispatched message that leaves at once is neither deferred nor announced', async () => {
    yard.add({ perSecond: 5, pairSeconds: 6 })
    await turn()
    expect(yard.news).toEqual(['leave m1'])
  })

  test('a dispatched message that has to wait is deferred once, and announced before it leaves', async () => {
    yard.add({ perSecond: 1 })
    yard.add({ perSecond: 1 })
    yard.lane.pause(yard.clock.now() + 5_000)
    await yard.clock.pass(20_000)
    expect(yard.news).toEqual(['leave m1', 'defer m2', 'announce m2', 'leave m2'])
  })

  test('a message that the disk knows as waiting is announced and never deferred', async () => {
    yard.add({ isDispatched: false })
    await turn()
    expect(yard.news).toEqual(['announce m1', 'leave m1'])
  })

  test('each "not now" is a deferral, and each further attempt is announced', async () => {
    yard.answer = (_, nth) => (nth <= 2 ? notNow('message') : accepted)
    yard.add()
    await yard.clock.pass(60_000)
    expect(yard.news).toEqual([
      'leave m1',
      'defer m1',
      'announce m1',
      'leave m1',
      'defer m1',
      'announce m1',
      'leave m1',
    ])
  })

  test('the last "not now" is no deferral: the message has its end', async () => {
    yard.answer = () => notNow('message')
    yard.add()
    await yard.clock.pass(60_000)
    expect(yard.news.filter(entry => entry === 'defer m1')).toHaveLength(2)
  })

  test('what has waited leaves with the token that the channel has when it leaves', async () => {
    for (let index = 0; index < 2; index += 1) yard.add({ perSecond: 1 })
    await turn()
    yard.token = 'another token'
    await yard.clock.pass(1_000)
    expect(yard.left.map(({ token }) => token)).toEqual(['token', 'another token'])
  })

  test('nothing leaves before the disk has said so', async () => {
    yard.diskMs = () => 2_500
    yard.add({ isDispatched: false })
    await yard.clock.pass(2_499)
    expect(yard.left).toEqual([])
    await yard.clock.pass(1)
    expect(yard.times()).toEqual([2.5])
  })
})

describe('a closed lane', () => {
  test('lets nothing out any more, keeps no timer, and still tells the end of what has left', async () => {
    yard.upstreamMs = 1_000
    yard.add({ perSecond: 1, recipient: recipient(1) })
    yard.add({ perSecond: 1, recipient: recipient(2) })
    await turn()
    yard.lane.close()
    await yard.clock.pass(60_000)
    yard.add({ perSecond: 1, recipient: recipient(3) })
    await yard.clock.pass(60_000)
    expect(yard.left.map(({ id }) => id)).toEqual(['m1'])
    expect(yard.settled.map(({ id }) => id)).toEqual(['m1'])
    expect(yard.clock.manual.pending).toBe(0)
  })

  test('what the disk has let go and has not left is deferred: the next start sends it', async () => {
    yard.diskMs = () => Math.max(0, start + 3_000 - yard.clock.now())
    for (let index = 0; index < 3; index += 1)
      yard.add({ perSecond: 1, recipient: recipient(index), isDispatched: false })
    await yard.clock.pass(3_000)
    yard.lane.close()
    expect(yard.left.map(({ id }) => id)).toEqual(['m1'])
    expect(yard.news.slice(-2)).toEqual(['defer m2', 'defer m3'])
  })

  test('and so is what the disk lets go afterwards', async () => {
    yard.diskMs = () => 2_000
    yard.add({ isDispatched: false })
    await yard.clock.pass(1_000)
    yard.lane.close()
    await yard.clock.pass(60_000)
    expect(yard.news).toEqual(['announce m1', 'defer m1'])
  })
})

describe('memory', () => {
  test('a recipient is forgotten once its debt is paid: no timer and no pace is left', async () => {
    for (let index = 0; index < 500; index += 1) yard.add({ pairSeconds: 6, recipient: recipient(index % 100) })
    await yard.clock.pass(29_999)
    expect(yard.clock.manual.pending).toBe(100)
    await yard.clock.pass(1)
    expect(yard.clock.manual.pending).toBe(0)
  })

  test('it is not forgotten before, nor while it has messages', async () => {
    for (let index = 0; index < 46; index += 1) yard.add({ pairSeconds: 6 })
    await yard.clock.pass(269_999)
    expect(yard.left).toHaveLength(45)
    await yard.clock.pass(1)
    expect(yard.left).toHaveLength(46)
    await yard.clock.pass(6_000)
    expect(yard.clock.manual.pending).toBe(0)
  })
})
