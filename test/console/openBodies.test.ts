import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { exchangeRaw, rawHead } from '../http/rawHttp.ts'
import { accessTable } from './access.ts'
import { addUser, call, password } from './people.ts'

/* What strangers may send to the routes that ask for no access token. */

const gateway = sharedFixture(() => startTestGateway({ env: { TRUST_PROXY: '127.0.0.1' } }))

const head = (route: string, headers: Record<string, string>) =>
  rawHead(route, { Host: 'localhost', 'Content-Type': 'application/json', ...headers })

const openRoutes = Object.entries(accessTable).flatMap(([route, access]) => (access === 'open' ? [route] : []))

test.each(openRoutes)('413 PAYLOAD_TOO_LARGE: %s takes 4 KB, and waits for no more', async route => {
  const declared = await exchangeRaw(gateway.url, head(route, { 'Content-Length': '4097' }), '{')
  expect(declared.status).toBe(413)
  const piece = `1001\r\n${' '.repeat(4_097)}\r\n`
  const chunked = await exchangeRaw(gateway.url, head(route, { 'Transfer-Encoding': 'chunked' }), piece)
  expect(chunked.status).toBe(413)
})

test('503 SERVICE_UNAVAILABLE: unfinished bodies of one caller find no more place; others sign in', async () => {
  const { email } = await addUser(gateway, 'viewer')
  const headers = { 'X-Forwarded-For': '203.0.113.7', 'Content-Length': '4096' }
  const refused: string[] = []
  const sockets: Socket[] = []
  for (let count = 0; count < 1_100; count += 1) {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.write(head('POST /api/v1/auth/login', headers) + ' '.repeat(4_095))
    socket.on('data', data => refused.push(String(data).slice(0, 12)))
    socket.on('error', () => {})
    sockets.push(socket)
  }
  try {
    // 4 MiB hold 1,024 of them.
    await eventually(() => expect(refused).toEqual(Array(76).fill('HTTP/1.1 503')))
    const other = { body: { email, password }, headers: { 'x-forwarded-for': '203.0.113.8' } }
    expect((await call(gateway, '/api/v1/auth/login', other)).status).toBe(200)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
