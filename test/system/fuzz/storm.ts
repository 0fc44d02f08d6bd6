import { sendExamples } from '../../../src/partner/sendExamples.ts'
import type { TestGateway } from '../../gateway.ts'
import { callbackOf, signatureOf, statusCallback } from '../../upstream.ts'
import type { Random } from '../rig/random.ts'
import { mutate, spoil } from './mutate.ts'

/** What one request of the storm was answered, and what it was when that is worth telling. */
export interface Struck {
  readonly status: number
  readonly what: string
}

const bodies = Object.values(sendExamples).map(({ value }) => value)

const callbacks = [
  statusCallback({ id: 'wamid.x', status: 'delivered', timestamp: '1750030073', biz_opaque_callback_data: 'msg_x' }),
  statusCallback({ id: 'wamid.y', status: 'failed', timestamp: '1750030073', errors: [{ code: 131026, title: 't' }] }),
  callbackOf(
    [
      {
        field: 'messages',
        value: {
          metadata: { phone_number_id: '1' },
          contacts: [{ profile: { name: 'Ada' }, wa_id: '16505551234' }],
          messages: [
            { from: '16505551234', id: 'wamid.in', timestamp: '1750030073', type: 'text', text: { body: 'x' } },
          ],
        },
      },
      {
        field: 'message_template_status_update',
        value: { event: 'PAUSED', message_template_name: 'a', message_template_language: 'en-US' },
      },
    ],
    { time: 1750030073 },
  ),
]

const oddHeaders: readonly Record<string, string>[] = [
  {},
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': '%00' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'content-type': 'text/plain' },
  { 'x-request-id': '../..' },
  { 'x-forwarded-for': 'unknown, , 10.0.0.1' },
  { 'accept-encoding': 'gzip' },
]

const oddPaths = [
  '/messages/%00',
  '/messages/..%2f',
  '/messages/msg_%F0',
  '/templates?name=%00',
  '/templates?x=1',
  '/inbound?raw=true&limit=100',
  '/inbound?after=%00&contactId=%00&lineId=%00',
  '/inbound/%F0',
  '/contacts/%00',
  '/contacts?phone=%00',
  '/nope',
]

/** Sends one request that is wrong in some way, or not. */
export function strike(gateway: TestGateway, random: Random): Promise<Struck> {
  const draw = random.next()
  if (draw < 0.7) return send(gateway, random)
  if (draw < 0.95) return callBack(gateway, random)
  return look(gateway, random)
}

async function send({ url, key }: TestGateway, random: Random): Promise<Struck> {
  let body: unknown = random.pick(bodies)
  for (let times = random.whole(0, 3); times > 0; times -= 1) body = mutate(body, random)
  const text = JSON.stringify(body) ?? ''
  const headers = { ...key, 'content-type': 'application/json', ...random.pick(oddHeaders) }
  return answered(`${url}/api/v1/public/messages/send`, { method: 'POST', headers, body: spoil(text, random) }, text)
}

async function callBack({ url, channelId, appSecret }: TestGateway, random: Random): Promise<Struck> {
  let payload: unknown = random.pick(callbacks)
  for (let times = random.whole(0, 4); times > 0; times -= 1) payload = mutate(payload, random)
  const text = JSON.stringify(payload) ?? ''
  const body = spoil(text, random)
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(body, appSecret) }
  return answered(`${url}/callbacks/channel/${channelId}`, { method: 'POST', headers, body }, text)
}

const look = ({ url, key }: TestGateway, random: Random) => {
  const path = random.pick(oddPaths)
  return answered(`${url}/api/v1/public${path}`, { headers: { ...key, ...random.pick(oddHeaders) } }, path)
}

async function answered(url: string, init: RequestInit, what: string): Promise<Struck> {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  return { status: response.status, what: what.slice(0, 2_000) }
}
