import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { startTestGateway, type TestGateway } from '../gateway.ts'

let gateway: TestGateway
let socket: Socket
beforeEach(async () => {
  gateway = await startTestGateway()
})
afterEach(async () => {
  socket.destroy()
  await gateway.stop()
})

/** Sends the head of a request and so much of its body, and keeps the connection. @returns the status of the answer */
async function begin(path: string, headers: Record<string, string>, bytes: number): Promise<number> {
  const { hostname, port } = new URL(gateway.url)
  socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const answer = new Promise<string>(resolve => socket.once('data', data => resolve(data.toString('latin1'))))
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${' '.repeat(bytes)}`)
  return Number((await answer).split(' ')[1])
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
    const stopped = gateway.stop().then(() => 'stopped')
    // Longer than a request in flight may need here; far shorter than an idle connection lives.
    const { promise: limit, resolve } = Promise.withResolvers<string>()
    const timer = setTimeout(() => resolve('still running after 3 s'), 3_000)
    expect(await Promise.race([stopped, limit])).toBe('stopped')
    clearTimeout(timer)
  })
})
