import { describe, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import {
  type AttemptEnd,
  GatewayRefusal,
  type Message,
  MessageFailed,
  NoAnswer,
  type Settings,
  WaitTimeout,
  WaypostClient,
} from '../../packages/client/src/index.ts'
import { exampleMessage } from '../../src/sending/messageSchema.ts'
import { needs, program, run } from '../programs.ts'
import { root } from '../structure/modules.ts'

const message = (more: Partial<Message> = {}): Message => ({ ...exampleMessage, id: 'msg_1', ...more })
const success = (data: unknown) => () => Response.json({ success: true, data })
const refusal =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  () =>
    Response.json(
      { error: code, message: 'No.', details: { a: 1 } },
      { status, headers: { 'x-request-id': 'r1', ...headers } },
    )
const unreachable = () => {
  throw new TypeError('fetch failed')
}

/** A client whose network answers as told, one answer for each attempt; the last one repeats. */
function clientOn(answers: readonly (() => Response)[], options: Settings = {}) {
  const requests: { url: string; body: Record<string, unknown> | null; headers: Headers }[] = []
  const waits: number[] = []
  let now = 0
  const client = new WaypostClient({
    url: 'https://gateway.example.com/',
    apiKey: 'pk_1',
    apiSecret: 'sk_1',
    ...options,
    surroundings: {
      async fetch(url, { body, headers } = {}) {
        requests.push({ url, body: typeof body === 'string' ? JSON.parse(body) : null, headers: new Headers(headers) })
        const answer = answers[Math.min(requests.length, answers.length) - 1]
        if (!answer) throw new Error('no answer is left')
        return answer()
      },
      async sleep(ms, signal) {
        signal?.throwIfAborted()
        waits.push(ms)
        now += ms
      },
      random: () => 0,
      now: () => now,
    },
  })
  return { client, requests, waits }
}

const text = { type: 'text' as const, phone: '+15550150100', content: 'Hi' }
const caught = async (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it should have failed')
    },
    (error: unknown) => error,
  )

