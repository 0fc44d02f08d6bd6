import { describe, expect, test } from 'bun:test'
import { GatewayError } from '../../src/base/errors.ts'
import { type TurnReader, Turns } from '../../src/reading/turns.ts'
import { ManualClock } from '../clock.ts'

const reader = (id: string, group = 'ws_1'): TurnReader => ({ id, group })
const isSending = () => true
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))
const reasonOf = (error: unknown) => (error instanceof GatewayError ? error.reason : error)

describe('turns', () => {
  /** Takes a turn, works for so long, and says so. */
  function working(turns: Turns, clock: ManualClock, done: string[]) {
    return async (name: string, group: string, ms = 0) => {
      await turns.take(reader(name, group))
      done.push(name)
      clock.advance(ms)
    }
  }

  test('after one, nobody has one for three times as long', async () => {
    const clock = new ManualClock()
    const turns = new Turns(clock, isSending)
    const done: string[] = []
    const work = working(turns, clock, done)
    void work('first', 'ws_1', 4)
    void work('second', 'ws_1')
    await nextTurn()
    clock.advance(11)
    await nextTurn()
    expect(done).toEqual(['first'])
    clock.advance(1)
    await nextTurn()
    expect(done).toEqual(['first', 'second'])
    expect(clock.pending).toBe(0)
  })

  test('groups take turns: one read of another does not wait for all of the first', async () => {
    const clock = new ManualClock()
    const turns = new Turns(clock, isSending)
    const done: string[] = []
    const work = working(turns, clock, done)
    const many = Array.from({ length: 5 }, (_, at) => work(`a${at}`, 'ws_a'))
    await Promise.all([...many, work('b', 'ws_b'), work('c', 'ws_c')])
    expect(done).toEqual(['a0', 'a1', 'b', 'c', 'a2', 'a3', 'a4'])
  })

  test('while nothing is sent, who reads alone needs no pause; who reads with others has one', async () => {
    const clock = new ManualClock()
    let isSendingNow = false
    const turns = new Turns(clock, () => isSendingNow)
    const done: string[] = []
    const work = working(turns, clock, done)
    for (const name of ['first', 'second']) {
      await work(name, 'ws_1', 4)
      await nextTurn()
    }
    expect(done).toEqual(['first', 'second'])
    isSendingNow = true
    void work('third', 'ws_1', 4)
    isSendingNow = false
    void work('fourth', 'ws_1', 4)
    await nextTurn()
    expect(done).toHaveLength(2)
    clock.advance(12)
    await nextTurn()
    expect(done).toHaveLength(3)
    clock.advance(12)
    await nextTurn()
    clock.advance(12)
    expect(done).toEqual(['first', 'second', 'third', 'fourth'])
    expect(clock.pending).toBe(0)
  })

  test('nor has who asks for the next step before the end of one', async () => {
    const clock = new ManualClock()
    let isSendingNow = false
    const turns = new Turns(clock, () => isSendingNow)
    let taken = 0
    const steps = async () => {
      for (; taken < 3; taken += 1) {
        await turns.take(reader('ada'))
        clock.advance(4)
      }
    }
    void steps()
    await nextTurn()
    isSendingNow = true
    await nextTurn()
    expect([taken, clock.pending]).toEqual([2, 1])
  })

  /** Two readers of which the first has a turn and holds it for the database. */
  async function held() {
    const clock = new ManualClock()
    const turns = new Turns(clock, isSending)
    const database = Promise.withResolvers<void>()
    const turn = await turns.take(reader('first'))
    turn.hold(database.promise)
    let hasSecond = false
    void turns.take(reader('second')).then(() => {
      hasSecond = true
    })
    const after = async (ms: number) => {
      clock.advance(ms)
      await nextTurn()
      await nextTurn()
      return hasSecond
    }
    await after(0)
    return { clock, turn, answer: database.resolve, after }
  }

  test('one goes on while the database is waited for, and what follows is as long as that', async () => {
    const { clock, turn, answer, after } = await held()
    expect(await after(20)).toBe(false)
    expect(turn.isOver).toBe(false)
    answer()
    expect(await after(0)).toBe(false)
    expect(turn.isOver).toBe(true)
    expect(await after(19)).toBe(false)
    expect(await after(1)).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('one that the database does not answer ends after a quarter of a second', async () => {
    const { turn, answer, after } = await held()
    expect([await after(249), turn.isOver]).toEqual([false, false])
    expect([await after(1), turn.isOver]).toEqual([false, true])
    answer()
    expect(await after(249)).toBe(false)
    expect(await after(1)).toBe(true)
  })

  test('one counts as longer by what it owes', async () => {
    const clock = new ManualClock()
    const turns = new Turns(clock, isSending)
    const first = await turns.take(reader('first'))
    first.owe(4)
    const second = turns.take(reader('second'))
    await nextTurn()
    expect(clock.pending).toBe(1)
    clock.advance(11)
    expect(clock.pending).toBe(1)
    clock.advance(1)
    expect((await second).isOver).toBe(false)
  })

  test('RATE_LIMIT_EXCEEDED: 50 new reads of a user wait, and no more; steps of what has begun always do', async () => {
    const turns = new Turns(new ManualClock(), isSending)
    const begun = Array.from({ length: 52 }, () => turns.begin(reader('ada')).catch(reasonOf))
    const step = turns.take(reader('ada'))
    const other = turns.begin(reader('grace')).catch(reasonOf)
    const outcomes = await Promise.all(begun)
    // The first has its turn at once.
    expect(outcomes.filter(outcome => outcome === 'RATE_LIMIT_EXCEEDED')).toHaveLength(1)
    expect([(await step).isOver, await other]).toEqual([false, expect.objectContaining({ isOver: false })])
  })
})
