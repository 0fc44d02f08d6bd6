import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Line } from '../../db/contract/records.ts'
import { dayMs } from '../../src/base/durations.ts'
import { inbound } from '../db/fixtures.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { blockRefused, graphError, type Received } from '../upstream.ts'
import { addPerson } from './people.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = obey
})

/** As the platform does what it is asked for. */
function obey({ method, json }: Received): Response {
  const users = (json.block_users as { user: string }[]).map(({ user }) => ({ input: user, wa_id: user.slice(1) }))
  return Response.json({ block_users: { [method === 'POST' ? 'added_users' : 'removed_users']: users } })
}

const refuse = (code: number) => blockRefused(code, 'Not possible')

let ids = 0

/** Who wrote to some of the four lines of a workspace: to the first one last, and to the last one too long ago. */
async function conversation() {
  const tenant = await gateway.addWorkspace()
  const { workspaceId, channelId } = tenant
  const member = await addPerson(gateway, 'member', workspaceId)
  const numbers = ['+4930000001', '+4930000002', '+4930000003', '+4930000004']
  const lines = [tenant.line]
  for (const number of numbers.slice(1)) lines.push(await gateway.addLine({ workspaceId, channelId, number }))
  const [first, second, silent, former] = lines as [Line, Line, Line, Line]
  ids += 1
  const phone = `+4915199990${100 + ids}`
  const from = { phone, userId: null, name: 'Ada Lovelace', newContactId: `contact_blocked${ids}` }
  const wrote = async (line: Line, at: number) => {
    ids += 1
    const to = { upstreamPhoneId: line.upstreamPhoneId, channelMessageId: `wamid.blocked${ids}` }
    await gateway.gateway.store.write.recordInbound({
      ...{ channelId, recordedAt: Date.now() },
      messages: [inbound({ ...to, from, at })],
    })
  }
  await wrote(former, Date.now() - dayMs - 1_000)
  await wrote(second, Date.now() - 2_000)
  await wrote(first, Date.now() - 1_000)
  const place = `/api/v1/workspaces/${workspaceId}`
  const path = `${place}/contacts/${from.newContactId}`
  return {
    ...{ workspaceId, member, path, phone, contactId: from.newContactId },
    lines: { first, second, silent, former },
    block: (isBlocked: boolean) => member.call(`${path}/block`, { body: { isBlocked } }),
    /** As each page says it. */
    async blockedOn(): Promise<readonly string[]> {
      const get = async (at: string) => (await member.call(at)).json
      const [list, contacts] = [await get(`${place}/conversations`), await get(`${place}/contacts`)]
      const shown = [list.conversations[0].contact, contacts.contacts[0]]
      for (const at of [path, `${path}/conversation`]) shown.push((await get(at)).contact)
      const said = new Set(shown.map(({ blockedOn }) => JSON.stringify(blockedOn)))
      expect(said.size).toBe(1)
      return shown[0].blockedOn
    },
  }
}

const asked = () => gateway.upstream.received.map(({ method, path }) => `${method} ${path.split('/')[2]}`).toSorted()

test('200: a person is blocked on each line to which it wrote within 24 hours, and unblocked on all; the audit says who', async () => {
  const { block, blockedOn, lines, phone, member, workspaceId, contactId } = await conversation()
  const both = [lines.first, lines.second]
  const { status, json } = await block(true)
  expect([status, json.lineIds.toSorted()]).toEqual([200, both.map(({ id }) => id).toSorted()])
  expect(asked()).toEqual(both.map(line => `POST ${line.upstreamPhoneId}`).toSorted())
  expect(gateway.upstream.received.map(received => received.json)).toEqual(
    both.map(() => ({ messaging_product: 'whatsapp', block_users: [{ user: phone }] })),
  )
  expect((await blockedOn()).toSorted()).toEqual(both.map(({ id }) => id).toSorted())
  gateway.upstream.received.length = 0
  expect((await block(false)).status).toBe(200)
  expect(asked()).toEqual(both.map(line => `DELETE ${line.upstreamPhoneId}`).toSorted())
  expect(await blockedOn()).toEqual([])
  const entries = await gateway.gateway.store.read.auditEntries({ workspaceId, limit: 2 })
  const about = { actor: `console:${member.email}`, subject: contactId }
  expect(entries).toMatchObject([
    { action: 'contact.unblock', ...about },
    { action: 'contact.block', ...about },
  ])
})

