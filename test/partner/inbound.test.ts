import { beforeAll, describe, expect, test } from 'bun:test'
import { numberedId } from '../../src/base/ids.ts'
import { forgetContact } from '../../src/operations/erasure.ts'
import { noPosition } from '../../src/reading/cursor.ts'
import { inbound } from '../db/fixtures.ts'
import { sharedFixture } from '../fixture.ts'
import { type Key, startTestGateway, type Tenant, type TestGateway } from '../gateway.ts'
import { wamid } from '../message/wamids.ts'
import { timestamp } from '../timestamp.ts'
import { phone, sentAt, userWrites } from './inboundMessages.ts'

let other: Tenant
let second: TestGateway['line']
const gateway = sharedFixture(startTestGateway)
beforeAll(async () => {
  other = await gateway.addWorkspace()
  second = await gateway.addLine()
  const { channelId } = gateway
  await userWrites(gateway, gateway, { context: { from: '15550783881', id: 'wamid.question' } })
  await userWrites(gateway, gateway, { to: phone.slice(1), text: { body: 'Ours' } }, 'smb_message_echoes')
  await userWrites(gateway, { channelId, line: second }, { type: 'image', image: { id: '7', caption: 'Look' } })
  await userWrites(gateway, gateway, { from: '4915199999999', type: 'poll', poll: { question: 'When?' } })
  await userWrites(gateway, other, { text: { body: 'Elsewhere' } })
})

interface Shown {
  readonly id: string
  readonly text: string
  readonly contactId: string
}
const get = (rest = '', key?: Key) => gateway.get(`/api/v1/public/inbound${rest}`, key)
const listed = async (query = '', key?: Key): Promise<Shown[]> => {
  const { status, json, text } = await get(query, key)
  expect(`${status} ${text}`).toStartWith('200 ')
  return json.data
}
const texts = async (query = '', key?: Key) => (await listed(query, key)).map(({ text }) => text)
const all = ['Hello', '(image) Look', '(poll)']

