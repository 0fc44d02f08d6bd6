import { heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { readBytes, readInTime, readJson } from '../../src/http/body.ts'
import { BodyBudget } from '../../src/http/bodyBudget.ts'
import { toGatewayError } from '../../src/http/errors.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { rawHead } from './rawHttp.ts'

/** @returns how reading ended for a caller that hung up after these bytes of its request. */
async function hangUpAfter(head: string, body: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      readBytes(request, 1_000).then(resolve, resolve)
      socket.destroy()
      return new Promise<Response>(() => {})
    },
  })
  const socket = connect(server.port ?? 0, '127.0.0.1', () => socket.write(head + body))
  try {
    return await promise
  } finally {
    await server.stop(true)
  }
}

describe('400 VALIDATION_ERROR, not 500: a caller that hangs up within its body is no failure of ours', () => {
  test.each([
    ['of a declared length', { 'Content-Length': '500' }, '{"type":'],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }, '8\r\n{"type":\r\n'],
  ])('a body %s', async (_, headers, body) => {
    const outcome = await hangUpAfter(rawHead('POST /', { Host: 'localhost', ...headers }), body)
    expect(outcome).toBeInstanceOf(Error)
    expect(toGatewayError(outcome)).toMatchObject({ status: 400, reason: 'VALIDATION_ERROR' })
  })
})

describe('400 VALIDATION_ERROR: a body that is not whole within 30 seconds is given up, and keeps no timer', () => {
  const unfinished = (headers: Record<string, string>) =>
    new Request('http://localhost/', {
      method: 'POST',
      headers,
      body: new ReadableStream({ start: controller => controller.enqueue(new TextEncoder().encode('{"type":')) }),
    })

  test.each([
    ['of a declared length', { 'content-length': '500' }],
    ['in chunks', {}],
  ])('a body %s', async (_, headers) => {
    const clock = new ManualClock()
    const reading = readJson(unfinished(headers), clock).catch(toGatewayError)
    clock.advance(29_999)
    expect(clock.pending).toBe(1)
    clock.advance(1)
    expect(await reading).toMatchObject({
      reason: 'VALIDATION_ERROR',
      details: { issues: [{ path: '', message: 'did not arrive within 30 seconds' }] },
    })
    expect(clock.pending).toBe(0)
  })

  test('one that is whole in time is read', async () => {
    const clock = new ManualClock()
    const request = new Request('http://localhost/', { method: 'POST', body: '{"type":1}' })
    expect(await readJson(request, clock)).toEqual({ type: 1 })
    expect(clock.pending).toBe(0)
  })
})

describe('a body in pieces of one byte', () => {
  /** Hands over one byte each time it is asked, and does not end. */
  function bytewise(count: number) {
    let asked = 0
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          asked += 1
          if (asked > count) await new Promise<never>(() => {})
          controller.enqueue(new Uint8Array([32]))
        },
      },
      { highWaterMark: 0 },
    )
    const request = new Request('http://localhost/', { method: 'POST', body })
    return { request, asked: () => asked }
  }
  const limits = { totalBytesMax: 1_048_576, callerBytesMax: 1_048_576, bodyMsMax: 30_000 }
  const readers = {
    'of a caller who is known': (request: Request) =>
      readInTime(request, new ManualClock(), { bytesMax: 131_072, msMax: 30_000 }),
    'of a stranger': (request: Request) =>
      new BodyBudget(new ManualClock(), limits).read(request, ['203.0.113.7'], 131_072),
  }
  const objects = () => {
    Bun.gc(true)
    return heapStats().objectCount
  }

  test.each(Object.entries(readers))('leaves no objects behind for each piece: %s', async (_, read) => {
    const before = objects()
    const bodies = Array.from({ length: 10 }, () => bytewise(4_000))
    const reading = bodies.map(({ request }) => read(request).catch(() => {}))
    await eventually(() => expect(bodies.map(({ asked }) => asked())).toEqual(Array(10).fill(4_001)))
    // Of 40,000 pieces.
    expect(objects() - before).toBeLessThan(4_000)
    expect(reading).toHaveLength(10)
  })

  test.each(Object.entries(readers))('a body in too small pieces is not read to its end: %s', async (_, read) => {
    const { request, asked } = bytewise(20_000)
    expect(await read(request).catch(toGatewayError)).toMatchObject({
      reason: 'VALIDATION_ERROR',
      details: { issues: [{ path: '', message: 'came in too small pieces; send larger ones' }] },
    })
    expect(asked()).toBeLessThan(5_000)
  })
})
