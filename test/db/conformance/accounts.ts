import { describe, expect, test } from 'bun:test'
import { putAwayMsMax } from '../../../db/contract/accounts.ts'
import type { Line } from '../../../db/contract/records.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { channel, line, t0 } from '../fixtures.ts'

export function accountsSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const key = (id: string, workspaceId = 'ws_1') => ({
    id,
    workspaceId,
    label: 'backend',
    createdAt: t0,
    secretHash: 'h'.repeat(64),
  })

  describe('properties', () => {
    test('the first to claim one wins, and everybody learns what it is', async () => {
      expect(await db.write('claimProperty', { name: 'vault_check', value: 'first' })).toBe('first')
      expect(await db.write('claimProperty', { name: 'vault_check', value: 'second' })).toBe('first')
      expect(await db.write('claimProperty', { name: 'other', value: 'second' })).toBe('second')
    })
  })

  describe('findings that were put away', () => {
    test('are away for 30 days, or until they are brought back; the later name counts', async () => {
      const put = { workspaceId: 'ws_1', finding: 'f1', by: 'Ada', at: t0 }
      const away = async (at = t0 + putAwayMsMax) =>
        (await db.read.putAwayFindings({ workspaceId: 'ws_1', at })).map(({ finding, by }) => `${finding} ${by}`).sort()
      await db.write('putAwayFinding', put)
      expect([await away(), await away(t0 + putAwayMsMax + 1)]).toEqual([['f1 Ada'], []])
      expect(await db.read.putAwayFindings({ workspaceId: 'ws_2', at: t0 })).toEqual([])
      await db.write('putAwayFinding', { ...put, finding: 'f2', at: t0 + 1 })
      await db.write('putAwayFinding', { ...put, by: 'Grace', at: t0 + 2 })
      expect(await away()).toEqual(['f1 Grace', 'f2 Ada'])
      await db.write('bringBackFinding', { workspaceId: 'ws_1', finding: 'f2' })
      expect(await away()).toEqual(['f1 Grace'])
      // Nothing is left of those that are shown again anyway.
      await db.write('putAwayFinding', { ...put, finding: 'f3', at: t0 + putAwayMsMax + 3 })
      expect(await away(t0 + putAwayMsMax)).toEqual(['f3 Ada'])
    })
  })

  describe('rates', () => {
    test('are kept for a workspace that is there, until others replace them or they are removed', async () => {
      const rate = { country: 'DE', category: 'utility', price: 0.0456, currency: 'EUR' } as const
      const set = (rates: readonly (typeof rate)[] | null, workspaceId = 'ws_1') =>
        db.write('setPriceRates', { workspaceId, rates, at: t0 })
      expect([await set([rate, rate]), await set([rate]), await set([rate], 'ws_none')]).toEqual([true, true, false])
      expect(await db.read.priceRates('ws_1')).toEqual({ workspaceId: 'ws_1', rates: [rate], setAt: t0 })
      expect(await db.read.priceRates('ws_2')).toBeNull()
      expect([await set(null), await db.read.priceRates('ws_1')]).toEqual([true, null])
    })
  })

  describe('keys', () => {
    test('are answered without the hash of their secret; only the authenticating read has it', async () => {
      const { secretHash, ...made } = key('pk_1')
      const unused = { expiresAt: null, revokedAt: null, allowedNetworks: null, lastUsedAt: null }
      const shown = { ...made, ...unused, scope: 'pk_1', scopes: null, lineIds: null, onOptOut: null }
      expect(await db.write('createKey', key('pk_1'))).toEqual(shown)
      expect(await db.read.keys('ws_1')).toContainEqual(shown)
      expect(await db.read.key('pk_1')).toEqual({ ...shown, secretHash })
      expect(await db.write('revokeKey', { keyId: 'pk_1', at: t0 })).not.toHaveProperty('secretHash')
    })

    test('are listed in the order in which they were made', async () => {
      for (const id of ['pk_2', 'pk_1']) await db.write('createKey', key(id))
      await db.write('createKey', { ...key('pk_0'), createdAt: t0 - 1 })
      expect((await db.read.keys('ws_1')).map(({ id }) => id)).toEqual(['pk_0', 'pk_seed', 'pk_2', 'pk_1'])
    })

    test('a workspace that does not exist gets none', async () => {
      expect(await db.write('createKey', key('pk_1', 'ws_9'))).toBeNull()
      expect(await db.read.key('pk_1')).toBeNull()
    })

    test('a second revocation keeps the time of the first', async () => {
      await db.write('createKey', key('pk_1'))
      expect(await db.write('revokeKey', { keyId: 'pk_1', at: t0 + 1 })).toMatchObject({ revokedAt: t0 + 1 })
      expect(await db.write('revokeKey', { keyId: 'pk_1', at: t0 + 2 })).toMatchObject({ revokedAt: t0 + 1 })
      expect(await db.read.key('pk_1')).toMatchObject({ revokedAt: t0 + 1 })
    })

    test('one that does not exist is not revoked', async () => {
      expect(await db.write('revokeKey', { keyId: 'pk_9', at: t0 })).toBeNull()
    })

    test('a new key never takes the place of another', async () => {
      await db.write('createKey', key('pk_1'))
      await expect(db.write('createKey', { ...key('pk_1'), label: 'other' })).rejects.toThrow(/unique constraint/i)
      expect(await db.read.key('pk_1')).toMatchObject({ label: 'backend' })
    })
  })

  describe('rotating a key', () => {
    const hash = 'n'.repeat(64)
    const rotate = (keyId = 'pk_seed', formerExpiresAt = t0 + 1_000) =>
      db.write('rotateKey', { keyId, successor: { id: `${keyId}_2`, secretHash: hash }, at: t0 + 1, formerExpiresAt })

    test('makes a successor in the same scope, with label, networks, scopes and lines; the former key works on until its end', async () => {
      const chosen = {
        label: 'backend',
        allowedNetworks: ['10.0.0.0/8'],
        scopes: ['inbound', 'media'] as const,
        lineIds: ['line_1'],
        onOptOut: 'refuse' as const,
      }
      await db.write('createKey', { ...key('pk_1'), ...chosen })
      const shared = { ...chosen, scopes: [...chosen.scopes], workspaceId: 'ws_1', scope: 'pk_1' }
      expect(await rotate('pk_1')).toEqual({
        outcome: 'rotated',
        key: { ...shared, id: 'pk_1_2', createdAt: t0 + 1, expiresAt: null, revokedAt: null, lastUsedAt: null },
        former: { ...shared, id: 'pk_1', createdAt: t0, expiresAt: t0 + 1_000, revokedAt: null, lastUsedAt: null },
      })
      expect(await db.read.key('pk_1_2')).toMatchObject({ secretHash: hash, allowedNetworks: ['10.0.0.0/8'] })
      expect(await db.read.key('pk_1')).toMatchObject({ secretHash: 'h'.repeat(64), expiresAt: t0 + 1_000 })
    })

    test('the scope stays the same however often it is rotated', async () => {
      await rotate()
      expect(await rotate('pk_seed_2')).toMatchObject({ key: { id: 'pk_seed_2_2', scope: 'pk_seed' } })
    })

    test('an end that was to come earlier stays', async () => {
      await db.write('limitKey', { keyId: 'pk_seed', expiresAt: t0 + 10 })
      expect(await rotate()).toMatchObject({ former: { expiresAt: t0 + 10 } })
    })

    test('a key that is unknown, revoked or expired has no successor', async () => {
      expect(await rotate('pk_9')).toEqual({ outcome: 'unknownKey' })
      await db.write('limitKey', { keyId: 'pk_seed', expiresAt: t0 + 1 })
      expect(await rotate()).toEqual({ outcome: 'expired' })
      await db.write('revokeKey', { keyId: 'pk_seed', at: t0 })
      expect(await rotate()).toEqual({ outcome: 'revoked' })
      expect(await db.read.keys('ws_1')).toHaveLength(1)
    })
  })

  describe('limits of a key', () => {
    test('are changed one at a time, and taken away by null', async () => {
      await db.write('limitKey', { keyId: 'pk_seed', expiresAt: t0 + 5 })
      const networks = ['192.0.2.0/24', '2001:db8::/32']
      expect(await db.write('limitKey', { keyId: 'pk_seed', allowedNetworks: networks })).toMatchObject({
        expiresAt: t0 + 5,
        allowedNetworks: networks,
      })
      expect(await db.write('limitKey', { keyId: 'pk_seed', allowedNetworks: null, expiresAt: null })).toMatchObject({
        expiresAt: null,
        allowedNetworks: null,
      })
      expect(await db.write('limitKey', { keyId: 'pk_9' })).toBeNull()
    })

    test('its last use is the latest, in whatever order uses are told', async () => {
      const use = (at: number, keyId = 'pk_seed') => ({ keyId, at })
      await db.write('recordKeyUse', { uses: [use(t0 + 2), use(t0 + 1), use(t0, 'pk_9')] })
      expect(await db.read.key('pk_seed')).toMatchObject({ lastUsedAt: t0 + 2 })
      await db.write('recordKeyUse', { uses: [use(t0 + 9)] })
      expect(await db.read.keys('ws_1')).toMatchObject([{ lastUsedAt: t0 + 9 }])
    })
  })

  describe('channels', () => {
    test('an account that is connected again keeps its id, its lines and its first time, and has the new secrets', async () => {
      const renewed = {
        sealedAccessToken: 'v1.newToken',
        sealedAppSecret: 'v1.newSecret',
        sealedVerifyToken: 'v1.newVerify',
        updatedAt: t0 + 5,
      }
      const connected = await db.write('connectChannel', channel({ id: 'chan_2', createdAt: t0 + 5, ...renewed }))
      expect(connected).toEqual({ ...channel(), ...renewed })
      expect(await db.read.channels('ws_1')).toHaveLength(1)
      expect(await db.read.line('line_1')).toMatchObject({ channelId: 'chan_1' })
    })

    test('the same account in another workspace is another channel', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      expect(await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2' }))).toMatchObject({
        id: 'chan_2',
      })
    })

    test('a workspace that does not exist gets none', async () => {
      expect(await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_9' }))).toBeNull()
    })
  })

  describe('lines', () => {
    test('belong to the workspace of their channel, whatever the caller says', async () => {
      const added = await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2', workspaceId: 'ws_9' }))
      expect(added).toMatchObject({ outcome: 'added', line: { workspaceId: 'ws_1' } })
    })

    test('one phone of a channel is one line; an unknown channel has none', async () => {
      expect(await db.write('addLine', line({ id: 'line_2' }))).toEqual({ outcome: 'taken' })
      expect(await db.write('addLine', line({ id: 'line_2', channelId: 'chan_9' }))).toEqual({
        outcome: 'unknownChannel',
      })
    })

    test('change only in what is given', async () => {
      const change = async (to: Partial<Line>) => (await db.write('changeLine', { lineId: 'line_1', ...to }))?.line
      expect(await change({ perSecond: 20 })).toEqual(line({ perSecond: 20 }))
      expect(await change({ active: false })).toEqual(line({ perSecond: 20, active: false }))
      expect(await change({ pairSeconds: 0, perSecond: 0 })).toMatchObject({ pairSeconds: 0 })
      expect(await change({ directSend: true })).toMatchObject({ directSend: true, active: false })
      expect(await change({ label: 'Berlin' })).toMatchObject({ label: 'Berlin', directSend: true })
      expect(await change({ label: null })).toMatchObject({ label: null })
      const after = { perSecond: 0, pairSeconds: 0, active: false, directSend: true }
      expect(await db.read.line('line_1')).toEqual(line(after))
    })

    test('nothing given changes nothing', async () => {
      expect(await db.write('changeLine', { lineId: 'line_1' })).toEqual({ line: line(), wasDefault: false })
    })

    test('keep what the upstream says of their numbers; one that does not exist is left out', async () => {
      const told = { quality: 'RED', messagingLimit: 'TIER_2K' }
      const keep = (...ids: string[]) => db.write('keepLines', { lines: ids.map(id => ({ id, ...told })) })
      await keep('line_9', 'line_1')
      expect(await db.read.line('line_1')).toEqual(line(told))
      await db.write('keepLines', { lines: [{ id: 'line_1', quality: null, messagingLimit: null }] })
      expect(await db.read.line('line_1')).toEqual(line())
    })

    test('one that does not exist does not change', async () => {
      expect(await db.write('changeLine', { lineId: 'line_9', active: false })).toBeNull()
    })

    test('have one default in a workspace, which is active', async () => {
      await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
      const defaults = async () =>
        (await db.read.lines('ws_1')).filter(({ isDefault }) => isDefault).map(({ id }) => id)
      const setDefault = async (lineId: string, isDefault = true) =>
        (await db.write('setDefaultLine', { lineId, isDefault })).outcome
      expect(await setDefault('line_1')).toBe('changed')
      expect(await setDefault('line_2')).toBe('changed')
      expect(await defaults()).toEqual(['line_2'])
      expect(await setDefault('line_1', false)).toBe('changed')
      expect(await defaults()).toEqual(['line_2'])

      expect(await db.write('changeLine', { lineId: 'line_2', active: false })).toMatchObject({ wasDefault: true })
      expect(await setDefault('line_2')).toBe('inactive')
      await db.write('changeLine', { lineId: 'line_2', active: true })
      expect(await defaults()).toEqual([])
      expect(await setDefault('line_9')).toBe('unknownLine')
    })
  })

  describe('workspaces', () => {
    test('a workspace gets another name', async () => {
      expect(await db.write('renameWorkspace', { workspaceId: 'ws_1', name: 'Acme Ltd' })).toMatchObject({
        name: 'Acme Ltd',
      })
      expect(await db.read.workspace('ws_1')).toMatchObject({ name: 'Acme Ltd' })
      expect(await db.write('renameWorkspace', { workspaceId: 'ws_9', name: 'Nobody' })).toBeNull()
    })

    const limits = async () => {
      const workspace = await db.read.workspace('ws_1')
      return [workspace?.monthlyMessageLimit, workspace?.monthlyCeiling]
    }
    const setLimit = (limit: number | null) => db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit })
    const setCeiling = (ceiling: number | null) => db.write('setMonthlyCeiling', { workspaceId: 'ws_1', ceiling })

    test('a limit of the owners is set, raised and taken away', async () => {
      expect(await setLimit(5)).toMatchObject({ outcome: 'changed', workspace: { monthlyMessageLimit: 5 } })
      expect(await setLimit(9)).toMatchObject({ outcome: 'changed' })
      expect(await limits()).toEqual([9, null])
      expect(await setLimit(null)).toMatchObject({ outcome: 'changed', workspace: { name: 'Acme' } })
      expect(await limits()).toEqual([null, null])
      expect(await db.write('setMonthlyLimit', { workspaceId: 'ws_9', limit: 5 })).toEqual({ outcome: 'missing' })
    })

    test('owners lower the limit of the operator for themselves, and neither raise nor lift it', async () => {
      expect(await setCeiling(100)).toMatchObject({ monthlyMessageLimit: 100, monthlyCeiling: 100 })
      for (const limit of [101, null]) expect(await setLimit(limit)).toEqual({ outcome: 'aboveCeiling', ceiling: 100 })
      expect(await limits()).toEqual([100, 100])
      for (const limit of [0, 40, 100, 40]) expect(await setLimit(limit)).toMatchObject({ outcome: 'changed' })
      expect(await limits()).toEqual([40, 100])
      expect(await db.write('setMonthlyCeiling', { workspaceId: 'ws_9', ceiling: 5 })).toBeNull()
    })

    test('the operator’s limit is also that of a workspace which the operator makes', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: 7, createdAt: t0 })
      expect(await db.read.workspace('ws_2')).toMatchObject({ monthlyMessageLimit: 7, monthlyCeiling: 7 })
    })

    test.each([
      ['raised, is followed', { own: null, to: 200 }, [200, 200]],
      ['raised, leaves a lower one of the owners', { own: 40, to: 200 }, [40, 200]],
      ['lowered below it, holds', { own: 40, to: 30 }, [30, 30]],
      ['lifted, leaves a lower one of the owners', { own: 40, to: null }, [40, null]],
      ['lifted, leaves none', { own: null, to: null }, [null, null]],
    ])('the operator’s limit, %s', async (_, { own, to }, expected) => {
      await setCeiling(100)
      if (own !== null) await setLimit(own)
      await setCeiling(to)
      expect(await limits()).toEqual(expected)
    })
  })
}
