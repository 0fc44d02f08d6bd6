import { expect, test } from 'bun:test'
import { dayMs } from '../../../src/base/durations.ts'
import { readPricing } from '../../../src/message/pricing.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, addOther, draft, ofOther, recorded, refused, report, t0 } from '../fixtures.ts'

export function dailyCountsSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  /** The numbers that are not zero, `2026-01-01 SENT 2`. */
  const numbers = async () =>
    (await db.read.dailyCounts({ workspaceId: 'ws_1', since: '2025-01-01' }))
      .filter(({ count }) => count !== 0)
      .map(({ day, kind, count }) => `${day} ${kind} ${count}`)

  const reports = (...list: ReturnType<typeof report>[]) =>
    db.write('applyReports', { channelId: 'chan_1', reports: list, recordedAt: t0 })

  test('a message counts as what it is now, on the day of its acceptance', async () => {
    await db.write('acceptMessage', draft({ id: 'msg_1' }))
    expect(await numbers()).toEqual([])
    await db.write('recordEvent', accepted('msg_1'))
    expect(await numbers()).toEqual(['2026-01-01 SENT 1'])
    await reports(report('delivered', { at: t0 + 3 * dayMs }))
    expect(await numbers()).toEqual(['2026-01-01 DELIVERED 1', '2026-01-01 within:more 1'])
  })

  test('they tell whether a message was ever delivered, or read', async () => {
    const hasDelivered = () => db.read.hasDelivered('ws_1')
    await db.write('acceptMessage', draft({ id: 'msg_1' }))
    await db.write('recordEvent', accepted('msg_1'))
    expect(await hasDelivered()).toBe(false)
    await reports(report('delivered', { at: t0 + 2_000 }))
    expect([await hasDelivered(), await db.read.hasDelivered('ws_2')]).toEqual([true, false])
    await reports(report('read', { at: t0 + 3_000 }))
    expect(await hasDelivered()).toBe(true)
  })

  test('callbacks that come twice count once', async () => {
    await db.write('acceptMessage', draft({ id: 'msg_1' }))
    await db.write('recordEvent', accepted('msg_1'))
    const callbacks = [report('delivered', { at: t0 + 2_000 }), report('read', { at: t0 + 5_000 })]
    await reports(...callbacks, ...callbacks)
    await reports(...callbacks)
    expect(await numbers()).toEqual(['2026-01-01 READ 1', '2026-01-01 within:2 1'])
  })

  test('in any order, the numbers are those of the messages', async () => {
    for (const id of ['msg_1', 'msg_2']) await db.write('acceptMessage', draft({ id }))
    await reports(report('read', { at: t0 + 5_000 }), report('delivered', { at: t0 + 2_000 }))
    await db.write('recordEvent', accepted('msg_1'))
    await db.write('recordEvent', refused('msg_2'))
    expect(await numbers()).toEqual([
      '2026-01-01 FAILED 1',
      '2026-01-01 READ 1',
      '2026-01-01 failed:131026 1',
      '2026-01-01 within:2 1',
    ])
  })

  test('a verb that fails counts nothing, and those that share its commit do', async () => {
    for (const id of ['msg_1', 'msg_2']) await db.write('acceptMessage', draft({ id }))
    const broken = recorded('msg_2', { kind: 'accepted', at: t0, channelMessageId: 'x', waId: null }, { n: 1 })
    const [first, second] = await db.batch(
      ['recordEvent', accepted('msg_1')],
      ['recordEvent', { ...broken, recordedAt: 'not a time' }],
    )
    expect([first?.ok, second?.ok]).toEqual([true, false])
    expect(await numbers()).toEqual(['2026-01-01 SENT 1'])
  })

  test('numbers outlive their messages, until they are too old themselves', async () => {
    await db.write('acceptMessage', draft({ id: 'msg_1' }))
    await db.write('recordEvent', accepted('msg_1'))
    await db.write('pruneMessages', { createdBefore: t0 + 1, limit: 10 })
    expect(await numbers()).toEqual(['2026-01-01 SENT 1'])
    expect(await db.write('pruneDailyCounts', { before: '2026-01-01', limit: 10 })).toBe(0)
    expect(await db.write('pruneDailyCounts', { before: '2026-01-02', limit: 10 })).toBe(1)
    expect(await numbers()).toEqual([])
  })

  test('prices count by category and country on the day of the acceptance, each once, in whichever order they come', async () => {
    const priced = { billable: true, type: 'regular', category: 'utility', pricing_model: 'PMP' }
    const [sent, delivered] = [readPricing('sent', priced), readPricing('delivered', priced)]
    const free = readPricing('read', { billable: false, type: 'free_entry_point', category: 'service' })
    const of = (messageId: string, ...list: ReturnType<typeof report>[]) =>
      list.map(each => ({ ...each, messageId, event: { ...each.event, channelMessageId: `wamid.${messageId}` } }))
    await db.write('acceptMessage', draft({ id: 'msg_1' }))
    await db.write('acceptMessage', draft({ id: 'msg_2', recipient: '+14165550123' }))
    await db.write('acceptMessage', draft({ id: 'msg_3', recipient: 'DE.13491208655302741918' }))
    await db.write('acceptMessage', draft({ id: 'msg_4' }))
    const callbacks = [
      ...of('msg_1', report('read'), report('delivered', { pricing: delivered }), report('sent', { pricing: sent })),
      ...of('msg_2', report('sent', { pricing: sent }), report('delivered')),
      ...of('msg_3', report('read', { pricing: free })),
      // Not delivered: not charged.
      ...of('msg_4', report('sent', { pricing: sent })),
    ]
    await reports(...callbacks)
    await reports(...callbacks.toReversed(), ...callbacks)
    const of2026 = { day: '2026-01-01', count: 1 }
    expect(await db.read.priceCounts({ workspaceId: 'ws_1', month: '2026-01' })).toEqual([
      { ...of2026, category: 'service', country: null, billable: false },
      { ...of2026, category: 'utility', country: 'CA', billable: true },
      { ...of2026, category: 'utility', country: 'DE', billable: true },
    ])
    for (const other of [
      { workspaceId: 'ws_1', month: '2026-02' },
      { workspaceId: 'ws_2', month: '2026-01' },
    ])
      expect(await db.read.priceCounts(other)).toEqual([])
    expect((await numbers()).filter(number => /price|free/.test(number))).toEqual([])
  })

  test('those of another workspace are not seen', async () => {
    await addOther(db)
    await db.write('acceptMessage', draft({ id: 'msg_1', ...ofOther }))
    await db.write('recordEvent', accepted('msg_1'))
    expect(await numbers()).toEqual([])
  })
}
