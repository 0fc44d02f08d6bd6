import { beforeEach, describe, expect, test } from 'bun:test'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import { totpCode } from '../../src/base/totp.ts'
import { ManualClock } from '../clock.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, startTestGateway } from '../gateway.ts'
import { addPerson, call, cookiesOf, type Person, password } from './people.ts'

const path = '/api/v1/auth/account'
const newPassword = 'another horse battery'

let person: Person
const clock = new ManualClock(Date.now())
const gateway = sharedFixture(() => startTestGateway({ clock, env: { TRUST_PROXY: '127.0.0.1' } }))
beforeEach(async () => {
  // Failed sign-ins of other tests count no more.
  clock.advance(hourMs)
  person = await addPerson(gateway, 'member')
})

const shown = ({ status, json }: Answer) => `${status} ${json?.error ?? 'OK'}`
const login = (body: object) =>
  call(gateway, '/api/v1/auth/login', { body: { email: person.email, password, ...body } })

test('200: a user changes the own name', async () => {
  expect((await person.call(path, { method: 'PATCH', body: { name: 'Ada' } })).json.user.name).toBe('Ada')
  expect((await person.call('/api/v1/auth/me')).json.user.name).toBe('Ada')
  expect((await person.call(path, { method: 'PATCH', body: { name: null } })).json.user.name).toBeNull()
})

test('200: what a user prefers comes with each sign-in; what is not named stays', async () => {
  const first = { enterSends: null, notifications: 'off', sound: false, notificationText: false, language: null }
  expect((await person.call('/api/v1/auth/me')).json.preferences).toEqual(first)
  const choose = (body: object) => person.call(`${path}/preferences`, { method: 'PATCH', body })
  await choose({ enterSends: false, notifications: 'mine' })
  const chosen = { ...first, notifications: 'mine', language: 'pt-BR' }
  expect((await choose({ enterSends: null, language: 'pt-BR' })).json.preferences).toEqual(chosen)
  expect((await login({})).json.preferences).toEqual(chosen)
  expect(shown(await choose({ notifications: 'some' }))).toBe('400 VALIDATION_ERROR')
})

describe('the own password', () => {
  test('200: is changed, and every other sign-in ends', async () => {
    const other = await login({})
    const answer = await person.call(`${path}/password`, { body: { password, newPassword } })
    expect(answer.json).toEqual({ ended: 1 })
    expect((await person.call('/api/v1/auth/me')).status).toBe(200)
    const headers = { cookie: cookiesOf(other.headers) }
    expect((await call(gateway, '/api/v1/auth/refresh', { method: 'POST', headers })).status).toBe(401)
    expect(shown(await login({}))).toBe('401 UNAUTHORIZED')
    expect((await login({ password: newPassword })).status).toBe(200)
  })

  test('400 VALIDATION_ERROR: the old one is needed, and the new one must be long enough', async () => {
    const wrong = await person.call(`${path}/password`, { body: { password: newPassword, newPassword } })
    expect(wrong.json.details.issues).toEqual([{ path: '/password', message: 'is not your password' }])
    const short = await person.call(`${path}/password`, { body: { password, newPassword: 'elevenchars' } })
    expect(short.json.details.issues).toMatchObject([{ path: '/newPassword' }])
    expect((await login({})).status).toBe(200)
  })

  test('429 RATE_LIMIT_EXCEEDED: a stolen token is no way to guess it', async () => {
    const guess = () => person.call(`${path}/password`, { body: { password: newPassword, newPassword } })
    for (let count = 0; count < 10; count += 1) expect((await guess()).status).toBe(400)
    expect(shown(await guess())).toBe('429 RATE_LIMIT_EXCEEDED')
    expect((await login({})).status).toBe(200)
  })
})

