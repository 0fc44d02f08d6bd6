import { beforeEach, describe, expect, test } from 'bun:test'
import { accepted, draft, inbound } from '../db/fixtures.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway, type Tenant } from '../gateway.ts'
import { addPerson, type Person } from './people.ts'

const gateway = sharedFixture(() => startTestGateway())
const t0 = Date.now() - 1_000_000
const ada = { phone: '+4915112301000', userId: null, name: 'Ada Lovelace', newContactId: 'contact_ada' }
const bob = { phone: '+4915112302000', userId: null, name: 'Bob', newContactId: 'contact_bob' }

let tenant: Tenant
let viewer: Person
let ids = 0
beforeEach(async () => {
  tenant = await gateway.addWorkspace()
  viewer = await addPerson(gateway, 'viewer', tenant.workspaceId)
})

/** A contact has its id once in the whole database. */
const own = (from: typeof ada) => ({ ...from, newContactId: `${from.newContactId}_${tenant.workspaceId}` })

async function says(from: typeof ada, content: object, kind = String(Reflect.get(content, 'type'))): Promise<string> {
  ids += 1
  const channelMessageId = `wamid.hit${ids}`
  const message = inbound({
    ...{ channelMessageId, kind, at: t0 + ids * 1_000, from: own(from), content: JSON.stringify(content) },
    upstreamPhoneId: tenant.line.upstreamPhoneId,
  })
  const { write } = gateway.gateway.store
  await write.recordInbound({ channelId: tenant.channelId, messages: [message], recordedAt: t0 + ids * 1_000 })
  return channelMessageId
}

async function sends(recipient: string, body: string): Promise<string> {
  ids += 1
  const { workspaceId, channelId, line } = tenant
  const payload = JSON.stringify({ type: 'text', text: { body } })
  const id = `msg_hit${ids}`
  const at = t0 + ids * 1_000
  const where = { workspaceId, channelId, lineId: line.id, recipient }
  await gateway.gateway.store.write.acceptMessage(
    draft({ id, ...where, createdAt: at, dispatchedAt: at, type: 'text', payload }),
  )
  return id
}

const text = (body: string) => ({ type: 'text', text: { body } })
const edit = (of: string, body: string) => ({ type: 'edit', edit: { original_message_id: of, message: text(body) } })

