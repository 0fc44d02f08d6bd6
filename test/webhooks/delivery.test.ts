import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { dayMs, minuteMs, secondMs } from '../../src/base/durations.ts'
import { webhookHeaders } from '../../src/base/webhookSignature.ts'
import { newSecrets, rotatedSecrets } from '../../src/webhooks/secrets.ts'
import { ManualClock } from '../clock.ts'
import { report } from '../db/fixtures.ts'
import { type Receiver, startReceiver, took } from './receiver.ts'
import { type Delivering, startDelivering } from './webhooks.ts'

let clock: ManualClock
let gateway: Delivering
let receiver: Receiver
beforeEach(async () => {
  clock = new ManualClock(Date.now())
  gateway = await startDelivering(clock)
  receiver = startReceiver()
})
afterEach(async () => {
  await gateway.stop()
  await receiver.stop()
})

const typesOf = ({ received }: Receiver) => received.map(({ event }) => event.type)
const deliveriesOf = (endpointId: string) => gateway.gateway.store.read.deliveries({ endpointId, limit: 20 })
const statesOf = async (id: string) => (await deliveriesOf(id)).map(({ state }) => state)
const listed = async () => (await gateway.get('/api/v1/public/events?limit=100')).json.data
const refuse = (status: number, headers: Record<string, string> = {}) => new Response('no', { status, headers })
const reported = (messageId: string, status: 'delivered' | 'read') => {
  const { channelId } = gateway
  const reports = [report(status, { messageId, channelMessageId: 'wamid.reported', at: clock.now() })]
  return gateway.gateway.store.write.applyReports({ channelId, reports, recordedAt: clock.now() })
}

describe('an event', () => {
  test('comes as it is listed, signed, with the headers of the caller', async () => {
    const secrets = rotatedSecrets(newSecrets(), { at: clock.now(), graceMs: dayMs })
    const headers = { authorization: 'Bearer of-ours' }
    const id = await gateway.addWebhook({ url: receiver.url }, { secrets, headers })
    await gateway.message()
    const { headers: sent, body, event } = await gateway.until(() => receiver.received[0] ?? missing())
    expect(event).toEqual((await listed())[0])
    expect(sent.get('authorization')).toBe('Bearer of-ours')
    expect(sent.get('content-type')).toBe('application/json')
    expect(sent.get('user-agent')).toMatch(/^Waypost\/\d/)
    const seconds = Number(sent.get('webhook-timestamp'))
    expect(Math.abs(seconds - clock.now() / 1_000)).toBeLessThan(60)
    const ofBoth = secrets.map(({ secret }) => secret)
    expect(ofBoth).toHaveLength(2)
    expect(Object.fromEntries(sent)).toMatchObject(webhookHeaders(ofBoth, { id: event.id, seconds, body }))
    const [delivery] = await gateway.until(async () => {
      const deliveries = await deliveriesOf(id)
      return deliveries.length > 0 ? deliveries : missing()
    })
    expect(delivery).toMatchObject({ state: 'delivered', attemptCount: 1, nextAt: null })
    expect(delivery?.attempts).toEqual([expect.objectContaining({ status: 200, error: null, answer: null })])
    const { position, deliveredAt } = await gateway.webhook(id)
    expect([position, deliveredAt]).toEqual([delivery?.seq ?? 0, expect.any(Number)])
  })

  test('of a type or a line that an endpoint does not name does not come, and it moves on', async () => {
    const other = await gateway.addLine()
    const id = await gateway.addWebhook({ url: receiver.url, types: ['message.sent'], lineIds: [other.id] })
    await gateway.message({ phoneNumberId: gateway.line.id })
    const wanted = await gateway.message({ phoneNumberId: other.id })
    await reported(wanted, 'delivered')
    await gateway.until(() => expect(receiver.received.map(({ event }) => event.data.message.id)).toEqual([wanted]))
    const last = await gateway.gateway.store.read.lastEvent(gateway.workspaceId)
    await gateway.until(async () => expect((await gateway.webhook(id)).position).toBe(last))
    expect(typesOf(receiver)).toEqual(['message.sent'])
  })

  test('that is recorded right after an endpoint was told to take it comes', async () => {
    const { write } = gateway.gateway.store
    const endpointId = await gateway.addWebhook({ url: receiver.url, types: ['message.read'] })
    await gateway.message()
    const last = await gateway.gateway.store.read.lastEvent(gateway.workspaceId)
    await gateway.until(async () => expect((await gateway.webhook(endpointId)).position).toBe(last))
    await write.changeWebhook({ endpointId, types: ['message.sent'], at: clock.now() })
    const message = await gateway.message()
    await gateway.until(() => expect(receiver.received.map(({ event }) => event.data.message.id)).toEqual([message]))
  })

  test('of an acceptance comes to an endpoint that names it, before what follows', async () => {
    await gateway.addWebhook({ url: receiver.url, types: ['message.queued', 'message.sent'] })
    await gateway.message()
    await gateway.until(() => expect(typesOf(receiver)).toEqual(['message.queued', 'message.sent']))
    expect(receiver.received.map(({ event }) => [event.sequence, event.data.message.status])).toEqual([
      [1, 'QUEUED'],
      [2, 'SENT'],
    ])
  })

  test('comes to no endpoint of another workspace', async () => {
    const other = await gateway.addWorkspace()
    await gateway.addWebhook({ url: receiver.url, workspaceId: other.workspaceId })
    await gateway.message()
    await gateway.pass(3 * secondMs)
    expect(receiver.received).toEqual([])
  })
})

