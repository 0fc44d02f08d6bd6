import { beforeEach, describe, expect, test } from 'bun:test'
import type { Preferences } from '../../../db/contract/preferences.ts'
import type { NewSession, SignInPlace } from '../../../db/contract/users.ts'
import { dayMs, hourMs } from '../../../src/base/durations.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { office, t0 } from '../fixtures.ts'

const home: SignInPlace = { device: null, network: '2001:db8:0::/48' }

export function sessionsSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    for (const n of [1, 2]) {
      const user = { id: `user_${n}`, email: `${n}@example.com`, name: null, createdAt: t0, passwordHash: 'old' }
      await db.write('createUser', { ...user, workspaceId: 'ws_1', role: null })
    }
  })

  const begin = (id: string, fields: Partial<NewSession & { passwordHash: string }> = {}) =>
    db.write('openSession', {
      id,
      passwordHash: 'old',
      userId: 'user_1',
      createdAt: t0,
      expiresAt: t0 + dayMs,
      familyHash: `family of ${id}`,
      tokenHash: 'token 1',
      ...office,
      ...fields,
    })
  const session = { id: 'ses_1', userId: 'user_1', createdAt: t0, refreshedAt: t0, expiresAt: t0 + dayMs, ...office }
  const refresh = (tokenHash: string, nextTokenHash: string, at: number, id = 'ses_1', place = office) => {
    const limits = { repeatMs: 1_000, refreshedSince: at - 12 * hourMs }
    const tokens = { familyHash: `family of ${id}`, tokenHash, nextTokenHash }
    return db.write('refreshSession', { ...tokens, at, ...limits, ...place })
  }
  const isThere = async (id: string) => (await db.read.session(id)) !== null

  describe('a sign-in', () => {
    test('is read without the hashes of its tokens, and known by its family', async () => {
      expect(await begin('ses_1')).toEqual(session)
      expect(await db.read.session('ses_1')).toEqual(session)
      expect(await db.read.userOfFamily('family of ses_1')).toEqual(await db.read.user('user_1'))
      expect(await db.read.userOfFamily('family of ses_2')).toBeNull()
      expect(await db.read.session('ses_2')).toBeNull()
    })

    test('is listed to its user, the last used first', async () => {
      await begin('ses_1')
      await begin('ses_2', { createdAt: t0 + 1 })
      await begin('ses_other', { userId: 'user_2' })
      await refresh('token 1', 'token 2', t0 + 2)
      const listed = await db.read.sessions('user_1')
      expect(listed.map(({ id }) => id)).toEqual(['ses_1', 'ses_2'])
      expect(listed[0]).toEqual({ ...session, refreshedAt: t0 + 2 })
      expect(await db.read.sessions('user_9')).toEqual([])
    })

    test('of a user who is not there is none', async () => {
      expect(await begin('ses_1', { userId: 'user_9' })).toBeNull()
      expect(await db.read.session('ses_1')).toBeNull()
    })

    test('does not begin with a password that was replaced while it was checked', async () => {
      await db.write('resetPassword', { userId: 'user_1', passwordHash: 'new', at: t0 })
      expect(await begin('ses_1')).toBeNull()
      expect(await db.read.session('ses_1')).toBeNull()
      expect(await begin('ses_1', { passwordHash: 'new' })).toEqual(session)
    })

    test('beyond fifty of one user ends the oldest, and none of another user', async () => {
      await begin('ses_other', { userId: 'user_2', createdAt: t0 - 1 })
      for (let n = 1; n <= 52; n += 1) await begin(`ses_${n}`, { createdAt: t0 + n })
      const there = await Promise.all(['ses_1', 'ses_2', 'ses_3', 'ses_52', 'ses_other'].map(isThere))
      expect(there).toEqual([false, false, true, true, true])
    })
  })

  describe('a refresh', () => {
    beforeEach(() => begin('ses_1'))

    test('by the newest token replaces it', async () => {
      const refreshed = { ...session, refreshedAt: t0 + 5 }
      expect(await refresh('token 1', 'token 2', t0 + 5)).toEqual({ outcome: 'refreshed', session: refreshed })
      expect(await db.read.session('ses_1')).toEqual(refreshed)
      expect(await refresh('token 2', 'token 3', t0 + 9)).toMatchObject({ outcome: 'refreshed' })
    })

    test('keeps from where it came last; one that is repeated does not', async () => {
      expect(await refresh('token 1', 'token 2', t0 + 5, 'ses_1', home)).toMatchObject({ session: home })
      expect(await refresh('token 1', 'token 2', t0 + 6, 'ses_1', office)).toMatchObject({ outcome: 'repeated' })
      expect(await db.read.session('ses_1')).toMatchObject({ refreshedAt: t0 + 5, ...home })
    })

    test('by the token before it is repeated for a moment, and then a theft, which ends the session', async () => {
      await refresh('token 1', 'token 2', t0 + 5)
      expect(await refresh('token 1', 'token 3', t0 + 1_004)).toMatchObject({
        outcome: 'repeated',
        session: { refreshedAt: t0 + 5 },
      })
      expect(await refresh('token 1', 'token 3', t0 + 1_005)).toEqual({ outcome: 'reused', userId: 'user_1' })
      expect(await isThere('ses_1')).toBe(false)
      expect(await refresh('token 2', 'token 3', t0 + 1_006)).toEqual({ outcome: 'unknown' })
    })

    test('by any older token ends the session at once', async () => {
      await refresh('token 1', 'token 2', t0 + 5)
      await refresh('token 2', 'token 3', t0 + 6)
      expect(await refresh('token 1', 'token 4', t0 + 7)).toMatchObject({ outcome: 'reused' })
    })

    test('of one that has expired, or was not refreshed for long, is unknown', async () => {
      expect(await refresh('token 1', 'token 2', t0 + 12 * hourMs)).toEqual({ outcome: 'unknown' })
      await begin('ses_2', { expiresAt: t0 + 100 })
      expect(await refresh('token 1', 'token 2', t0 + 100, 'ses_2')).toEqual({ outcome: 'unknown' })
      expect([await isThere('ses_1'), await isThere('ses_2')]).toEqual([false, false])
    })

    test('of two at once by one token refreshes once, and repeats once', async () => {
      const outcomes = await Promise.all([refresh('token 1', 'a', t0 + 5), refresh('token 1', 'b', t0 + 5)])
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['refreshed', 'repeated'])
    })
  })

  describe('the end', () => {
    beforeEach(async () => {
      for (const id of ['ses_1', 'ses_2', 'ses_3']) await begin(id)
      await begin('ses_other', { userId: 'user_2' })
    })
    const left = async () => {
      const ids = ['ses_1', 'ses_2', 'ses_3', 'ses_other']
      const there = await Promise.all(ids.map(isThere))
      return ids.filter((_, at) => there[at])
    }

    test('of one session names its user, once', async () => {
      expect(await db.write('endSession', { familyHash: 'family of ses_1' })).toMatchObject({ id: 'user_1' })
      expect(await db.write('endSession', { familyHash: 'family of ses_1' })).toBeNull()
      expect(await left()).toEqual(['ses_2', 'ses_3', 'ses_other'])
    })

    test('of one session by its id is for its user alone', async () => {
      const endIt = (userId: string) => db.write('endSession', { userId, sessionId: 'ses_other' })
      expect(await endIt('user_1')).toBeNull()
      expect(await left()).toEqual(['ses_1', 'ses_2', 'ses_3', 'ses_other'])
      expect(await endIt('user_2')).toMatchObject({ id: 'user_2' })
      expect(await left()).toEqual(['ses_1', 'ses_2', 'ses_3'])
    })

    test('of all but one, or of all, is of one user alone', async () => {
      expect(await db.write('endSessions', { userId: 'user_1', keep: 'ses_2' })).toBe(2)
      expect(await left()).toEqual(['ses_2', 'ses_other'])
      expect(await db.write('endSessions', { userId: 'user_1', keep: null })).toBe(1)
      expect(await left()).toEqual(['ses_other'])
    })

    test('a new password ends all others, and counts them; one that was replaced meanwhile is not replaced', async () => {
      const change = { userId: 'user_1', formerHash: 'old', passwordHash: 'new', keepSession: 'ses_3', at: t0 + 5 }
      expect(await db.write('changePassword', change)).toBe(2)
      expect(await left()).toEqual(['ses_3', 'ses_other'])
      expect(await db.read.userByEmail('1@example.com')).toMatchObject({ passwordHash: 'new', updatedAt: t0 + 5 })
      expect(await db.write('changePassword', { ...change, passwordHash: 'newer' })).toBeNull()
      expect(await db.read.userByEmail('1@example.com')).toMatchObject({ passwordHash: 'new' })
    })

    test('a password that is reset ends all', async () => {
      await db.write('resetPassword', { userId: 'user_1', passwordHash: 'new', at: t0 })
      expect(await left()).toEqual(['ses_other'])
    })

    test('those that have expired are pruned with expired invitations, in bites', async () => {
      const invitation = {
        workspaceId: 'ws_1',
        role: 'member',
        invitedBy: '1@example.com',
        byUserId: 'user_1',
      } as const
      for (const [n, expiresAt] of [t0 + dayMs, t0 + 2 * dayMs].entries()) {
        const link = {
          id: `inv_${n}`,
          email: `guest${n}@example.com`,
          tokenHash: `link ${n}`,
          createdAt: t0,
          expiresAt,
        }
        await db.write('invite', { ...invitation, ...link })
      }
      await begin('ses_new', { expiresAt: t0 + 2 * dayMs })
      const prune = () => db.write('pruneSessions', { expiredBefore: t0 + dayMs, limit: 3 })
      expect([await prune(), await prune(), await prune()]).toEqual([3, 2, 0])
      expect(await left()).toEqual([])
      expect(await isThere('ses_new')).toBe(true)
      const open = await db.read.invitations({ workspaceId: 'ws_1', at: t0 })
      expect(open.map(({ id }) => id)).toEqual(['inv_1'])
    })
  })

  test('a user is renamed, or loses the name', async () => {
    const rename = (userId: string, name: string | null) => db.write('renameUser', { userId, name, at: t0 + 5 })
    expect(await rename('user_1', 'Ada')).toMatchObject({ id: 'user_1', name: 'Ada', updatedAt: t0 + 5 })
    expect(await rename('user_1', null)).toMatchObject({ name: null })
    expect(await rename('user_9', 'Eve')).toBeNull()
    expect(await db.read.user('user_1')).toMatchObject({ name: null })
  })

  test('a user chooses a preference; the others stay', async () => {
    const choose = (userId: string, preferences: Partial<Preferences>) =>
      db.write('choosePreferences', { userId, preferences, at: t0 + 5 })
    await choose('user_1', { notifications: 'mine', sound: true })
    const preferences = { notifications: 'mine', sound: false } as const
    expect(await choose('user_1', { sound: false })).toMatchObject({ preferences, updatedAt: t0 + 5 })
    expect(await choose('user_9', { sound: true })).toBeNull()
    expect(await db.read.user('user_1')).toMatchObject({ preferences })
    expect(await db.read.user('user_2')).toMatchObject({ preferences: null })
  })
}
