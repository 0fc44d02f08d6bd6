import { expect, spyOn, test } from 'bun:test'
import { systemClock } from '../../src/base/clock.ts'
import { offerSetupLink } from '../../src/operations/links.ts'
import { hashPassword, Passwords } from '../../src/operations/passwords.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { call, password } from './people.ts'

const gateway = sharedFixture(() => startTestGateway({ hashesSlowly: true }))

/** argon2id, twice over 64 MB: what other tests hash has another cost. */
const slowHash = '$argon2id$v=19$m=65536,t=2,p=1$'

test('a gateway, the owner of the settings and a command hash passwords slowly', async () => {
  const offered = await offerSetupLink(gateway.gateway.store, { base: gateway.url, clock: systemClock })
  const body = { token: offered?.split('#')[1], email: 'ada@example.com', password, name: 'Ada', workspaceName: 'A' }
  expect((await call(gateway, '/api/v1/auth/setup', { body })).status).toBe(200)
  const stored = await gateway.gateway.store.read.userByEmail('ada@example.com')
  expect(stored?.passwordHash).toStartWith(slowHash)
  expect(await hashPassword(password)).toStartWith(slowHash)
})

test('an unknown user is looked for at the same cost', async () => {
  const verify = spyOn(Bun.password, 'verify')
  expect(await new Passwords().verify(password, null, false)).toBe(false)
  expect(verify.mock.calls.map(([, hash]) => hash)).toEqual([expect.stringContaining(slowHash) as never])
  verify.mockRestore()
})
