import { describe, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { Unavailable } from '../../src/base/unavailable.ts'
import { createRefusalAnswer } from '../../src/http/answers.ts'
import { errorHandling } from '../../src/http/errors.ts'
import { operationRoutes } from '../../src/http/operation.ts'
import { RequestLog } from '../../src/http/requestLog.ts'
import { missingPage } from '../../src/partner/docs/guides/routes.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { accept } from '../upstream.ts'

const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }

const gateway = sharedFixture(() => startTestGateway({ env: { SEND_QUEUE_MAX: '1' } }))

describe('503 SERVICE_UNAVAILABLE', () => {
  test('a full queue says when to try again, and nothing was accepted', async () => {
    const gate = Promise.withResolvers<void>()
    gateway.upstream.answer = received => gate.promise.then(() => accept(received))
    const first = gateway.send(text)
    await eventually(() => expect(gateway.upstream.received.length).toBe(1))
    const second = await gateway.send(text)
    gate.resolve()
    expect((await first).status).toBe(201)
    expect(second.status).toBe(503)
    expect(second.json).toEqual({ error: 'SERVICE_UNAVAILABLE', message: expect.any(String) })
    expect(second.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect((await gateway.messages()).length).toBe(1)
    expect(gateway.upstream.received.length).toBe(1)
  })

  test('a database that cannot be reached says when to try again', async () => {
    const { read } = gateway.gateway.store
    const { key, sendingKey } = read
    const gone = () => Promise.reject(new Unavailable('no connection to postgres.internal'))
    Object.assign(read, { key: gone, sendingKey: gone })
    try {
      for (const answer of [await gateway.send(text), await gateway.get('/api/v1/public/templates')]) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
        expect(answer.json).toEqual({ error: 'SERVICE_UNAVAILABLE', message: expect.any(String) })
        expect(answer.text).not.toContain('postgres.internal')
      }
    } finally {
      Object.assign(read, { key, sendingKey })
    }
  })

  test('no send that was stored is answered with it: when it cannot be read afterwards, it is 201 and QUEUED', async () => {
    const hasty = await startTestGateway({ env: { SEND_WAIT_MS: '0' } })
    const gate = Promise.withResolvers<void>()
    hasty.upstream.answer = received => gate.promise.then(() => accept(received))
    const { read } = hasty.gateway.store
    const { statusView } = read
    Object.assign(read, { statusView: () => Promise.reject(new Unavailable('no connection')) })
    try {
      const answer = await hasty.send({ ...text, idempotencyKey: 'order-1' })
      const [stored] = await hasty.messages()
      expect(answer).toMatchObject({ status: 201, json: { data: { id: stored?.id, status: 'QUEUED' } } })
      Object.assign(read, { statusView })
      expect(await hasty.send({ ...text, idempotencyKey: 'order-1' })).toMatchObject({ status: 200 })
      expect((await hasty.messages()).length).toBe(1)
    } finally {
      gate.resolve()
      await hasty.stop()
    }
  })

  test('a gateway that stops is not ready, says when to ask again, and lives', async () => {
    const app = new Elysia()
      .use(
        errorHandling(
          new RequestLog(silentLogger, new ManualClock()),
          { cameByTls: () => false },
          createRefusalAnswer(null),
          missingPage(null),
        ),
      )
      .use(
        operationRoutes({
          version: '1',
          peers: { isLocal: () => false },
          checkReadiness: async () => ({}),
          remarks: () => null,
          upgrade: async () => null,
          isStopping: () => true,
        }),
      )
    const ready = await app.handle(new Request('http://localhost/readyz'))
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await app.handle(new Request('http://localhost/livez'))).status).toBe(200)
  })
})
