import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { ManualClock } from '../clock.ts'

// Not by a static import: browser code is type-checked by itself.
const { createReading, readMs } = await import(
  resolve(import.meta.dir, '../../src/console/web/pages/conversations/reading.ts')
)

/** Lets a promise that is resolved already be seen. */
const turn = () => new Promise<void>(resolve => setImmediate(resolve))

function reader() {
  const clock = new ManualClock()
  const told: number[] = []
  const state = { isDown: false }
  const reading = createReading(clock, async (upTo: number) => {
    told.push(upTo)
    return !state.isDown
  })
  return {
    ...{ told, state, end: () => reading.end() },
    async looks(seen: { upTo: number; unread: number } | null, ms: number) {
      reading.look(seen)
      clock.advance(ms)
      await turn()
    },
  }
}

test('what stood on the screen for a while is read, and what somebody only passed is not', async () => {
  const { told, looks, end } = reader()
  await looks({ upTo: 5, unread: 1 }, readMs - 1)
  await looks(null, readMs)
  await looks({ upTo: 5, unread: 1 }, readMs - 1)
  expect(told).toEqual([])
  await looks({ upTo: 5, unread: 1 }, 1)
  expect(told).toEqual([5])
  await looks({ upTo: 6, unread: 1 }, readMs - 1)
  end()
  await looks(null, readMs)
  expect(told).toEqual([5])
})

test('words that come one after the other are each read after their while', async () => {
  const { told, looks } = reader()
  for (let upTo = 1; upTo <= 4; upTo += 1) await looks({ upTo, unread: upTo }, readMs / 2)
  expect(told).toEqual([1, 2, 3])
})

test('a page that stands open overrules nobody who marks it as unread', async () => {
  const { told, looks } = reader()
  await looks({ upTo: 5, unread: 1 }, readMs)
  await looks({ upTo: 5, unread: 0 }, readMs)
  await looks({ upTo: 5, unread: 1 }, 2 * readMs)
  expect(told).toEqual([5])
  const other = reader()
  await other.looks({ upTo: 5, unread: 0 }, 0)
  await other.looks({ upTo: 5, unread: 1 }, 2 * readMs)
  expect(other.told).toEqual([])
})

test('what could not be told is told at the next look', async () => {
  const { told, looks, state } = reader()
  state.isDown = true
  await looks({ upTo: 5, unread: 1 }, 3 * readMs)
  expect(told).toEqual([5])
  state.isDown = false
  await looks({ upTo: 5, unread: 1 }, 0)
  await looks({ upTo: 5, unread: 1 }, readMs)
  expect(told).toEqual([5, 5])
})
