import { describe, expect, test } from 'bun:test'
import { DatabaseClock } from '../../src/base/databaseClock.ts'
import { hourMs } from '../../src/base/durations.ts'
import { ManualClock } from '../clock.ts'

const databaseAhead = 90_000_000

function start() {
  const machine = new ManualClock()
  const clock = new DatabaseClock(machine)
  /** The database is asked, and looks at its clock after `lookMs` of the `tookMs` that its answer takes. */
  const ask = (ahead: number, { lookMs = 0, tookMs = 0 } = {}) => {
    const askedAt = machine.steady()
    const now = machine.now() + ahead + lookMs
    machine.advance(tookMs)
    clock.heard(now, askedAt)
  }
  return { machine, clock, ask, ahead: () => clock.now() - machine.now() }
}

describe('the time of the database', () => {
  test('is that of the machine until it has said its own', () => {
    const { clock, ask, machine } = start()
    expect([clock.now(), clock.aheadMs]).toEqual([machine.now(), null])
    ask(databaseAhead)
    expect([clock.now(), clock.aheadMs]).toEqual([machine.now() + databaseAhead, -databaseAhead])
  })

  test('goes on with the steady clock, whatever the machine is set to', () => {
    const { clock, ask, machine } = start()
    ask(databaseAhead)
    const before = clock.now()
    machine.set(-hourMs)
    machine.advance(1_000)
    expect(clock.now()).toBe(before + 1_000)
    expect(clock.aheadMs).toBe(-databaseAhead - hourMs)
  })

  test('is at first taken from the middle of the time that the answer took', () => {
    const { ask, ahead } = start()
    ask(0, { lookMs: 100, tookMs: 1_000 })
    expect(ahead()).toBe(-400)
  })

  test('stays as it is while an answer may agree with it', () => {
    const { ask, ahead } = start()
    ask(0, { lookMs: 1, tookMs: 2 })
    const first = ahead()
    for (const lookMs of [0, 200, 399, 400]) {
      ask(0, { lookMs, tookMs: 400 })
      expect(ahead()).toBe(first)
    }
  })

  test('is moved by an answer that cannot agree with it, no further than is sure', () => {
    const { ask, ahead } = start()
    ask(0, { tookMs: 2_000 })
    expect(ahead()).toBe(-1_000)
    ask(0, { lookMs: 5, tookMs: 20 })
    expect(ahead()).toBe(-15)
    // A server that took over, whose clock is another one.
    ask(-databaseAhead, { lookMs: 5, tookMs: 20 })
    expect(ahead()).toBe(-databaseAhead + 6)
    ask(databaseAhead, { lookMs: 5, tookMs: 20 })
    expect(ahead()).toBe(databaseAhead - 15)
  })
})
