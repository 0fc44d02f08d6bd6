import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inboundInput } from '../../src/sandbox/callbacks/inboundInput.ts'
import { eventually } from '../eventually.ts'
import { answerOf } from '../gateway.ts'
import { type Stack, startStack } from './stack.ts'

/*
 * What users send, as the stand-in of the platform posts it to the gateway and as the gateway posts it on to an endpoint
 * of the platform's format.
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
  await eventually(() => expect(bodies.received).toHaveLength(written.length))
  const byText = (texts: readonly string[]) => texts.map(text => JSON.parse(text)).map(callback)
  expect(byText(bodies.received)).toEqual(expect.arrayContaining(byText(bodies.posted)))
})

/** Its `time` the platform writes beside changes alone that are about no message. */
const callback = ({ object, entry }: { object: string; entry: readonly Record<string, unknown>[] }) => ({
  object,
  entry: entry.map(({ time: _, ...one }) => one),
})
