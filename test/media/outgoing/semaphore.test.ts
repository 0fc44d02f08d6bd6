import { beforeEach, expect, test } from 'bun:test'
import { Semaphore } from '../../../src/base/semaphore.ts'
import { ManualClock } from '../../clock.ts'

let clock: ManualClock
let semaphore: Semaphore
/** Who got what, in order. */
let events: string[]

beforeEach(() => {
  clock = new ManualClock()
  semaphore = new Semaphore(clock, 5)
  events = []
})

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

async function acquire(name: string, amount: number) {
  void semaphore.acquire(amount).then(isAcquired => events.push(isAcquired ? name : `not ${name}`))
  await turn()
}

async function release(amount: number) {
  semaphore.release(amount)
  await turn()
}

test('no more than the limit is held at once', async () => {
  for (const name of ['a', 'b', 'c']) await acquire(name, 2)
  expect(events).toEqual(['a', 'b'])
  await release(2)
  expect(events).toEqual(['a', 'b', 'c'])
})

test('a large amount is not passed by small ones', async () => {
  await acquire('a', 2)
  await acquire('large', 5)
  await acquire('small', 1)
  expect(events).toEqual(['a'])
  await release(2)
  expect(events).toEqual(['a', 'large'])
  await release(5)
  expect(events).toEqual(['a', 'large', 'small'])
})

test('a wait ends after 20 seconds without anything, and makes way for the next', async () => {
  await acquire('a', 4)
  await acquire('large', 5)
  clock.advance(10_000)
  await acquire('small', 1)
  clock.advance(9_999)
  await turn()
  expect(events).toEqual(['a'])
  clock.advance(1)
  await turn()
  expect(events).toEqual(['a', 'not large', 'small'])
  expect(clock.pending).toBe(0)
})
