import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inbound } from '../db/fixtures.ts'
import { startTestGateway, type Tenant, type TestGateway } from '../gateway.ts'
import { keepFiles, picture, userSends } from '../media/incoming/user.ts'
import { addPerson, type Person } from './people.ts'

const phone = '+4915112345678'
let gateway: TestGateway
let other: Tenant
let person: Person
let contactId: string

beforeAll(async () => {
  gateway = await startTestGateway()
  other = await gateway.addWorkspace()
  person = await addPerson(gateway, 'viewer')
  contactId = await addContact(gateway, 'contact_ada')
  const now = Date.now()
  const foreign = { id: 'contact_foreign', workspaceId: other.workspaceId, userId: null, name: 'Ada Other' }
  await gateway.gateway.store.write.saveContact({ ...foreign, phone: '+4915100000000', createdAt: now, updatedAt: now })
})
afterAll(() => gateway.stop())

/** One who got a text, answered, and wants no marketing. */
async function addContact({ workspaceId, channelId, line, key }: Tenant, newContactId: string): Promise<string> {
  const { write, read } = gateway.gateway.store
  await gateway.send({ type: 'text', phone, content: 'Hello' }, { ...key })
  const from = { phone, userId: null, name: 'Ada Lovelace', newContactId }
  await write.recordInbound({
    channelId,
    messages: [
      inbound({
        from,
        at: Date.now() + 1_000,
        upstreamPhoneId: line.upstreamPhoneId,
        content: '{"text":{"body":"Yes"}}',
      }),
    ],
    recordedAt: Date.now(),
  })
  await write.keepUpdates({
    channelId,
    updates: [
      {
        kind: 'user_preferences marketing_messages',
        at: Date.now(),
        detail: { category: 'marketing_messages', value: 'stop' },
        accountId: '100001',
        about: { of: 'contact', phone, userId: null, name: null, newContactId: 'contact_new' },
      },
    ],
    recordedAt: Date.now(),
  })
  const [contact] = await read.contacts({ workspaceId, limit: 1 })
  return contact?.id ?? ''
}

const get = (rest: string) => person.call(`/api/v1/workspaces/${gateway.workspaceId}/contacts${rest}`)

test.each([
  ['all of them', ''],
  ['by a part of the name', '?q=lovel'],
  ['by a part of the number', `?q=${phone.slice(3, 9)}`],
  ['by a part of a number as it was copied', `?q=${encodeURIComponent('\u2066151\u2011123\u2069')}`],
  ['by the number, as somebody writes it', `?q=${encodeURIComponent('+49 151 12345678')}`],
  ['by the id', '?q=contact_ada'],
])('200: contacts are found: %s, and never those of another workspace', async (_, query) => {
  const { status, json } = await get(query)
  expect(status).toBe(200)
  expect(json).toMatchObject({ contacts: [{ id: contactId, phone, name: 'Ada Lovelace' }], next: null })
})

test('200: the list says what nobody has read, until when everything may be sent, and who wants no marketing', async () => {
  const [ada] = (await get('')).json.contacts
  const viewer = await addPerson(gateway, 'viewer', other.workspaceId)
  const [silent] = (await viewer.call(`/api/v1/workspaces/${other.workspaceId}/contacts`)).json.contacts
  expect(ada.unread).toBe(1)
  expect(Date.parse(ada.windowEndsAt)).toBeGreaterThan(Date.now())
  expect(silent).toMatchObject({ id: 'contact_foreign', unread: 0, windowEndsAt: null, noMarketing: false })
  // And who has asked for no marketing: these alone, also by a number.
  expect(ada.noMarketing).toBe(true)
  const foundBy = async (query: string) => (await get(query)).json.contacts.map(({ id }: { id: string }) => id)
  expect([await foundBy('?noMarketing=true'), await foundBy(`?noMarketing=true&q=4930`)]).toEqual([[contactId], []])
  expect(await foundBy(`?noMarketing=true&q=${encodeURIComponent(phone)}`)).toEqual([contactId])
  expect([ada.heardAt === null, silent.heardAt]).toEqual([false, null])
  // Of the workspace of the other nobody wrote.
  const ofOther = async (query: string) =>
    (await viewer.call(`/api/v1/workspaces/${other.workspaceId}/contacts${query}`)).json.contacts.length
  expect([await foundBy('?unread=true'), await foundBy('?open=true')]).toEqual([[contactId], [contactId]])
  expect([await ofOther('?unread=true'), await ofOther('?open=true')]).toEqual([0, 0])
  expect([await foundBy('?order=heard'), await foundBy('?order=heard&q=other')]).toEqual([[contactId], []])
  // The place of the other order begins anew.
  expect(await foundBy('?order=heard&cursor=contact_9')).toEqual([contactId])
})

