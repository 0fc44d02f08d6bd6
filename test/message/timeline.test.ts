import { expect, test } from 'bun:test'
import { wholeTimeline } from '../../src/message/timeline.ts'

const createdAt = Date.UTC(2026, 0, 1) + 350

/** @returns an entry of so many milliseconds after the second of the acceptance */
const entry = (kind: string, ms: number, recordedMs = ms) => ({
  kind,
  at: createdAt - 350 + ms,
  recordedAt: createdAt - 350 + recordedMs,
  detail: null,
})
const kinds = (...recorded: ReturnType<typeof entry>[]) =>
  wholeTimeline({ createdAt, dueAt: null }, recorded).map(({ kind }) => kind)

test('callbacks of whole seconds stand after the acceptance and the answer that they overtook', () => {
  const told = [entry('payment.captured', 0, 370), entry('delivered', 0, 380), entry('read', 0, 385)]
  const recorded = [...told, entry('sent', 0, 390), entry('accepted', 400)]
  expect(kinds(...recorded)).toEqual(['queued', 'accepted', 'sent', 'delivered', 'read', 'payment.captured'])
})

test('over seconds the times decide', () => {
  const recorded = [entry('failed', 4_000), entry('deferred', 900), entry('accepted', 2_500), entry('sent', 3_000)]
  expect(kinds(...recorded)).toEqual(['queued', 'deferred', 'accepted', 'sent', 'failed'])
})

test('the acceptance is always first, also beside a callback whose clock is behind', () => {
  expect(kinds(entry('sent', -3_000, 500), entry('accepted', 400))).toEqual(['queued', 'sent', 'accepted'])
})