describe('an attempt that fails', () => {
  test.each([
    ['a redirect, which is not followed', () => refuse(302, { location: '/elsewhere' }), 302],
    ['an error', () => refuse(500), 500],
  ])('by %s is made again after some five seconds', async (_, answer, status) => {
    receiver.answer = answer
    const id = await gateway.addWebhook({ url: receiver.url })
    await gateway.message()
    await gateway.until(async () => expect(await statesOf(id)).toEqual(['pending']))
    const [delivery] = await deliveriesOf(id)
    expect(delivery?.attempts).toMatchObject([{ status, error: null, answer: 'no' }])
    const waitMs = (delivery?.nextAt ?? 0) - (delivery?.attempts[0]?.at ?? 0)
    expect(waitMs).toBeGreaterThanOrEqual(4 * secondMs)
    expect((await gateway.webhook(id)).failingSince).not.toBeNull()
    receiver.answer = took
    await gateway.until(async () => expect(await statesOf(id)).toEqual(['delivered']))
    const [after] = await deliveriesOf(id)
    expect(after?.attempts[1]?.at).toBeGreaterThanOrEqual(delivery?.nextAt ?? 0)
    expect(receiver.received.map(({ id }) => id)).toEqual(Array(2).fill(receiver.received[0]?.id))
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body ?? '')
    expect(await gateway.webhook(id)).toMatchObject({ failingSince: null, failedAt: expect.any(Number) })
  })

  test('by a success that is not read to its end is made again', async () => {
    receiver.answer = () => new Response('x'.repeat(100_000))
    const id = await gateway.addWebhook({ url: receiver.url })
    await gateway.message()
    await gateway.until(async () => expect(await statesOf(id)).toEqual(['pending']))
    const attempt = { status: 200, error: 'the answer has more than 64 KB', answer: 'x'.repeat(1_000) }
    expect((await deliveriesOf(id))[0]?.attempts).toMatchObject([attempt])
    expect((await gateway.webhook(id)).failingSince).not.toBeNull()
  })

  test('says why, when the address is not allowed', async () => {
    const { port } = new URL(receiver.url)
    const id = await gateway.addWebhook({ url: `http://10.255.255.1:${port}/` })
    await gateway.message()
    await gateway.until(async () => expect(await statesOf(id)).toEqual(['pending']))
    const [delivery] = await deliveriesOf(id)
    expect(delivery?.attempts[0]).toMatchObject({ status: null, answer: null })
    expect(delivery?.attempts[0]?.error).toContain('WEBHOOK_ALLOWED_NETWORKS=10.255.255.1/32')
  })

  test('for the last time is made no more by itself, and once more when somebody asks', async () => {
    receiver.answer = () => refuse(503)
    const id = await gateway.addWebhook({ url: receiver.url })
    await gateway.message()
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      await gateway.until(async () => expect((await deliveriesOf(id))[0]?.attemptCount).toBe(attempts))
      const [delivery] = await deliveriesOf(id)
      expect(delivery?.state).toBe(attempts < 10 ? 'pending' : 'failed')
      if (delivery?.nextAt) clock.advance(Math.max(0, delivery.nextAt - clock.now() - secondMs))
    }
    expect(receiver.received).toHaveLength(10)
    receiver.answer = took
    const [delivery] = await deliveriesOf(id)
    const what = { kind: 'event', seq: delivery?.seq ?? 0 } as const
    const { write } = gateway.gateway.store
    await write.replayWebhook({ endpointId: id, what, after: null, at: clock.now() })
    await gateway.until(async () => expect(await statesOf(id)).toEqual(['delivered']))
    expect(receiver.received).toHaveLength(11)
  })
})

