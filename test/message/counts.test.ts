import { expect, test } from 'bun:test'
import { countsOf, dayOf, priceCountOf } from '../../src/message/counts.ts'
import { readPricing } from '../../src/message/pricing.ts'
import { apply, type MessageEvent } from '../../src/message/state.ts'
import { newRecord } from '../sending/newRecord.ts'

const t0 = Date.UTC(2026, 0, 31, 23, 59, 59)
const utility = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
const free = { billable: false, pricing_model: 'PMP', type: 'free_entry_point', category: 'service' }
const report = (
  status: 'sent' | 'delivered' | 'read' | 'failed',
  afterMs: number,
  priced: object | null = null,
): MessageEvent => ({
  kind: 'reported',
  status,
  at: t0 + afterMs,
  channelMessageId: 'wamid.1',
  reason: status === 'failed' ? '131026: Message undeliverable' : null,
  pricing: readPricing(status, priced),
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
  ['a price is due with the delivery', [accepted, report('sent', 200, utility)], ['SENT']],
  [
    'also where the delivery repeats none',
    [accepted, report('sent', 200, utility), report('delivered', 900)],
    ['DELIVERED', 'within:1', 'price:utility:DE'],
  ],
  [
    'of two prices that of the delivery counts',
    [accepted, report('delivered', 900, free), report('sent', 200, utility)],
    ['DELIVERED', 'within:1', 'free:service:DE'],
  ],
  [
    'nothing is due for a failed one',
    [accepted, report('sent', 200, utility), report('failed', 900, utility)],
    ['FAILED', 'failed:131026'],
  ],
])('%s', (_, events, counts) => {
  const recipient = '+4930123456'
  expect(countsOf({ ...events.reduce(apply, newRecord(t0, null)), recipient })).toEqual(counts)
})

test('a price of a user id has no country', () => {
  const record = [report('read', 900, utility)].reduce(apply, newRecord(t0, null))
  const [, kind = ''] = countsOf({ ...record, recipient: 'DE.13491208655302741918' })
  const day = '2026-01-31'
  expect(priceCountOf({ day, kind, count: 2 })).toEqual({
    ...{ day, category: 'utility', country: null, billable: true, count: 2 },
  })
})

test('a day is one of UTC', () => {
  expect([dayOf(t0), dayOf(t0 + 1_000)]).toEqual(['2026-01-31', '2026-02-01'])
})
