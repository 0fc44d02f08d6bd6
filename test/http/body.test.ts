import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { readBytes, readJson } from '../../src/http/body.ts'
import { toGatewayError } from '../../src/http/errors.ts'
import { ManualClock } from '../clock.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { rawHead } from './rawHttp.ts'

setDefaultTimeout(hungAfterMs)

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