describe('the list of sign-ins', () => {
  const list = async (who = person) => (await who.call(`${path}/sign-ins`)).json.signIns
  const end = (id: string, who = person) => who.call(`${path}/sign-ins/${id}`, { method: 'DELETE' })
  const agent = (userAgent: string, address: string) => ({ 'user-agent': userAgent, 'x-forwarded-for': address })
  const linux = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) Version/26.1 Mobile/15E148 Safari/604.1'

  test('200: names browser, network and times of each, and which one asks', async () => {
    const begun = new Date(clock.now()).toISOString()
    const body = { email: person.email, password }
    const other = await call(gateway, '/api/v1/auth/login', { body, headers: agent(linux, '198.51.100.77') })
    const there = await list()
    expect(there).toHaveLength(2)
    expect(there.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toMatchObject({ network: '127.0.0.0/24' })
    const office = there.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    expect(office).toEqual({
      id: expect.any(String),
      device: 'Firefox on Linux',
      network: '198.51.100.0/24',
      signedInAt: begun,
      lastUsedAt: begun,
      isCurrent: false,
    })

    clock.advance(5 * minuteMs)
    const headers = { ...agent(iPhone, '2001:db8:7:8::9'), cookie: cookiesOf(other.headers) }
    await call(gateway, '/api/v1/auth/refresh', { method: 'POST', headers })
    const moved = { device: 'Safari on iPhone', network: '2001:db8:7::/48', signedInAt: begun }
    expect((await list())[0]).toEqual({ ...office, ...moved, lastUsedAt: new Date(clock.now()).toISOString() })
  })

  test('200: one that is ended loses access at once, and the audit says so', async () => {
    const other = (await login({})).json.accessToken
    const headers = { authorization: `Bearer ${other}` }
    const signIn = (await list()).find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    const ended = await end(signIn.id)
    expect([ended.json, ended.headers.getSetCookie()]).toEqual([{ id: signIn.id }, []])
    expect((await call(gateway, '/api/v1/auth/me', { headers })).status).toBe(401)
    expect(await list()).toHaveLength(1)
    expect(shown(await end(signIn.id))).toBe('404 NOT_FOUND')
    const [entry] = await gateway.gateway.store.read.auditEntries({ subject: person.id, limit: 1 })
    expect(entry).toMatchObject({ action: 'session.end', actor: `console:${person.email}` })
  })

  test('200: to end the one that asks is to sign out', async () => {
    const [signIn] = await list()
    expect((await end(signIn.id)).headers.getSetCookie()).toEqual([expect.stringContaining('waypost_refresh=; ')])
    expect((await person.call('/api/v1/auth/me')).status).toBe(401)
  })

  test('404 NOT_FOUND: nobody sees or ends those of another user, an owner neither', async () => {
    const owner = await addPerson(gateway, 'owner')
    const [signIn] = await list()
    expect(await list(owner)).toHaveLength(1)
    const answers = [await end(signIn.id, owner), await end('sess_unknown', owner)]
    expect(answers[0]?.text).toBe(answers[1]?.text ?? '')
    expect(shown(answers[0] as Answer)).toBe('404 NOT_FOUND')
    expect((await person.call('/api/v1/auth/me')).status).toBe(200)
  })

  test('one that expired unused is not listed', async () => {
    clock.advance(15 * 24 * hourMs)
    const again = (await login({})).json.accessToken
    const headers = { authorization: `Bearer ${again}` }
    expect((await call(gateway, `${path}/sign-ins`, { headers })).json.signIns).toHaveLength(1)
  })
})

