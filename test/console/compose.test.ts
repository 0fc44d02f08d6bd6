import { beforeEach, describe, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { inbound, template } from '../db/fixtures.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { picture } from '../media/incoming/user.ts'
import { accept, graphError, type Received } from '../upstream.ts'
import { addPerson } from './people.ts'

const gateway = sharedFixture(startTestGateway)
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = (request: Received) =>
    request.path.endsWith('/media') ? Response.json({ id: '71' }) : accept(request)
})

let ids = 0

interface Listed {
  readonly contact: { readonly name: string }
  readonly last: { readonly isOurs: boolean }
}

/** A workspace of its own, with a member and a person who wrote so long ago: before whatever is sent. */
async function conversation(agoMs = 1_000) {
  const tenant = await gateway.addWorkspace()
  const member = await addPerson(gateway, 'member', tenant.workspaceId)
  ids += 1
  const contactId = `contact_c${ids}`
  const from = { phone: `+491511239${1000 + ids}`, userId: null, name: 'Ada Lovelace', newContactId: contactId }
  const channelMessageId = `wamid.compose${ids}`
  const at = Date.now() - agoMs
  const said = inbound({
    ...{
      channelMessageId,
      kind: 'text',
      at,
      from,
      content: JSON.stringify({ type: 'text', text: { body: 'Hello?' } }),
    },
    upstreamPhoneId: tenant.line.upstreamPhoneId,
  })
  const { write } = gateway.gateway.store
  await write.recordInbound({ channelId: tenant.channelId, messages: [said], recordedAt: at })
  const place = `/api/v1/workspaces/${tenant.workspaceId}`
  return {
    ...{ tenant, member, contactId, place, channelMessageId },
    writes: (idempotencyKey: string, message: object, path = `${place}/contacts/${contactId}/messages`) =>
      member.call(path, { body: { idempotencyKey, phoneNumberId: tenant.line.id, message } }),
    read: async () => (await member.call(`${place}/contacts/${contactId}/conversation`)).json,
    async uploads(bytes: Uint8Array<ArrayBuffer>, name = 'parcel.png') {
      const form = new FormData()
      form.append('file', new File([bytes], name))
      const headers = { authorization: `Bearer ${member.accessToken}` }
      const response = await fetch(`${gateway.url}${place}/media`, { method: 'POST', headers, body: form })
      return { status: response.status, json: JSON.parse(await response.text()) }
    },
  }
}

const sends = () => gateway.upstream.received.filter(({ path }) => path.endsWith('/messages')).map(({ json }) => json)

