import { beforeEach, describe, expect, test } from 'bun:test'
import type { UserRole } from '../../../db/contract/roles.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { office, t0 } from '../fixtures.ts'

export function operatorInvitationsSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
    await add('ada', 'ws_1', 'owner')
  })

  const emailOf = (name: string) => `${name}@example.com`
  const add = (name: string, workspaceId: string, role: UserRole) => {
    const user = { id: `user_${name}`, email: emailOf(name), name: null, createdAt: t0, passwordHash: `old ${name}` }
    return db.write('createUser', { ...user, workspaceId, role })
  }
  const inviteUser = (
    fields: { workspaceId?: string; email?: string; role?: UserRole | null; token?: string; isReset?: boolean } = {},
  ) => {
    const { workspaceId = 'ws_2', email = 'Ada@Example.com', role = null, token = 'link', isReset = false } = fields
    const times = { createdAt: t0, expiresAt: t0 + hourMs }
    return db.write('inviteUser', { id: `inv_${token}`, workspaceId, email, role, tokenHash: token, isReset, ...times })
  }
  /** As an owner or admin of the workspace does by the console. */
  const invite = (by: string, workspaceId: string, email: string, token: string, at = t0) =>
    db.write('invite', {
      ...{ id: `inv_${token}`, workspaceId, email, role: 'member', tokenHash: token },
      ...{ invitedBy: emailOf(by), byUserId: `user_${by}`, createdAt: at, expiresAt: at + hourMs },
    })
  const withdraw = (workspaceId: string) => db.write('withdrawInvitation', { workspaceId, invitationId: 'inv_link' })
  const newPassword = (id = 'user_new') => ({ user: { id, name: null, createdAt: t0 + 5, passwordHash: 'new' } })
  const accept = (by: ReturnType<typeof newPassword> | { userId: string }, tokenHash = 'link') =>
    db.write('acceptInvitation', { tokenHash, at: t0 + 5, by })
  const accountOf = async (tokenHash: string) => (await db.read.invitation({ tokenHash, at: t0 }))?.account
  const rolesOf = async (userId: string) =>
    (await db.read.memberships(userId)).map(({ workspaceId, role }) => `${workspaceId} ${role}`).sort()

  describe('the operator invites a user who is there', () => {
    test('who is no member before accepting, signed in; nobody else can accept', async () => {
      await add('eve', 'ws_1', 'admin')
      expect(await inviteUser()).toMatchObject({
        outcome: 'invited',
        invitation: { workspaceId: 'ws_2', email: 'ada@example.com', role: 'owner', invitedBy: 'The operator' },
        user: { id: 'user_ada', email: 'ada@example.com' },
      })
      expect(await db.read.roleIn({ workspaceId: 'ws_2', userId: 'user_ada' })).toBeNull()
      expect(await accountOf('link')).toBe('there')
      expect(await accept(newPassword())).toEqual({ outcome: 'hasAccount' })
      expect(await accept({ userId: 'user_eve' })).toEqual({ outcome: 'otherUser' })
      expect(await rolesOf('user_ada')).toEqual(['ws_1 owner'])
      expect(await accept({ userId: 'user_ada' })).toMatchObject({ outcome: 'joined' })
      expect(await rolesOf('user_ada')).toEqual(['ws_1 owner', 'ws_2 owner'])
      expect(await db.read.userByEmail('ada@example.com')).toMatchObject({ passwordHash: 'old ada' })
    })

    test('without a role as the owner of a workspace without members, and as a member of any other', async () => {
      expect(await inviteUser()).toMatchObject({ invitation: { role: 'owner' } })
      await add('bob', 'ws_2', 'viewer')
      expect(await inviteUser()).toMatchObject({ invitation: { role: 'member' } })
      expect(await inviteUser({ role: 'admin' })).toMatchObject({ invitation: { role: 'admin' } })
    })

    test('in place of an earlier invitation of the address, also where 200 are open', async () => {
      await add('bob', 'ws_2', 'owner')
      await invite('bob', 'ws_2', emailOf('ada'), 'earlier')
      for (let n = 1; n < 200; n += 1) await invite('bob', 'ws_2', emailOf(`guest${n}`), `link ${n}`)
      expect(await invite('bob', 'ws_2', emailOf('eve'), 'one more')).toEqual({ outcome: 'tooMany' })
      expect(await inviteUser({ role: 'admin' })).toMatchObject({ outcome: 'invited' })
      expect(await accept({ userId: 'user_ada' }, 'earlier')).toEqual({ outcome: 'invalidLink' })
      expect(await accept({ userId: 'user_ada' })).toMatchObject({ outcome: 'joined', member: { role: 'admin' } })
    })

    test('and nobody where the user or the workspace is not there, or the user is a member', async () => {
      expect(await inviteUser({ email: 'nobody@example.com' })).toEqual({ outcome: 'unknownUser' })
      expect(await inviteUser({ workspaceId: 'ws_9' })).toEqual({ outcome: 'unknownWorkspace' })
      expect(await inviteUser({ workspaceId: 'ws_1' })).toEqual({ outcome: 'isMember', role: 'owner' })
      expect(await accountOf('link')).toBeUndefined()
    })
  })

  describe('a reset', () => {
    test('ends all that somebody who holds the account could come back by', async () => {
      await add('bob', 'ws_2', 'owner')
      const session = { id: 'ses_1', userId: 'user_ada', familyHash: 'f', tokenHash: 't', passwordHash: 'old ada' }
      await db.write('openSession', { ...session, ...office, createdAt: t0, expiresAt: t0 + hourMs })
      const totp = { userId: 'user_ada', sealedTotpSecret: 'v1.totp', at: t0 }
      await db.write('startTotp', totp)
      await db.write('confirmTotp', { ...totp, step: 1, codeHashes: ['a', 'b'] })
      await invite('ada', 'ws_1', emailOf('friend'), 'friend')
      await invite('bob', 'ws_2', emailOf('guest'), 'guest')

      expect(await inviteUser({ isReset: true, role: 'viewer' })).toMatchObject({ outcome: 'invited' })
      expect(await db.read.session('ses_1')).toBeNull()
      expect(await db.write('openSession', { ...session, ...office, createdAt: t0, expiresAt: t0 + hourMs })).toBeNull()
      const secrets = { totpSince: null, sealedTotpSecret: null, totpStep: null, passwordHash: 'link:link' }
      expect(await db.read.userByEmail('ada@example.com')).toMatchObject(secrets)
      expect(await db.read.recoveryCodesLeft('user_ada')).toBe(0)
      expect([await accountOf('friend'), await accountOf('guest')]).toEqual([undefined, 'none'])
    })

    test('lets its own link set the next password, once, and no other link of the address', async () => {
      await add('bob', 'ws_2', 'owner')
      await db.write('createWorkspace', { id: 'ws_3', name: 'Third', monthlyMessageLimit: null, createdAt: t0 })
      await add('carl', 'ws_3', 'owner')
      await invite('carl', 'ws_3', emailOf('ada'), 'of others')
      await inviteUser({ isReset: true, role: 'admin' })
      expect([await accountOf('link'), await accountOf('of others')]).toEqual(['reset', 'there'])
      expect(await accept(newPassword(), 'of others')).toEqual({ outcome: 'hasAccount' })
      expect(await accept(newPassword())).toMatchObject({
        outcome: 'joined',
        member: { id: 'user_ada', role: 'admin' },
      })
      expect(await accept(newPassword())).toEqual({ outcome: 'invalidLink' })
      expect(await db.read.userByEmail('ada@example.com')).toMatchObject({ id: 'user_ada', passwordHash: 'new' })
      expect(await rolesOf('user_ada')).toEqual(['ws_1 owner', 'ws_2 admin'])
      expect(await accept(newPassword(), 'of others')).toEqual({ outcome: 'hasAccount' })
    })

    test.each(['admin', 'owner'] as const)(
      'is ended by no %s of the workspace: the account needs its link',
      async role => {
        await add('bob', 'ws_2', role)
        await inviteUser({ isReset: true })
        expect(await invite('bob', 'ws_2', emailOf('ada'), 'of a member')).toEqual({ outcome: 'ofOperator' })
        expect(await withdraw('ws_2')).toEqual({ outcome: 'ofOperator' })
        expect(await withdraw('ws_1')).toEqual({ outcome: 'unknownInvitation' })
        expect(await accept(newPassword())).toMatchObject({ outcome: 'joined', member: { id: 'user_ada' } })
      },
    )

    test("that nobody has used in time is in nobody's way", async () => {
      await add('bob', 'ws_2', 'admin')
      await inviteUser({ isReset: true })
      expect(await invite('bob', 'ws_2', emailOf('ada'), 'early', t0 + hourMs - 1)).toEqual({ outcome: 'ofOperator' })
      expect(await invite('bob', 'ws_2', emailOf('ada'), 'later', t0 + hourMs)).toMatchObject({ outcome: 'invited' })
      expect(await withdraw('ws_2')).toMatchObject({ outcome: 'withdrawn' })
    })

    test('of a member keeps the role, and is refused with another one', async () => {
      await add('bob', 'ws_1', 'owner')
      const again = { workspaceId: 'ws_1', isReset: true }
      expect(await inviteUser({ ...again, role: 'viewer' })).toEqual({ outcome: 'isMember', role: 'owner' })
      expect(await db.read.userByEmail('ada@example.com')).toMatchObject({ passwordHash: 'old ada' })
      expect(await inviteUser(again)).toMatchObject({ outcome: 'invited', invitation: { role: 'owner' } })
      expect(await accept(newPassword())).toMatchObject({
        outcome: 'joined',
        member: { id: 'user_ada', role: 'owner' },
      })
      expect(await rolesOf('user_ada')).toEqual(['ws_1 owner'])
    })

    test('gives the account back to a member who is removed after it, and not the membership', async () => {
      await add('bob', 'ws_1', 'admin')
      await add('carl', 'ws_2', 'owner')
      await add('dora', 'ws_1', 'member')
      await db.write('createWorkspace', { id: 'ws_3', name: 'Third', monthlyMessageLimit: null, createdAt: t0 })
      for (const workspaceId of ['ws_2', 'ws_3']) {
        await inviteUser({ workspaceId, email: emailOf('dora'), role: 'viewer', token: workspaceId })
        await accept({ userId: 'user_dora' }, workspaceId)
      }
      await inviteUser({ workspaceId: 'ws_2', email: emailOf('dora'), isReset: true, token: 'replaced' })
      await inviteUser({ workspaceId: 'ws_1', email: emailOf('dora'), isReset: true })
      const remove = (workspaceId: string, by: string) =>
        db.write('removeMember', { workspaceId, userId: 'user_dora', byUserId: `user_${by}` })
      await remove('ws_1', 'bob')
      expect(await accountOf('link')).toBe('reset')
      await remove('ws_2', 'carl')
      expect([await accountOf('link'), await accountOf('replaced')]).toEqual(['reset', undefined])
      expect(await accept(newPassword())).toMatchObject({ outcome: 'joined', member: { workspaceId: 'ws_3' } })
      expect(await rolesOf('user_dora')).toEqual(['ws_3 viewer'])
      expect(await db.read.userByEmail(emailOf('dora'))).toMatchObject({ id: 'user_dora', passwordHash: 'new' })
    })

    test('that a later one has replaced ends with the membership, and leaves the later link as it is', async () => {
      await add('bob', 'ws_2', 'owner')
      await inviteUser({ role: 'viewer', token: 'joined' })
      await accept({ userId: 'user_ada' }, 'joined')
      await inviteUser({ isReset: true, token: 'replaced' })
      await inviteUser({ workspaceId: 'ws_1', isReset: true })
      await db.write('removeMember', { workspaceId: 'ws_2', userId: 'user_ada', byUserId: 'user_bob' })
      expect([await accountOf('replaced'), await accountOf('link')]).toEqual([undefined, 'reset'])
      expect(await accept(newPassword())).toMatchObject({ outcome: 'joined', member: { workspaceId: 'ws_1' } })
    })

    test('ends with the account of a member who is removed from the last workspace', async () => {
      await add('bob', 'ws_1', 'owner')
      await inviteUser({ workspaceId: 'ws_1', isReset: true })
      await db.write('removeMember', { workspaceId: 'ws_1', userId: 'user_ada', byUserId: 'user_bob' })
      expect(await accept(newPassword())).toEqual({ outcome: 'invalidLink' })
      expect(await db.read.userByEmail('ada@example.com')).toBeNull()
    })
  })
}
