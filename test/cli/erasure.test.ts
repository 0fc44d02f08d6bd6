import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import type { Store } from '../../db/contract/store.ts'
import { newId, newKeyId } from '../../src/base/ids.ts'
import { Deployment, expectRefusal, type Identified, queueMessages, seeded } from './waypost.ts'

/** One for each test: they count the rows of the whole database. */
let deployment: Deployment
afterEach(() => deployment.remove())

const phone = '+15550100200'
/** A name and words that are in no other row. */
const name = 'Adalbert Unverwechselbar'
const words = 'what only this person wrote'

interface Owner {
  readonly workspaceId: string
  readonly channelId: string
  readonly lineId: string
}
let owner: Owner
let contactId: string
async function start(count: number) {
  deployment = new Deployment()
  owner = await deployment.withStore(seeded)
  contactId = await deployment.withStore(store => fill(store, owner, count))
}

/** Beyond one step of what is erased at once. */
const many = 700

/** A contact that wrote so often and was written to as often. */
async function fill(store: Store, owner: Owner, count: number): Promise<string> {
  const { workspaceId, channelId } = owner
  const at = Date.now()
  await store.write.createKey({ id: newKeyId(), workspaceId, label: null, createdAt: at, secretHash: 'x' })
  const id = newId('contact')
  await store.write.saveContact({ id, workspaceId, phone, userId: null, name, createdAt: at, updatedAt: at })
  await store.write.recordInbound({
    channelId,
    recordedAt: at,
    messages: Array.from({ length: count }, (_, index) => ({
      channelMessageId: upstreamId(`${channelId}.${index}`),
      ...{ kind: 'text', at, upstreamPhoneId: '1', flowReply: null, identityChange: null },
      from: { phone, userId: null, name, newContactId: newId('contact') },
      content: JSON.stringify({ from: phone.slice(1), text: { body: words } }),
    })),
  })
  const [first, ...others] = await queueMessages(store, owner, count)
  await Promise.all(others.map(id => lose(store, id)))
  if (first !== undefined) await accept(store, first)
  return id
}

/** As the upstream makes it: the number of the person, in base64, and something random. */
const upstreamId = (random: string) =>
  `wamid.${Buffer.from(`\x18\x0b${phone.slice(1)}\x15${random}`).toString('base64')}`
/** The same in each such id: 12 characters, of 9 digits. */
const idPart = upstreamId('').slice(10, 22)

/** Gives a waiting message an outcome that nobody knows. */
async function lose(store: Store, messageId: string) {
  const at = Date.now()
  const record = (kind: 'dispatched' | 'lost') =>
    store.write.recordEvent({ messageId, event: { kind, at }, detail: null, recordedAt: at })
  await Promise.all([record('dispatched'), record('lost')])
}

/** Gives a waiting message the upstream's id. */
async function accept(store: Store, messageId: string) {
  const at = Date.now()
  const answer = { kind: 'accepted', at, channelMessageId: upstreamId(messageId), waId: phone.slice(1) } as const
  await store.write.recordEvent({ messageId, event: { kind: 'dispatched', at }, detail: null, recordedAt: at })
  await store.write.recordEvent({ messageId, event: answer, detail: null, recordedAt: at })
}

