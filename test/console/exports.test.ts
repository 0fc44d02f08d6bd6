import { Database } from 'bun:sqlite'
import { beforeAll, expect, mock, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { dayMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { csvLines } from '../../src/console/messages/csv.ts'
import { draft } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { rawHead } from '../http/rawHttp.ts'
import { addPerson, type Person } from './people.ts'

/** Far more than what the sockets of an export hold while nobody reads. */
const messagesCount = 40_000

let path: string
const gateway = sharedFixture(startTestGateway)
beforeAll(async () => {
  path = `/api/v1/workspaces/${gateway.workspaceId}/messages?format=csv`
  await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hello' })
  copyMessage(`${gateway.dataDir}/waypost.db`)
})

/** Makes many of the one message that is there. */
function copyMessage(file: string): void {
  using db = new Database(file)
  const columns = db.query<{ name: string }, []>('PRAGMA table_info(messages)').all()
  const own = new Map([
    ['id', "printf('msg_%08d', n)"],
    ['seq', 'seq + n'],
    ['idempotency_key', "printf('key-%d', n)"],
    ['channel_message_id', "printf('wamid.copy%d', n)"],
  ])
  const names = columns.map(({ name }) => name)
  db.run(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${messagesCount})
     INSERT INTO messages (${names.join()}) SELECT ${names.map(name => own.get(name) ?? name).join()} FROM messages, numbers`,
  )
  db.run("DELETE FROM properties WHERE name = 'counted'")
  db.run(`UPDATE daily_counts SET count = count + ${messagesCount} WHERE kind = 'SENT'`)
}

/** Asks for an export, and reads no more than its beginning. @returns the status */
function begin({ accessToken }: Person, sockets: Socket[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    sockets.push(socket)
    socket.on('error', reject)
    socket.once('data', data => {
      socket.pause()
      resolve(Number(String(data).slice(9, 12)))
    })
    socket.write(rawHead(`GET ${path}`, { Host: 'localhost', Authorization: `Bearer ${accessToken}` }))
  })
}

test('429 RATE_LIMIT_EXCEEDED: two exports of a user and three of a workspace at once; one that is cut makes place', async () => {
  const [ada, grace] = [await addPerson(gateway, 'viewer'), await addPerson(gateway, 'viewer')]
  const sockets: Socket[] = []
  const statuses: number[] = []
  for (const person of [ada, ada, ada, grace, grace]) statuses.push(await begin(person, sockets))
  expect(statuses).toEqual([200, 200, 429, 200, 429])
  const refused = await grace.call(path)
  expect(refused.json.error).toBe('RATE_LIMIT_EXCEEDED')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // Lists and searches have places of their own.
  expect((await grace.call(path.replace('?format=csv', ''))).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  const later: Socket[] = []
  await eventually(async () => expect(await begin(ada, later)).toBe(200))
  for (const socket of later) socket.destroy()
})

test('200: exports that are cut before their first byte, and those that end, keep no place', async () => {
  const person = await addPerson(gateway, 'viewer')
  for (let count = 0; count < 5; count += 1) {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.on('error', () => {})
    const head = rawHead(`GET ${path}`, { Host: 'localhost', Authorization: `Bearer ${person.accessToken}` })
    await new Promise<void>(resolve => socket.write(head, () => resolve()))
    socket.destroy()
  }
  const none = `${path}&status=FAILED`
  await eventually(async () => expect((await person.call(none)).status).toBe(200))
  for (let count = 0; count < 5; count += 1) expect((await person.call(none)).status).toBe(200)
})

test('200: the count of whole days is exact, and of anything else at least so many', async () => {
  const person = await addPerson(gateway, 'viewer')
  const today = Math.floor(Date.now() / dayMs) * dayMs
  const count = async (query: string, since = today - dayMs) => {
    const at = new Date(since).toISOString()
    return (await person.call(`${path.split('messages')[0]}message-count?since=${at}&${query}`)).json
  }
  const all = { count: messagesCount + 1, isMore: false }
  const atLeast = { count: 1_000, isMore: true }
  const none = { count: 0, isMore: false }
  expect(await count('')).toEqual(all)
  expect(await count('status=SENT,READ')).toEqual(all)
  expect(await count('status=READ')).toEqual(none)
  expect(await count(`until=${new Date(today - dayMs / 2).toISOString()}`)).toEqual(none)
  expect(await count('type=text')).toEqual(atLeast)
  expect(await count('', today - dayMs - 1)).toEqual(atLeast)
})

test('200: a row of the CSV names the line, the key, the person and the error as the list does', async () => {
  const person = await addPerson(gateway, 'viewer')
  const { workspaceId, channelId, line } = gateway
  await gateway.gateway.store.write.changeLine({ lineId: line.id, label: 'Berlin' })
  const { write } = gateway.gateway.store
  const [key, recipient, at] = ['pk_export', '+15550100901', Date.UTC(2026, 0, 31)]
  await write.createKey({ id: key, workspaceId, label: 'Shop "backend"', createdAt: at, secretHash: 'none' })
  const ofPerson = { id: newId('contact'), workspaceId, phone: recipient, userId: null, name: '=Ada, Countess' }
  await write.saveContact({ ...ofPerson, createdAt: at, updatedAt: at })
  const own = { id: newId('msg'), workspaceId, channelId, lineId: line.id, createdAt: at, dispatchedAt: at }
  await write.acceptMessage(draft({ ...own, recipient, apiKeyId: key }))
  const event = { kind: 'refused', at, reason: '131026: Message undeliverable' } as const
  await write.recordEvent({ messageId: own.id, event, detail: null, recordedAt: at })
  const range = `since=${new Date(at).toISOString()}&until=${new Date(at + 1).toISOString()}`
  const [heading = '', row = ''] = (await person.call(`${path}&${range}`)).text.split('\r\n')
  expect(heading).toEndWith(
    ',contactName,lineNumber,lineLabel,keyLabel,memberName,errorCode,error,priceCategory,priceType,billable',
  )
  expect(row).toEndWith(
    `,"'=Ada, Countess","\t${line.number}",Berlin,"Shop ""backend""",,131026,Number cannot be reached,,,`,
  )
})

test('the keys are read once for a table, however many steps its messages take', async () => {
  const { workspaceId } = gateway
  const { read } = gateway.gateway.store
  const { messages } = await read.searchMessages({ workspaceId, direction: 'older', limit: 3, scan: 3 })
  async function* steps() {
    for (const message of messages) yield [message]
  }
  const keys = mock(read.keys)
  const lines = csvLines({ read: { ...read, keys }, turn: async () => {} }, workspaceId, steps())
  expect((await Array.fromAsync(lines)).length).toBe(1 + 3)
  expect(keys).toHaveBeenCalledTimes(1)
})

test('200: tables begin with the mark by which spreadsheets know UTF-8', async () => {
  const { accessToken } = await addPerson(gateway, 'viewer')
  const headers = { authorization: `Bearer ${accessToken}` }
  for (const table of [`${path}&since=2030-01-01T00:00:00Z`, prices()]) {
    const answer = await fetch(gateway.url + table, { headers })
    expect([answer.status, [...(await answer.bytes()).slice(0, 3)]]).toEqual([200, [0xef, 0xbb, 0xbf]])
  }
})
const prices = () => `/api/v1/workspaces/${gateway.workspaceId}/usage/2026-01/prices.csv`
