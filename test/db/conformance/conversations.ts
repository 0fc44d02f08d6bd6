import { beforeEach, describe, expect, test } from 'bun:test'
import {
  answerScan,
  type ConversationSearch,
  type InboundPosition,
  unreadMax,
} from '../../../db/contract/conversations.ts'
import type { Inbound } from '../../../db/contract/records.ts'
import type { UserRole } from '../../../db/contract/roles.ts'
import { newId } from '../../../src/base/ids.ts'
import { windowMs } from '../../../src/base/upstreamLimits.ts'
import { lastWindow } from '../../../src/inbound/window.ts'
import { keyOfItem } from '../../../src/message/batches.ts'
import { echoKind } from '../../../src/message/kinds.ts'
import { heardAt, sentAt } from '../../../src/message/saidAt.ts'
import { bothSides, type Place } from '../../../src/reading/bothSides.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, channel, draft, inbound, line, t0 } from '../fixtures.ts'

const ada = { phone: '+49301', userId: null, name: 'Ada Lovelace', newContactId: 'contact_ada' }
const bob = { phone: '+49302', userId: 'DE.bob', name: 'Bob', newContactId: 'contact_bob' }
const eve = { phone: null, userId: 'DE.eve', name: 'Émilie', newContactId: 'contact_eve' }

const word = (words: string) => ({ words, digits: null })

