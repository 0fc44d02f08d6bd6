import { beforeAll, expect, test } from 'bun:test'
import { findMeant } from '../../src/reading/text.ts'
import { ManualClock } from '../clock.ts'
import { addPerson, type Person } from '../console/people.ts'
import { draft } from '../db/fixtures.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'

const t0 = Date.UTC(2026, 0, 31)
let person: Person

/** What was sent, oldest first; a second apart. */
const sent = [
  { to: '+15550100472', says: 'Your parcel leaves Hamburg.' },
  { to: '+15550100900', says: 'We open at nine.' },
  { to: '+15550100901', says: 'Hello Hamburg!' },
  { to: '+15550100900', template: 'order_confirmation' },
  { to: '+15550100901', template: 'sale' },
  { to: '+15550100902', says: 'Cafe Chen has a table.' },
  { to: '+15550100902', says: 'Bye.' },
]

// By a clock that stands still no search is late, however busy the machine: what is found late comes in another order.
const gateway = sharedFixture(() => startTestGateway({ clock: new ManualClock(Date.now()) }))
beforeAll(async () => {
  person = await addPerson(gateway, 'viewer')
  const { workspaceId, channelId, line } = gateway
  const { write } = gateway.gateway.store
  const body = (text: string, example: string) =>
    JSON.stringify([{ type: 'BODY', text, example: { body_text: [[example]] } }])
  await gateway.addTemplates(
    { name: 'order_confirmation', components: body('Thank you, {{1}}.', 'Hamburg') },
    { name: 'sale', components: body('Everything in Rome is cheap, {{1}}.', 'Ada') },
  )
  for (const [at, { to, says, template }] of sent.entries()) {
    await write.acceptMessage(
      draft({
        id: `msg_${at}`,
        workspaceId,
        channelId,
        lineId: line.id,
        recipient: to,
        createdAt: t0 + at * 1_000,
        dispatchedAt: t0,
        requestId: `request-${at}`,
        ...(template === undefined
          ? { type: 'text', payload: JSON.stringify({ type: 'text', text: { body: says } }) }
          : {
              type: 'template',
              templateName: template,
              payload: JSON.stringify({
                type: 'template',
                template: { name: template, language: { code: 'en_US' }, components: [] },
              }),
            }),
      }),
    )
  }
  const own = { workspaceId, userId: null, createdAt: t0, updatedAt: t0 }
  await write.saveContact({ ...own, id: 'contact_1', phone: '+15550100900', name: 'Mei Chen' })
})

interface Answer {
  readonly messages: readonly { readonly id: string }[]
  readonly older: string | null
  readonly searchedTo: string | null
}
async function search(query: string): Promise<Answer> {
  const { status, json } = await person.call(`/api/v1/workspaces/${gateway.workspaceId}/messages?${query}`)
  expect(status).toBe(200)
  return json
}
const numbers = ({ messages }: Answer) => messages.map(({ id }) => Number(id.replace('msg_', '')))

const all = [6, 5, 4, 3, 2, 1, 0]

const rows: [text: string, why: string, found: number[]][] = [
  ['hamburg', 'a word of a text, not an example of a template', [2, 0]],
  ['Chen', 'a name, and a word of a text', [5, 3, 1]],
  ['0472', 'a part of a number', [0]],
  ['555 010-0902', 'a part of a number, as somebody writes it', [6, 5]],
  ['+1 555 010 09', 'the beginning of a number', [6, 5, 4, 3, 2, 1]],
  ['order_confirmation', "a template's name", [3]],
  ['order confirm', "a part of a template's name", [3]],
  ['rome', 'a word of a template', [4]],
  ['msg_4', 'our id', [4]],
  ['contact_1', 'the id of a contact', [3, 1]],
  ['line_none', 'the id of a line that is not there', []],
  ['request-5', 'the request id of a caller', [5]],
  ['chen TABLE', 'both words of a text', [5]],
  ['nine mei', 'a name, and a word of what was sent to her', [1]],
  ['order Chen', 'a name, and a template', [3]],
  ['+1 555 010 0901 hello', 'a number with its blanks, and a word', [2]],
  ['chen hamburg', 'nothing that has only one of the words', []],
  ['nobody', 'nothing', []],
  ['%', 'no pattern', []],
]
test.each(rows)('200: "%s" finds %s, newest first', async (text, _, found) => {
  const answer = await search(`q=${encodeURIComponent(text)}`)
  expect([numbers(answer), answer.older, answer.searchedTo]).toEqual([found, null, null])
})

