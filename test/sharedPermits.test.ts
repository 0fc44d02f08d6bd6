import { expect, test } from 'bun:test'
import { SharedPermits } from '../src/base/sharedPermits.ts'

/** @returns how many permits a workspace gets that takes all it can */
function takeAll(permits: SharedPermits, workspaceId: string): number {
  let count = 0
  for (; permits.hasFor(workspaceId); count += 1) permits.take(workspaceId)
  return count
}

test('a workspace takes at most as many permits as are left, so that there are some for the next one', () => {
  const permits = new SharedPermits(400)
  const got = ['ws_1', 'ws_2', 'ws_3'].map(workspaceId => takeAll(permits, workspaceId))
  expect(got).toEqual([200, 100, 50])
  expect(permits.hasFor('ws_4')).toBe(true)
})

test('of few, a workspace has a bound of its own, and the workspaces of several owners leave one', () => {
  const permits = new SharedPermits(16, 4)
  const got = Array.from({ length: 5 }, (_, index) => takeAll(permits, `ws_${index}`))
  expect(got).toEqual([4, 4, 4, 2, 1])
  expect(permits.hasFor('ws_of_another')).toBe(true)
})

test('several at once leave one for the next workspace, too, and count against the bound of their own', () => {
  const permits = new SharedPermits(200, 100)
  expect([101, 100].map(count => permits.hasFor('ws_1', count))).toEqual([false, true])
  permits.take('ws_1', 100)
  expect([permits.hasFor('ws_1'), permits.hasFor('ws_2', 51), permits.hasFor('ws_2', 50)]).toEqual([false, false, true])
  permits.take('ws_2', 50)
  permits.giveBack('ws_1', 100)
  expect([permits.taken, permits.hasFor('ws_1', 75), permits.hasFor('ws_1', 76)]).toEqual([50, true, false])
})

test('what is given back is shared anew', () => {
  const permits = new SharedPermits(8)
  expect([takeAll(permits, 'ws_1'), takeAll(permits, 'ws_2')]).toEqual([4, 2])
  permits.giveBack('ws_1')
  expect([permits.hasFor('ws_1'), permits.hasFor('ws_2')]).toEqual([false, true])
  expect(permits.taken).toBe(5)
})