test('a block whose answer was lost is undone where it was asked for, although nothing is noted of it', async () => {
  const { block, lines } = await conversation()
  gateway.upstream.answer = () => new Response('', { status: 502 })
  expect((await block(true)).status).toBe(502)
  gateway.upstream.received.length = 0
  gateway.upstream.answer = obey
  expect((await block(false)).status).toBe(200)
  expect(asked()).toEqual([lines.first, lines.second].map(line => `DELETE ${line.upstreamPhoneId}`).toSorted())
})

test('400: what the platform refuses on one line is told; the other one is done, and the next try asks for both', async () => {
  const { block, blockedOn, lines } = await conversation()
  gateway.upstream.answer = received =>
    received.path.includes(lines.second.upstreamPhoneId) ? refuse(139101) : obey(received)
  const { status, json } = await block(true)
  expect([status, json.error]).toEqual([400, 'CHANNEL_GRAPH_ERROR'])
  expect(json.message).toBe(
    `The person was not blocked on ${lines.second.number}, because its list of 64,000 blocked people is full: unblock ` +
      `somebody else first. It is blocked on ${lines.first.number}.`,
  )
  expect(await blockedOn()).toEqual([lines.first.id])
  gateway.upstream.answer = obey
  expect((await block(true)).status).toBe(200)
  expect((await blockedOn()).length).toBe(2)
})

describe('nothing is noted', () => {
  const cases: [what: string, answer: () => Response, status: number, why: string][] = [
    [
      'who did not write within 24 hours',
      () => refuse(131047),
      400,
      'only who has written to the line within 24 hours',
    ],
    ['a code that is not known here', () => refuse(139103), 400, 'the platform said: 139103: Not possible'],
    ['a refusal of the whole call', () => graphError(400, { code: 100, message: 'No' }), 400, '100: No'],
    ['an answer that is none', () => new Response('<html>', { status: 200 }), 502, 'no answer'],
    ['an answer without the user', () => Response.json({}), 502, 'no answer'],
  ]
  test.each(cases)('of %s', async (_, answer, status, why) => {
    const { block, blockedOn } = await conversation()
    gateway.upstream.answer = answer
    const refused = await block(true)
    expect([refused.status, refused.json.error]).toEqual([status, 'CHANNEL_GRAPH_ERROR'])
    expect(refused.json.message).toContain(why)
    expect(await blockedOn()).toEqual([])
  })

  test('409: of a contact that was forgotten, and of no active line the platform is not asked', async () => {
    const { block, lines, contactId } = await conversation()
    const { write } = gateway.gateway.store
    for (const { id } of Object.values(lines)) await write.changeLine({ lineId: id, active: false })
    expect((await block(true)).json).toMatchObject({ error: 'CONFLICT', message: expect.stringContaining('active') })
    await write.forgetContact({ contactId, at: Date.now() })
    expect((await block(true)).json).toMatchObject({ error: 'CONFLICT', message: expect.stringContaining('forgotten') })
    expect(asked()).toEqual([])
  })
})

test('who never wrote is asked about on the default line, and somebody without a number by the user id', async () => {
  const { workspaceId, member, lines } = await conversation()
  const { write } = gateway.gateway.store
  await write.setDefaultLine({ lineId: lines.silent.id, isDefault: true })
  const at = Date.now()
  const person = { id: `contact_silent${ids}`, workspaceId, phone: null, userId: `DE.${ids}`, name: null }
  await write.saveContact({ ...person, createdAt: at, updatedAt: at })
  gateway.upstream.answer = () => refuse(131047)
  const path = `/api/v1/workspaces/${workspaceId}/contacts/${person.id}/block`
  expect((await member.call(path, { body: { isBlocked: true } })).json.message).toContain(lines.silent.number)
  expect(gateway.upstream.received.map(({ path, json }) => [path.split('/')[2], json.block_users])).toEqual([
    [lines.silent.upstreamPhoneId, [{ user_id: person.userId }]],
  ])
})
