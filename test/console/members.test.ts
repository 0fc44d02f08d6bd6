import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { UserRole } from '../../db/contract/roles.ts'
import { sha256 } from '../../src/base/crypto.ts'
import { dayMs } from '../../src/base/durations.ts'
import { ManualClock } from '../clock.ts'
import { type Answer, startTestGateway, type TestGateway } from '../gateway.ts'
import { addPerson, addUser, call, type Person, password } from './people.ts'

let shared: TestGateway
/** With a workspace of the test. */
let gateway: TestGateway
let clock: ManualClock
/** Nobody's address yet. */
let newcomer: string
let owner: Person
let admin: Person
let path: string
beforeAll(async () => {
  clock = new ManualClock(Date.now())
  shared = await startTestGateway({ clock })
})
afterAll(() => shared.stop())
beforeEach(async () => {
  gateway = { ...shared, ...(await shared.addWorkspace()) }
  newcomer = `${gateway.workspaceId}@example.com`
  owner = await addPerson(gateway, 'owner')
  admin = await addPerson(gateway, 'admin')
  path = `/api/v1/workspaces/${gateway.workspaceId}`
})

const shown = ({ status, json }: Answer) => `${status} ${json?.error ?? 'OK'}`
const rolesOf = async () =>
  (await gateway.gateway.store.read.members(gateway.workspaceId)).map(({ email, role }) => [email, role])
const invite = (by: Person, email: string, role: UserRole) => by.call(`${path}/invitations`, { body: { email, role } })
const tokenOf = ({ json }: Answer): string => String(json.link).split('#')[1] ?? ''
const open = (action: string, body: object) => call(gateway, `/api/v1/auth/invitations/${action}`, { body })

