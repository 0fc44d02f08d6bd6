import { afterEach, describe, expect, test } from 'bun:test'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { accept, graphError, postCallback, statusCallback } from '../upstream.ts'
import { callbackUrl, iso, messageData, report, second, status, text, timeline } from './report.ts'

const gateway = sharedFixture(startTestGateway)
const other = sharedFixture(() => gateway.addWorkspace())
afterEach(() => {
  gateway.upstream.answer = accept
})

/** Starts a send that the upstream has taken and not yet answered. */
async function inFlight(wamid: string) {
  const gate = Promise.withResolvers<void>()
  const before = gateway.upstream.received.length
  gateway.upstream.answer = async () => {
    await gate.promise
    return Response.json({ messaging_product: 'whatsapp', messages: [{ id: wamid }] })
  }
  const answer = gateway.send(text)
  await eventually(() => expect(gateway.upstream.received.length).toBe(before + 1))
  return { id: String(gateway.upstream.received.at(-1)?.json.biz_opaque_callback_data), answer, open: gate.resolve }
}

test('the price of a delivery is shown with the message, in its list and in its events', async () => {
  const { json } = await gateway.send(text)
  const { id, channelMessageId } = json.data
  expect(json.data.pricing).toBeNull()
  const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' }
  const told = { biz_opaque_callback_data: id, pricing }
  await report(gateway, status(channelMessageId, 'delivered', second, told), status(channelMessageId, 'sent', second))
  const shown = { billable: true, type: 'regular', category: 'service', model: 'PMP' }
  expect(await messageData(gateway, id)).toMatchObject({ status: 'DELIVERED', pricing: shown })
  const events: { type: string; data: { message?: { id: string; pricing: unknown } } }[] = []
  for (let after = ''; ; ) {
    const { json: page } = await gateway.get(`/api/v1/public/events?limit=100${after}`)
    events.push(...page.data)
    if (page.data.length === 0) break
    after = `&after=${page.next}`
  }
  const own = events.flatMap(({ type, data }) => (data.message?.id === id ? [[type, data.message?.pricing]] : []))
  expect(own).toEqual([
    ['message.sent', null],
    ['message.delivered', shown],
  ])
})

describe('a callback that overtakes the answer', () => {
  test.each([
    ['delivered', 'DELIVERED'],
    ['read', 'READ'],
    ['sent', 'SENT'],
  ])('with our id it is applied at once: %s', async (name, state) => {
    const send = await inFlight(`wamid.early-${name}`)
    const early = status(`wamid.early-${name}`, name, second, { biz_opaque_callback_data: send.id })
    expect((await report(gateway, early)).status).toBe(200)
    expect((await messageData(gateway, send.id)).status).toBe(state)
    send.open()
    const { status: http, json } = await send.answer
    expect(http).toBe(201)
    expect(json.data).toMatchObject({ id: send.id, status: state, channelMessageId: `wamid.early-${name}` })
    expect((await messageData(gateway, send.id)).status).toBe(state)
  })

  test('with our id it is kept, and counts when the answer says that it is of this attempt: failed', async () => {
    const send = await inFlight('wamid.early-failed')
    const early = status('wamid.early-failed', 'failed', second, { biz_opaque_callback_data: send.id })
    expect((await report(gateway, early)).status).toBe(200)
    expect((await messageData(gateway, send.id)).status).toBe('QUEUED')
    send.open()
    const { status: http, json } = await send.answer
    expect(http).toBe(201)
    expect(json.data).toMatchObject({ id: send.id, status: 'FAILED', channelMessageId: 'wamid.early-failed' })
  })

  test('without our id it waits under its own, and is applied when the answer comes', async () => {
    const send = await inFlight('wamid.parked')
    await report(gateway, status('wamid.parked', 'read', second + 2), status('wamid.parked', 'delivered', second + 1))
    await report(gateway, status('wamid.parked', 'read', second + 2))
    expect((await messageData(gateway, send.id)).status).toBe('QUEUED')
    send.open()
    const { json } = await send.answer
    expect(json.data).toMatchObject({ status: 'READ', deliveredAt: iso(second + 1), readAt: iso(second + 2) })
    const kinds = (await timeline(gateway, send.id)).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['accepted', 'delivered', 'read']))
  })

  test('a parked failure keeps its reason and its errors', async () => {
    const send = await inFlight('wamid.parked-failure')
    await report(gateway, status('wamid.parked-failure', 'failed'))
    send.open()
    const { json } = await send.answer
    expect(json.data.status).toBe('FAILED')
    expect(json.data.failureReason).toStartWith('131049: ')
    const failed = (await timeline(gateway, send.id)).find(({ kind }) => kind === 'failed')
    expect(failed?.detail).toMatchObject({ errors: [{ code: 131049 }] })
  })
})

