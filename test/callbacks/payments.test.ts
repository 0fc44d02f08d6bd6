import { expect, test } from 'bun:test'
import { freshFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { messageData, report, type Status, second, status, text, timeline } from './report.ts'

const gateway = freshFixture(startTestGateway)

const payment = {
  ...{ reference_id: 'order-17', amount: { value: 21_000, offset: 100 }, currency: 'INR' },
  transaction: { id: 'order_1', type: 'razorpay', status: 'failed', error: { code: 'E1', reason: 'declined' } },
}
const paid = (id: string | null, name: string, fields: Status = {}): Status => ({
  ...status(id, name, second + 9, { errors: undefined }),
  ...{ type: 'payment', payment: { ...payment, sender: '4915112345678' } },
  ...fields,
})

const events = async (prefix: string) => {
  const { json } = await gateway.get('/api/v1/public/events?limit=100')
  return json.data.filter(({ type }: { type: string }) => type.startsWith(prefix))
}

async function delivered() {
  const { id, channelMessageId } = (await gateway.send(text)).json.data
  await report(gateway, status(channelMessageId, 'delivered'))
  return { id, channelMessageId }
}

test('a payment that fails is an event of its own, and the message stays delivered', async () => {
  const { id, channelMessageId } = await delivered()
  for (const name of ['pending', 'failed', 'failed', 'captured'])
    expect((await report(gateway, paid(channelMessageId, name))).status).toBe(200)
  expect(await messageData(gateway, id)).toMatchObject({ status: 'DELIVERED', failureReason: null })
  const told = await events('payment.')
  expect(told.map(({ type }: { type: string }) => type)).toEqual([
    'payment.pending',
    'payment.failed',
    'payment.captured',
  ])
  expect(told[1]).toMatchObject({
    timestamp: new Date((second + 9) * 1_000).toISOString(),
    sequence: 5,
    data: {
      ...{ channel: { id: gateway.channelId }, line: { id: gateway.line.id, number: gateway.line.number } },
      message: { id, status: 'DELIVERED' },
      payment: { status: 'failed', referenceId: 'order-17', amount: payment.amount, currency: 'INR', detail: payment },
    },
  })
  expect(JSON.stringify(told[1].data.payment)).not.toContain('4915112345678')
  expect((await events('message.')).map(({ type }: { type: string }) => type)).not.toContain('message.failed')
  expect((await timeline(gateway, id)).map(({ kind, detail }) => [kind, detail])).toContainEqual([
    'payment.failed',
    { payment },
  ])
})

test('steps of the message count on behind a payment', async () => {
  const { id, channelMessageId } = await delivered()
  await report(gateway, paid(channelMessageId, 'captured'))
  await report(gateway, status(channelMessageId, 'read', second + 20))
  const told = [...(await events('message.')), ...(await events('payment.'))]
  const sequences = told.filter(({ data }) => data.message?.id === id).map(({ sequence }) => sequence)
  expect(sequences.toSorted()).toEqual([2, 3, 4, 5])
})

test('a payment for a message that nobody here has sent is told once, and goes with the person', async () => {
  for (const id of ['wamid.another', 'wamid.another', 'wamid.third']) await report(gateway, paid(id, 'captured'))
  const told = await events('payment.')
  expect(told).toHaveLength(2)
  expect(told[0]).toMatchObject({ sequence: null, data: { payment: { referenceId: 'order-17' } } })
  expect(told[0].data).not.toHaveProperty('message')
  const {
    workspaceId,
    gateway: { store },
  } = gateway
  const [contact] = await store.read.contacts({ workspaceId, limit: 9 })
  expect(contact?.phone).toBe('+4915112345678')
})

test.each<[kind: string, fields: Status, detail: object]>([
  ['status warning', { status: 'warning' }, { status: 'warning' }],
  ['status payment refunded', { ...paid(null, 'refunded') }, { type: 'payment', status: 'refunded', payment }],
  [
    'status parcel failed',
    { type: 'parcel', status: 'failed', errors: [{ code: 7, title: 'Lost', message: 'of +4915112345678' }] },
    { type: 'parcel', status: 'failed', errors: [{ code: 7, title: 'Lost' }] },
  ],
])('%s: the words of what is not known are kept, and the message stays as it is', async (kind, fields, detail) => {
  const { id, channelMessageId } = await delivered()
  const unknown = { ...status(channelMessageId, 'sent'), ...fields, id: channelMessageId }
  await report(gateway, unknown, unknown)
  expect(await messageData(gateway, id)).toMatchObject({ status: 'DELIVERED' })
  const told = await events('channel.alert')
  expect(told).toHaveLength(1)
  expect(told[0].data).toMatchObject({ line: { id: gateway.line.id }, alert: { kind, detail } })
  expect(JSON.stringify(told)).not.toContain('4915112345678')
})

test('of statuses that nobody knows, ten kinds of a callback are told', async () => {
  const many = Array.from({ length: 30 }, (_, at) => status('wamid.1', `word_${at}`))
  await report(gateway, ...many)
  expect(await events('channel.alert')).toHaveLength(10)
})

test('a status with a type is read as its message’s where the type says so', async () => {
  const { id, channelMessageId } = await delivered()
  await report(gateway, status(channelMessageId, 'read', second + 5, { type: 'message' }))
  expect(await messageData(gateway, id)).toMatchObject({ status: 'READ' })
})
