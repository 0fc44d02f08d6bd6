import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { dayMs, minuteMs } from '../../src/base/durations.ts'
import { ManualClock } from '../clock.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { addPerson, addUser, type CallInit, call, cookiesOf, password } from './people.ts'

const clock = new ManualClock(Date.now())
const gateway = sharedFixture(() => startTestGateway({ clock }))

const login = (body: object, headers?: Record<string, string>) =>
  call(gateway, '/api/v1/auth/login', { body, ...(headers && { headers }) })
const post = (path: string, cookie: string, init: CallInit = {}) =>
  call(gateway, `/api/v1/auth/${path}`, { method: 'POST', ...init, headers: { cookie, ...init.headers } })
const me = (accessToken: string) =>
  call(gateway, '/api/v1/auth/me', { headers: { authorization: `Bearer ${accessToken}` } })

/** Without the cookie of the browser, which only shows in the limits of failed sign-ins. */
const refreshCookieOf = (cookies: string) => cookies.split('; ').find(cookie => cookie.startsWith('waypost_refresh='))

describe('signing in', () => {
  test('200: answers a token for ten minutes, the user and the workspaces with roles', async () => {
    const { id, email } = await addUser(gateway, 'admin')
    const answer = await login({ email: ` ${email.toUpperCase()} `, password })
    expect(answer.status).toBe(200)
    const { accessToken, expiresAt, ...account } = answer.json
    expect(account).toEqual({
      user: { id, email, name: null, hasSecondFactor: false },
      preferences: { enterSends: null, notifications: 'off', sound: false, notificationText: false, language: null },
      workspaces: [{ id: gateway.workspaceId, name: 'Acme', role: 'admin' }],
    })
    expect(expiresAt).toBe(new Date(clock.now() + 10 * minuteMs).toISOString())
    expect((await me(accessToken)).json).toEqual(account)
    clock.advance(10 * minuteMs)
    expect((await me(accessToken)).status).toBe(401)
  })

  test('the refresh cookie is out of reach of scripts and of other sites, and of plain HTTP behind TLS', async () => {
    const { email } = await addUser(gateway, 'viewer')
    const cookies = (await login({ email, password })).headers.getSetCookie()
    expect(cookies).toHaveLength(2)
    for (const cookie of cookies) {
      expect(cookie).toMatch(
        /^waypost_(refresh|device)=[\w.-]+; Path=\/api\/v1\/auth; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
      )
    }
    const behindTls = await startTestGateway({ env: { PUBLIC_URL: 'https://gw.example.com' } })
    try {
      const user = await addUser(behindTls, 'viewer')
      const answer = await call(behindTls, '/api/v1/auth/login', { body: { email: user.email, password } })
      expect(answer.headers.getSetCookie().map(cookie => cookie.includes('; Secure;'))).toEqual([true, true])
    } finally {
      await behindTls.stop()
    }
  })

  test('401 UNAUTHORIZED: a wrong password and an unknown address are answered alike', async () => {
    const { email } = await addUser(gateway, 'owner')
    const wrong = await login({ email, password: 'something else' })
    const unknown = await login({ email: 'nobody@example.com', password })
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.json).toEqual({ error: 'UNAUTHORIZED', message: 'The email address or the password is wrong.' })
    expect(unknown.text).toBe(wrong.text)
    expect([...wrong.headers.getSetCookie(), ...unknown.headers.getSetCookie()]).toEqual([])
  })

  const malformed: readonly [name: string, init: CallInit & { text?: string }, expected: string][] = [
    ['no body', { method: 'POST' }, '400 VALIDATION_ERROR'],
    ['no password', { body: { email: 'a@example.com' } }, '400 VALIDATION_ERROR'],
    ['an unknown field', { body: { email: 'a@example.com', password, remember: true } }, '400 VALIDATION_ERROR'],
    ['no address', { body: { email: 'ada', password } }, '400 VALIDATION_ERROR'],
    ['a list', { body: [] }, '400 VALIDATION_ERROR'],
    ['a password too long', { body: { email: 'a@example.com', password: 'x'.repeat(1_025) } }, '400 VALIDATION_ERROR'],
    ['a large body', { body: { email: 'a@example.com', password: 'x'.repeat(140_000) } }, '413 PAYLOAD_TOO_LARGE'],
    [
      'a form',
      { body: { email: 'a@example.com', password }, headers: { 'content-type': 'text/plain' } },
      '415 UNSUPPORTED_MEDIA_TYPE',
    ],
  ]
  test.each(malformed)('%s is refused, without the password in the answer', async (_, init, expected) => {
    const answer = await call(gateway, '/api/v1/auth/login', init)
    expect(`${answer.status} ${answer.json?.error}`).toBe(expected)
    expect(answer.text).not.toContain(password)
  })
})