describe('whom a callback can touch', () => {
  test("a callback of another channel does not move the message, not even with the message's own id", async () => {
    const { json } = await gateway.send(text)
    const { id, channelMessageId } = json.data
    const foreign = statusCallback(
      status(channelMessageId, 'read'),
      status(channelMessageId, 'failed', second, { biz_opaque_callback_data: id }),
      status('wamid.other', 'delivered', second, { biz_opaque_callback_data: id }),
    )
    const response = await postCallback(callbackUrl(gateway, other.channelId), foreign, gateway.appSecret)
    expect(response.status).toBe(200)
    expect(await messageData(gateway, id)).toEqual(json.data)
  })

  test('what another channel parked is not applied to a message of this one', async () => {
    const send = await inFlight('wamid.shared')
    const parked = statusCallback(status('wamid.shared', 'read'))
    await postCallback(callbackUrl(gateway, other.channelId), parked, gateway.appSecret)
    send.open()
    expect((await send.answer).json.data.status).toBe('SENT')
  })

  test('an unknown id of ours falls back on the id of the upstream', async () => {
    const { json } = await gateway.send(text)
    const strange = { biz_opaque_callback_data: 'order-1001, set by another system' }
    await report(gateway, status(json.data.channelMessageId, 'delivered', second, strange))
    expect((await messageData(gateway, json.data.id)).status).toBe('DELIVERED')
  })

  test('200: an unknown message is taken without a sound', async () => {
    expect((await report(gateway, status('wamid.nobody', 'read'))).status).toBe(200)
  })

  test('a callback wins over a refusal that was not sure: the message went out after all', async () => {
    gateway.upstream.answer = () => graphError(500, { code: 131000, message: 'unknown error' })
    const { json } = await gateway.send(text)
    const id = json.details.messageId
    expect((await messageData(gateway, id)).status).toBe('FAILED')
    await report(gateway, status('wamid.after-all', 'delivered', second, { biz_opaque_callback_data: id }))
    const { status: state, failureReason, channelMessageId } = await messageData(gateway, id)
    expect([state, failureReason, channelMessageId]).toEqual(['DELIVERED', null, 'wamid.after-all'])
  })
})

describe('one bad entry never costs its neighbours', () => {
  const bad: readonly unknown[] = [
    null,
    5,
    'delivered',
    [],
    {},
    { id: 'wamid.x' },
    { status: 'read', timestamp: '1' },
    { id: 5, status: 'read', timestamp: '1' },
    { id: '', status: 'read', timestamp: '1' },
    { id: 'wamid.x', status: 'warning', timestamp: '1' },
    { id: 'wamid.x', status: 'constructor', timestamp: '1' },
    { id: 'wamid.x', status: null, timestamp: '1' },
    { id: 'wamid.x', status: 'read' },
    { id: 'wamid.x', status: 'read', timestamp: 'yesterday' },
    { id: 'wamid.x', status: 'read', timestamp: '-5' },
    { id: 'wamid.x', status: 'read', timestamp: '99999999999999999999' },
    { id: 'wamid.x', status: 'failed', timestamp: '1', errors: 'none' },
    { id: 'wamid.x', status: 'failed', timestamp: '1', errors: [null, 5, { code: {} }] },
    { id: 'wamid.x\0y', status: 'read', timestamp: '1' },
    { id: '\ud800', status: 'read', timestamp: '1' },
    { id: `wamid.${'x'.repeat(100_000)}`, status: 'read', timestamp: '1' },
    { id: 'wamid.x', status: 'read', timestamp: '1', biz_opaque_callback_data: { a: 1 } },
  ]
  test.each(bad.map((entry, at) => [at, entry] as const))('200: number %d', async (_, entry) => {
    const sends = [await gateway.send(text), await gateway.send(text)]
    const [before, after] = sends.map(({ json }) => json.data)
    const response = await report(
      gateway,
      status(before.channelMessageId, 'delivered'),
      entry,
      status(after.channelMessageId, 'read'),
    )
    expect(response.status).toBe(200)
    expect((await messageData(gateway, before.id)).status).toBe('DELIVERED')
    expect((await messageData(gateway, after.id)).status).toBe('READ')
  })

  test.each([[undefined], [''], [' '], ['NaN'], [true], [[]], [{}], [null], [-5]])(
    'a status whose time is %j counts from its arrival',
    async timestamp => {
      const { json } = await gateway.send(text)
      await report(gateway, { ...status(json.data.channelMessageId, 'delivered'), timestamp })
      const { createdAt, deliveredAt } = await messageData(gateway, json.data.id)
      expect(Date.parse(deliveredAt)).toBeGreaterThanOrEqual(Date.parse(createdAt))
    },
  )

  test('a failure without errors, or with errors nobody knows, still fails the message with a reason', async () => {
    for (const errors of [undefined, [], [{}], [{ code: 'x' }], [{ code: 131026 }]]) {
      const { json } = await gateway.send(text)
      await report(gateway, status(json.data.channelMessageId, 'failed', second, { errors }))
      const { status: state, failureReason } = await messageData(gateway, json.data.id)
      expect(state).toBe('FAILED')
      expect(failureReason).toMatch(/\w/)
      expect(failureReason).not.toContain('HTTP')
    }
  })

  test('every entry and every change of an envelope is walked', async () => {
    const sends = await Promise.all(Array.from({ length: 4 }, () => gateway.send(text)))
    const [a, b, c, d] = sends.map(({ json }) => ({
      field: 'messages',
      value: { statuses: [status(json.data.channelMessageId, 'read')] },
    }))
    const body = {
      object: 'whatsapp_business_account',
      entry: [{ changes: [a, b] }, {}, { changes: [{}, c] }, { changes: [d] }],
    }
    expect((await postCallback(callbackUrl(gateway), body, gateway.appSecret)).status).toBe(200)
    for (const { json } of sends) expect((await messageData(gateway, json.data.id)).status).toBe('READ')
  })
})

