import { afterAll, beforeAll, beforeEach, describe, expect, mock, test } from 'bun:test'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Inbound } from '../../db/contract/records.ts'
import { hourMs } from '../../src/base/durations.ts'
import { conversationPage } from '../../src/console/conversations/page.ts'
import { timesMax } from '../../src/inbound/window.ts'
import { inbound, template } from '../db/fixtures.ts'
import { startTestGateway, type Tenant, type TestGateway } from '../gateway.ts'
import { keepFiles, picture, userSends } from '../media/incoming/user.ts'
import { ownToken, wamid } from '../message/wamids.ts'
import { accept, graphError } from '../upstream.ts'
import { addPerson, type Person } from './people.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.answer = accept
})

let ids = 0

/** A workspace of its own, with a member and what a person writes to it. */
async function inbox() {
  const tenant = await gateway.addWorkspace()
  const member = await addPerson(gateway, 'member', tenant.workspaceId)
  const place = `/api/v1/workspaces/${tenant.workspaceId}`
  ids += 1
  const from = { phone: `+491511230${1000 + ids}`, userId: null, name: 'Ada Lovelace', newContactId: `contact_${ids}` }
  return {
    ...{ tenant, member, place, from, contactId: from.newContactId },
    get: async (path: string) => (await member.call(`${place}${path}`)).json,
    conversation: async (query = '') =>
      (await member.call(`${place}/contacts/${from.newContactId}/conversation${query}`)).json,
    says: (content: object, fields: Partial<Inbound> = {}, recordedAt?: number) =>
      says(tenant, from, content, fields, recordedAt),
    async sends(content: string, to: object = { phone: from.phone }) {
      const answer = await gateway.send({ type: 'text', ...to, content }, { ...tenant.key })
      await after(Date.now())
      return answer
    },
  }
}

/** What is said within one millisecond has no order, and answers nothing of it: what comes next comes later. */
async function after(at: number): Promise<void> {
  while (Date.now() <= at) await Bun.sleep(1)
}

async function says(
  tenant: Tenant,
  from: Inbound['from'],
  content: object,
  fields: Partial<Inbound>,
  recordedAt?: number,
) {
  ids += 1
  const kind = String(Reflect.get(content, 'type') ?? 'text')
  const message = inbound({
    ...{ channelMessageId: `wamid.in${ids}`, kind, at: Date.now(), from, content: JSON.stringify(content) },
    ...{ upstreamPhoneId: tenant.line.upstreamPhoneId, ...fields },
  })
  const { write } = gateway.gateway.store
  const came = recordedAt ?? Math.min(message.at, Date.now())
  await write.recordInbound({ channelId: tenant.channelId, messages: [message], recordedAt: came })
  await after(came)
  return message
}

const text = (body: string, more: object = {}) => ({ type: 'text', text: { body }, ...more })

interface Entry {
  readonly id: string
  readonly isOurs: boolean
  readonly at: string
  readonly said: { type: string; text: string | null } | null
  readonly sent: { words: string | null; status: string } | null
}
interface Shown extends Entry {
  readonly edited: { text: string | null } | null
  readonly deletedAt: string | null
  readonly quoted: { words: string | null; isDeleted: boolean } | null
}
const wordsOf = (entries: readonly Entry[]) => entries.map(({ said, sent }) => said?.text ?? sent?.words ?? said?.type)

