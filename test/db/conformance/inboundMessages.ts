import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { InboundQuery, InboundSearch } from '../../../db/contract/inbound.ts'
import { unrelated } from '../../../db/contract/inbound.ts'
import type { OpenStore, StoreUnderTest } from '../engines.ts'
import { channel, inbound, line, seed, t0 } from '../fixtures.ts'

const word = (words: string) => ({ words, digits: null })
const digits = (words: string) => ({ words, digits: words })

/** What callers read of the messages of users: a workspace has two lines, and another one has the same users. */
export function inboundMessagesSuite(open: OpenStore): void {
  let db: StoreUnderTest
  const ada = { phone: '+49301', userId: null, name: 'Ada', newContactId: 'contact_ada' }
  const bob = { phone: '+49302', userId: null, name: null, newContactId: 'contact_bob' }
  const other = { upstreamPhoneId: '2' }

  beforeAll(async () => {
    db = await open()
    await seed(db)
    await db.write('addLine', line({ id: 'line_2', ...other }))
    await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
    await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2', accountId: '100002' }))
    await db.write('addLine', line({ id: 'line_3', workspaceId: 'ws_2', channelId: 'chan_2', upstreamPhoneId: '3' }))
    const stranger = { ...ada, newContactId: 'contact_stranger' }
    const messages = [
      inbound({ channelMessageId: 'wamid.1', from: ada, at: t0 + 9_000 }),
      inbound({ channelMessageId: 'wamid.2', from: bob, ...other, kind: 'image', content: '{"type":"image"}' }),
      inbound({ channelMessageId: 'wamid.3', from: ada, kind: 'smb_message_echoes text' }),
      inbound({ channelMessageId: 'wamid.4', from: ada, ...other }),
      inbound({ channelMessageId: 'wamid.5', from: { ...ada, phone: null } }),
      inbound({ channelMessageId: 'wamid.6', from: bob, ...other }),
    ]
    for (const message of messages) {
      await db.write('recordInbound', { channelId: 'chan_1', messages: [message], recordedAt: t0 + 10_000 })
      const same = { ...message, from: stranger, upstreamPhoneId: '3' }
      await db.write('recordInbound', { channelId: 'chan_2', messages: [same], recordedAt: t0 + 10_000 })
    }
    // A line that only the other workspace has.
    const foreign = inbound({ channelMessageId: 'wamid.7', from: ada, upstreamPhoneId: '3' })
    await db.write('recordInbound', { channelId: 'chan_1', messages: [foreign], recordedAt: t0 + 10_000 })
  })
  afterAll(() => db.close())

  const page = (query: Partial<InboundQuery> = {}) =>
    db.read.inboundMessages({ workspaceId: 'ws_1', after: 0, limit: 10, scan: 100, ...query })
  const named = (id: string) => id.replace('wamid.', '')

  /** Every page, one after the other. */
  async function all(query: Partial<InboundQuery> = {}): Promise<string[]> {
    const ids: string[] = []
    for (let after = query.after ?? 0; ; ) {
      const { messages, upTo } = await page({ ...query, after })
      if (upTo === after) return ids
      ids.push(messages.map(({ channelMessageId }) => named(channelMessageId)).join(''))
      expect(upTo).toBeGreaterThan(after)
      after = upTo
    }
  }

  test.each<[by: string, query: Partial<InboundQuery>, pages: string[]]>([
    ['all, in the order in which they came, and nothing that the business sent in the app', {}, ['12456']],
    ['a page at a time', { limit: 2 }, ['12', '45', '6']],
    ['a page that is full at the end, without an empty one after it', { limit: 5 }, ['12456']],
    ['a contact', { contactId: 'contact_ada' }, ['14']],
    ['a line', { lineId: 'line_2' }, ['246']],
    ['a contact on a line', { contactId: 'contact_ada', lineId: 'line_2' }, ['4']],
    ['a line, a page at a time', { lineId: 'line_2', limit: 1 }, ['2', '4', '6']],
    ['one of some lines', { lineIds: ['line_2'] }, ['246']],
    ['some lines, a page at a time', { lineIds: ['line_2', 'line_none'], limit: 2 }, ['24', '6']],
    ['a contact on some lines', { contactId: 'contact_ada', lineIds: ['line_2', 'line_none'] }, ['4']],
    ['a line that is none of them', { lineId: 'line_2', lineIds: ['line_1', 'line_none'] }, ['']],
    ['however few are looked at in a step', { contactId: 'contact_ada', scan: 1 }, ['1', '', '4']],
    ['what is not there', { contactId: 'contact_none' }, []],
    ['the other workspace', { workspaceId: 'ws_2' }, ['12456']],
  ])('are listed by %s', async (_, query, pages) => {
    expect(await all(query)).toEqual(pages)
  })

  test('begin after any number, also one that is not theirs', async () => {
    const seqs = (await page()).messages.map(({ seq }) => seq)
    expect(seqs).toEqual([...seqs].sort((one, another) => one - another))
    expect(await all({ after: seqs[1] ?? 0 })).toEqual(['456'])
    expect(await all({ after: (seqs[1] ?? 0) + 1 })).toEqual(['456'])
    expect(await all({ after: seqs.at(-1) ?? 0 })).toEqual([])
    expect(await all({ after: 2 ** 50 - 1 })).toEqual([])
  })

  test('that are long make shorter pages, and none is left out', async () => {
    await db.write('createWorkspace', { id: 'ws_3', name: 'Long', monthlyMessageLimit: null, createdAt: t0 })
    await db.write('connectChannel', channel({ id: 'chan_3', workspaceId: 'ws_3', accountId: '100003' }))
    const content = JSON.stringify({ text: { body: 'x'.repeat(400_000) } })
    const long = ['a', 'b', 'c', 'd', 'e'].map(id =>
      inbound({ channelMessageId: `wamid.${id}`, upstreamPhoneId: null, content }),
    )
    await db.write('recordInbound', { channelId: 'chan_3', messages: long, recordedAt: t0 })
    expect(await all({ workspaceId: 'ws_3' })).toEqual(['ab', 'cd', 'e'])
  })

  test('show who the contact is now, and are found by their number', async () => {
    const { messages } = await page()
    const [first, second] = messages
    expect(first).toEqual({
      seq: expect.any(Number),
      channelMessageId: 'wamid.1',
      contactId: 'contact_ada',
      phone: '+49301',
      userId: null,
      name: 'Ada',
      username: null,
      lineId: 'line_1',
      kind: 'text',
      at: t0 + 9_000,
      recordedAt: t0 + 10_000,
      content: { text: { body: 'hello' } },
      file: null,
      related: unrelated,
    })
    expect(second).toMatchObject({ contactId: 'contact_bob', name: null, lineId: 'line_2', content: { type: 'image' } })
    expect(messages.find(({ channelMessageId }) => channelMessageId === 'wamid.5')).toMatchObject({
      contactId: null,
      phone: null,
      name: null,
    })
    for (const message of messages) {
      const { seq } = message
      expect(await db.read.inboundMessage({ workspaceId: 'ws_1', seq })).toEqual(message)
      expect((await db.read.inboundMessage({ workspaceId: 'ws_2', seq }))?.contactId ?? null).not.toBe('contact_ada')
    }
  })

  test('are no messages of the app, and none of another workspace’s line', async () => {
    const known = new Set((await page()).messages.map(({ seq }) => seq))
    for (let seq = 0; seq < 40; seq += 1)
      expect([seq, (await db.read.inboundMessage({ workspaceId: 'ws_1', seq })) !== null]).toEqual([
        seq,
        known.has(seq),
      ])
  })

  test.each<[by: string, search: Partial<InboundSearch>, pages: string[]]>([
    ['a word, on either side, the newest first', {}, ['65', '43', '1']],
    ['the same, however few are looked at in a step', { limit: 9, scan: 1 }, ['6', '5', '4', '3', '', '1', '']],
    ['words in any order', { words: [word('body'), word('text')], limit: 9 }, ['65431']],
    ['a word of the name beside one of the text', { words: [word('hello'), word('ADA')], limit: 9 }, ['431']],
    ['a part of the number beside one of the text', { words: [word('hello'), digits('9302')], limit: 9 }, ['6']],
    ['the name alone: nothing', { words: [word('ada')], limit: 9 }, ['']],
    ['one contact', { contactId: 'contact_ada', limit: 9 }, ['431']],
    [
      'one contact, its name beside a word',
      { contactId: 'contact_ada', words: [word('ada'), word('hello')] },
      ['43', '1'],
    ],
    ['what stands nowhere', { words: [word('hello'), word('none')] }, ['']],
  ])('what was written is found by %s', async (_, search, pages) => {
    const found: string[] = []
    for (let cursor: number | null | undefined; cursor !== null; ) {
      const query = { workspaceId: 'ws_1', words: [word('HELLO')], limit: 2, scan: 100, ...search, cursor }
      const { messages, next } = await db.read.searchInbound(query)
      found.push(messages.map(({ channelMessageId }) => named(channelMessageId)).join(''))
      cursor = next
    }
    expect(found).toEqual(pages)
  })
}
