import { beforeEach, describe, expect, test } from 'bun:test'
import { unrelated } from '../../../db/contract/inbound.ts'
import type { Contact, Inbound } from '../../../db/contract/records.ts'
import { dayMs } from '../../../src/base/durations.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, channel, draft, inbound, line, t0 } from '../fixtures.ts'

export function contactsSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const contact = (fields: Partial<Contact> = {}): Contact => ({
    id: 'contact_1',
    workspaceId: 'ws_1',
    phone: '+4930123456',
    userId: null,
    name: 'Ada',
    username: null,
    createdAt: t0,
    updatedAt: t0,
    blockedOn: [],
    ...fields,
  })
  const all = () => db.read.contacts({ workspaceId: 'ws_1', limit: 100 })

  describe('saving a contact', () => {
    test('adds it, and it is found by its id in its own workspace only', async () => {
      expect(await db.write('saveContact', contact())).toEqual(contact())
      expect(await db.read.contact({ workspaceId: 'ws_1', contactId: 'contact_1' })).toEqual(contact())
      expect(await db.read.contact({ workspaceId: 'ws_2', contactId: 'contact_1' })).toBeNull()
    })

    test('with a phone that is known gives that contact its new name and keeps its id', async () => {
      await db.write('saveContact', contact())
      const renamed = await db.write('saveContact', contact({ id: 'contact_2', name: 'Ada L.', updatedAt: t0 + 1 }))
      expect(renamed).toEqual(contact({ name: 'Ada L.', updatedAt: t0 + 1 }))
      expect(await all()).toHaveLength(1)
    })

    test('is named by its id, in its own workspace only, and loses the name so too', async () => {
      await db.write('saveContact', contact({ userId: 'DE.1' }))
      const rename = (contactId: string, workspaceId = 'ws_1', name: string | null = 'Bob') =>
        db.write('renameContact', { workspaceId, contactId, name, at: t0 + 1 })
      expect(await rename('contact_1')).toEqual(contact({ userId: 'DE.1', name: 'Bob', updatedAt: t0 + 1 }))
      expect([await rename('contact_9'), await rename('contact_1', 'ws_2')]).toEqual([null, null])
      expect(await rename('contact_1', 'ws_1', null)).toMatchObject({ name: null, userId: 'DE.1' })
    })

    test('without a name keeps the one that is known', async () => {
      await db.write('saveContact', contact())
      expect(await db.write('saveContact', contact({ id: 'contact_2', name: null }))).toMatchObject({ name: 'Ada' })
    })

    test('with a user id completes the contact with that phone, and is found by either from then on', async () => {
      await db.write('saveContact', contact())
      await db.write('saveContact', contact({ id: 'contact_2', userId: 'DE.1' }))
      const found = await db.write(
        'saveContact',
        contact({ id: 'contact_3', phone: null, userId: 'DE.1', name: 'New' }),
      )
      expect(found).toMatchObject({ id: 'contact_1', phone: '+4930123456', userId: 'DE.1', name: 'New' })
      expect(await all()).toHaveLength(1)
    })

    test('who is known by the user id has the phone of the last message: the one before may be another’s by now', async () => {
      await db.write('saveContact', contact({ userId: 'DE.1' }))
      const moved = await db.write('saveContact', contact({ id: 'contact_2', userId: 'DE.1', phone: '+4930222222' }))
      expect(moved).toMatchObject({ id: 'contact_1', phone: '+4930222222', userId: 'DE.1' })
      const withoutPhone = await db.write('saveContact', contact({ id: 'contact_3', userId: 'DE.1', phone: null }))
      expect(withoutPhone).toMatchObject({ id: 'contact_1', phone: '+4930222222' })
      expect(await all()).toHaveLength(1)
    })

    test('whose phone and user id belong to two contacts changes neither of the two ids', async () => {
      await db.write('saveContact', contact())
      await db.write('saveContact', contact({ id: 'contact_2', phone: null, userId: 'DE.1', name: 'Bob' }))
      await db.write('saveContact', contact({ id: 'contact_3', userId: 'DE.1' }))
      expect((await all()).map(({ id, phone, userId }) => [id, phone, userId])).toEqual([
        ['contact_2', null, 'DE.1'],
        ['contact_1', '+4930123456', null],
      ])
    })

    test('the same phone in another workspace is another contact', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      const other = contact({ id: 'contact_2', workspaceId: 'ws_2', name: 'Else' })
      expect(await db.write('saveContact', other)).toEqual(other)
    })

    test('a workspace that does not exist gets none', async () => {
      expect(await db.write('saveContact', contact({ workspaceId: 'ws_9' }))).toBeNull()
    })
  })

  const receive = (...messages: readonly Inbound[]) => receiveOn('chan_1', ...messages)
  const receiveOn = (channelId: string, ...messages: readonly Inbound[]) =>
    db.write('recordInbound', { channelId, messages, recordedAt: t0 + 1_000 })

  /** A second channel with a line, of a workspace of its own; what comes there makes `contact_2`. */
  async function addStranger() {
    await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
    await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2', accountId: '100002' }))
    await db.write('addLine', line({ id: 'line_2', workspaceId: 'ws_2', channelId: 'chan_2' }))
  }
  const stranger = { phone: '+4930123456', userId: null, name: 'Ada', newContactId: 'contact_2' }

  describe("a user's message", () => {
    test('is kept as it came, makes its contact and names its line', async () => {
      await receive(inbound())
      expect(await all()).toEqual([contact({ createdAt: t0 + 1_000, updatedAt: t0 + 1_000 })])
      expect(await db.read.inbound({ contactId: 'contact_1', limit: 10 })).toEqual([
        {
          channelMessageId: 'wamid.in1',
          lineId: 'line_1',
          kind: 'text',
          at: t0,
          recordedAt: t0 + 1_000,
          content: { text: { body: 'hello' } },
          file: null,
          related: unrelated,
          seq: expect.any(Number),
        },
      ])
    })

    test('counts for the times at which its contact wrote lately', async () => {
      await receive(inbound(), inbound({ channelMessageId: 'wamid.in2', kind: 'image', at: t0 + 500 }))
      const timesSince = (since: number) => db.read.inboundTimes({ contactId: 'contact_1', since, limit: 10 })
      const [text, image] = [
        { lineId: 'line_1', kind: 'text', at: t0, recordedAt: t0 + 1_000 },
        { lineId: 'line_1', kind: 'image', at: t0 + 500, recordedAt: t0 + 1_000 },
      ]
      expect(await timesSince(t0 - 1)).toEqual([image, text])
      expect(await timesSince(t0)).toEqual([image])
      expect(await db.read.inboundTimes({ contactId: 'contact_1', since: 0, until: t0 + 499, limit: 1 })).toEqual([
        text,
      ])
      expect(await db.read.inboundTimes({ contactId: 'contact_1', since: 0, limit: 1 })).toEqual([image])
      expect(await db.read.inboundTimes({ contactId: 'contact_2', since: 0, limit: 1 })).toEqual([])
    })

    test('stands above those of the same second that came before it, whatever their ids', async () => {
      const ids = ['wamid.b', 'wamid.a', 'wamid.c']
      for (const [n, channelMessageId] of ids.entries()) {
        const messages = [inbound({ channelMessageId })]
        await db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: t0 + n })
      }
      const kept = await db.read.inbound({ contactId: 'contact_1', limit: 10 })
      expect(kept.map(({ channelMessageId }) => channelMessageId)).toEqual(ids.toReversed())
    })

    test('that shows two contacts to be one keeps the later opt-out of the two', async () => {
      await db.write('saveContact', contact())
      await db.write('saveContact', contact({ id: 'contact_2', phone: null, userId: 'DE.1', createdAt: t0 + 1 }))
      const optOut = (about: { phone: string | null; userId: string | null }, at: number) =>
        ({
          accountId: '100001',
          about: { of: 'contact', ...about, name: null, newContactId: 'contact_new' },
          kind: 'user_preferences',
          at,
          detail: {},
        }) as const
      const updates = [
        optOut({ phone: '+4930123456', userId: null }, t0 + 5),
        optOut({ phone: null, userId: 'DE.1' }, t0 + 1),
      ]
      await db.write('keepUpdates', { channelId: 'chan_1', updates, recordedAt: t0 + 9 })
      await receive(inbound({ from: { ...stranger, userId: 'DE.1' } }))
      expect(await db.read.contactById('contact_2')).toMatchObject({ id: 'contact_1' })
      expect(await db.read.updates('contact_1')).toMatchObject([{ at: t0 + 5 }])
    })

    test('that comes again is kept once', async () => {
      await receive(inbound(), inbound())
      await receive(inbound())
      expect(await db.read.inbound({ contactId: 'contact_1', limit: 10 })).toHaveLength(1)
    })

    test('that comes again beside new ones costs none of them', async () => {
      await receive(inbound())
      await receive(inbound(), inbound({ channelMessageId: 'wamid.in2', at: t0 + 1 }))
      const kept = await db.read.inbound({ contactId: 'contact_1', limit: 10 })
      expect(kept.map(({ channelMessageId }) => channelMessageId)).toEqual(['wamid.in2', 'wamid.in1'])
    })

    test('is kept by every channel that is told of it, each under its own line and contact', async () => {
      await addStranger()
      await receive(inbound())
      await receiveOn('chan_2', inbound({ from: stranger }))
      const lineOf = async (contactId: string) =>
        (await db.read.inbound({ contactId, limit: 10 })).map(({ lineId }) => lineId)
      expect([await lineOf('contact_1'), await lineOf('contact_2')]).toEqual([['line_1'], ['line_2']])
    })

    test('on a line that is another workspace’s alone is kept, and makes no contact', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2' }))
      await receiveOn('chan_2', inbound({ from: stranger }))
      expect(await db.rows('SELECT channel_id, contact_id FROM inbound_messages')).toEqual([['chan_2', null]])
      expect(await db.read.contacts({ workspaceId: 'ws_2', limit: 9 })).toEqual([])
      await db.write('addLine', line({ id: 'line_2', workspaceId: 'ws_2', channelId: 'chan_2' }))
      await receiveOn('chan_2', inbound({ channelMessageId: 'wamid.in2', from: stranger }))
      expect(await db.read.contacts({ workspaceId: 'ws_2', limit: 9 })).toHaveLength(1)
    })

    test('of nobody, or on a line that we do not know, is kept', async () => {
      const nobody = { phone: null, userId: null, name: null, newContactId: 'contact_9' }
      await receive(inbound({ from: nobody }), inbound({ channelMessageId: 'wamid.in2', upstreamPhoneId: '9' }))
      expect(await db.rows('SELECT contact_id, line_id FROM inbound_messages ORDER BY channel_message_id')).toEqual([
        [null, 'line_1'],
        ['contact_1', null],
      ])
    })
  })

  describe('who is behind a number', () => {
    const [p1, p2] = ['+4930111111', '+4930222222']
    const wrote = (
      day: number,
      [phone, userId, name]: readonly [phone: string | null, userId: string | null, name: string],
    ) => {
      const channelMessageId = `wamid.day${day}`
      const from = { phone, userId, name, newContactId: `contact_${userId ?? phone}` }
      const content = JSON.stringify(phone === null ? {} : { from: phone.slice(1) })
      const message = inbound({ channelMessageId, at: t0 + day * dayMs, from, content })
      return () => db.write('recordInbound', { channelId: 'chan_1', messages: [message], recordedAt: t0 + 9 * dayMs })
    }
    const people = async () =>
      (await all()).map(({ id, phone, userId, name }) => [id, phone, userId, name].join(' ')).sort()

    const moved = [wrote(0, [p1, 'DE.1', 'Old']), wrote(1, [p2, 'DE.1', 'New'])]
    const recycled = [
      wrote(0, [p1, 'DE.ada', 'Ada']),
      wrote(1, [p1, 'DE.bob', 'Bob']),
      wrote(2, [null, 'DE.ada', 'Ada L.']),
    ]
    const swapped = [wrote(0, [p1, 'DE.ada', 'Ada']), wrote(1, [p2, 'DE.bob', 'Bob']), wrote(2, [p1, 'DE.bob', 'Bob'])]
    const orders = [
      ['0, 1, 2', [0, 1, 2]],
      ['0, 2, 1', [0, 2, 1]],
      ['1, 0, 2', [1, 0, 2]],
      ['1, 2, 0', [1, 2, 0]],
      ['2, 0, 1', [2, 0, 1]],
      ['2, 1, 0', [2, 1, 0]],
    ] as const

    test.each(orders)(
      'a user has the number and the name of the last message, whenever it comes: %s',
      async (_, order) => {
        for (const at of order) await moved[at]?.()
        expect(await people()).toEqual([`contact_DE.1 ${p2} DE.1 New`])
      },
    )

    test.each(orders)('a number with a new user leaves the contact that had it: %s', async (_, order) => {
      for (const at of order) await recycled[at]?.()
      expect(await people()).toEqual(['contact_DE.ada  DE.ada Ada L.', `contact_DE.bob ${p1} DE.bob Bob`])
      const of = async (contactId: string) => (await db.read.inbound({ contactId, limit: 9 })).length
      expect([await of('contact_DE.ada'), await of('contact_DE.bob')]).toEqual([2, 1])
    })

    test.each(orders)('a number may go to a user who is known already: %s', async (_, order) => {
      for (const at of order) await swapped[at]?.()
      expect(await people()).toEqual(['contact_DE.ada  DE.ada Ada', `contact_DE.bob ${p1} DE.bob Bob`])
    })

    test('what comes late fills in what nobody said since', async () => {
      await wrote(1, [p1, null, 'New'])()
      await wrote(0, [p1, 'DE.1', 'Old'])()
      expect(await people()).toEqual([`contact_${p1} ${p1} DE.1 New`])
    })

    test('a message dated years ahead does not make those that follow late', async () => {
      await wrote(4_000, [p1, 'DE.1', 'Old'])()
      const next = inbound({
        channelMessageId: 'wamid.next',
        at: t0 + 10 * dayMs,
        from: { phone: p2, userId: 'DE.1', name: 'New', newContactId: 'contact_9' },
      })
      await db.write('recordInbound', { channelId: 'chan_1', messages: [next], recordedAt: t0 + 10 * dayMs })
      expect(await people()).toEqual([`contact_DE.1 ${p2} DE.1 New`])
    })
  })

  describe('a user with another number or user id', () => {
    const [p1, p2, p3, p4] = ['+4930111111', '+4930222222', '+4930333333', '+4930444444']
    let count = 0
    const moved = (
      at: number,
      now: { phone?: string; userId?: string },
      former: { phone?: string; userId?: string },
      newContactId = 'contact_9',
    ) => {
      count += 1
      return inbound({
        channelMessageId: `wamid.system${count}`,
        kind: 'system',
        at,
        from: { phone: now.phone ?? null, userId: now.userId ?? null, name: null, newContactId },
        identityChange: { formerPhone: former.phone ?? null, formerUserId: former.userId ?? null },
        content: JSON.stringify({ from: former.phone?.slice(1), system: {} }),
      })
    }
    const wrote = (at: number, phone: string, userId: string | null, newContactId: string) => {
      count += 1
      return inbound({
        channelMessageId: `wamid.text${count}`,
        at,
        from: { phone, userId, name: null, newContactId },
        content: JSON.stringify({ from: phone.slice(1) }),
      })
    }
    const known = async () => (await all()).map(({ id, phone, userId }) => [id, phone, userId]).sort()
    const add = (id: string, phone: string | null, userId: string | null = null, createdAt = t0) =>
      db.write('saveContact', contact({ id, phone, userId, createdAt }))

    test('is followed to the number, and the history stays with the contact', async () => {
      await receive(inbound({ from: { phone: p1, userId: null, name: 'Ada', newContactId: 'contact_1' } }))
      await receive(moved(t0 + 1, { phone: p2 }, { phone: p1 }))
      expect(await all()).toMatchObject([{ id: 'contact_1', phone: p2, name: 'Ada' }])
      const kinds = (await db.read.inbound({ contactId: 'contact_1', limit: 9 })).map(({ kind }) => kind)
      expect(kinds).toEqual(['system', 'text'])
    })

    test('is followed to the user id, by the former one', async () => {
      await add('contact_1', null, 'CO.1')
      await receive(moved(t0 + 1, { userId: 'MX.1' }, { userId: 'CO.1' }))
      expect(await known()).toEqual([['contact_1', null, 'MX.1']])
    })

    test('is followed to both at once', async () => {
      await add('contact_1', p1, 'CO.1')
      await receive(moved(t0 + 1, { phone: p2, userId: 'MX.1' }, { phone: p1, userId: 'CO.1' }))
      expect(await known()).toEqual([['contact_1', p2, 'MX.1']])
    })

    test('of whom nothing is known becomes a contact by the new number', async () => {
      await receive(moved(t0 + 1, { phone: p2 }, { phone: p1 }))
      expect(await known()).toEqual([['contact_9', p2, null]])
    })

    test('whose new number is a contact already becomes one contact, with both histories, flows and ids', async () => {
      const oneByOne = [wrote(t0, p1, 'DE.1', 'contact_1'), wrote(t0 + 1, p2, null, 'contact_2')]
      for (const message of oneByOne) await receive(message)
      for (const contactId of ['contact_1', 'contact_2']) {
        const opensFlow = { contactId, flowToken: contactId }
        await db.write('acceptMessage', draft({ id: `msg_${contactId}`, type: 'interactive', contactId, opensFlow }))
      }
      await receive(moved(t0 + 2, { phone: p2 }, { phone: p1 }))
      expect(await known()).toEqual([['contact_1', p2, 'DE.1']])
      expect(await db.read.inbound({ contactId: 'contact_1', limit: 9 })).toHaveLength(3)
      expect((await db.read.flowSessions('contact_1')).map(({ messageId }) => messageId).sort()).toEqual([
        'msg_contact_1',
        'msg_contact_2',
      ])
      const merged = { id: 'contact_1', phone: p2, userId: 'DE.1' }
      expect(await db.read.contact({ workspaceId: 'ws_1', contactId: 'contact_2' })).toMatchObject(merged)
      expect(await db.read.contactById('contact_2')).toMatchObject(merged)
      expect(await db.read.contact({ workspaceId: 'ws_2', contactId: 'contact_2' })).toBeNull()
    })

    test('who is merged twice is found by every id there was', async () => {
      for (const [n, phone] of [p1, p2, p3].entries()) await add(`contact_${n}`, phone, null, t0 - n)
      await receive(moved(t0 + 2, { phone: p2 }, { phone: p1 }), moved(t0 + 3, { phone: p3 }, { phone: p2 }))
      expect(await known()).toEqual([['contact_2', p3, null]])
      for (const contactId of ['contact_0', 'contact_1', 'contact_2']) {
        expect(await db.read.contactById(contactId)).toMatchObject({ id: 'contact_2' })
      }
    })

    test('takes the number from a contact that is known to be somebody else', async () => {
      await add('contact_1', p1, 'DE.ada')
      await add('contact_2', p2, 'DE.bob')
      await receive(moved(t0 + 1, { phone: p2, userId: 'DE.ada' }, { phone: p1, userId: 'DE.ada' }))
      expect(await known()).toEqual([
        ['contact_1', p2, 'DE.ada'],
        ['contact_2', null, 'DE.bob'],
      ])
    })

    test('is not followed from a number that a stranger has written from since', async () => {
      await add('contact_1', p1)
      await receive(wrote(t0 + 9, p1, 'DE.bob', 'contact_8'))
      await receive(moved(t0 + 1, { phone: p2 }, { phone: p1 }))
      expect(await db.read.contactById('contact_1')).toMatchObject({ phone: p1, userId: 'DE.bob' })
    })

    test.each([
      ['as it happened', [0, 1, 2]],
      ['the change after the first message from the new number', [0, 2, 1]],
      ['the change last of all', [2, 0, 1]],
    ] as const)('is one contact with the new number in any order: %s', async (_, order) => {
      const steps = [
        wrote(t0, p1, 'DE.1', 'contact_1'),
        moved(t0 + 100, { phone: p2, userId: 'DE.1' }, { phone: p1, userId: 'DE.1' }),
        wrote(t0 + 200, p2, 'DE.1', 'contact_2'),
      ]
      for (const step of order) await receive(...steps.slice(step, step + 1))
      expect(await all()).toMatchObject([{ phone: p2, userId: 'DE.1' }])
      expect(await db.read.inbound({ contactId: (await all())[0]?.id ?? '', limit: 9 })).toHaveLength(3)
    })

    const changesOfNumber = [
      ['t1, t2, t3', [0, 1, 2]],
      ['t1, t3, t2', [0, 2, 1]],
      ['t2, t1, t3', [1, 0, 2]],
      ['t2, t3, t1', [1, 2, 0]],
      ['t3, t1, t2', [2, 0, 1]],
      ['t3, t2, t1', [2, 1, 0]],
    ] as const

    test.each(changesOfNumber)('has the last number, in whichever order the changes come: %s', async (_, order) => {
      await add('contact_1', p1)
      const changes = [
        moved(t0 + 1, { phone: p2 }, { phone: p1 }, 'contact_7'),
        moved(t0 + 2, { phone: p3 }, { phone: p2 }, 'contact_8'),
        moved(t0 + 3, { phone: p4 }, { phone: p3 }, 'contact_9'),
      ]
      for (const change of order) await receive(...changes.slice(change, change + 1))
      expect(await db.read.contactById('contact_1')).toMatchObject({ id: 'contact_1', phone: p4 })
      expect(await known()).toEqual([['contact_1', p4, null]])
    })

    test.each(changesOfNumber)('known by a user id has the last number as well: %s', async (_, order) => {
      await add('contact_1', p1, 'DE.1')
      const changes = [
        moved(t0 + 1, { phone: p2, userId: 'DE.1' }, { phone: p1, userId: 'DE.1' }),
        moved(t0 + 2, { phone: p3, userId: 'DE.1' }, { phone: p2, userId: 'DE.1' }),
        moved(t0 + 3, { phone: p4, userId: 'DE.1' }, { phone: p3, userId: 'DE.1' }),
      ]
      for (const change of order) await receive(...changes.slice(change, change + 1))
      expect(await known()).toEqual([['contact_1', p4, 'DE.1']])
    })

    test('does not become one with a stranger who has the number that was left', async () => {
      await add('contact_1', p1)
      await receive(moved(t0 + 2, { phone: p3 }, { phone: p2 }, 'contact_8'))
      await receive(wrote(t0 + 5, p2, null, 'contact_stranger'))
      await receive(moved(t0 + 1, { phone: p2 }, { phone: p1 }))
      expect(await known()).toEqual([
        ['contact_1', p3, null],
        ['contact_stranger', p2, null],
      ])
    })

    test('is known by what comes late from the number that was left', async () => {
      await add('contact_1', p1)
      await receive(moved(t0 + 5, { phone: p2 }, { phone: p1 }), wrote(t0 + 4, p1, null, 'contact_9'))
      expect(await known()).toEqual([['contact_1', p2, null]])
      expect(await db.read.inbound({ contactId: 'contact_1', limit: 9 })).toHaveLength(2)
    })

    test('who was known by number and by user id apart is one contact once a message shows both', async () => {
      await add('contact_1', p1)
      await add('contact_2', null, 'DE.1')
      await receive(wrote(t0 + 1, p1, 'DE.1', 'contact_3'))
      expect(await known()).toEqual([['contact_1', p1, 'DE.1']])
    })
  })

  describe('the answer to a flow', () => {
    const open = (id: string, createdAt: number) =>
      db.write(
        'acceptMessage',
        draft({ id, createdAt, type: 'interactive', opensFlow: { contactId: 'contact_1', flowToken: 'tok' } }),
      )
    const reply = (at: number, id = 'wamid.reply') =>
      inbound({ channelMessageId: id, kind: 'nfm_reply', at, flowReply: { flowToken: 'tok', openedBy: null } })
    const active = async () =>
      (await db.read.flowSessions('contact_1'))
        .filter(({ closedAt }) => closedAt === null)
        .map(({ messageId }) => messageId)

    beforeEach(() => db.write('saveContact', contact()))

    test('closes the session that it names', async () => {
      await open('msg_1', t0)
      await receive(reply(t0 + 5_000))
      expect(await db.read.flowSessions('contact_1')).toMatchObject([{ closedAt: t0 + 5_000, closedBy: 'reply' }])
    })

    test('that comes again does not close a session that was opened since', async () => {
      await open('msg_1', t0)
      await receive(reply(t0 + 5_000))
      await open('msg_2', t0 + 10_000)
      await receive(reply(t0 + 5_000))
      expect(await active()).toEqual(['msg_2'])
    })

    test('of a user without a known number closes it as well', async () => {
      await db.write('saveContact', contact({ id: 'contact_2', phone: null, userId: 'DE.1' }))
      const opensFlow = { contactId: 'contact_2', flowToken: 'tok' }
      await db.write('acceptMessage', draft({ id: 'msg_1', recipient: 'DE.1', type: 'interactive', opensFlow }))
      const from = { phone: null, userId: 'DE.1', name: null, newContactId: 'contact_3' }
      await receive({ ...reply(t0 + 5_000), from })
      expect(await db.read.flowSessions('contact_2')).toMatchObject([{ closedBy: 'reply' }])
    })

    test('that names a message of another channel closes nothing there: a callback proves only its own', async () => {
      await addStranger()
      await open('msg_1', t0)
      await db.write('recordEvent', accepted('msg_1', 'wamid.flow'))
      const named = { flowToken: null, openedBy: 'wamid.flow' }
      await receiveOn('chan_2', { ...reply(t0 + 5_000), from: stranger, flowReply: named })
      expect(await active()).toEqual(['msg_1'])
      await receive({ ...reply(t0 + 5_000), flowReply: named })
      expect(await active()).toEqual([])
    })

    test('closes the one that it names, though another has its token, and whatever our clock says', async () => {
      await open('msg_1', t0)
      await open('msg_2', t0 + 60_000)
      await db.write('recordEvent', accepted('msg_2', 'wamid.flow2'))
      const flowReply = { flowToken: 'tok', openedBy: 'wamid.flow2' }
      await receive({ ...reply(t0 + 5_000), flowReply })
      expect(await active()).toEqual(['msg_1'])
      // Answered once more: it is no answer to the other one.
      await receive({ ...reply(t0 + 90_000, 'wamid.again'), flowReply })
      expect(await active()).toEqual(['msg_1'])
    })

    test('that names a message that is not ours is told by its token', async () => {
      await open('msg_1', t0)
      await receive({ ...reply(t0 + 5_000), flowReply: { flowToken: 'tok', openedBy: 'wamid.elsewhere' } })
      expect(await active()).toEqual([])
    })

    test('of somebody else closes nothing', async () => {
      await open('msg_1', t0)
      const somebody = { phone: '+4930999999', userId: null, name: null, newContactId: 'contact_2' }
      await receive({ ...reply(t0 + 5_000), from: somebody })
      expect(await active()).toEqual(['msg_1'])
    })
  })

  describe('uploaded files', () => {
    const upload = {
      lineId: 'line_1',
      link: 'https://example.com/a.png',
      format: 'image',
      mediaId: '1',
      expiresAt: t0 + 10,
    }
    const find = (fields: Partial<typeof upload> = {}, at = t0) => {
      const { lineId, link, format } = { ...upload, ...fields }
      return db.read.media({ lineId, link, format, at })
    }

    test('are known by line, link and format until they expire', async () => {
      await db.write('rememberMedia', upload)
      expect(await find()).toBe('1')
      expect(await find({}, t0 + 10)).toBeNull()
      for (const other of [{ lineId: 'line_2' }, { link: 'https://example.com/b.png' }, { format: 'video' }]) {
        expect(await find(other)).toBeNull()
      }
    })

    test('uploaded again they have the newer id', async () => {
      await db.write('rememberMedia', upload)
      await db.write('rememberMedia', { ...upload, mediaId: '2', expiresAt: t0 + 20 })
      expect(await find({}, t0 + 15)).toBe('2')
    })

    test('are forgotten by id, on that line only', async () => {
      await db.write('rememberMedia', upload)
      await db.write('rememberMedia', { ...upload, lineId: 'line_2' })
      await db.write('forgetMedia', { lineId: 'line_1', mediaIds: ['1', '7'] })
      expect([await find(), await find({ lineId: 'line_2' })]).toEqual([null, '1'])
      await db.write('forgetMedia', { lineId: 'line_2', mediaIds: [] })
      expect(await find({ lineId: 'line_2' })).toBe('1')
    })
  })
}
