import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Report } from '../../../db/contract/records.ts'
import { failureOf } from '../../../src/message/failures.ts'
import { mediaIdMs } from '../../../src/message/media.ts'
import { count, freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, channel, draft, inbound, line, recorded, refused, report, seed, t0 } from '../fixtures.ts'

export function eventsSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const apply = (...reports: readonly Report[]) =>
    db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 + 5_000 })
  const message = () => db.read.message('msg_1')
  const kinds = async () => (await db.read.timeline('msg_1')).map(({ kind }) => kind)
  const parked = () => count(db, 'parked_reports')
  const content = () => db.read.messageContent('msg_1')

  describe('recording an event', () => {
    beforeEach(() => db.write('acceptMessage', draft()))

    test('moves the message through the state machine, keeps it on the timeline and answers with it', async () => {
      const moved = await db.write('recordEvent', {
        ...accepted('msg_1', 'wamid.1', t0 + 300),
        detail: { messageStatus: 'accepted' },
      })
      expect(moved).toMatchObject({ id: 'msg_1', status: 'SENT', acceptedAt: t0 + 300, channelMessageId: 'wamid.1' })
      expect(await db.read.statusView('msg_1')).toMatchObject({ ...moved })
      expect(await message()).toMatchObject({ ...moved })
      expect(await db.read.timeline('msg_1')).toEqual([
        { kind: 'accepted', at: t0 + 300, recordedAt: t0 + 300, detail: { messageStatus: 'accepted' } },
      ])
    })

    test('what the upstream told in full stands beside the detail', async () => {
      const callback = { status: 'sent', pricing: { billable: true } }
      await db.write('recordEvent', { ...accepted('msg_1'), detail: { callback } })
      expect(await db.read.timeline('msg_1')).toMatchObject([{ kind: 'accepted', detail: null, callback }])
    })

    test('a message that does not exist is null, and nothing is kept', async () => {
      expect(await db.write('recordEvent', accepted('msg_9'))).toBeNull()
      expect(await db.read.timeline('msg_9')).toEqual([])
    })

    test('is safe to repeat', async () => {
      const once = await db.write('recordEvent', accepted('msg_1'))
      expect(await db.write('recordEvent', accepted('msg_1'))).toEqual(once)
      expect(await kinds()).toEqual(['accepted'])
    })

    test('the content stays after the end, for whoever looks at the message', async () => {
      for (const event of [
        { kind: 'dispatched', at: t0 },
        { kind: 'lost', at: t0 },
      ] as const)
        await db.write('recordEvent', recorded('msg_1', event))
      expect(await content()).toBe('{"to":"+4930123456"}')
      await db.write('recordEvent', accepted('msg_1'))
      expect(await content()).toBe('{"to":"+4930123456"}')
    })

    test('where contents are not kept, it leaves the disk once it is settled or unknown, and not before', async () => {
      const frugal = await open({ keepsContents: false })
      await seed(frugal)
      for (const id of ['msg_1', 'msg_2', 'msg_3']) await frugal.write('acceptMessage', draft({ id }))
      for (const event of [{ kind: 'deferred' }, { kind: 'dispatched', at: t0 }] as const) {
        await frugal.write('recordEvent', recorded('msg_1', event))
        expect(await frugal.read.messageContent('msg_1')).toBe('{"to":"+4930123456"}')
      }
      await frugal.write('recordEvent', recorded('msg_1', { kind: 'lost', at: t0 }))
      await frugal.write('recordEvent', accepted('msg_2'))
      await frugal.write('recordEvent', refused('msg_3'))
      expect(await count(frugal, 'message_contents')).toBe(0)
      await frugal.write('recordInbound', { channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
      expect((await frugal.read.inbound({ contactId: 'contact_1', limit: 1 }))[0]).toMatchObject({
        kind: 'text',
        content: {},
      })
      await frugal.close()
    })

    test('a deferral makes it resumable and is not on the timeline', async () => {
      await db.write('recordEvent', recorded('msg_1', { kind: 'deferred' }))
      expect(await kinds()).toEqual([])
      await db.restart()
      expect(await db.write('claimWaiting', { after: null, limit: 10 })).toMatchObject([
        { message: { id: 'msg_1', dispatchedAt: null }, payload: '{"to":"+4930123456"}' },
      ])
      await db.write('recordEvent', recorded('msg_1', { kind: 'dispatched', at: t0 + 9 }))
      await db.restart()
      expect(await db.write('claimWaiting', { after: null, limit: 10 })).toEqual([])
      expect(await message()).toMatchObject({ status: 'QUEUED', dispatchedAt: t0 + 9 })
    })
  })

  describe('an attempt that failed by its callback and was put off by its answer', () => {
    const failed = (id: string) => report('failed', { channelMessageId: id, code: 131016 })
    beforeEach(async () => {
      await db.write('acceptMessage', draft({ dispatchedAt: t0 }))
      await apply(failed('wamid.1'))
      await db.write('recordEvent', recorded('msg_1', { kind: 'deferred' }))
    })

    test('leaves the message waiting, with what is to be sent: a restart takes it up', async () => {
      await apply(failed('wamid.1'), failed('wamid.2'))
      expect(await message()).toMatchObject({ status: 'QUEUED', dispatchedAt: null, channelMessageId: null })
      expect(await content()).not.toBeNull()
      await db.restart()
      expect(await db.write('claimWaiting', { after: null, limit: 10 })).toMatchObject([{ message: { id: 'msg_1' } }])
    })

    test('says nothing of the one after it: a kill while that is out makes it UNKNOWN, which an operator can settle', async () => {
      await db.write('recordEvent', recorded('msg_1', { kind: 'dispatched', at: t0 + 6_000 }))
      await apply(failed('wamid.1'))
      await db.restart()
      expect(await db.write('markInterrupted', { at: t0 + 7_000 })).toBe(1)
      expect(await message()).toMatchObject({ status: 'UNKNOWN' })
      const resolved = { kind: 'resolved', at: t0 + 8_000, as: 'SENT', reason: 'seen' } as const
      expect(await db.write('recordEvent', recorded('msg_1', resolved))).toMatchObject({ status: 'SENT' })
    })
  })

  describe('callbacks', () => {
    beforeEach(() => db.write('acceptMessage', draft()))

    test('find the message by our id, else by the id of the upstream', async () => {
      await db.write('recordEvent', accepted('msg_1', 'wamid.1'))
      expect(await apply(report('sent', { channelMessageId: 'wamid.other' }))).toEqual({
        applied: 1,
        parked: 0,
        foreign: 0,
      })
      expect(await apply(report('delivered', { messageId: null, channelMessageId: 'wamid.1' }))).toEqual({
        applied: 1,
        parked: 0,
        foreign: 0,
      })
      expect(await message()).toMatchObject({ status: 'DELIVERED', channelMessageId: 'wamid.1' })
    })

    test('settle a message whose answer was lost', async () => {
      await db.write('recordEvent', recorded('msg_1', { kind: 'lost', at: t0 }))
      await apply(report('sent', { channelMessageId: 'wamid.7' }))
      expect(await message()).toMatchObject({ status: 'SENT', channelMessageId: 'wamid.7', lostAt: t0 })
    })

    test('a file that the upstream lost is forgotten with those its line had at the hand-over; later ones and those of other lines stay', async () => {
      await db.write('acceptMessage', draft({ id: 'msg_lost', dispatchedAt: t0 }))
      await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
      const upload = { lineId: 'line_1', format: 'image', mediaId: 'm' }
      const kept = { old: t0 + mediaIdMs, new: t0 + mediaIdMs + 1 }
      for (const [link, expiresAt] of Object.entries(kept))
        await db.write('rememberMedia', { ...upload, link, expiresAt })
      await db.write('rememberMedia', { ...upload, lineId: 'line_2', link: 'old', expiresAt: kept.old })
      await apply({ ...report('failed', { messageId: 'msg_lost', code: 131052 }), isMediaGone: true })
      const media = (link: string, lineId = 'line_1') => db.read.media({ ...upload, lineId, link, at: t0 })
      expect([await media('old'), await media('new'), await media('old', 'line_2')]).toEqual([null, 'm', 'm'])
    })

    test('prove only their own channel: a message of another one stays as it is', async () => {
      await db.write('connectChannel', channel({ id: 'chan_2', accountId: '2' }))
      await db.write('recordEvent', accepted('msg_1', 'wamid.1'))
      const forged = [
        report('read', { channelMessageId: 'wamid.1' }),
        report('failed', { messageId: null, channelMessageId: 'wamid.1' }),
      ]
      const counts = await db.write('applyReports', { channelId: 'chan_2', reports: forged, recordedAt: t0 })
      expect(counts).toEqual({ applied: 0, parked: 2, foreign: 1 })
      expect(await message()).toMatchObject({ status: 'SENT', readAt: null, failures: null })
    })

    test('come many times and change things once', async () => {
      await db.write('recordEvent', accepted('msg_1'))
      const all = [report('sent'), report('delivered', { at: t0 + 2_000 }), report('read', { at: t0 + 3_000 })]
      await apply(...all)
      const before = [await message(), await db.read.timeline('msg_1')]
      await apply(...all, ...all.toReversed())
      for (const one of all) await apply(one)
      expect([await message(), await db.read.timeline('msg_1')]).toEqual(before)
      expect(await kinds()).toEqual(['accepted', 'sent', 'delivered', 'read'])
    })

    test('a failure keeps its errors on the timeline, also when a delivery corrects it', async () => {
      await db.write('recordEvent', accepted('msg_1'))
      await apply(report('failed', { code: 131026 }), report('delivered', { at: t0 + 2_000 }))
      expect(await message()).toMatchObject({ status: 'DELIVERED' })
      expect(await db.read.timeline('msg_1')).toMatchObject([
        { kind: 'accepted' },
        { kind: 'failed', detail: { errors: [{ code: 131026 }] } },
        { kind: 'delivered' },
      ])
    })

    test('two failures of the same second are both kept with their errors', async () => {
      await db.write('recordEvent', accepted('msg_1'))
      await apply(report('failed', { code: 131049, reason: '131049: held back' }), report('failed', { code: 131026 }))
      const failures = (await db.read.timeline('msg_1')).filter(({ kind }) => kind === 'failed')
      expect(JSON.stringify(failures)).toContain('131049')
      expect(JSON.stringify(failures)).toContain('131026')
    })

    test('any order and any number of times end in the same message, and lose no error', async () => {
      const reports: readonly Report[] = [
        report('sent', { at: t0 + 1_000 }),
        report('delivered', { at: t0 + 2_000 }),
        report('delivered', { at: t0 + 3_000 }),
        report('read', { at: t0 + 3_000 }),
        report('failed', { at: t0 + 2_000, code: 131026 }),
        report('failed', { at: t0 + 4_000, code: 131049 }),
        report('failed', { channelMessageId: 'earlier', at: t0 + 500, code: 131016 }),
        report('sent', { messageId: null, at: t0 + 1_000 }),
        report('delivered', { messageId: null, at: t0 + 2_000 }),
      ]
      let last = 1
      const tell = async (order: readonly (Report | 'answer')[]) => {
        last += 1
        const id = `msg_${last}`
        const wamid = `wamid.${last}`
        await db.write('acceptMessage', draft({ id }))
        for (const one of order) {
          if (one === 'answer') await db.write('recordEvent', accepted(id, wamid))
          else {
            const isEarlier = one.event.channelMessageId === 'earlier'
            const event = { ...one.event, channelMessageId: isEarlier ? `earlier.${last}` : wamid }
            await apply({ ...one, messageId: one.messageId && id, event })
          }
        }
        const {
          id: _id,
          channelMessageId,
          failures,
          ...shown
        } = (await db.read.message(id)) ?? { id, channelMessageId: null, failures: null }
        expect(channelMessageId).toBe(wamid)
        expect([wamid, `earlier.${last}`].map(attempt => failureOf(failures, attempt)?.at)).toEqual([
          t0 + 4_000,
          t0 + 500,
        ])
        const errors = (await db.read.timeline(id))
          .map(({ kind, at, detail }) => JSON.stringify([kind, at, detail]))
          .sort()
        return { shown, errors }
      }
      const expected = await tell(['answer', ...reports])
      const orders = fc
        .array(fc.nat({ max: reports.length - 1 }), { maxLength: 8 })
        .map(again => ['answer' as const, ...reports, ...again.flatMap(index => reports[index] ?? [])])
        .chain(all => fc.shuffledSubarray(all, { minLength: all.length }))
      await fc.assert(
        fc.asyncProperty(orders, async order => {
          expect(await tell(order)).toEqual(expected)
        }),
        { numRuns: 30 },
      )
    })
  })

  describe('callbacks that match no message yet', () => {
    const early = (status: 'sent' | 'delivered' | 'failed', fields: { at?: number; code?: number } = {}) =>
      report(status, { messageId: null, channelMessageId: 'wamid.1', ...fields })

    test('are parked, counted and kept once', async () => {
      expect(await apply(early('sent'), early('delivered'))).toEqual({ applied: 0, parked: 2, foreign: 0 })
      await apply(early('sent'))
      expect(await parked()).toBe(2)
    })

    test('are applied when the answer names their message, and wait no longer', async () => {
      await db.write('acceptMessage', draft())
      await apply(early('delivered', { at: t0 + 2_000 }), early('failed', { at: t0 + 1_000, code: 131026 }))
      const settled = await db.write('recordEvent', accepted('msg_1', 'wamid.1'))
      expect(settled).toMatchObject({ status: 'DELIVERED', deliveredAt: t0 + 2_000 })
      expect(failureOf(settled?.failures ?? null, 'wamid.1')?.at).toBe(t0 + 1_000)
      expect(await db.read.timeline('msg_1')).toMatchObject([
        { kind: 'accepted' },
        { kind: 'failed', recordedAt: t0 + 5_000, detail: { errors: [{ code: 131026 }] } },
        { kind: 'delivered' },
      ])
      expect(await parked()).toBe(0)
    })

    test('are applied when a callback tells whose id it is, as after a lost answer', async () => {
      await db.write('acceptMessage', draft())
      await db.write('recordEvent', recorded('msg_1', { kind: 'lost', at: t0 }))
      await apply(early('delivered', { at: t0 + 2_000 }))
      await apply(report('sent', { channelMessageId: 'wamid.1' }))
      expect(await message()).toMatchObject({ status: 'DELIVERED', deliveredAt: t0 + 2_000 })
      expect(await parked()).toBe(0)
    })

    test('of another channel stay parked', async () => {
      await db.write('connectChannel', channel({ id: 'chan_2', accountId: '2' }))
      await db.write('applyReports', { channelId: 'chan_2', reports: [early('delivered')], recordedAt: t0 })
      await db.write('acceptMessage', draft())
      await db.write('recordEvent', accepted('msg_1', 'wamid.1'))
      expect(await message()).toMatchObject({ status: 'SENT' })
      expect(await parked()).toBe(1)
    })

    test('of another channel stay parked, also when this one has parked some under the same id', async () => {
      await db.write('connectChannel', channel({ id: 'chan_2', accountId: '2' }))
      await db.write('applyReports', { channelId: 'chan_2', reports: [early('sent')], recordedAt: t0 })
      await apply(early('delivered'))
      await db.write('acceptMessage', draft())
      await db.write('recordEvent', accepted('msg_1', 'wamid.1'))
      expect(await message()).toMatchObject({ status: 'DELIVERED' })
      expect(await parked()).toBe(1)
    })

    test('two failures of the same second are both parked', async () => {
      await apply(early('failed', { code: 131049 }), early('failed', { code: 131026 }))
      await db.write('acceptMessage', draft())
      await db.write('recordEvent', accepted('msg_1', 'wamid.1'))
      const timeline = JSON.stringify(await db.read.timeline('msg_1'))
      expect(timeline).toContain('131049')
      expect(timeline).toContain('131026')
    })
  })

  describe('what was interrupted', () => {
    test('becomes UNKNOWN when it had been handed over, and only then', async () => {
      await db.write('acceptMessage', draft({ id: 'msg_1', dispatchedAt: t0 }))
      await db.write('acceptMessage', draft({ id: 'msg_2', dispatchedAt: null }))
      await db.write('acceptMessage', draft({ id: 'msg_3' }))
      await db.write('recordEvent', accepted('msg_3'))
      await db.write('acceptMessage', draft({ id: 'msg_4' }))
      await db.write('recordEvent', refused('msg_4'))
      await db.restart()
      expect(await db.write('markInterrupted', { at: t0 + 9 })).toBe(1)
      const statuses = await Promise.all([1, 2, 3, 4].map(async n => (await db.read.message(`msg_${n}`))?.status))
      expect(statuses).toEqual(['UNKNOWN', 'QUEUED', 'SENT', 'FAILED'])
      expect(await db.read.timeline('msg_1')).toMatchObject([{ kind: 'lost', at: t0 + 9 }])
      expect(await db.write('markInterrupted', { at: t0 + 10 })).toBe(0)
    })
  })

  describe('giving up what stayed unknown', () => {
    beforeEach(async () => {
      for (const n of [1, 2, 3]) {
        await db.write('acceptMessage', draft({ id: `msg_${n}` }))
        await db.write('recordEvent', recorded(`msg_${n}`, { kind: 'lost', at: t0 + n }))
      }
    })

    const giveUp = (lostBefore: number, limit = 10) =>
      db.write('abandonUnknown', { lostBefore, at: t0 + 100, reason: 'silence', limit })

    test('only what was lost before then', async () => {
      expect(await giveUp(t0 + 3)).toBe(2)
      expect(await message()).toMatchObject({ status: 'FAILED', gaveUpAt: t0 + 100, gaveUpReason: 'silence' })
      expect(await db.read.message('msg_3')).toMatchObject({ status: 'UNKNOWN' })
      expect(await kinds()).toEqual(['lost', 'abandoned'])
    })

    test('in bites of the size that was asked for', async () => {
      expect([await giveUp(t0 + 9, 2), await giveUp(t0 + 9, 2), await giveUp(t0 + 9, 2)]).toEqual([2, 1, 0])
    })

    test('not what a callback or an operator has settled meanwhile', async () => {
      await apply(report('sent'))
      await db.write('recordEvent', recorded('msg_2', { kind: 'resolved', at: t0 + 50, as: 'SENT', reason: 'seen' }))
      expect(await giveUp(t0 + 9)).toBe(1)
    })

    test('a callback that comes later still corrects it', async () => {
      await giveUp(t0 + 9)
      await apply(report('delivered'))
      expect(await message()).toMatchObject({ status: 'DELIVERED' })
    })
  })
}