describe('an attempt that was refused for now, by the answer and by a callback', () => {
  const refusal = { code: 131016, title: 'Service unavailable' }
  const failureOf = (id: unknown) =>
    status('wamid.first', 'failed', second, { biz_opaque_callback_data: id, errors: [refusal] })

  test('says nothing about the one that was taken, whether its callback comes before or after', async () => {
    let isFirst = true
    gateway.upstream.answer = async request => {
      if (!isFirst) return accept(request)
      isFirst = false
      const id = String(request.json.biz_opaque_callback_data)
      await report(gateway, failureOf(id))
      expect((await messageData(gateway, id)).status).toBe('QUEUED')
      return graphError(503, { ...refusal, message: refusal.title })
    }
    const { status: http, json } = await gateway.send(text)
    expect(http).toBe(201)
    expect(json.data).toMatchObject({ status: 'SENT', failureReason: null })
    expect(json.data.channelMessageId).not.toBe('wamid.first')

    await report(gateway, failureOf(json.data.id))
    expect(await messageData(gateway, json.data.id)).toEqual(json.data)
    expect((await timeline(gateway, json.data.id)).map(({ kind }) => kind)).toContain('failed')
  })

  test('says nothing about the one after it, whose answer is lost: 201 UNKNOWN', async () => {
    let isFirst = true
    gateway.upstream.answer = async request => {
      if (!isFirst) return new Response('<html>', { status: 502 })
      isFirst = false
      await report(gateway, failureOf(request.json.biz_opaque_callback_data))
      return graphError(503, { ...refusal, message: refusal.title })
    }
    const { status: http, json } = await gateway.send(text)
    expect([http, json.data.status]).toEqual([201, 'UNKNOWN'])
    expect((await messageData(gateway, json.data.id)).status).toBe('UNKNOWN')
  })
})

describe('an attempt that was refused by its answer, and is shown by a callback to have gone out', () => {
  const keyed = { ...text, idempotencyKey: 'order-1001' }
  /** Answers the first attempt with this, after its callback. */
  function deliverThenRefuse(refusal: () => Response) {
    const sent: unknown[] = []
    gateway.upstream.answer = async request => {
      const id = request.json.biz_opaque_callback_data
      sent.push(id)
      if (sent.length > 1) return accept(request)
      await report(gateway, status('wamid.first', 'delivered', second, { biz_opaque_callback_data: id }))
      return refusal()
    }
    return sent
  }

  test('201 DELIVERED, not a refusal that invites another try; the key stays taken', async () => {
    const sent = deliverThenRefuse(() => graphError(500, { code: 131000, message: 'Something went wrong' }))
    const first = await gateway.send(keyed)
    expect(first.status).toBe(201)
    expect(first.json.data).toMatchObject({ status: 'DELIVERED', channelMessageId: 'wamid.first' })
    const replay = await gateway.send(keyed)
    expect([replay.status, replay.json.data.id, sent.length]).toEqual([200, first.json.data.id, 1])
  })

  test('a refusal for now is not followed by another attempt', async () => {
    const sent = deliverThenRefuse(() => graphError(503, { code: 131016, message: 'Service unavailable' }))
    const { status: http, json } = await gateway.send(text)
    expect(http).toBe(201)
    expect(json.data).toMatchObject({ status: 'DELIVERED', channelMessageId: 'wamid.first' })
    expect(sent).toHaveLength(1)
  })
})