test('200: a member opts a contact out, and in, and is named; what the person told the platform stays', async () => {
  // The lists of the others have Ada alone.
  const { workspaceId, channelId } = await gateway.addWorkspace()
  const member = await addPerson(gateway, 'member', workspaceId)
  const { write, read } = gateway.gateway.store
  const who = { workspaceId, phone: '+4930999', userId: null, name: 'Bob' }
  await write.saveContact({ id: 'contact_bob', ...who, createdAt: 1, updatedAt: 1 })
  const path = `/api/v1/workspaces/${workspaceId}/contacts`
  const set = (id: string, value: string) => member.call(`${path}/${id}/marketing`, { method: 'PUT', body: { value } })
  expect((await set('contact_bob', 'stop')).json.contact.id).toBe('contact_bob')
  const shown = async (id: string) =>
    (await member.call(`${path}/${id}`)).json.preferences.map(
      ({ value, source }: { value: string; source: { kind: string; by: string | null } }) =>
        [value, source.kind, source.by] as const,
    )
  expect(await shown('contact_bob')).toEqual([['stop', 'member', member.email]])
  const [entry] = await read.auditEntries({ limit: 1 })
  expect(entry).toMatchObject({ action: 'contact.opt-out', subject: 'contact_bob', actor: `console:${member.email}` })
  await set('contact_bob', 'resume')
  expect(await shown('contact_bob')).toEqual([['resume', 'member', member.email]])
  const about = { of: 'contact', phone: who.phone, userId: null, name: null, newContactId: 'contact_9' } as const
  const stop = { kind: 'user_preferences marketing_messages', at: 1, detail: { value: 'stop' }, accountId: null, about }
  await write.keepUpdates({ channelId, updates: [stop], recordedAt: 1 })
  expect(await shown('contact_bob')).toContainEqual(['stop', 'platform', null])
  expect(await read.optedOut({ workspaceId, address: who.phone })).toBe(true)
  expect([(await set('contact_0', 'stop')).status, (await set('contact_bob', 'no')).status]).toEqual([404, 400])
})

test('200: a contact with what it does not want', async () => {
  const { json } = await get(`/${contactId}`)
  expect(json.preferences).toMatchObject([{ category: 'marketing_messages', value: 'stop' }])
  expect(json.flows).toEqual([])
})

