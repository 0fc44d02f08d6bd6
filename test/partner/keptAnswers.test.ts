import { expect, test } from 'bun:test'
import { KeptAnswers } from '../../src/partner/keptAnswers.ts'

const blob = (bytes: number) => new Blob(['x'.repeat(bytes)])

test('where the room is short, the oldest of who has the most goes, and what others have is kept', () => {
  const kept = new KeptAnswers(100)
  kept.keep('ws_small', 'a', blob(10))
  for (const tag of ['a', 'b', 'c']) kept.keep('ws_large', tag, blob(40))
  expect(['a', 'b', 'c'].map(tag => kept.get('ws_large', tag)?.size)).toEqual([undefined, 40, 40])
  expect(kept.get('ws_small', 'a')?.size).toBe(10)
})

test('an answer that has no room at all is not kept, and costs nobody else theirs', () => {
  const kept = new KeptAnswers(100)
  kept.keep('ws_small', 'a', blob(10))
  kept.keep('ws_large', 'a', blob(101))
  expect([kept.get('ws_small', 'a')?.size, kept.get('ws_large', 'a')]).toEqual([10, undefined])
  // The room is counted right afterwards.
  kept.keep('ws_large', 'a', blob(90))
  expect([kept.get('ws_small', 'a')?.size, kept.get('ws_large', 'a')?.size]).toEqual([10, 90])
})

test('of one workspace the four that were used last stay, and one that is kept again counts once', () => {
  const kept = new KeptAnswers(100)
  for (const tag of ['a', 'b', 'c', 'd']) kept.keep('ws_1', tag, blob(1))
  kept.get('ws_1', 'a')
  kept.keep('ws_1', 'e', blob(1))
  expect(['a', 'b', 'e'].map(tag => kept.get('ws_1', tag)?.size)).toEqual([1, undefined, 1])
  for (let time = 0; time < 100; time += 1) kept.keep('ws_1', 'e', blob(1))
  expect(kept.get('ws_1', 'a')?.size).toBe(1)
})