describe('send', () => {
  test('bears credentials, and an idempotency key of its own', async () => {
    const { client, requests } = clientOn([success(message())])
    expect(await client.send(text)).toEqual(message())
    const [request] = requests
    expect(request?.url).toBe('https://gateway.example.com/api/v1/public/messages/send')
    expect(request?.headers.get('apikey')).toBe('pk_1')
    expect(request?.headers.get('apisecret')).toBe('sk_1')
    expect(request?.body).toEqual({ ...text, idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  test('keeps the key that the caller gives', async () => {
    const { client, requests } = clientOn([success(message())])
    await client.send({ ...text, idempotencyKey: 'order-1' })
    expect(requests[0]?.body?.idempotencyKey).toBe('order-1')
  })

  test.each([
    ['nothing', unreachable],
    ['429', refusal(429, 'RATE_LIMIT_EXCEEDED')],
    ['500', refusal(500, 'INTERNAL_ERROR')],
    ['503', refusal(503, 'SERVICE_UNAVAILABLE')],
    ['a page of a proxy', () => new Response('<html>', { status: 502 })],
  ])('is repeated with the same key after %s', async (_, failure) => {
    const { client, requests, waits } = clientOn([failure, failure, success(message({ idempotentReplay: true }))])
    expect((await client.send(text)).idempotentReplay).toBe(true)
    expect(new Set(requests.map(({ body }) => body?.idempotencyKey)).size).toBe(1)
    expect(waits).toEqual([250, 500])
  })

  test.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [402, 'PLAN_LIMIT_EXCEEDED'],
    [409, 'IDEMPOTENCY_CONFLICT'],
    [502, 'CHANNEL_GRAPH_ERROR'],
  ])('is not repeated after %d %s', async (status, code) => {
    const { client, requests } = clientOn([refusal(status, code)])
    const error = await caught(client.send(text))
    expect(error).toBeInstanceOf(GatewayRefusal)
    expect(error).toMatchObject({ status, code, message: 'No.', details: { a: 1 }, requestId: 'r1' })
    expect(error).toMatchObject({ idempotencyKey: requests[0]?.body?.idempotencyKey })
    expect(requests).toHaveLength(1)
  })

  test('waits as long as the gateway asks, and not at all when that is long', async () => {
    const soon = clientOn([refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '7' }), success(message())])
    await soon.client.send(text)
    expect(soon.waits).toEqual([7_000])
    const late = clientOn([refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '600' })])
    expect(await caught(late.client.send(text))).toMatchObject({ status: 429, retryAfterMs: 600_000 })
    expect(late.waits).toEqual([])
  })

  test('gives up after so many attempts, and names the key to go on with', async () => {
    const { client, requests } = clientOn([unreachable], { attemptsMax: 3 })
    const error = await caught(client.send({ ...text, idempotencyKey: 'k' }))
    expect(error).toBeInstanceOf(NoAnswer)
    expect(error).toMatchObject({ idempotencyKey: 'k', message: 'No whole answer of the gateway came.' })
    expect(requests).toHaveLength(3)
  })

  test('ends at once when the caller aborts it', async () => {
    const { client, requests } = clientOn([unreachable])
    const reason = new Error('enough')
    expect(await caught(client.send(text, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(requests.length).toBeLessThanOrEqual(1)
  })
})

describe('a hook', () => {
  test('learns of each attempt, and when it is repeated', async () => {
    const began: number[] = []
    const ended: AttemptEnd[] = []
    const failures = [unreachable, refusal(503, 'SERVICE_UNAVAILABLE')]
    const { client } = clientOn([...failures, success(message())], {
      beforeAttempt: ({ attempt }) => began.push(attempt),
      afterAttempt: end => ended.push(end),
    })
    await client.send({ ...text, idempotencyKey: 'k' })
    expect(began).toEqual([1, 2, 3])
    const seen = { method: 'POST', path: '/messages/send', idempotencyKey: 'k', durationMs: 0 } as const
    expect(ended).toEqual([
      { ...seen, attempt: 1, status: null, requestId: null, problem: expect.any(NoAnswer), repeatInMs: 250 },
      { ...seen, attempt: 2, status: 503, requestId: 'r1', problem: expect.any(GatewayRefusal), repeatInMs: 500 },
      { ...seen, attempt: 3, status: 200, requestId: null, problem: null, repeatInMs: null },
    ])
  })

  test('learns of an abort; one that it makes itself comes before the request', async () => {
    const ended: AttemptEnd[] = []
    const abort = new AbortController()
    const { client, requests } = clientOn([success(message())], {
      beforeAttempt: () => abort.abort('enough'),
      afterAttempt: end => ended.push(end),
    })
    expect(await caught(client.status('msg_1', { signal: abort.signal }))).toBe('enough')
    expect(ended).toEqual([expect.objectContaining({ problem: 'enough', repeatInMs: null })])
    expect(requests).toEqual([])
  })

  test('that fails is printed, and changes no call', async () => {
    const both = Promise.withResolvers<void>()
    const printed = spyOn(console, 'error').mockImplementation(() => {
      if (printed.mock.calls.length === 2) both.resolve()
    })
    try {
      const problem = new Error('no log')
      const { client } = clientOn([success(message())], {
        beforeAttempt: () => {
          throw problem
        },
        afterAttempt: () => Promise.reject(problem),
      })
      expect(await client.send(text)).toEqual(message())
      await both.promise
      expect(printed.mock.calls.map(([, error]) => error)).toEqual([problem, problem])
    } finally {
      printed.mockRestore()
    }
  })
})

test('a call may have attempts of its own', async () => {
  const { client, requests } = clientOn([unreachable], { attemptsMax: 3 })
  await caught(client.status('msg_1', { attemptsMax: 1 }))
  expect(requests).toHaveLength(1)
  await caught(client.status('msg_1'))
  expect(requests).toHaveLength(4)
})

describe('what can be no limit is refused at once:', () => {
  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('timeoutMs %d', async timeoutMs => {
    const problem = new TypeError('timeoutMs: pass milliseconds, more than 0 and at most 2147483647')
    expect(() => clientOn([], { timeoutMs })).toThrow(problem)
    const { client, requests } = clientOn([success(message())])
    expect(await caught(client.send(text, { timeoutMs }))).toEqual(problem)
    expect(await caught(client.status('msg_1', { timeoutMs }))).toEqual(problem)
    expect(await caught(client.templates({ timeoutMs }))).toEqual(problem)
    expect(await caught(client.waitFor('msg_1', 'SENT', { timeoutMs }))).toEqual(problem)
    expect(await caught(client.waitUntilFinal('msg_1', { timeoutMs }))).toEqual(problem)
    expect(() => client.eachFinal(['msg_1'], { timeoutMs })).toThrow(problem)
    expect(requests).toEqual([])
  })

  test.each([0, -3, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1_001])('attemptsMax %d', async attemptsMax => {
    const problem = new TypeError('attemptsMax: pass a whole number from 1 to 1000')
    expect(() => clientOn([], { attemptsMax })).toThrow(problem)
    const { client, requests } = clientOn([success(message())])
    expect(await caught(client.send(text, { attemptsMax }))).toEqual(problem)
    expect(requests).toEqual([])
  })

  test('the largest of both are taken', async () => {
    const { client } = clientOn([success(message())], { timeoutMs: 2 ** 31 - 1, attemptsMax: 1_000 })
    expect(await client.send(text)).toEqual(message())
    expect(await client.waitFor('msg_1', 'SENT', { timeoutMs: 2 ** 31 - 1 })).toEqual<Message>(message())
  })
})

test('an id that is empty or no text is refused at once: its path would be that of a list', async () => {
  const { client, requests } = clientOn([])
  const problem = new TypeError('id: pass the id of what is meant, as the gateway gave it; it is empty, or no text')
  for (const id of ['', undefined as never]) {
    const calls = [
      client.status(id),
      client.cancel(id),
      client.reschedule(id, '2026-03-01T09:00:00Z'),
      client.inboundMessage(id),
      client.markRead(id),
      client.media(id),
      client.contact(id),
    ]
    for (const call of calls) expect(await caught(call)).toEqual(problem)
  }
  expect(requests).toEqual([])
})

test('what is no Blob is refused at once: a form would hold its text', async () => {
  const { client, requests } = clientOn([])
  const problem = new TypeError('file: pass a Blob; of bytes, new Blob([bytes])')
  for (const file of ['abc', Buffer.from('abc')])
    expect(await caught(client.uploadMedia(file as never))).toEqual(problem)
  expect(requests).toEqual([])
})

test('what is asked for stands in the address: null is left out, and a list has one parameter for each value', async () => {
  const { client, requests } = clientOn([() => Response.json({ success: true, data: [], next: null })])
  await client.eventPage({ type: 'message.read', after: null })
  await client.eventPage({ type: ['message.read', 'message.sent'], limit: 2, timeoutMs: 5 })
  await client.inboundPage({ contactId: 'contact_1', raw: true })
  const asked = requests.map(({ url }) => url.replace('https://gateway.example.com/api/v1/public', ''))
  expect(asked).toEqual([
    '/events?type=message.read',
    '/events?type=message.read&type=message.sent&limit=2',
    '/inbound?contactId=contact_1&raw=true',
  ])
})

describe('eachFinal', () => {
  test('gives each message when it is final, and looks no more at it', async () => {
    const answers = ['SENT', 'FAILED', 'UNKNOWN', 'DELIVERED'].map(status => success(message({ id: status, status })))
    const { client, requests, waits } = clientOn(answers)
    const seen: string[] = []
    for await (const { status } of client.eachFinal(['msg_1', 'msg_2', 'msg_1'])) seen.push(status)
    expect(seen).toEqual(['FAILED', 'DELIVERED'])
    expect(requests.map(({ url }) => url.slice(-5))).toEqual(['msg_1', 'msg_2', 'msg_1', 'msg_1'])
    expect(waits).toEqual([1_000, 1_500])
  })

  test('ends when the time is over, with a message that is still open', async () => {
    const { client } = clientOn([success(message({ status: 'READ' })), success(message({ id: 'msg_2' }))])
    const seen: string[] = []
    const error = await caught(
      (async () => {
        for await (const { id } of client.eachFinal(['msg_1', 'msg_2'], { timeoutMs: 10_000 })) seen.push(id)
      })(),
    )
    expect(error).toBeInstanceOf(WaitTimeout)
    expect(error).toMatchObject({ last: { id: 'msg_2' } })
    expect(seen).toEqual(['msg_1'])
  })

  test('ends at once without messages', async () => {
    const { client, requests } = clientOn([])
    expect(await client.eachFinal([]).next()).toEqual({ done: true, value: undefined })
    expect(requests).toEqual([])
  })
})

describe('a cancellation', () => {
  const conflict = refusal(409, 'CONFLICT')
  test('whose answer was lost is known by its message', async () => {
    const { client } = clientOn([unreachable, conflict, success(message({ status: 'CANCELLED' }))])
    expect((await client.cancel('msg_1')).status).toBe('CANCELLED')
  })

  test('that came too late is refused', async () => {
    const { client } = clientOn([conflict, success(message({ status: 'SENT' }))])
    expect(await caught(client.cancel('msg_1'))).toMatchObject({ code: 'CONFLICT' })
  })
})

describe('waitFor', () => {
  test('a later status fulfils an earlier one', async () => {
    const { client } = clientOn([success(message()), success(message({ status: 'READ' }))])
    expect((await client.waitFor('msg_1', 'DELIVERED')).status).toBe('READ')
  })

  test('an unknown outcome is waited out', async () => {
    const { client } = clientOn([success(message({ status: 'UNKNOWN' })), success(message({ status: 'DELIVERED' }))])
    expect((await client.waitFor('msg_1', 'SENT')).status).toBe('DELIVERED')
  })

  test('a failure ends it, with the message', async () => {
    const { client } = clientOn([success(message({ status: 'FAILED', failureReason: 'blocked' }))])
    const error = await caught(client.waitFor('msg_1', 'DELIVERED'))
    expect(error).toBeInstanceOf(MessageFailed)
    expect(error).toMatchObject({ failed: { id: 'msg_1' }, message: 'The message msg_1 failed: blocked' })
  })

  test('a message that waits for its time has not begun to leave', async () => {
    const { client } = clientOn([success(message({ status: 'SCHEDULED' })), success(message({ status: 'QUEUED' }))])
    expect((await client.waitFor('msg_1', 'QUEUED')).status).toBe('QUEUED')
  })

  test('it ends when the time is over, with the message as it stood', async () => {
    const { client, requests, waits } = clientOn([success(message())])
    const error = await caught(client.waitFor('msg_1', 'READ', { timeoutMs: 120_000 }))
    expect(error).toBeInstanceOf(WaitTimeout)
    expect(error).toMatchObject({ last: { status: 'SENT' } })
    expect(waits.reduce((sum, ms) => sum + ms)).toBe(120_000)
    expect(requests.length).toBeLessThan(15)
  })

  test('the limit of requests is waited out while there is time', async () => {
    const limited = refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '60' })
    const { client } = clientOn([success(message()), limited, success(message({ status: 'READ' }))])
    expect((await client.waitFor('msg_1', 'READ')).status).toBe('READ')
  })
})

const { isMissing, name } = needs('the Python client keeps what it promises of its own', program('python3'))
test.skipIf(isMissing)(name, async () => {
  const env = { PYTHONPATH: join(root, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' }
  const { code, stderr } = await run(['python3', join(import.meta.dir, 'transport.py')], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Ran \d+ tests/m) })
})
