import { beforeEach, describe, expect, test } from 'bun:test'
import { messageFieldNames, messageFields } from '../../../db/messageFields.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { wamid } from '../../message/wamids.ts'
import { fullDraft, messageOf } from '../drafts.ts'
import { count, freshSeeded, type OpenStore, type StoreUnderTest } from '../engines.ts'
import { accepted, apiKey, draft, inbound, line, outcome, recorded, report, t0, webhook } from '../fixtures.ts'

const at = t0 + 5
/** A clock that was set back afterwards has shown it before the erasure began. */
const ahead = at + hourMs
const phone = '+4930123456'
const contactId = 'contact_1'

/** Forgets a contact and takes all steps of its erasure. @returns the last one */
export async function forgetWholly(db: StoreUnderTest, contactId: string, limit = 100) {
  expect(await db.write('forgetContact', { contactId, at })).toEqual({ outcome: 'removed', removed: contactId })
  return erase(db, limit, contactId)
}

async function erase(db: StoreUnderTest, limit = 100, subject = contactId) {
  for (let steps = 0; steps < 100; steps += 1) {
    const step = await db.write('eraseContact', { contactId: subject, limit, at })
    if (step?.state !== 'underWay') return step
  }
  throw new Error('the erasure does not end')
}

export function contactErasureSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    await db.write('recordInbound', { channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
  })

  const wait = (id: string, fields: Partial<ReturnType<typeof draft>> = {}) =>
    db.write('acceptMessage', draft({ id, dispatchedAt: null, ...fields }))
  const send = async (id: string, fields: Partial<ReturnType<typeof draft>> = {}) => {
    await db.write('acceptMessage', draft({ id, ...fields }))
    await db.write('recordEvent', accepted(id))
  }
  const recipients = (...ids: string[]) =>
    Promise.all(ids.map(async id => (await db.read.message(id))?.recipient ?? null))
  const openErasures = () => db.read.openErasures({ steppedBefore: t0 + 99, limit: 9 })

  describe('the first commit', () => {
    test('takes away number, name, conversation, preferences and events; the id stays, for counts', async () => {
      const about = { of: 'contact', phone, userId: null, name: null, newContactId: 'contact_new' } as const
      const optOut = { accountId: '100001', about, kind: 'user_preferences', at: t0, detail: { wa_id: phone.slice(1) } }
      expect(await db.write('keepUpdates', { channelId: 'chan_1', updates: [optOut], recordedAt: t0 })).toBe(1)
      const renamed = inbound({ channelMessageId: 'wamid.in2', from: { ...inbound().from, name: 'Grace' } })
      await db.write('recordInbound', { channelId: 'chan_1', messages: [renamed], recordedAt: t0 + 1 })
      const conversations = () => db.read.conversations({ workspaceId: 'ws_1', limit: 9, scan: 9 })
      expect((await conversations()).conversations).toHaveLength(1)
      expect(await db.write('forgetContact', { contactId, at })).toEqual({ outcome: 'removed', removed: contactId })
      const nobody = { id: contactId, phone: null, userId: null, name: null, updatedAt: at }
      expect(await db.read.contactById(contactId)).toMatchObject(nobody)
      expect((await conversations()).conversations).toEqual([])
      expect((await db.read.searchContacts({ workspaceId: 'ws_1', phone, limit: 1, scan: 1 })).contacts).toEqual([])
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 9 })
      expect(JSON.stringify(events)).not.toMatch(/Grace|Ada|4930123456/)
      expect(await count(db, 'upstream_updates')).toBe(0)
      expect(await db.write('forgetContact', { contactId: 'contact_9', at })).toEqual({ outcome: 'unknown' })
    })

    test('is not made while messages wait for it, by id or by number', async () => {
      await wait('msg_1', { contactId, recipient: 'DE.1' })
      await wait('msg_2')
      await wait('msg_3', { recipient: '+4930999999' })
      expect(await db.write('forgetContact', { contactId, at })).toEqual({ outcome: 'waiting', waiting: 2 })
      expect(await db.read.contactById(contactId)).toMatchObject({ phone })
      expect(await openErasures()).toEqual([])
    })

    test('is kept until the history is erased: who finds it goes on with it', async () => {
      for (const id of ['msg_1', 'msg_2']) await send(id)
      await db.write('forgetContact', { contactId, at })
      const open = { subject: contactId, workspaceId: 'ws_1', part: 'sent', begunAt: at } as const
      expect(await openErasures()).toEqual([open])
      // Who has taken a step lately takes the next one too.
      expect(await db.read.openErasures({ steppedBefore: at, limit: 9 })).toEqual([])
      await db.write('eraseContact', { contactId, limit: 1, at: at + 1 })
      await db.restart()
      // Called again, it begins nothing anew, and knows the number that the contact had.
      await send('msg_3')
      await db.write('forgetContact', { contactId, at: at + 2 })
      expect(await erase(db, 1)).toMatchObject({ messages: 2, inbound: 1, state: 'done' })
      expect(await recipients('msg_1', 'msg_2', 'msg_3')).toEqual(['forgotten', 'forgotten', phone])
      expect(await openErasures()).toEqual([])
      expect(await db.write('eraseContact', { contactId, limit: 1, at })).toBeNull()
    })
  })

  test('those that have waited longest for a step come first: who waits for a message keeps nobody waiting', async () => {
    const other = { ...inbound().from, newContactId: 'contact_2', phone: '+4930999999' }
    const message = inbound({ channelMessageId: 'wamid.in2', from: other })
    await db.write('recordInbound', { channelId: 'chan_1', messages: [message], recordedAt: t0 })
    await db.write('forgetContact', { contactId, at })
    await db.write('forgetContact', { contactId: 'contact_2', at: at + 1 })
    await db.write('eraseContact', { contactId, limit: 1, at: at + 2 })
    expect((await openErasures()).map(({ subject }) => subject)).toEqual(['contact_2', contactId])
  })

  describe('the steps', () => {
    test('erase what was sent to it, by its numbers and by its id, and nothing of others', async () => {
      await send('msg_1', { reference: 'Ada' })
      await send('msg_2', { recipient: '+4930999999', reference: 'Bob' })
      await send('msg_3', { contactId, recipient: 'DE.9' })
      await db.write('acceptMessage', draft({ id: 'msg_4', recipient: '+4930123457' }))
      const answer = { kind: 'accepted', at: t0, channelMessageId: 'wamid.4', waId: phone.slice(1) } as const
      await db.write('recordEvent', recorded('msg_4', answer))
      await send('msg_5', { recipient: '+4930999999', createdAt: t0 + 1 })
      expect(await forgetWholly(db, contactId, 1)).toMatchObject({ messages: 3, inbound: 1 })
      const ids = ['msg_1', 'msg_2', 'msg_3', 'msg_4', 'msg_5']
      expect(await recipients(...ids)).toEqual([
        ...['forgotten', '+4930999999', 'forgotten', 'forgotten', '+4930999999'],
      ])
      const [own, others] = await Promise.all(ids.map(id => db.read.message(id)))
      expect([own?.reference, others?.reference]).toEqual([null, 'Bob'])
      const contents = await Promise.all(ids.map(id => db.read.messageContent(id)))
      expect(contents.map(content => content !== null)).toEqual([false, true, false, false, true])
    })

    test('erase what was there when it began, also what a clock ahead has stored', async () => {
      await send('msg_1', { createdAt: ahead })
      await db.write('acceptMessage', draft({ id: 'msg_2', recipient: '+4930123457', createdAt: ahead }))
      const answer = { kind: 'accepted', at: ahead, channelMessageId: 'wamid.2', waId: phone.slice(1) } as const
      await db.write('recordEvent', recorded('msg_2', answer))
      expect(await forgetWholly(db, contactId, 1)).toMatchObject({ messages: 2, state: 'done' })
      expect(await recipients('msg_1', 'msg_2')).toEqual(['forgotten', 'forgotten'])
    })

    test.each(messageFieldNames)(
      'leave of the field %s of a message what its line in messageFields says',
      async name => {
        await db.write('addLine', line({ id: 'line_full', upstreamPhoneId: '2' }))
        await db.write('createKey', apiKey({ id: 'pk_full' }))
        const offered = fullDraft({ contactId, recipient: phone })
        await db.write('acceptMessage', offered)
        await db.write('recordEvent', accepted(offered.id))
        await forgetWholly(db, contactId)
        const erased = name === 'recipient' ? 'forgotten' : null
        const expected = messageFields[name].forgotten === 'erased' ? erased : messageOf(offered)[name]
        expect((await db.read.message(offered.id))?.[name]).toBe(expected)
      },
    )

    test('erase what it wrote, a few at a time', async () => {
      const others = [2, 3].map(n => inbound({ channelMessageId: `wamid.in${n}` }))
      await db.write('recordInbound', { channelId: 'chan_1', messages: others, recordedAt: t0 })
      await db.write('forgetContact', { contactId, at })
      const steps: number[] = []
      for (;;) {
        const step = await db.write('eraseContact', { contactId, limit: 2, at })
        steps.push(step?.inbound ?? 0)
        if (step?.state !== 'underWay') break
      }
      expect([...new Set(steps)]).toEqual([0, 2, 3])
      const left = await db.read.inbound({ contactId, limit: 10 })
      expect(left.map(({ kind, content }) => [kind, content])).toEqual(Array(3).fill(['text', {}]))
      expect(await db.rows('SELECT DISTINCT phone, former_phone FROM inbound_messages')).toEqual([[null, null]])
    })

    test('erase what was sent to a contact that turned out to be the same person', async () => {
      const user = { ...inbound().from, phone: null, userId: 'DE.1', newContactId: 'contact_2' }
      await db.write('recordInbound', {
        channelId: 'chan_1',
        messages: [inbound({ channelMessageId: 'wamid.user', from: user })],
        recordedAt: t0,
      })
      await send('msg_1', { contactId: 'contact_2', recipient: 'DE.old' })
      const both = { ...user, phone, newContactId: 'contact_3' }
      await db.write('recordInbound', {
        channelId: 'chan_1',
        messages: [inbound({ channelMessageId: 'wamid.both', from: both, at: t0 + 2 })],
        recordedAt: t0 + 2,
      })
      expect((await db.read.contactById('contact_2'))?.id).toBe(contactId)
      await forgetWholly(db, contactId)
      expect(await recipients('msg_1')).toEqual(['forgotten'])
    })

    test('leave no id of the upstream in its messages, and late callbacks bring none back', async () => {
      const id = 'wamid.with its number'
      for (const n of [1, 2, 3]) await db.write('acceptMessage', draft({ id: `msg_${n}`, contactId }))
      await db.write('recordEvent', accepted('msg_1', id))
      await db.write('recordEvent', recorded('msg_2', { kind: 'lost', at: t0 }))
      await db.write('recordEvent', recorded('msg_3', { kind: 'lost', at: t0 }))
      const tell = (...reports: ReturnType<typeof report>[]) =>
        db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 })
      await tell(report('failed', { messageId: 'msg_2', channelMessageId: `${id} 2` }))
      const states = () => Promise.all([1, 2, 3].map(async n => (await db.read.message(`msg_${n}`))?.status))
      expect(await states()).toEqual(['SENT', 'FAILED', 'UNKNOWN'])
      await forgetWholly(db, contactId)
      expect(await states()).toEqual(['SENT', 'FAILED', 'UNKNOWN'])

      const late = [
        // Only the upstream's id says what they are about.
        report('delivered', { messageId: null, channelMessageId: id }),
        report('read', { messageId: null, channelMessageId: id }),
        report('sent', { messageId: 'msg_2', channelMessageId: `${id} 2`, at: t0 + 500 }),
        report('failed', { messageId: 'msg_2', channelMessageId: `${id} 2` }),
        report('failed', { messageId: 'msg_3', channelMessageId: `${id} 3` }),
      ]
      expect(await tell(...late)).toEqual({ applied: 5, parked: 0, foreign: 0 })
      const answer = { kind: 'accepted', at: t0, channelMessageId: `${id} 3`, waId: phone.slice(1) } as const
      await db.write('recordEvent', recorded('msg_3', answer))
      expect(await states()).toEqual(['READ', 'FAILED', 'FAILED'])
      expect(await count(db, 'parked_reports')).toBe(0)
      const kept = await db.rows('SELECT channel_message_id, wa_id, recipient, failures FROM messages ORDER BY id')
      expect(JSON.stringify(kept)).not.toContain('wamid')
      expect(kept.map(([channelMessageId, waId]) => [channelMessageId, waId])).toEqual(
        Array(3).fill([expect.stringMatching(/^sha256:[0-9a-f]{64}$/), null]),
      )
      // Nothing is left to erase of them.
      expect(await forgetWholly(db, contactId)).toMatchObject({ messages: 0, inbound: 0 })
    })

    test('leave no id of the upstream in what it wrote, and the same message does not come again', async () => {
      await forgetWholly(db, contactId)
      await db.write('recordInbound', { channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
      expect(await db.rows('SELECT channel_message_id, content FROM inbound_messages')).toEqual([
        [expect.stringMatching(/^sha256:[0-9a-f]{64}$/), '{}'],
      ])
      expect(await count(db, 'contacts')).toBe(1)
    })

    test('close its flows and erase their tokens', async () => {
      for (const n of [1, 2]) await send(`msg_${n}`, { contactId, opensFlow: { contactId, flowToken: 'tok' } })
      await forgetWholly(db, contactId)
      const closed = { flowToken: null, closedAt: at, closedBy: 'revalidated' }
      expect(await db.read.flowSessions(contactId)).toMatchObject([closed, closed])
    })

    test('erase statuses that name the person and match no message, and none of others or of later', async () => {
      const park = (number: string, part: string, recordedAt = t0) => {
        const to = { upstreamPhoneId: line().upstreamPhoneId, phone: `+${number}`, userId: null }
        const fields = { messageId: null, channelMessageId: wamid(number, part), to }
        const reports = [report('sent', fields), report('read', fields)]
        return db.write('applyReports', { channelId: 'chan_1', reports, recordedAt })
      }
      await park('4930123456', 'A0000001')
      await park('4930123456', 'A0000002', ahead)
      await park('4930999999', 'A0000003')
      await db.write('forgetContact', { contactId, at })
      await park('4930123456', 'A0000004')
      expect(await erase(db, 1)).toMatchObject({ state: 'done' })
      const left = await db.rows('SELECT DISTINCT phone, channel_message_id FROM parked_reports ORDER BY phone')
      expect(left).toEqual([
        ['+4930123456', wamid('4930123456', 'A0000004')],
        ['+4930999999', wamid('4930999999', 'A0000003')],
      ])
    })

    test('erase what endpoints answered, of messages that it got and of those that it sent', async () => {
      await db.write('addWebhook', webhook())
      await db.claimWebhooks()
      await send('msg_1', { contactId })
      await db.write('applyReports', { channelId: 'chan_1', reports: [report('read')], recordedAt: t0 })
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 9 })
      const failed = { state: 'failed', attempt: { ...outcome(1).attempt, status: 500 } } as const
      const outcomes = [
        ...events.map(({ seq, messageSeq }) => outcome(seq, { messageSeq, ...failed })),
        outcome(900, failed),
      ]
      await db.write('recordAttempts', { endpointId: 'hook_1', position: 900, outcomes })
      await forgetWholly(db, contactId)
      const rows = await db.rows('SELECT CAST(seq AS INTEGER), attempts FROM webhook_deliveries ORDER BY seq')
      const answers = rows.map(([seq, attempts]) => [seq, JSON.parse(String(attempts))[0].answer])
      expect(answers).toEqual([...events.map(({ seq }) => [seq, null]), [900, 'ok']])
    })
  })

  describe('what comes while it is erased', () => {
    const begin = () => db.write('forgetContact', { contactId, at })

    test('from the number is of another contact, and stays', async () => {
      await begin()
      const from = { ...inbound().from, newContactId: 'contact_2', name: 'Ada' }
      const again = inbound({ channelMessageId: 'wamid.new', from, at: at + 1 })
      await db.write('recordInbound', { channelId: 'chan_1', messages: [again], recordedAt: at + 1 })
      await send('msg_1', { contactId: 'contact_2', createdAt: at + 1 })
      // The clock was set back meanwhile.
      await send('msg_2', { createdAt: t0 })
      expect(await erase(db, 1)).toMatchObject({ messages: 0, inbound: 1, state: 'done' })
      expect(await db.read.contactById('contact_2')).toMatchObject({ phone, name: 'Ada' })
      expect(await recipients('msg_1', 'msg_2')).toEqual([phone, phone])
      expect((await db.read.inbound({ contactId: 'contact_2', limit: 9 }))[0]?.content).not.toEqual({})
    })

    test('late, from before a change of the number, brings the contact not back', async () => {
      const from = { ...inbound().from, phone: '+4930777' }
      const identityChange = { formerPhone: phone, formerUserId: null }
      const moved = inbound({ channelMessageId: 'wamid.moved', kind: 'system', from, identityChange, at: t0 + 3 })
      await db.write('recordInbound', { channelId: 'chan_1', messages: [moved], recordedAt: t0 + 3 })
      await begin()
      const late = { ...inbound().from, newContactId: 'contact_2' }
      await db.write('recordInbound', {
        channelId: 'chan_1',
        messages: [inbound({ channelMessageId: 'wamid.late', from: late, at: t0 + 1 })],
        recordedAt: at + 1,
      })
      await erase(db)
      expect(await db.read.contactById(contactId)).toMatchObject({ phone: null, name: null })
    })

    test('to the number stays, also where the numbers of deleted messages are given again', async () => {
      for (const id of ['msg_1', 'msg_2']) await send(id)
      await begin()
      expect(await db.write('pruneMessages', { createdBefore: at, limit: 9 })).toBe(2)
      for (const id of ['msg_3', 'msg_4']) await send(id, { createdAt: t0 })
      expect(await erase(db)).toMatchObject({ messages: 0, state: 'done' })
      expect(await recipients('msg_3', 'msg_4')).toEqual([phone, phone])
    })

    test('and names its id, as it found the contact just before, is erased once it is sent', async () => {
      await begin()
      await wait('msg_1', { contactId, recipient: 'DE.1', createdAt: at + 1 })
      expect(await erase(db)).toMatchObject({ state: 'waiting' })
      expect(await recipients('msg_1')).toEqual(['DE.1'])
      expect(await openErasures()).toHaveLength(1)
      await db.write('recordEvent', recorded('msg_1', { kind: 'dispatched', at }))
      await db.write('recordEvent', accepted('msg_1'))
      expect(await erase(db)).toMatchObject({ messages: 1, state: 'done' })
      expect(await recipients('msg_1')).toEqual(['forgotten'])
    })
  })
}
