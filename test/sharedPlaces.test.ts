import { expect, test } from 'bun:test'
import { SharedPlaces } from '../src/base/sharedPlaces.ts'

/** @returns how many places a workspace gets that takes all it can */
function takeAll(places: SharedPlaces, workspaceId: string): number {
  let count = 0
  for (; places.hasFor(workspaceId); count += 1) places.take(workspaceId)
  return count
}

test('a workspace takes at most as many places as are left, so that there are some for the next one', () => {
  const places = new SharedPlaces(400)
  const got = ['ws_1', 'ws_2', 'ws_3'].map(workspaceId => takeAll(places, workspaceId))
  expect(got).toEqual([200, 100, 50])
  expect(places.hasFor('ws_4')).toBe(true)
})

test('what is given back is shared anew', () => {
  const places = new SharedPlaces(8)
  expect([takeAll(places, 'ws_1'), takeAll(places, 'ws_2')]).toEqual([4, 2])
  places.giveBack('ws_1')
  expect([places.hasFor('ws_1'), places.hasFor('ws_2')]).toEqual([false, true])
  expect(places.taken).toBe(5)
})
