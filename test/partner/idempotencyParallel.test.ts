import { describe, expect, test } from 'bun:test'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { freshFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { accept, graphError } from '../upstream.ts'
import { text } from './refusals.ts'

const clock = new ManualClock(Date.UTC(2026, 0, 15))

const gateway = freshFixture(() => startTestGateway({ clock }))

const keyed = { ...text, idempotencyKey: 'order-1001' }
const upstreamCalls = () => gateway.upstream.received.length

/** Holds back the upstream's answers until `open`. */
function gated() {
  const { promise, resolve } = Promise.withResolvers<void>()
  gateway.upstream.answer = received => promise.then(() => accept(received))
  return { open: resolve, arrived: () => eventually(() => expect(upstreamCalls()).toBe(1)) }
}

describe('at the same time', () => {
  test('200 requests with one key: one upstream call, one 201, and 199 replays with the final status', async () => {
    const gate = gated()
    const sends = Promise.all(Array.from({ length: 200 }, () => gateway.send(keyed)))
    await gate.arrived()
    gate.open()
    const answers = await sends
    expect(upstreamCalls()).toBe(1)
    expect(answers.filter(({ status }) => status === 201).length).toBe(1)
    expect(answers.filter(({ status }) => status === 200).length).toBe(199)
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1)
    expect(new Set(answers.map(({ json }) => json.data.status))).toEqual(new Set(['SENT']))
    expect(answers.every(({ status, json }) => json.data.idempotentReplay === (status === 200))).toBe(true)
    expect((await gateway.messages()).length).toBe(1)
  })

  test('two bodies with one key, 100 requests each: one body wins, the other gets 409, one upstream call', async () => {
    const bodies = Array.from({ length: 200 }, (_, at) => ({ ...keyed, content: at % 2 === 0 ? 'Even' : 'Odd' }))
    const answers = await Promise.all(bodies.map(body => gateway.send(body)))
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect([count(201), count(200), count(409)]).toEqual([1, 99, 100])
    expect(upstreamCalls()).toBe(1)
  })

  test('a request that waits for one that is refused learns the same refusal', async () => {
    const gate = Promise.withResolvers<void>()
    gateway.upstream.answer = () => gate.promise.then(() => graphError(400, { code: 131026, message: 'undeliverable' }))
    const first = gateway.send(keyed)
    await eventually(() => expect(upstreamCalls()).toBe(1))
    const second = gateway.send(keyed)
    gate.resolve()
    const answers = await Promise.all([first, second])
    expect(answers.map(({ status, json }) => `${status} ${json.error}`)).toEqual(
      Array(2).fill('400 CHANNEL_GRAPH_ERROR'),
    )
  })

  test('409 IDEMPOTENCY_CONFLICT: at once, while the first is still in flight', async () => {
    const gate = gated()
    const first = gateway.send(keyed)
    await gate.arrived()
    expect((await gateway.send({ ...keyed, content: 'Other' })).status).toBe(409)
    gate.open()
    expect((await first).status).toBe(201)
    expect(upstreamCalls()).toBe(1)
  })

  test('200 QUEUED: a replay waits no longer than any other caller', async () => {
    // The first use of a key, and the first text of one, set timers of their own.
    await gateway.send(text)
    gateway.upstream.received.length = 0
    const gate = gated()
    const timers = clock.pending
    const first = gateway.send(keyed)
    await gate.arrived()
    const second = gateway.send(keyed)
    await eventually(() => expect(clock.pending).toBe(timers + 2))
    clock.advance(10_000)
    const answers = await Promise.all([first, second])
    gate.open()
    expect(answers.map(({ status, json }) => `${status} ${json.data.status}`)).toEqual(['201 QUEUED', '200 QUEUED'])
    const path = `/api/v1/public/messages/${answers[0]?.json.data.id}`
    await eventually(async () => expect((await gateway.get(path)).json.data.status).toBe('SENT'))
    expect(upstreamCalls()).toBe(1)
  })
})
