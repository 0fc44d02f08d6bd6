import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { totpPurpose } from '../../src/base/credentials.ts'
import { totpCode } from '../../src/base/totp.ts'
import { rotateSecretKey } from '../../src/operations/keyRotation.ts'
import { unlockVault } from '../../src/operations/secretKey.ts'
import { startTestGateway } from '../gateway.ts'
import { openFile } from '../openFile.ts'
import { addPerson, call, cookiesOf, password } from './people.ts'

test('after a rotation of the secret key nobody has to sign in again, and authenticator apps still count', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waypost-rotation-'))
  const settings = { dataDir, secretKey: null, secretKeyFile: null }
  const before = await startTestGateway({ dataDir })
  const person = await addPerson(before, 'owner')
  const { json } = await person.call('/api/v1/auth/account/second-factor/start', { body: { password } })
  const totp = await before.gateway.store.read.sealedTotps()
  await before.stop()
  const store = await openFile(join(dataDir, 'waypost.db'))
  await rotateSecretKey({ store, config: settings, newKey: null, at: systemClock.now() })
  const vault = await unlockVault(store, settings)
  const [rotated] = await store.read.sealedTotps()
  await store.close()
  expect(rotated?.sealedTotpSecret).not.toBe(totp[0]?.sealedTotpSecret)
  const secret = Buffer.from(vault.open(rotated?.sealedTotpSecret ?? '', totpPurpose(person.id)), 'base64')

  const after = await startTestGateway({ dataDir })
  try {
    const me = (accessToken: string) =>
      call(after, '/api/v1/auth/me', { headers: { authorization: `Bearer ${accessToken}` } })
    expect((await me(person.accessToken)).status).toBe(401)
    const headers = { cookie: person.cookie }
    const refreshed = await call(after, '/api/v1/auth/refresh', { method: 'POST', headers })
    expect(refreshed.status).toBe(200)
    expect((await me(refreshed.json.accessToken)).status).toBe(200)
    const again = await call(after, '/api/v1/auth/refresh', {
      method: 'POST',
      headers: { cookie: cookiesOf(refreshed.headers) },
    })
    expect(again.status).toBe(200)
    const confirmed = await call(after, '/api/v1/auth/account/second-factor/confirm', {
      headers: { authorization: `Bearer ${again.json.accessToken}` },
      body: { code: totpCode(secret, Math.floor(Date.now() / 30_000)) },
    })
    expect(confirmed.status).toBe(200)
    expect(json.secret).toBeString()
  } finally {
    await after.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