describe('refreshing', () => {
  let person: Awaited<ReturnType<typeof addPerson>>
  beforeEach(async () => {
    person = await addPerson(gateway, 'member')
  })

  test('200: gives another access token and another cookie, again and again', async () => {
    let cookie = person.cookie
    for (let round = 0; round < 3; round += 1) {
      clock.advance(9 * minuteMs)
      const answer = await post('refresh', cookie)
      expect(answer.status).toBe(200)
      expect((await me(answer.json.accessToken)).json.user.email).toBe(person.email)
      expect(cookiesOf(answer.headers)).not.toBe(refreshCookieOf(cookie) ?? '')
      cookie = cookiesOf(answer.headers)
    }
  })

  test('200: asked twice within ten seconds, it gives the same cookie: two tabs, or an answer that was lost', async () => {
    const [first, second] = await Promise.all([post('refresh', person.cookie), post('refresh', person.cookie)])
    clock.advance(9_999)
    const third = await post('refresh', person.cookie)
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200])
    expect(new Set([first, second, third].map(({ headers }) => cookiesOf(headers))).size).toBe(1)
    clock.advance(2 * minuteMs)
    expect((await post('refresh', cookiesOf(second.headers))).status).toBe(200)
  })

  test('401 UNAUTHORIZED: an old token ends the sign-in, for its thief and for the user', async () => {
    const newer = await post('refresh', person.cookie)
    clock.advance(10_000)
    expect((await post('refresh', person.cookie)).status).toBe(401)
    expect((await post('refresh', cookiesOf(newer.headers))).status).toBe(401)
    expect((await me(newer.json.accessToken)).status).toBe(401)
    expect((await me(person.accessToken)).status).toBe(401)
    const [entry] = await gateway.gateway.store.read.auditEntries({ limit: 1 })
    expect(entry).toMatchObject({ actor: `console:${person.email}`, action: 'session.reused', subject: person.id })
  })

  test('401 UNAUTHORIZED: two refreshes back is an old token, however quickly it is used', async () => {
    const second = await post('refresh', person.cookie)
    await post('refresh', cookiesOf(second.headers))
    expect((await post('refresh', person.cookie)).status).toBe(401)
    expect((await post('refresh', cookiesOf(second.headers))).status).toBe(401)
  })

  test('401 UNAUTHORIZED: an unknown token ends nothing', async () => {
    const forged = `waypost_refresh=${'a'.repeat(22)}.${'b'.repeat(43)}`
    for (const cookie of [forged, 'waypost_refresh=x', 'waypost_refresh=', 'other=1']) {
      expect((await post('refresh', cookie)).status).toBe(401)
    }
    expect((await post('refresh', person.cookie)).status).toBe(200)
  })

  test('401 UNAUTHORIZED: a sign-in ends after two weeks without a refresh, and after 90 days with them', async () => {
    clock.advance(14 * dayMs)
    expect((await post('refresh', person.cookie)).status).toBe(401)
    const { cookie: first } = await addPerson(gateway, 'member')
    let cookie = first
    for (let day = 10; day < 90; day += 10) {
      clock.advance(10 * dayMs)
      const answer = await post('refresh', cookie)
      expect(answer.status).toBe(200)
      cookie = cookiesOf(answer.headers)
    }
    clock.advance(10 * dayMs)
    expect((await post('refresh', cookie)).status).toBe(401)
  })
})