describe('POST contacts/:contactId/messages', () => {
  test('201: a reply goes out as one of a partner, and audit and conversation say who wrote it', async () => {
    const { writes, read, member, tenant, channelMessageId } = await conversation()
    const reply = { type: 'text', content: 'On its way. 🚚', replyTo: channelMessageId }
    const { status, json } = await writes('draft 1', reply)
    expect([status, json]).toEqual([201, { messageId: expect.any(String), status: 'SENT', isReplay: false }])
    expect(sends()).toMatchObject([{ text: { body: reply.content }, context: { message_id: channelMessageId } }])
    const { entries, phoneNumberId } = await read()
    expect(phoneNumberId).toBe(tenant.line.id)
    expect(entries.at(-1)).toMatchObject({
      ...{ id: json.messageId, quoted: { channelMessageId, words: 'Hello?' } },
      sent: { status: 'SENT', by: { kind: 'member', id: member.id, name: member.email } },
    })
    const [entry] = await gateway.gateway.store.read.auditEntries({ subject: json.messageId, limit: 1 })
    expect(entry).toMatchObject({ action: 'message.send', actor: `console:${member.email}` })
  })

  test('201: the conversation comes first, and begins where the person never wrote', async () => {
    const { tenant, member, place, contactId, writes } = await conversation()
    const { write } = gateway.gateway.store
    const listing = { channelId: tenant.channelId, at: Date.now(), recordedAt: Date.now() }
    const offer = template({ id: `tpl_begin_${contactId}`, channelId: tenant.channelId, name: 'offer' })
    await write.replaceTemplates({ ...listing, templates: [offer] })
    const added = await member.call(`${place}/contacts`, { body: { name: 'Joan', phone: '+4915112399' } })
    const rows = async () => {
      const { conversations } = (await member.call(`${place}/conversations?show=open`)).json
      return conversations.map(({ contact, last }: Listed) => [contact.name, last.isOurs])
    }
    const body = { type: 'template', templateName: 'offer', templateVariables: {} }
    expect(await gateway.send({ ...body, phone: '+4915112399' }, { ...tenant.key })).toMatchObject({ status: 201 })
    expect(await rows()).toEqual([['Ada Lovelace', false]])
    const joan = `${place}/contacts/${added.json.contact.id}/messages`
    expect(await writes('begin', body, joan)).toMatchObject({ status: 201 })
    expect(await rows()).toEqual([
      ['Joan', true],
      ['Ada Lovelace', false],
    ])
    await writes('answer', { type: 'text', content: 'On its way' })
    expect(await rows()).toEqual([
      ['Ada Lovelace', true],
      ['Joan', true],
    ])
  })

  test('200: who wrote is named wherever the message is shown, also a removed member and a revoked key', async () => {
    const { writes, read, member, tenant, place, contactId } = await conversation()
    const { write } = gateway.gateway.store
    const owner = await addPerson(gateway, 'owner', tenant.workspaceId)
    const made = (await owner.call(`${place}/api-keys`, { body: { label: 'Shop backend' } })).json
    await write.renameUser({ userId: member.id, name: 'Ann', at: Date.now() })
    const own = await writes('own', { type: 'text', content: 'From Ann' })
    const { json: answer } = await gateway.send(
      { type: 'text', contactId, content: 'From a program' },
      { apiKey: made.apiKey, apiSecret: made.apiSecret },
    )
    const get = async (path: string) => owner.call(`${place}${path}`)
    const [ann, program] = [
      { kind: 'member', id: member.id, name: 'Ann' },
      { kind: 'key', id: made.apiKey, name: 'Shop backend' },
    ]
    const told = async () => ({
      thread: (await read()).entries.slice(-2).map(({ sent }: { sent: { by: object } }) => sent.by),
      row: (await get('/conversations')).json.conversations[0].last.by,
      list: (await get('/messages')).json.messages.map(({ sentBy }: { sentBy: object }) => sentBy),
      pages: [
        (await get(`/messages/${own.json.messageId}`)).json.sentBy,
        (await get(`/messages/${answer.data.id}`)).json.sentBy,
      ],
    })
    const all = { thread: [ann, program], row: program, list: [program, ann], pages: [ann, program] }
    expect(await told()).toEqual(all)
    await write.removeMember({ workspaceId: tenant.workspaceId, userId: member.id, byUserId: owner.id })
    await write.revokeKey({ keyId: made.apiKey, at: Date.now() })
    const [heading = '', ...rows] = (await get('/messages?format=csv')).text.trim().split('\r\n')
    const cell = (row: string, name: string) => row.split(',')[heading.split(',').indexOf(name)]
    expect(rows.map(row => [cell(row, 'keyLabel'), cell(row, 'memberName')])).toEqual([
      ['Shop backend', ''],
      ['', member.email],
    ])
    // With the last workspace the account is gone, and its name: the audit has the address.
    const gone = { kind: 'member', id: null, name: member.email }
    const { entries } = (await get(`/contacts/${contactId}/conversation`)).json
    expect(entries.slice(-2).map(({ sent }: { sent: { by: object } }) => sent.by)).toEqual([gone, program])
  })

  test('200: the same draft once more sends nothing; another text with its key is refused', async () => {
    const { writes } = await conversation()
    const text = { type: 'text', content: 'Once' }
    const [one, other] = await Promise.all([writes('same', text), writes('same', text)])
    expect([one.status, other.status].sort()).toEqual([200, 201])
    expect(one.json.messageId).toBe(other.json.messageId)
    const changed = await writes('same', { type: 'text', content: 'Twice' })
    expect([changed.status, changed.json.error]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(sends()).toHaveLength(1)
  })

  test('409 WINDOW_CLOSED: only a template goes out after 24 hours', async () => {
    const { writes, tenant } = await conversation(25 * hourMs)
    const { status, json } = await writes('late', { type: 'text', content: 'Too late' })
    expect([status, json.error, sends()]).toEqual([409, 'WINDOW_CLOSED', []])
    const components = JSON.stringify([{ type: 'BODY', text: 'Hi {{1}}.', example: { body_text: [['A']] } }])
    const at = Date.now()
    const hello = template({ id: `tpl_c${ids}`, channelId: tenant.channelId, name: 'hello', components })
    const { write } = gateway.gateway.store
    await write.replaceTemplates({ channelId: tenant.channelId, at, recordedAt: at, templates: [hello] })
    const sent = { type: 'template', templateName: 'hello', templateVariables: { 1: 'Ada' } }
    expect(await writes('template', sent)).toMatchObject({ status: 201, json: { status: 'SENT' } })
  })

  test('a message that the platform refuses is in the conversation, with who wrote it and why it failed', async () => {
    const { writes, read, member } = await conversation()
    gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'Message undeliverable' })
    const { json } = await writes('refused', { type: 'text', content: 'Nobody there' })
    expect(json.error).toBe('CHANNEL_GRAPH_ERROR')
    const entry = (await read()).entries.at(-1)
    expect(entry).toMatchObject({
      id: json.details.messageId,
      sent: { status: 'FAILED', by: { kind: 'member', id: member.id, name: member.email } },
    })
    expect(entry.sent.failure).toBeString()
  })

  test('201: what is sent later waits, is moved and cancelled, and says so wherever it is shown', async () => {
    const { writes, read, member, place } = await conversation()
    const at = (ahead: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 + ahead).toISOString()
    const [sendAt, moved] = [at(hourMs), at(2 * hourMs)]
    const { status, json } = await writes('draft-1', { type: 'text', content: 'Tomorrow at nine?', sendAt })
    expect([status, json.status]).toEqual([201, 'SCHEDULED'])
    const messages = `${place}/messages`
    const path = `${messages}/${json.messageId}`
    const usage = async () => (await member.call(`${place}/usage`)).json.plan
    const isThisMonth = sendAt < (await usage()).resetsAt
    expect((await usage()).scheduled).toEqual({ count: isThisMonth ? 1 : 0, isMore: false })
    expect((await member.call(`${place}/message-count?status=SCHEDULED`)).json).toEqual({ count: 1, isMore: false })
    expect((await member.call(messages)).json.messages).toMatchObject([{ status: 'SCHEDULED', sendAt }])
    expect((await member.call(`${messages}?format=csv`)).text).toContain(`,${sendAt},`)
    const shown = (await member.call(path)).json
    expect(shown).toMatchObject({
      waiting: null,
      canSendAgain: false,
      bubble: { draft: { body: { text: 'Tomorrow at nine?' } } },
    })
    // What waits with it is no part of the request.
    expect(shown.content).toMatchObject({ type: 'text' })
    expect(shown.content.held).toBeUndefined()

    const near = await member.call(`${path}/reschedule`, { body: { sendAt: at(0) } })
    expect(near.json.details.issues).toMatchObject([{ path: '/sendAt' }])
    const change = await member.call(`${path}/reschedule`, { body: { sendAt: moved } })
    expect([change.status, change.json.message.sendAt]).toEqual([200, moved])
    const [, waits] = (await read()).entries
    expect(waits.sent).toMatchObject({ status: 'SCHEDULED', sendAt: moved, by: { kind: 'member' } })

    const cancelled = await member.call(`${path}/cancel`, { method: 'POST' })
    expect([cancelled.status, cancelled.json.message.status]).toEqual([200, 'CANCELLED'])
    for (const act of [`${path}/cancel`, `${path}/reschedule`]) {
      const { status, json } = await member.call(act, { method: 'POST', body: { sendAt: moved } })
      expect([status, json.error]).toEqual([409, 'CONFLICT'])
    }
    expect((await member.call(path)).json).toMatchObject({ canSendAgain: false, waiting: null })
    expect((await read()).entries[1].sent.status).toBe('CANCELLED')
    const audit = await gateway.gateway.store.read.auditEntries({ subject: json.messageId, limit: 5 })
    expect(audit.map(({ action }) => action)).toEqual(['message.cancel', 'message.reschedule', 'message.send'])
    expect(sends()).toEqual([])
  })

  test('201: a place is sent, and shown with its map', async () => {
    const { writes, read } = await conversation()
    const place = { type: 'location', latitude: 52.5163, longitude: 13.3777, name: 'The shop' }
    expect((await writes('place', place)).status).toBe(201)
    expect(sends()).toMatchObject([{ location: { latitude: 52.5163, longitude: 13.3777, name: 'The shop' } }])
    const { said } = (await read()).entries.at(-1).sent
    expect(said).toMatchObject({ type: 'location', text: 'The shop', link: expect.stringContaining('mlat=52.5163') })
  })

  test('400 VALIDATION_ERROR: what no field of a conversation writes, and a recipient of its own', async () => {
    const { writes } = await conversation()
    for (const message of [
      { type: 'interactive', content: '{}' },
      { type: 'text', content: ' ' },
      { type: 'text', content: 'Hello', phone: '+4915112345678' },
    ])
      expect([message, (await writes('wrong', message)).json.error]).toEqual([message, 'VALIDATION_ERROR'])
    expect(sends()).toEqual([])
  })

  test('404: a contact of another workspace; 403: a viewer', async () => {
    const [own, other] = [await conversation(), await conversation()]
    const text = { type: 'text', content: 'Hello' }
    const elsewhere = await own.writes('other', text, `${own.place}/contacts/${other.contactId}/messages`)
    expect(elsewhere.status).toBe(404)
    const viewer = await addPerson(gateway, 'viewer', own.tenant.workspaceId)
    const body = { idempotencyKey: 'viewer', phoneNumberId: own.tenant.line.id, message: text }
    expect((await viewer.call(`${own.place}/contacts/${own.contactId}/messages`, { body })).status).toBe(403)
    expect(sends()).toEqual([])
  })
})