/** Of every table, how many rows have the text somewhere. */
function rowsWith(text: string): Record<string, number> {
  const database = new Database(deployment.databasePath, { readonly: true })
  const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  // Who did what outlives what it was done to: the audit keeps ids.
  const counts = tables
    .filter(({ name }) => name !== 'audit_entries')
    .map(({ name }) => {
      const rows = database.query(`SELECT * FROM ${name}`).all()
      return [name, rows.filter(row => JSON.stringify(row).includes(text)).length] as const
    })
  database.close()
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

test('contact forget erases number, name and what was written, and keeps statuses and counts', async () => {
  await start(many)
  expect(rowsWith(words)).toEqual({ inbound_messages: 700 })
  expect(rowsWith(phone)).toMatchObject({ messages: 700, message_contents: 700 })
  expect(rowsWith(idPart)).toEqual({ inbound_messages: 700, messages: 1 })
  const list = ['message', 'list', '--workspace', owner.workspaceId, '--limit', '1000']
  const before = await deployment.json<Identified[]>(list)
  const forget = ['contact', 'forget', contactId]
  expect(await deployment.json(forget)).toEqual({ id: contactId, messages: 700, inbound: 700, isDone: true })
  for (const text of [phone, phone.slice(1), name, words, idPart])
    expect({ text, in: rowsWith(text) }).toEqual({ text, in: {} })

  const after = await deployment.json<Identified[]>(list)
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(await deployment.json(['contact', 'show', contactId])).toMatchObject({
    id: contactId,
    phone: null,
    name: null,
  })
  // Once more does no harm, and a new contact with the number is another.
  expect(await deployment.json(forget)).toMatchObject({ id: contactId, inbound: 0 })
  const add = ['contact', 'add', '--workspace', owner.workspaceId, '--phone', phone]
  expect((await deployment.json<Identified>(add)).id).not.toBe(contactId)
})

test('a number that was only sent to, and has no contact, is forgotten in its messages', async () => {
  await start(2)
  const other = await deployment.withStore(seeded)
  await deployment.withStore(async store => {
    for (const id of await queueMessages(store, other, 3)) await accept(store, id)
  })
  const forget = ['contact', 'forget', '--phone', phone]
  const places = `${contactId} of ${owner.workspaceId}, messages of ${other.workspaceId}`
  expectRefusal(await deployment.run(forget), 1, places)
  const inOther = [...forget, '--workspace', other.workspaceId]
  expect(await deployment.json(inOther)).toMatchObject({ messages: 3, inbound: 0 })
  expectRefusal(await deployment.run(inOther), 1, `No contact has the number ${phone}, and no message went to it`)
  expect(rowsWith(phone)).toMatchObject({ messages: 2, contacts: 1 })
  expect(await deployment.json(forget)).toMatchObject({ id: contactId, messages: 2 })
  for (const text of [phone, phone.slice(1), idPart]) expect({ text, in: rowsWith(text) }).toEqual({ text, in: {} })
})

test('a number without a contact is forgotten by each of its spellings', async () => {
  deployment = new Deployment()
  const { workspaceId, ...own } = await deployment.withStore(seeded)
  const number = '+115550100200'
  await deployment.withStore(async store => {
    for (const id of await queueMessages(store, { workspaceId, ...own }, 2)) await accept(store, id)
    const at = Date.now()
    await store.write.keepSpelling({ workspaceId, spelling: phone, number, at, recordedAt: at })
  })
  expect(await deployment.json(['contact', 'forget', '--phone', number])).toMatchObject({ messages: 2 })
  for (const text of [phone.slice(1), number.slice(1)]) expect({ text, in: rowsWith(text) }).toEqual({ text, in: {} })
})

test('a contact to which messages wait is not forgotten, and keeps everything', async () => {
  await start(2)
  await deployment.withStore(store => queueMessages(store, owner, 2))
  const before = rowsWith(phone)
  const ended = await deployment.run(['contact', 'forget', contactId])
  expectRefusal(ended, 1, `Nothing was removed: 2 messages wait to be sent to the contact ${contactId}`)
  expect(rowsWith(phone)).toEqual(before)
  expectRefusal(await deployment.run(['contact', 'forget', 'contact_x']), 1, 'No contact has this id: contact_x')
})

test('workspace remove erases everything of it and nothing of another, once its name is given', async () => {
  await start(many)
  const other = await deployment.withStore(seeded)
  const otherContact = await deployment.withStore(store => fill(store, other, 3))
  const ids = [owner.workspaceId, owner.channelId, owner.lineId, contactId]
  const remove = ['workspace', 'remove', owner.workspaceId, '--confirm']
  expectRefusal(await deployment.run(remove.slice(0, -1)), 2, 'Missing: --confirm <name>')
  expectRefusal(await deployment.run([...remove, 'acme']), 1, 'is called "Acme"')

  const [waiting = ''] = await deployment.withStore(store => queueMessages(store, owner, 1))
  expectRefusal(await deployment.run([...remove, 'Acme']), 1, '1 message waits to be sent from the workspace')
  expect(rowsWith(owner.workspaceId)).toHaveProperty('workspaces')
  await deployment.withStore(store => lose(store, waiting))

  const untouched = rowsWith(other.workspaceId)
  const erased = await deployment.json<{ erasedRecords: number }>([...remove, 'Acme'])
  expect(erased.erasedRecords).toBeGreaterThan(1_400)
  for (const id of ids) expect({ id, in: rowsWith(id) }).toEqual({ id, in: {} })
  expect(rowsWith(other.workspaceId)).toEqual(untouched)
  expect(await deployment.json(['contact', 'show', otherContact])).toMatchObject({ phone, name })
  expectRefusal(await deployment.run([...remove, 'Acme']), 1, 'No workspace has this id')
})