describe('signing out', () => {
  test('200: ends this sign-in at once and no other, and deletes the cookie', async () => {
    const { email } = await addUser(gateway, 'member')
    const [here, there] = [await login({ email, password }), await login({ email, password })]
    const answer = await post('logout', cookiesOf(here.headers))
    expect(answer.json).toEqual({ ended: 1 })
    expect(answer.headers.getSetCookie().join()).toStartWith('waypost_refresh=; Path=/api/v1/auth; Max-Age=0;')
    expect((await me(here.json.accessToken)).status).toBe(401)
    expect((await post('refresh', cookiesOf(here.headers))).status).toBe(401)
    expect((await me(there.json.accessToken)).status).toBe(200)
    expect((await post('logout', cookiesOf(here.headers))).json).toEqual({ ended: 0 })
    const [entry] = await gateway.gateway.store.read.auditEntries({ limit: 1 })
    expect(entry).toMatchObject({ actor: `console:${email}`, action: 'session.end' })
  })

  test('200: everywhere ends every sign-in of the user, and nobody else is signed out', async () => {
    const other = await addPerson(gateway, 'member')
    const { email } = await addUser(gateway, 'member')
    const [here, there] = [await login({ email, password }), await login({ email, password })]
    const headers = { authorization: `Bearer ${here.json.accessToken}` }
    expect((await call(gateway, '/api/v1/auth/logout-all', { method: 'POST', headers })).json).toEqual({ ended: 2 })
    for (const { json, headers } of [here, there]) {
      expect((await me(json.accessToken)).status).toBe(401)
      expect((await post('refresh', cookiesOf(headers))).status).toBe(401)
    }
    expect((await other.call('/api/v1/auth/me')).status).toBe(200)
  })

  test('a password that a command resets ends every sign-in', async () => {
    const person = await addPerson(gateway, 'owner')
    const change = { userId: person.id, passwordHash: '$argon2id$other', at: clock.now() }
    await gateway.gateway.store.write.resetPassword(change)
    expect((await person.call('/api/v1/auth/me')).status).toBe(401)
  })
})