describe('200: the list', () => {
  test('has what users sent, oldest first, and nothing that the business wrote in the app', async () => {
    const { json } = await get()
    expect(Object.keys(json)).toEqual(['success', 'data', 'next'])
    expect([json.success, json.data.map(({ text }: Shown) => text)]).toEqual([true, all])
    // As in every list, it is where to go on.
    expect(json.next).toBe(json.data.at(-1).id)
    expect(json.data[0]).toEqual({
      id: expect.stringMatching(/^inb_[0-9a-z]{26}$/),
      contactId: expect.stringMatching(/^contact_/),
      phone,
      userId: null,
      name: 'Ada',
      username: null,
      lineId: gateway.line.id,
      groupId: null,
      type: 'text',
      text: 'Hello',
      media: null,
      replyTo: { channelMessageId: 'wamid.question', author: '15550783881', product: null },
      forwarded: false,
      frequentlyForwarded: false,
      edited: null,
      deleted: null,
      referral: null,
      contentState: 'whole',
      channelMessageId: expect.stringMatching(/^wamid\.in/),
      sentAt: new Date(sentAt * 1_000).toISOString(),
      receivedAt: timestamp,
    })
    expect(json.data[1]).toMatchObject({ type: 'image', lineId: second.id, image: { id: '7', caption: 'Look' } })
  })

  test('goes on by next, a page at a time, and by the last id that was seen', async () => {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await get(`?limit=2${cursor && `&after=${cursor}`}`)
      seen.push(json.data.map(({ text }: Shown) => text).join())
      cursor = json.next === cursor ? null : json.next
    }
    expect(seen).toEqual(['Hello,(image) Look', '(poll)', ''])
    const ids = (await listed()).map(({ id }) => id)
    expect(ids).toEqual([...ids].sort())
    expect(await texts(`?after=${ids[0]}`)).toEqual(all.slice(1))
    expect(await texts(`?after=${ids.at(-1)}`)).toEqual([])
  })

  test('is filtered by contact, by line, and by both', async () => {
    const [first] = await listed()
    expect(await texts(`?contactId=${first?.contactId}`)).toEqual(['Hello', '(image) Look'])
    expect(await texts(`?lineId=${second.id}`)).toEqual(['(image) Look'])
    expect(await texts(`?lineId=${second.id}&contactId=${first?.contactId}`)).toEqual(['(image) Look'])
  })

  test('is that of the key’s workspace alone', async () => {
    expect(await texts('', other.key)).toEqual(['Elsewhere'])
    const { key } = await gateway.addWorkspace()
    expect((await get('', key)).json).toEqual({ success: true, data: [], next: null })
  })

  test('the id of a contact that was merged finds what the person sent', async () => {
    const { channelId, line, workspaceId, key } = await gateway.addWorkspace()
    const { write, read } = gateway.gateway.store
    const { upstreamPhoneId } = line
    const one = { phone: null, userId: 'DE.7', name: 'Grace', newContactId: 'contact_user' }
    const same = { phone: '+4915177777777', userId: null, name: null, newContactId: 'contact_phone' }
    const both = { ...same, userId: 'DE.7', newContactId: 'contact_none' }
    for (const [n, from] of [one, same, both].entries()) {
      const messages = [inbound({ channelMessageId: `wamid.merge${n}`, from, at: sentAt + n, upstreamPhoneId })]
      await write.recordInbound({ channelId, messages, recordedAt: Date.now() })
    }
    expect(await read.contacts({ workspaceId, limit: 5 })).toHaveLength(1)
    for (const id of ['contact_user', 'contact_phone']) expect(await listed(`?contactId=${id}`, key)).toHaveLength(3)
  })

  test('with raw=true each has the original', async () => {
    const { json } = await get('?raw=true&limit=1')
    expect(json.data[0].raw).toMatchObject({ type: 'text', text: { body: 'Hello' }, from: phone.slice(1) })
    for (const query of ['?raw=false&limit=1', '?limit=1'])
      expect((await get(query)).json.data[0]).not.toHaveProperty('raw')
  })

  test.each([
    ['@ada.lovelace', 'ada.lovelace'],
    ['ada.lovelace', 'ada.lovelace'],
    ['a'.repeat(100), 'a'.repeat(100)],
    ['a'.repeat(101), null],
    ['@', null],
    [7, null],
  ])('a user whose number is hidden is recognised by the username: %p is %p', async (said, username) => {
    const { channelId, line, key } = await gateway.addWorkspace()
    const [hidden, where] = [{ from_user_id: 'US.1' }, { channelId, line }] as const
    await userWrites(gateway, where, hidden, 'messages', { name: 'Ada', username: said })
    const [message] = await listed('', key)
    expect(message).toMatchObject({ phone: null, userId: 'US.1', name: 'Ada', username })
    expect((await get(`/${message?.id}`, key)).json.data).toEqual(message)
    const events = await gateway.get('/api/v1/public/events?type=message.received', key)
    expect(events.json.data[0].data.inbound).toEqual(message)
    const contact = await gateway.get(`/api/v1/public/contacts/${message?.contactId}`, key)
    expect(contact.json.data).toMatchObject({ phone: null, userId: 'US.1', username })
    await userWrites(gateway, where, hidden, 'messages', { name: 'Ada' })
    expect((await listed('', key))[0]).toMatchObject({ userId: 'US.1', username: null })
  })

  test.each([
    ['a text', {}],
    ['a text that is too long to be kept', { text: { body: 'x'.repeat(70_000) } }],
  ])('what was written in a group names it, and opens no window to the user alone: %s', async (_, fields) => {
    const { channelId, line, key } = await gateway.addWorkspace()
    await userWrites(gateway, { channelId, line }, { ...fields, group_id: 'Y2FwaV9ncm91cDo' })
    const [message] = await listed('', key)
    expect(message).toMatchObject({ type: 'text', groupId: 'Y2FwaV9ncm91cDo' })
    const { json } = await gateway.get(`/api/v1/public/contacts/${message?.contactId}`, key)
    expect(json.data.window.open).toBe(false)
  })

  test('what is nested too deeply is cut off, and the message is kept', async () => {
    const { channelId, line, key } = await gateway.addWorkspace()
    const deep = JSON.parse(`${'['.repeat(1_000)}7${']'.repeat(1_000)}`)
    await userWrites(gateway, { channelId, line }, { text: { body: 'Hello', more: deep } })
    const [message] = (await get('?raw=true', key)).json.data
    expect(message).toMatchObject({ text: 'Hello', contentState: 'whole' })
    expect(JSON.stringify(message.raw)).toContain('["(nested too deeply)"]')
  })

  test('what is not kept any more has no text', async () => {
    const { channelId, line, key } = await gateway.addWorkspace()
    await userWrites(gateway, { channelId, line }, {})
    await gateway.gateway.store.write.pruneInboundContents({ recordedBefore: 0, limit: 10 })
    const [{ contactId } = { contactId: '' }] = await listed('', key)
    await forgetContact({ ...gateway.gateway.store, workspaceId: null }, contactId)
    const [forgotten] = (await get('?raw=true', key)).json.data
    expect(forgotten).toMatchObject({ text: null, userId: null, contentState: 'dropped', raw: null })
    expect(forgotten.channelMessageId).toStartWith('sha256:')
  })
})

