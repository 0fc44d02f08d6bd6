import { beforeEach, expect, test } from 'bun:test'
import { Room } from '../../src/media/room.ts'
import { ManualClock } from '../clock.ts'

let clock: ManualClock
let room: Room
/** Who was told what, in order. */
let told: string[]

beforeEach(() => {
  clock = new ManualClock()
  room = new Room(clock, { max: 10, shareMax: 5 })
  told = []
})

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

/** Asks for so much, as the channel that the name begins with. */
async function ask(name: string, amount: number) {
  void room.take(name.slice(0, 1), amount).then(isTaken => told.push(isTaken ? name : `not ${name}`))
  await turn()
}

async function give(channelId: string, amount: number) {
  room.give(channelId, amount)
  await turn()
}

test('a channel takes no more than its share, and leaves the rest to the others', async () => {
  for (const name of ['a1', 'a2', 'a3', 'b1']) await ask(name, name === 'b1' ? 5 : 3)
  expect(told).toEqual(['a1', 'b1'])
  await give('a', 3)
  expect(told).toEqual(['a1', 'b1', 'a2'])
})

test('of one channel, a large amount is not passed by small ones', async () => {
  for (const name of ['a1', 'a2']) await ask(name, 2)
  await ask('a large', 5)
  for (const name of ['a3', 'a4']) await ask(name, 1)
  expect(told).toEqual(['a1', 'a2'])
  await give('a', 2)
  await give('a', 2)
  expect(told).toEqual(['a1', 'a2', 'a large'])
})

test('channels have their turns one after the other, however many wait of one', async () => {
  await ask('x', 5)
  await ask('y', 5)
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) await ask(name, 2)
  await give('x', 5)
  await give('y', 5)
  expect(told).toEqual(['x', 'y', 'a1', 'b1', 'c1', 'a2'])
})

test('an amount that does not fit yet holds back no other channel', async () => {
  await ask('x', 5)
  await ask('y', 3)
  await ask('a large', 5)
  await ask('b', 2)
  expect(told).toEqual(['x', 'y', 'b'])
})

test('who gets none within 20 seconds is told so, and makes way for the next', async () => {
  await ask('a1', 4)
  await ask('a large', 5)
  clock.advance(10_000)
  await ask('a small', 1)
  clock.advance(9_999)
  await turn()
  expect(told).toEqual(['a1'])
  clock.advance(1)
  await turn()
  expect(told).toEqual(['a1', 'not a large', 'a small'])
  expect(clock.pending).toBe(0)
})
