import { beforeEach, describe, expect, test } from 'bun:test'
import type { UserRole } from '../../../db/contract/roles.ts'
import { storeReads } from '../../../db/postgres/store.ts'
import { lockingVerbs, rareVerbs } from '../../../db/postgres/writes.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { hasPostgres } from '../../postgres.ts'
import { office, t0 } from '../fixtures.ts'
import { type PostgresDatabase, postgresDatabase } from './database.ts'
import { overlapping } from './overlap.ts'

type Verbs = ReturnType<typeof rareVerbs>

describe.skipIf(!hasPostgres)('users on PostgreSQL, with two instances at once', () => {
  const current = postgresDatabase()
  let verbs: PostgresDatabase['verbs']
  beforeEach(() => {
    verbs = current().verbs
  })

  const atOnce = <First, Second>(one: (verbs: Verbs) => Promise<First>, other: (verbs: Verbs) => Promise<Second>) =>
    overlapping(current(), 'serializable', connection => one(rareVerbs(connection)), other)
  const reads = () => storeReads(current().pool)

  const addWorkspace = (id: string) => verbs.createWorkspace({ id, name: id, monthlyMessageLimit: null, createdAt: t0 })
  const newUser = (name: string) => ({
    id: `user_${name}`,
    email: `${name}@example.com`,
    name,
    createdAt: t0,
    passwordHash: '$argon2id$secret',
  })
  const create = (name: string, role: UserRole | null = null, workspaceId = 'ws_1') =>
    verbs.createUser({ ...newUser(name), workspaceId, role })
  const inviteBob = () => {
    const link = { id: 'inv_bob', tokenHash: 'link', createdAt: t0, expiresAt: t0 + hourMs, isReset: false }
    return verbs.inviteUser({ ...link, workspaceId: 'ws_2', email: 'bob@example.com', role: null })
  }
  const rolesIn = async (workspaceId: string) => (await reads().members(workspaceId)).map(({ role }) => role).sort()

  describe('a workspace always keeps an owner', () => {
    beforeEach(async () => {
      await addWorkspace('ws_1')
      await create('ada', 'owner')
      await create('bob', 'owner')
    })
    const stepDown = (name: string) => (each: Verbs) =>
      each.changeRole({ workspaceId: 'ws_1', userId: `user_${name}`, byUserId: `user_${name}`, role: 'viewer' })
    const remove = (name: string, by: string) => (each: Verbs) =>
      each.removeMember({ workspaceId: 'ws_1', userId: `user_${name}`, byUserId: `user_${by}` })

    test('when its two owners give up the role', async () => {
      const outcomes = (await atOnce(stepDown('ada'), stepDown('bob'))).map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual(['changed', 'lastOwner'])
      expect(await rolesIn('ws_1')).toEqual(['owner', 'viewer'])
    })

    test('when its two owners remove each other', async () => {
      const outcomes = (await atOnce(remove('ada', 'bob'), remove('bob', 'ada'))).map(({ outcome }) => outcome)
      expect(outcomes).toContain('changed')
      expect(await rolesIn('ws_1')).toEqual(['owner'])
    })

    test('when one leaves and the other gives up the role', async () => {
      const outcomes = (await atOnce(remove('ada', 'ada'), stepDown('bob'))).map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual(['changed', 'lastOwner'])
      expect(await rolesIn('ws_1')).toContain('owner')
    })
  })

  test('of two first members without a named role, one becomes the owner', async () => {
    await addWorkspace('ws_1')
    await atOnce(
      each => each.createUser({ ...newUser('ada'), workspaceId: 'ws_1', role: null }),
      each => each.createUser({ ...newUser('bob'), workspaceId: 'ws_1', role: null }),
    )
    expect(await rolesIn('ws_1')).toEqual(['member', 'owner'])
  })

  test('of two users with one address, one is made', async () => {
    await addWorkspace('ws_1')
    const outcomes = await atOnce(
      each => each.createUser({ ...newUser('ada'), workspaceId: 'ws_1', role: null }),
      each =>
        each.createUser({ ...newUser('ada'), id: 'user_2', email: 'ADA@example.com', workspaceId: 'ws_1', role: null }),
    )
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['created', 'emailTaken'])
  })

  describe('works once', () => {
    test('a set-up link', async () => {
      expect(await verbs.offerSetup({ tokenHash: 'link', expiresAt: t0 + hourMs })).toBe(true)
      expect(await reads().isSetupOpen({ tokenHash: 'link', at: t0 })).toBe(true)
      const setUp = (name: string) => (each: Verbs) =>
        each.setUp({ tokenHash: 'link', user: newUser(name), newWorkspace: { id: `ws_${name}`, name }, at: t0 })
      const outcomes = (await atOnce(setUp('ada'), setUp('bob'))).map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual(['done', 'hasUsers'])
      expect(await reads().members(null)).toHaveLength(1)
      expect(await reads().isSetupOpen({ tokenHash: 'link', at: t0 })).toBe(false)
    })

    test('an invitation', async () => {
      await addWorkspace('ws_1')
      await create('ada', 'owner')
      const invitation = { id: 'inv_1', workspaceId: 'ws_1', email: 'eve@example.com', role: 'member' } as const
      const link = { tokenHash: 'link', invitedBy: 'ada@example.com', createdAt: t0, expiresAt: t0 + hourMs }
      await verbs.invite({ ...invitation, ...link, byUserId: 'user_ada' })
      expect(await reads().invitation({ tokenHash: 'link', at: t0 })).toMatchObject({ account: 'none' })
      const accept = (id: string) => (each: Verbs) => {
        const { email, ...user } = newUser('eve')
        return each.acceptInvitation({ tokenHash: 'link', at: t0, by: { user: { ...user, id } } })
      }
      const outcomes = (await atOnce(accept('user_1'), accept('user_2'))).map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual(['invalidLink', 'joined'])
      expect(await rolesIn('ws_1')).toEqual(['member', 'owner'])
    })

    test('a code of the authenticator app, and a recovery code', async () => {
      await addWorkspace('ws_1')
      const user = { userId: 'user_ada', sealedTotpSecret: 'v1.totp', at: t0 }
      await create('ada')
      await verbs.startTotp(user)
      expect(await verbs.confirmTotp({ ...user, step: 1, codeHashes: ['a', 'b'] })).not.toBeNull()
      const step = (each: Verbs) => each.consumeTotp({ userId: 'user_ada', step: 2 })
      expect((await atOnce(step, step)).sort()).toEqual([false, true])
      const code = (each: Verbs) => each.consumeRecoveryCode({ userId: 'user_ada', codeHash: 'a' })
      expect((await atOnce(code, code)).sort()).toEqual([1, null])
    })
  })

  describe('a sign-in', () => {
    const open = (each: Verbs, name = 'ada', family = 'family', createdAt = t0) =>
      each.openSession({
        id: `ses_${family}`,
        userId: `user_${name}`,
        familyHash: family,
        tokenHash: 'token 1',
        passwordHash: newUser(name).passwordHash,
        createdAt,
        expiresAt: t0 + hourMs,
        ...office,
      })
    const refresh =
      (token: number, next: number, family = 'family', at = t0 + 1) =>
      (each: Verbs) =>
        each.refreshSession({
          familyHash: family,
          tokenHash: `token ${token}`,
          nextTokenHash: `token ${next}`,
          at,
          repeatMs: 10,
          refreshedSince: 0,
          ...office,
        })
    beforeEach(async () => {
      await addWorkspace('ws_1')
      await create('ada')
    })

    test('is refreshed once by two who have its token: the other is told that it was', async () => {
      await open(verbs)
      const outcomes = (await atOnce(refresh(1, 2), refresh(1, 3))).map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual(['refreshed', 'repeated'])
      expect(await reads().userOfFamily('family')).not.toBeNull()
    })

    test('ends when a token is used again that was replaced before the last one', async () => {
      await open(verbs)
      await refresh(1, 2)(verbs)
      await refresh(2, 3)(verbs)
      const outcomes = (await atOnce(refresh(3, 4), refresh(1, 5))).map(({ outcome }) => outcome)
      expect(outcomes).toContain('reused')
      expect(await reads().userOfFamily('family')).toBeNull()
      expect(await refresh(4, 6)(verbs)).toEqual({ outcome: 'unknown' })
    })

    test('is one of fifty at most, also when two begin: the oldest end', async () => {
      for (let at = 1; at <= 50; at++) await open(verbs, 'ada', `family ${at}`, t0 + at)
      await atOnce(
        each => open(each, 'ada', 'family 51', t0 + 51),
        each => open(each, 'ada', 'family 52', t0 + 52),
      )
      const left = await Promise.all([1, 2, 3].map(at => reads().userOfFamily(`family ${at}`)))
      expect(left.map(user => user?.id)).toEqual([undefined, undefined, 'user_ada'])
      expect(await verbs.endSessions({ userId: 'user_ada', keep: null })).toBe(50)
    })

    test('of a user who is erased meanwhile is not left over', async () => {
      await create('bob', 'member')
      const leave = (each: Verbs) =>
        each.removeMember({ workspaceId: 'ws_1', userId: 'user_bob', byUserId: 'user_ada' })
      for (const family of ['one', 'other']) {
        const signIn = (each: Verbs) => open(each, 'bob', family)
        const [removed] = family === 'one' ? await atOnce(leave, signIn) : (await atOnce(signIn, leave)).reverse()
        expect(removed).toMatchObject({ outcome: 'changed' })
        expect([await reads().user('user_bob'), await reads().userOfFamily(family)]).toEqual([null, null])
        await create('bob', 'member')
      }
    })

    test('that begins while the account is reset does not outlast it', async () => {
      await addWorkspace('ws_2')
      const reset = (each: Verbs) => {
        const link = { id: 'inv_1', tokenHash: 'link', createdAt: t0, expiresAt: t0 + hourMs, isReset: true }
        return each.inviteUser({ ...link, workspaceId: 'ws_2', email: 'ada@example.com', role: null })
      }
      for (const family of ['one', 'other']) {
        const signIn = (each: Verbs) => open(each, 'ada', family)
        await (family === 'one' ? atOnce(reset, signIn) : atOnce(signIn, reset))
        expect(await reads().userOfFamily(family)).toBeNull()
        await verbs.resetPassword({ userId: 'user_ada', passwordHash: newUser('ada').passwordHash, at: t0 })
      }
    })

    test('is refreshed for each of many users at once', async () => {
      const names = Array.from({ length: 60 }, (_, at) => `u${at}`)
      await Promise.all(names.map(name => create(name)))
      await Promise.all(names.map(name => open(verbs, name, name)))
      const refreshed = await Promise.all(names.map(name => refresh(1, 2, name)(verbs)))
      expect(refreshed.filter(({ outcome }) => outcome === 'refreshed')).toHaveLength(60)
    })
  })

  test('a user who leaves the last workspace and joins another at once is there, or nowhere', async () => {
    await addWorkspace('ws_1')
    await addWorkspace('ws_2')
    const leave = (each: Verbs) => each.removeMember({ workspaceId: 'ws_1', userId: 'user_bob', byUserId: 'user_ada' })
    const join = (each: Verbs) => each.acceptInvitation({ tokenHash: 'link', at: t0, by: { userId: 'user_bob' } })
    await create('ada', 'owner')
    for (const first of [leave, join]) {
      await create('bob', 'member')
      await inviteBob()
      const outcomes = await atOnce<{ outcome: string }, { outcome: string }>(first, first === leave ? join : leave)
      const isThere = (await reads().user('user_bob')) !== null
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(
        ['changed', isThere ? 'joined' : 'otherUser'].sort(),
      )
      expect((await reads().members('ws_2')).map(({ id }) => id)).toEqual(isThere ? ['user_bob'] : [])
      await verbs.removeMember({ workspaceId: 'ws_2', userId: 'user_bob', byUserId: 'user_bob' })
    }
  })

  test('a user who leaves one workspace while the only other one is erased is erased', async () => {
    await addWorkspace('ws_1')
    await addWorkspace('ws_2')
    await create('ada', 'owner')
    await create('bob', 'member')
    await inviteBob()
    await verbs.acceptInvitation({ tokenHash: 'link', at: t0, by: { userId: 'user_bob' } })
    const [, removed] = await overlapping(
      current(),
      'read committed',
      connection => lockingVerbs(connection).eraseWorkspace({ workspaceId: 'ws_2', limit: 10, at: t0 }),
      each => each.removeMember({ workspaceId: 'ws_1', userId: 'user_bob', byUserId: 'user_ada' }),
    )
    expect(removed).toMatchObject({ outcome: 'changed' })
    expect(await reads().user('user_bob')).toBeNull()
  })

  test('what the database refuses does not repeat the hash of a password', async () => {
    await addWorkspace('ws_1')
    await create('ada')
    const again = await verbs.createUser({ ...newUser('bob'), id: 'user_ada', workspaceId: 'ws_1', role: null }).then(
      () => null,
      (error: unknown) => error,
    )
    expect(again).toBeInstanceOf(Error)
    expect(Bun.inspect(again)).toContain('users_pkey')
    expect(Bun.inspect(again)).not.toContain('argon2')
  })
})