describe('a conversation', () => {
  test('200: has both sides in the order of time, also what was sent in the app and to the user id', async () => {
    const { says, sends, conversation, contactId, from, member, place } = await inbox()
    const start = Date.now()
    const userId = `DE.${contactId}`
    const unnumbered = { ...from, phone: null, userId }
    await says(text('First'), { from: unnumbered, at: start - 9_000 })
    await says(text('From the phone'), { from: unnumbered, kind: 'smb_message_echoes text', at: start - 5_000 })
    await sends('To the user id', { contactId })
    await says(text('My number'), { from: { ...from, userId } })
    await sends('To the number')
    const { entries, older, contact } = await conversation()
    expect(contact).toMatchObject({ phone: from.phone, userId })
    expect([wordsOf(entries), older]).toEqual([
      ['First', 'From the phone', 'To the user id', 'My number', 'To the number'],
      null,
    ])
    expect(entries.map(({ isOurs }: Entry) => isOurs)).toEqual([false, true, true, false, true])
    expect(entries[2].sent).toMatchObject({ status: 'SENT', bubble: { draft: { body: { text: 'To the user id' } } } })
    const list = (await member.call(`${place}/conversations`)).json
    expect(list.conversations).toMatchObject([
      {
        ...{ contact: { name: 'Ada Lovelace' }, unread: 0 },
        last: { isOurs: true, words: 'To the number', status: 'SENT', at: entries[4].at },
      },
    ])
    const elsewhere = await member.call(`/api/v1/workspaces/${gateway.workspaceId}/conversations`)
    expect(elsewhere.status).toBe(404)
  })

  test('200: what was written in a group says so, and opens no window', async () => {
    const { says, conversation } = await inbox()
    await says(text('To all'), { kind: 'group text' })
    const { entries, lines } = await conversation()
    expect(entries[0].said).toMatchObject({ type: 'text', kind: 'text', text: 'To all', inGroup: true })
    expect(lines[0].windowEndsAt).toBeNull()
  })

  test('200: what is written within the second of a message stands behind it, as the list has it', async () => {
    const { sends, says, conversation, get } = await inbox()
    const { json } = await sends('On its way')
    const sentAt = (await gateway.gateway.store.read.message(json.data.id))?.createdAt ?? 0
    await says(text('Thanks'), { at: Math.floor(sentAt / 1_000) * 1_000 }, sentAt + 1)
    await says(text('Long ago'), { at: sentAt - hourMs }, sentAt + 2)
    const last = async () => (await get('/conversations')).conversations[0].last
    const { entries } = await conversation()
    expect(wordsOf(entries)).toEqual(['Long ago', 'On its way', 'Thanks'])
    expect(await last()).toMatchObject({ isOurs: false, words: 'Thanks', at: entries[2].at })
    await sends('You are welcome')
    expect(wordsOf((await conversation()).entries).at(-1)).toBe('You are welcome')
    expect(await last()).toMatchObject({ isOurs: true, words: 'You are welcome' })
  })

  test('200: its pages lose and repeat nothing, also of one millisecond, while more is said', async () => {
    const { says, sends, conversation } = await inbox()
    const { json } = await sends('ours 0')
    const at = (await gateway.gateway.store.read.message(json.data.id))?.createdAt ?? 0
    for (let n = 0; n < 90; n += 1) await says(text(`theirs ${n}`), { at: at + (n < 80 ? 0 : 1) })
    for (let n = 1; n < 5; n += 1) await sends(`ours ${n}`)
    const found: (string | null | undefined)[] = []
    let before: string | null = ''
    while (before !== null) {
      const page: { entries: Entry[]; older: string | null } = await conversation(before && `?before=${before}`)
      expect(page.entries.map(({ at }) => at)).toEqual(page.entries.map(({ at }) => at).sort())
      found.unshift(...wordsOf(page.entries))
      before = page.older
      await says(text('meanwhile'), { at: Date.now() + 5_000 })
    }
    const theirs = Array.from({ length: 90 }, (_, n) => `theirs ${n}`)
    const ours = Array.from({ length: 5 }, (_, n) => `ours ${n}`)
    expect(found.toSorted()).toEqual([...theirs, ...ours].sort())
    expect(found.filter(words => words?.startsWith('theirs'))).toEqual(theirs)
  })

  test('200: what is sent while older words are read is not among them', async () => {
    const { says, sends, conversation } = await inbox()
    for (let n = 0; n < 45; n += 1) await says(text(`${n}`), { at: Date.now() - 60_000 })
    const { older } = await conversation()
    await sends('Now')
    expect(wordsOf((await conversation(`?before=${older}`)).entries)).toEqual(['0', '1', '2', '3', '4'])
  })

  test('400 VALIDATION_ERROR: numbers that no message has', async () => {
    const { member, place, contactId } = await inbox()
    const body = { upTo: 1e300 }
    for (const [path, sent] of [
      ['/conversations?cursor=1e300', {}],
      [`/contacts/${contactId}/read`, { body }],
    ] as const)
      expect([path, (await member.call(`${place}${path}`, sent)).status]).toEqual([path, 400])
  })

  test.each<[what: string, content: object, said: object]>([
    ['a picture with its words', { type: 'image', image: { caption: 'Broken' } }, { type: 'image', text: 'Broken' }],
    ['a voice message', { type: 'audio', audio: { voice: true } }, { type: 'voice', text: null }],
    [
      'a place',
      { type: 'location', location: { latitude: 52.5, longitude: 13.4, name: 'Office', address: 'Main St 1' } },
      { type: 'location', text: 'Office', link: expect.stringContaining('52.5'), facts: [{ value: 'Main St 1' }, {}] },
    ],
    [
      'a contact card',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Bob' }, phones: [{ phone: '+49 1' }] }] },
      { type: 'contacts', facts: [{ name: 'Bob', value: '+49 1' }] },
    ],
    [
      'a button',
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } } },
      { type: 'button', text: 'Yes' },
    ],
    [
      'a form, without its token',
      {
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: { response_json: '{"flow_token":"t","size":"M"}' } },
      },
      { type: 'form', facts: [{ name: 'size', value: 'M' }] },
    ],
    [
      'an order',
      {
        type: 'order',
        order: {
          text: 'Soon please',
          product_items: [{ product_retailer_id: 'sku', quantity: 2, item_price: 3, currency: 'EUR' }],
        },
      },
      {
        type: 'order',
        text: 'Soon please',
        facts: [
          { name: '2 × sku', value: '3.00 EUR' },
          { name: 'Total', value: '6.00 EUR' },
        ],
      },
    ],
    [
      'a reaction',
      { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } },
      { type: 'reaction', text: '👍', about: 'wamid.x' },
    ],
    ['a kind that nobody knows', { type: 'poll', poll: { question: 'Tea?' } }, { type: 'other', kind: 'poll' }],
    ['what is not stored any more', {}, { type: 'text', state: 'dropped', text: null }],
  ])('200: shows %s', async (_, content, said) => {
    const { says, conversation } = await inbox()
    const kind = Reflect.get(Reflect.get(content, 'interactive') ?? {}, 'type')
    await says(content, kind === undefined ? {} : { kind })
    expect((await conversation()).entries).toMatchObject([{ isOurs: false, sent: null, said }])
  })

  test('200: an answer has the first words of what it answers, however long ago that was', async () => {
    const { says, sends, conversation, place, member } = await inbox()
    const { json } = await sends('Which size?')
    const path = `${place}/messages/${json.data.id}`
    const { channelMessageId } = (await member.call(path)).json.message
    for (let n = 0; n < 45; n += 1) await says(text(`${n}`))
    const { channelMessageId: own } = await says(text('M', { context: { id: channelMessageId } }))
    await says(text('No, L', { context: { id: own } }))
    await says(text('?', { context: { id: 'wamid.unknown' } }))
    const quotes = (await conversation()).entries.slice(-3).map(({ quoted }: { quoted: object }) => quoted)
    expect(quotes).toEqual([
      { channelMessageId, isOurs: true, words: 'Which size?', isDeleted: false },
      { channelMessageId: own, isOurs: false, words: 'M', isDeleted: false },
      { channelMessageId: 'wamid.unknown', isOurs: null, words: null, isDeleted: false },
    ])
  })

  test('what is quoted is not asked for who sent it: the keys are read once a page, and only where one sent', async () => {
    const { says, sends, contactId, tenant } = await inbox()
    const quoted: string[] = []
    for (const words of ['First', 'Second']) {
      const { json } = await sends(words)
      const message = await gateway.gateway.store.read.message(json.data.id)
      quoted.push(message?.channelMessageId ?? '')
    }
    const start = Date.now() + 1_000
    for (let n = 0; n < 45; n += 1) await says(text(`${n}`), { at: start + n })
    for (const id of quoted) await says(text('Yes', { context: { id } }), { at: start + 60 })
    const { read } = gateway.gateway.store
    const contact = await read.contact({ workspaceId: tenant.workspaceId, contactId })
    if (contact === null) throw new Error('the person has no contact')
    const keys = mock(read.keys)
    const page = await conversationPage({ ...read, keys }, contact)
    expect(page.entries.flatMap(({ quoted }) => quoted?.words ?? [])).toEqual(['First', 'Second'])
    expect(keys).toHaveBeenCalledTimes(0)
    const before = await conversationPage({ ...read, keys }, contact, { before: page.older ?? '' })
    expect(before.entries.flatMap(({ sent }) => sent?.words ?? [])).toEqual(['First', 'Second'])
    expect(keys).toHaveBeenCalledTimes(1)
  })

  test('200: marks what was edited and deleted at the message itself, also where it is quoted, by any text of its id', async () => {
    const { says, sends, conversation, from, tenant } = await inbox()
    const [peer, other] = [from.phone.slice(1), 'DE.13491208655302741918']
    const id = (token: string, of = peer) => wamid(of, `${token}00000000`, 'user')
    gateway.upstream.answer = () => Response.json({ messages: [{ id: wamid(peer, ownToken) }] })
    await sends('When?')
    gateway.upstream.answer = accept
    const start = Date.now()
    const at = (seconds: number) => ({ at: start + seconds * 1_000 })
    const edit = (body: string) => ({ original_message_id: id('1', other), message: { type: 'text', text: { body } } })
    const quoting = { context: { id: wamid(other, ownToken) } }
    // The second edit overtakes the first, and both their message.
    await says({ type: 'edit', edit: edit('at 7') }, { channelMessageId: id('3'), ...at(3) })
    await says({ type: 'edit', edit: edit('at 6') }, { channelMessageId: id('2'), ...at(2) })
    await says(text('at 5', quoting), { channelMessageId: id('1'), ...at(1) })
    await says(text('sure', { context: { id: id('1', other) } }), { channelMessageId: id('4'), ...at(4) })
    await says({ type: 'edit', edit: { ...edit('who?'), original_message_id: id('9') } }, at(5))
    await says({ type: 'reaction', reaction: { message_id: wamid(other, ownToken), emoji: '👍' } }, at(6))
    const shown = async () =>
      (await conversation()).entries.slice(1).map(({ said, edited, deletedAt, quoted }: Shown) => ({
        ...{ said: said?.text, edited: edited?.text, isDeleted: deletedAt !== null },
        ...{ quoted: quoted?.words, isQuoteDeleted: quoted?.isDeleted },
      }))
    const kept = { edited: undefined, isDeleted: false, quoted: undefined, isQuoteDeleted: undefined }
    const changed = { ...kept, said: 'at 5', edited: 'at 7', quoted: 'When?', isQuoteDeleted: false }
    const answer = { ...kept, said: 'sure', quoted: 'at 7', isQuoteDeleted: false }
    // An edit of what nobody knows stands alone.
    const rest = [
      { ...kept, said: 'who?' },
      { ...kept, said: '👍' },
    ]
    expect(await shown()).toEqual([changed, answer, ...rest])
    expect((await conversation()).entries.at(-1).said.about).toBe(wamid(peer, ownToken))
    await says({ type: 'revoke', revoke: { original_message_id: id('1', other) } }, at(7))
    const unquoted = { ...answer, quoted: null, isQuoteDeleted: true }
    expect(await shown()).toEqual([{ ...changed, isDeleted: true }, unquoted, ...rest])
    // What the workspace hides has no words, and says that it was deleted all the same.
    await gateway.gateway.store.write.setDeletedMessages({ workspaceId: tenant.workspaceId, deletedMessages: 'hide' })
    expect(await shown()).toEqual([{ ...kept, said: null, isDeleted: true }, unquoted, ...rest])
    expect((await conversation()).entries[1].said).toMatchObject({ type: 'text', state: 'dropped' })
  })

  test('200: an edit is told by its message also when that is on another page, and a caption as it is now', async () => {
    const { says, conversation } = await inbox()
    const start = Date.now()
    const image = { type: 'image', image: { id: '7', caption: 'Mine' } }
    const { channelMessageId } = await says(image, { at: start })
    for (let n = 1; n <= 60; n += 1) await says(text(`${n}`), { at: start + n })
    const message = { type: 'image', image: { id: '7', caption: 'Ours' } }
    await says({ type: 'edit', edit: { original_message_id: channelMessageId, message } }, { at: start + 100 })
    const { entries, older } = await conversation()
    expect([entries.at(-1).said, older]).toMatchObject([{ text: '60' }, expect.any(String)])
    const [first] = (await conversation(`?before=${older}`)).entries
    expect([first.said.text, first.edited.text]).toEqual(['Mine', 'Ours'])
  })

  test('200: a page of nothing but told edits is empty, and leads to the one before it', async () => {
    const { says, conversation } = await inbox()
    const start = Date.now()
    const { channelMessageId } = await says(text('At 0'), { at: start })
    for (let n = 1; n <= 45; n += 1)
      await says(
        { type: 'edit', edit: { original_message_id: channelMessageId, message: text(`At ${n}`) } },
        { at: start + n },
      )
    const { entries, older } = await conversation()
    expect([entries, older]).toEqual([[], expect.any(String)])
    const before = await conversation(`?before=${older}`)
    expect([before.entries.map(({ edited }: Shown) => edited?.text), before.older]).toEqual([['At 45'], null])
  })

  test('200: the list has the last words as they are now, and no edit or deletion but of what nobody knows', async () => {
    const { says, get } = await inbox()
    const last = async () => (await get('/conversations')).conversations[0].last
    const edit = (id: string, body: string) =>
      says({ type: 'edit', edit: { original_message_id: id, message: { type: 'text', text: { body } } } })
    await edit('wamid.unknown', 'Of what?')
    expect(await last()).toMatchObject({ type: 'edit', words: 'Of what?' })
    const first = await says(text('Can I come at 6?'))
    const second = await says(text('And bring a cake?'))
    await edit(first.channelMessageId, 'Can I come at 7?')
    expect(await last()).toMatchObject({ type: 'text', words: 'And bring a cake?' })
    await edit(second.channelMessageId, 'And bring two?')
    expect(await last()).toMatchObject({ type: 'text', words: 'And bring two?' })
    await says({ type: 'revoke', revoke: { original_message_id: second.channelMessageId } })
    expect(await last()).toMatchObject({ type: 'revoke', words: null })
  })

  test('200: says from which message on nobody has read it, and a deletion is none', async () => {
    const { says, sends, conversation, get, member, place, contactId } = await inbox()
    const unread = async () => {
      const { unread, unreadFrom, entries } = await conversation()
      const isFrom = ({ number }: { number: number | null }) => number !== null && number >= (unreadFrom?.number ?? 1e9)
      return [unread, ...wordsOf(entries.filter(isFrom))]
    }
    const deletes = (id: string) => says({ type: 'revoke', revoke: { original_message_id: id } })
    const first = await says(text('Where is it?'), { at: Date.now() - 5_000 })
    expect(await unread()).toEqual([1, 'Where is it?'])
    expect((await conversation()).unreadFrom.at).toBe(new Date(first.at).toISOString())
    await deletes(first.channelMessageId)
    expect((await unread())[0]).toBe(1)
    await sends('On its way')
    await deletes(first.channelMessageId)
    expect([await unread(), (await get('/conversation-count')).unread]).toEqual([[0], 0])
    await says(text('Thanks'))
    await says(text('And the bill?'))
    expect(await unread()).toEqual([2, 'Thanks', 'And the bill?'])
    const [, , thanks] = (await conversation()).entries
    await member.call(`${place}/contacts/${contactId}/read`, { body: { upTo: thanks.number } })
    expect(await unread()).toEqual([1, 'And the bill?'])
  })

  test('200: says whether the person has asked for no marketing', async () => {
    const { says, conversation, from, tenant } = await inbox()
    await says(text('Hello'))
    const prefers = (value: string, at: number) =>
      gateway.gateway.store.write.keepUpdates({
        channelId: tenant.channelId,
        updates: [
          {
            ...{ kind: 'user_preferences marketing_messages', at, detail: { category: 'marketing_messages', value } },
            ...{ accountId: null, about: { of: 'contact', ...from } },
          },
        ],
        recordedAt: at,
      })
    const before = (await conversation()).noMarketing
    await prefers('stop', 1_000)
    const stopped = (await conversation()).noMarketing
    await prefers('resume', 2_000)
    expect([before, stopped, (await conversation()).noMarketing]).toEqual([false, true, false])
  })

  test('200: says of each line what may be sent from it, and of each message from or to which it went', async () => {
    const { tenant, says, sends, conversation, contactId, get } = await inbox()
    const second = await gateway.addLine({ workspaceId: tenant.workspaceId, channelId: tenant.channelId })
    await gateway.gateway.store.write.changeLine({ lineId: second.id, label: 'Berlin' })
    await says(text('To the first'), { at: Date.now() - 30 * hourMs })
    await says(text('To the second'), { upstreamPhoneId: second.upstreamPhoneId, at: Date.now() - hourMs })
    await sends('From the first', { contactId, phoneNumberId: tenant.line.id })
    const { entries, lines, phoneNumberId } = await conversation()
    expect(entries.map(({ lineId }: { lineId: string }) => lineId)).toEqual([tenant.line.id, second.id, tenant.line.id])
    expect(phoneNumberId).toBe(second.id)
    expect(lines).toMatchObject([
      { id: tenant.line.id, number: tenant.line.number, label: null, active: true },
      { id: second.id, number: second.number, label: 'Berlin', active: true },
    ])
    expect(Date.parse(lines[0].windowEndsAt)).toBeLessThan(Date.now())
    expect(Date.parse(lines[1].windowEndsAt)).toBeGreaterThan(Date.now())
    const listed = async (line: string) => (await get(`/conversations?line=${line}`)).conversations.length
    expect([await listed(tenant.line.id), await listed(second.id), await listed('line_0')]).toEqual([0, 1, 0])
  })

  test('200: says of a line that it is not known whether its window is open, where more was written elsewhere', async () => {
    const { tenant, says, conversation } = await inbox()
    const second = await gateway.addLine({ workspaceId: tenant.workspaceId, channelId: tenant.channelId })
    const start = Date.now()
    const known = async () =>
      (await conversation()).lines.map(({ isWindowKnown, windowEndsAt }: Record<string, unknown>) => [
        isWindowKnown,
        windowEndsAt !== null,
      ])
    const far = { upstreamPhoneId: second.upstreamPhoneId }
    await says(text('To the second'), { ...far, at: start - hourMs })
    for (let n = 1; n < timesMax; n += 1) await says(text(`${n}`), { at: start - 25 * hourMs })
    expect(await known()).toEqual([
      [true, true],
      [true, true],
    ])
    for (let n = 0; n < timesMax - 1; n += 1) await says(text(`${n}`), { at: start - hourMs / 2 })
    expect(await known()).toEqual([
      [true, true],
      [true, true],
    ])
    await says(text('The last'), { at: start - hourMs / 2 })
    expect(await known()).toEqual([
      [true, true],
      [false, false],
    ])
  })

  test('200: says until when everything may be sent, and since when not', async () => {
    const { says, conversation } = await inbox()
    await says(text('Long ago'), { at: Date.now() - 30 * hourMs })
    const endsAt = async () => Date.parse((await conversation()).lines[0].windowEndsAt)
    expect(await endsAt()).toBeLessThan(Date.now() - 5 * hourMs)
    await says(text('Just now'))
    await says(text('Answered'), { kind: 'smb_message_echoes text', at: Date.now() + hourMs })
    const rest = (await endsAt()) - Date.now()
    expect(rest).toBeWithin(23 * hourMs, 24 * hourMs)
  })
})

