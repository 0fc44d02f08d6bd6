import { describe, expect, test } from 'bun:test'
import type { Channel } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { Credentials } from '../../src/base/credentials.ts'
import { readNumbers } from '../../src/operations/channels/channels.ts'
import { subscribeChannel } from '../../src/operations/channels/subscribe.ts'
import type { Exchange, HttpRequest } from '../../src/transport/transport.ts'
import { json, recordedClient } from '../graph/recordedClient.ts'

const refusal = (code: number, message: string, more: object = {}) =>
  json(400, { error: { message, type: 'OAuthException', code, fbtrace_id: 'A', ...more } })

describe('subscribing the callbacks of a channel', () => {
  /** @param on what the platform refuses: the plain POST, or the one with the address */
  const messageOf = async (on: 'app' | 'address', refused: Exchange, publicUrl = 'https://gateway.example.com') => {
    const client = recordedClient(({ method, body }: HttpRequest) => {
      if (method === 'GET') return json(200, { data: [] })
      return (body === undefined) === (on === 'app') ? refused : json(200, { success: true })
    })
    const credentials = { open: () => 'secret' } as unknown as Credentials
    const read = { channels: async () => [] } as unknown as StoreReads
    const channel = { id: 'chan_1', accountId: '100001' } as Channel
    const answer = await subscribeChannel({ read, credentials, client }, channel, publicUrl)
    return 'message' in answer ? answer.message : 'subscribed'
  }

  const notSubscribed = refusal(100, '(#100) Before override the current callback uri, your app must be subscribed')

  test('an app without its own form and field is told so, and not that the gateway is not reached', async () => {
    const message = await messageOf('address', notSubscribed)
    expect(message).toContain('Before override the current callback uri')
    expect(message).toContain('save the form and subscribe its field messages (/docs/meta-setup#callbacks)')
    expect(message).not.toMatch(/running|reachable|https:/)
    expect(await messageOf('address', notSubscribed, 'http://gateway.example.com')).toContain(
      'only addresses with https',
    )
  })

  test.each([
    [
      'address',
      'the address',
      refusal(2200, 'HTTP Status Code = 502'),
      'reachable from the internet at https://gateway',
    ],
    ['app', 'the token', refusal(190, 'El token ha caducado'), 'Make a new token'],
    ['app', 'a permission', refusal(200, 'Permiso'), 'whatsapp_business_management'],
    ['app', 'an account of others', refusal(100, 'No existe', { error_subcode: 33 }), 'whatsapp_business_management'],
    ['app', 'an id of something else', refusal(100, 'on node type (Application)'), "an app's id"],
  ] as const)('a refusal of the %s for %s is told by its code', async (on, _what, refused, words) => {
    expect(await messageOf(on, refused)).toContain(words)
  })

  test('where the platform was not reached, nothing is said of this gateway', async () => {
    const message = await messageOf('app', { kind: 'notSent', why: 'connect ECONNREFUSED' })
    expect(message).toContain('cannot be reached: connect ECONNREFUSED')
    expect(message).not.toContain('gateway')
  })
})

describe('an id that is not that of an account', () => {
  const messageOf = async (refused: Exchange) => {
    const numbers = await readNumbers(
      recordedClient(() => refused),
      { accountId: '200001', accessToken: 'EAAG' },
    )
    return 'message' in numbers ? numbers.message : 'listed'
  }
  const on = (type: string) => `(#100) Tried accessing nonexisting field (phone_numbers) on node type (${type})`

  test.each([
    ['Business', "a business portfolio's id"],
    ['Application', "an app's id"],
    ['SystemUser', "a user's id"],
    ['WhatsAppBusinessPhoneNumber', "a phone number's id"],
    ['Page', "a page's id"],
    ['Other', 'the id of something else'],
  ])('of a %s is named, and where the right one stands', async (type, words) => {
    const message = await messageOf(refusal(100, on(type)))
    expect(message).toContain(on(type))
    expect(message).toContain(`This is ${words}`)
    expect(message).toContain('"WhatsApp Business Account ID"')
  })

  test('what is missing or refused is not called so', async () => {
    for (const refused of [refusal(100, on('Business'), { error_subcode: 33 }), refusal(190, on('Business'))]) {
      expect(await messageOf(refused)).toMatch(/Check both\.$/)
    }
  })
})