describe('POST media', () => {
  test('200: a picture is kept, and sent with its words', async () => {
    const { uploads, writes, read, member, place } = await conversation()
    const { status, json } = await uploads(picture())
    expect([status, json]).toMatchObject([200, { type: 'image', mimeType: 'image/png', size: 1_000 }])
    const sent = await writes('picture', { type: 'image', mediaId: json.id, caption: 'Here' })
    expect(sent.status).toBe(201)
    expect(sends()).toMatchObject([{ type: 'image', image: { id: '71', caption: 'Here' } }])
    const file = { id: json.id, state: 'stored', shownAs: 'image', saveAs: 'parcel.png' }
    const said = { type: 'image', text: 'Here', files: [file] }
    expect((await read()).entries.at(-1).sent.said).toMatchObject(said)
    const { messageId } = sent.json
    expect((await member.call(`${place}/messages/${messageId}`)).json.said).toMatchObject(said)
  })

  test('200: what a template showed is in its conversation', async () => {
    const { uploads, writes, read, tenant } = await conversation()
    const components = [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://files.example/a.png'] } },
      { type: 'BODY', text: 'Look' },
    ]
    await gateway.addTemplates({ name: 'cake', channelId: tenant.channelId, components: JSON.stringify(components) })
    const { json } = await uploads(picture())
    const message = { type: 'template', templateName: 'cake', templateVariables: { header: json.id } }
    expect((await writes('cake', message)).status).toBe(201)
    const { bubble } = (await read()).entries.at(-1).sent
    expect(bubble.files).toMatchObject({ header: { link: null, file: { id: json.id, shownAs: 'image' } }, cards: [] })
  })

  test('400 VALIDATION_ERROR: what no message shows, and a picture that is too large', async () => {
    const { uploads } = await conversation()
    for (const file of [new Uint8Array(100), picture(5 * 1_048_576 + 1)])
      expect(await uploads(file)).toMatchObject({ status: 400, json: { details: { issues: [{ path: '/file' }] } } })
  })
})

describe('POST message-check', () => {
  test('200: what speaks against a message, and nothing is sent', async () => {
    const { member, tenant, contactId, place } = await conversation()
    const check = async (message: object) => {
      const body = { message: { contactId, phoneNumberId: tenant.line.id, ...message } }
      const { status, json } = await member.call(`${place}/message-check`, { body })
      expect(status).toBe(200)
      return json
    }
    expect(await check({ type: 'text', content: 'Hello' })).toEqual({ sendable: true, problems: [], text: 'Hello' })
    expect(await check({ type: 'text', content: ' ' })).toEqual({
      sendable: false,
      problems: [{ path: '/content', message: 'must not be white space alone' }],
      text: null,
    })
    expect(sends()).toEqual([])
    expect(await gateway.gateway.store.read.messages({ workspaceId: tenant.workspaceId, limit: 1 })).toEqual([])
  })
})
