import { afterEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { accept, graphError } from '../upstream.ts'
import { type CollectedSpan, type Collector, startCollector } from './collector.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** @returns a gateway that gives its traces to a collector, and `stop`, after which the collector has all of them */
async function traced(
  env: Record<string, string> = {},
): Promise<{ gateway: TestGateway; collector: Collector; stop(): Promise<void> }> {
  const collector = startCollector()
  const gateway = await startTestGateway({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env } })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= gateway.stop()
    return stopped
  }
  closers.push(() => collector.stop(), stop)
  return { gateway, collector, stop }
}

const text = { type: 'text', phone: '+15550100200', content: 'Your parcel is here.' }
const nanos = (time: string | undefined) => BigInt(time ?? '0')
const errorStatus = 2
const kinds = { internal: 1, server: 2, client: 3 }

test('a send is one span, with one each for accept, upstream and settle, in this order and within it', async () => {
  const { gateway, collector, stop } = await traced()
  const { json } = await gateway.send(text)
  await stop()
  const spans = collector.sendOf(json.data.id)
  expect(Object.keys(spans ?? {}).sort()).toEqual(['accept', 'send', 'settle', 'upstream'])
  const { send, accept: accepted, upstream, settle } = spans ?? {}
  const inOrder = [
    send?.startTimeUnixNano,
    accepted?.endTimeUnixNano,
    upstream?.endTimeUnixNano,
    settle?.endTimeUnixNano,
  ].map(nanos)
  expect(inOrder).toEqual(inOrder.toSorted((one, other) => (one < other ? -1 : 1)))
  for (const part of [accepted, upstream, settle]) {
    expect(part?.traceId).toBe(send?.traceId ?? '')
    expect(nanos(part?.startTimeUnixNano)).toBeLessThanOrEqual(nanos(part?.endTimeUnixNano))
    expect(part?.status.code ?? 0).toBe(0)
  }
  expect([send?.kind, upstream?.kind, settle?.kind]).toEqual([kinds.server, kinds.client, kinds.internal])
  expect(send?.parentSpanId).toBeUndefined()
  expect(send?.attributes).toEqual({
    'waypost.message.id': json.data.id,
    'waypost.workspace.id': gateway.workspaceId,
    'waypost.line.id': gateway.line.id,
    'waypost.message.type': 'text',
    'waypost.outcome': 'SENT',
  })
  expect(upstream?.attributes).toEqual({ 'waypost.result': 'accepted', 'waypost.upstream.code': 'none' })
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'waypost' })
  expect(collector.requests[0]?.path).toBe('/v1/traces')
})

describe('the traceparent of the caller', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const spanId = '00f067aa0ba902b7'

  test('is continued: the send belongs to the trace of the caller', async () => {
    const { gateway, collector, stop } = await traced()
    const { json } = await gateway.send(text, { traceparent: `00-${traceId}-${spanId}-01` })
    await stop()
    const spans = collector.sendOf(json.data.id)
    expect(spans?.send).toMatchObject({ traceId, parentSpanId: spanId })
    expect(spans?.upstream?.traceId).toBe(traceId)
  })

  test('that says "not recorded" is obeyed, and one that cannot be read begins a new trace', async () => {
    const { gateway, collector, stop } = await traced()
    const quiet = await gateway.send(text, { traceparent: `00-${traceId}-${spanId}-00` })
    const odd = await gateway.send(text, { traceparent: `00-${'0'.repeat(32)}-${spanId}-01` })
    await stop()
    expect([quiet.status, odd.status]).toEqual([201, 201])
    expect(collector.sendOf(quiet.json.data.id)).toBeNull()
    expect(collector.sendOf(odd.json.data.id)?.send?.parentSpanId).toBeUndefined()
  })

  test('does not go to the upstream', async () => {
    const { gateway } = await traced()
    await gateway.send(text, { traceparent: `00-${traceId}-${spanId}-01` })
    expect(gateway.upstream.received[0]?.headers.get('traceparent')).toBeNull()
  })
})

