import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ContactSearch } from '../../../db/contract/queries.ts'
import type { OpenStore, StoreUnderTest } from '../engines.ts'
import { accepted, addOther, draft, inbound, ofOther, recorded, seed, t0, withKey } from '../fixtures.ts'

const word = (words: string, digits: string | null = null) => [{ words, digits }]

export function contactSearchSuite(open: OpenStore): void {
  let db: StoreUnderTest
  const names = [
    'Ada Lovelace',
    'Grace Hopper',
    'ÉMILIE du Châtelet',
    'Ada Yonath',
    null,
    'Émilie Noether',
    'İBRAHİM KILIÇ',
  ]

  beforeAll(async () => {
    db = await open()
    await seed(db)
    await addOther(db)
    for (const [n, name] of names.entries()) {
      for (const workspaceId of ['ws_1', 'ws_2']) {
        const person = { phone: `+4930123${n}`, userId: n === 2 ? 'user.2' : null, name }
        await db.write('saveContact', {
          id: `contact_${n}${workspaceId}`,
          workspaceId,
          ...person,
          createdAt: t0,
          updatedAt: t0,
        })
      }
    }
    const from = { phone: null, userId: 'user.2', name: null, username: 'brewster_m', newContactId: 'contact_9' }
    const wrote = (n: number) => ({ ...from, phone: `+4930123${n}`, userId: null, username: null })
    const messages = [from, wrote(0), wrote(4)].map((from, n) => inbound({ channelMessageId: `wamid.in${n}`, from }))
    await db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: t0 })
    const says = (n: number, value: string, at = t0, category = 'marketing_messages') => ({
      ...{ kind: `user_preferences ${category}`, at, detail: { category, value }, accountId: null },
      about: { of: 'contact', phone: `+4930123${n}`, userId: null, name: null, newContactId: 'contact_none' } as const,
    })
    const updates = [
      says(1, 'stop'),
      says(3, 'stop'),
      says(4, 'stop'),
      says(4, 'resume', t0 + 1),
      says(5, 'stop', t0, 'x'),
    ]
    await db.write('keepUpdates', { channelId: 'chan_1', updates, recordedAt: t0 })
  })
  afterAll(() => db.close())

  const ofOwn = /ws_1$/
  const ofMessages = /^\d+$/

  const openedSince = (since: number) => ({ lineIds: ['line_1'], since, scan: 5 })

  async function found(search: Partial<ContactSearch>): Promise<string[]> {
    const ids: string[] = []
    for (let cursor = search.cursor; ; ) {
      const step = await db.read.searchContacts({ workspaceId: 'ws_1', limit: 2, scan: 3, ...search, cursor })
      // It is shown to whoever searches: the id of a contact, and in it the time that it was made at.
      if (step.next !== null) expect(step.next).toMatch(search.isByHeard ? ofMessages : ofOwn)
      ids.push(...step.contacts.map(({ id }) => id.replace('contact_', '').replace('ws_1', '')))
      if (step.next === null) return ids
      cursor = step.next
    }
  }

  test.each<[by: string, search: Partial<ContactSearch>, ids: string[]]>([
    ['nothing: all of the workspace, newest first', {}, ['6', '5', '4', '3', '2', '1', '0']],
    ['a part of a name', { words: word('ada') }, ['3', '0']],
    ['a name with an accent, in any case', { words: word('émilie') }, ['5', '2']],
    ['a name whose capitals have a dot', { words: word('ibrahim k') }, ['6']],
    ['such a name as it is written', { words: word('İBRAHİM') }, ['6']],
    [
      'a part of a number, written as somebody reads it',
      { words: [{ words: '0 123', digits: '0123' }] },
      ['6', '5', '4', '3', '2', '1', '0'],
    ],
    ['words of which one is enough', { words: [...word('grace'), ...word('1230', '1230')], isAny: true }, ['1', '0']],
    ['each of two words', { words: [...word('ada'), ...word('love')] }, ['0']],
    ['a word of the name and one of the number', { words: [...word('1233', '1233'), ...word('yonath')] }, ['3']],
    ['a word of the name and one of the username: of two people', { words: [...word('ada'), ...word('brewster')] }, []],
    ['a part of a number', { words: word('1230', '1230') }, ['0']],
    ['a username', { words: word('@Brewster_M') }, ['2']],
    ['a part of a username', { words: word('ter_') }, ['2']],
    ['a phone number', { phone: '+49301231' }, ['1']],
    ["the upstream's user id", { userId: 'user.2' }, ['2']],
    ['a number that nobody has', { phone: '+1' }, []],
    ['that they have asked for no marketing, and not that they want it again', { noMarketing: true }, ['3', '1']],
    ['what nobody has read of them', { isUnread: true }, ['4', '2', '0']],
    ['what nobody has read, and that they want no marketing', { isUnread: true, noMarketing: true }, []],
    ['the window that they opened', { opened: openedSince(t0 - 1) }, ['4', '2', '0']],
    ['a window that ended since', { opened: openedSince(t0) }, []],
    ['their last message: only who has written', { isByHeard: true }, ['4', '0', '2']],
    ['their last message, and a part of the name', { isByHeard: true, words: word('ada') }, ['0']],
    ['that, and a part of the name', { noMarketing: true, words: word('ada') }, ['3']],
  ])('contacts are found by %s', async (_, search, ids) => {
    expect(await found(search)).toEqual(ids)
  })

  test('a list says of each whether it has asked for no marketing', async () => {
    const contactIds = [1, 3, 4, 5, 6].map(n => `contact_${n}ws_1`)
    const each = await db.read.heardOfEach({ workspaceId: 'ws_1', contactIds, lineIds: [], since: t0, scan: 1 })
    expect(contactIds.map(id => each.get(id)?.noMarketing)).toEqual([true, true, false, false, false])
  })

  test('a list says of each when it wrote last', async () => {
    const [wrote, silent] = ['contact_4ws_1', 'contact_1ws_1']
    const page = { contactIds: [wrote, silent], lineIds: [], since: t0, scan: 1 }
    const each = await db.read.heardOfEach({ workspaceId: 'ws_1', ...page })
    expect([each.get(wrote)?.heardAt, each.get(silent)?.heardAt]).toEqual([t0, null])
  })

  test('however many contacts others have, no page is empty while more would follow', async () => {
    for (let n = 10; n < 30; n += 1) {
      const id = `contact_9${n}ws_2`
      const person = { phone: `+49301${n}`, userId: null, name: 'Ada' }
      await db.write('saveContact', { id, workspaceId: 'ws_2', ...person, createdAt: t0, updatedAt: t0 })
    }
    const [first, named] = await Promise.all([
      db.read.searchContacts({ workspaceId: 'ws_1', limit: 2, scan: 3 }),
      db.read.searchContacts({ workspaceId: 'ws_1', limit: 2, scan: 4, words: word('ada') }),
    ])
    expect(first.contacts.map(({ id }) => id)).toEqual(['contact_6ws_1', 'contact_5ws_1'])
    expect(named.contacts.map(({ id }) => id)).toEqual(['contact_3ws_1'])
  })

  test('a reference finds only messages of the workspace that asks', async () => {
    for (const [n, workspaceId] of ['ws_1', 'ws_2'].entries()) {
      const { idempotency } = withKey('order-1')
      const scoped = { ...idempotency, scope: workspaceId }
      const whose = workspaceId === 'ws_2' ? ofOther : {}
      await db.write('acceptMessage', draft({ id: `msg_${n}`, ...whose, idempotency: scoped, createdAt: t0 + n }))
      await db.write('recordEvent', accepted(`msg_${n}`))
    }
    const ids = async (reference: string, workspaceId?: string) =>
      (await db.read.messagesReferred({ reference, ...(workspaceId && { workspaceId }) })).map(({ id }) => id)
    expect(await ids('order-1')).toEqual(['msg_0', 'msg_1'])
    expect(await ids('order-1', 'ws_2')).toEqual(['msg_1'])
    expect(await ids('wamid.msg_0', 'ws_2')).toEqual([])
    expect(await ids('msg_0', 'ws_2')).toEqual([])
  })

  test('what is open is counted for its workspace, and says when there is more', async () => {
    for (const n of [2, 3, 4]) {
      await db.write('acceptMessage', draft({ id: `msg_${n}`, ...(n === 4 && ofOther), createdAt: t0 + n }))
      if (n < 4) await db.write('recordEvent', recorded(`msg_${n}`, { kind: 'lost', at: t0 + 60 - n }))
    }
    expect(await db.read.openMessages({ workspaceId: 'ws_1', max: 10 })).toEqual({
      queued: 0,
      unknown: 2,
      unknownSince: t0 + 57,
      isMore: false,
    })
    expect(await db.read.openMessages({ workspaceId: 'ws_1', max: 2 })).toMatchObject({ unknown: 2, isMore: true })
    // However many others have.
    expect(await db.read.openMessages({ workspaceId: 'ws_2', max: 2 })).toEqual({
      queued: 1,
      unknown: 0,
      unknownSince: null,
      isMore: false,
    })
  })
}
