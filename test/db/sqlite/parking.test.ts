import { afterEach, beforeEach, expect, test } from 'bun:test'
import { parking } from '../../../db/sqlite/parking.ts'
import { openDatabase, type TestDatabase, t0 } from '../fixtures.ts'

let db: TestDatabase
beforeEach(() => {
  db = openDatabase()
})
afterEach(() => db.close())

test('a channel parks a bounded number of bytes: the oldest make room, and another channel loses nothing', () => {
  const bytesMax = 100_000
  const { park } = parking(db.writer.client, { hasParked: null }, bytesMax)
  const row = (channelId: string, n: number) => ({
    channelId,
    channelMessageId: `wamid.${n}`,
    status: 'sent' as const,
    at: t0,
    detail: 'x'.repeat(1_000),
    recordedAt: t0 + n,
    reason: null,
    pricing: null,
    ...{ token: null, lineId: null, phone: null, userId: null },
  })
  const parked = (channelId: string) =>
    db.reader.client
      .query<{ n: number }, [string]>(
        'SELECT CAST(substr(channel_message_id, 7) AS INTEGER) AS n FROM parked_reports WHERE channel_id = ? ORDER BY n',
      )
      .all(channelId)
      .map(({ n }) => n)
  park(row('chan_2', 0))
  for (let n = 0; n < 1_000; n += 1) {
    park(row('chan_1', n))
    expect(parked('chan_1').length).toBeLessThanOrEqual(bytesMax / 1_000)
  }
  const left = parked('chan_1')
  expect(left.length).toBeGreaterThan(70)
  expect(left).toEqual(Array.from({ length: left.length }, (_, index) => 1_000 - left.length + index))
  expect(parked('chan_2')).toEqual([0])
})
