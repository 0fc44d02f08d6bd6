import { expect, test } from 'bun:test'
import { capacityOf } from '../../src/webhooks/places.ts'

const delivery = (durationMs: number, status: number | null = 200) => ({
  attempts: [{ at: 0, durationMs, status, error: status === null ? 'no answer' : null, answer: null }],
})

test.each([
  ['nothing was tried yet', [], null],
  ['64 at once', [delivery(61), delivery(60), delivery(900)], { medianMs: 61, perSecond: 1_050 }],
  ['a fifth fails', [delivery(50, 500), ...Array(4).fill(delivery(50))], { medianMs: 50, perSecond: 1_280 }],
  [
    'two at once where more fails',
    [delivery(100, 500), delivery(100), delivery(100)],
    { medianMs: 100, perSecond: 20 },
  ],
  ['what hangs', [delivery(15_000, null)], { medianMs: 15_000, perSecond: 1 }],
  ['no more than a gateway delivers', [delivery(0)], { medianMs: 0, perSecond: 4_000 }],
])('what an endpoint can take: %s', (_, last, capacity) => {
  expect(capacityOf(last)).toEqual(capacity)
})
