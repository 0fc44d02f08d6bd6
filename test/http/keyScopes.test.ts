import { expect, test } from 'bun:test'
import { type KeyScope, keyScopes } from '../../src/base/keyScopes.ts'
import { partnerOperations } from '../../src/http/calls.ts'
import { sharedFixture } from '../fixture.ts'
import { answerOf, type Key, startTestGateway } from '../gateway.ts'

const gateway = sharedFixture(() => startTestGateway({ env: { PUBLIC_API_KEY_RATE_LIMIT: '1000' } }))

function ask(call: string, key: Key) {
  const [method = '', path = ''] = call.split(' ')
  return answerOf(fetch(`${gateway.url}/api/v1/public${path}`, { method, headers: { ...key } }))
}

/** @returns the calls that the key may not make, with what it lacks */
async function refusedTo(key: Key): Promise<string[]> {
  const calls = Object.values(partnerOperations)
  const answers = await Promise.all(calls.map(({ call }) => ask(call, key)))
  return calls.flatMap(({ call }, at) =>
    answers[at]?.status === 403 ? [`${call} ${answers[at].json.error} ${answers[at].json.details.scope}`] : [],
  )
}

const needing = (isNeeded: (scope: KeyScope) => boolean) =>
  Object.values(partnerOperations).flatMap(({ call, scope }) => (isNeeded(scope) ? [`${call} FORBIDDEN ${scope}`] : []))

test.each(keyScopes.map(scope => [scope]))('403 FORBIDDEN: a key of scope %s makes only its calls', async scope => {
  const key = await gateway.createKey({ scopes: [scope] })
  expect(await refusedTo(key)).toEqual(needing(other => other !== scope))
  expect((await ask('GET /nowhere', key)).status).toBe(404)
})

test('a key of several scopes makes the calls of each, and one without scopes all but those that have to be named', async () => {
  const key = await gateway.createKey({ scopes: ['messages:send', 'media'] })
  expect(await refusedTo(key)).toEqual(needing(scope => scope !== 'messages:send' && scope !== 'media'))
  expect(await refusedTo(await gateway.createKey())).toEqual(
    needing(scope => scope === 'webhooks' || scope === 'contacts:write'),
  )
})

test('403 FORBIDDEN comes after the limit of the key has counted, and before the body is looked at', async () => {
  const key = await gateway.createKey({ scopes: ['inbound'] })
  const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }
  const sent = await gateway.send(text, { ...key })
  const malformed = await gateway.send({ phone: 7 }, { ...key })
  expect([sent.status, malformed.status]).toEqual([403, 403])
  expect(sent.headers.get('ratelimit-remaining')).not.toBeNull()
  expect(gateway.upstream.received).toEqual([])
})