describe('200: what a user has deleted', () => {
  test('is as it was, or has no content, as the workspace says, and tells of the deletion', async () => {
    const { channelId, line, key, workspaceId } = await gateway.addWorkspace()
    const { channelMessageId: id } = await userWrites(gateway, { channelId, line }, { text: { body: 'my card: 4111' } })
    const message = { type: 'text', text: { body: 'my card: 4222' } }
    const edit = { original_message_id: id, message }
    await userWrites(gateway, { channelId, line }, { type: 'edit', edit })
    const long = { ...message, text: { body: `my card: 4333 ${'x'.repeat(70_000)}` } }
    await userWrites(gateway, { channelId, line }, { type: 'edit', edit: { ...edit, message: long } })
    await userWrites(gateway, { channelId, line }, { type: 'revoke', revoke: { original_message_id: id } })
    const everywhere = async () => {
      const list = await get('?raw=true', key)
      const ones = await Promise.all(list.json.data.map((one: Shown) => get(`/${one.id}?raw=true`, key)))
      const events = await gateway.get('/api/v1/public/events', key)
      return { list, texts: [list, events, ...ones].map(({ text }) => text) }
    }
    expect((await everywhere()).texts.every(text => /4111|4222|4333|revoke/.test(text))).toBe(true)
    await gateway.gateway.store.write.setDeletedMessages({ workspaceId, deletedMessages: 'hide' })
    const { list, texts } = await everywhere()
    expect(texts.filter(text => /4111|4222|4333/.test(text))).toEqual([])
    const [original, edited, cut, deletion] = list.json.data
    const gone = { text: null, contentState: 'dropped', raw: null }
    expect(original).toMatchObject({ ...gone, edited: null, deleted: { id: deletion.id } })
    for (const one of [edited, cut]) expect(one).toMatchObject({ ...gone, type: 'edit' })
    expect(deletion).toMatchObject({ type: 'revoke', revoke: { originalMessageId: id } })
  })
})

describe('200: one message', () => {
  test('is the same as in the list, with the original when it is asked for', async () => {
    for (const message of await listed()) {
      expect((await get(`/${message.id}`)).json).toEqual({ success: true, data: message })
      const { data } = (await get(`/${message.id}?raw=true`)).json
      expect(data).toEqual({ ...message, raw: expect.objectContaining({ from: expect.any(String) }) })
    }
  })
})

describe('404 NOT_FOUND', () => {
  test('unknown ids of every shape, a message of another workspace and one of the business are answered alike', async () => {
    const [first] = await listed()
    const [foreign] = await listed('', other.key)
    const id = first?.id ?? ''
    // The echo came right after the first.
    const echo = `${id.slice(0, 13)}${'0123456789abcdefghjkmnpqrstvwxyz'['0123456789abcdefghjkmnpqrstvwxyz'.indexOf(id[13] ?? '') + 1]}${id.slice(14)}`
    const unknown = await get('/inb_1')
    expect([unknown.status, unknown.json]).toEqual([
      404,
      { error: 'NOT_FOUND', message: 'No message of a user has this id.' },
    ])
    const ids = [
      echo,
      foreign?.id ?? '',
      id.toUpperCase(),
      id.slice(0, -1),
      `${id}0`,
      id.replace('inb_', 'evt_'),
      'wamid.in1',
      `${id}%00`,
      '%27--',
      '%E0%A4%A',
      'x'.repeat(2_000),
    ]
    for (const each of ids) {
      const answer = await get(`/${each}`)
      expect(`${each.slice(0, 40)} ${answer.status} ${answer.text}`).toBe(`${each.slice(0, 40)} 404 ${unknown.text}`)
    }
  })

  test('an unknown contact, and one of another workspace, is no filter', async () => {
    const [foreign] = await listed('', other.key)
    for (const id of ['contact_none', foreign?.contactId]) {
      const { status, json } = await get(`?contactId=${id}`)
      expect([status, json]).toEqual([
        404,
        { error: 'NOT_FOUND', message: 'contactId names no contact of this workspace.' },
      ])
    }
  })
})