describe('files', () => {
  test('200: are shown where that is safe, by what their bytes are and not by what they are called', async () => {
    const tenant = await gateway.addWorkspace()
    const viewer = await addPerson(gateway, 'viewer', tenant.workspaceId)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const html = Buffer.from('<html><script>alert(1)</script></html>')
    const sent = [
      [picture(), 'image', {}, 'image'],
      [svg, 'image', { mime_type: 'image/svg+xml' }, null],
      [html, 'image', { mime_type: 'image/png' }, null],
      [html, 'document', { mime_type: 'text/html', filename: 'a.html' }, null],
      [Buffer.from('OggS and more'), 'audio', { mime_type: 'audio/ogg; codecs=opus', voice: true }, 'audio'],
      [Buffer.from('%PDF-1.7'), 'document', { mime_type: 'application/pdf' }, null],
    ] as const
    const media = async () => {
      const [contact] = await gateway.gateway.store.read.contacts({ workspaceId: tenant.workspaceId, limit: 1 })
      const path = `/api/v1/workspaces/${tenant.workspaceId}/contacts/${contact?.id}/conversation`
      const { entries } = (await viewer.call(path)).json
      return entries.map(({ said }: { said: { files: object[] } }) => said.files[0])
    }
    for (const [bytes, type, fields] of sent) await userSends({ ...gateway, ...tenant }, { bytes, type, fields })
    expect(await media()).toMatchObject(sent.map(() => ({ state: 'pending' })))
    for (const _ of sent) await keepFiles(gateway)
    expect(await media()).toMatchObject(sent.map(([, , , shownAs]) => ({ state: 'stored', shownAs })))
  })
})

