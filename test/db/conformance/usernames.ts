import { describe, expect, test } from 'bun:test'
import type { IdentityNews, Inbound } from '../../../db/contract/records.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { inbound, t0 } from '../fixtures.ts'

/** The username of a contact is the one that the user's last message said, whenever the news comes. */
export function usernamesSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const phone = '+4930123456'
  type Said = Partial<Inbound['from']>
  let received = 0
  /** A message, `at` milliseconds after the first; all of them come later. */
  const receive = (at: number, from: Said, fields: Partial<Inbound> = {}) => {
    received += 1
    const person = { phone: null, userId: 'DE.1', name: 'Ada', newContactId: `contact_${received}`, ...from }
    const message = inbound({ channelMessageId: `wamid.${received}`, at: t0 + at, from: person, ...fields })
    return db.write('recordInbound', { channelId: 'chan_1', messages: [message], recordedAt: t0 + 900 + received })
  }
  const follow = (at: number, formerUserId: string, from: Said) => {
    const news: IdentityNews = {
      at: t0 + at,
      from: { phone: null, userId: null, name: null, newContactId: 'contact_news', ...from },
      identityChange: { formerPhone: null, formerUserId },
      upstreamPhoneId: null,
    }
    return db.write('followIdentities', { channelId: 'chan_1', changes: [news], recordedAt: t0 + 950 })
  }
  const known = async () => {
    const contacts = await db.read.contacts({ workspaceId: 'ws_1', limit: 9 })
    return contacts.map(({ userId, username }) => [userId, username])
  }

  describe('the username of a contact', () => {
    test('comes with a message, changes, and is gone when a profile lacks it; what says nothing changes nothing', async () => {
      await receive(0, { username: 'ada' })
      expect(await known()).toEqual([['DE.1', 'ada']])
      await receive(1, { username: 'ada.lovelace' })
      expect(await known()).toEqual([['DE.1', 'ada.lovelace']])
      await receive(2, {})
      const operator = { id: 'contact_x', workspaceId: 'ws_1', phone: null, userId: 'DE.1', name: 'Countess' }
      await db.write('saveContact', { ...operator, createdAt: t0, updatedAt: t0 + 999 })
      expect(await known()).toEqual([['DE.1', 'ada.lovelace']])
      await receive(3, { username: null })
      expect(await known()).toEqual([['DE.1', null]])
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, types: ['contact.updated'], limit: 9 })
      expect(events.map(({ data }) => data)).toMatchObject([
        { contact: { username: 'ada.lovelace' }, changed: ['username'] },
        { contact: { username: 'ada.lovelace' }, changed: ['name'] },
        { contact: { username: null }, changed: ['name', 'username'] },
      ])
    })

    test('stays when an older message comes late, also when it was given up since', async () => {
      await receive(5, { username: 'new' })
      await receive(1, { username: 'old' })
      await receive(2, { username: null })
      expect(await known()).toEqual([['DE.1', 'new']])
      await receive(6, { username: null })
      await receive(3, { username: 'old' })
      expect(await known()).toEqual([['DE.1', null]])
    })

    test('finds nobody: who takes it is another contact', async () => {
      await receive(0, { username: 'ada' })
      await receive(1, { userId: 'DE.2', username: 'ada' })
      expect((await known()).sort()).toEqual([
        ['DE.1', 'ada'],
        ['DE.2', 'ada'],
      ])
    })

    test('of two contacts that are one is what the last message said', async () => {
      await receive(0, { phone, userId: null })
      await receive(1, { username: 'ada' })
      await receive(2, { phone })
      expect(await known()).toEqual([['DE.1', 'ada']])
    })

    test('comes with a user id that changes, but not from news that is late', async () => {
      await receive(0, { username: 'ada' })
      await follow(3, 'DE.1', { userId: 'DE.2', username: 'ada2' })
      expect(await known()).toEqual([['DE.2', 'ada2']])
      // It names the former id, and no message is newer.
      await receive(1, { username: 'ada' })
      expect(await known()).toEqual([['DE.2', 'ada2']])
      await follow(7, 'DE.3', { userId: 'DE.4', username: 'ada4' })
      await follow(5, 'DE.2', { userId: 'DE.3', username: 'ada3' })
      await follow(6, 'DE.3', { userId: 'DE.4' })
      expect(await known()).toEqual([['DE.4', 'ada2']])
      await receive(9, { userId: 'DE.4', username: 'ada9' })
      await follow(8, 'DE.4', { userId: 'DE.5', username: 'ada5' })
      expect(await known()).toEqual([['DE.5', 'ada9']])
    })

    test('of two contacts whose ids turn out to be of one user is that of who was heard of last', async () => {
      await receive(0, { username: 'ada' })
      await receive(2, { userId: 'DE.2', username: 'ada2' })
      await follow(1, 'DE.1', { userId: 'DE.2' })
      expect(await known()).toEqual([['DE.2', 'ada2']])
    })

    test('is in messages and their events, and goes with the contact', async () => {
      await receive(0, { username: 'ada', newContactId: 'contact_1' })
      await receive(1, { username: 'ada.lovelace' })
      const { messages } = await db.read.inboundMessages({ workspaceId: 'ws_1', after: 0, limit: 9, scan: 9 })
      expect(messages.map(({ username }) => username)).toEqual(['ada.lovelace', 'ada.lovelace'])
      const told = async () => (await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 9 })).events
      const shown = (await told()).flatMap(({ inbound }) => inbound ?? [])
      expect(shown.map(({ username }) => username)).toEqual(['ada.lovelace', 'ada.lovelace'])
      await db.write('forgetContact', { contactId: 'contact_1', at: t0 + 9_000 })
      expect(await db.read.contactById('contact_1')).toMatchObject({ userId: null, username: null })
      expect(JSON.stringify(await told())).not.toContain('lovelace')
    })
  })
}