test('200: a file that a contact sent is shown with its state, and saved once it is stored', async () => {
  const tenant = await gateway.addWorkspace()
  const bytes = picture()
  await userSends({ ...gateway, ...tenant }, { bytes, type: 'document', fields: { filename: 'Ada\u202egnp.exe' } })
  const viewer = await addPerson(gateway, 'viewer', tenant.workspaceId)
  const place = `/api/v1/workspaces/${tenant.workspaceId}`
  const [contact] = await gateway.gateway.store.read.contacts({ workspaceId: tenant.workspaceId, limit: 1 })
  const media = async () =>
    (await viewer.call(`${place}/contacts/${contact?.id}/conversation`)).json.entries[0].said.files[0]
  const before = await media()
  expect(before.id).toStartWith('media_')
  expect(before).toMatchObject({ state: 'pending', saveAs: 'Ada_gnp.exe', shownAs: null })
  const early = await viewer.call(`${place}/media/${before.id}`)
  expect([early.status, early.json]).toMatchObject([404, { details: { state: 'pending' } }])

  await keepFiles(gateway)
  expect(await media()).toMatchObject({ state: 'stored' })
  const { status, headers, text } = await viewer.call(`${place}/media/${before.id}`)
  expect([status, text]).toEqual([200, bytes.toString()])
  expect(headers.get('content-disposition')).toBe('attachment; filename="Ada_gnp.exe"')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('200: a member names a contact and takes the name, the audit says who; who was forgotten gets none', async () => {
  const tenant = await gateway.addWorkspace()
  const { workspaceId } = tenant
  const named = await addContact(tenant, 'contact_named')
  const admin = await addPerson(gateway, 'admin', workspaceId)
  const path = `/api/v1/workspaces/${workspaceId}/contacts/${named}`
  const rename = (name: string | null) => admin.call(`${path}/name`, { body: { name } })
  const nameNow = async () => (await admin.call(path)).json.contact.name
  expect([(await rename(' Ada L. ')).status, await nameNow()]).toEqual([200, 'Ada L.'])
  const { read } = gateway.gateway.store
  const entries = await read.auditEntries({ workspaceId, limit: 1 })
  expect(entries).toMatchObject([{ action: 'contact.rename', actor: `console:${admin.email}`, subject: named }])
  expect([(await rename(null)).status, await nameNow()]).toEqual([200, null])
  await admin.call(`${path}/forget`, { method: 'POST' })
  expect([(await rename('Ada')).status, await nameNow()]).toEqual([409, null])
})

test('200: a contact that is forgotten has no name, number or words any more', async () => {
  const tenant = await gateway.addWorkspace()
  const { workspaceId } = tenant
  const forgotten = await addContact(tenant, 'contact_forgotten')
  const admin = await addPerson(gateway, 'admin', workspaceId)
  const path = `/api/v1/workspaces/${workspaceId}/contacts/${forgotten}`
  const said = async () => (await admin.call(`${path}/conversation`)).text
  expect(await said()).toContain('Yes')
  const { status, json } = await admin.call(`${path}/forget`, { method: 'POST' })
  expect([status, json]).toEqual([200, { messages: 1, inbound: 1, isDone: true }])
  expect((await admin.call(path)).json.contact).toMatchObject({ phone: null, name: null })
  expect(await said()).not.toContain('Yes')
  const { json: list } = await admin.call(`/api/v1/workspaces/${workspaceId}/conversations`)
  expect(list.conversations).toEqual([])
  const { read } = gateway.gateway.store
  expect((await read.messages({ workspaceId, limit: 2 }))[0]?.recipient).toBe('forgotten')
  const [entry] = await read.auditEntries({ subject: forgotten, limit: 1 })
  expect(entry).toMatchObject({ action: 'contact.forget', actor: `console:${admin.email}` })
})

test('201: a member adds a contact, once for each number, as the audit says', async () => {
  // In a workspace of its own: what the others find stays as it is.
  const { workspaceId } = await gateway.addWorkspace()
  const member = await addPerson(gateway, 'member', workspaceId)
  const { read } = gateway.gateway.store
  const add = (body: object) => member.call(`/api/v1/workspaces/${workspaceId}/contacts`, { body })
  const added = await add({ phone: '+49 (30) 901820', name: 'Grace Hopper' })
  const { id } = added.json.contact
  const contact = { id, phone: '+4930901820', name: 'Grace Hopper' }
  expect([added.status, added.json]).toMatchObject([201, { contact, isNew: true }])
  const again = await add({ phone: '+4930901820', name: 'Somebody else' })
  expect([again.status, again.json]).toMatchObject([200, { contact, isNew: false }])
  const entries = await read.auditEntries({ subject: id, limit: 2 })
  expect(entries).toMatchObject([{ action: 'contact.add', actor: `console:${member.email}` }])
  // Others have their own.
  expect((await add({ phone: '+4915100000000' })).status).toBe(201)
})

test.each([
  ['/phone', { phone: '030 901820' }],
  ['/name', { phone: '+4930901821', name: '   ' }],
])('400 VALIDATION_ERROR: a contact with a wrong %s', async (path, body) => {
  const member = await addPerson(gateway, 'member')
  const { status, json } = await member.call(`/api/v1/workspaces/${gateway.workspaceId}/contacts`, { body })
  expect([status, json.details.issues]).toEqual([400, [{ path, message: expect.any(String) }]])
})
