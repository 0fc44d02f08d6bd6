import { describe, expect, test } from 'bun:test'
import type { StoreWrites } from '../../../db/contract/store.ts'
import { freshSeeded, type OpenStore, single } from '../engines.ts'
import { addOther, channel, draft, line, ofOther, t0, withKey } from '../fixtures.ts'

type Call = { [Verb in keyof StoreWrites]: readonly [Verb, Parameters<StoreWrites[Verb]>[0]] }[keyof StoreWrites]

/** What decides on the sends of `pk_seed`. */
const changes: readonly Call[] = [
  ['revokeKey', { keyId: 'pk_seed', at: t0 }],
  ['limitKey', { keyId: 'pk_seed', allowedNetworks: ['10.0.0.0/8'] }],
  ['changeLine', { lineId: 'line_1', active: false }],
  ['setDefaultLine', { lineId: 'line_1', isDefault: true }],
  ['addLine', line({ id: 'line_2', upstreamPhoneId: '1002' })],
  ['removeLine', { lineId: 'line_1', at: t0 }],
  ['disconnectChannel', { channelId: 'chan_1', at: t0 }],
  ['connectChannel', channel({ sealedAccessToken: 'v1.other', updatedAt: t0 + 1 })],
  ['setMonthlyLimit', { workspaceId: 'ws_1', limit: 9 }],
  ['setQuietHours', { workspaceId: 'ws_1', quietHours: null }],
  ['closeWorkspace', { workspaceId: 'ws_1', at: t0 }],
]

/** What is stored often, or of others. */
const elsewhere: readonly Call[] = [
  ['acceptMessage', draft({ id: 'msg_before' })],
  ['recordKeyUse', { uses: [{ keyId: 'pk_seed', at: t0 }] }],
  ['renameWorkspace', { workspaceId: 'ws_1', name: 'Acme GmbH' }],
  ['rememberMedia', { lineId: 'line_1', link: 'https://acme.example/1', format: 'image', mediaId: '1', expiresAt: t0 }],
  ['createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 }],
  ['connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2', accountId: '2' })],
  ['addLine', line({ id: 'line_2', workspaceId: 'ws_2', channelId: 'chan_2' })],
]

export function settingsSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  const generation = async () =>
    Number(await single(db, "SELECT settings_generation FROM workspaces WHERE id = 'ws_1'"))
  const write = ([verb, argument]: Call) => db.write(verb, argument as never)

  describe('a send that was decided by kept settings', () => {
    test.each(changes.map(change => ({ verb: change[0], change })))('is not stored after $verb', async ({ change }) => {
      const kept = await generation()
      await write(change)
      expect(await db.write('acceptMessage', draft({ generation: kept }))).toEqual({ outcome: 'outdated' })
      expect(await db.read.message('msg_1')).toBeNull()
    })

    test('is not stored after its workspace was erased, and holds up no other', async () => {
      const kept = await generation()
      await addOther(db)
      await write(['closeWorkspace', { workspaceId: 'ws_1', at: t0 }])
      while (!(await db.write('eraseWorkspace', { workspaceId: 'ws_1', limit: 100, at: t0 })).isDone);
      const outcomes = await Promise.all([
        db.write('acceptMessage', draft({ ...withKey('k-1'), generation: kept })),
        db.write('acceptMessage', draft({ id: 'msg_2', ...ofOther })),
      ])
      expect(outcomes).toMatchObject([{ outcome: 'outdated' }, { outcome: 'accepted' }])
    })

    test('is stored whatever else was changed', async () => {
      const kept = await generation()
      for (const change of elsewhere) await write(change)
      expect(await db.write('acceptMessage', draft({ generation: kept }))).toMatchObject({ outcome: 'accepted' })
    })

    test('is told nothing of an earlier one with its idempotency key once they changed', async () => {
      const kept = await generation()
      await db.write('acceptMessage', draft({ ...withKey('k-1'), generation: kept }))
      await db.write('revokeKey', { keyId: 'pk_seed', at: t0 })
      for (const fingerprint of ['f1', 'f2']) {
        const again = draft({ id: 'msg_2', ...withKey('k-1', fingerprint), generation: kept })
        expect(await db.write('acceptMessage', again)).toEqual({ outcome: 'outdated' })
      }
    })
  })

  describe('the key of a send', () => {
    const ask = (month: string, isAnew = false) => db.read.sendingKey({ keyId: 'pk_seed', month, isAnew })

    test('is kept in its generation, and read anew for another month, on demand, and where its plan is full', async () => {
      await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: 1 })
      expect((await ask('2026-01'))?.settings?.generation).toBeUndefined()
      expect((await ask('2026-01'))?.settings).toMatchObject({ generation: await generation(), plan: { used: 0 } })
      expect((await ask('2026-01', true))?.settings?.generation).toBeUndefined()
      expect((await ask('2026-02'))?.settings?.generation).toBeUndefined()
      await db.write('acceptMessage', draft())
      for (const _ of [1, 2])
        expect((await ask('2026-01', true))?.settings).toMatchObject({ plan: { limit: 1, used: 1 } })
      expect((await ask('2026-01'))?.settings).toMatchObject({ plan: { limit: 1, used: 1 } })
    })
  })
}
