import { describe, expect, test } from 'bun:test'
import type { UserRole } from '../../../db/contract/roles.ts'
import type { Member, NewUser } from '../../../db/contract/users.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { t0 } from '../fixtures.ts'

export function usersSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const passwordHash = '$argon2id$secret'
  const noTotp = { sealedTotpSecret: null, totpStep: null }

  const newUser = { id: 'user_1', email: 'ada@example.com', name: 'Ada', createdAt: t0, passwordHash }
  const user = {
    id: 'user_1',
    email: 'ada@example.com',
    name: 'Ada',
    totpSince: null,
    preferences: null,
    createdAt: t0,
    updatedAt: t0,
  }
  const member = (fields: Partial<Member> = {}): Member => ({
    ...user,
    workspaceId: 'ws_1',
    role: 'owner',
    since: t0,
    ...fields,
  })
  const create = (fields: Partial<NewUser> & { workspaceId?: string; role?: UserRole | null } = {}) =>
    db.write('createUser', { ...newUser, workspaceId: 'ws_1', role: null, ...fields })
  const addWorkspace = () =>
    db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })

  describe('creating a user', () => {
    test('answers without the hash of the password; only the read for signing in has it', async () => {
      expect(await create()).toEqual({ outcome: 'created', user: member() })
      expect(await db.read.user('user_1')).toEqual(user)
      expect(await db.read.members('ws_1')).toEqual([member()])
      expect(await db.read.userByEmail('ada@example.com')).toEqual({ ...user, passwordHash, ...noTotp })
    })

    test('without a role makes the first of each workspace its owner, and any other a member', async () => {
      await addWorkspace()
      // At once: the second sees the first, although neither may be committed yet.
      const calls = [
        { id: 'user_1', email: 'a@example.com' },
        { id: 'user_2', email: 'b@example.com' },
        { id: 'user_3', email: 'c@example.com', workspaceId: 'ws_2' },
      ].map(fields => ['createUser', { ...newUser, workspaceId: 'ws_1', role: null, ...fields }] as const)
      await db.batch(...calls)
      const roles = async (workspaceId: string) => (await db.read.members(workspaceId)).map(({ role }) => role).sort()
      expect([await roles('ws_1'), await roles('ws_2')]).toEqual([['member', 'owner'], ['owner']])
    })

    test.each(['owner', 'admin', 'member', 'viewer'] as const)(
      'as %s gives that role, to the first as to any other',
      async role => {
        expect(await create({ role })).toMatchObject({ user: { role } })
        expect(await create({ id: 'user_2', email: 'bob@example.com', role })).toMatchObject({ user: { role } })
      },
    )

    test('keeps the email in lower case, and finds it in any case', async () => {
      expect(await create({ email: 'Ada@Example.COM' })).toMatchObject({ user: { email: 'ada@example.com' } })
      expect(await db.read.userByEmail('ADA@example.com')).toMatchObject({ id: 'user_1' })
    })

    test('an email is taken in the whole deployment, in any case; the user who has it stays as it is', async () => {
      await addWorkspace()
      await create()
      expect(await create({ id: 'user_2', name: 'Eve' })).toEqual({ outcome: 'emailTaken' })
      expect(await create({ id: 'user_2', email: 'ADA@example.com', workspaceId: 'ws_2' })).toEqual({
        outcome: 'emailTaken',
      })
      expect(await db.read.members(null)).toEqual([member()])
    })

    test('in a workspace that does not exist makes none', async () => {
      expect(await create({ workspaceId: 'ws_9' })).toEqual({ outcome: 'unknownWorkspace' })
      expect(await db.read.members(null)).toEqual([])
    })

    test('that the database refuses does not repeat the hash', async () => {
      await create()
      const again = { ...newUser, workspaceId: 'ws_1', role: null, email: 'bob@example.com' }
      const [answer] = await db.batch(['createUser', again])
      expect(answer).toMatchObject({ ok: false })
      expect(JSON.stringify(answer)).toMatch(/unique constraint/i)
      expect(JSON.stringify(answer)).not.toContain('argon2')
    })
  })

  describe('a new password', () => {
    test('takes the place of the old one and answers without a hash', async () => {
      await create()
      const change = { userId: 'user_1', passwordHash: '$argon2id$new', at: t0 + 5 }
      expect(await db.write('resetPassword', change)).toEqual({ ...user, updatedAt: t0 + 5 })
      expect(await db.read.userByEmail('ada@example.com')).toMatchObject({ passwordHash: '$argon2id$new' })
    })

    test('changes no other user', async () => {
      await create()
      await create({ id: 'user_2', email: 'bob@example.com' })
      await db.write('resetPassword', { userId: 'user_2', passwordHash: '$argon2id$new', at: t0 + 5 })
      expect(await db.read.userByEmail('ada@example.com')).toEqual({ ...user, passwordHash, ...noTotp })
    })

    test('of nobody is no change', async () => {
      expect(await db.write('resetPassword', { userId: 'user_9', passwordHash, at: t0 })).toBeNull()
    })
  })

  describe('reading', () => {
    test('lists those of one workspace, or of all', async () => {
      await addWorkspace()
      await create()
      await create({ id: 'user_2', email: 'bob@example.com', workspaceId: 'ws_2' })
      expect((await db.read.members('ws_2')).map(({ id }) => id)).toEqual(['user_2'])
      expect((await db.read.members(null)).map(({ id }) => id)).toEqual(['user_1', 'user_2'])
      expect(await db.read.members('ws_9')).toEqual([])
    })

    test('of nobody is null', async () => {
      expect([await db.read.user('user_9'), await db.read.userByEmail('nobody@example.com')]).toEqual([null, null])
    })
  })
}