describe('an authenticator app', () => {
  const stepNow = () => Math.floor(clock.now() / 30_000)
  const codeAt = (secret: string, step = stepNow()) => totpCode(fromBase32(secret), step)

  async function begin(): Promise<string> {
    const answer = await person.call(`${path}/second-factor/start`, { body: { password } })
    expect(answer.json.uri).toContain(`secret=${answer.json.secret}`)
    // A finder pattern stands in the corner, behind the light border.
    expect(answer.json.qr.path).toStartWith('M4 4h1v1h-1zM5 4h1v1h-1z')
    return answer.json.secret
  }
  async function setUp(): Promise<{ secret: string; recoveryCodes: string[] }> {
    const secret = await begin()
    const confirmed = await person.call(`${path}/second-factor/confirm`, { body: { code: codeAt(secret) } })
    expect(confirmed.status).toBe(200)
    // The code that confirmed it is used up.
    clock.advance(30_000)
    return { secret, recoveryCodes: confirmed.json.recoveryCodes }
  }

  test('200: from its confirmation on, a sign-in needs the password and a code', async () => {
    const secret = await begin()
    expect((await login({})).status).toBe(200)
    await person.call(`${path}/second-factor/confirm`, { body: { code: codeAt(secret) } })
    expect((await person.call('/api/v1/auth/me')).json.user.hasSecondFactor).toBe(true)
    clock.advance(30_000)
    expect(shown(await login({}))).toBe('401 SECOND_FACTOR_REQUIRED')
    // Four, since each of three steps may have one of them.
    const taken = [-1, 0, 1].map(steps => codeAt(secret, stepNow() + steps))
    const wrong = ['000000', '000001', '000002', '000003'].find(code => !taken.includes(code))
    expect(shown(await login({ code: wrong }))).toBe('401 UNAUTHORIZED')
    expect(shown(await login({ password: newPassword, code: codeAt(secret) }))).toBe('401 UNAUTHORIZED')
    const code = codeAt(secret)
    expect((await login({ code: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200)
  })

  test('401 UNAUTHORIZED: a wrong password with the right code is answered like any wrong password', async () => {
    const { secret } = await setUp()
    const wrong = await login({ password: newPassword, code: codeAt(secret) })
    const unknown = await call(gateway, '/api/v1/auth/login', {
      body: { email: 'nobody@example.com', password, code: codeAt(secret) },
    })
    expect(wrong.text).toBe(unknown.text)
  })

  test('401 UNAUTHORIZED: a code is taken once, also by two sign-ins at the same moment, and never an earlier one', async () => {
    const { secret } = await setUp()
    const code = codeAt(secret)
    const answers = await Promise.all([login({ code }), login({ code })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(shown(await login({ code: codeAt(secret, stepNow() - 1) }))).toBe('401 UNAUTHORIZED')
    clock.advance(30_000)
    expect((await login({ code: codeAt(secret) })).status).toBe(200)
  })

  test('429 RATE_LIMIT_EXCEEDED: codes cannot be guessed', async () => {
    await setUp()
    for (let count = 0; count < 5; count += 1) expect((await login({ code: '000000' })).status).toBe(401)
    expect(shown(await login({ code: '000000' }))).toBe('429 RATE_LIMIT_EXCEEDED')
  })

  test('429 RATE_LIMIT_EXCEEDED: a password without its code is hashed a few times; with it, nothing counts', async () => {
    const { secret } = await setUp()
    for (let round = 0; round < 6; round += 1) {
      expect(shown(await login({}))).toBe('401 SECOND_FACTOR_REQUIRED')
      expect((await login({ code: codeAt(secret) })).status).toBe(200)
      clock.advance(30_000)
    }
    for (let count = 0; count < 5; count += 1) expect(shown(await login({}))).toBe('401 SECOND_FACTOR_REQUIRED')
    expect(shown(await login({}))).toBe('429 RATE_LIMIT_EXCEEDED')
  })

  test('200: each recovery code works once, however it is typed, and new ones replace all', async () => {
    const { recoveryCodes } = await setUp()
    expect(recoveryCodes).toHaveLength(10)
    const [first = '', second = '', third = ''] = recoveryCodes
    expect(first).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
    expect((await login({ code: first })).status).toBe(200)
    expect(shown(await login({ code: first }))).toBe('401 UNAUTHORIZED')
    expect((await login({ code: second.toLowerCase().replaceAll('-', ' ') })).status).toBe(200)
    const left = () => person.call(`${path}/second-factor`)
    expect((await left()).json).toEqual({ recoveryCodesLeft: 8 })
    const renewed = await person.call(`${path}/second-factor/recovery-codes`, { body: { password } })
    expect((await left()).json).toEqual({ recoveryCodesLeft: 10 })
    expect(shown(await login({ code: third }))).toBe('401 UNAUTHORIZED')
    expect((await login({ code: renewed.json.recoveryCodes[0] })).status).toBe(200)
  })

  test('200: is removed with the password; then the password is enough again', async () => {
    const { recoveryCodes } = await setUp()
    const remove = (body: object) => person.call(`${path}/second-factor/remove`, { body })
    expect(shown(await remove({ password: newPassword }))).toBe('400 VALIDATION_ERROR')
    expect((await remove({ password })).json.user.hasSecondFactor).toBe(false)
    expect((await login({})).status).toBe(200)
    expect(shown(await remove({ password }))).toBe('409 CONFLICT')
    const codes = await person.call(`${path}/second-factor/recovery-codes`, { body: { password } })
    expect(shown(codes)).toBe('409 CONFLICT')
    await setUp()
    expect(shown(await login({ code: recoveryCodes[0] }))).toBe('401 UNAUTHORIZED')
  })

  test('409 CONFLICT: a confirmed app is not replaced by a second one', async () => {
    await setUp()
    expect(shown(await person.call(`${path}/second-factor/start`, { body: { password } }))).toBe('409 CONFLICT')
  })

  test('400 VALIDATION_ERROR: a wrong code confirms nothing, and neither does one without a beginning', async () => {
    const confirm = (code: string) => person.call(`${path}/second-factor/confirm`, { body: { code } })
    expect(shown(await confirm('123456'))).toBe('400 VALIDATION_ERROR')
    const secret = await begin()
    expect(shown(await confirm(codeAt(secret, stepNow() + 3)))).toBe('400 VALIDATION_ERROR')
    expect((await login({})).status).toBe(200)
  })

  test('its secret and its recovery codes are stored sealed and hashed', async () => {
    const { secret, recoveryCodes } = await setUp()
    const files = new Bun.Glob('waypost.db*').scanSync({ cwd: gateway.dataDir, absolute: true })
    const forms = [secret, ...recoveryCodes, ...recoveryCodes.map(code => code.replaceAll('-', ''))]
    const bytes = Buffer.from(fromBase32(secret))
    for (const file of files) {
      const stored = Buffer.from(await Bun.file(file).bytes())
      for (const form of [...forms, bytes, bytes.toString('base64'), bytes.toString('hex')]) {
        expect(stored.includes(form)).toBe(false)
      }
    }
  })
})

/** As an app reads it. */
function fromBase32(text: string): Uint8Array {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map(letter => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], byte => Number.parseInt(byte, 2))
}
