import { beforeEach, describe, expect, test } from 'bun:test'
import type { PaymentReport } from '../../../db/contract/records.ts'
import { ownToken, peers, wamid } from '../../message/wamids.ts'
import { count, freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, draft, line, report, t0 } from '../fixtures.ts'
import { forgetWholly } from './contactErasure.ts'

const [number, spelling, userId] = peers

export function paymentsSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    await db.write('acceptMessage', draft({ recipient: `+${number}` }))
    await db.write('recordEvent', accepted('msg_1', wamid(number, ownToken)))
  })

  const detail = { reference_id: 'order-17', amount: { value: 21_000, offset: 100 } }
  const to = { upstreamPhoneId: line().upstreamPhoneId, phone: `+${number}`, userId: null }
  const payment = (fields: Partial<PaymentReport> = {}): PaymentReport => ({
    ...{ messageId: null, channelMessageId: wamid(number, ownToken), status: 'captured', at: t0 + 9_000 },
    ...{ detail, to, callback: { id: '100001' }, newContactId: 'contact_payer' },
    ...fields,
  })
  const tell = (...payments: readonly PaymentReport[]) =>
    db.write('recordPayments', { channelId: 'chan_1', payments, recordedAt: t0 + 10_000 })
  const told = async () =>
    (await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 100 })).events.filter(({ type }) =>
      type.startsWith('payment.'),
    )

  describe('payments', () => {
    test('are told once, with the message as it was, and stand in its timeline; its status stays', async () => {
      await tell(payment({ status: 'failed' }), payment({ status: 'failed' }))
      await tell(payment({ status: 'failed' }), payment({ status: 'captured', at: t0 + 11_000 }))
      await db.write('applyReports', { channelId: 'chan_1', reports: [report('delivered')], recordedAt: t0 + 12_000 })
      const events = await told()
      expect(events.map(({ type, sequence, message }) => [type, sequence, message?.id, message?.status])).toEqual([
        ['payment.failed', 3, 'msg_1', 'SENT'],
        ['payment.captured', 4, 'msg_1', 'SENT'],
      ])
      expect(events[0]).toMatchObject({ at: t0 + 9_000, data: { line: { id: 'line_1' }, payment: { detail } } })
      expect(await db.read.message('msg_1')).toMatchObject({ status: 'DELIVERED', failures: null })
      const { events: all } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 100 })
      expect(all.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5])
      const entries = (await db.read.timeline('msg_1')).filter(({ kind }) => kind.startsWith('payment.'))
      expect(entries).toMatchObject([{ kind: 'payment.failed', detail: { payment: detail } }, { at: t0 + 11_000 }])
    })

    test('find their message by our id and by another text of the id, on its line and for its person', async () => {
      await tell(payment({ channelMessageId: 'another', messageId: 'msg_1' }))
      await tell(payment({ channelMessageId: wamid(spelling, ownToken), at: t0 + 10_000 }))
      const ofUser = { channelMessageId: wamid(userId, ownToken), at: t0 + 11_000 }
      await tell(payment({ ...ofUser, to: { ...to, phone: null, userId } }))
      await tell(payment({ ...ofUser, to: { ...to, upstreamPhoneId: '1' } }))
      expect((await told()).map(({ message }) => message?.id ?? null)).toEqual(['msg_1', 'msg_1', 'msg_1', null])
    })

    test('change no message of another channel, and are lost with none that is removed', async () => {
      await db.write('recordPayments', { channelId: 'chan_gone', payments: [payment()], recordedAt: t0 })
      expect(await told()).toEqual([])
    })

    test('of no message that is known are told once, and erased with the person', async () => {
      const unknown = payment({ channelMessageId: 'wamid.unknown' })
      await tell(unknown, unknown)
      await tell(unknown)
      const events = await told()
      expect(events).toMatchObject([{ sequence: null, message: null, callback: { id: '100001' } }])
      await forgetWholly(db, 'contact_payer')
      expect(await told()).toEqual([])
    })

    test('that name nobody are told once too', async () => {
      const nobody = payment({ channelMessageId: 'wamid.unknown', to: { ...to, phone: null } })
      await tell(nobody)
      await tell(nobody)
      expect([await told(), await count(db, 'contacts')]).toMatchObject([[{ message: null }], 0])
    })
  })
}
