import { beforeEach, describe, expect, test } from 'bun:test'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { channel, t0, webhook } from '../fixtures.ts'

export function secretsSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    const user = { id: 'user_1', email: 'ada@example.com', name: null, createdAt: t0, passwordHash: 'h' }
    await db.write('createUser', { ...user, workspaceId: 'ws_1', role: null })
    await db.write('startTotp', { userId: 'user_1', sealedTotpSecret: 'v1.totp', at: t0 })
    await db.write('confirmTotp', {
      userId: 'user_1',
      sealedTotpSecret: 'v1.totp',
      step: 1,
      codeHashes: ['a'],
      at: t0,
    })
    await db.write('addWebhook', { ...webhook(), ...hook('v1.signing') })
    await db.write('putProperty', { name: 'check', value: 'former' })
  })

  const sealed = { sealedAccessToken: 'v2.token', sealedAppSecret: 'v2.secret', sealedVerifyToken: 'v2.verify' }
  const former = {
    id: 'chan_1',
    sealedAccessToken: 'v1.token',
    sealedAppSecret: 'v1.secret',
    sealedVerifyToken: 'v1.verify',
  }
  const totp = (sealedTotpSecret: string) => ({ userId: 'user_1', sealedTotpSecret })
  const hook = (sealedSecrets: string) => ({ id: 'hook_1', sealedSecrets, sealedHeaders: 'v1.headers' })
  const check = { name: 'check', value: 'new' }

  test('a property is stored in place of the one before', async () => {
    expect(await db.read.property('check')).toBe('former')
    await db.write('putProperty', { name: 'check', value: 'later' })
    expect(await db.read.property('check')).toBe('later')
    expect(await db.read.property('none')).toBeNull()
  })

  test('one secret of a channel is replaced; another one stays as it is', async () => {
    const replace = (channelId: string) =>
      db.write('replaceSecret', { channelId, secret: 'appSecret', sealed: 'v1.other', at: t0 + 5 })
    expect(await replace('chan_1')).toEqual(channel({ sealedAppSecret: 'v1.other', updatedAt: t0 + 5 }))
    expect(await replace('chan_9')).toBeNull()
  })

  test('the app id of a channel is set, taken away, and stays when the account is connected again', async () => {
    const set = (appId: string | null) => db.write('setAppId', { channelId: 'chan_1', appId, at: t0 + 5 })
    expect(await set('77')).toMatchObject({ appId: '77', updatedAt: t0 + 5 })
    const { appId: _, ...again } = channel()
    expect(await db.write('connectChannel', again)).toMatchObject({ appId: '77' })
    expect(await set(null)).toMatchObject({ appId: null })
    expect(await db.write('setAppId', { channelId: 'chan_9', appId: '1', at: t0 })).toBeNull()
  })

  describe('all secrets', () => {
    test('are replaced at once, and authenticator apps and secrets of webhooks are given up', async () => {
      await db.write('replaceSecrets', { check, channels: [{ id: 'chan_1', ...sealed }], at: t0 + 5 })
      expect(await db.read.channel('chan_1')).toEqual(channel({ ...sealed, updatedAt: t0 + 5 }))
      expect(await db.read.property('check')).toBe('new')
      expect(await db.read.sealedTotps()).toEqual([])
      expect(await db.read.recoveryCodesLeft('user_1')).toBe(0)
      expect(await db.read.user('user_1')).toMatchObject({ totpSince: null })
      expect(await db.read.sealedWebhooks()).toEqual([])
      const lost = { sealedSecrets: null, sealedHeaders: null, disabledAt: t0 + 5, disabledReason: 'secretLost' }
      expect(await db.read.webhook('hook_1')).toMatchObject(lost)
      const on = { endpointId: 'hook_1', isOn: true, at: t0 }
      expect(await db.write('changeWebhook', on)).toEqual({ outcome: 'secretLost' })
      await db.write('replaceWebhookSecrets', { endpointId: 'hook_1', former: null, sealedSecrets: 'v2.new' })
      expect(await db.write('changeWebhook', on)).toMatchObject({ outcome: 'changed', webhook: { disabledAt: null } })
    })

    test('are replaced, and an endpoint that a person switched off stays switched off by that person', async () => {
      await db.write('changeWebhook', { endpointId: 'hook_1', isOn: false, at: t0 + 1 })
      await db.write('replaceSecrets', { check, channels: [], at: t0 + 5 })
      const off = { sealedSecrets: null, disabledAt: t0 + 1, disabledReason: 'switchedOff' }
      expect(await db.read.webhook('hook_1')).toMatchObject(off)
    })

    const rotation = {
      formerCheck: 'former',
      former: [former],
      formerTotps: [totp('v1.totp')],
      check,
      channels: [{ id: 'chan_1', ...sealed }],
      totps: [totp('v2.totp')],
      formerWebhooks: [hook('v1.signing')],
      webhooks: [hook('v2.signing')],
      at: t0 + 5,
    }

    test('are sealed with another key at once, those of authenticator apps and webhooks too', async () => {
      expect(await db.write('rotateSecrets', rotation)).toBe(true)
      expect(await db.read.channel('chan_1')).toMatchObject(sealed)
      expect(await db.read.sealedTotps()).toEqual([totp('v2.totp')])
      expect(await db.read.sealedWebhooks()).toEqual([hook('v2.signing')])
      expect(await db.read.recoveryCodesLeft('user_1')).toBe(1)
      expect(await db.read.property('check')).toBe('new')
    })

    test.each([
      ['the key', { formerCheck: 'other' }],
      ['a secret of a channel', { former: [{ ...former, sealedVerifyToken: 'v1.other' }] }],
      ['a channel that came meanwhile', { former: [] }],
      ['a secret of a webhook', { formerWebhooks: [hook('v1.other')] }],
      ['a secret of an authenticator app', { formerTotps: [totp('v1.other')] }],
    ])('nothing of them changes when %s is another one by now', async (_, changed) => {
      expect(await db.write('rotateSecrets', { ...rotation, ...changed })).toBe(false)
      expect(await db.read.channel('chan_1')).toEqual(channel())
      expect(await db.read.sealedTotps()).toEqual([totp('v1.totp')])
      expect(await db.read.sealedWebhooks()).toEqual([hook('v1.signing')])
      expect(await db.read.property('check')).toBe('former')
    })
  })
}
