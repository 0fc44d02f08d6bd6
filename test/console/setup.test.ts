import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minuteMs } from '../../src/base/durations.ts'
import { ensureOwner } from '../../src/console/setup/owner.ts'
import { browserAddress, offerSetupLink, setupAddress, setupNote } from '../../src/operations/links.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { openFile } from '../openFile.ts'
import { addPerson, call, password } from './people.ts'

const email = 'ada@example.com'
const base = 'https://gw.example.com'

describe('the set-up link', () => {
  let gateway: TestGateway
  let clock: ManualClock
  beforeEach(async () => {
    clock = new ManualClock(Date.now())
    gateway = await startTestGateway({ clock })
  })
  afterEach(() => gateway.stop())

  const offer = async () => (await offerSetupLink(gateway.gateway.store, { base, clock }))?.split('#')[1] ?? ''
  const setUp = (body: object) => call(gateway, '/api/v1/auth/setup', { body })
  const check = (token: string) => call(gateway, '/api/v1/auth/setup/check', { body: { token } })

  test('200: makes the first user, the owner of the workspaces that are there, who is signed in', async () => {
    const other = await gateway.addWorkspace()
    const token = await offer()
    expect((await check(token)).json).toEqual({ hasWorkspaces: true })
    const answer = await setUp({ token, email: 'Ada@Example.com', password, name: 'Ada', workspaceName: 'ignored' })
    expect(answer.status).toBe(200)
    expect(answer.json.user).toMatchObject({ email, name: 'Ada' })
    expect(answer.json.workspaces).toEqual([
      { id: gateway.workspaceId, name: 'Acme', role: 'owner' },
      { id: other.workspaceId, name: 'Other', role: 'owner' },
    ])
    expect(answer.headers.getSetCookie()).toHaveLength(2)
    const login = await call(gateway, '/api/v1/auth/login', { body: { email, password } })
    expect(login.status).toBe(200)
    const entries = await gateway.gateway.store.read.auditEntries({ actor: `console:${email}`, limit: 10 })
    expect(entries.map(({ action }) => action)).toEqual(['session.start', 'session.start', 'user.set-up'])
  })

  test('400 VALIDATION_ERROR: a workspace needs a name, and the link still works after it', async () => {
    const token = await offer()
    const blank = await setUp({ token, email, password, workspaceName: '  ' })
    expect([blank.status, blank.json.details.issues]).toEqual([
      400,
      [{ path: '/workspaceName', message: 'must have 1 to 120 printable characters' }],
    ])
    expect((await setUp({ token, email, password, workspaceName: ' Acme ' })).status).toBe(200)
  })

  test('404 NOT_FOUND: it works once, also for two at the same moment', async () => {
    const token = await offer()
    const answers = await Promise.all([
      setUp({ token, email, password }),
      setUp({ token, email: 'eve@example.com', password }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await setUp({ token, email: 'eve@example.com', password })).status).toBe(404)
    expect((await check(token)).status).toBe(404)
    expect(await gateway.gateway.store.read.members(gateway.workspaceId)).toHaveLength(1)
  })

  test('404 NOT_FOUND: after 30 minutes, after a newer link, and for a token that was never given', async () => {
    const first = await offer()
    clock.advance(30 * minuteMs)
    expect((await setUp({ token: first, email, password })).status).toBe(404)
    const second = await offer()
    const third = await offer()
    for (const token of [first, second, 'guess']) {
      const answer = await setUp({ token, email, password })
      expect(`${answer.status} ${answer.json.error}`).toBe('404 NOT_FOUND')
    }
    expect((await setUp({ token: third, email, password })).status).toBe(200)
  })

  test('400 VALIDATION_ERROR: a short password keeps the link', async () => {
    const token = await offer()
    expect((await setUp({ token, email, password: 'elevenchars' })).status).toBe(400)
    expect((await setUp({ token, email: 'ada', password })).status).toBe(400)
    expect((await setUp({ token, email, password })).status).toBe(200)
  })

  test('is not offered where there is a user, and one from before does not help', async () => {
    const token = await offer()
    await addPerson(gateway, 'viewer')
    expect((await setUp({ token, email, password })).status).toBe(404)
    expect(await offerSetupLink(gateway.gateway.store, { base, clock })).toBeNull()
  })

  test('has its token behind the #, at an address that a browser can reach', async () => {
    expect(await offerSetupLink(gateway.gateway.store, { base, clock })).toMatch(
      /^https:\/\/gw\.example\.com\/console\/set-up#[0-9A-Za-z]{43}$/,
    )
    expect(browserAddress(base, 'http://127.0.0.1:8080')).toBe(base)
    expect(browserAddress(null, 'http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080')
    expect(browserAddress(null, 'http://0.0.0.0:8080')).toBe('http://localhost:8080')
    expect(browserAddress(null, 'http://[::]:8080')).toBe('http://localhost:8080')
  })

  test('has the own address, and says why, when PUBLIC_URL has a path: the console needs the root', () => {
    expect(setupAddress(`${base}/waypost`, 'http://0.0.0.0:8080')).toBe('http://localhost:8080')
    expect(setupNote(`${base}/waypost`)).toContain('needs the root')
    expect(setupAddress(base, 'http://0.0.0.0:8080')).toBe(base)
    expect([setupNote(base), setupNote(null)]).toEqual([null, null])
  })
})

describe('an empty database', () => {
  const clock = new ManualClock()
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-owner-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const open = () => openFile(join(folder, 'waypost.db'), clock)

  test('gets the owner of the settings with a first workspace, once', async () => {
    const store = await open()
    try {
      const passwordFile = join(folder, 'password.txt')
      writeFileSync(passwordFile, `${password}\n`)
      await ensureOwner({ email, passwordFile }, { store, clock, log: silentLogger })
      const [member, ...others] = await store.read.members(null)
      expect(others).toEqual([])
      expect(member).toMatchObject({ email, role: 'owner' })
      expect(await store.read.workspaces()).toMatchObject([{ id: member?.workspaceId, name: 'My workspace' }])
      const stored = await store.read.userByEmail(email)
      expect(await Bun.password.verify(password, stored?.passwordHash ?? '')).toBe(true)
      // Later starts do not even read the file.
      rmSync(passwordFile)
      await ensureOwner({ email: 'eve@example.com', passwordFile }, { store, clock, log: silentLogger })
      expect(await store.read.members(null)).toHaveLength(1)
    } finally {
      await store.close()
    }
  })

  test('a password that is too short, or a file that is not there, stops the start and is not repeated', async () => {
    const store = await open()
    try {
      const passwordFile = join(folder, 'password.txt')
      const start = () => ensureOwner({ email, passwordFile }, { store, clock, log: silentLogger })
      expect(start()).rejects.toThrow('WAYPOST_OWNER_PASSWORD_FILE cannot be read')
      writeFileSync(passwordFile, 'elevenchars')
      const failure = await start().catch(String)
      expect(failure).toContain('12 to 1024 characters')
      expect(failure).not.toContain('elevenchars')
    } finally {
      await store.close()
    }
  })
})
