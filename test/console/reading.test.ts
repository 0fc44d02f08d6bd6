import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { ManualClock } from '../clock.ts'

// Not by a static import: browser code is type-checked by itself.
const { createReading, readMs } = await import(
  resolve(import.meta.dir, '../../src/console/web/pages/conversations/reading.ts')
)

/** Lets a promise that is resolved already be seen. */
const turn = () => new Promise<void>(resolve => setImmediate(resolve))

/** @param unread numbers of what is unread, and `shown`: which of them stand on the screen */
const marks = (unread: readonly number[], shown: readonly number[] = unread) =>
  unread.map(upTo => ({ id: `message ${upTo}`, upTo, isShown: shown.includes(upTo) }))

function reader() {
  const clock = new ManualClock()
  const told: number[] = []
  const state = { isDown: false }
  const reading = createReading(clock, async (upTo: number) => {
    told.push(upTo)
    return !state.isDown
  })
  return {
    ...{ told, state, end: () => reading.end(), allRead: (upTo: number) => reading.allRead(upTo) },
    async looks(unread: ReturnType<typeof marks> | null, ms: number) {
      reading.look(unread)
      clock.advance(ms)
      await turn()
    },
  }
}

test('what stood on the screen for a while is read, and what somebody only passed is not', async () => {
  const { told, looks, end } = reader()
  await looks(marks([5]), readMs - 1)
  await looks(null, readMs)
  await looks(marks([5]), readMs - 1)
  expect(told).toEqual([])
  await looks(marks([5]), 1)
  expect(told).toEqual([5])
  await looks(marks([6]), readMs - 1)
  end()
  await looks(null, readMs)
  expect(told).toEqual([5])
})

test('words that come one after the other are each read after their while', async () => {
  const { told, looks } = reader()
  for (const unread of [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]) await looks(marks(unread), readMs / 2)
  expect(told).toEqual([1, 2, 3])
})

test('what never stood on the screen stays unread, and so does what came after it', async () => {
  const { told, looks } = reader()
  const unread = [1, 2, 3, 4, 5]
  await looks(marks(unread, [4, 5]), 2 * readMs)
  expect(told).toEqual([])
  await looks(marks(unread, [1, 2]), readMs)
  expect(told).toEqual([2])
  await looks(marks([3, 4, 5], [3]), readMs)
  expect(told).toEqual([2, 5])
})

test('a page that stands open overrules nobody who marks it as unread', async () => {
  const { told, looks } = reader()
  await looks(marks([5]), readMs)
  await looks(marks([]), readMs)
  await looks(marks([5]), 2 * readMs)
  expect(told).toEqual([5])
  const other = reader()
  other.allRead(5)
  await other.looks(marks([]), 0)
  await other.looks(marks([5]), 2 * readMs)
  expect(other.told).toEqual([])
})

test('what could not be told is told at the next look', async () => {
  const { told, looks, state } = reader()
  state.isDown = true
  await looks(marks([5]), 3 * readMs)
  expect(told).toEqual([5])
  state.isDown = false
  await looks(marks([5]), readMs)
  expect(told).toEqual([5, 5])
})
