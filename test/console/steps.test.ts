import { expect, test } from 'bun:test'
import { timelineSteps } from '../../src/console/web/pages/messages/steps.ts'

const at = (second: number, event: string) => ({
  event,
  at: new Date(Date.UTC(2026, 0, 31) + second * 1_000).toISOString(),
})
const shown = (...timeline: ReturnType<typeof at>[]) =>
  timelineSteps(timeline).map(({ entry, afterSeconds, attempt }) => [entry.event, afterSeconds, attempt])

test('a message that was taken at once has no attempts to count, and no waits', () => {
  expect(shown(at(0, 'queued'), at(0.2, 'dispatched'), at(0.4, 'accepted'), at(3, 'delivered'))).toEqual([
    ['queued', null, null],
    ['dispatched', 0.2, null],
    ['accepted', 0.2, null],
    ['delivered', 2.6, null],
  ])
})

test('a clock of the platform that is behind turns no time around', () => {
  expect(shown(at(1.4, 'accepted'), at(1, 'delivered'))).toEqual([
    ['accepted', null, null],
    ['delivered', 0, null],
  ])
})

test('each answer ends an attempt, and the wait before the next one is told', () => {
  expect(shown(at(0, 'queued'), at(1, 'deferred'), at(31, 'deferred'), at(91, 'refused'))).toEqual([
    ['queued', null, null],
    ['deferred', 1, 1],
    ['deferred', 30, 2],
    ['refused', 60, 3],
  ])
})
