import { expect, test } from 'bun:test'
import { count, freshSeeded, type OpenStore, single } from '../engines.ts'
import { accepted, draft, report, t0 } from '../fixtures.ts'

export function parkingSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const failed = (channelMessageId: string, characters: number) => ({
    ...report('failed', { messageId: null, channelMessageId }),
    detail: { errors: [{ details: 'x'.repeat(characters) }] },
  })
  const park = (channelId: string, reports: readonly ReturnType<typeof report>[], recordedAt = t0) =>
    db.write('applyReports', { channelId, reports, recordedAt })

  test('a parked status update keeps at most 8 KiB of errors; the status itself is kept and applied', async () => {
    await park('chan_1', [failed('wamid.msg_1', 1_000_000), failed('wamid.other', 8_000)])
    expect(await single(db, "SELECT length(detail) FROM parked_reports WHERE channel_message_id = 'wamid.msg_1'")).toBe(
      0,
    )
    expect(await single(db, "SELECT length(detail) FROM parked_reports WHERE channel_message_id = 'wamid.other'")).toBe(
      8_027,
    )
    await db.write('acceptMessage', draft())
    expect(await db.write('recordEvent', accepted('msg_1'))).toMatchObject({ status: 'FAILED' })
  })

  test('a parked status update keeps its price', async () => {
    const { event, ...delivered } = report('delivered', { messageId: null })
    await park('chan_1', [{ ...delivered, event: { ...event, pricing: 4_095 } }])
    await db.write('acceptMessage', draft())
    expect(await db.write('recordEvent', accepted('msg_1'))).toMatchObject({ status: 'DELIVERED', pricing: 4_095 })
  })

  test('an id of the upstream that is far too long is not parked', async () => {
    await park('chan_1', [failed('w'.repeat(513), 1)])
    expect(await count(db, 'parked_reports')).toBe(0)
  })
}