test('200: pages of a text have each message once, whatever their size', async () => {
  for (const [text, , found] of rows) {
    for (const limit of [1, 2]) {
      const paged: number[] = []
      let older: string | null = ''
      while (older !== null) {
        const answer: Answer = await search(
          `q=${encodeURIComponent(text)}&limit=${limit}${older && `&older=${encodeURIComponent(older)}`}`,
        )
        expect(answer.messages.length).toBeLessThanOrEqual(limit)
        paged.push(...numbers(answer))
        older = answer.older
      }
      expect([text, limit, paged]).toEqual([text, limit, found])
    }
  }
})

test('200: the id of a line or a key finds what it sent, and that of another workspace nothing', async () => {
  expect(numbers(await search(`q=${gateway.line.id}`))).toEqual(all)
  expect(numbers(await search(`q=${gateway.key.apiKey}`))).toEqual([])
  const other = await gateway.addWorkspace()
  expect(numbers(await search(`q=${other.line.id}`))).toEqual([])
})

test('200: a text with filters, and as CSV', async () => {
  expect(numbers(await search('q=chen&type=text'))).toEqual([5, 1])
  expect(numbers(await search(`q=chen&until=${new Date(t0 + 4_000).toISOString()}`))).toEqual([3, 1])
  const { text } = await person.call(`/api/v1/workspaces/${gateway.workspaceId}/messages?q=chen&format=csv`)
  expect(
    text
      .trim()
      .split('\r\n')
      .slice(1)
      .map(line => line.split(',')[0]),
  ).toEqual(['msg_5', 'msg_3', 'msg_1'])
})

test('200: a place that is none begins anew', async () => {
  expect(numbers(await search(`q=chen&older=${encodeURIComponent("x' OR 1")}`))).toEqual([5, 3, 1])
})

test('a search whose time is up at once still finds what went to people of that name', async () => {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const { read } = gateway.gateway.store
    const page = await findMeant(
      { read, isLate: () => true, turn: async () => {} },
      { filter: { workspaceId: gateway.workspaceId }, written: 'Mei', cursor, limit: 1 },
    )
    found.push(...page.messages.map(({ id }) => id))
    cursor = page.older ?? undefined
  } while (cursor !== undefined)
  expect(found).toEqual(['msg_3', 'msg_1'])
})

test('pages of what is open have each message once, also where ids are not in the order of time', async () => {
  const { workspaceId, channelId, line } = await gateway.addWorkspace()
  const { read, write } = gateway.gateway.store
  const own = { workspaceId, userId: null, createdAt: t0, updatedAt: t0 }
  await write.saveContact({ ...own, id: 'contact_2', phone: '+15550100800', name: 'Rome' })
  for (const [id, at, recipient] of [
    ['msg_93', 1, '+15550100801'],
    ['msg_92', 2, '+15550100800'],
    ['msg_91', 3, '+15550100801'],
  ] as const) {
    const payload = JSON.stringify({ type: 'text', text: { body: 'Rome' } })
    const place = { workspaceId, channelId, lineId: line.id, recipient }
    await write.acceptMessage(draft({ id, ...place, createdAt: t0 + at, dispatchedAt: null, type: 'text', payload }))
  }
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await findMeant(
      { read, isLate: () => false, turn: async () => {} },
      { filter: { workspaceId, status: ['QUEUED'] }, written: 'Rome', cursor, limit: 2 },
    )
    found.push(...page.messages.map(({ id }) => id))
    cursor = page.older ?? undefined
  } while (cursor !== undefined)
  expect(found.toSorted()).toEqual(['msg_91', 'msg_92', 'msg_93'])
})

test('a step over messages that the database cannot tell apart ends before it keeps the thread', async () => {
  const { workspaceId, channelId, line } = await gateway.addWorkspace()
  const { read, write } = gateway.gateway.store
  const place = { workspaceId, channelId, lineId: line.id, type: 'text' } as const
  const ids = Array.from({ length: 150 }, (_, n) => `msg_${1_000 + n}`)
  await Promise.all(
    ids.map((id, n) => {
      const payload = JSON.stringify({ type: 'text', text: { body: n % 2 === 0 ? 'Привет' : 'Заказы' } })
      return write.acceptMessage(draft({ id, ...place, createdAt: t0 + n, payload }))
    }),
  )
  const meant = [{ words: 'привет', digits: null, recipients: new Set<string>(), templates: new Map() }]
  const search = { workspaceId, meant, direction: 'older', limit: 100, scan: 500 } as const
  const first = await read.searchMessages(search)
  const second = await read.searchMessages({ ...search, cursor: first.next ?? '' })
  expect([first.messages.length, second.messages.length, second.next]).toEqual([50, 25, null])
  const found = [...first.messages, ...second.messages].map(({ id }) => id)
  expect(found).toEqual(ids.filter((_, n) => n % 2 === 0).toReversed())
})
