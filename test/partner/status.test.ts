import { describe, expect, test } from 'bun:test'
import { newId } from '../../src/base/ids.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { postCallback, statusCallback } from '../upstream.ts'
import { messageAnswer } from './messageAnswer.ts'
import { text } from './refusals.ts'

const gateway = sharedFixture(startTestGateway)
const other = sharedFixture(() => gateway.addWorkspace())

const get = (id: string) => gateway.get(`/api/v1/public/messages/${id}`)

/** Reports what happened to a message, at these seconds of the upstream's clock. */
async function report(
  message: { channelMessageId: string },
  ...statuses: readonly [status: string, seconds: number][]
) {
  const entries = statuses.map(([status, seconds]) => ({
    id: message.channelMessageId,
    status,
    timestamp: String(seconds),
    ...(status === 'failed' && { errors: [{ code: 131026, title: 'Undeliverable', error_data: { details: 'Why.' } }] }),
  }))
  const url = `${gateway.url}/callbacks/channel/${gateway.channelId}`
  expect((await postCallback(url, statusCallback(...entries), gateway.appSecret)).status).toBe(200)
}

const second = Math.floor(Date.now() / 1000) + 3_600
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

describe('200: the message as it stands', () => {
  test('right after the send it is what the send answered', async () => {
    const sent = await gateway.send({ ...text, idempotencyKey: 'status-1' })
    const { status, json } = await get(sent.json.data.id)
    expect(status).toBe(200)
    expect(json).toEqual(sent.json)
    expect(json.data.idempotentReplay).toBe(false)
    await gateway.send({ ...text, idempotencyKey: 'status-1' })
    expect((await get(sent.json.data.id)).json).toEqual(json)
  })

  test('says of which send it is, and waits for no more than SENT of a reaction', async () => {
    const [idempotencyKey, reference] = ['status-2', 'order 2']
    const sent = await gateway.send({ ...text, idempotencyKey, reference })
    expect(sent.json.data).toEqual(messageAnswer({ idempotencyKey, reference }))
    const { phone } = text
    const reaction = { type: 'reaction', phone, messageId: sent.json.data.id, emoji: '👍' }
    const { id } = (await gateway.send(reaction)).json.data
    const { json } = await get(`${id}?wait=20&for=DELIVERED`)
    expect(json.data).toEqual(messageAnswer({ type: 'reaction' }))
  })

  test('exactly the fields of the contract', async () => {
    const sent = await gateway.send(text)
    const { json } = await get(sent.json.data.id)
    expect(Object.keys(json)).toEqual(['success', 'data'])
    expect(json.data).toEqual(messageAnswer())
  })

  const stories: readonly [name: string, statuses: [string, number][], expected: object][] = [
    ['delivered', [['delivered', second]], { status: 'DELIVERED', deliveredAt: iso(second), readAt: null }],
    [
      'delivered and read',
      [
        ['delivered', second],
        ['read', second + 5],
      ],
      { status: 'READ', deliveredAt: iso(second), readAt: iso(second + 5) },
    ],
    ['read at once', [['read', second]], { status: 'READ', deliveredAt: null, readAt: iso(second) }],
    [
      'failed',
      [['failed', second]],
      {
        ...{ status: 'FAILED', failureReason: '131026: Why.', deliveredAt: null },
        error: { code: 131026, title: 'Number cannot be reached', details: 'Why.' },
      },
    ],
    [
      'failed, then delivered after all',
      [
        ['failed', second],
        ['delivered', second + 9],
      ],
      { status: 'DELIVERED', failureReason: null, deliveredAt: iso(second + 9) },
    ],
  ]
  test.each(stories)('%s', async (_, statuses, expected) => {
    const { json } = await gateway.send(text)
    await report(json.data, ...statuses)
    const { data } = (await get(json.data.id)).json
    expect(data).toMatchObject({ ...expected, id: json.data.id, channelMessageId: json.data.channelMessageId })
    expect(data.sentAt).toBe(json.data.sentAt)
  })

  test('what the upstream dates to the start of its second is not shown before the send', async () => {
    const { json } = await gateway.send(text)
    const { sentAt } = json.data
    const earlier = Math.floor(Date.parse(sentAt) / 1000) - 1
    await report(json.data, ['delivered', earlier], ['read', earlier + 1])
    expect((await get(json.data.id)).json.data).toMatchObject({
      status: 'READ',
      sentAt,
      deliveredAt: sentAt,
      readAt: sentAt,
    })
  })
})

describe('404 NOT_FOUND', () => {
  test('unknown ids of every shape, the channel message id and a message of another workspace are answered alike', async () => {
    const mine = await gateway.send(text)
    const foreign = await gateway.send(text, { ...other.key })
    const id: string = mine.json.data.id
    const unknown = await get(newId('msg'))
    expect([unknown.status, unknown.json.error]).toEqual([404, 'NOT_FOUND'])
    const ids = [
      foreign.json.data.id,
      mine.json.data.channelMessageId,
      id.toUpperCase(),
      id.slice(0, -1),
      `${id}0`,
      `${id}%00`,
      `${id}%20`,
      'send',
      '%25',
      '%27%20OR%201=1--',
      '%E0%A4%A',
      'x'.repeat(2_000),
    ]
    for (const each of ids) {
      const answer = await get(each)
      expect(`${each.slice(0, 40)} ${answer.status} ${answer.text}`).toBe(`${each.slice(0, 40)} 404 ${unknown.text}`)
    }
    expect((await get(id)).status).toBe(200)
  })
})