test('a refusal, a lost answer and a second attempt are shown as such', async () => {
  const { gateway, collector, stop } = await traced()
  const codes = (spans: readonly CollectedSpan[]) => spans.map(({ attributes }) => attributes['waypost.upstream.code'])
  gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'Undeliverable' })
  const refused = await gateway.send(text)
  gateway.upstream.answer = () => new Response('', { status: 502 })
  const lost = await gateway.send(text)
  let isFirst = true
  gateway.upstream.answer = received => {
    if (!isFirst) return accept(received)
    isFirst = false
    return graphError(500, { code: 131016, message: 'Try again' })
  }
  const second = await gateway.send(text)
  await stop()
  const [failed, unknown, sent] = [refused.json.details.messageId, lost.json.data.id, second.json.data.id].map(id => {
    const spans = collector.sendOf(id)
    return {
      send: spans?.send,
      upstream: collector.spans.filter(span => span.name === 'upstream' && span.parentSpanId === spans?.send?.spanId),
    }
  })
  expect(failed?.send).toMatchObject({ attributes: { 'waypost.outcome': 'FAILED' }, status: { code: errorStatus } })
  expect(codes(failed?.upstream ?? [])).toEqual(['131026'])
  expect(unknown?.send).toMatchObject({ attributes: { 'waypost.outcome': 'UNKNOWN' }, status: { code: errorStatus } })
  expect(unknown?.upstream[0]?.attributes['waypost.result']).toBe('lost')
  expect(sent?.send?.attributes['waypost.outcome']).toBe('SENT')
  expect(codes(sent?.upstream ?? [])).toEqual(['131016', 'none'])
})

test('no secret, number or content leaves, and the headers of the collector do', async () => {
  const { gateway, collector, stop } = await traced({ OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=collector%20key' })
  await gateway.send({ ...text, idempotencyKey: 'order-1001' }, { 'x-request-id': 'request-7' })
  await stop()
  const sent = collector.requests.map(request => request.text).join()
  const { key, appSecret } = gateway
  for (const secret of [
    '5550100200',
    'parcel',
    'access-token',
    appSecret,
    key.apiKey,
    key.apiSecret,
    'order-1001',
    'request-7',
    'collector',
  ]) {
    expect(sent).not.toContain(secret)
  }
  expect(collector.requests[0]?.headers.get('x-api-key')).toBe('collector key')
})

describe('a collector that is down', () => {
  test('costs no send, keeps a stop for two seconds at most, and is one line in the log', async () => {
    const lines: { msg: string; level: number; why?: string }[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const collector = startCollector()
    await collector.stop()
    const gateway = await startTestGateway({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, log })
    // Three batches and more than may wait: 4 spans each.
    const statuses = new Set<number>()
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => gateway.send(text)))
      for (const { status } of answers) statuses.add(status)
    }
    expect([...statuses]).toEqual([201])
    const began = performance.now()
    await gateway.stop()
    expect(performance.now() - began).toBeLessThan(hungAfterMs / 4)
    expect(lines.filter(({ msg }) => msg.includes('collector')).length).toBeLessThanOrEqual(1)
    expect(lines.filter(({ msg }) => !msg.includes('collector'))).toEqual([])
  })

  test('refusing everything is told of once, with its reason', async () => {
    const lines: { msg: string; why?: string; batches?: number }[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('no', { status: 401 }) })
    closers.push(() => server.stop(true))
    const gateway = await startTestGateway({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.port}` },
      log,
    })
    for (let round = 0; round < 8; round += 1) await Promise.all(Array.from({ length: 40 }, () => gateway.send(text)))
    await gateway.stop()
    const told = lines.filter(({ msg }) => msg.includes('collector'))
    expect(told).toMatchObject([{ why: expect.stringMatching(/\w/) }])
  })
})
