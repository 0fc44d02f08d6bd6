import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { contentToSend } from '../../src/sending/again.ts'
import { button, link } from '../interactive/samples.ts'
import { type Stack, startStack, upstreamLine, user } from './stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ callbacks: true })
  stack.control.configure({ windowRequired: true, directSend: true })
  await stack.gateway.store.write.changeLine({ lineId: stack.line.id, directSend: true })
})
afterAll(async () => {
  expect(stack.control.doubles()).toEqual([])
  await stack.stop()
})

/** From the line that allows it, unless the body names another. */
const send = (body: object) => stack.send({ phoneNumberId: stack.line.id, ...body })
const text = { type: 'text', phone: user, content: 'Your parcel is on its way.' }
const interactive = (payload: object) => ({ type: 'interactive', phone: user, content: JSON.stringify(payload) })
const statusOf = async (id: string) =>
  (await stack.get(`/api/v1/public/messages/${id}?wait=10&for=READ`)).json.data as Record<string, unknown>

describe('a send with a category goes out without a window', () => {
  test('which one without it does not', async () => {
    // To somebody who writes in no other test.
    const { status, json } = await send({ ...text, phone: '+16505550199' })
    expect([status, json.details?.code]).toEqual([400, 131047])
  })

  test.each<[what: string, body: object, sent: object]>([
    [
      'a text with a life',
      { ...text, category: 'utility', ttlSeconds: 43_200 },
      { category: 'utility', ttl_seconds: 43_200 },
    ],
    [
      'a code',
      { ...text, category: 'authentication', ttlSeconds: 30 },
      { category: 'authentication', ttl_seconds: 30 },
    ],
    ['buttons', { ...interactive(button({ header: undefined })), category: 'utility' }, { category: 'utility' }],
    [
      'an address',
      { ...interactive(link()), category: 'utility', ttlSeconds: 60 },
      { category: 'utility', ttl_seconds: 60 },
    ],
  ])('%s; it is charged as it says, and sent again as it was', async (_, body, sent) => {
    const { status, json } = await send(body)
    expect(status).toBe(201)
    const request = stack.sent().at(-1)
    expect(request).toMatchObject({ ...sent, to: user })
    expect('ttl_seconds' in request).toBe('ttl_seconds' in sent)
    const { category, ttl_seconds: ttlSeconds = null } = sent as { category: string; ttl_seconds?: number }
    expect(await statusOf(json.data.id)).toMatchObject({ status: 'READ', pricing: { billable: true, category } })
    expect(contentToSend(JSON.stringify(request))?.content).toMatchObject({ direct: { category, ttlSeconds } })
  })

  test('a tap on its button comes back as that of a template', async () => {
    await send({ ...interactive(button({ header: undefined })), category: 'utility' })
    const tap = { from: user.slice(1), line: upstreamLine(1), kind: 'button_reply', id: 'yes', title: 'Yes' } as const
    expect((await stack.control.inbound(tap))?.status).toBe(200)
    const { data } = (await stack.get('/api/v1/public/inbound')).json
    expect(data.at(-1)).toMatchObject({ type: 'button', text: 'Yes', button: { payload: 'yes', text: 'Yes' } })
  })
})

test('400: a code to a contact without a number', async () => {
  const contact = await stack.contact({ phone: null, userId: 'US.2' })
  const code = { type: 'text', content: '123456', contactId: contact.id }
  const { status, json } = await send({ ...code, category: 'authentication' })
  expect([status, json.details.issues[0].path]).toEqual([400, '/category'])
  expect((await send({ ...code, category: 'utility' })).status).toBe(201)
})

test('409 DIRECT_SEND_OFF: the line does not allow it; nothing counts, and the key is free', async () => {
  const other = await stack.addLine()
  const keyed = { ...text, phoneNumberId: other.id, idempotencyKey: 'order-1001' }
  const before = stack.sent().length
  const { status, json } = await send({ ...keyed, category: 'utility' })
  expect([status, json.error, stack.sent().length]).toEqual([409, 'DIRECT_SEND_OFF', before])
  const again = await send({ ...keyed, phoneNumberId: stack.line.id, category: 'utility' })
  expect([again.status, again.json.data.idempotentReplay]).toEqual([201, false])
})

test('400 CHANNEL_GRAPH_ERROR: the platform has not enabled it', async () => {
  stack.control.configure({ directSend: false })
  await using after = new AsyncDisposableStack()
  after.defer(async () => void stack.control.configure({ directSend: true }))
  const { status, json } = await send({ ...text, category: 'utility' })
  expect([status, json.error, json.details.code]).toEqual([400, 'CHANNEL_GRAPH_ERROR', 100])
})
