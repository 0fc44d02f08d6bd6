import { describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { exchangeRaw, rawHead } from './rawHttp.ts'

const body = JSON.stringify({ type: 'text', phone: '+4915112345678', content: 'Hello' })

const gateway = sharedFixture(startTestGateway)

describe('a stranger never gets past authentication', () => {
  // The router finds the path by looking for the first slash after a fixed number of characters: a short Host shifts
  // it.
  const tricks: readonly [target: string, host: string][] = [
    ['/ab/api/v1/public/templates', 'x'],
    ['/a/api/v1/public/templates', 'x'],
    ['/api/v1/public/templates', 'x'],
    ['/x/api/v1/public/templates', 'ab'],
    ['/api/v1/public/templates', 'abc'],
    ['//api/v1/public/templates', 'localhost'],
    ['/api/v1/public/templates/', 'localhost'],
    ['/api/v1/public/templates?', 'localhost'],
    ['/api/v1/public/templates#', 'localhost'],
    ['/api/v1/%70ublic/templates', 'localhost'],
    ['/api/v1/public%2Ftemplates', 'localhost'],
    ['/api/v1/public/../public/templates', 'localhost'],
    ['/./api/v1/public/templates', 'localhost'],
    ['/livez/../api/v1/public/templates', 'localhost'],
    ['/API/V1/PUBLIC/templates', 'localhost'],
    ['http://localhost/api/v1/public/templates', 'x'],
    ['http://x/ab/api/v1/public/templates', 'x'],
    ['/templates', 'localhost/api/v1/public'],
    ['/livez', 'localhost/api/v1/public/templates?'],
    ['/templates', 'a/b/api/v1/public'],
    ['/api/v1/public/templates', '['],
    ['/api/v1/public/templates', ''],
  ]
  test.each(tricks)('401 or 404: GET %s with Host %p', async (target, host) => {
    const answer = await exchangeRaw(gateway.url, rawHead(`GET ${target}`, { Host: host, Connection: 'close' }))
    expect(answer.body).not.toContain('success')
    if (target !== '/livez') expect([400, 401, 404]).toContain(answer.status)
  })

  test.each(tricks)('401 or 404: POST beside %s with Host %p sends nothing', async (target, host) => {
    const path = target.replace('/templates', '/messages/send')
    const before = gateway.upstream.received.length
    const answer = await exchangeRaw(
      gateway.url,
      rawHead(`POST ${path}`, {
        Host: host,
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
        Connection: 'close',
      }),
      body,
    )
    expect([400, 401, 404]).toContain(answer.status)
    expect(gateway.upstream.received.length).toBe(before)
  })

  test('401 UNAUTHORIZED: without waiting for a body that never comes', async () => {
    const headers = { Host: 'localhost', 'Content-Type': 'application/json', 'Content-Length': '500' }
    const answer = await exchangeRaw(gateway.url, rawHead('POST /api/v1/public/messages/send', headers), '{"type":')
    expect(answer.status).toBe(401)
  })
})

describe('400 VALIDATION_ERROR: two Host headers', () => {
  const paths = ['/livez', '/console', '/docs', '/api/v1/public/templates', '/callbacks/channel/x']
  const asked = paths.flatMap(path => [
    [path, ['localhost', 'evil.example']] as const,
    [path, ['localhost', 'localhost']] as const,
    [path, ['', '']] as const,
  ])
  test.each(asked)('GET %s with Host %p', async (path, [first, second]) => {
    const headers = `Host: ${first}\r\nAccept: */*\r\nHost: ${second}\r\n`
    const key = `apiKey: ${gateway.key.apiKey}\r\napiSecret: ${gateway.key.apiSecret}\r\n`
    const answer = await exchangeRaw(gateway.url, `GET ${path} HTTP/1.1\r\n${headers}${key}Connection: close\r\n\r\n`)
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'VALIDATION_ERROR' })
  })

  test('nothing is sent', async () => {
    const before = gateway.upstream.received.length
    const head = rawHead('POST /api/v1/public/messages/send', {
      Host: 'localhost',
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      apiKey: gateway.key.apiKey,
      apiSecret: gateway.key.apiSecret,
    })
    const answer = await exchangeRaw(gateway.url, head.replace('\r\n\r\n', '\r\nHost: x\r\n\r\n'), body)
    expect(answer.status).toBe(400)
    expect(gateway.upstream.received.length).toBe(before)
  })
})

describe('a hostile Host header is never our failure', () => {
  const hosts = [
    '',
    '[',
    ']',
    '%',
    'a b',
    'x:99999',
    'x:-1',
    '@',
    '\\',
    'a/b',
    '\u00e9',
    '[::1',
    '..',
    'x'.repeat(4_000),
  ]
  test.each(hosts)('no 5xx: Host %p', async host => {
    for (const path of ['/livez', '/api/v1/public/templates', '/callbacks/channel/x', '/nowhere']) {
      const answer = await exchangeRaw(gateway.url, rawHead(`GET ${path}`, { Host: host, Connection: 'close' }))
      expect(answer.status).toBeLessThan(500)
    }
  })

  test.each([
    ['/foo/docs/json', 'a'],
    ['/foo/livez', 'a'],
    ['/a/docs', 'x'],
    ['/ab/api/v1/public/nowhere', 'x'],
    ['/foo/callbacks/channel/x', 'ab'],
  ])('404 NOT_FOUND: GET %s with Host %p is no other path', async (target, host) => {
    const answer = await exchangeRaw(gateway.url, rawHead(`GET ${target}`, { Host: host, Connection: 'close' }))
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([404, 'NOT_FOUND'])
  })

  // A short name is what a proxy in front calls its backend (`proxy_pass http://api`).
  test.each(['api', 'gw', 'x', 'api:80'])('200: a right key works with Host %p on every route', async host => {
    const sent = await gateway.send(JSON.parse(body))
    const headers = { Host: host, apiKey: gateway.key.apiKey, apiSecret: gateway.key.apiSecret, Connection: 'close' }
    const paths = ['/api/v1/public/templates', `/api/v1/public/messages/${sent.json.data.id}`]
    const statuses = []
    for (const path of paths) statuses.push((await exchangeRaw(gateway.url, rawHead(`GET ${path}`, headers))).status)
    expect(statuses).toEqual([200, 200])
  })
})
