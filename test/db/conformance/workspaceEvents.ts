import { describe, expect, test } from 'bun:test'
import type { EventQuery } from '../../../db/contract/events.ts'
import { unrelated } from '../../../db/contract/inbound.ts'
import type { Inbound, Report } from '../../../db/contract/records.ts'
import type { ToldUpdate } from '../../../db/contract/updates.ts'
import { dayMs } from '../../../src/base/durations.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import {
  accepted,
  addOther,
  channel,
  draft,
  inbound,
  line,
  ofOther,
  recorded,
  refused,
  report,
  t0,
  template,
  webhook,
} from '../fixtures.ts'
import { forgetWholly } from './contactErasure.ts'

/** What callers of a workspace are told, whichever verb it comes from. */
export function workspaceEventsSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const page = (query: Partial<EventQuery> = {}) =>
    db.read.events({ workspaceId: 'ws_1', after: 0, limit: 100, ...query })
  const told = async (query: Partial<EventQuery> = {}) => (await page(query)).events
  const types = async (query: Partial<EventQuery> = {}) => (await told(query)).map(({ type }) => type)
  const seqs = async (query: Partial<EventQuery> = {}) => (await told(query)).map(({ seq }) => seq)
  const send = async (...ids: readonly string[]) => {
    for (const id of ids) await db.write('acceptMessage', draft({ id }))
    for (const id of ids) await db.write('recordEvent', accepted(id))
  }
  const apply = (...reports: readonly Report[]) =>
    db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 + 5_000 })
  const receive = (...messages: readonly Inbound[]) =>
    db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: t0 + 10 })

  describe('after a restore', () => {
    const inOneMs = 100
    const last = () => db.read.lastNumber('ws_1')

    test('numbers go on behind all that may have been used since the backup, also of a workspace that had none', async () => {
      await send('msg_1')
      await addOther(db)
      await db.write('passEventNumbers', { at: t0 + dayMs })
      const first = await last()
      expect(first).toBeGreaterThan(dayMs * inOneMs)
      expect(await db.read.lastNumber('ws_2')).toBeGreaterThan(dayMs * inOneMs)
      await send('msg_2')
      expect(await types({ after: first })).toEqual(['message.sent'])
      await db.write('passEventNumbers', { at: t0 + dayMs + 1 })
      const second = await last()
      expect(second).toBeGreaterThan(first + inOneMs)
      await send('msg_3')
      expect(await types({ after: second })).toEqual(['message.sent'])
    })

    test('in the time of a clock that is behind, they go on as they did', async () => {
      await send('msg_1')
      const before = await last()
      await db.write('passEventNumbers', { at: 0 })
      expect(await last()).toBe(before)
    })
  })

  describe('events of messages', () => {
    test('each step gives one, with its own time, its number in the message and the message as it was', async () => {
      await send('msg_1')
      await apply(report('read', { at: t0 + 3_000 }), report('delivered', { at: t0 + 2_000 }))
      const events = await told()
      expect(events.map(({ seq, type, at, sequence }) => [seq, type, at, sequence])).toEqual([
        [1, 'message.sent', t0 + 100, 2],
        [2, 'message.read', t0 + 3_000, 3],
        [3, 'message.delivered', t0 + 2_000, 4],
      ])
      expect(
        events.map(({ message }) => [message?.id, message?.status, message?.deliveredAt, message?.readAt]),
      ).toEqual([
        ['msg_1', 'SENT', null, null],
        ['msg_1', 'READ', null, t0 + 3_000],
        ['msg_1', 'READ', t0 + 2_000, t0 + 3_000],
      ])
      expect(events.at(-1)?.message).toEqual(await db.read.statusView('msg_1'))
      expect(events.map(({ data, inbound }) => [data, inbound])).toEqual([
        [null, null],
        [null, null],
        [null, null],
      ])
    })

    test('an acceptance gives one while a webhook that is on names its type, as the message was then', async () => {
      const accept = (id: string) => db.write('acceptMessage', draft({ id }))
      const change = (isOn: boolean) => db.write('changeWebhook', { endpointId: 'hook_1', isOn, at: t0 })
      await accept('msg_0')
      await db.write('addWebhook', webhook({ id: 'hook_all' }))
      await accept('msg_1')
      await db.write('addWebhook', webhook({ types: ['message.read', 'message.queued'] }))
      await accept('msg_2')
      await change(false)
      await accept('msg_3')
      await change(true)
      const batch = ['msg_4', 'msg_5'].map(id => ['acceptMessage', draft({ id })] as const)
      await db.batch(...batch)
      await db.write('recordEvent', accepted('msg_2'))
      await db.write('removeWebhook', { endpointId: 'hook_1', at: t0 })
      await accept('msg_6')
      const events = await told()
      expect(
        events.map(({ type, at, sequence, message }) => [type, at, sequence, message?.id, message?.status]),
      ).toEqual([
        ['message.queued', t0, 1, 'msg_2', 'QUEUED'],
        ['message.queued', t0, 1, 'msg_4', 'QUEUED'],
        ['message.queued', t0, 1, 'msg_5', 'QUEUED'],
        ['message.sent', t0 + 100, 2, 'msg_2', 'SENT'],
      ])
      expect(events[0]?.message?.channelMessageId).toBeNull()
    })

    test('a repeated report gives none', async () => {
      await send('msg_1')
      for (const _ of [1, 2]) await apply(report('delivered'), report('delivered'))
      await db.write('recordEvent', accepted('msg_1'))
      expect(await types()).toEqual(['message.sent', 'message.delivered'])
    })

    test('an acceptance and a wait give none; a refusal, a lost answer and what settles it each give one', async () => {
      await db.write('acceptMessage', draft({ id: 'msg_1' }))
      await db.write('acceptMessage', draft({ id: 'msg_2', dispatchedAt: null }))
      await db.write('handOverMessages', { messageIds: ['msg_2'], at: t0 })
      await db.write('deferMessages', { messages: [{ messageId: 'msg_2', payload: null, refusal: null }], at: t0 })
      expect(await told()).toEqual([])
      await db.write('recordEvent', refused('msg_1'))
      await db.write('handOverMessages', { messageIds: ['msg_2'], at: t0 })
      await db.write('recordEvent', recorded('msg_2', { kind: 'lost', at: t0 + 5 }))
      await db.write('abandonUnknown', { lostBefore: t0 + 10, at: t0 + 20, reason: 'no sign', limit: 5 })
      expect((await told()).map(({ type, at, message }) => [type, at, message?.id, message?.status])).toEqual([
        ['message.failed', t0 + 100, 'msg_1', 'FAILED'],
        ['message.unknown', t0 + 5, 'msg_2', 'UNKNOWN'],
        ['message.failed', t0 + 20, 'msg_2', 'FAILED'],
      ])
    })

    test('a report that was parked gives its event with the answer that it waited for', async () => {
      await db.write('acceptMessage', draft())
      await apply(report('delivered', { messageId: null, channelMessageId: 'wamid.msg_1' }))
      expect(await told()).toEqual([])
      await db.write('recordEvent', accepted('msg_1'))
      expect(await types()).toEqual(['message.sent', 'message.delivered'])
    })

    test('many at once are numbered without a gap', async () => {
      const ids = Array.from({ length: 30 }, (_, index) => `msg_${index}`)
      for (const id of ids) await db.write('acceptMessage', draft({ id }))
      await Promise.all(ids.map(id => db.write('recordEvent', accepted(id))))
      expect(await seqs()).toEqual(ids.map((_, index) => index + 1))
      expect(new Set((await told()).map(({ message }) => message?.id))).toEqual(new Set(ids))
    })

    test('numbers grow on after a restart, and after all events were pruned', async () => {
      await send('msg_1')
      await db.restart()
      await send('msg_2')
      const [first = 0, second = 0] = await seqs()
      expect(second).toBeGreaterThan(first)
      expect(await db.write('pruneEvents', { recordedBefore: t0 + 101, limit: 1 })).toBe(1)
      expect(await seqs()).toEqual([second])
      expect(await db.write('pruneEvents', { recordedBefore: t0 + 101, limit: 5 })).toBe(1)
      await db.restart()
      await send('msg_3')
      expect(await seqs({ after: second })).toHaveLength(1)
    })

    test('one that is not old enough stays', async () => {
      await send('msg_1')
      expect(await db.write('pruneEvents', { recordedBefore: t0 + 100, limit: 5 })).toBe(0)
      expect(await seqs()).toEqual([1])
    })

    test('an event of a message that was pruned is left out, and the next page begins behind it', async () => {
      await send('msg_1', 'msg_2')
      expect(await db.write('pruneMessages', { createdBefore: t0 + 1, limit: 1 })).toBe(1)
      expect(await page({ limit: 1 })).toEqual({ events: [], upTo: 1, hasMore: true })
      expect((await told({ after: 1 })).map(({ message }) => message?.id)).toEqual(['msg_2'])
    })

    test('after the newest message was pruned, none is taken for one of the next message', async () => {
      await send('msg_1')
      await apply(report('read', { at: t0 + 3_000 }))
      expect(await db.write('pruneMessages', { createdBefore: t0 + 1, limit: 5 })).toBe(1)
      await addOther(db)
      await db.write('acceptMessage', draft({ id: 'msg_2', ...ofOther }))
      expect(await told()).toEqual([])
    })

    test('an erased recipient leaves nothing in them', async () => {
      await receive(inbound())
      await db.write('acceptMessage', draft({ contactId: 'contact_1' }))
      await db.write('recordEvent', accepted('msg_1', 'wamid.secret'))
      await forgetWholly(db, 'contact_1')
      const [event] = await told({ types: ['message.sent'] })
      expect(event?.message).toEqual(await db.read.statusView('msg_1'))
      expect(event?.message?.channelMessageId).not.toContain('secret')
    })
  })

  describe('the list', () => {
    test('is ascending, goes on after a number, and says up to where it looked', async () => {
      await send('msg_1', 'msg_2', 'msg_3')
      expect(await page()).toMatchObject({ upTo: 3 })
      expect([await db.read.lastEvent('ws_1'), await db.read.lastEvent('ws_2')]).toEqual([3, 0])
      // An engine may count ahead, and no further than some hundred.
      expect(await db.read.lastNumber('ws_1')).toBeWithin(3, 200)
      expect(await db.read.lastNumber('ws_2')).toBe(0)
      expect(await seqs({ limit: 2 })).toEqual([1, 2])
      expect(await page({ limit: 2 })).toMatchObject({ upTo: 2 })
      expect(await seqs({ after: 2, limit: 2 })).toEqual([3])
      expect(await page({ after: 3 })).toEqual({ events: [], upTo: 3, hasMore: false })
    })

    test('has only some types when they are named, and skips the others for good', async () => {
      await send('msg_1', 'msg_2')
      await apply(report('failed', { messageId: 'msg_2', channelMessageId: 'wamid.msg_2' }))
      await send('msg_3')
      expect(await types({ types: ['message.failed', 'message.read'] })).toEqual(['message.failed'])
      expect(await page({ types: ['message.failed'] })).toMatchObject({ upTo: 4 })
      expect(await page({ types: ['message.failed'], limit: 1 })).toMatchObject({ upTo: 3 })
      expect(await page({ types: ['message.read'] })).toEqual({ events: [], upTo: 4, hasMore: false })
    })

    test('has some by their numbers, ascending', async () => {
      await send('msg_1', 'msg_2', 'msg_3')
      const numbered = (workspaceId: string) => db.read.numberedEvents({ workspaceId, seqs: [3, 1, 9] })
      expect((await numbered('ws_1')).map(({ seq, message }) => [seq, message?.id])).toEqual([
        [1, 'msg_1'],
        [3, 'msg_3'],
      ])
      expect(await numbered('ws_2')).toEqual([])
    })

    test('leaves out events about messages of other lines, when lines are named', async () => {
      await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
      await db.write('acceptMessage', draft({ id: 'msg_1', lineId: 'line_2' }))
      await db.write('recordEvent', accepted('msg_1'))
      await send('msg_2')
      await receive(inbound(), inbound({ channelMessageId: 'wamid.in2', upstreamPhoneId: '2' }))
      await receive(inbound({ channelMessageId: 'wamid.in3', from: { ...inbound().from, name: 'Grace' } }))
      const on = (...lineIds: readonly string[]) => types({ lineIds })
      expect(await on('line_1', 'line_2')).toEqual(await types())
      expect(await on('line_1')).toEqual(['message.sent', 'message.received', 'contact.updated', 'message.received'])
      expect(await on()).toEqual(['contact.updated'])
      // A quiet line's first event is found behind those of busier ones.
      expect(await page({ lineIds: ['line_1'], limit: 1 })).toMatchObject({ events: [{ type: 'message.sent' }] })
    })

    test('is in shorter pages where users wrote much, and leaves none out', async () => {
      const content = JSON.stringify({ text: { body: 'x'.repeat(400_000) } })
      await receive(...['a', 'b', 'c'].map(id => inbound({ channelMessageId: `wamid.${id}`, content })))
      expect(await page()).toMatchObject({ events: [{ seq: 1 }, { seq: 2 }], upTo: 2, hasMore: true })
      expect(await page({ after: 2 })).toMatchObject({ events: [{ seq: 3 }], upTo: 3, hasMore: false })
    })

    test('each workspace has its own numbers', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2', accountId: '100002' }))
      await db.write('addLine', line({ id: 'line_2', workspaceId: 'ws_2', channelId: 'chan_2', upstreamPhoneId: '2' }))
      const other = { workspaceId: 'ws_2', channelId: 'chan_2', lineId: 'line_2' }
      await send('msg_1')
      await db.write('acceptMessage', draft({ id: 'msg_2', ...other }))
      await db.write('recordEvent', accepted('msg_2'))
      for (const [workspaceId, id] of [
        ['ws_1', 'msg_1'],
        ['ws_2', 'msg_2'],
      ] as const) {
        expect((await told({ workspaceId })).map(({ seq, message }) => [seq, message?.id])).toEqual([[1, id]])
      }
    })
  })

  describe('events of what users send', () => {
    test('a message gives one, with what the message is', async () => {
      await receive(inbound())
      expect(await told()).toEqual([
        {
          ...{ seq: 1, type: 'message.received', at: t0, data: null },
          ...{ messageSeq: null, sequence: null, message: null, callback: null },
          inbound: {
            ...{ seq: 1, channelMessageId: 'wamid.in1', contactId: 'contact_1', lineId: 'line_1', kind: 'text' },
            ...{ phone: '+4930123456', userId: null, name: 'Ada', username: null, file: null },
            ...{ at: t0, recordedAt: t0 + 10, content: { text: { body: 'hello' } }, related: unrelated },
          },
        },
      ])
    })

    test('one of nobody, and one of a user whose number is hidden, show all that is known', async () => {
      const nobody = { phone: null, userId: null, name: null, newContactId: 'contact_9' }
      const hidden = { phone: null, userId: 'DE.1', name: 'Ada', newContactId: 'contact_1' }
      await receive(inbound({ from: nobody }), inbound({ channelMessageId: 'wamid.in2', from: hidden }))
      const seqs = (await told()).map(({ seq }) => seq)
      const both = await Promise.all(seqs.map(seq => db.read.inboundMessage({ workspaceId: 'ws_1', seq })))
      expect(both).toMatchObject([
        { contactId: null, name: null, channelMessageId: 'wamid.in1' },
        { contactId: 'contact_1', name: 'Ada', phone: null, userId: 'DE.1' },
      ])
      expect((await told()).map(({ inbound }) => inbound)).toEqual(both)
      const numbered = await db.read.numberedEvents({ workspaceId: 'ws_1', seqs })
      expect(numbered.map(({ inbound }) => inbound)).toEqual(both)
    })

    test('a repeated one, one from the app and one of a history give none; all but the repeated one are numbered', async () => {
      await receive(inbound(), inbound())
      await receive(inbound())
      await receive(inbound({ channelMessageId: 'wamid.in2', kind: 'smb_message_echoes text' }))
      await receive(inbound({ channelMessageId: 'wamid.in3', isPast: true }))
      await receive(inbound({ channelMessageId: 'wamid.in4' }))
      expect(await seqs()).toEqual([1, 4])
    })

    test('one on a line of another workspace tells the receiving workspace nothing', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2' }))
      await db.write('addLine', line({ id: 'line_2', workspaceId: 'ws_2', channelId: 'chan_2', upstreamPhoneId: '2' }))
      await receive(inbound({ upstreamPhoneId: '2' }))
      expect(await told()).toEqual([])
      expect(await told({ workspaceId: 'ws_2' })).toEqual([])
    })

    test('one that was pruned is left out', async () => {
      await receive(inbound())
      expect(await db.write('pruneInbound', { recordedBefore: t0 + 11, limit: 5 })).toBe(1)
      expect(await page()).toEqual({ events: [], upTo: 1, hasMore: false })
    })
  })

  describe('events of contacts', () => {
    const ada = { id: 'contact_1', phone: '+4930123456', userId: null, name: 'Ada', username: null }
    const from = (fields: Partial<Inbound['from']>) => ({ ...inbound().from, ...fields })

    test('another name, number or user id gives one; a new contact and the same again give none', async () => {
      await receive(inbound())
      await receive(inbound({ channelMessageId: 'wamid.in2', at: t0 + 1_000 }))
      expect(await types()).toEqual(['message.received', 'message.received'])
      await receive(
        inbound({ channelMessageId: 'wamid.in3', at: t0 + 2_000, from: from({ name: 'Ada L.', userId: 'DE.1' }) }),
      )
      expect((await told({ after: 2 })).map(({ type, at, data }) => [type, at, data])).toEqual([
        [
          'contact.updated',
          t0 + 10,
          { contact: { ...ada, name: 'Ada L.', userId: 'DE.1' }, changed: ['userId', 'name'] },
        ],
        ['message.received', t0 + 2_000, null],
      ])
    })

    test('a change by the operator gives one', async () => {
      const contact = { ...ada, workspaceId: 'ws_1', createdAt: t0, updatedAt: t0 }
      await db.write('saveContact', contact)
      await db.write('saveContact', { ...contact, name: 'Grace', updatedAt: t0 + 5 })
      expect((await told()).map(({ type, at, data }) => [type, at, data])).toEqual([
        ['contact.updated', t0 + 5, { contact: { ...ada, name: 'Grace' }, changed: ['name'] }],
      ])
    })

    test('erasing a contact erases them, also those of a contact that was merged into it', async () => {
      const contact = { ...ada, workspaceId: 'ws_1', createdAt: t0, updatedAt: t0 }
      await db.write('saveContact', contact)
      await db.write('saveContact', { ...contact, name: 'Grace' })
      const other = { ...contact, id: 'contact_2', phone: null, userId: 'DE.1' }
      await db.write('saveContact', { ...other, createdAt: t0 + 1 })
      await db.write('saveContact', { ...other, name: 'Grace H.' })
      await receive(inbound({ from: from({ userId: 'DE.1' }) }))
      expect(await types()).toEqual([
        'contact.updated',
        'contact.updated',
        'contact.updated',
        'contact.updated',
        'message.received',
      ])
      await forgetWholly(db, 'contact_1')
      expect(await types()).toEqual(['message.received'])
      expect(JSON.stringify(await told())).not.toMatch(/Grace|4930|DE\.1|hello/)
    })
  })

  describe('events of updates', () => {
    const update = (about: ToldUpdate['about'], fields: Partial<ToldUpdate> = {}): ToldUpdate => ({
      ...{ accountId: '100001', about, kind: 'account_update', at: t0, detail: { event: 'ONE' } },
      ...fields,
    })
    const keep = (...updates: readonly ToldUpdate[]) =>
      db.write('keepUpdates', { channelId: 'chan_1', updates, recordedAt: t0 + 1 })
    const list = (listing: ReturnType<typeof template>[], at = t0, isPartial = false) =>
      db.write('replaceTemplates', { channelId: 'chan_1', templates: listing, at, recordedAt: at, isPartial })

    test('of an account and of a line are alerts of the channel', async () => {
      await keep(update({ of: 'account' }), update({ of: 'line', number: '+15550783881' }, { kind: 'security' }))
      expect((await told()).map(({ type, at, data }) => [type, at, data])).toEqual([
        [
          'channel.alert',
          t0,
          { channel: { id: 'chan_1' }, line: null, alert: { kind: 'account_update', detail: { event: 'ONE' } } },
        ],
        [
          'channel.alert',
          t0,
          {
            channel: { id: 'chan_1' },
            line: { id: 'line_1', number: '+15550783881' },
            alert: { kind: 'security', detail: { event: 'ONE' } },
          },
        ],
      ])
    })

    test('a repeated one and an older one of the same kind give none; about anything unknown neither', async () => {
      await keep(update({ of: 'account' }, { at: t0 + 5 }))
      await keep(update({ of: 'account' }, { at: t0 + 5 }), update({ of: 'account' }, { at: t0 }))
      await keep(update({ of: 'line', number: '+1' }))
      expect(await types()).toEqual(['channel.alert'])
    })

    test('one that comes several times at once gives one', async () => {
      await Promise.all([1, 2, 3, 4].map(() => keep(update({ of: 'account' }))))
      expect(await types()).toEqual(['channel.alert'])
    })

    test('of a contact are its preferences', async () => {
      await receive(inbound())
      const words = 'User requested to stop marketing messages'
      const detail = { category: 'marketing_messages', value: 'stop', detail: words, wa_id: '4930123456' }
      const kind = 'user_preferences marketing_messages'
      await keep(
        update(
          { of: 'contact', phone: '+4930123456', userId: null, name: null, newContactId: 'contact_new' },
          { kind, detail },
        ),
      )
      expect((await told({ after: 1 })).map(({ type, data }) => [type, data])).toEqual([
        [
          'contact.preference_changed',
          {
            contact: { id: 'contact_1', phone: '+4930123456', userId: null, name: 'Ada', username: null },
            preference: { category: 'marketing_messages', value: 'stop', detail: words },
          },
        ],
      ])
    })

    test('of a template are its quality; its status is told by its own event alone', async () => {
      await list([template()])
      const about = { of: 'template', name: 'order_confirmation', language: 'en_US' } as const
      const detail = { previous_quality_score: 'GREEN', new_quality_score: 'YELLOW' }
      await keep(
        update(about, { kind: 'message_template_status_update' }),
        update(about, { kind: 'message_template_quality_update', detail }),
      )
      expect((await told()).map(({ type, data }) => [type, data])).toEqual([
        [
          'template.quality_changed',
          {
            template: {
              id: 'tpl_1',
              name: 'order_confirmation',
              language: 'en_US',
              category: 'UTILITY',
              status: 'APPROVED',
            },
            quality: { previous: 'GREEN', current: 'YELLOW' },
          },
        ],
      ])
    })

    test('bring the callback that they were made of, beside what they show', async () => {
      const callback = { id: '100001', time: 1, changes: [{ field: 'account_update', value: { event: 'ONE' } }] }
      await keep(update({ of: 'account' }, { callback }), update({ of: 'account' }, { kind: 'calls' }))
      const alert = (kind: string) => ({ kind, detail: { event: 'ONE' } })
      const shown = { channel: { id: 'chan_1' }, line: null }
      expect((await told()).map(({ data, callback: brought }) => [data, brought])).toEqual([
        [{ ...shown, alert: alert('account_update') }, callback],
        [{ ...shown, alert: alert('calls') }, null],
      ])
    })

    test('of a template are reports too, while an endpoint that is on names them', async () => {
      await list([template()])
      const about = { of: 'template', name: 'order_confirmation', language: 'en_US' } as const
      const say = (at: number) => keep(update(about, { kind: 'message_template_status_update', at }))
      await db.write('addWebhook', webhook({ id: 'hook_all' }))
      await db.write('addWebhook', webhook({ types: ['template.reported'] }))
      await say(t0)
      await say(t0)
      await say(t0 + 1_000)
      await db.write('changeWebhook', { endpointId: webhook().id, isOn: false, at: t0 })
      await say(t0 + 2_000)
      expect((await told()).map(({ type, at, data }) => [type, at, data?.report])).toEqual(
        [t0, t0 + 1_000].map(at => [
          'template.reported',
          at,
          { kind: 'message_template_status_update', detail: { event: 'ONE' } },
        ]),
      )
    })

    test('of a template that is not listed yet are reports of none; its quality is told of what is listed', async () => {
      await db.write('addWebhook', webhook({ types: ['template.reported'] }))
      const about = { of: 'template', name: 'just_made', language: 'en_US' } as const
      const callback = { id: '100001' }
      await keep(
        update(about, { kind: 'message_template_status_update', callback }),
        update(about, { kind: 'message_template_quality_update' }),
        update(about, { kind: 'message_template_status_update', accountId: '9' }),
      )
      const report = { kind: 'message_template_status_update', detail: { event: 'ONE' } }
      expect(await told()).toMatchObject([{ type: 'template.reported', data: { report }, callback }])
    })

    test('another status or category of a template gives one, whoever says it; the first listing gives none', async () => {
      await list([template(), template({ id: 'tpl_2', name: 'gone' }), template({ id: 'tpl_3', name: 'deleted' })])
      expect(await told()).toEqual([])
      const named = { channelId: 'chan_1', accountId: '100001', name: 'order_confirmation', language: 'en_US' }
      const why = { reason: 'LOW_QUALITY', recommendation: 'Ask fewer people.' }
      for (const _ of [1, 2])
        await db.write('applyTemplateUpdate', {
          ...named,
          ...why,
          status: 'PAUSED',
          at: t0 + 2_000,
          recordedAt: t0 + 2_000,
        })
      await list([template({ category: 'MARKETING' }), template({ id: 'tpl_3', name: 'deleted' })], t0 + 5_000)
      await list([template({ category: 'MARKETING', components: '[{}]' })], t0 + 6_000, true)
      await db.write('recordTemplate', {
        action: 'edit',
        template: template({ status: 'PENDING', updatedAt: t0 + 7_000 }),
      })
      const deletion = { channelId: 'chan_1', templateId: 'tpl_3', name: 'deleted', language: null, at: t0 + 8_000 }
      await db.write('recordDeletion', deletion)
      const shown = (await told()).map(({ type, at, data }) => [type, at - t0, data?.template, data?.previous])
      const state = (status: string, category = 'UTILITY') => ({ status, category })
      const of = (id: string, name: string, now: object) =>
        expect.objectContaining({ id, name, language: 'en_US', ...now })
      expect(shown).toEqual([
        ['template.updated', 2_000, of('tpl_1', 'order_confirmation', state('PAUSED')), state('APPROVED')],
        ['template.updated', 5_000, of('tpl_1', 'order_confirmation', state('APPROVED', 'MARKETING')), state('PAUSED')],
        ['template.updated', 5_000, of('tpl_2', 'gone', state('DELETED')), state('APPROVED')],
        [
          'template.updated',
          7_000,
          of('tpl_1', 'order_confirmation', state('PENDING')),
          state('APPROVED', 'MARKETING'),
        ],
        ['template.updated', 8_000, of('tpl_3', 'deleted', state('DELETED')), state('APPROVED')],
      ])
      const [paused, listed] = await told()
      expect(paused?.data).toMatchObject(why)
      expect(listed?.data).toMatchObject({ reason: null, recommendation: null })
    })

    test('a channel that is disconnected leaves the events of its templates: they happened', async () => {
      await list([template()])
      await list([template({ status: 'PAUSED' })], t0 + 5_000)
      expect(await types()).toEqual(['template.updated'])
      await db.write('disconnectChannel', { channelId: 'chan_1', at: t0 + 6_000 })
      expect(await types()).toEqual(['template.updated'])
    })
  })
}
