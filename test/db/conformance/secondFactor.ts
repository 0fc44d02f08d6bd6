import { beforeEach, describe, expect, test } from 'bun:test'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { t0 } from '../fixtures.ts'

export function secondFactorSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    for (const n of [1, 2]) {
      const user = { id: `user_${n}`, email: `${n}@example.com`, name: null, createdAt: t0, passwordHash: 'h' }
      await db.write('createUser', { ...user, workspaceId: 'ws_1', role: null })
    }
  })

  const begin = (sealedTotpSecret = 'v1.secret', userId = 'user_1') =>
    db.write('startTotp', { userId, sealedTotpSecret, at: t0 + 1 })
  const confirm = (sealedTotpSecret = 'v1.secret', codeHashes: readonly string[] = ['a', 'b', 'c']) =>
    db.write('confirmTotp', { userId: 'user_1', sealedTotpSecret, step: 10, codeHashes, at: t0 + 2 })

  describe('a second factor', () => {
    test('is asked for once a code has confirmed it, and its secret is never shown with the user', async () => {
      expect(await begin()).toBe(true)
      expect(await db.read.user('user_1')).toMatchObject({ totpSince: null, updatedAt: t0 + 1 })
      const confirmed = await confirm()
      expect(confirmed).toMatchObject({ id: 'user_1', totpSince: t0 + 2 })
      expect(confirmed).not.toHaveProperty('sealedTotpSecret')
      expect(await db.read.userByEmail('1@example.com')).toMatchObject({ sealedTotpSecret: 'v1.secret', totpStep: 10 })
      expect(await db.read.recoveryCodesLeft('user_1')).toBe(3)
      expect(await db.read.userByEmail('2@example.com')).toMatchObject({ sealedTotpSecret: null, totpStep: null })
    })

    test('is replaced until it is confirmed, and not after that', async () => {
      await begin('v1.first')
      await begin('v1.second')
      expect(await confirm('v1.first')).toBeNull()
      expect(await confirm('v1.second')).not.toBeNull()
      expect(await confirm('v1.second')).toBeNull()
      expect(await begin('v1.third')).toBe(false)
      expect(await db.read.sealedTotps()).toEqual([{ userId: 'user_1', sealedTotpSecret: 'v1.second' }])
    })

    test('of a user who is not there is none', async () => {
      expect(await begin('v1.secret', 'user_9')).toBe(false)
    })

    test('that ends takes its codes along', async () => {
      const end = () => db.write('endTotp', { userId: 'user_1', at: t0 + 9 })
      expect(await end()).toBeNull()
      await begin()
      await confirm()
      expect(await end()).toMatchObject({ totpSince: null, updatedAt: t0 + 9 })
      expect(await db.read.recoveryCodesLeft('user_1')).toBe(0)
      expect(await db.read.sealedTotps()).toEqual([])
    })
  })

  describe('a code', () => {
    const consume = (step: number) => db.write('consumeTotp', { userId: 'user_1', step })

    test('counts once, and none of an earlier step counts after it', async () => {
      await begin()
      expect(await consume(11)).toBe(false)
      await confirm()
      expect([await consume(10), await consume(11), await consume(11), await consume(9)]).toEqual([
        false,
        true,
        false,
        false,
      ])
    })

    test('that comes twenty times at once counts once', async () => {
      await begin()
      await confirm()
      const answers = await Promise.all(Array.from({ length: 20 }, () => consume(11)))
      expect(answers.filter(isTaken => isTaken)).toHaveLength(1)
    })
  })

  describe('recovery codes', () => {
    const consume = (codeHash: string, userId = 'user_1') => db.write('consumeRecoveryCode', { userId, codeHash })
    beforeEach(async () => {
      await begin()
      await confirm()
    })

    test('count once each, and for their own user', async () => {
      expect(await consume('a', 'user_2')).toBeNull()
      expect([await consume('a'), await consume('a'), await consume('b'), await consume('z')]).toEqual([
        2,
        null,
        1,
        null,
      ])
    })

    test('are replaced as a whole, for a user who has a second factor', async () => {
      const replace = (userId: string) => db.write('replaceRecoveryCodes', { userId, codeHashes: ['x', 'y'] })
      expect(await replace('user_1')).toMatchObject({ id: 'user_1' })
      expect(await replace('user_2')).toBeNull()
      expect([await consume('a'), await consume('x')]).toEqual([null, 1])
      expect(await db.read.recoveryCodesLeft('user_2')).toBe(0)
    })
  })
}
