import { describe, expect, test } from 'bun:test'
import type { Deferral, Message, Resumable } from '../../../db/contract/records.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { addOther, draft, handOvers, line, ofOther, recorded, report, t0, withKey } from '../fixtures.ts'

export function handOverSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const accept = (id: string, dispatchedAt: number | null) => db.write('acceptMessage', draft({ id, dispatchedAt }))
  const deferral = (messageId: string, fields: Partial<Deferral> = {}): Deferral => ({
    messageId,
    payload: null,
    refusal: null,
    ...fields,
  })
  const defer = (...messages: Deferral[]) => db.write('deferMessages', { messages, at: t0 + 3 })
  const handOver = (...messageIds: string[]) => db.write('handOverMessages', { messageIds, at: t0 + 5 })
  /** What a process that starts finds. */
  const waiting = async () => {
    await db.restart()
    return (await db.write('claimWaiting', { after: null, limit: 10 })).map(({ message, payload }) => [
      message.id,
      payload,
    ])
  }
  const kinds = async (id: string) => (await db.read.timeline(id)).map(({ kind }) => kind)
  const callback = (status: 'sent' | 'failed', messageId: string) =>
    db.write('applyReports', {
      channelId: 'chan_1',
      reports: [report(status, { messageId, channelMessageId: `wamid.${messageId}` })],
      recordedAt: t0 + 4,
    })

  test('handedOverSince counts by line what was handed over from then on, among the last that were accepted', async () => {
    await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '206540352242922', number: '+4930999' }))
    await accept('msg_1', t0 + 5)
    await accept('msg_2', t0 + 6)
    await accept('msg_3', null)
    await accept('msg_4', t0 + 7)
    await db.write('acceptMessage', draft({ id: 'msg_5', dispatchedAt: t0 + 6, lineId: 'line_2' }))
    const counted = async (among: number) =>
      Object.fromEntries(
        (await db.read.handedOverSince({ since: t0 + 6, among })).map(({ lineId, count }) => [lineId, count]),
      )
    expect(await counted(10)).toEqual({ line_1: 2, line_2: 1 })
    expect(await counted(3)).toEqual({ line_1: 1, line_2: 1 })
  })

  describe('handOverMessages', () => {
    test('marks all of them as handed over, in one step, and says which may go', async () => {
      for (const id of ['msg_1', 'msg_2', 'msg_3']) await accept(id, null)
      expect(await handOver('msg_1', 'msg_2')).toEqual(
        handOvers({ handedOver: ['msg_1', 'msg_2'], validMs: db.unlimitedMs }),
      )
      expect(await db.read.message('msg_1')).toMatchObject({ status: 'QUEUED', dispatchedAt: t0 + 5 })
      expect((await waiting()).map(([id]) => id)).toEqual(['msg_3'])
      expect(await kinds('msg_2')).toEqual(['dispatched'])
    })

    test('does not let one go that a callback has shown to have gone out before', async () => {
      for (const id of ['msg_1', 'msg_2']) await accept(id, t0)
      await defer(deferral('msg_1'), deferral('msg_2'))
      await callback('sent', 'msg_1')
      expect(await handOver('msg_1', 'msg_2')).toEqual(
        handOvers({ handedOver: ['msg_2'], validMs: db.unlimitedMs, overtaken: ['msg_1'] }),
      )
      expect(await db.read.message('msg_1')).toMatchObject({ status: 'SENT' })
    })

    test('lets one go whose earlier attempt is reported as failed: another one follows', async () => {
      await accept('msg_1', t0)
      await defer(deferral('msg_1'))
      await callback('failed', 'msg_1')
      expect(await handOver('msg_1')).toEqual(handOvers({ handedOver: ['msg_1'], validMs: db.unlimitedMs }))
    })

    test('lets no message go that is not there', async () => {
      expect(await handOver('msg_9')).toEqual(handOvers({ overtaken: ['msg_9'] }))
    })
  })

  describe('claimWaiting', () => {
    const page = async (after: string | null, limit: number, workspaceId = 'ws_1') => {
      const place = after === null ? null : { id: after, workspaceId }
      const claimed = await db.write('claimWaiting', { after: place, limit })
      return claimed.map(({ message, payload }) => [message.id, payload])
    }

    test('gives what was never handed over, oldest first, page by page, with what is to be sent', async () => {
      for (const n of [1, 2, 3, 4]) await accept(`msg_${n}`, n === 4 ? t0 : null)
      await db.restart()
      expect(await page(null, 2)).toEqual([
        ['msg_1', '{"to":"+4930123456"}'],
        ['msg_2', '{"to":"+4930123456"}'],
      ])
      expect(await page('msg_2', 2)).toEqual([['msg_3', '{"to":"+4930123456"}']])
      expect(await page('msg_3', 2)).toEqual([])
    })

    test('gives that of every workspace once, whatever order the ids of two workspaces are in', async () => {
      await addOther(db)
      const ids = [1, 2, 3, 4, 5, 6].map(n => `msg_${n}`)
      for (const [n, id] of ids.entries()) {
        await db.write('acceptMessage', draft({ id, ...(n % 2 === 0 && ofOther), dispatchedAt: null }))
      }
      await db.restart()
      const claimed: string[] = []
      for (let after: Message | null = null; ; ) {
        const found: readonly Resumable[] = await db.write('claimWaiting', { after, limit: 2 })
        const last = found.at(-1)
        if (!last) break
        claimed.push(...found.map(({ message }) => message.id))
        after = last.message
      }
      expect(claimed.toSorted()).toEqual(ids)
      const odd = ['msg_1', 'msg_3', 'msg_5']
      expect(claimed.filter(id => odd.includes(id))).toEqual(odd)
    })
  })

  describe('deferMessages', () => {
    test('makes messages resumable as they are, without an entry on the timeline', async () => {
      for (const id of ['msg_1', 'msg_2']) await accept(id, t0)
      await defer(deferral('msg_1'), deferral('msg_2'))
      expect((await waiting()).map(([id]) => id)).toEqual(['msg_1', 'msg_2'])
      expect(await kinds('msg_1')).toEqual([])
    })

    test('replaces what is sent, and keeps on the timeline why', async () => {
      await accept('msg_1', t0)
      await defer(deferral('msg_1', { payload: '{"again":true}', refusal: { code: 131053 } }))
      expect(await waiting()).toEqual([['msg_1', '{"again":true}']])
      expect(await db.read.timeline('msg_1')).toEqual([
        { kind: 'deferred', at: t0 + 3, recordedAt: t0 + 3, detail: { code: 131053 } },
      ])
    })

    test('keeps the idempotency key and the count of the plan', async () => {
      const keyed = withKey('order-1', 'f0', t0 + 1_000)
      await db.write('acceptMessage', draft({ id: 'msg_1', dispatchedAt: t0, ...keyed }))
      await defer(deferral('msg_1', { payload: '{}', refusal: { code: 131053 } }))
      expect(await db.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).toMatchObject({ used: 1 })
      expect(await db.write('acceptMessage', draft({ id: 'msg_2', ...keyed }))).toEqual({
        outcome: 'replayed',
        messageId: 'msg_1',
      })
    })

    test('leaves alone what has its end: nothing is sent again, and its content is what was sent', async () => {
      await accept('msg_1', t0)
      await db.write('recordEvent', recorded('msg_1', { kind: 'lost', at: t0 }))
      await defer(deferral('msg_1', { payload: '{"again":true}' }))
      expect(await db.read.message('msg_1')).toMatchObject({ status: 'UNKNOWN', dispatchedAt: t0 })
      expect(await waiting()).toEqual([])
      expect(await db.read.messageContent('msg_1')).toBe(draft().payload)
    })
  })
}
