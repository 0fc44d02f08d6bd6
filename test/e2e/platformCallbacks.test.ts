import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inboundInput } from '../../src/sandbox/callbacks/inboundInput.ts'
import { type Status, second, status } from '../callbacks/report.ts'
import { eventually } from '../eventually.ts'
import { answerOf } from '../gateway.ts'
import { statusCallback } from '../upstream.ts'
import { type Stack, startStack, user } from './stack.ts'

/*
 * What the platform posts to the gateway, and what the gateway posts on to an endpoint of the platform's format.
 */

let stack: Stack
/** Bodies that the stand-in has posted, and that the endpoint got. */
const bodies = { posted: [] as string[], received: [] as string[] }

const passing = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = await request.text()
    bodies.posted.push(body)
    return fetch(stack.callbackUrl, { method: 'POST', headers: request.headers, body })
  },
})
const endpoint = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    if (request.method === 'POST') bodies.received.push(await request.text())
    return new Response(new URL(request.url).searchParams.get('hub.challenge'))
  },
})

beforeAll(async () => {
  stack = await startStack({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } })
  stack.control.setCallbackUrl(`http://127.0.0.1:${passing.port}`)
  const manager = await stack.createKey({ scopes: ['webhooks'] })
  const added = await answerOf(
    fetch(`${stack.url}/api/v1/public/webhooks`, {
      method: 'POST',
      headers: { ...manager, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://127.0.0.1:${endpoint.port}/hook`, format: 'platform' }),
    }),
  )
  expect(added.status).toBe(201)
})
afterAll(async () => {
  await stack.stop()
  await Promise.all([passing.stop(true), endpoint.stop(true)])
})

test('every kind of message comes as the platform posted it', async () => {
  const kinds = inboundInput.properties.kind.enum
  const more = [
    { forwarded: 'once' },
    { forwarded: 'often' },
    { fromAd: true },
    { aboutProduct: true },
    { username: 'ada.lovelace' },
    { username: 'ada.hidden', withoutNumber: true },
  ] as const
  const written = [...kinds.map(kind => ({ kind })), ...more.map(fields => ({ kind: 'text' as const, ...fields }))]
  for (const [at, fields] of written.entries())
    expect(await stack.control.inbound({ from: `+1650556${2_000 + at}`, ...fields })).toMatchObject({ status: 200 })
  await eventually(() => expect(valuesWith('messages', bodies.received)).toHaveLength(written.length))
  expect(valuesWith('messages', bodies.received)).toEqual(
    expect.arrayContaining(valuesWith('messages', bodies.posted) as unknown[]),
  )
})

test('a status says of conversation and price what the platform says; one that is too long, what is known', async () => {
  stack.control.configure({ windowRequired: false })
  const statusesOf = (id: string) =>
    valuesWith('statuses', bodies.received).flatMap(({ statuses }) => statuses.filter(one => one.id === id))
  async function told(statuses: readonly Status[]) {
    const { json } = await stack.send({ type: 'text', phone: user, content: 'Hello' })
    const { id: messageId, channelMessageId: id } = json.data
    await eventually(() => expect(statusesOf(id)).toMatchObject([{ status: 'sent' }]))
    const said = statuses.map((one, at) => status(id, '', second + at, { recipient_id: user.slice(1), ...one }))
    expect((await stack.callback(statusCallback(...said))).status).toBe(200)
    await eventually(() => expect(statusesOf(id)).toHaveLength(1 + said.length))
    const [, ...kept] = await stack.gateway.store.read.timeline(messageId)
    expect(kept.map(({ detail }) => detail)).toEqual(said.map(() => null))
    return { said, got: statusesOf(id).slice(1) }
  }
  const conversation = { id: '72b14b3c', expiration_timestamp: '1750116480', origin: { type: 'marketing' } }
  const words = { billable: true, pricing_model: 'PMP', type: 'of_tomorrow', category: 'marketing' }
  const whole = await told([{ status: 'delivered', conversation, pricing: words }, { status: 'played' }])
  expect<unknown>(whole.got).toEqual(whole.said)
  const long = { ...conversation, id: '7'.repeat(2_000) }
  const { said, got } = await told([{ status: 'delivered', conversation: long, pricing: words }])
  const { type: _, ...known } = words
  expect<unknown>(got).toEqual(said.map(({ conversation: _long, ...rest }) => ({ ...rest, pricing: known })))
})

/** @returns the values of changes with messages, or with statuses */
const valuesWith = (name: 'messages' | 'statuses', texts: readonly string[]): { statuses: readonly Status[] }[] =>
  texts.map(text => JSON.parse(text).entry[0].changes[0].value).filter(value => value[name])
