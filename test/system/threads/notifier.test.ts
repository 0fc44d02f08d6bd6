import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eventually } from '../../eventually.ts'
import { startTestGateway, type TestGateway } from '../../gateway.ts'
import { type Receiver, startReceiver, took } from '../../webhooks/receiver.ts'
import { addWebhook, webhookEnv } from '../../webhooks/webhooks.ts'
import type { Death } from './killable.ts'
import { replaceThreads, type Threads } from './threads.ts'

const deaths: readonly Death[] = ['throw', 'reject', 'exit']

let threads: Threads
let receiver: Receiver
let gateway: TestGateway

beforeEach(async () => {
  threads = replaceThreads()
  receiver = startReceiver()
  gateway = await startTestGateway({ env: { ...webhookEnv, SEND_WORKERS: '1' } })
})
afterEach(async () => {
  await gateway.stop()
  await receiver.stop()
  threads.restore()
})

const send = () => gateway.send({ type: 'text', phone: '+15550100200', content: 'hi' })
const names = () => threads.spawned.map(({ name }) => name)

test('without an endpoint there is no notifier thread', async () => {
  await send()
  expect(names()).toEqual(['writer', 'sender'])
})

test.each(deaths)(
  'a notifier thread that ends by %s is replaced, and what it had in hand is delivered',
  async death => {
    receiver.answer = () => new Promise<Response>(() => {})
    const id = await addWebhook(gateway, { url: receiver.url })
    await send()
    await eventually(() => expect(receiver.received).toHaveLength(1))
    receiver.answer = took
    threads.last('notifier').poison(death)
    const states = async () => {
      const deliveries = await gateway.gateway.store.read.deliveries({ endpointId: id, limit: 9 })
      return deliveries.map(({ state, attemptCount }) => [state, attemptCount])
    }
    await eventually(async () => expect(await states()).toEqual([['delivered', 1]]))
    expect(receiver.received.map(({ id }) => id)).toEqual(Array(2).fill(receiver.received[0]?.id))
    expect(names()).toEqual(['writer', 'sender', 'notifier', 'notifier'])
  },
)

test('a stop does not wait for a receiver that hangs, and the next start delivers the event', async () => {
  receiver.answer = () => new Promise<Response>(() => {})
  const { dataDir } = gateway
  const id = await addWebhook(gateway, { url: receiver.url })
  await send()
  await eventually(() => expect(receiver.received).toHaveLength(1))
  await gateway.gateway.stop()
  receiver.answer = took
  const again = await startTestGateway({ dataDir, env: webhookEnv })
  await eventually(() => expect(receiver.received).toHaveLength(2))
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body ?? '')
  await eventually(async () => {
    const [delivery] = await again.gateway.store.read.deliveries({ endpointId: id, limit: 9 })
    expect(delivery).toMatchObject({ state: 'delivered', attemptCount: 1 })
  })
  await again.stop()
})
