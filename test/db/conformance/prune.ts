import { beforeEach, describe, expect, test } from 'bun:test'
import { count, freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, draft, inbound, recorded, report, t0, withKey } from '../fixtures.ts'

export function pruneSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const numbers = Array.from({ length: 5 }, (_, index) => index + 1)

  describe('idempotency keys', () => {
    beforeEach(async () => {
      for (const n of numbers)
        await db.write('acceptMessage', draft({ id: `msg_${n}`, ...withKey(`k-${n}`, 'f0', t0 + n) }))
    })

    test('go at the time they expire, not before', async () => {
      expect(
        await db.write('pruneIdempotencyKeys', {
          expiredBefore: t0 + 2,
          usualUntil: Number.MAX_SAFE_INTEGER,
          limit: 100,
        }),
      ).toBe(2)
      expect(await count(db, 'idempotency_keys')).toBe(3)
      expect(
        await db.write('pruneIdempotencyKeys', {
          expiredBefore: t0 + 2,
          usualUntil: Number.MAX_SAFE_INTEGER,
          limit: 100,
        }),
      ).toBe(0)
    })

    test('one that was used anew after it expired does not keep those behind it', async () => {
      await db.write('acceptMessage', draft({ id: 'msg_9', createdAt: t0 + 2, ...withKey('k-1', 'f0', t0 + 100) }))
      expect(
        await db.write('pruneIdempotencyKeys', {
          expiredBefore: t0 + 5,
          usualUntil: Number.MAX_SAFE_INTEGER,
          limit: 1,
        }),
      ).toBe(1)
      expect(await count(db, 'idempotency_keys')).toBe(4)
    })

    test('go in bites of at most the size that was asked for', async () => {
      const bite = () =>
        db.write('pruneIdempotencyKeys', { expiredBefore: t0 + 99, usualUntil: Number.MAX_SAFE_INTEGER, limit: 2 })
      expect([await bite(), await bite(), await bite()]).toEqual([2, 2, 1])
    })
  })

  describe('rate windows', () => {
    test('go when they began before then, in bites', async () => {
      const windows = numbers.map(n => ({ subject: `ip:${n}`, startsAt: t0 + n, count: 1 }))
      await db.write('countRequests', { windows })
      expect(await db.write('pruneRateWindows', { startedBefore: t0 + 4, limit: 2 })).toBe(2)
      expect(await db.write('pruneRateWindows', { startedBefore: t0 + 4, limit: 2 })).toBe(1)
      expect(await count(db, 'rate_windows')).toBe(2)
    })
  })

  describe('parked callbacks', () => {
    beforeEach(async () => {
      for (const n of numbers) {
        const reports = [report('sent', { messageId: null, channelMessageId: `wamid.${n}` })]
        await db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 + n })
      }
    })

    const ids = async () => (await db.rows('SELECT channel_message_id FROM parked_reports ORDER BY 1')).flat()
    const prune = (fields: { recordedBefore?: number; keep?: number; limit?: number }) =>
      db.write('pruneParkedReports', { recordedBefore: 0, keep: 100, limit: 100, ...fields })

    test('go when they came before then', async () => {
      expect(await prune({ recordedBefore: t0 + 3 })).toBe(2)
      expect(await ids()).toEqual(['wamid.3', 'wamid.4', 'wamid.5'])
    })

    test('beyond the number to keep the oldest go', async () => {
      expect(await prune({ keep: 2 })).toBe(3)
      expect(await ids()).toEqual(['wamid.4', 'wamid.5'])
      expect(await prune({ keep: 2 })).toBe(0)
    })

    test('go in bites: neither rule takes more than was asked for', async () => {
      expect(await prune({ recordedBefore: t0 + 99, limit: 2 })).toBe(2)
      expect(await prune({ keep: 0, limit: 2 })).toBe(2)
      expect(await ids()).toEqual(['wamid.5'])
    })

    test('both rules together take no more than was asked for', async () => {
      const pruned = await prune({ recordedBefore: t0 + 99, keep: 0, limit: 2 })
      expect(pruned).toBeGreaterThan(0)
      expect(pruned).toBeLessThanOrEqual(2)
    })
  })

  describe('uploaded files', () => {
    test('go at the time they expire, in bites', async () => {
      for (const n of numbers) {
        await db.write('rememberMedia', {
          lineId: 'line_1',
          link: `l${n}`,
          format: 'image',
          mediaId: '1',
          expiresAt: t0 + n,
        })
      }
      expect(await db.write('pruneMedia', { expiredBefore: t0 + 3, limit: 2 })).toBe(2)
      expect(await db.write('pruneMedia', { expiredBefore: t0 + 3, limit: 2 })).toBe(1)
      expect(await count(db, 'media_uploads')).toBe(2)
    })
  })

  describe('messages', () => {
    const settle = async (n: number) => {
      await db.write('acceptMessage', draft({ id: `msg_${n}`, createdAt: t0 + n }))
      await db.write('recordEvent', accepted(`msg_${n}`))
    }
    const prune = (createdBefore: number, limit = 100) => db.write('pruneMessages', { createdBefore, limit })

    test('go with their timelines when they are older than their retention', async () => {
      for (const n of numbers) await settle(n)
      expect(await prune(t0 + 3)).toBe(2)
      expect(await count(db, 'messages')).toBe(3)
      expect(await count(db, 'message_contents')).toBe(3)
      expect(await count(db, 'message_events')).toBe(3)
    })

    test('go oldest first, in bites', async () => {
      for (const n of numbers) await settle(n)
      expect(await prune(t0 + 99, 2)).toBe(2)
      expect(await db.read.message('msg_2')).toBeNull()
      expect(await db.read.message('msg_3')).not.toBeNull()
      expect([await prune(t0 + 99, 2), await prune(t0 + 99, 2), await prune(t0 + 99, 2)]).toEqual([2, 1, 0])
    })

    test('what is not settled stays, however old, and holds nothing younger back', async () => {
      await db.write('acceptMessage', draft({ id: 'msg_1', createdAt: t0 + 1, dispatchedAt: null }))
      await db.write('acceptMessage', draft({ id: 'msg_2', createdAt: t0 + 2 }))
      await db.write('recordEvent', recorded('msg_2', { kind: 'lost', at: t0 + 2 }))
      await settle(3)
      expect(await prune(t0 + 99, 1)).toBe(1)
      expect(await prune(t0 + 99, 1)).toBe(0)
      expect(await db.read.message('msg_1')).toMatchObject({ status: 'QUEUED' })
      expect(await db.read.message('msg_2')).toMatchObject({ status: 'UNKNOWN' })
    })

    test('go with the flows that they opened, and with no other', async () => {
      const opensFlow = { contactId: 'contact_1', flowToken: 'tok' }
      for (const n of [1, 2]) {
        await db.write('acceptMessage', draft({ id: `msg_${n}`, createdAt: t0 + n, type: 'interactive', opensFlow }))
        await db.write('recordEvent', accepted(`msg_${n}`))
      }
      expect(await prune(t0 + 2)).toBe(1)
      expect((await db.read.flowSessions('contact_1')).map(({ messageId }) => messageId)).toEqual(['msg_2'])
    })

    test('one of the console stays as well while its idempotency key lives', async () => {
      const { idempotency } = withKey('k')
      const fromConsole = { apiKeyId: null, idempotency: { ...idempotency, scope: 'ws_1' } }
      await db.write('acceptMessage', draft({ id: 'msg_1', createdAt: t0 + 1, ...fromConsole }))
      await db.write('recordEvent', accepted('msg_1'))
      expect(await prune(t0 + 99)).toBe(0)
      expect(
        await db.write('pruneIdempotencyKeys', {
          expiredBefore: idempotency.expiresAt,
          usualUntil: Number.MAX_SAFE_INTEGER,
          limit: 100,
        }),
      ).toBe(1)
      expect(await prune(t0 + 99)).toBe(1)
    })

    test('a key keeps its own message, not the one that it named before it was used anew', async () => {
      await db.write('acceptMessage', draft({ id: 'msg_1', createdAt: t0 + 1, ...withKey('k', 'f0', t0 + 2) }))
      await db.write('recordEvent', accepted('msg_1'))
      await db.write('acceptMessage', draft({ id: 'msg_2', createdAt: t0 + 3, ...withKey('k') }))
      await db.write('recordEvent', accepted('msg_2'))
      expect(await prune(t0 + 99)).toBe(1)
      expect([await db.read.message('msg_1'), (await db.read.message('msg_2'))?.id]).toEqual([null, 'msg_2'])
    })

    test('their contents go before them, oldest first and in bites', async () => {
      for (const n of numbers) await settle(n)
      const drop = (createdBefore: number, limit = 100) => db.write('pruneContents', { createdBefore, limit })
      expect(await drop(t0 + 3, 1)).toBe(1)
      expect(await db.read.messageContent('msg_1')).toBeNull()
      expect(await drop(t0 + 3)).toBe(1)
      expect(await drop(t0 + 3)).toBe(0)
      expect(await db.read.messageContent('msg_3')).not.toBeNull()
      expect(await count(db, 'messages')).toBe(5)
    })

    test('contents of what waits stay and hold nothing younger back; those of an unknown outcome go', async () => {
      await db.write('acceptMessage', draft({ id: 'msg_1', createdAt: t0 + 1, dispatchedAt: null }))
      await db.write('acceptMessage', draft({ id: 'msg_2', createdAt: t0 + 2 }))
      await db.write('recordEvent', recorded('msg_2', { kind: 'lost', at: t0 + 2 }))
      await settle(3)
      expect(await db.write('pruneContents', { createdBefore: t0 + 99, limit: 2 })).toBe(2)
      expect(await db.read.messageContent('msg_1')).toBe(draft().payload)
      expect(await count(db, 'message_contents')).toBe(1)
    })

    test('the count of the month stays true', async () => {
      for (const n of numbers) await settle(n)
      await prune(t0 + 99)
      expect(await db.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).toMatchObject({ used: 5 })
    })
  })

  describe('messages of users', () => {
    const receive = (n: number) =>
      db.write('recordInbound', {
        channelId: 'chan_1',
        recordedAt: t0 + n,
        messages: [inbound({ channelMessageId: `wamid.${9 - n}` })],
      })
    const ids = async () => (await db.rows('SELECT channel_message_id FROM inbound_messages ORDER BY 1')).flat()
    const prune = (recordedBefore: number, limit = 100) => db.write('pruneInbound', { recordedBefore, limit })

    test('go when they came before then, and their contact stays', async () => {
      for (const n of numbers) await receive(n)
      expect(await prune(t0 + 3)).toBe(2)
      expect(await ids()).toEqual(['wamid.4', 'wamid.5', 'wamid.6'])
      expect(await count(db, 'contacts')).toBe(1)
    })

    test('that came while the clock was ahead hold back none that came after', async () => {
      for (const n of [901, 902, 1, 2]) await receive(n)
      expect(await prune(t0 + 3, 2)).toBe(2)
      expect(await ids()).toEqual(['wamid.-892', 'wamid.-893'])
    })

    test('their contents go before them, in bites; kind and times stay', async () => {
      for (const n of numbers) await receive(n)
      const drop = (recordedBefore: number, limit = 100) => db.write('pruneInboundContents', { recordedBefore, limit })
      expect([await drop(t0 + 4, 2), await drop(t0 + 4, 2), await drop(t0 + 4, 2)]).toEqual([2, 1, 0])
      const left = await db.read.inbound({ contactId: 'contact_1', limit: 10 })
      expect(left.map(({ recordedAt, content }) => [recordedAt - t0, Object.keys(content).length])).toEqual(
        expect.arrayContaining([
          [1, 0],
          [2, 0],
          [3, 0],
          [4, 1],
          [5, 1],
        ]),
      )
    })

    test('go oldest first, in bites', async () => {
      for (const n of numbers) await receive(n)
      expect(await prune(t0 + 99, 2)).toBe(2)
      expect(await ids()).toEqual(['wamid.4', 'wamid.5', 'wamid.6'])
      expect([await prune(t0 + 99, 2), await prune(t0 + 99, 2), await prune(t0 + 99, 2)]).toEqual([2, 1, 0])
    })
  })
}