describe('events of one message', () => {
  const failSent = ({ event }: { event: { type: string } }) => (event.type === 'message.sent' ? refuse(500) : took())

  test('wait for an earlier one, and come in order', async () => {
    receiver.answer = failSent
    const id = await gateway.addWebhook({ url: receiver.url })
    const message = await gateway.message()
    await gateway.until(async () => expect(await statesOf(id)).toEqual(['pending']))
    await reported(message, 'delivered')
    const another = await gateway.message()
    await gateway.until(() => expect(receiver.received.map(({ event }) => event.data.message.id)).toContain(another))
    expect(typesOf(receiver)).not.toContain('message.delivered')
    receiver.answer = took
    await gateway.until(() => expect(typesOf(receiver)).toContain('message.delivered'))
    const ofFirst = receiver.received.filter(({ event }) => event.data.message.id === message)
    expect(ofFirst.map(({ event }) => event.type)).toEqual(['message.sent', 'message.sent', 'message.delivered'])
  })

  test('overtake one that has failed for a minute', async () => {
    receiver.answer = failSent
    const id = await gateway.addWebhook({ url: receiver.url })
    const message = await gateway.message()
    await gateway.until(() => expect(receiver.received).toHaveLength(1))
    await reported(message, 'delivered')
    await gateway.until(async () => expect(await statesOf(id)).toEqual(['delivered', 'pending']))
    const [later, earlier] = await deliveriesOf(id)
    const waitedMs = (later?.attempts[0]?.at ?? 0) - (earlier?.attempts[0]?.at ?? 0)
    expect(waitedMs).toBeGreaterThanOrEqual(minuteMs)
    expect(receiver.received.at(-1)?.event.sequence).toBe(3)
  })
})

