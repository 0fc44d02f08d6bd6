import { expect, test } from 'bun:test'
import { emptyLedger, type Row } from '../rig/ledger.ts'
import type { Arrival } from '../rig/platform.ts'
import { densest, inTime, paceViolations } from './pace.ts'

const line = { id: 'line_1', owner: 'unlimited', upstreamPhoneId: '1', perSecond: 3 } as const
const arrivedAt = (at: number, messageId = `msg_${at}`): Arrival => ({
  at,
  line: '1',
  messageId,
  ...{ tag: 'order-1', quotes: null, mediaId: null, wamid: undefined },
  outcome: 'accepted',
  code: undefined,
})
const found = (times: readonly number[], toleranceMs: number, seconds = 1) => [
  ...paceViolations(
    [line],
    times.map(at => arrivedAt(at)),
    { seconds, toleranceMs },
  ),
]

test('the fullest second is any second, not one of the clock', () => {
  expect(densest([0, 900, 950, 1_000, 1_800, 1_999], 1_000)).toEqual({ count: 4, from: 900 })
  expect(densest([], 1_000).count).toBe(0)
})

test('one message too many in a second is found', () => {
  expect(found([0, 10, 20, 1_000], 0)).toEqual([])
  expect(found([0, 10, 20, 999], 0)).toHaveLength(1)
})

test('a message that is late on its way by the tolerance, and no more, is none too many', () => {
  expect(found([200, 210, 220, 1_000], 250)).toEqual([])
  expect(found([300, 310, 320, 1_000], 250)).toHaveLength(1)
  expect(found([300, 310, 320, 330], 1_000)).toEqual([])
})

test('what goes on for seconds is found, however late each may be', () => {
  const times = (gapMs: number) => Array.from({ length: 40 }, (_, at) => at * gapMs)
  expect(found(times(334), 1_000, 4)).toEqual([])
  expect(found(times(200), 1_000, 4)).toHaveLength(1)
})

test('only what was handed over before a sleep, and arrived after it, left at another time', () => {
  const row = (dispatchedAt: number) => ({ dispatchedAt }) as Row
  const ledger = {
    ...emptyLedger,
    messages: new Map([
      ['before', row(90)],
      ['during', row(150)],
    ]),
  }
  const arrivals = [arrivedAt(95, 'before'), arrivedAt(205, 'before'), arrivedAt(205, 'during')]
  const left = inTime(arrivals, ledger, [{ from: 100, to: 200 }])
  expect(left).toEqual([arrivedAt(95, 'before'), arrivedAt(205, 'during')])
})
