import { describe, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { ManualClock } from '../clock.ts'
import { freshFixture } from '../fixture.ts'
import { type Answer, startTestGateway } from '../gateway.ts'
import { accept, graphError, postCallback, statusCallback } from '../upstream.ts'
import { chars, text } from './refusals.ts'

const clock = new ManualClock(Date.UTC(2026, 0, 15))
const ttlMs = 24 * hourMs

const gateway = freshFixture(() => startTestGateway({ clock }))

const keyed = { ...text, idempotencyKey: 'order-1001' }
const brief = ({ status, json }: Answer) => [status, json.data?.id ?? json.error, json.data?.idempotentReplay]
const upstreamCalls = () => gateway.upstream.received.length

async function created(body: object = keyed, headers: Record<string, string> = {}): Promise<string> {
  const answer = await gateway.send(body, headers)
  expect(brief(answer)).toEqual([201, expect.stringMatching(/^msg_/), false])
  return answer.json.data.id
}

describe('the same key and the same body', () => {
  test('200: the original message, marked as a replay, and nothing is sent', async () => {
    const first = await gateway.send(keyed)
    const second = await gateway.send(keyed)
    expect(second.status).toBe(200)
    expect(second.json).toEqual({ success: true, data: { ...first.json.data, idempotentReplay: true } })
    expect(upstreamCalls()).toBe(1)
    expect((await gateway.messages()).length).toBe(1)
  })

  // At any depth: test/sending/fingerprint.test.ts.
  test('200: neither the order of the fields nor white space makes another body', async () => {
    const id = await created()
    const { type, phone, content, idempotencyKey } = keyed
    const turned = JSON.stringify({ idempotencyKey, content, phone, type }, null, 2)
    expect(brief(await gateway.send(turned))).toEqual([200, id, true])
  })

  test('409: named values of a card in another order, which fill other slots', async () => {
    const card = '{"components":[{"type":"HEADER","format":"IMAGE"},{"type":"BODY","text":"{{1}} for {{2}}"}]}'
    const components = `[{"type":"BODY","text":"Hi"},{"type":"CAROUSEL","cards":[${card},${card}]}]`
    await gateway.addTemplates({ name: 'plants', components })
    const send = (bodyValues: Record<string, string>) =>
      gateway.send({
        type: 'template',
        phone: text.phone,
        templateName: 'plants',
        idempotencyKey: 'k',
        carousel: { cards: [0, 1].map(index => ({ index, header: { format: 'image', id: '1' }, bodyValues })) },
      })
    expect((await send({ name: 'Aloe', price: '12' })).status).toBe(201)
    expect((await send({ name: 'Aloe', price: '12' })).status).toBe(200)
    expect((await send({ price: '12', name: 'Aloe' })).status).toBe(409)
  })

  test('200: the replay shows the message as it stands now', async () => {
    const id = await created()
    const { channelMessageId } = (await gateway.messages())[0] ?? {}
    // Another test may have moved the clock: a minute after the send, whenever that is.
    const deliveredAt = Math.floor(clock.now() / 1000) * 1000 + 60_000
    const status = { id: channelMessageId, status: 'delivered', timestamp: String(deliveredAt / 1000) }
    await postCallback(
      `${gateway.url}/callbacks/channel/${gateway.channelId}`,
      statusCallback(status),
      gateway.appSecret,
    )
    const { json } = await gateway.send(keyed)
    const shown = { id, status: 'DELIVERED', deliveredAt: new Date(deliveredAt).toISOString(), idempotentReplay: true }
    expect(json.data).toMatchObject(shown)
  })

  test('200: it is answered when the plan is exhausted and the line is gone', async () => {
    const { store } = gateway.gateway
    const id = await created()
    await store.write.setMonthlyLimit({ workspaceId: gateway.workspaceId, limit: 1 })
    await store.write.changeLine({ lineId: gateway.line.id, active: false })
    expect(brief(await gateway.send(keyed))).toEqual([200, id, true])
    expect((await gateway.send(text)).status).toBe(402)
  })

  test('200: it is answered when its template is gone', async () => {
    const template = {
      ...{ type: 'template', phone: text.phone, templateName: 'order', templateVariables: {} },
      idempotencyKey: 'order-1001',
    }
    await gateway.addTemplates({ name: 'order', components: '[{"type":"BODY","text":"It is on its way."}]' })
    const id = await created(template)
    await gateway.addTemplates()
    expect((await gateway.send({ ...template, idempotencyKey: 'order-1002' })).status).toBe(404)
    expect(brief(await gateway.send(template))).toEqual([200, id, true])
  })
})

describe('the same key and another body', () => {
  test.each([
    ['another content', { ...keyed, content: 'Other' }],
    ['another recipient', { ...keyed, phone: '+4915112345679' }],
    ['the same number in another spelling', { ...keyed, phone: '4915112345678' }],
    ['one more field', { ...keyed, revalidateFlowSession: false }],
  ])('409 IDEMPOTENCY_CONFLICT: %s', async (_, body) => {
    await created()
    const { status, json } = await gateway.send(body)
    expect(status).toBe(409)
    expect(json).toEqual({ error: 'IDEMPOTENCY_CONFLICT', message: expect.any(String) })
    expect(upstreamCalls()).toBe(1)
  })

  test('keys are never confused with one another', async () => {
    const told = ['a', 'A', 'a ', ' a', '%', '_', 'á', 'a\u0301', '__proto__']
    const refused = ['a\0', 'a\0b', 'a\0c', '\ud800', '\ud801']
    const keys = [...told, ...refused]
    const answers: Awaited<ReturnType<typeof gateway.send>>[] = []
    for (const [at, idempotencyKey] of keys.entries())
      answers.push(await gateway.send({ ...text, content: `Number ${at}`, idempotencyKey }))
    expect(answers.map(({ json }) => json.error).filter(error => error === 'IDEMPOTENCY_CONFLICT')).toEqual([])
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    expect(keys.filter((_, at) => answers[at]?.status === 400)).toEqual(refused)
  })
})

describe('the header', () => {
  const header = (value: string) => ({ 'idempotency-key': value })

  test('200: header and body are the same key, in either order and together', async () => {
    const id = await created(text, { 'Idempotency-Key': 'order-1001' })
    expect(brief(await gateway.send(keyed))).toEqual([200, id, true])
    expect(brief(await gateway.send(text, header('order-1001')))).toEqual([200, id, true])
    expect(brief(await gateway.send(keyed, header('order-1001')))).toEqual([200, id, true])
    expect(upstreamCalls()).toBe(1)
  })

  test.each([
    ['header and body differ', keyed, 'order-1002'],
    ['256 characters in the header', text, chars(256)],
    ['an empty header', text, ''],
    ['256 characters in both', { ...text, idempotencyKey: chars(256) }, chars(256)],
  ])('400 VALIDATION_ERROR: %s', async (_, body, value) => {
    const { status, json } = await gateway.send(body, header(value))
    expect([status, json.error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(json.details.issues.map(({ path }: { path: string }) => path)).toEqual(['/idempotencyKey'])
    expect(await gateway.messages()).toEqual([])
  })

  test.each(['utf8', 'latin1'] as const)('200: a header in %s is the same key as in the body', async encoding => {
    const idempotencyKey = 'bestellung-ä'
    const id = await created({ ...text, idempotencyKey })
    const bytes = Buffer.from(idempotencyKey, encoding).toString('latin1')
    expect(brief(await gateway.send(text, header(bytes)))).toEqual([200, id, true])
    expect(brief(await gateway.send({ ...text, idempotencyKey }, header(bytes)))).toEqual([200, id, true])
  })

  test('200: 255 characters of a header are counted as those of a body: an emoji is one', async () => {
    const idempotencyKey = '😀'.repeat(255)
    const id = await created({ ...text, idempotencyKey })
    const bytes = Buffer.from(idempotencyKey).toString('latin1')
    expect(brief(await gateway.send(text, header(bytes)))).toEqual([200, id, true])
  })

  test('201: 255 characters are a key, in header or body', async () => {
    const id = await created({ ...text, idempotencyKey: chars(255) })
    expect(brief(await gateway.send(text, header(chars(255))))).toEqual([200, id, true])
  })
})

describe('the scope is the API key', () => {
  test('201: another key of the same workspace sends a message of its own: staging swallows nothing of production', async () => {
    const id = await created()
    const staging = await gateway.createKey()
    expect(await created(keyed, { ...staging })).not.toBe(id)
    expect(brief(await gateway.send(keyed))).toEqual([200, id, true])
    expect((await gateway.send({ ...keyed, content: 'Other' }, { ...staging })).status).toBe(409)
  })

  test('a refusal frees the key of that API key alone', async () => {
    const id = await created()
    const staging = await gateway.createKey()
    gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'undeliverable' })
    expect((await gateway.send(keyed, { ...staging })).status).toBe(400)
    expect((await gateway.send({ ...keyed, content: 'Other' }, { ...staging })).status).toBe(400)
    expect(brief(await gateway.send(keyed))).toEqual([200, id, true])
  })

  test('201: another workspace with the same key sends a message of its own', async () => {
    const id = await created()
    const other = await gateway.addWorkspace()
    expect(await created(keyed, { ...other.key })).not.toBe(id)
    expect((await gateway.send({ ...keyed, content: 'Other' }, { ...other.key })).status).toBe(409)
  })
})

describe('how long a key is kept', () => {
  test('201: a definite refusal frees it, with the same or another body', async () => {
    gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'undeliverable' })
    expect((await gateway.send(keyed)).status).toBe(400)
    expect((await gateway.send({ ...keyed, content: 'Other' })).status).toBe(400)
    gateway.upstream.answer = accept
    await created()
    expect(upstreamCalls()).toBe(3)
  })

  test('201: a request refused before anything was sent does not use it up', async () => {
    expect((await gateway.send({ ...keyed, phoneNumberId: 'line_1' })).status).toBe(400)
    await gateway.gateway.store.write.setMonthlyLimit({ workspaceId: gateway.workspaceId, limit: 0 })
    expect((await gateway.send(keyed)).status).toBe(402)
    await gateway.gateway.store.write.setMonthlyLimit({ workspaceId: gateway.workspaceId, limit: null })
    await created()
  })

  test('200: an unknown outcome keeps it, and the replay says UNKNOWN', async () => {
    gateway.upstream.answer = () => new Response('<html>Bad gateway</html>', { status: 502 })
    const first = await gateway.send(keyed)
    expect([first.status, first.json.data.status]).toEqual([201, 'UNKNOWN'])
    gateway.upstream.answer = accept
    const second = await gateway.send(keyed)
    expect(brief(second)).toEqual([200, first.json.data.id, true])
    expect(second.json.data.status).toBe('UNKNOWN')
    expect((await gateway.send({ ...keyed, content: 'Other' })).status).toBe(409)
    expect(upstreamCalls()).toBe(1)
  })

  test('201: an expired key counts as absent before it is pruned, not a millisecond earlier', async () => {
    const id = await created()
    clock.advance(ttlMs - 1)
    expect(brief(await gateway.send(keyed))).toEqual([200, id, true])
    clock.advance(1)
    const second = await created({ ...keyed, content: 'Another body' })
    expect(second).not.toBe(id)
    expect((await gateway.send(keyed)).status).toBe(409)
  })
})