describe('an endpoint', () => {
  const change = (endpointId: string, isOn: boolean) =>
    gateway.gateway.store.write.changeWebhook({ endpointId, isOn, at: clock.now() })

  test('that is off gets nothing, and the rest when it is on again', async () => {
    const id = await gateway.addWebhook({ url: receiver.url })
    const first = await gateway.message()
    await gateway.until(() => expect(receiver.received).toHaveLength(1))
    await change(id, false)
    await gateway.pass(2 * secondMs)
    const meanwhile = [await gateway.message(), await gateway.message()]
    await gateway.pass(2 * secondMs)
    expect(receiver.received).toHaveLength(1)
    await change(id, true)
    await gateway.until(() => expect(receiver.received).toHaveLength(3))
    const ids = receiver.received.map(({ event }) => event.data.message.id)
    expect(ids).toEqual([first, ...meanwhile])
  })

  test('that answers 410 is off at once; others are told, and it is not', async () => {
    const other = startReceiver()
    receiver.answer = () => refuse(410)
    const id = await gateway.addWebhook({ url: receiver.url, description: 'Desk' })
    await gateway.addWebhook({ url: other.url })
    await gateway.message()
    await gateway.until(() => expect(typesOf(other)).toContain('webhook.disabled'))
    const told = other.received.find(({ event }) => event.type === 'webhook.disabled')?.event
    expect(told.data.webhook).toMatchObject({ id, url: receiver.url, description: 'Desk', reason: 'gone' })
    expect(await gateway.webhook(id)).toMatchObject({ disabledReason: 'gone', disabledAt: expect.any(Number) })
    receiver.answer = took
    await change(id, true)
    await gateway.until(() => expect(receiver.received.map(({ event }) => event.type)).toHaveLength(2))
    await gateway.pass(3 * secondMs)
    expect(typesOf(receiver)).toEqual(['message.sent', 'message.sent'])
    await other.stop()
  })

  test('whose former address answers 410 late stays on, and the event comes to the new one', async () => {
    const gate = Promise.withResolvers<Response>()
    await using former = startReceiver(() => gate.promise)
    const id = await gateway.addWebhook({ url: former.url })
    await gateway.message()
    await gateway.until(() => expect(former.received).toHaveLength(1))
    await gateway.gateway.store.write.changeWebhook({ endpointId: id, url: receiver.url, at: clock.now() })
    gate.resolve(refuse(410))
    await gateway.until(async () => expect(await statesOf(id)).toEqual(['pending']))
    await gateway.pass(10 * secondMs)
    await gateway.until(() => expect(typesOf(receiver)).toEqual(['message.sent']))
    expect(await gateway.webhook(id)).toMatchObject({ disabledAt: null, disabledReason: null })
  })

  test('that nothing works at for five days is off, and not a day before', async () => {
    receiver.answer = () => refuse(500)
    const id = await gateway.addWebhook({ url: receiver.url })
    await gateway.message()
    await gateway.until(async () => expect((await gateway.webhook(id)).failingSince).not.toBeNull())
    clock.advance(4 * dayMs)
    const before = receiver.received.length
    await gateway.message()
    await gateway.until(() => expect(receiver.received.length).toBeGreaterThan(before))
    await gateway.pass(3 * secondMs)
    expect((await gateway.webhook(id)).disabledAt).toBeNull()
    clock.advance(dayMs)
    await gateway.message()
    await gateway.until(async () => expect((await gateway.webhook(id)).disabledReason).toBe('failing'))
    expect((await listed()).map(({ type }: { type: string }) => type)).toContain('webhook.disabled')
  })

  test('that hangs delays no other, and few of its events are under way', async () => {
    const hanging = startReceiver(() => new Promise<Response>(() => {}))
    const id = await gateway.addWebhook({ url: hanging.url })
    await gateway.addWebhook({ url: receiver.url })
    const messages = 20
    for (let n = 0; n < messages; n += 1) await gateway.message()
    await gateway.until(() => expect(receiver.received).toHaveLength(messages))
    expect(hanging.received).toHaveLength(8)
    expect(await deliveriesOf(id)).toEqual([])
    await hanging.stop()
  })

  test('of another workspace is served while all that one workspace has hang', async () => {
    const hanging = startReceiver(() => new Promise<Response>(() => {}))
    for (let n = 0; n < 60; n += 1) await gateway.addWebhook({ url: hanging.url })
    for (let n = 0; n < 8; n += 1) await gateway.message()
    await gateway.until(() => expect(hanging.received).toHaveLength(200))
    const { workspaceId } = await gateway.addWorkspace()
    await gateway.addWebhook({ url: receiver.url, workspaceId })
    const last = await gateway.addWebhook({ url: hanging.url, workspaceId })
    const { write } = gateway.gateway.store
    const change = { endpointId: last, reason: 'gone', failedSince: 0 } as const
    // On PostgreSQL it is refused until the gateway has taken the endpoint.
    await gateway.until(async () => expect(await write.disableWebhook({ ...change, at: clock.now() })).toBe(true))
    await gateway.until(() => expect(typesOf(receiver)).toEqual(['webhook.disabled']))
    expect(hanging.received).toHaveLength(200)
    await hanging.stop()
  })
})

const missing = (): never => {
  throw new Error('it has not come yet')
}
