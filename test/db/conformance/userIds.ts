import { describe, expect, test } from 'bun:test'
import type { IdentityNews } from '../../../db/contract/records.ts'
import { bothSides } from '../../../src/reading/bothSides.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, channel, draft, inbound, line, t0 } from '../fixtures.ts'
import { inOrder, ordersOf, type Step } from '../orders.ts'

/** A user whose user id the upstream changes stays one contact, whatever form the news takes, and whenever it comes. */
export function userIdsSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const phone = '+4930111111'
  const all = () => db.read.contacts({ workspaceId: 'ws_1', limit: 100 })
  const known = async () => (await all()).map(({ phone, userId, name }) => [phone, userId, name])

  const receive = (message: ReturnType<typeof inbound>) =>
    db.write('recordInbound', { channelId: 'chan_1', messages: [message], recordedAt: t0 + 1_000 })
  const wrote =
    (at: number, userId: string, number: string | null = null): Step =>
    () =>
      receive(
        inbound({
          ...{ channelMessageId: `wamid.${userId}`, at: t0 + at },
          from: { phone: number, userId, name: 'Ada', newContactId: `contact_${userId}` },
        }),
      )
  const newsOf = (at: number, formerUserId: string, userId: string, number: string | null = null): IdentityNews => ({
    at: t0 + at,
    from: { phone: number, userId, name: 'Ada', newContactId: `contact_news_${userId}` },
    identityChange: { formerPhone: number, formerUserId },
    upstreamPhoneId: '106540352242922',
  })
  const tell = (channelId: string, ...changes: IdentityNews[]) =>
    db.write('followIdentities', { channelId, changes, recordedAt: t0 + 1_000 })
  const byField =
    (...news: Parameters<typeof newsOf>): Step =>
    () =>
      tell('chan_1', newsOf(...news))
  const bySystem =
    (...news: Parameters<typeof newsOf>): Step =>
    () =>
      receive(inbound({ ...newsOf(...news), channelMessageId: `wamid.system${news.join()}`, kind: 'system' }))

  describe.each([
    ['the field', byField],
    ['the message', bySystem],
  ])('news by %s', (_, told) => {
    test.each(ordersOf(4))('of a chain makes one contact, in the order %p %p %p %p', async (...order) => {
      const steps = [
        wrote(0, 'US.1', phone),
        told(100, 'US.1', 'US.2', phone),
        told(300, 'US.2', 'US.3', phone),
        wrote(400, 'US.3', phone),
      ]
      await inOrder(steps, order)
      await inOrder(steps, order)
      expect(await known()).toEqual([[phone, 'US.3', 'Ada']])
      expect(await db.rows("SELECT DISTINCT contact_id FROM inbound_messages WHERE kind = 'text'")).toHaveLength(1)
    })

    test.each(ordersOf(4))('without a number makes one contact, in the order %p %p %p %p', async (...order) => {
      const steps = [wrote(0, 'US.1'), told(100, 'US.1', 'US.2'), wrote(200, 'US.2'), told(300, 'US.2', 'US.3')]
      await inOrder(steps, order)
      await inOrder(steps, order)
      expect(await known()).toEqual([[null, 'US.3', 'Ada']])
      expect(await db.rows("SELECT DISTINCT contact_id FROM inbound_messages WHERE kind = 'text'")).toHaveLength(1)
    })

    test('of three ids that all wrote makes one contact, in each order, also where two follow the first', async () => {
      for (const [at, order] of ordersOf(5).entries()) {
        if (at % 8 !== 0) continue
        const [one, two, three] = [1, 2, 3].map(nth => `US.${at}${nth}`) as [string, string, string]
        for (const later of [two, one]) {
          const id = (name: string) => `${name}.${later}`
          const written = [one, two, three].map((name, nth) => wrote(nth * 200, id(name)))
          await inOrder([...written, told(100, id(one), id(two)), told(300, id(later), id(three))], order)
        }
      }
      const ids = (await all()).map(({ userId }) => userId)
      expect(ids.filter(userId => !/3\.US/.test(userId ?? ''))).toEqual([])
      expect(ids).toHaveLength(2 * 15)
    })

    test('does not end a number that was shown since, or that other news of it names', async () => {
      await inOrder([wrote(0, 'US.1', phone), wrote(200, 'US.2', phone), told(100, 'US.1', 'US.2')], [0, 1, 2])
      expect(await known()).toEqual([[phone, 'US.2', 'Ada']])
    })
  })

  test.each(ordersOf(2))('both forms, of which one names the number, keep it, in the order %p %p', async (...order) => {
    await wrote(0, 'US.1', phone)()
    await inOrder([byField(100, 'US.1', 'US.2'), bySystem(100, 'US.1', 'US.2', phone)], order)
    expect(await known()).toEqual([[phone, 'US.2', 'Ada']])
  })

  test('news without a number ends the one that is known: it may be a stranger’s now', async () => {
    await inOrder([wrote(0, 'US.1', phone), byField(100, 'US.1', 'US.2')], [0, 1])
    expect(await known()).toEqual([[null, 'US.2', 'Ada']])
  })

  test('who has an earlier id again is the same contact with that id', async () => {
    const there = byField(100, 'US.1', 'US.2')
    await inOrder([wrote(0, 'US.1'), there, byField(200, 'US.2', 'US.1'), there], [0, 1, 2, 3])
    expect(await known()).toEqual([[null, 'US.1', 'Ada']])
    await wrote(50, 'US.2')()
    expect(await all()).toHaveLength(1)
  })

  test('the mark of who stopped, flows, what is unread and both ids stay with the one contact', async () => {
    await wrote(0, 'US.1')()
    await wrote(50, 'US.2')()
    const opensFlow = { contactId: 'contact_US.1', flowToken: 'tok' }
    await db.write('acceptMessage', draft({ id: 'msg_1', type: 'interactive', contactId: 'contact_US.1', opensFlow }))
    const stop = (userId: string, at: number) => {
      const about = { of: 'contact', phone: null, userId, name: null, newContactId: 'contact_new' } as const
      const update = { accountId: '100001', about, kind: 'user_preferences marketing_messages', at, detail: {} }
      return db.write('keepUpdates', { channelId: 'chan_1', updates: [update], recordedAt: t0 + 1 })
    }
    await stop('US.1', t0)
    await byField(100, 'US.1', 'US.2')()
    expect(await db.read.contactById('contact_US.2')).toMatchObject({ id: 'contact_US.1', userId: 'US.2' })
    expect(await db.read.updates('contact_US.1')).toMatchObject([{ at: t0 }])
    expect(await db.read.flowSessions('contact_US.1')).toMatchObject([{ messageId: 'msg_1', closedAt: null }])
    expect(await db.read.heard({ workspaceId: 'ws_1', contactId: 'contact_US.1' })).toMatchObject({ unread: 2 })
    // It was said under the former id, and comes late.
    expect(await stop('US.1', t0 + 60)).toBe(1)
    expect(await db.read.updates('contact_US.1')).toMatchObject([{ at: t0 + 60 }])
  })

  test('on a line that is another workspace’s alone changes nothing, and never what another workspace knows', async () => {
    await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
    await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2', accountId: '100002' }))
    await db.write('addLine', line({ id: 'line_2', workspaceId: 'ws_2', channelId: 'chan_2', upstreamPhoneId: '2' }))
    await wrote(0, 'US.1', phone)()
    await tell('chan_2', { ...newsOf(100, 'US.1', 'US.2', phone), upstreamPhoneId: '2' })
    await tell('chan_1', { ...newsOf(100, 'US.1', 'US.9', phone), upstreamPhoneId: '2' })
    expect(await known()).toEqual([[phone, 'US.1', 'Ada']])
    await expect(tell('chan_9', newsOf(1, 'US.1', 'US.2'))).rejects.toThrow('the channel does not exist')
  })

  test('of who was forgotten brings nothing back, and what was sent to each id is forgotten', async () => {
    const news = byField(100, 'US.1', 'US.2', phone)
    await inOrder([wrote(0, 'US.1', phone), wrote(50, 'US.2')], [0, 1])
    for (const [id, recipient, contactId] of [
      ['msg_1', 'US.1', null],
      ['msg_2', phone, 'contact_US.2'],
    ] as const) {
      await db.write('acceptMessage', draft({ id, recipient, contactId }))
      await db.write('recordEvent', accepted(id))
    }
    await news()
    const [contact] = await all()
    if (!contact) throw new Error('there is no contact')
    await db.write('forgetContact', { contactId: contact.id, at: t0 + 2_000 })
    const step = () => db.write('eraseContact', { contactId: contact.id, limit: 100, at: t0 + 2_000 })
    for (let after = await step(); after !== null && after.state !== 'done'; ) after = await step()
    await news()
    await news()
    // It comes late, of an id that the user had before.
    await byField(50, 'US.0', 'US.1', phone)()
    expect(await known()).toEqual([[null, null, null]])
    expect(JSON.stringify(await db.rows('SELECT * FROM former_user_ids'))).not.toContain('US.')
    expect(JSON.stringify(await db.rows('SELECT recipient, wa_id FROM messages'))).not.toMatch(/US|4930/)
  })

  test('the last word of a conversation may have gone to an id that the user left', async () => {
    await inOrder([wrote(0, 'US.1'), byField(100, 'US.1', 'US.2'), byField(200, 'US.2', 'US.3')], [0, 1, 2])
    await receive(inbound({ from: { phone, userId: 'US.9', name: 'Bob', newContactId: 'contact_bob' } }))
    const last = async () => {
      const { conversations } = await db.read.conversations({ workspaceId: 'ws_1', limit: 9, scan: 9 })
      return conversations.map(({ contact, lastSent }) => [contact.name, lastSent?.id ?? null])
    }
    expect(await last()).toEqual([
      ['Bob', null],
      ['Ada', null],
    ])
    for (const [n, at] of [30, 50, 40].entries()) {
      const sent = { id: `msg_${n + 1}`, recipient: `US.${n + 1}`, createdAt: t0 + at }
      await db.write('acceptMessage', draft(sent))
    }
    expect(await last()).toEqual([
      ['Bob', null],
      ['Ada', 'msg_2'],
    ])
  })

  test('a conversation has what was sent to each id', async () => {
    await inOrder([wrote(0, 'US.1'), byField(100, 'US.1', 'US.2'), byField(200, 'US.2', 'US.3')], [0, 1, 2])
    for (const n of [1, 2, 3]) await db.write('acceptMessage', draft({ id: `msg_${n}`, recipient: `US.${n}` }))
    const [contact] = await all()
    if (!contact) throw new Error('there is no contact')
    const { page } = await bothSides(db.read, contact)
    const sent = page.flatMap(entry => ('sent' in entry ? [entry.sent.id] : []))
    expect(sent.sort()).toEqual(['msg_1', 'msg_2', 'msg_3'])
  })

  test('a former id finds the contact, and names it where a message went to that id', async () => {
    await inOrder([wrote(0, 'US.1'), byField(100, 'US.1', 'US.2'), byField(200, 'US.2', 'US.3')], [0, 1, 2])
    for (const userId of ['US.1', 'US.2', 'US.3']) {
      const { contacts } = await db.read.searchContacts({ workspaceId: 'ws_1', userId, limit: 1, scan: 1 })
      expect(contacts).toMatchObject([{ id: 'contact_US.1', userId: 'US.3' }])
    }
    const found = await db.read.contactsAt({ workspaceId: 'ws_1', addresses: ['US.1', 'US.3', 'US.9'] })
    expect([...found].map(([address, { id }]) => [address, id]).sort()).toEqual([
      ['US.1', 'contact_US.1'],
      ['US.3', 'contact_US.1'],
    ])
    expect((await db.read.searchContacts({ workspaceId: 'ws_2', userId: 'US.1', limit: 1, scan: 1 })).contacts).toEqual(
      [],
    )
  })

  test('are pruned by their age', async () => {
    await byField(100, 'US.1', 'US.2')()
    expect(await db.write('pruneFormerNames', { recordedBefore: t0 + 1_000, limit: 9 })).toBe(0)
    expect(await db.write('pruneFormerNames', { recordedBefore: t0 + 1_001, limit: 9 })).toBe(1)
  })
}