interface Page {
  readonly hits: readonly { id: string; at: string; words: string; isOurs: boolean; contact: { name: string } }[]
  readonly next: string | null
}
async function page(query: Record<string, string>): Promise<Page> {
  const place = `/api/v1/workspaces/${tenant.workspaceId}/conversation-hits`
  const { status, json } = await viewer.call(`${place}?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  return json
}
/** What all pages have, in the order in which they have it. */
async function found(q: string, more: Record<string, string> = {}): Promise<string[]> {
  const hits: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const answer: Page = await page({ q, ...more, ...(next !== '' && { cursor: next }) })
    hits.push(...answer.hits.map(({ id }) => id))
    next = answer.next
  }
  return hits
}

test('200: a conversation is read around a hit, back and on from there, and has each message once', async () => {
  const all: string[] = []
  for (let n = 0; n < 120; n += 1)
    all.push(n % 3 === 0 ? await sends(ada.phone, `Ours ${n}`) : await says(ada, text(`Theirs ${n}`)))
  const place = `/api/v1/workspaces/${tenant.workspaceId}/contacts/${own(ada).newContactId}/conversation`
  interface Part {
    readonly entries: readonly { id: string }[]
    readonly older: string | null
    readonly newer: string | null
  }
  const part = async (query: Record<string, string>): Promise<Part> =>
    (await viewer.call(`${place}?${new URLSearchParams(query)}`)).json
  const { hits } = await page({ q: 'theirs 52' })
  const middle = await part({ around: hits[0]?.at ?? '' })
  expect(middle.entries.map(({ id }) => id)).toEqual(all.slice(23, 63))
  const read = middle.entries.map(({ id }) => id)
  for (let { older } = middle; older !== null; ) {
    const before = await part({ before: older })
    read.unshift(...before.entries.map(({ id }) => id))
    older = before.older
  }
  for (let { newer } = middle; newer !== null; ) {
    const after = await part({ after: newer })
    read.push(...after.entries.map(({ id }) => id))
    newer = after.newer
  }
  expect(read).toEqual(all)
})

describe('what was written in conversations', () => {
  test('200: is found on both sides by words in any order, the newest first, with the part of its text', async () => {
    await says(ada, text('Two loaves of white bread'))
    const asked = await says(ada, text('Hello! It is for tomorrow: do you still have RYE, the dark bread?'))
    const answered = await sends(ada.phone, 'Yes: there is bread, and it is rye.')
    await sends('+4915112309999', 'Bread of rye for somebody without a contact')
    expect(await page({ q: 'bread rye' })).toMatchObject({
      hits: [
        { id: answered, isOurs: true, contact: { name: 'Ada Lovelace' }, words: 'Yes: there is bread, and it is rye.' },
        { id: asked, isOurs: false, words: '… you still have RYE, the dark bread?' },
      ],
      next: null,
    })
  })

  test('200: one word may be the name or the number of the person, who alone is no hit', async () => {
    const asked = await says(ada, text('Is there rhubarb?'))
    const other = await says(bob, text('Rhubarb again'))
    const answered = await sends(ada.phone, 'No rhubarb.')
    expect(await found('ada rhubarb')).toEqual([answered, asked])
    expect(await found('rhubarb 112302')).toEqual([other])
    for (const who of ['ada', 'Ada Lovelace', '112301', ada.phone]) expect([who, await found(who)]).toEqual([who, []])
    for (const q of ['rhubarb ada', 'rhubarb'])
      expect(await found(q, { contactId: own(ada).newContactId })).toEqual([answered, asked])
    expect(await found('ada', { contactId: own(ada).newContactId })).toEqual([])
  })

  test('200: nothing where there is no word; a cursor that is none begins anew; no sign is cut in half', async () => {
    const smiles = await says(ada, text(`${'😀'.repeat(40)} rhubarb ${'😀'.repeat(90)}`))
    expect(await page({ q: ' ' })).toMatchObject({ hits: [], next: null })
    for (const cursor of ['x!1e9', 'x!Infinity']) {
      const { hits } = await page({ q: 'rhubarb', cursor })
      expect([cursor, hits.map(({ id }) => id)]).toEqual([cursor, [smiles]])
      expect(hits[0]?.words.isWellFormed()).toBe(true)
    }
  })

  test('200: pages have each hit once, whatever their size, in letters that databases do not know too', async () => {
    const written: string[] = []
    for (let n = 0; n < 7; n += 1) {
      written.push(
        await says(n % 2 === 0 ? ada : bob, text(n % 3 === 0 ? 'Где мой заказ?' : 'Привет всем, всё пришло')),
      )
      written.push(await sends(ada.phone, n % 3 === 0 ? 'ЗАКАЗ уже в пути' : 'Спасибо и до встречи'))
    }
    const expected = written.filter((_, at) => Math.floor(at / 2) % 3 === 0)
    for (const limit of ['1', '2', '50'])
      expect([limit, (await found('заказ', { limit })).toSorted()]).toEqual([limit, expected.toSorted()])
  })

  test.each(['keep', 'hide'] as const)('200: nothing that was deleted, where the workspace would %s it', async how => {
    const { workspaceId } = tenant
    await gateway.gateway.store.write.setDeletedMessages({ workspaceId, deletedMessages: how })
    const id = await says(ada, text('My card number is 4111'))
    const edited = await says(ada, text('My pin is secret'))
    await says(ada, edit(edited, 'My pin is a card'))
    expect(await found('card')).toEqual([edited, id])
    for (const of of [id, edited]) await says(ada, { type: 'revoke', revoke: { original_message_id: of } })
    expect(await found('card')).toEqual([])
  })

  test('200: an edited one is found by its words of now', async () => {
    const id = await says(ada, text('Can I come at six?'))
    await says(ada, edit(id, 'Can I come at seven?'))
    await says(ada, edit(id, 'Can I come at eight or seven?'))
    expect(await found('six')).toEqual([])
    expect(await found('seven')).toEqual([id])
    expect((await page({ q: 'eight' })).hits).toMatchObject([{ id, words: 'Can I come at eight or seven?' }])
  })

  test('200: nothing of another workspace, nor of who was forgotten; 404 in the conversation of another one', async () => {
    await says(ada, text('Our own words'))
    const { workspaceId } = tenant
    const { newContactId } = own(ada)
    tenant = await gateway.addWorkspace()
    viewer = await addPerson(gateway, 'admin', tenant.workspaceId)
    const mine = await says(bob, text('Words of another shop'))
    await gateway.gateway.store.write.recordEvent(accepted(await sends(bob.phone, 'Words for Bob')))
    expect(await found('words')).toContain(mine)
    const place = `/api/v1/workspaces/${tenant.workspaceId}`
    expect((await viewer.call(`${place}/conversation-hits?q=words&contactId=${newContactId}`)).status).toBe(404)
    expect((await viewer.call(`/api/v1/workspaces/${workspaceId}/conversation-hits?q=words`)).status).toBe(404)
    const forgotten = await viewer.call(`${place}/contacts/${own(bob).newContactId}/forget`, { method: 'POST' })
    expect(forgotten.json).toMatchObject({ isDone: true })
    expect(await found('words')).toEqual([])
  })
})
