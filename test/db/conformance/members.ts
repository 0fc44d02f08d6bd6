import { beforeEach, describe, expect, test } from 'bun:test'
import type { UserRole } from '../../../db/contract/roles.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { office, t0 } from '../fixtures.ts'

export function membersSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const emailOf = (id: string) => `${id}@example.com`
  const add = (id: string, role: UserRole, workspaceId = 'ws_1') => {
    const user = { id, email: emailOf(id), name: null, createdAt: t0, passwordHash: 'h' }
    return db.write('createUser', { ...user, workspaceId, role })
  }
  const roleOf = (userId: string, workspaceId = 'ws_1') => db.read.roleIn({ workspaceId, userId })
  const change = (byUserId: string, userId: string, role: UserRole) =>
    db.write('changeRole', { workspaceId: 'ws_1', byUserId, userId, role })
  const remove = (byUserId: string, userId: string) =>
    db.write('removeMember', { workspaceId: 'ws_1', byUserId, userId })
  const invite = (byUserId: string, email: string, role: UserRole = 'member', expiresAt = t0 + hourMs) =>
    db.write('invite', {
      id: `inv_${email}`,
      workspaceId: 'ws_1',
      email,
      role,
      tokenHash: `link of ${email}`,
      invitedBy: emailOf(byUserId),
      byUserId,
      createdAt: t0,
      expiresAt,
    })
  const invited = async (at = t0) => {
    const open = await db.read.invitations({ workspaceId: 'ws_1', at })
    return open.map(({ email }) => email).sort()
  }

  describe('roles', () => {
    beforeEach(async () => {
      await add('user_owner', 'owner')
      await add('user_admin', 'admin')
      await add('user_viewer', 'viewer')
    })

    test('are read for a member of the workspace, and for nobody else', async () => {
      expect(await roleOf('user_admin')).toBe('admin')
      expect([await roleOf('user_9'), await roleOf('user_admin', 'ws_9')]).toEqual([null, null])
    })

    test('an admin manages all but owners, an owner everybody, anybody else nobody', async () => {
      expect(await change('user_admin', 'user_viewer', 'member')).toMatchObject({
        outcome: 'changed',
        member: { id: 'user_viewer', role: 'member' },
      })
      expect(await change('user_admin', 'user_viewer', 'owner')).toEqual({ outcome: 'forbidden' })
      expect(await change('user_admin', 'user_owner', 'viewer')).toEqual({ outcome: 'forbidden' })
      expect(await change('user_viewer', 'user_admin', 'viewer')).toEqual({ outcome: 'forbidden' })
      expect(await change('user_owner', 'user_9', 'viewer')).toEqual({ outcome: 'unknownMember' })
      expect(await change('user_owner', 'user_admin', 'owner')).toMatchObject({ outcome: 'changed' })
      expect(await roleOf('user_admin')).toBe('owner')
    })

    test('the last owner stays one; of two, one may stop', async () => {
      expect(await change('user_owner', 'user_owner', 'admin')).toEqual({ outcome: 'lastOwner' })
      expect(await remove('user_owner', 'user_owner')).toEqual({ outcome: 'lastOwner' })
      await add('user_second', 'owner')
      expect(await change('user_owner', 'user_owner', 'admin')).toMatchObject({ outcome: 'changed' })
    })

    test('who loses the right to invite loses the invitations that need it', async () => {
      await add('user_second', 'owner')
      await invite('user_second', 'guest@example.com')
      await invite('user_second', 'chief@example.com', 'owner')
      await invite('user_owner', 'other@example.com', 'owner')
      await change('user_owner', 'user_second', 'admin')
      expect(await invited()).toEqual(['guest@example.com', 'other@example.com'])
      await change('user_owner', 'user_second', 'member')
      expect(await invited()).toEqual(['other@example.com'])
    })
  })

  describe('removing a member', () => {
    beforeEach(async () => {
      await add('user_owner', 'owner')
      await add('user_guest', 'admin')
    })

    test('erases who has no workspace left, with sign-ins and invitations', async () => {
      const session = { id: 'ses_1', userId: 'user_guest', familyHash: 'f', tokenHash: 't', passwordHash: 'h' }
      await db.write('openSession', { ...session, ...office, createdAt: t0, expiresAt: t0 + hourMs })
      await invite('user_guest', 'friend@example.com')
      expect(await remove('user_owner', 'user_guest')).toMatchObject({
        outcome: 'changed',
        member: { id: 'user_guest', role: 'admin' },
      })
      expect([await db.read.user('user_guest'), await db.read.session('ses_1'), await invited()]).toEqual([
        null,
        null,
        [],
      ])
    })

    test('leaves who is a member elsewhere', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      const link = { id: 'inv_1', tokenHash: 'link', createdAt: t0, expiresAt: t0 + hourMs, isReset: false }
      await db.write('inviteUser', { ...link, workspaceId: 'ws_2', email: emailOf('user_guest'), role: 'viewer' })
      await db.write('acceptInvitation', { tokenHash: 'link', at: t0, by: { userId: 'user_guest' } })
      await remove('user_owner', 'user_guest')
      expect(await db.read.user('user_guest')).toMatchObject({ id: 'user_guest' })
      expect(await db.read.memberships('user_guest')).toEqual([
        { workspaceId: 'ws_2', workspaceName: 'Other', role: 'viewer' },
      ])
    })

    test('ends an invitation of the address from before there was the account: it leads nobody back', async () => {
      await invite('user_owner', emailOf('user_late'))
      await add('user_late', 'viewer')
      await remove('user_owner', 'user_late')
      expect(await invited()).toEqual([])
    })

    test('is for those who may', async () => {
      expect(await remove('user_guest', 'user_owner')).toEqual({ outcome: 'forbidden' })
      expect(await remove('user_owner', 'user_9')).toEqual({ outcome: 'unknownMember' })
    })
  })

  describe('an invitation', () => {
    beforeEach(async () => {
      await add('user_owner', 'owner')
      await add('user_admin', 'admin')
    })
    const accept = (
      by: { user: { id: string; name: null; createdAt: number; passwordHash: string } } | { userId: string },
    ) => db.write('acceptInvitation', { tokenHash: 'link of guest@example.com', at: t0 + 5, by })
    const newUser = { user: { id: 'user_guest', name: null, createdAt: t0 + 5, passwordHash: 'h' } }

    test('is found by the hash of its link until it expires', async () => {
      expect(await invite('user_owner', 'guest@example.com')).toMatchObject({
        outcome: 'invited',
        invitation: { email: 'guest@example.com', role: 'member', invitedBy: emailOf('user_owner') },
      })
      const find = (at: number) => db.read.invitation({ tokenHash: 'link of guest@example.com', at })
      expect(await find(t0)).toMatchObject({ workspaceName: 'Acme', account: 'none' })
      expect(await find(t0 + hourMs)).toBeNull()
      expect([await invited(t0 + hourMs - 1), await invited(t0 + hourMs)]).toEqual([['guest@example.com'], []])
    })

    test('is made by those who may, for somebody who is no member', async () => {
      expect(await invite('user_admin', 'guest@example.com', 'owner')).toEqual({ outcome: 'forbidden' })
      expect(await invite('user_9', 'guest@example.com')).toEqual({ outcome: 'forbidden' })
      expect(await invite('user_owner', emailOf('user_admin'))).toEqual({ outcome: 'isMember' })
      expect(await invited()).toEqual([])
    })

    test('of the same address replaces the one before', async () => {
      await invite('user_owner', 'guest@example.com', 'viewer')
      await db.write('invite', {
        id: 'inv_second',
        workspaceId: 'ws_1',
        email: 'guest@example.com',
        role: 'admin',
        tokenHash: 'second link',
        invitedBy: emailOf('user_owner'),
        byUserId: 'user_owner',
        createdAt: t0 + 1,
        expiresAt: t0 + hourMs,
      })
      expect(await invited()).toEqual(['guest@example.com'])
      expect(await accept(newUser)).toEqual({ outcome: 'invalidLink' })
      expect(await db.read.invitation({ tokenHash: 'second link', at: t0 })).toMatchObject({ role: 'admin' })
    })

    test('at most 200 of a workspace are open', async () => {
      const call = (n: number) => invite('user_owner', `guest${n}@example.com`)
      for (let n = 1; n < 200; n += 1) expect(await call(n)).toMatchObject({ outcome: 'invited' })
      const outcomes = (await Promise.all([200, 201, 202].map(call))).map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual(['invited', 'tooMany', 'tooMany'])
    })

    test('is withdrawn in its own workspace, once', async () => {
      await invite('user_owner', 'guest@example.com')
      const withdraw = (workspaceId: string) =>
        db.write('withdrawInvitation', { workspaceId, invitationId: 'inv_guest@example.com' })
      const outcomes = [await withdraw('ws_2'), await withdraw('ws_1'), await withdraw('ws_1')]
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['unknownInvitation', 'withdrawn', 'unknownInvitation'])
      expect(await accept(newUser)).toEqual({ outcome: 'invalidLink' })
    })

    test('makes a new user a member with its role, once', async () => {
      await invite('user_owner', 'guest@example.com', 'viewer')
      expect(await accept(newUser)).toMatchObject({
        outcome: 'joined',
        member: { id: 'user_guest', email: 'guest@example.com', workspaceId: 'ws_1', role: 'viewer', since: t0 + 5 },
      })
      expect(await accept(newUser)).toEqual({ outcome: 'invalidLink' })
      expect(await invited()).toEqual([])
    })

    test('of somebody with an account is for that account alone', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      const guest = { id: 'user_guest', email: 'guest@example.com', name: null, createdAt: t0, passwordHash: 'h' }
      await db.write('createUser', { ...guest, workspaceId: 'ws_2', role: null })
      await invite('user_owner', 'guest@example.com')
      expect(await db.read.invitation({ tokenHash: 'link of guest@example.com', at: t0 })).toMatchObject({
        account: 'there',
      })
      expect(await accept({ user: { ...newUser.user, id: 'user_new' } })).toEqual({ outcome: 'hasAccount' })
      expect(await accept({ userId: 'user_admin' })).toEqual({ outcome: 'otherUser' })
      expect(await accept({ userId: 'user_guest' })).toMatchObject({ outcome: 'joined', member: { role: 'member' } })
    })
  })

  describe('the first user', () => {
    const link = { tokenHash: 'setup', expiresAt: t0 + hourMs }
    const user = { id: 'user_1', email: 'Ada@example.com', name: 'Ada', createdAt: t0, passwordHash: 'h' }
    const setUp = (tokenHash: string | null, at = t0) =>
      db.write('setUp', { tokenHash, user, newWorkspace: { id: 'ws_new', name: 'First' }, at })

    test('is made by the newest link, until it expires, and owns every workspace that is there', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      expect(await db.write('offerSetup', { ...link, tokenHash: 'earlier' })).toBe(true)
      expect(await db.write('offerSetup', link)).toBe(true)
      const isOpen = (tokenHash: string, at = t0) => db.read.isSetupOpen({ tokenHash, at })
      expect([await isOpen('earlier'), await isOpen('setup'), await isOpen('setup', t0 + hourMs)]).toEqual([
        false,
        true,
        false,
      ])
      expect(await setUp('earlier')).toEqual({ outcome: 'invalidLink' })
      expect(await setUp('setup', t0 + hourMs)).toEqual({ outcome: 'invalidLink' })
      expect(await db.read.hasUsers()).toBe(false)
      expect(await setUp('setup')).toMatchObject({ outcome: 'done', user: { email: 'ada@example.com' } })
      expect(await db.read.hasUsers()).toBe(true)
      expect([await roleOf('user_1'), await roleOf('user_1', 'ws_2'), await roleOf('user_1', 'ws_new')]).toEqual([
        'owner',
        'owner',
        null,
      ])
      expect(await isOpen('setup')).toBe(false)
    })

    test('gets a workspace where there is none', async () => {
      const empty = await open()
      const setup = { tokenHash: null, user, newWorkspace: { id: 'ws_new', name: 'First' }, at: t0 }
      expect(await empty.write('setUp', setup)).toMatchObject({ outcome: 'done' })
      expect(await empty.read.memberships('user_1')).toEqual([
        { workspaceId: 'ws_new', workspaceName: 'First', role: 'owner' },
      ])
      await empty.close()
    })

    test('is made once, also when ten ask at once', async () => {
      const asked = Array.from({ length: 10 }, (_, n) =>
        db.write('setUp', {
          tokenHash: null,
          user: { ...user, id: `user_${n}`, email: `${n}@example.com` },
          newWorkspace: { id: `ws_new${n}`, name: 'First' },
          at: t0,
        }),
      )
      const outcomes = (await Promise.all(asked)).map(({ outcome }) => outcome)
      expect(outcomes.filter(outcome => outcome === 'done')).toHaveLength(1)
      expect(await db.read.members(null)).toHaveLength(1)
      expect(await db.write('offerSetup', link)).toBe(false)
    })
  })

  describe('a further workspace', () => {
    const found = (userId: string, id = 'ws_2') =>
      db.write('foundWorkspace', { id, name: 'Second', userId, ownedMax: 4, at: t0 + 5 })

    test('is made by an owner of one without a limit of the operator, who owns it', async () => {
      await add('user_owner', 'owner')
      await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: 10 })
      expect(await found('user_owner')).toEqual({
        outcome: 'founded',
        membership: { workspaceId: 'ws_2', workspaceName: 'Second', role: 'owner' },
      })
      expect(await db.read.workspace('ws_2')).toMatchObject({ monthlyMessageLimit: null, createdAt: t0 + 5 })
      expect((await db.read.memberships('user_owner')).map(({ workspaceName }) => workspaceName)).toEqual([
        'Acme',
        'Second',
      ])
    })

    test('is not made by anybody else, nor by an owner whom the operator has given a limit, lowered or not', async () => {
      await add('user_admin', 'admin')
      await add('user_owner', 'owner')
      await db.write('setMonthlyCeiling', { workspaceId: 'ws_1', ceiling: 10 })
      await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: 5 })
      const refused = [await found('user_admin'), await found('user_owner'), await found('user_9')]
      expect(refused).toEqual(Array(3).fill({ outcome: 'forbidden' }))
      expect(await db.read.workspace('ws_2')).toBeNull()
    })

    test('is not made by the owner of as many as may be, also by many requests at the same moment', async () => {
      await add('user_owner', 'owner')
      await add('user_other', 'owner')
      const asked = Array.from({ length: 9 }, (_, at) => found('user_owner', `ws_of_owner_${at}`))
      const outcomes = (await Promise.all(asked)).map(({ outcome }) => outcome)
      expect(outcomes.filter(outcome => outcome === 'founded')).toHaveLength(3)
      expect(outcomes.filter(outcome => outcome === 'tooMany')).toHaveLength(6)
      expect(await db.read.memberships('user_owner')).toHaveLength(4)
      expect(await found('user_other')).toMatchObject({ outcome: 'founded' })
    })
  })
}
