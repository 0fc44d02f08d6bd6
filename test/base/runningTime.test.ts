import { describe, expect, test } from 'bun:test'
import { DatabaseClock } from '../../src/base/databaseClock.ts'
import { dayMs, hourMs, minuteMs } from '../../src/base/durations.ts'
import { RunningTime } from '../../src/base/runningTime.ts'
import { ManualClock } from '../clock.ts'

const jumpMs = 25 * hourMs

describe('what was made is as old as the lesser of the time and the time that has run', () => {
  const start = () => {
    const clock = new ManualClock()
    const made = clock.now()
    /** Whether something made at a moment, by default at the start, is over. */
    const isOver = (at = made, ms = dayMs) => at < clock.ago(ms)
    return { clock, made, isOver }
  }

  test('while nothing jumps, it is as the time says', () => {
    const { clock } = start()
    clock.ago(1)
    clock.advance(3 * dayMs)
    expect(clock.ago(dayMs)).toBe(clock.now() - dayMs)
    expect(clock.ago(300 * dayMs)).toBe(clock.now() - 300 * dayMs)
  })

  test('a time that jumps ahead lets nothing expire, and what has run counts', () => {
    const { clock, made, isOver } = start()
    clock.advance(hourMs)
    clock.set(jumpMs)
    expect(isOver()).toBe(false)
    clock.advance(22 * hourMs)
    expect([isOver(), isOver(made - 3 * hourMs)]).toEqual([false, true])
    clock.advance(hourMs + 1)
    expect(isOver()).toBe(true)
  })

  test('what is made while it is ahead lasts as long as any', () => {
    const { clock, isOver } = start()
    clock.set(jumpMs)
    clock.ago(dayMs)
    const made = clock.now()
    clock.advance(dayMs)
    expect(isOver(made)).toBe(false)
    clock.advance(1)
    expect(isOver(made)).toBe(true)
  })

  test('ahead and back, at any moment between: nothing expires before its time', () => {
    const { clock, isOver } = start()
    for (const step of [minuteMs, hourMs, 20 * hourMs]) {
      clock.set(jumpMs)
      expect(isOver()).toBe(false)
      clock.advance(step)
      expect(isOver()).toBe(false)
      clock.set(-jumpMs)
      expect(isOver()).toBe(false)
    }
    clock.advance(3 * hourMs)
    expect(isOver()).toBe(true)
  })

  test('a time that is set back keeps what is there until the time says so, too', () => {
    const { clock, isOver } = start()
    clock.advance(hourMs)
    clock.set(-jumpMs)
    clock.advance(dayMs)
    expect(isOver()).toBe(false)
    clock.advance(dayMs + 1)
    expect(isOver()).toBe(true)
  })

  test('small corrections add up, and are no jump', () => {
    const clock = new ManualClock()
    const running = new RunningTime(clock)
    const made = clock.now()
    for (let times = 0; times < 1_000; times += 1) {
      clock.set(minuteMs / 60)
      clock.advance(minuteMs)
      running.ago(hourMs)
    }
    expect(running.takeJumps()).toEqual([])
    expect(made < running.ago(1_000 * minuteMs + 10_000)).toBe(false)
    expect(made < running.ago(1_000 * minuteMs - 10_000)).toBe(true)
  })
})

test('each jump is told once, with its direction', () => {
  const clock = new ManualClock()
  const running = new RunningTime(clock)
  expect(running.takeJumps()).toEqual([])
  clock.set(jumpMs)
  expect(running.takeJumps()).toEqual([{ at: clock.now(), byMs: jumpMs }])
  clock.advance(hourMs)
  clock.set(-jumpMs)
  clock.advance(1_000)
  expect(running.takeJumps()).toEqual([{ at: clock.now(), byMs: -jumpMs }])
  expect(running.takeJumps()).toEqual([])
})

test('of a database, its time counts from its first answer on: that of the machine does not', () => {
  const machine = new ManualClock()
  const clock = new DatabaseClock(machine)
  const hear = (aheadMs: number) => clock.heard(machine.now() + aheadMs, machine.steady())
  hear(-jumpMs)
  const made = clock.now()
  machine.set(jumpMs)
  hear(-jumpMs)
  expect(made < clock.ago(dayMs)).toBe(false)
  machine.advance(dayMs + 1)
  hear(-jumpMs)
  expect(made < clock.ago(dayMs)).toBe(true)
})
