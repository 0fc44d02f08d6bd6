import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { callbackUrl } from '../callbacks/report.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { callbackOf, postCallback } from '../upstream.ts'

let gateway: TestGateway
let socket: Socket | undefined
beforeEach(async () => {
  // A stop waits so long for a request in flight: one that is held up by it is told from one that a busy machine slows
  // down.
  gateway = await startTestGateway({ env: { SEND_WAIT_MS: '60000' } })
})
afterEach(async () => {
  socket?.destroy()
  await gateway.stop()
})

/** Sends the head of a request and so much of its body, and keeps the connection. @returns the status of the answer */
async function begin(path: string, headers: Record<string, string>, bytes: number): Promise<number> {
  const { hostname, port } = new URL(gateway.url)
  const opened = connect(Number(port), hostname)
  socket = opened
  opened.on('error', () => {})
  const answer = new Promise<string>(resolve => opened.once('data', data => resolve(data.toString('latin1'))))
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  opened.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${' '.repeat(bytes)}`)
  return Number((await answer).split(' ')[1])
}

/** Far less than a request in flight may take, and than an idle connection lives. Speed is not judged by it. */
const heldUpAfterMs = hungAfterMs / 4

/** Stops the gateway. @returns whether nothing held up the stop */
async function stopping(stop = gateway.stop): Promise<string> {
  const stopped = stop().then(() => 'stopped')
  const { promise: limit, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve(`still running after ${heldUpAfterMs} ms`), heldUpAfterMs)
  const first = await Promise.race([stopped, limit])
  clearTimeout(timer)
  return first
}

const length = 900_000
const rows = [
  ['415', 415, () => ({ ...gateway.key, 'content-type': 'text/plain' })],
  ['401', 401, () => ({ 'content-type': 'application/json' })],
  ['404', 404, () => ({ ...gateway.key, 'content-type': 'application/json' })],
] as const

describe.each([
  ['a part of its body', 1_000],
  ['its whole body', length],
])('a caller who has sent %s', (_, bytes) => {
  test.each(rows)('and was refused with %s does not hold up the stop', async (_, status, headers) => {
    const path = status === 404 ? '/api/v1/public/nothing' : '/api/v1/public/messages/send'
    expect(await begin(path, { ...headers(), 'content-length': String(length) }, bytes)).toBe(status)
    expect(await stopping()).toBe('stopped')
  })
})

test('a listing that has pages to go does not hold up the stop', async () => {
  const { promise: never, resolve } = Promise.withResolvers<Response>()
  let pages = 0
  gateway.upstream.listing = () => {
    pages += 1
    return pages === 2 ? never : Response.json({ data: [], paging: { cursors: { after: `${pages}` }, next: 'x' } })
  }
  const value = { message_template_name: 'a', message_template_language: 'en_US', event: 'APPROVED' }
  const body = callbackOf([{ field: 'message_template_status_update', value }], { time: 1_768_435_200 })
  await postCallback(callbackUrl(gateway), body, gateway.appSecret)
  await eventually(() => expect(pages).toBe(2))
  expect(await stopping()).toBe('stopped')
  resolve(new Response())
})

test('callers whose messages wait in a paced line are answered QUEUED at once, and what waits is on disk for the next start', async () => {
  const line = await gateway.addLine({ perSecond: 1 })
  const send = (number: number) =>
    gateway.send({ type: 'text', phone: `+155501002${10 + number}`, content: 'Hello', phoneNumberId: line.id })
  const count = 30
  const answers = Array.from({ length: count }, (_, number) => send(number))
  await eventually(async () => {
    const messages = await gateway.messages()
    expect(messages).toHaveLength(count)
    expect(messages.map(({ status }) => status)).toContain('SENT')
  })

  expect(await stopping(gateway.gateway.stop)).toBe('stopped')

  const statuses = (await Promise.all(answers)).map(({ status, json }) => `${status} ${json.data.status}`)
  expect(statuses.sort().slice(0, 3)).toEqual(['201 QUEUED', '201 QUEUED', '201 QUEUED'])
  const database = new Database(join(gateway.dataDir, 'waypost.db'), { readonly: true })
  const rows = database.query('SELECT status, dispatched_at IS NULL AS waits FROM messages').all()
  database.close()
  const waiting = statuses.filter(status => status.endsWith('QUEUED')).length
  expect(rows.filter(row => Bun.deepEquals(row, { status: 'QUEUED', waits: 1 }))).toHaveLength(waiting)
  expect(rows.filter(row => Bun.deepEquals(row, { status: 'SENT', waits: 0 }))).toHaveLength(count - waiting)
})