describe('what nobody has read', () => {
  const unreadOf = async (person: Person, place: string) =>
    (await person.call(`${place}/conversation-count`)).json.unread

  test('200: is read by who opens it as a member, up to what was shown, and by no viewer', async () => {
    const { says, conversation, get, member, place, contactId, tenant } = await inbox()
    const viewer = await addPerson(gateway, 'viewer', tenant.workspaceId)
    await says(text('One'))
    await says(text('Two'))
    const { upTo, unread } = await conversation()
    expect([unread, await unreadOf(viewer, place)]).toEqual([2, 1])
    await says(text('Three'))
    const read = (person: Person) => person.call(`${place}/contacts/${contactId}/read`, { body: { upTo } })
    expect((await read(viewer)).status).toBe(403)
    expect((await conversation()).unread).toBe(3)
    expect((await read(member)).json).toEqual({ wasUnread: true })
    expect((await read(member)).json).toEqual({ wasUnread: false })
    expect([(await conversation()).unread, await unreadOf(viewer, place)]).toEqual([1, 1])
    await member.call(`${place}/contacts/${contactId}/read`, { body: { upTo: (await conversation()).upTo } })
    await says(text('On my way'), { kind: 'smb_message_echoes text' })
    expect([await unreadOf(viewer, place), (await get('/conversations?unread=true')).conversations]).toEqual([0, []])
    const audited = await gateway.gateway.store.read.auditEntries({ workspaceId: tenant.workspaceId, limit: 50 })
    expect(audited.filter(({ subject }) => subject === contactId)).toEqual([])
  })

  test('200: is read by a send with a key, too', async () => {
    const { says, sends, get, conversation } = await inbox()
    await says(text('One'), { at: Date.now() - 60_000 })
    await says(text('Two'), { at: Date.now() - 60_000 })
    expect(await get('/conversation-count')).toMatchObject({ unread: 1, isMore: false, open: 1, mine: 0, free: 1 })
    await sends('Answered')
    expect([await get('/conversation-count'), (await conversation()).unread]).toMatchObject([{ unread: 0, open: 1 }, 0])
    expect((await get('/conversations?unread=true')).conversations).toEqual([])
  })

  test('200: stays unread, and in the list, whatever template a key sends, until somebody answers', async () => {
    const { says, sends, get, conversation, tenant, from } = await inbox()
    const components = JSON.stringify([{ type: 'BODY', text: 'Everything must go.' }])
    const recordedAt = Date.now()
    const offer = template({ id: `tpl_i${ids}`, channelId: tenant.channelId, name: 'offer', components })
    const listing = { channelId: tenant.channelId, at: recordedAt, recordedAt, templates: [offer] }
    await gateway.gateway.store.write.replaceTemplates(listing)
    const { at, channelMessageId } = await says(text('Where is my order?'), { at: Date.now() - 60_000 })
    const sendOffer = async () => {
      const body = { type: 'template', templateName: 'offer', templateVariables: {}, phone: from.phone }
      expect(await gateway.send(body, { ...tenant.key })).toMatchObject({ status: 201 })
    }
    const row = async () => {
      const { unread, last } = (await get('/conversations')).conversations[0]
      return [unread, last.isOurs, last.words, Date.parse(last.at)]
    }
    await sendOffer()
    expect([await row(), (await conversation()).unread]).toEqual([[1, false, 'Where is my order?', at], 1])
    expect([
      (await get('/conversation-count')).unread,
      (await get('/conversations?unread=true')).conversations,
    ]).toEqual([1, [expect.anything()]])
    // Nor is what the person has changed since.
    const edit = { original_message_id: channelMessageId, message: text('Where is my cake?') }
    await says({ type: 'edit', edit })
    expect(await row()).toEqual([2, false, 'Where is my cake?', at])
    await sends('On its way')
    expect(await row()).toEqual([0, true, 'On its way', expect.any(Number)])
    await sendOffer()
    expect(await row()).toEqual([0, true, 'On its way', expect.any(Number)])
  })

  test('200: the row shows an answer that failed, and one from another line; the words stay unread', async () => {
    const { tenant, says, sends, get, contactId } = await inbox()
    const second = await gateway.addLine({ workspaceId: tenant.workspaceId, channelId: tenant.channelId })
    await says(text('Where is my order?'), { at: Date.now() - 60_000 })
    const row = async () => {
      const { unread, last } = (await get('/conversations')).conversations[0]
      return [unread, last.isOurs, last.words, last.status]
    }
    gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'Message undeliverable' })
    await sends('On its way', { contactId, phoneNumberId: tenant.line.id })
    expect(await row()).toEqual([1, true, 'On its way', 'FAILED'])
    gateway.upstream.answer = accept
    await sends('From Paris', { contactId, phoneNumberId: second.id })
    expect(await row()).toEqual([1, true, 'From Paris', 'SENT'])
  })

  test('200: is marked as unread by a member, also when it was answered, and by no viewer', async () => {
    const { says, sends, conversation, get, member, place, contactId, tenant } = await inbox()
    const viewer = await addPerson(gateway, 'viewer', tenant.workspaceId)
    await says(text('Where?'), { at: Date.now() - 60_000 })
    await sends('Here')
    const { upTo, unread } = await conversation()
    expect(unread).toBe(0)
    const mark = (person: Person) => person.call(`${place}/contacts/${contactId}/unread`, { body: { upTo } })
    expect((await mark(viewer)).status).toBe(403)
    expect([(await mark(member)).json, (await conversation()).unread]).toEqual([{ wasChanged: true }, 1])
    expect([await unreadOf(viewer, place), (await get('/conversations?unread=true')).conversations.length]).toEqual([
      1, 1,
    ])
    const elsewhere = `/api/v1/workspaces/${gateway.workspaceId}/contacts/${contactId}/unread`
    expect((await member.call(elsewhere, { body: { upTo } })).status).toBe(404)
  })

  test('200: conversations are found by half a name or a part of the number, a page at a time', async () => {
    const { says, get, from } = await inbox()
    const people = ['Grace Hopper', 'Ada Yonath', 'Émilie Noether'].map((name, n) => ({
      ...{ phone: `+491579990${ids}${n}`, userId: null, name, newContactId: `contact_${ids}.${n}` },
    }))
    for (const person of people) await says(text(person.name), { from: person })
    await says(text('Last'))
    const names = async (query: string) =>
      (await get(`/conversations?${query}`)).conversations.map(
        ({ contact }: { contact: { name: string } }) => contact.name,
      )
    expect(await names('')).toEqual(['Ada Lovelace', 'Émilie Noether', 'Ada Yonath', 'Grace Hopper'])
    expect(await names('q=yona')).toEqual(['Ada Yonath'])
    expect(await names(`q=${encodeURIComponent('ÉMIL')}`)).toEqual(['Émilie Noether'])
    expect(await names(`q=${from.phone.slice(-5)}`)).toEqual(['Ada Lovelace'])
    const { next } = await get('/conversations?limit=3')
    expect(await names(`limit=3&cursor=${next}`)).toEqual(['Grace Hopper'])
    expect((await get('/conversations')).next).toBeNull()
  })
})

