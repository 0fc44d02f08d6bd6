import { expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret, webhookHeaders } from '../../src/base/webhookSignature.ts'

test('the headers are those of the vector that the libraries of Standard Webhooks test with', () => {
  const request = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds: 1_614_265_330, body: '{"test": 2432232314}' }
  expect(webhookHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], request)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('a new secret is 32 bytes of padded base64, and no two are alike', () => {
  const secrets = Array.from({ length: 10 }, newWebhookSecret)
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(new Set(secrets).size).toBe(10)
})

test('of several secrets each signs, in their order, with one space between', () => {
  const request = { id: 'evt_1', seconds: 1, body: '{}' }
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  const alone = secrets.map(secret => webhookHeaders([secret], request)['webhook-signature'])
  expect(webhookHeaders(secrets, request)['webhook-signature']).toBe(`${alone[0]} ${alone[1]}`)
})

test('the library of Standard Webhooks takes each of them, and nothing that was changed', () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'message.received', data: { text: 'Grüße 👋' } })
  // The library reads the clock itself.
  const request = { id: 'evt_1', seconds: Math.floor(Date.now() / 1_000), body }
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  const headers = webhookHeaders(secrets, request)
  for (const secret of secrets) {
    const receiver = new Webhook(secret)
    expect(receiver.verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => receiver.verify(`${body} `, headers)).toThrow('No matching signature found')
  }
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching signature found')
})
