import { describe, expect, test } from 'bun:test'
import type { Inbound } from '../../../db/contract/records.ts'
import { addressesOf, bothSides } from '../../../src/reading/bothSides.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, draft, inbound, t0 } from '../fixtures.ts'
import { inOrder, ordersOf, type Step } from '../orders.ts'

/**
 * The upstream writes some numbers otherwise than people do, and tells it by the answer to a send. A person stays one
 * contact under all spellings of the number, whatever comes first; and who has the number later takes nothing along.
 */
export function numberSpellingsSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const workspaceId = 'ws_1'
  /** An Argentinian number: as the upstream writes it, and as people dial it. */
  const [number, spelling] = ['+5491155550001', '+541155550001']

  type Said = Partial<Inbound['from']>
  const wrote =
    (at: number, from: Said, fields: Partial<Inbound> = {}): Step =>
    () => {
      const id = `${at} ${from.phone} ${from.userId}`
      const person = { phone: null, userId: null, name: null, newContactId: `contact_${from.userId}_${at}`, ...from }
      const message = inbound({ channelMessageId: `wamid.${id}`, at: t0 + at, from: person, ...fields })
      return db.write('recordInbound', { channelId: 'chan_1', messages: [message], recordedAt: t0 + 1_000 })
    }
  const answered =
    (at: number, sentTo = spelling, written = number): Step =>
    () => {
      const kept = { workspaceId, spelling: sentTo, number: written, at: t0 + at, recordedAt: t0 + 1_000 }
      return db.write('keepSpelling', kept)
    }
  const stopped =
    (at: number, from: Said): Step =>
    () => {
      const about = { of: 'contact', phone: null, userId: null, name: null, newContactId: `contact_stop${at}` } as const
      const told = { accountId: '100001', about: { ...about, ...from }, at: t0 + at, detail: { value: 'stop' } }
      const updates = [{ ...told, kind: 'user_preferences marketing_messages' }]
      return db.write('keepUpdates', { channelId: 'chan_1', updates, recordedAt: t0 + 1_000 })
    }
  /** As a status names its recipient. */
  const told =
    (at: number, from: Said): Step =>
    () => {
      const person = { phone: null, userId: null, name: null, newContactId: `contact_told${at}`, ...from }
      const news = { at: t0 + at, from: person, identityChange: null, upstreamPhoneId: null }
      return db.write('followIdentities', { channelId: 'chan_1', changes: [news], recordedAt: t0 + 1_000 })
    }
  const added =
    (phone: string): Step =>
    () =>
      db.write('saveContact', {
        ...{ id: 'contact_added', workspaceId, phone, userId: null, name: null },
        ...{ createdAt: t0 + 1_000, updatedAt: t0 + 1_000 },
      })

  const all = () => db.read.contacts({ workspaceId, limit: 100 })
  const known = async () => new Set((await all()).map(({ phone, userId, name }) => [phone, userId, name]))
  const at = async (address: string) => (await db.read.contactsAt({ workspaceId, addresses: [address] })).get(address)
  const stops = async (id = '') => (await db.read.updates(id)).length

  describe('a person under two spellings of a number', () => {
    const one: readonly Step[] = [
      wrote(0, { phone: number, name: 'Carla' }),
      answered(100),
      added(spelling),
      stopped(50, { phone: spelling }),
    ]
    test.each(ordersOf(4))('is one contact with all that either had, in the order %p %p %p %p', async (...order) => {
      await inOrder(one, order)
      await inOrder(one, order)
      expect(await known()).toEqual(new Set([[number, null, 'Carla']]))
      const [contact] = await all()
      expect(await stops(contact?.id)).toBe(1)
      expect(await db.rows('SELECT DISTINCT contact_id FROM inbound_messages')).toEqual([[contact?.id]])
      expect([(await at(number))?.id, (await at(spelling))?.id]).toEqual([contact?.id, contact?.id])
    })

    test.each(ordersOf(4))('of whom one is known by a user id too, in the order %p %p %p %p', async (...order) => {
      const steps = [
        wrote(0, { phone: spelling, name: 'Carla' }),
        answered(100),
        wrote(50, { phone: number, userId: 'AR.1' }),
        stopped(60, { phone: spelling, userId: 'AR.1' }),
      ]
      await inOrder(steps, order)
      expect(await known()).toEqual(new Set([[number, 'AR.1', 'Carla']]))
      expect(await stops((await all())[0]?.id)).toBe(1)
    })

    test.each(ordersOf(3))(
      'of whom three are known, each by another answer, in the order %p %p %p',
      async (...order) => {
        const [first, last] = ['+5411', '+54911']
        await inOrder([added(first), wrote(0, { phone: number })], [0, 1])
        await inOrder([answered(10, first, number), answered(20, number, last), answered(30, spelling, last)], order)
        expect(await known()).toEqual(new Set([[last, null, null]]))
        const spellings = await db.read.spellings({ workspaceId, number: spelling })
        expect([spellings[0], [...spellings].sort()]).toEqual([last, [first, last, number, spelling].sort()])
      },
    )

    test.each(ordersOf(2))('is written as the upstream wrote it last, in the order %p %p', async (...order) => {
      await wrote(0, { phone: number })()
      await inOrder([answered(10, spelling, number), answered(20, number, spelling)], order)
      expect(await known()).toEqual(new Set([[spelling, null, null]]))
      expect((await at(number))?.phone).toBe(spelling)
    })

    test('is found by each: its window, its conversation, its lists and what is unread', async () => {
      for (const [id, recipient, sentAt] of [
        ['msg_1', spelling, 10],
        ['msg_2', number, 2_000],
      ] as const) {
        await db.write('acceptMessage', draft({ id, recipient, createdAt: t0 + sentAt }))
        await db.write('recordEvent', accepted(id))
      }
      await wrote(20, { phone: number, name: 'Carla' })()
      await answered(15)()
      const contact = await at(spelling)
      if (!contact) throw new Error('the spelling finds nobody')
      const { page } = await bothSides(db.read, contact)
      expect(page.map(entry => ('sent' in entry ? entry.sent.id : entry.received.kind))).toEqual([
        'msg_1',
        'text',
        'msg_2',
      ])
      expect(await addressesOf(db.read, contact)).toEqual([number, spelling])
      expect(await db.read.spelling({ workspaceId, spelling })).toMatchObject({ number })
      for (const digits of [number.slice(1), spelling.slice(1), '41155', '9115']) {
        const search = { workspaceId, digits, name: digits, limit: 9, scan: 1 }
        expect((await db.read.searchContacts(search)).contacts).toEqual([contact])
        const { conversations } = await db.read.conversations(search)
        expect(conversations.map(({ contact, lastSent }) => [contact.id, lastSent?.id])).toEqual([
          [contact.id, 'msg_2'],
        ])
      }
      expect((await db.read.searchContacts({ workspaceId, phone: spelling, limit: 1, scan: 1 })).contacts).toEqual([
        contact,
      ])
    })

    test('has read what was answered under the other spelling', async () => {
      await wrote(20, { phone: number })()
      await answered(15)()
      const unread = async () => (await db.read.heard({ workspaceId, contactId: (await all())[0]?.id ?? '' })).unread
      expect(await unread()).toBe(1)
      await db.write('acceptMessage', draft({ id: 'msg_1', recipient: spelling, createdAt: t0 + 2_000 }))
      await db.write('recordEvent', accepted('msg_1', 'wamid.1', t0 + 2_001))
      expect(await unread()).toBe(0)
      const isUnread = { workspaceId, isUnread: true, limit: 9, scan: 9 }
      expect((await db.read.conversations(isUnread)).conversations).toEqual([])
    })

    test('is told once, with what has changed', async () => {
      await inOrder([added(spelling), answered(10), answered(20)], [0, 1, 2])
      const { events } = await db.read.events({ workspaceId, after: 0, limit: 9 })
      expect(events.map(({ type, data }) => [type, data])).toMatchObject([
        ['contact.updated', { contact: { id: 'contact_added', phone: number }, changed: ['phone'] }],
      ])
    })

    test('is forgotten with all that went to either, and the spelling with it', async () => {
      await wrote(0, { phone: number })()
      await answered(10)()
      await db.write('acceptMessage', draft({ id: 'msg_1', recipient: spelling }))
      const contactId = (await all())[0]?.id ?? ''
      expect(await db.write('forgetContact', { contactId, at: t0 + 2_000 })).toMatchObject({ outcome: 'waiting' })
      await db.write('recordEvent', accepted('msg_1'))
      await db.write('forgetContact', { contactId, at: t0 + 2_000 })
      const step = () => db.write('eraseContact', { contactId, limit: 100, at: t0 + 2_000 })
      for (let after = await step(); after !== null && after.state !== 'done'; ) after = await step()
      for (const table of ['messages', 'contacts', 'number_spellings', 'inbound_messages'])
        expect(JSON.stringify(await db.rows(`SELECT * FROM ${table}`))).not.toMatch(/1155550001/)
    })

    test('is no other workspace’s', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await answered(10)()
      expect(await db.read.spelling({ workspaceId: 'ws_2', spelling })).toBeNull()
      const elsewhere = { workspaceId: 'ws_9', spelling, number, at: t0, recordedAt: t0 }
      await db.write('keepSpelling', elsewhere)
      expect(await db.read.spellings({ workspaceId: 'ws_9', number: spelling })).toEqual([spelling])
    })

    test('is known as long as messages are kept, and longer while it is told again', async () => {
      await answered(10)()
      const prune = (recordedBefore: number) => db.write('pruneFormerNames', { recordedBefore, limit: 9 })
      expect(await prune(t0 + 1_000)).toBe(0)
      await db.write('keepSpelling', { workspaceId, spelling, number, at: t0 + 20, recordedAt: t0 + 3_000 })
      expect(await prune(t0 + 3_000)).toBe(0)
      expect(await prune(t0 + 3_001)).toBe(1)
    })
  })

  describe('who has a number later takes nothing along', () => {
    test.each(ordersOf(4))('when the number changes hands, in the order %p %p %p %p', async (...order) => {
      const steps = [
        wrote(0, { phone: number, userId: 'AR.1', name: 'Carla' }),
        stopped(50, { phone: spelling, userId: 'AR.1' }),
        answered(100),
        wrote(200, { phone: number, userId: 'AR.2', name: 'Bruno' }),
      ]
      await inOrder(steps, order)
      expect(await known()).toEqual(
        new Set([
          [null, 'AR.1', 'Carla'],
          [number, 'AR.2', 'Bruno'],
        ]),
      )
      expect((await at(spelling))?.userId).toBe('AR.2')
      expect([await stops((await at('AR.1'))?.id), await stops((await at('AR.2'))?.id)]).toEqual([1, 0])
    })

    test.each(ordersOf(3))('when two people wrote, one from each spelling, in the order %p %p %p', async (...order) => {
      const steps = [
        wrote(0, { phone: number, userId: 'AR.1' }),
        wrote(50, { phone: spelling, userId: 'AR.2' }),
        answered(100),
      ]
      await inOrder(steps, order)
      expect(await known()).toEqual(
        new Set([
          [null, 'AR.1', null],
          [number, 'AR.2', null],
        ]),
      )
    })

    test.each(
      ordersOf(3).flatMap(order => [
        [...order, null],
        [...order, 'AR.9'],
      ]),
    )('when somebody writes from the spelling since, in the order %p %p %p, with the user id %p', async (...given) => {
      const userId = given.pop() as string | null
      const steps = [wrote(0, { phone: number, name: 'Carla' }), answered(100), wrote(200, { phone: spelling, userId })]
      await inOrder(steps, given as number[])
      expect(await known()).toEqual(
        new Set([
          [spelling, userId, null],
          [number, null, 'Carla'],
        ]),
      )
    })

    test.each(ordersOf(3))('when the person changes the number, in the order %p %p %p', async (...order) => {
      const moved = { phone: '+5491155559999', name: null }
      const change = { identityChange: { formerPhone: number, formerUserId: null } }
      const steps = [wrote(0, { phone: number, name: 'Carla' }), answered(100), wrote(200, moved, change)]
      await inOrder(steps, order)
      expect((await all()).map(({ phone }) => phone)).toEqual(['+5491155559999'])
      expect(await at(spelling)).toBeUndefined()
    })

    test('when the person hides it', async () => {
      await wrote(0, { phone: number, name: 'Carla' })()
      const change = { identityChange: { formerPhone: number, formerUserId: null } }
      await wrote(100, { userId: 'AR.1' }, change)()
      expect(await known()).toEqual(new Set([[null, 'AR.1', 'Carla']]))
    })
  })

  describe('what a status says of its recipient', () => {
    test('teaches a contact its user id, and a name if it had none; nobody becomes a contact', async () => {
      await told(10, { phone: number, userId: 'AR.1', name: 'Carla' })()
      expect(await known()).toEqual(new Set([]))
      await wrote(0, { phone: number })()
      await told(10, { phone: number, userId: 'AR.1', name: 'Carla', username: 'carla' })()
      expect(await known()).toEqual(new Set([[number, 'AR.1', 'Carla']]))
      await told(20, { phone: number, name: 'Somebody', username: null })()
      expect(await all()).toMatchObject([{ name: 'Carla', username: 'carla' }])
    })

    test.each(ordersOf(4))('joins what two contacts had, in the order %p %p %p %p', async (...order) => {
      await inOrder([wrote(0, { phone: number, name: 'Carla' }), wrote(1, { userId: 'AR.1' })], [0, 1])
      const steps = [
        told(10, { phone: number, userId: 'AR.1' }),
        told(20, { phone: spelling, userId: 'AR.1' }),
        answered(5),
        stopped(15, { userId: 'AR.1' }),
      ]
      await inOrder(steps, order)
      expect(await known()).toEqual(new Set([[number, 'AR.1', 'Carla']]))
      expect(await stops((await all())[0]?.id)).toBe(1)
    })

    test.each(ordersOf(2))(
      'of a number that changed hands counts by its time, in the order %p %p',
      async (...order) => {
        await wrote(0, { phone: number, userId: 'AR.1', name: 'Carla' })()
        await inOrder(
          [told(50, { phone: number, userId: 'AR.1' }), told(100, { phone: number, userId: 'AR.2' })],
          order,
        )
        expect(await known()).toEqual(
          new Set([
            [null, 'AR.1', 'Carla'],
            [number, 'AR.2', null],
          ]),
        )
      },
    )
  })
}