describe('403 FORBIDDEN: a page of another site', () => {
  const foreign: readonly [name: string, headers: Record<string, string>][] = [
    ['by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['on the same site, but another host', { 'sec-fetch-site': 'same-site' }],
    ['by its origin', { origin: 'https://evil.example' }],
    ['without an origin to name', { origin: 'null' }],
  ]
  test.each(foreign)('%s can neither sign in, refresh nor sign out', async (_, headers) => {
    const person = await addPerson(gateway, 'member')
    const answers = [
      await login({ email: person.email, password }, headers),
      await post('refresh', person.cookie, { headers }),
      await post('logout', person.cookie, { headers }),
    ]
    expect(answers.map(({ status, json }) => `${status} ${json.error}`)).toEqual(Array(3).fill('403 FORBIDDEN'))
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([])
    expect((await post('refresh', person.cookie)).status).toBe(200)
  })

  test('200: the own pages can', async () => {
    const person = await addPerson(gateway, 'member')
    for (const headers of [{ origin: gateway.url }, { 'sec-fetch-site': 'same-origin', origin: gateway.url }]) {
      expect((await login({ email: person.email, password }, headers)).status).toBe(200)
    }
  })
})

describe('429 RATE_LIMIT_EXCEEDED: failed sign-ins', () => {
  let proxied: TestGateway
  beforeAll(async () => {
    proxied = await startTestGateway({ clock, env: { TRUST_PROXY: '127.0.0.1' } })
  })
  afterAll(() => proxied.stop())
  // Those of other tests count no more.
  beforeEach(() => clock.advance(60 * minuteMs))

  const guess = (email: string, from: string, headers: Record<string, string> = {}) =>
    call(proxied, '/api/v1/auth/login', {
      body: { email, password: 'a wrong password' },
      headers: { 'x-forwarded-for': from, ...headers },
    })
  const enter = (email: string, from: string, headers: Record<string, string> = {}) =>
    call(proxied, '/api/v1/auth/login', { body: { email, password }, headers: { 'x-forwarded-for': from, ...headers } })

  test('five of one account from one address; other addresses and accounts go on', async () => {
    const { email } = await addUser(proxied, 'owner')
    const { email: other } = await addUser(proxied, 'owner')
    // At once: each is counted before its password is checked.
    const guesses = await Promise.all(Array.from({ length: 7 }, () => guess(email, '203.0.113.1')))
    expect(guesses.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429, 429])
    const refused = await enter(email, '203.0.113.1')
    expect(`${refused.status} ${refused.json.error}`).toBe('429 RATE_LIMIT_EXCEEDED')
    const retryAfter = Number(refused.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(0)
    expect((await enter(other, '203.0.113.1')).status).toBe(200)
    expect((await enter(email, '203.0.113.2')).status).toBe(200)
    clock.advance(retryAfter * 1_000)
    expect((await enter(email, '203.0.113.1')).status).toBe(200)
  })

  test('an unknown address is counted like a known one', async () => {
    for (let count = 0; count < 5; count += 1) await guess('nobody@example.com', '203.0.113.1')
    expect((await guess('nobody@example.com', '203.0.113.1')).status).toBe(429)
  })

  test('what succeeds does not count', async () => {
    const { email } = await addUser(proxied, 'owner')
    for (let count = 0; count < 7; count += 1) expect((await enter(email, '203.0.113.1')).status).toBe(200)
  })

  test('guesses from everywhere do not lock the owner out of a browser that signed in before', async () => {
    const { email } = await addUser(proxied, 'owner')
    const before = await enter(email, '203.0.113.1')
    const cookie = cookiesOf(before.headers)
    const statuses: number[] = []
    for (let count = 0; count < 21; count += 1) statuses.push((await guess(email, `198.51.100.${count}`)).status)
    expect(statuses).toEqual([...Array(20).fill(401), 429])
    expect((await enter(email, '203.0.113.1')).status).toBe(429)
    expect((await enter(email, '203.0.113.1', { cookie })).status).toBe(200)
    // The cookie is of this account alone, and its own guesses are counted.
    const { email: other } = await addUser(proxied, 'owner')
    for (let count = 0; count < 5; count += 1) await guess(other, '203.0.113.9', { cookie })
    expect((await guess(other, '203.0.113.9', { cookie })).status).toBe(429)
    for (let count = 0; count < 10; count += 1) await guess(email, '203.0.113.1', { cookie })
    expect((await enter(email, '203.0.113.1', { cookie })).status).toBe(429)
  })
})

test('a flood of guesses neither counts against the owner nor shuts out a browser that signed in before', async () => {
  const proxied = await startTestGateway({ clock, env: { TRUST_PROXY: '127.0.0.1' }, hashesSlowly: true })
  try {
    const { email } = await addUser(proxied, 'owner')
    const enter = (given: string, from: string, headers = {}, body = { email: given, password }) =>
      call(proxied, '/api/v1/auth/login', { body, headers: { 'x-forwarded-for': from, ...headers } })
    const cookie = cookiesOf((await enter(email, '203.0.113.1')).headers)
    const [flood, owner, known] = await Promise.all([
      Promise.all(Array.from({ length: 40 }, (_, at) => enter(`${at}@example.com`, `198.51.100.${at}`))),
      Promise.all(Array.from({ length: 6 }, () => enter(email, '203.0.113.2'))),
      enter(email, '203.0.113.2', { cookie }),
    ])
    for (const { status } of flood) expect([401, 503]).toContain(status)
    for (const { status } of owner) expect([200, 503]).toContain(status)
    expect(known.status).toBe(200)
    expect((await enter(email, '203.0.113.2')).status).toBe(200)
  } finally {
    await proxied.stop()
  }
})

test('nothing that opens a sign-in is stored in the clear', async () => {
  const person = await addPerson(gateway, 'owner')
  const files = new Bun.Glob('**/*').scanSync({ cwd: gateway.dataDir, absolute: true })
  const stored = await Promise.all([...files].map(file => Bun.file(file).bytes()))
  const secrets = [password, person.accessToken, ...person.cookie.split(/[;=.\s]+/).filter(part => part.length > 20)]
  expect(secrets.length).toBeGreaterThanOrEqual(6)
  for (const bytes of stored) for (const secret of secrets) expect(Buffer.from(bytes).includes(secret)).toBe(false)
})