export function conversationsSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  let ids = 0
  beforeEach(async () => {
    ids = 0
  })

  const said = (from: Inbound['from'], fields: Partial<Inbound> = {}) => {
    ids += 1
    return inbound({ channelMessageId: `wamid.${ids}`, at: t0 + ids, from, ...fields })
  }
  const receive = (...messages: Inbound[]) =>
    db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: t0 + 1_000 + ids })
  const step = (search: Partial<ConversationSearch> = {}) =>
    db.read.conversations({ workspaceId: 'ws_1', limit: 10, scan: 100, ...search })
  const name = (id: string) => id.replace('contact_', '')

  /** Every page, one after the other. */
  async function all(search: Partial<ConversationSearch> = {}): Promise<string[]> {
    const pages: string[] = []
    for (let cursor = search.cursor; ; ) {
      const { conversations, next } = await step({ ...search, cursor })
      pages.push(conversations.map(({ contact }) => name(contact.id)).join(' '))
      if (next === null) return pages
      cursor = next
    }
  }
  const unread = async () =>
    (await step()).conversations.map(({ contact, unread }) => [name(contact.id), unread] as const)
  const read = async (contactId: string) =>
    db.write('readConversation', { workspaceId: 'ws_1', contactId, upTo: (await heard(contactId)).upTo })
  const heard = (contactId: string) => db.read.heard({ workspaceId: 'ws_1', contactId })
  const counts = (max = 9, scan = 9) =>
    db.read.conversationCounts({ workspaceId: 'ws_1', userId: 'user_ann', max, scan })
  const counted = async (max?: number) => (await counts(max)).unread

  describe('conversations', () => {
    test('are with people who wrote, who wrote last first, and with nobody else', async () => {
      const other = { phone: '+49309', userId: null, name: 'Silent' }
      await db.write('saveContact', { id: 'contact_0', workspaceId: 'ws_1', ...other, createdAt: t0, updatedAt: t0 })
      await receive(said(ada), said(bob), said(eve))
      await receive(said(ada, { at: t0 - 99_000 }), said(bob, { kind: 'smb_message_echoes text' }))
      expect(await all()).toEqual(['ada eve bob'])
      expect(await all({ limit: 1, scan: 2 })).toEqual(['ada', 'eve', 'bob'])
      expect(await all({ limit: 2, scan: 9, words: [word('E')] })).toEqual(['ada eve'])
      expect(await all({ limit: 1, scan: 9, words: [word('émil')] })).toEqual(['eve'])
      expect(await all({ scan: 1, words: [{ words: '93 02', digits: '9302' }] })).toEqual(['', '', 'bob', ''])
    })

    test('are of their workspace alone', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2', accountId: '100002' }))
      await db.write('addLine', line({ id: 'line_2', workspaceId: 'ws_2', channelId: 'chan_2', upstreamPhoneId: '2' }))
      await receive(said(ada))
      const messages = [said({ ...ada, newContactId: 'contact_2' }, { upstreamPhoneId: '2' })]
      await db.write('recordInbound', { channelId: 'chan_2', messages, recordedAt: t0 })
      expect(await all()).toEqual(['ada'])
      expect(await all({ workspaceId: 'ws_2' })).toEqual(['2'])
      const foreign = { workspaceId: 'ws_2', contactId: 'contact_ada', upTo: 9 }
      expect(await db.write('readConversation', foreign)).toBeFalse()
      expect(await unread()).toEqual([['ada', 1]])
    })

    test('show the last words of both sides, whichever address they went to', async () => {
      await receive(said(bob, { content: '{"type":"text","text":{"body":"Hello"}}' }))
      expect((await step()).conversations).toMatchObject([
        { contact: { id: 'contact_bob' }, lastReceived: { content: { text: { body: 'Hello' } } }, lastSent: null },
      ])
      const sent = [
        draft({ id: 'msg_1', recipient: '+49302', createdAt: t0 + 10 }),
        draft({ id: 'msg_2', recipient: 'DE.bob', createdAt: t0 + 20 }),
        draft({ id: 'msg_3', recipient: '+49302', createdAt: t0 + 15 }),
        draft({ id: 'msg_4', recipient: '+49301', createdAt: t0 + 30 }),
      ]
      for (const message of sent) await db.write('acceptMessage', message)
      await receive(said(bob, { kind: 'smb_message_echoes text' }))
      expect((await step()).conversations).toMatchObject([
        {
          lastReceived: { kind: 'smb_message_echoes text' },
          lastSent: { id: 'msg_2', status: 'QUEUED' },
        },
      ])
    })

    test('come first once a member has written, who begins them too; nothing that keys or campaigns send moves one', async () => {
      const spoken = (messageIds: readonly string[], begins = false, workspaceId = 'ws_1') =>
        db.write('noteSpoken', { workspaceId, messageIds, begins, at: t0 })
      const joan = { phone: '+49305', userId: null, name: 'Joan' }
      await db.write('saveContact', { id: 'contact_joan', workspaceId: 'ws_1', ...joan, createdAt: t0, updatedAt: t0 })
      await receive(said(ada), said(bob), said(eve))
      for (const to of ['+49301', 'DE.bob', '+49305', '+49309'])
        await db.write('acceptMessage', draft({ id: `msg_${to}`, recipient: to, apiKeyId: null, createdAt: t0 + 50 }))
      expect(await all()).toEqual(['eve bob ada'])
      expect([await spoken(['msg_+49301']), await all()]).toEqual([true, ['ada eve bob']])
      expect([await spoken(['msg_+49301'], true, 'ws_2'), await spoken(['msg_+49309'], true)]).toEqual([false, false])
      expect([await spoken(['msg_+49305']), await spoken(['msg_DE.bob', 'msg_+49309']), await all()]).toEqual([
        ...[false, true],
        ['bob ada eve'],
      ])
      expect([await spoken(['msg_+49305'], true), await all({ limit: 1, scan: 2 })]).toEqual([
        true,
        ['joan', 'bob', 'ada', 'eve'],
      ])
      expect((await step({ limit: 1 })).conversations).toMatchObject([{ unread: 0, lastReceived: null, lastSent: {} }])
      expect(await all({ state: 'free' })).toEqual(['joan bob ada eve'])
      expect(await all({ isUnread: true })).toEqual(['bob ada eve'])

      // It is as others are: done, open again, and nothing of it can be marked as unread.
      const { upTo } = await heard('contact_joan')
      const of = { workspaceId: 'ws_1', contactId: 'contact_joan', upTo }
      expect(await db.write('unreadConversation', { ...of, at: t0 })).toBeFalse()
      expect([await db.write('finishConversation', of), await all({ state: 'done' })]).toEqual([true, ['joan']])
      expect(await db.write('reopenConversation', of)).toBeTrue()
      await receive(said(ada))
      expect(await all({ state: 'open' })).toEqual(['ada joan bob eve'])

      // Where nobody's words are kept, those remain in which a member has the last one.
      await db.write('pruneInbound', { recordedBefore: t0 + 9_000, limit: 9 })
      expect([await all(), (await counts()).open]).toEqual([['joan bob'], 2])
    })

    test('of a person who was forgotten, or whose messages are all pruned, are gone', async () => {
      await receive(said(ada), said(bob))
      await receive(said(eve))
      await db.write('pruneInboundContents', { recordedBefore: t0 + 9_000, limit: 9 })
      expect((await step()).conversations).toMatchObject([{ unread: 1 }, { unread: 1 }, { unread: 1 }])
      await db.write('pruneInbound', { recordedBefore: t0 + 1_003, limit: 9 })
      expect(await unread()).toEqual([['eve', 1]])
      expect(await counted()).toBe(1)
      await receive(said(ada))
      expect(await unread()).toEqual([
        ['ada', 1],
        ['eve', 1],
      ])
      const forgotten = { contactId: 'contact_ada', at: t0 }
      expect(await db.write('forgetContact', forgotten)).toMatchObject({ outcome: 'removed' })
      expect(await all()).toEqual(['eve'])
      expect(await heard('contact_ada')).toMatchObject({ upTo: 0, unread: 0 })
      await db.write('pruneInbound', { recordedBefore: t0 + 9_000, limit: 9 })
      expect([await all(), await counted()]).toEqual([[''], 0])
    })
  })

  describe('what nobody has read', () => {
    test('is what people wrote since, and never what the business wrote', async () => {
      await receive(said(ada), said(ada), said(bob))
      await receive(said(ada, { kind: 'smb_message_echoes text' }), said(eve, { kind: 'smb_message_echoes text' }))
      expect(await unread()).toEqual([
        ['bob', 1],
        ['ada', 2],
      ])
      expect([await counted(), await counted(1)]).toEqual([2, 1])
      expect(await read('contact_ada')).toBeTrue()
      expect(await read('contact_ada')).toBeFalse()
      expect(await unread()).toEqual([
        ['bob', 1],
        ['ada', 0],
      ])
      expect(await all({ isUnread: true })).toEqual(['bob'])
      await receive(said(ada))
      expect(await all({ isUnread: true, limit: 1, scan: 2 })).toEqual(['ada', 'bob'])
      expect(await unread()).toEqual([
        ['ada', 1],
        ['bob', 1],
      ])
    })

    test('is read up to what was shown: never back, and never what is still to come', async () => {
      await receive(said(ada), said(ada))
      const { upTo } = await heard('contact_ada')
      const readTo = (upTo: number) =>
        db.write('readConversation', { workspaceId: 'ws_1', contactId: 'contact_ada', upTo })
      expect([await readTo(upTo - 1), await unread()]).toEqual([true, [['ada', 1]]])
      expect([await readTo(upTo - 2), await unread()]).toEqual([false, [['ada', 1]]])
      expect([await readTo(2 ** 50), await unread()]).toEqual([true, [['ada', 0]]])
      await receive(said(ada))
      expect(await unread()).toEqual([['ada', 1]])
    })

    test('is nothing from before the line was connected, unless something is unread already', async () => {
      await receive(said(ada, { isPast: true }), said(ada, { isPast: true }))
      expect([await unread(), await counted()]).toEqual([[['ada', 0]], 0])
      await receive(said(ada, { isPast: true }), said(ada), said(bob))
      expect(await unread()).toEqual([
        ['bob', 1],
        ['ada', 1],
      ])
      await receive(said(bob, { isPast: true }))
      expect((await unread())[0]).toEqual(['bob', 2])
    })

    test('is found by the line that the person wrote to last', async () => {
      await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
      const far = { upstreamPhoneId: '2' }
      await receive(said(ada, far), said(bob), said(eve), said(ada), said(eve, far))
      expect(await all({ lineId: 'line_1' })).toEqual(['ada bob'])
      expect(await all({ lineId: 'line_2' })).toEqual(['eve'])
      expect(await all({ lineId: 'line_2', isUnread: true, words: [word('émil')] })).toEqual(['eve'])
      expect(await all({ lineId: 'line_2', words: [word('ada')] })).toEqual([''])
      expect(await all({ lineId: 'line_3' })).toEqual([''])

      // Where a member began, by the line that was written from last.
      const began = [
        { id: 'contact_joan', phone: '+49305', userId: null, name: 'Joan' },
        { id: 'contact_max', phone: null, userId: 'DE.max', name: 'Max' },
      ]
      for (const who of began)
        await db.write('saveContact', { workspaceId: 'ws_1', ...who, createdAt: t0, updatedAt: t0 })
      const sent = [
        draft({ id: 'msg_1', recipient: '+49305', apiKeyId: null, createdAt: t0 + 50 }),
        draft({ id: 'msg_2', recipient: '+49305', apiKeyId: null, lineId: 'line_2', createdAt: t0 + 60 }),
        draft({ id: 'msg_3', recipient: 'DE.max', apiKeyId: null, lineId: 'line_2', createdAt: t0 + 70 }),
      ]
      for (const message of sent) {
        await db.write('acceptMessage', message)
        await db.write('noteSpoken', { workspaceId: 'ws_1', messageIds: [message.id], begins: true, at: t0 })
      }
      expect(await all({ lineId: 'line_2' })).toEqual(['max joan eve'])
      expect(await all({ lineId: 'line_1' })).toEqual(['ada bob'])
      await receive(said({ ...ada, phone: '+49305', newContactId: 'contact_0' }))
      expect(await all({ lineId: 'line_1' })).toEqual(['joan ada bob'])
    })

    test('is counted up to a bound', async () => {
      await receive(...Array.from({ length: unreadMax + 5 }, () => said(ada)))
      expect(await unread()).toEqual([['ada', unreadMax]])
      expect(await heard('contact_ada')).toMatchObject({ unread: unreadMax })
    })

    test('of each contact of a page are as of one, with the window as its messages show it', async () => {
      await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
      const far = { upstreamPhoneId: '2', at: t0 + 90 }
      const ahead = { at: t0 + 9_999 }
      await receive(said(ada), said(ada, far), said(ada, { kind: 'system' }), said(ada, { kind: echoKind }))
      await receive(said(bob, ahead), said(eve, { kind: 'group text' }), said(eve, { kind: 'edit' }))
      const contactIds = ['ada', 'bob', 'eve', 'gone'].map(id => `contact_${id}`)
      for (const lineIds of [['line_1', 'line_2'], ['line_2'], []]) {
        for (const [since, scan] of [
          [t0, 100],
          [t0, 1],
          [t0 + 90, 100],
        ] as const) {
          const each = await db.read.heardOfEach({ workspaceId: 'ws_1', contactIds, lineIds, since, scan })
          expect([...each.keys()].sort()).toEqual(['contact_ada', 'contact_bob', 'contact_eve'])
          for (const [contactId, { unread, openedAt }] of each) {
            const times = await db.read.inboundTimes({ contactId, since, limit: scan })
            const window = lastWindow(
              times,
              lineIds.map(id => ({ id })),
            )
            expect([unread, openedAt]).toEqual([(await heard(contactId)).unread, window && window.endsAt - windowMs])
          }
        }
      }
      const others = { contactIds, lineIds: [], since: t0, scan: 9 }
      expect((await db.read.heardOfEach({ workspaceId: 'ws_2', ...others })).size).toBe(0)
    })

    test('and who wrote go to the contact that another is merged into', async () => {
      const [byNumber, byId] = [
        { phone: '+49305', userId: null, name: 'Joan', newContactId: 'contact_number' },
        { phone: null, userId: 'DE.joan', name: 'Joan', newContactId: 'contact_id' },
      ]
      await receive(said(byNumber))
      await receive(said(byId), said(byId))
      await read('contact_id')
      expect(await unread()).toEqual([
        ['id', 0],
        ['number', 1],
      ])
      await receive(said({ ...byNumber, userId: 'DE.joan' }))
      const [conversation, ...others] = (await step()).conversations
      expect(others).toEqual([])
      // The first word to the number was not read, and is not taken for read: what came after it counts again.
      expect(conversation).toMatchObject({ contact: { phone: '+49305', userId: 'DE.joan' }, unread: 4 })
      expect(await counted()).toBe(1)
    })
  })

  describe('how people sort conversations', () => {
    const contactId = 'contact_ada'
    const of = { workspaceId: 'ws_1', contactId }
    const join = async (id: string, role: UserRole = 'member') => {
      const user = { id, email: `${id}@example.com`, name: null, passwordHash: 'h' }
      const added = { ...user, createdAt: t0, updatedAt: t0, workspaceId: 'ws_1', role }
      expect(await db.write('createUser', added)).toMatchObject({ outcome: 'created' })
    }
    const finish = async (upTo?: number) =>
      db.write('finishConversation', { ...of, upTo: upTo ?? (await heard(contactId)).upTo })
    const take = (takenBy: string | null, insteadOf: string | null = null) =>
      db.write('takeConversation', { ...of, byUserId: 'user_ann', takenBy, insteadOf })
    const lists = async () => ({
      open: await all({ state: 'open' }),
      done: await all({ state: 'done' }),
      free: await all({ state: 'free' }),
      mine: await all({ state: { takenBy: 'user_ann' } }),
    })

    test('one that is done is open from the next word on, and not for what was imported or sent in the app', async () => {
      await receive(said(ada), said(bob))
      expect(await lists()).toEqual({ open: ['bob ada'], done: [''], free: ['bob ada'], mine: [''] })
      expect([await finish(), await finish()]).toEqual([true, false])
      await receive(said(ada, { isPast: true }), said(ada, { kind: 'smb_message_echoes text' }))
      expect(await lists()).toEqual({ open: ['bob'], done: ['ada'], free: ['bob'], mine: [''] })
      await receive(said(ada))
      expect(await lists()).toEqual({ open: ['ada bob'], done: [''], free: ['ada bob'], mine: [''] })
      await finish()
      expect([await db.write('reopenConversation', of), await db.write('reopenConversation', of)]).toEqual([
        true,
        false,
      ])
      expect(await all({ state: 'open', limit: 1, scan: 2 })).toEqual(['ada', 'bob'])
      await db.write('pruneInbound', { recordedBefore: t0 + 9_000, limit: 9 })
      expect(await lists()).toEqual({ open: [''], done: [''], free: [''], mine: [''] })
      expect(await counts()).toMatchObject({ open: 0, free: 0 })
    })

    test('one is not done when the person wrote something meanwhile', async () => {
      await receive(said(ada))
      const { upTo } = await heard(contactId)
      await receive(said(ada))
      expect([await finish(upTo), (await heard(contactId)).sorted.isDone]).toEqual([false, false])
      expect(await db.write('finishConversation', { ...of, workspaceId: 'ws_2', upTo: 2 ** 50 })).toBeFalse()
    })

    test('one is of the member who takes it first, of another only instead of that one, and of nobody when done', async () => {
      await join('user_ann')
      await join('user_ben')
      await receive(said(ada), said(bob))
      expect([await take('user_ann'), await take('user_ben')]).toEqual(['changed', 'othersMeanwhile'])
      expect(await lists()).toEqual({ open: ['bob ada'], done: [''], free: ['bob'], mine: ['ada'] })
      expect(await counts()).toMatchObject({ open: 2, free: 1, mine: 1 })
      expect(await counts(1)).toMatchObject({ open: 1, free: 1, mine: 1 })
      expect((await heard(contactId)).sorted).toEqual({
        ...{ isDone: false, takenBy: { userId: 'user_ann', name: 'user_ann@example.com' } },
      })
      await receive(said(ada))
      expect(await take('user_ben', 'user_ann')).toBe('changed')
      expect([await take(null, 'user_ben'), await take(null)]).toEqual(['changed', 'unchanged'])
      await take('user_ann')
      await finish()
      expect(await lists()).toEqual({ open: ['bob'], done: ['ada'], free: ['bob'], mine: [''] })
      expect(await take('user_ann')).toBe('changed')
      expect(await lists()).toEqual({ open: ['ada bob'], done: [''], free: ['bob'], mine: ['ada'] })
    })

    test('what a removed member had is free, and nobody takes one who may not answer', async () => {
      await join('user_ann')
      await join('user_viv', 'viewer')
      await join('user_ben', 'owner')
      await receive(said(ada))
      expect([await take('user_eve'), await take('user_viv')]).toEqual(['mayNotAnswer', 'mayNotAnswer'])
      await take('user_ann')
      const removed = await db.write('removeMember', { workspaceId: 'ws_1', userId: 'user_ann', byUserId: 'user_ben' })
      expect(removed).toMatchObject({ outcome: 'changed' })
      expect(await lists()).toEqual({ open: ['ada'], done: [''], free: ['ada'], mine: [''] })
    })

    test('a contact that another is merged into is open and taken when one of both was', async () => {
      await join('user_ann')
      const byNumber = { phone: '+49305', userId: null, name: 'Joan', newContactId: 'contact_number' }
      await receive(said(byNumber))
      await receive(said({ phone: null, userId: 'DE.joan', name: 'Joan', newContactId: 'contact_id' }))
      const taken = { byUserId: 'user_ann', takenBy: 'user_ann', insteadOf: null }
      await db.write('takeConversation', { ...of, contactId: 'contact_id', ...taken })
      await db.write('finishConversation', { ...of, contactId: 'contact_number', upTo: 2 ** 50 })
      await receive(said({ ...byNumber, userId: 'DE.joan' }, { isPast: true }))
      expect(await counts()).toMatchObject({ open: 1, mine: 1, free: 0, done: 0 })
      const forgotten = (await step()).conversations[0]?.contact.id ?? ''
      await db.write('forgetContact', { contactId: forgotten, at: t0 })
      expect(await counts()).toMatchObject({ open: 0, mine: 0, free: 0 })
    })
  })

  describe('who answers has read what came before', () => {
    const answer = async (id: string, fields: Partial<ReturnType<typeof draft>>, isAccepted = true) => {
      await db.write('acceptMessage', draft({ id, ...fields }))
      if (isAccepted) await db.write('recordEvent', accepted(id))
    }

    test('by what the platform has accepted, to the number or the user id, and not what came after', async () => {
      await receive(said(ada), said(bob), said(eve))
      await receive(said(ada), said(ada))
      await answer('msg_1', { recipient: '+49301', createdAt: t0 + 1_004 })
      await answer('msg_2', { recipient: 'DE.bob', createdAt: t0 + 5_000 })
      await answer('msg_3', { recipient: 'DE.eve', createdAt: t0 + 5_000 }, false)
      expect(await unread()).toEqual([
        ['ada', 2],
        ['eve', 1],
        ['bob', 0],
      ])
      expect([await all({ isUnread: true }), await counts()]).toMatchObject([['ada eve'], { unread: 2 }])
      expect(await counts(9, 2)).toMatchObject({ unread: 2, isUnreadMore: true })
      await answer('msg_4', { recipient: '+49301', createdAt: t0 + 6_000 })
      expect([await all({ isUnread: true, state: 'open' }), (await heard('contact_ada')).unread]).toEqual([['eve'], 0])
      ids += 6_000
      await receive(said(ada))
      expect(await unread()).toContainEqual(['ada', 1])
    })

    test('and not by a template of a key or what a campaign sends, which is automatic; one that a person sends is an answer', async () => {
      const automatic = { apiKeyId: 'pk_seed', type: 'template', templateName: 'offer' } as const
      await receive(said(ada), said(bob), said(eve))
      const later = { createdAt: t0 + 5_000 }
      await answer('msg_1', { ...automatic, ...later, recipient: '+49301' })
      await answer('msg_2', { ...automatic, ...later, recipient: 'DE.bob' })
      await answer('msg_3', { ...automatic, ...later, recipient: 'DE.eve', apiKeyId: null })
      await answer('msg_4', { ...automatic, createdAt: t0 + 6_000, recipient: 'DE.eve' })
      const key = keyOfItem(newId('batch'), { number: 7, attempt: 1 })
      const idempotency = { scope: 'batch', key, fingerprint: '00', expiresAt: t0 + 9_000 }
      await answer('msg_6', { ...later, type: 'template', recipient: '+49301', apiKeyId: null, idempotency })
      expect(await unread()).toEqual([
        ['eve', 0],
        ['bob', 1],
        ['ada', 1],
      ])
      expect([await all({ isUnread: true }), await counted()]).toEqual([['bob ada'], 2])
      await answer('msg_5', { ...later, recipient: '+49302', apiKeyId: 'pk_seed' })
      expect([await all({ isUnread: true }), await counted()]).toEqual([['ada'], 1])
      await read('contact_ada')
      expect(await counted()).toBe(0)
      const shown = (await step()).conversations.map(({ contact, lastSent }) => [name(contact.id), lastSent?.id])
      expect(shown).toEqual([
        ['eve', 'msg_3'],
        ['bob', 'msg_5'],
        ['ada', undefined],
      ])
    })

    test('and it is looked for among the newest messages to the person alone: a key may send any number of templates', async () => {
      await receive(said(ada), said(bob))
      await read('contact_bob')
      for (const to of ['+49301', '+49302']) await answer(`msg_${to}`, { recipient: to, createdAt: t0 + 5_000 })
      const found = async () => [
        (await step()).conversations.map(({ unread, lastSent }) => [unread, lastSent === null]),
        ...[await counted(), (await all({ isUnread: true })).join(), (await heard('contact_ada')).unread],
      ]
      const offer = (n: number) =>
        ['+49301', 'DE.bob', '+49302'].map(recipient => {
          const automatic = { apiKeyId: 'pk_seed', type: 'template', templateName: 'offer' } as const
          return draft({ id: `msg_${recipient}_${n}`, ...automatic, recipient, createdAt: t0 + 6_000 + n })
        })
      const offers = Array.from({ length: answerScan }, (_, n) => offer(n))
      for (const message of offers.slice(1).flat()) await db.write('acceptMessage', message)
      const [answered, notAnswered] = [
        [0, false],
        [0, true],
      ]
      expect(await found()).toEqual([[answered, answered], 0, '', 0])
      for (const message of offer(0)) await db.write('acceptMessage', message)
      expect(await found()).toEqual([[notAnswered, [1, true]], 1, 'ada', 1])
    })

    test('until a member marks it as unread: its last message, up to the next answer', async () => {
      const mark = async (at: number, upTo?: number) => {
        const known = upTo ?? (await heard('contact_ada')).upTo
        return db.write('unreadConversation', { workspaceId: 'ws_1', contactId: 'contact_ada', upTo: known, at })
      }
      await receive(said(ada), said(ada))
      await answer('msg_1', { recipient: '+49301', createdAt: t0 + 5_000 })
      expect(await mark(t0 + 6_000)).toBeTrue()
      expect([await unread(), await counted(), await all({ isUnread: true })]).toEqual([[['ada', 1]], 1, ['ada']])
      await answer('msg_2', { recipient: '+49301', createdAt: t0 + 7_000 })
      expect([await unread(), await counted()]).toEqual([[['ada', 0]], 0])
      await mark(t0 + 8_000)
      expect([await read('contact_ada'), await unread(), await counted()]).toEqual([true, [['ada', 0]], 0])

      const { upTo } = await heard('contact_ada')
      ids += 9_000
      await receive(said(ada))
      expect([await mark(t0 + 30_000, upTo), await unread()]).toEqual([false, [['ada', 1]]])
      const of = { workspaceId: 'ws_1', contactId: 'contact_ada', upTo: 2 ** 50 }
      await db.write('finishConversation', of)
      expect([await mark(t0 + 40_000), await unread()]).toEqual([false, [['ada', 0]]])
    })

    test('and what is unread cannot be marked: of several, the others would be lost', async () => {
      const mark = async () => {
        const { upTo } = await heard('contact_ada')
        return db.write('unreadConversation', { workspaceId: 'ws_1', contactId: 'contact_ada', upTo, at: t0 + 9_000 })
      }
      await receive(...Array.from({ length: 5 }, () => said(ada)))
      const { upTo } = await heard('contact_ada')
      await db.write('readConversation', { workspaceId: 'ws_1', contactId: 'contact_ada', upTo: upTo - 3 })
      expect([await mark(), await unread()]).toEqual([false, [['ada', 3]]])
      await read('contact_ada')
      expect([await mark(), await mark(), await unread()]).toEqual([true, false, [['ada', 1]]])
    })

    test('and not by what another line sent', async () => {
      await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
      await receive(said(ada))
      await answer('msg_1', { recipient: '+49301', createdAt: t0 + 5_000, lineId: 'line_2' })
      expect([await unread(), await counted()]).toEqual([[['ada', 1]], 1])
    })
  })

  describe('what was said', () => {
    const second = t0 + 60_000
    /** At which second of the platform, and when it was here. */
    const come = (channelMessageId: string, at: number, recordedAt: number, kind = 'text') =>
      db.write('recordInbound', {
        ...{ channelId: 'chan_1', recordedAt },
        messages: [inbound({ channelMessageId, kind, at, from: ada })],
      })
    const sends = (id: string, createdAt: number) =>
      db.write('acceptMessage', draft({ id, recipient: ada.phone, apiKeyId: null, createdAt }))
    const thread = async (place: Place = {}) => {
      const contact = await db.read.contact({ workspaceId: 'ws_1', contactId: 'contact_ada' })
      if (!contact) throw new Error('nobody wrote')
      const { page, ...next } = await bothSides(db.read, contact, place)
      return { ...next, ids: page.map(one => ('sent' in one ? one.sent.id : one.received.channelMessageId)) }
    }
    const inOrder = async () => (await thread()).ids.join(' ')
    /** The later one as the list has it. */
    const last = async () => {
      const [conversation] = (await step()).conversations
      const { lastSent, lastReceived } = conversation ?? {}
      const isOurs = lastSent && sentAt(lastSent) > (lastReceived ? heardAt(lastReceived) : 0)
      return isOurs ? lastSent.id : lastReceived?.channelMessageId
    }

    test('stands behind what it answers, within one second of the platform too', async () => {
      await sends('question', second + 300)
      await come('yes', second, second + 900)
      expect([await inOrder(), await last()]).toEqual(['question yes', 'yes'])
      await sends('fine', second + 950)
      expect([await inOrder(), await last()]).toEqual(['question yes fine', 'fine'])
      // It was said before that second was over, and came later.
      await come('thanks', second, second + 1_200)
      expect([await inOrder(), await last()]).toEqual(['question yes fine thanks', 'thanks'])
    })

    test('stands behind what it answers also where the clock of here is behind', async () => {
      await come('hello', second + 5_000, second + 200)
      await sends('hi', second + 250)
      await come('bye', second + 6_000, second + 1_100)
      expect([await inOrder(), await last()]).toEqual(['hello hi bye', 'bye'])
      expect((await heard('contact_ada')).unreadFrom?.at).toBe(second + 200)
      await sends('see you', second + 1_200)
      expect([await inOrder(), await last()]).toEqual(['hello hi bye see you', 'see you'])
    })

    test('keeps its place when it comes late, is new all the same, and is not the last word', async () => {
      await come('first', second, second + 400)
      await sends('answer', second + 30_000)
      await come('third', second + 60_000, second + 60_500)
      await come('late', second + 20_000, second + 90_000)
      expect([await inOrder(), await last()]).toEqual(['first late answer third', 'third'])
      const [conversation] = (await step()).conversations
      expect(conversation?.upTo).toBe((await heard('contact_ada')).upTo)
      await sends('last', second + 61_000)
      expect([await inOrder(), await last()]).toEqual(['first late answer third last', 'last'])
      // A change is no word of its own.
      await come('edit', second + 95_000, second + 95_500, 'edit')
      expect(await last()).toBe('last')
    })

    test('is said when it leaves, where it waited for its time', async () => {
      const later = (id: string, createdAt: number, dueAt: number) => {
        const { dispatchedAt: _, opensFlow: _opens, closesFlows: _closes, generation: __, ...offered } = draft()
        const message = { ...offered, id, recipient: ada.phone, apiKeyId: null, payload: '{}' }
        return db.write('scheduleMessage', { ...message, createdAt, dueAt })
      }
      await later('planned', second, second + 30_000)
      await later('cancelled', second + 1, second + 90_000)
      await come('question', second + 10_000, second + 10_400)
      expect(await last()).toBe('question')
      await sends('answer', second + 20_000)
      expect(await last()).toBe('answer')
      await db.write('releaseMessage', {
        ...{ messageId: 'planned', at: second + 30_000, payload: '{}', opensFlow: null, closesFlows: null },
        to: { recipient: ada.phone, contactId: null, templateLanguage: null },
      })
      const at = second + 40_000
      await db.write('recordEvent', {
        ...{ messageId: 'cancelled', event: { kind: 'cancelled', at }, detail: null, recordedAt: at },
      })
      expect(await last()).toBe('planned')
    })

    test.each([
      [0, 'the person'],
      [0, 'us'],
      [7_000, 'the person'],
      [7_000, 'us'],
    ])('is read in pages that lose nothing, with a clock %p ms behind, the last ones of %s', async (behind, lastOf) => {
      const ids = Array.from({ length: 100 }, (_, n) => `message ${n}`)
      const of50 = second + 12_000 + behind
      for (const [n, id] of ids.entries()) {
        const at = second + n * 250
        if (n < 45 ? n % 3 === 0 : lastOf === 'us') await sends(id, at)
        else await come(id, Math.floor((at + behind) / 1_000) * 1_000, at)
      }
      const pages: string[] = []
      for (let before: string | undefined; ; ) {
        const page = await thread({ before })
        pages.unshift(...page.ids)
        if (page.older === null) break
        before = page.older
      }
      expect(pages).toEqual(ids)
      const around = await thread({ around: of50 })
      const before = await thread({ before: around.older ?? '' })
      const after = await thread({ after: around.newer ?? '' })
      expect(around.ids.length).toBe(40)
      if (lastOf === 'the person') expect(around.ids).toContain('message 50')
      const walked = [...before.ids, ...around.ids, ...after.ids]
      const first = ids.findIndex(id => walked.includes(id))
      expect(walked.toSorted()).toEqual(ids.slice(first, first + walked.length).toSorted())
    })
  })

  test('what a person wrote in one second is read in pages that lose and repeat nothing', async () => {
    const messages = Array.from({ length: 7 }, (_, n) => said(ada, { at: t0 + (n < 5 ? 0 : 1_000) }))
    for (const message of messages) await receive(message)
    const found: string[] = []
    for (let before: InboundPosition | undefined; ; ) {
      const page = await db.read.inbound({ contactId: 'contact_ada', limit: 2, before })
      before = page.at(-1)
      found.push(...page.map(({ channelMessageId }) => channelMessageId))
      if (before === undefined) break
    }
    expect(found).toEqual(messages.map(({ channelMessageId }) => channelMessageId).reverse())
  })
}