describe('members', () => {
  test('200: are listed with their roles, and no secret', async () => {
    const { json } = await admin.call(`${path}/members`)
    expect(json.members).toMatchObject([
      { id: owner.id, email: owner.email, role: 'owner', hasSecondFactor: false },
      { id: admin.id, email: admin.email, role: 'admin' },
    ])
    const fields = ['email', 'hasSecondFactor', 'hasSignedIn', 'id', 'lastHereAt', 'name', 'role', 'since']
    expect(Object.keys(json.members[0]).sort()).toEqual(fields)
  })

  test('200: admins alone see when a person was last here; null for one who has signed out', async () => {
    const viewer = await addPerson(gateway, 'viewer')
    const lastHere = async (by: Person) => {
      const { json } = await by.call(`${path}/members`)
      return json.members.map((member: { lastHereAt: string | null }) => member.lastHereAt)
    }
    const now = new Date(clock.now()).toISOString()
    expect(await lastHere(admin)).toEqual([now, now, now])
    expect(await lastHere(viewer)).toEqual([null, null, null])
    await viewer.call('/api/v1/auth/logout-all', { method: 'POST' })
    expect(await lastHere(admin)).toEqual([now, now, null])
    // Who never signed in is told from who has signed out.
    await addUser(gateway, 'viewer')
    const { members } = (await admin.call(`${path}/members`)).json
    expect(members.map(({ hasSignedIn }: { hasSignedIn: boolean }) => hasSignedIn)).toEqual([true, true, true, false])
  })

  test('200: another role counts from the next request on', async () => {
    const member = await addPerson(gateway, 'admin')
    expect((await member.call(`${path}/audit`)).status).toBe(200)
    const answer = await owner.call(`${path}/members/${member.id}`, { method: 'PATCH', body: { role: 'viewer' } })
    expect(answer.json).toMatchObject({ id: member.id, role: 'viewer' })
    expect(shown(await member.call(`${path}/audit`))).toBe('403 FORBIDDEN')
    expect((await member.call(`${path}/members`)).status).toBe(200)
  })

  test('200: who is removed from the last workspace is erased and signed out', async () => {
    const member = await addPerson(gateway, 'member')
    expect((await admin.call(`${path}/members/${member.id}`, { method: 'DELETE' })).json).toEqual({ id: member.id })
    expect((await member.call('/api/v1/auth/me')).status).toBe(401)
    expect(await gateway.gateway.store.read.user(member.id)).toBeNull()
    expect(shown(await admin.call(`${path}/members/${member.id}`, { method: 'DELETE' }))).toBe('404 NOT_FOUND')
  })

  test('200: who is removed from one of two workspaces goes on in the other', async () => {
    const other = await gateway.addWorkspace()
    const stranger = await addPerson(gateway, 'owner', other.workspaceId)
    const token = tokenOf(await invite(owner, stranger.email, 'member'))
    expect((await stranger.call('/api/v1/auth/invitations/join', { body: { token } })).status).toBe(200)
    expect((await stranger.call(`${path}/members`)).status).toBe(200)
    await owner.call(`${path}/members/${stranger.id}`, { method: 'DELETE' })
    expect(shown(await stranger.call(`${path}/members`))).toBe('404 NOT_FOUND')
    expect((await stranger.call(`/api/v1/workspaces/${other.workspaceId}/members`)).status).toBe(200)
  })

  test('409 CONFLICT: the last owner can be neither lowered nor removed, also by two at the same moment', async () => {
    const own = `${path}/members/${owner.id}`
    expect(shown(await owner.call(own, { method: 'PATCH', body: { role: 'admin' } }))).toBe('409 CONFLICT')
    expect(shown(await owner.call(own, { method: 'DELETE' }))).toBe('409 CONFLICT')
    const second = await addPerson(gateway, 'owner')
    const answers = await Promise.all([
      owner.call(`${path}/members/${second.id}`, { method: 'DELETE' }),
      second.call(own, { method: 'DELETE' }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await rolesOf()).filter(([, role]) => role === 'owner')).toHaveLength(1)
  })

  test('403 FORBIDDEN: an admin neither makes, lowers, removes nor invites an owner', async () => {
    const second = await addPerson(gateway, 'owner')
    const answers = [
      await admin.call(`${path}/members/${admin.id}`, { method: 'PATCH', body: { role: 'owner' } }),
      await admin.call(`${path}/members/${second.id}`, { method: 'PATCH', body: { role: 'viewer' } }),
      await admin.call(`${path}/members/${second.id}`, { method: 'DELETE' }),
      await invite(admin, 'eve@example.com', 'owner'),
    ]
    expect(answers.map(shown)).toEqual(Array(4).fill('403 FORBIDDEN'))
  })

  test('400 VALIDATION_ERROR: a role that does not exist', async () => {
    const answer = await owner.call(`${path}/members/${admin.id}`, { method: 'PATCH', body: { role: 'root' } })
    expect(answer.json.details.issues).toEqual([
      { path: '/role', message: 'must be one of viewer, member, admin, owner' },
    ])
  })
})

describe('an invitation', () => {
  test('its link has PUBLIC_URL, else the address that is listened on, and never the Host of the caller', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-proto': 'https' }
    const inviteBy = (by: Person, workspaceId: string) =>
      by.call(`/api/v1/workspaces/${workspaceId}/invitations`, {
        body: { email: 'link@example.com', role: 'viewer' },
        headers,
      })
    const { json } = await inviteBy(admin, gateway.workspaceId)
    expect(json.link).toStartWith(`${gateway.url}/console/invitation#`)
    expect(json.note).toContain('PUBLIC_URL')
    const proxied = await startTestGateway({ env: { PUBLIC_URL: 'https://gw.example.com/waypost' } })
    try {
      const invited = await inviteBy(await addPerson(proxied, 'admin'), proxied.workspaceId)
      expect(invited.json.link).toStartWith('https://gw.example.com/waypost/console/invitation#')
      expect(invited.json.note).toBeNull()
    } finally {
      await proxied.stop()
    }
  })

  test('200: makes a new user a member with its role, once, and signs in', async () => {
    const invited = await invite(admin, newcomer.toUpperCase(), 'member')
    expect(invited.json).toMatchObject({ email: newcomer, role: 'member', invitedBy: admin.email })
    expect(invited.json.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/invitation#[0-9A-Za-z]{43}$/)
    const token = tokenOf(invited)
    expect((await open('check', { token })).json).toEqual({
      workspaceName: 'Other',
      email: newcomer,
      role: 'member',
      invitedBy: admin.email,
      expiresAt: invited.json.expiresAt,
      account: 'none',
    })
    const answers = await Promise.all([
      open('accept', { token, password, name: 'New' }),
      open('accept', { token, password, name: 'New' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()[0]).toBe(200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const joined = answers.find(({ status }) => status === 200)
    expect(joined?.json.workspaces).toEqual([{ id: gateway.workspaceId, name: 'Other', role: 'member' }])
    expect(joined?.headers.getSetCookie()).toHaveLength(2)
    expect((await open('check', { token })).status).toBe(404)
    expect((await admin.call(`${path}/invitations`)).json).toEqual({ invitations: [] })
  })

  test('200: a user of another workspace joins with the account that is there', async () => {
    const other = await gateway.addWorkspace()
    const stranger = await addPerson(gateway, 'owner', other.workspaceId)
    const token = tokenOf(await invite(owner, stranger.email, 'admin'))
    expect((await open('check', { token })).json.account).toBe('there')
    expect(shown(await open('accept', { token, password }))).toBe('409 CONFLICT')
    expect(shown(await admin.call('/api/v1/auth/invitations/join', { body: { token } }))).toBe('409 CONFLICT')
    const joined = await stranger.call('/api/v1/auth/invitations/join', { body: { token } })
    expect(joined.json.workspaces).toEqual([
      { id: gateway.workspaceId, name: 'Other', role: 'admin' },
      { id: other.workspaceId, name: 'Other', role: 'owner' },
    ])
    expect((await stranger.call('/api/v1/auth/invitations/join', { body: { token } })).status).toBe(404)
  })

  test('404 NOT_FOUND: after seven days, when withdrawn, and when replaced by a newer one', async () => {
    const first = tokenOf(await invite(admin, newcomer, 'member'))
    const second = await invite(admin, newcomer, 'viewer')
    expect((await open('accept', { token: first, password })).status).toBe(404)
    expect((await admin.call(`${path}/invitations`)).json.invitations).toMatchObject([{ role: 'viewer' }])
    const removed = await admin.call(`${path}/invitations/${second.json.id}`, { method: 'DELETE' })
    expect(removed.status).toBe(200)
    expect((await open('accept', { token: tokenOf(second), password })).status).toBe(404)
    const third = tokenOf(await invite(admin, newcomer, 'member'))
    clock.advance(7 * dayMs)
    expect((await open('accept', { token: third, password })).status).toBe(404)
  })

  test('404 NOT_FOUND: with the member who made it, so that nobody comes back by a link of their own', async () => {
    const token = tokenOf(await invite(admin, 'second.self@example.com', 'admin'))
    const others = tokenOf(await invite(owner, 'grace@example.com', 'member'))
    expect((await owner.call(`${path}/members/${admin.id}`, { method: 'DELETE' })).status).toBe(200)
    expect(shown(await open('accept', { token, password }))).toBe('404 NOT_FOUND')
    expect(shown(await open('accept', { token: others, password }))).toBe('200 OK')
  })

  test('404 NOT_FOUND: when the one who made it may not make it any more', async () => {
    const second = await addPerson(gateway, 'owner')
    const asOwner = tokenOf(await invite(second, 'next.owner@example.com', 'owner'))
    const asMember = tokenOf(await invite(second, 'next.member@example.com', 'member'))
    const lower = (role: UserRole) => owner.call(`${path}/members/${second.id}`, { method: 'PATCH', body: { role } })
    expect((await lower('admin')).status).toBe(200)
    expect(shown(await open('check', { token: asOwner }))).toBe('404 NOT_FOUND')
    expect(shown(await open('check', { token: asMember }))).toBe('200 OK')
    expect((await lower('viewer')).status).toBe(200)
    expect(shown(await open('check', { token: asMember }))).toBe('404 NOT_FOUND')
  })

  test('409 CONFLICT: a member is not invited again', async () => {
    expect(shown(await invite(owner, admin.email.toUpperCase(), 'viewer'))).toBe('409 CONFLICT')
  })

  test("409 CONFLICT: the operator's invitation is neither withdrawn nor replaced by an owner", async () => {
    const other = await gateway.addWorkspace()
    const guest = await addPerson(gateway, 'owner', other.workspaceId)
    const { write } = gateway.gateway.store
    const times = { createdAt: clock.now(), expiresAt: clock.now() + dayMs }
    const link = { id: 'inv_operator', tokenHash: sha256('link'), role: 'member', isReset: true, ...times } as const
    await write.inviteUser({ ...link, workspaceId: gateway.workspaceId, email: guest.email })
    const { json } = await admin.call(`${path}/invitations`)
    expect(json.invitations).toMatchObject([{ id: 'inv_operator', isOfOperator: true }])
    expect(shown(await invite(owner, guest.email, 'member'))).toBe('409 CONFLICT')
    const withdrawal = await owner.call(`${path}/invitations/inv_operator`, { method: 'DELETE' })
    expect(shown(withdrawal)).toBe('409 CONFLICT')
    expect((await open('check', { token: 'link' })).json.account).toBe('reset')
  })
})
