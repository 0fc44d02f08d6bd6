import { expect, test } from 'bun:test'
import { countsOf, dayOf } from '../../src/message/counts.ts'
import { apply, type MessageEvent } from '../../src/message/state.ts'
import { newRecord } from '../sending/newRecord.ts'

const t0 = Date.UTC(2026, 0, 31, 23, 59, 59)
const report = (status: 'sent' | 'delivered' | 'read' | 'failed', afterMs: number): MessageEvent => ({
  kind: 'reported',
  status,
  at: t0 + afterMs,
  channelMessageId: 'wamid.1',
  reason: status === 'failed' ? '131026: Message undeliverable' : null,
})
const accepted: MessageEvent = { kind: 'accepted', at: t0 + 100, channelMessageId: 'wamid.1', waId: null }
const refused = (reason: string): MessageEvent => ({ kind: 'refused', at: t0 + 100, reason })

test.each<[what: string, events: MessageEvent[], counts: string[]]>([
  ['a message that waits is not counted yet', [], []],
  ['one that was handed over neither', [{ kind: 'dispatched', at: t0 }], []],
  ['a sent one', [accepted], ['SENT']],
  ['one whose answer was lost', [{ kind: 'lost', at: t0 }], ['UNKNOWN']],
  ['a delivered one, with how long it took', [accepted, report('delivered', 4_200)], ['DELIVERED', 'within:5']],
  ['the bound belongs to its class', [accepted, report('delivered', 5_000)], ['DELIVERED', 'within:5']],
  ['a slow one', [accepted, report('delivered', 200_000_000)], ['DELIVERED', 'within:more']],
  ['a read one keeps its time', [accepted, report('delivered', 900), report('read', 9_000)], ['READ', 'within:1']],
  ['a failed one by its code', [accepted, report('failed', 900)], ['FAILED', 'failed:131026']],
  ['a refused one without a code by its words', [refused('No answer')], ['FAILED', 'failed:No answer']],
  ['and by no more than 80 characters', [refused('x'.repeat(200))], ['FAILED', `failed:${'x'.repeat(80)}`]],
  [
    'a delivery corrects a failure',
    [accepted, report('failed', 900), report('delivered', 900)],
    ['DELIVERED', 'within:1'],
  ],
])('%s', (_, events, counts) => {
  expect(countsOf(events.reduce(apply, newRecord(t0, null)))).toEqual(counts)
})

test('a day is one of UTC', () => {
  expect([dayOf(t0), dayOf(t0 + 1_000)]).toEqual(['2026-01-31', '2026-02-01'])
})
