import { expect, test } from 'bun:test'
import { keepReserve } from '../../../db/sqlite/reserve.ts'
import type { VerbAnswer, VerbCall } from '../../../src/threads/protocol.ts'

const send: VerbCall = { id: 1, verb: 'acceptMessage', argument: {} }
const signIn: VerbCall = { id: 2, verb: 'openSession', argument: { authorship: {} } }
const code: VerbCall = { id: 3, verb: 'consumeTotp', argument: {} }

/** A disk with or without room, and what was asked of it. */
function setUp() {
  const disk = { isFull: false, isReserved: false, now: 0, asked: [] as number[] }
  const reserve = {
    hold: () => (disk.isReserved = !disk.isFull),
    giveUp() {
      const had = disk.isReserved
      disk.isReserved = false
      return had
    },
  }
  // The room of the reserve lasts as long as it is given up.
  const commit = async (batch: readonly VerbCall[]): Promise<VerbAnswer[]> => {
    disk.asked.push(...batch.map(({ id }) => id))
    const fails = disk.isFull && disk.isReserved
    const failure = { ok: false, unavailable: true, message: 'SQLITE_FULL database or disk is full' } as const
    return batch.map(({ id }) => (fails ? { id, ...failure } : { id, ok: true, value: null }))
  }
  const kept = keepReserve(commit, reserve, () => disk.now)
  const done = async (...batch: VerbCall[]) => {
    const answers = await kept(batch)
    return answers.filter(({ ok }) => ok).map(({ id }) => id)
  }
  return { disk, done }
}

test('a send that finds no room leaves the reserve alone', async () => {
  const { disk, done } = setUp()
  expect(await done(send, signIn)).toEqual([1, 2])
  disk.isFull = true
  expect(await done(send)).toEqual([])
  expect(disk.isReserved).toBe(true)
})

test('a person gets its room; from then on nothing else is written, until the disk has it again', async () => {
  const { disk, done } = setUp()
  disk.isFull = true
  expect(await done(send, signIn)).toEqual([2])
  disk.asked.length = 0
  expect(await done(send, code)).toEqual([3])
  expect(disk.asked).toEqual([3])
  disk.isFull = false
  expect(await done(send)).toEqual([])
  disk.now += 1_000
  expect(await done(send, signIn)).toEqual([1, 2])
  expect(disk.isReserved).toBe(true)
})

test('a start without room for it takes no sends, and people find what there is', async () => {
  const { disk } = setUp()
  disk.isFull = true
  const none = { hold: () => false, giveUp: () => false }
  const kept = keepReserve(
    async batch => batch.map(({ id }) => ({ id, ok: true, value: null })),
    none,
    () => 0,
  )
  const answers = await kept([send, signIn])
  expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
    [2, true],
    [1, false],
  ])
})
