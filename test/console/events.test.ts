import { beforeAll, expect, test } from 'bun:test'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { sharedFixture } from '../fixture.ts'
import { type Key, startTestGateway } from '../gateway.ts'
import { addPerson, call, type Person, password } from './people.ts'

let person: Person
const gateway = sharedFixture(startTestGateway)
beforeAll(async () => {
  person = await addPerson(gateway, 'viewer')
})

/** An open connection to the events of a workspace, read event by event. */
async function follow(lastId?: string, { accessToken } = person, workspaceId = gateway.workspaceId) {
  const connection = new AbortController()
  const response = await fetch(`${gateway.url}/api/v1/workspaces/${workspaceId}/events`, {
    headers: { authorization: `Bearer ${accessToken}`, ...(lastId && { 'last-event-id': lastId }) },
    signal: connection.signal,
  })
  const reader = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  /** Null at the end of the stream. */
  async function next(): Promise<{
    id: string | undefined
    type: string | undefined
    data: Record<string, unknown>
  } | null> {
    const { value } = (await reader?.read()) ?? {}
    return value ? { id: value.id, type: value.event, data: JSON.parse(value.data) } : null
  }
  return { response, next, close: () => connection.abort() }
}

const send = async (key?: Key) =>
  (await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hi' }, { ...key })).json.data.id

test('404 NOT_FOUND: HEAD would read a stream that has no end', async () => {
  const { status } = await fetch(`${gateway.url}/api/v1/workspaces/${gateway.workspaceId}/events`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${person.accessToken}` },
  })
  expect(status).toBe(404)
})

test('200: a send is told, by the id of its message', async () => {
  // A workspace of its own, in which no other test sends.
  const { workspaceId, key } = await gateway.addWorkspace()
  const member = await addPerson(gateway, 'viewer', workspaceId)
  const { response, next, close } = await follow(undefined, member, workspaceId)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await next()).toMatchObject({ type: 'changes', data: { subjects: [], messageIds: [] } })
  const id = await send(key)
  // The call of the key is told too, with it or later.
  const subjects = expect.arrayContaining(['messages'])
  expect(await next()).toMatchObject({ type: 'changes', data: { subjects, messageIds: [id] } })
  close()
})

test('200: what conversations show otherwise from now on is told to who looks at one', async () => {
  // Nothing else happens in this workspace.
  const { workspaceId, line } = await gateway.addWorkspace()
  const admin = await addPerson(gateway, 'admin', workspaceId)
  const { next, close } = await follow(undefined, admin, workspaceId)
  await next()
  const path = `/api/v1/workspaces/${workspaceId}`
  for (const [what, method, body] of [
    ['settings/deleted-messages', 'PUT', { deletedMessages: 'hide' }],
    [`lines/${line.id}`, 'PATCH', { label: 'Berlin' }],
    [`lines/${line.id}`, 'PATCH', { active: false }],
  ] as const) {
    expect([what, (await admin.call(`${path}/${what}`, { method, body })).status]).toEqual([what, 200])
    expect(await next()).toMatchObject({ type: 'changes', data: { subjects: ['contacts'] } })
  }
  close()
})

test('200: a connection that was lost goes on behind the last event', async () => {
  const first = await follow()
  const begun = await first.next()
  first.close()
  const id = await send()
  const second = await follow(begun?.id ?? '')
  // It may come back before the change is told.
  const told: unknown[] = []
  while (!told.includes(id)) told.push(...[(await second.next())?.data.messageIds].flat())
  second.close()
})

test('200: an event that nobody remembers means to read everything again', async () => {
  const { next, close } = await follow('of-another-run.7')
  expect(await next()).toMatchObject({ type: 'reset', id: expect.any(String) })
  close()
})

test('the stream ends soon after the user signed out, or ended the sign-in from another browser', async () => {
  // Nothing else happens in this workspace.
  const { workspaceId } = await gateway.addWorkspace()
  const leaving = await addPerson(gateway, 'viewer', workspaceId)
  const ended = await addPerson(gateway, 'viewer', workspaceId)
  const streams = await Promise.all([leaving, ended].map(person => follow(undefined, person, workspaceId)))
  for (const { next } of streams) await next()
  await call(gateway, '/api/v1/auth/logout', { method: 'POST', headers: { cookie: leaving.cookie } })
  const [signIn] = (await ended.call('/api/v1/auth/account/sign-ins')).json.signIns
  const elsewhere = await call(gateway, '/api/v1/auth/login', { body: { email: ended.email, password } })
  const authorization = `Bearer ${elsewhere.json.accessToken}`
  const path = `/api/v1/auth/account/sign-ins/${signIn.id}`
  expect((await call(gateway, path, { method: 'DELETE', headers: { authorization } })).status).toBe(200)
  expect(await Promise.all(streams.map(({ next }) => next()))).toEqual([null, null])
})

test('503 SERVICE_UNAVAILABLE: no more connections than a workspace may have', async () => {
  const { workspaceId } = await gateway.addWorkspace()
  const members = [
    await addPerson(gateway, 'viewer', workspaceId),
    await addPerson(gateway, 'viewer', workspaceId),
    await addPerson(gateway, 'viewer', workspaceId),
  ]
  const open = await Promise.all(
    members.flatMap(member => Array.from({ length: 9 }, () => follow(undefined, member, workspaceId))),
  )
  const refused = open.filter(({ response }) => response.status === 503)
  expect(refused.length).toBeGreaterThanOrEqual(7)
  for (const { close } of open) close()
})

test('a stop waits for no connection', async () => {
  const short = await startTestGateway()
  const watcher = await addPerson(short, 'viewer')
  const response = await fetch(`${short.url}/api/v1/workspaces/${short.workspaceId}/events`, {
    headers: { authorization: `Bearer ${watcher.accessToken}` },
  })
  const whole = response.text()
  await short.stop()
  expect(await whole).toContain('event: changes')
})