/** The signs that the events of a workspace bring, from now on. */
async function signsOf({ accessToken }: Person, place: string) {
  const connection = new AbortController()
  const headers = { authorization: `Bearer ${accessToken}` }
  const { body } = await fetch(`${gateway.url}${place}/events`, { headers, signal: connection.signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  await reader?.read()
  const signs: object[] = []
  return {
    async next(count: number): Promise<object[]> {
      while (signs.length < count) signs.push(...JSON.parse((await reader?.read())?.value?.data ?? '').signs)
      return signs.splice(0, count)
    },
    close: () => connection.abort(),
  }
}

describe('how conversations are sorted', () => {
  test('200: one is given to who may answer; who gets it and who loses it is told, as is who writes', async () => {
    const { says, get, member, place, contactId, tenant } = await inbox()
    const [other, admin, viewer] = await Promise.all(
      (['member', 'admin', 'viewer'] as const).map(role => addPerson(gateway, role, tenant.workspaceId)),
    )
    if (!other || !admin || !viewer) throw new Error('not all have joined')
    await says(text('Help'))
    const path = `${place}/contacts/${contactId}`
    const give = (by: Person, takenBy: string, insteadOf: string | null) =>
      by.call(`${path}/conversation/taker`, { body: { takenBy, insteadOf } })
    const signs = await signsOf(viewer, place)
    expect((await give(member, viewer.id, null)).json.details.issues).toMatchObject([{ path: '/takenBy' }])
    expect((await give(viewer, other.id, null)).status).toBe(403)
    expect((await give(member, other.id, null)).json).toEqual({ wasChanged: true })
    expect((await get('/conversations')).conversations).toMatchObject([{ takenBy: { userId: other.id } }])
    await give(admin, member.id, other.id)
    await member.call(`${path}/writing`, { method: 'POST' })
    const by = ({ id: userId, email: name }: Person) => ({ contactId, by: { userId, name } })
    expect(await signs.next(4)).toEqual([
      { kind: 'given', to: other.id, ...by(member) },
      { kind: 'given', to: member.id, ...by(admin) },
      { kind: 'takenOver', to: other.id, ...by(admin) },
      { kind: 'writing', to: null, ...by(member) },
    ])
    signs.close()
    const [, latest] = await gateway.gateway.store.read.auditEntries({ workspaceId: tenant.workspaceId, limit: 2 })
    const given = { action: 'conversation.give', actor: `console:${member.email}` }
    expect(latest).toMatchObject({ ...given, changes: { takenBy: [null, other.email] } })
  })

  test('200: a member takes one, and marks it as done; the audit says who, and a word of the person opens it', async () => {
    const { says, conversation, get, member, place, contactId, tenant } = await inbox()
    const other = await addPerson(gateway, 'member', tenant.workspaceId)
    const namesIn = async (show: string) => (await get(`/conversations?show=${show}`)).conversations.length
    const lists = async () => Promise.all(['open', 'mine', 'free', 'done'].map(namesIn))
    const take = (person: Person, takenBy: string | null, insteadOf: string | null) =>
      person.call(`${place}/contacts/${contactId}/conversation/taker`, { body: { takenBy, insteadOf } })
    const state = (doneUpTo: number | null) =>
      member.call(`${place}/contacts/${contactId}/conversation/state`, { body: { doneUpTo } })
    await says(text('Help'))
    expect(await lists()).toEqual([1, 0, 1, 0])
    expect((await take(member, member.id, null)).json).toEqual({ wasChanged: true })
    expect((await take(other, other.id, null)).json).toMatchObject({ error: 'CONFLICT' })
    expect(await lists()).toEqual([1, 1, 0, 0])
    const { upTo, takenBy, isDone } = await conversation()
    expect([isDone, takenBy]).toEqual([false, { userId: member.id, name: expect.any(String) }])
    await says(text('And more'))
    expect((await state(upTo)).json).toEqual({ wasChanged: false })
    expect((await state((await conversation()).upTo)).json).toEqual({ wasChanged: true })
    expect(await lists()).toEqual([0, 0, 0, 1])
    await says(text('Again'))
    expect(await lists()).toEqual([1, 0, 1, 0])
    await state((await conversation()).upTo)
    expect((await state(null)).json).toEqual({ wasChanged: true })
    await take(other, other.id, null)
    expect((await take(member, null, other.id)).json).toEqual({ wasChanged: true })
    const entries = await gateway.gateway.store.read.auditEntries({ workspaceId: tenant.workspaceId, limit: 50 })
    const about = entries.filter(({ subject }) => subject === contactId)
    expect(about.map(({ action, actor }) => [action, actor]).reverse()).toEqual([
      ['conversation.take', `console:${member.email}`],
      ['conversation.finish', `console:${member.email}`],
      ['conversation.finish', `console:${member.email}`],
      ['conversation.reopen', `console:${member.email}`],
      ['conversation.take', `console:${other.email}`],
      ['conversation.give-back', `console:${member.email}`],
    ])
  })
})