describe('400', () => {
  test('PHONE_NUMBER_NOT_FOUND: an unknown line, and one of another workspace', async () => {
    for (const id of ['line_none', other.line.id, gateway.line.upstreamPhoneId]) {
      const { status, json } = await get(`?lineId=${id}`)
      expect([status, json]).toEqual([
        400,
        { error: 'PHONE_NUMBER_NOT_FOUND', message: 'lineId names no line of this workspace.' },
      ])
    }
  })

  test('VALIDATION_ERROR: a cursor of another workspace, or none', async () => {
    const [foreign] = await listed('', other.key)
    const [own] = await listed()
    const cursors = [
      foreign?.id,
      own?.id.replace('inb_', 'evt_'),
      own?.id.slice(0, -1),
      numberedId('inb', gateway.workspaceId, 9_999),
      'wamid.in1',
      '1',
      '%00',
      'inb_',
    ]
    for (const cursor of cursors) {
      const { status, json } = await get(`?after=${cursor}`)
      expect([cursor, status, json.details]).toEqual([cursor, 400, { issues: [noPosition] }])
    }
  })

  test.each([
    ['?limit=0', ['/limit']],
    ['?limit=1.5', ['/limit']],
    ['?limit=1e1', ['/limit']],
    ['?limit=101', ['/limit']],
    ['?limit=', ['/limit']],
    ['?limit=ten', ['/limit']],
    ['?limit=1&limit=2', ['/limit']],
    ['?raw=yes', ['/raw']],
    ['?after=', ['/after']],
    [`?after=${'1'.repeat(5_000)}`, ['/after']],
    ['?contactId=', ['/contactId']],
    ['?lineId=a&lineId=b', ['/lineId']],
    ['?limit=0&raw=2&after=', ['/limit', '/raw', '/after']],
  ])('VALIDATION_ERROR: %s', async (query, paths) => {
    const { status, json } = await get(query)
    expect([status, json.error]).toEqual([400, 'VALIDATION_ERROR'])
    const named: string[] = json.details.issues.map(({ path }: { path: string }) => path)
    expect([...new Set(named)].sort()).toEqual([...paths].sort())
  })

  test('VALIDATION_ERROR: raw of one message that is no flag', async () => {
    const [own] = await listed()
    expect((await get(`/${own?.id}?raw=1x`)).json.details.issues.map(({ path }: { path: string }) => path)).toEqual([
      '/raw',
    ])
  })
})

test('401 UNAUTHORIZED: without a key', async () => {
  const [own] = await listed()
  for (const rest of ['', `/${own?.id}`]) expect((await get(rest, { apiKey: '', apiSecret: '' })).status).toBe(401)
})

test('200: a message tells that it was edited and deleted; each change names it by the id that it has', async () => {
  const own = await gateway.addWorkspace()
  const from = { from: '4915177777777' }
  const id = (peer: string, token: string) => wamid(peer, `${token}00000000`, 'user')
  const originals = (peer: string) => ({ original_message_id: id(peer, '1') })
  const edited = { ...originals('DE.1'), message: { type: 'text', text: { body: 'at 6' } } }
  await userWrites(gateway, own, { ...from, id: id('4915177777777', '2'), type: 'edit', edit: edited })
  await userWrites(gateway, own, { ...from, id: id('4915177777777', '1'), text: { body: 'at 5' }, type: 'text' })
  await userWrites(gateway, own, { ...from, type: 'revoke', revoke: originals('49015177777777') })
  const [edit, original, revoke] = (await get('?raw=true', own.key)).json.data
  const at = new Date(sentAt * 1_000).toISOString()
  expect(original).toMatchObject({
    ...{ text: 'at 5', channelMessageId: id('4915177777777', '1') },
    ...{ edited: { id: edit.id, sentAt: at, text: 'at 6' }, deleted: { id: revoke.id, sentAt: at } },
  })
  expect([edit.edited, edit.deleted, revoke.edited, revoke.deleted]).toEqual([null, null, null, null])
  expect(edit.edit.originalMessageId).toBe(original.channelMessageId)
  expect(revoke.revoke.originalMessageId).toBe(original.channelMessageId)
  expect(edit.raw.edit.original_message_id).toBe(id('DE.1', '1'))
  expect((await get(`/${original.id}`, own.key)).json.data).toMatchObject({
    edited: original.edited,
    deleted: original.deleted,
  })
})
