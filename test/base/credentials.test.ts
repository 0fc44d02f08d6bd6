import { describe, expect, test } from 'bun:test'
import { Credentials, channelSecrets } from '../../src/base/credentials.ts'
import { createVault, UnsealError, type Vault } from '../../src/base/crypto.ts'

const vault = createVault('a key of enough characters')
const secrets = { accessToken: 'EAAG-token', appSecret: 'app-secret', verifyToken: 'verify' }

describe('the secrets of a channel', () => {
  test('open as they were sealed, and are stored in no readable form', () => {
    const sealed = { id: 'chan_1', ...new Credentials(vault).seal('chan_1', secrets) }
    for (const name of channelSecrets) {
      expect(new Credentials(vault).open(sealed, name)).toBe(secrets[name])
      expect(JSON.stringify(sealed)).not.toContain(secrets[name])
    }
  })

  test("do not open for another channel, nor for another purpose: a row's secrets cannot be swapped", () => {
    const credentials = new Credentials(vault)
    const sealed = credentials.seal('chan_1', secrets)
    expect(() => credentials.open({ id: 'chan_2', ...sealed }, 'accessToken')).toThrow(UnsealError)
    const swapped = { id: 'chan_1', ...sealed, sealedAccessToken: sealed.sealedAppSecret }
    expect(() => credentials.open(swapped, 'accessToken')).toThrow(UnsealError)
  })

  test('a secret that was opened for its channel does not open for another one afterwards', () => {
    const credentials = new Credentials(vault)
    const sealed = credentials.seal('chan_1', secrets)
    expect(credentials.open({ id: 'chan_1', ...sealed }, 'accessToken')).toBe('EAAG-token')
    expect(() => credentials.open({ id: 'chan_2', ...sealed }, 'accessToken')).toThrow(UnsealError)
    const swapped = { id: 'chan_1', ...sealed, sealedVerifyToken: sealed.sealedAccessToken }
    expect(() => credentials.open(swapped, 'verifyToken')).toThrow(UnsealError)
  })

  test('are opened once and then known, and a replaced one is the new one', () => {
    let opened = 0
    const counting: Vault = {
      ...vault,
      open: (sealed, purpose) => {
        opened += 1
        return vault.open(sealed, purpose)
      },
    }
    const credentials = new Credentials(counting)
    const before = { id: 'chan_1', ...credentials.seal('chan_1', secrets) }
    for (let count = 0; count < 10; count += 1) credentials.open(before, 'accessToken')
    expect(opened).toBe(1)
    const after = { id: 'chan_1', ...credentials.seal('chan_1', { ...secrets, accessToken: 'EAAG-new' }) }
    expect(credentials.open(after, 'accessToken')).toBe('EAAG-new')
  })
})
