import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type ConversationSearch, type InboundPosition, unreadMax } from '../../../db/contract/conversations.ts'
import type { Inbound } from '../../../db/contract/records.ts'
import type { OpenStore, StoreUnderTest } from '../engines.ts'
import { channel, draft, inbound, line, seed, t0 } from '../fixtures.ts'

const ada = { phone: '+49301', userId: null, name: 'Ada Lovelace', newContactId: 'contact_ada' }
const bob = { phone: '+49302', userId: 'DE.bob', name: 'Bob', newContactId: 'contact_bob' }
const eve = { phone: null, userId: 'DE.eve', name: 'Émilie', newContactId: 'contact_eve' }

export function conversationsSuite(open: OpenStore): void {
  let db: StoreUnderTest
  let ids = 0
  beforeEach(async () => {
    db = await open()
    await seed(db)
    ids = 0
  })
  afterEach(() => db.close())

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
    db.write('readConversation', { workspaceId: 'ws_1', contactId, upTo: (await db.read.heard({ contactId })).upTo })
  const counted = (max = 9) => db.read.unreadConversations({ workspaceId: 'ws_1', max })

  describe('conversations', () => {
    test('are with people who wrote, who wrote last first, and with nobody else', async () => {
      const other = { phone: '+49309', userId: null, name: 'Silent' }
      await db.write('saveContact', { id: 'contact_0', workspaceId: 'ws_1', ...other, createdAt: t0, updatedAt: t0 })
      await receive(said(ada), said(bob), said(eve))
      await receive(said(ada, { at: t0 - 99_000 }), said(bob, { kind: 'smb_message_echoes text' }))
      expect(await all()).toEqual(['ada eve bob'])
      expect(await all({ limit: 1, scan: 2 })).toEqual(['ada', 'eve', 'bob'])
      expect(await all({ limit: 2, scan: 9, name: 'E' })).toEqual(['ada eve'])
      expect(await all({ limit: 1, scan: 9, name: 'émil' })).toEqual(['eve'])
      expect(await all({ scan: 1, name: 'nobody', digits: '9302' })).toEqual(['', '', 'bob', ''])
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
          ...{ heardAt: t0 + 1, lastReceived: { kind: 'smb_message_echoes text' } },
          lastSent: { id: 'msg_2', status: 'QUEUED' },
        },
      ])
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
      expect(await db.read.heard({ contactId: 'contact_ada' })).toEqual({ upTo: 0, unread: 0 })
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
      const { upTo } = await db.read.heard({ contactId: 'contact_ada' })
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

    test('is counted up to a bound', async () => {
      await receive(...Array.from({ length: unreadMax + 5 }, () => said(ada)))
      expect(await unread()).toEqual([['ada', unreadMax]])
      expect(await db.read.heard({ contactId: 'contact_ada' })).toMatchObject({ unread: unreadMax })
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
