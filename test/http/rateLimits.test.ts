import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { windowStart } from '../../src/base/rateLimits.ts'
import { type Logger, silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { type Answer, type Key, startTestGateway, type TestGateway } from '../gateway.ts'
import { exchangeRaw, rawHead } from './rawHttp.ts'

const templates = '/api/v1/public/templates'
/** Half way through a window: 7 minutes and 30 seconds remain. */
const midWindow = Date.UTC(2026, 0, 1, 12, 7, 30)
const remainingSeconds = 450
const windowSeconds = 900

const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop()
})

async function start(limits: { ip?: number; key?: number }, env: Record<string, string> = {}, dataDir?: string) {
  const clock = new ManualClock(midWindow)
  const gateway = await startTestGateway({
    clock,
    ...(dataDir !== undefined && { dataDir }),
    env: { PUBLIC_IP_RATE_LIMIT: String(limits.ip ?? 0), PUBLIC_API_KEY_RATE_LIMIT: String(limits.key ?? 0), ...env },
  })
  running.push(gateway)
  return { gateway, clock }
}

/** The four headers as one line: limit, remaining, reset, policy. */
const rateHeaders = ({ headers }: Pick<Answer, 'headers'>) =>
  ['limit', 'remaining', 'reset', 'policy'].map(name => headers.get(`ratelimit-${name}`)).join(' ')

const wrong = ({ apiKey }: Key): Key => ({ apiKey, apiSecret: 'sk_wrong' })

async function statuses(count: number, request: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = []
  for (let at = 0; at < count; at += 1) seen.push((await request()).status)
  return seen
}

describe('the limit per address', () => {
  test('429 RATE_LIMIT_EXCEEDED: it counts before authentication, so that guessing is limited too', async () => {
    const { gateway } = await start({ ip: 3 })
    expect(await statuses(3, () => gateway.get(templates, wrong(gateway.key)))).toEqual([401, 401, 401])
    const refused = await gateway.get(templates, wrong(gateway.key))
    expect(refused.status).toBe(429)
    expect(refused.json).toEqual({ error: 'RATE_LIMIT_EXCEEDED', message: expect.any(String) })
    expect((await gateway.get(templates)).status).toBe(429)
  })

  test('429 RATE_LIMIT_EXCEEDED: a short Host header is counted like any other', async () => {
    const { gateway } = await start({ ip: 2 })
    const head = rawHead('GET /api/v1/public/messages/msg_0', {
      Host: 'api',
      ...wrong(gateway.key),
      Connection: 'close',
    })
    expect(await statuses(3, () => exchangeRaw(gateway.url, head))).toEqual([401, 401, 429])
  })

  test('every partner route counts, callbacks and health do not', async () => {
    const { gateway } = await start({ ip: 4 })
    const outside = [`/callbacks/channel/${gateway.channelId}`, '/livez', '/readyz', '/nowhere']
    for (const path of outside) expect(rateHeaders(await gateway.get(path))).toBe('   ')
    await gateway.send({})
    await gateway.get('/api/v1/public/messages/msg_0')
    await gateway.get('/api/v1/public/nowhere')
    expect(rateHeaders(await gateway.get(templates))).toBe(`4 0 ${remainingSeconds} 4;w=900`)
    expect((await gateway.get(templates)).status).toBe(429)
  })

  test('0 turns it off, and nothing is said about it', async () => {
    const { gateway } = await start({})
    // More than the limits' defaults in all; fifty at once is another limit.
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => gateway.get(templates)))
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      expect(answers[0] && rateHeaders(answers[0])).toBe('   ')
    }
  })
})

describe('a limit that an ordinary backend meets', () => {
  const behindProxy = { TRUST_PROXY: '127.0.0.1' }
  async function refusalFor(address: string, limits: { ip?: number; key?: number }) {
    const { gateway } = await start(limits, behindProxy)
    const headers = { ...gateway.key, 'x-forwarded-for': address }
    await fetch(gateway.url + templates, { headers })
    const refused = await fetch(gateway.url + templates, { headers })
    expect(refused.status).toBe(429)
    return ((await refused.json()) as { message: string }).message
  }

  test.each(['10.1.2.3', '172.20.0.1', '192.168.1.5', '127.0.0.1', '100.64.0.9', 'fd00::1', '::1'])(
    'a caller on a private network (%s) is told the setting',
    async address => {
      expect(await refusalFor(address, { ip: 1 })).toContain('PUBLIC_IP_RATE_LIMIT')
      expect(await refusalFor(address, { key: 1 })).toContain('PUBLIC_API_KEY_RATE_LIMIT')
    },
  )

  test.each(['203.0.113.9', '172.32.0.1', '2001:db8::1'])('a caller from outside (%s) is not', async address => {
    for (const limits of [{ ip: 1 }, { key: 1 }]) expect(await refusalFor(address, limits)).not.toContain('PUBLIC_')
  })

  test('the gateway warns once a window of a valid key that its address kept out, and not of strangers', async () => {
    const warned: unknown[][] = []
    const log: Logger = Object.assign(Object.create(silentLogger), {
      warn: (...entry: [object, string]) => 'setting' in entry[0] && warned.push(entry),
    })
    const clock = new ManualClock(midWindow)
    const gateway = await startTestGateway({ clock, log, env: { PUBLIC_IP_RATE_LIMIT: '1' } })
    running.push(gateway)
    await statuses(3, () => gateway.get(templates, wrong(gateway.key)))
    expect(warned).toEqual([])
    clock.advance(remainingSeconds * 1000)
    await statuses(4, () => gateway.get(templates))
    const fields = { key: gateway.key.apiKey, address: '127.0.0.1', limit: 1, setting: 'PUBLIC_IP_RATE_LIMIT' }
    expect(warned).toEqual([[fields, expect.stringContaining('limit of its address')]])
  })
})

describe('the limit per key', () => {
  test('429 RATE_LIMIT_EXCEEDED: each key has its own count', async () => {
    const { gateway } = await start({ key: 2 })
    const second = await gateway.createKey()
    expect(await statuses(3, () => gateway.get(templates))).toEqual([200, 200, 429])
    expect(await statuses(3, () => gateway.get(templates, second))).toEqual([200, 200, 429])
  })

  test('a wrong secret does not use up the key of somebody else', async () => {
    const { gateway } = await start({ key: 2 })
    await statuses(10, () => gateway.get(templates, wrong(gateway.key)))
    expect(rateHeaders(await gateway.get(templates))).toBe(`2 1 ${remainingSeconds} 2;w=900`)
  })

  test('429 RATE_LIMIT_EXCEEDED: a refused send is not stored and not sent', async () => {
    const { gateway } = await start({ key: 1 })
    await gateway.get(templates)
    const refused = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hello' })
    expect(refused.status).toBe(429)
    expect(await gateway.messages()).toEqual([])
    expect(gateway.upstream.received).toEqual([])
  })

  test('50 requests at once against a limit of 10: exactly 10 pass', async () => {
    const { gateway } = await start({ key: 10 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.get(templates)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(10)
    expect(answers.filter(({ status }) => status === 429).length).toBe(40)
  })
})

describe('the headers', () => {
  test('they speak of the tighter of the two limits', async () => {
    const { gateway } = await start({ ip: 5, key: 3 })
    const second = await gateway.createKey()
    expect(rateHeaders(await gateway.get(templates, wrong(gateway.key)))).toBe(`5 4 ${remainingSeconds} 5;w=900`)
    expect(rateHeaders(await gateway.get(templates))).toBe(`3 2 ${remainingSeconds} 3;w=900`)
    expect(rateHeaders(await gateway.get(templates))).toBe(`3 1 ${remainingSeconds} 3;w=900`)
    // The address has one request left now, the second key two.
    expect(rateHeaders(await gateway.get(templates, second))).toBe(`5 1 ${remainingSeconds} 5;w=900`)
  })

  test('on a refusal they speak of the limit that refused, also when the other one has nothing left either', async () => {
    const { gateway } = await start({ ip: 3, key: 2 })
    expect(await statuses(2, () => gateway.get(templates))).toEqual([200, 200])
    const refused = await gateway.get(templates)
    expect([refused.status, rateHeaders(refused)]).toEqual([429, `2 0 ${remainingSeconds} 2;w=900`])
  })

  test('they stand on errors as well; Retry-After only on the refusal', async () => {
    const { gateway } = await start({ key: 3 })
    const answers = [
      await gateway.send({ type: 'text' }),
      await gateway.send('hello', { 'content-type': 'text/plain' }),
      await gateway.get('/api/v1/public/messages/msg_0'),
      await gateway.get(templates),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 415, 404, 429])
    const remaining = [2, 1, 0, 0].map(left => `3 ${left} ${remainingSeconds} 3;w=900`)
    expect(answers.map(rateHeaders)).toEqual(remaining)
    const waits = answers.map(({ headers }) => headers.get('retry-after'))
    expect(waits).toEqual([null, null, null, String(remainingSeconds)])
  })
})

describe('the window', () => {
  test('it is aligned to the clock and starts anew at its end, not before', async () => {
    const { gateway, clock } = await start({ key: 2 })
    expect(await statuses(3, () => gateway.get(templates))).toEqual([200, 200, 429])
    clock.advance(remainingSeconds * 1000 - 1)
    const last = await gateway.get(templates)
    expect([last.status, last.headers.get('retry-after'), rateHeaders(last)]).toEqual([429, '1', '2 0 1 2;w=900'])
    clock.advance(1)
    const first = await gateway.get(templates)
    expect([first.status, rateHeaders(first)]).toEqual([200, `2 1 ${windowSeconds} 2;w=900`])
  })

  test('it survives a restart, without the requests that were refused', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'waypost-limits-'))
    try {
      const before = (await start({ ip: 4, key: 3 }, {}, dataDir)).gateway
      const { key } = before
      expect(await statuses(8, () => before.get(templates))).toEqual([200, 200, 200, 429, 429, 429, 429, 429])
      await running.pop()?.stop()

      const { gateway, clock } = await start({ key: 5 }, {}, dataDir)
      expect(rateHeaders(await gateway.get(templates, key))).toBe(`5 1 ${remainingSeconds} 5;w=900`)
      clock.advance(remainingSeconds * 1000)
      expect(rateHeaders(await gateway.get(templates, key))).toBe(`5 4 ${windowSeconds} 5;w=900`)
    } finally {
      for (const each of running.splice(0)) await each.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})

describe('X-Forwarded-For', () => {
  async function from(gateway: TestGateway, forwardedFor: string): Promise<number> {
    const headers = { ...gateway.key, 'x-forwarded-for': forwardedFor }
    return (await fetch(gateway.url + templates, { headers })).status
  }

  test('nobody is believed by default: a made-up address does not open a new count', async () => {
    const { gateway } = await start({ ip: 2 })
    expect(await from(gateway, '203.0.113.1')).toBe(200)
    expect(await from(gateway, '203.0.113.2')).toBe(200)
    expect(await from(gateway, '203.0.113.3')).toBe(429)
  })

  test('a proxy that is not configured is logged once, with the setting', async () => {
    const warned: unknown[][] = []
    const log: Logger = Object.assign(Object.create(silentLogger), {
      // A listing that fails meanwhile is warned of as well.
      warn: (...entry: [object, string]) => 'peer' in entry[0] && warned.push(entry),
    })
    const startLogging = async (env: Record<string, string>) => {
      const gateway = await startTestGateway({ log, env: { PUBLIC_IP_RATE_LIMIT: '9', ...env } })
      running.push(gateway)
      return gateway
    }
    const trusting = await startLogging({ TRUST_PROXY: '127.0.0.1' })
    await from(trusting, '203.0.113.1')
    const gateway = await startLogging({})
    await gateway.get(templates)
    expect(warned).toEqual([])
    await from(gateway, '203.0.113.1')
    await from(gateway, '203.0.113.2')
    expect(warned).toEqual([[{ peer: '127.0.0.1' }, expect.stringContaining('set TRUST_PROXY')]])
  })

  test('behind a trusted proxy the right-most address that is not trusted counts', async () => {
    const { gateway } = await start({ ip: 2 }, { TRUST_PROXY: '127.0.0.1,10.0.0.0/8' })
    expect(await from(gateway, '203.0.113.1')).toBe(200)
    expect(await from(gateway, '198.51.100.7, 203.0.113.1, 10.1.2.3')).toBe(200)
    expect(await from(gateway, '198.51.100.8, 203.0.113.1')).toBe(429)
    expect(await from(gateway, '203.0.113.1, 198.51.100.9')).toBe(200)
  })

  test('behind a trusted proxy 200,000 networks without a key cost a valid key nothing', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'waypost-limits-'))
    try {
      const before = (await start({ ip: 2 }, {}, dataDir)).gateway
      const strangers = Array.from({ length: 200_000 }, (_, at) => ({
        subject: `ip:stranger ${at}`,
        startsAt: windowStart(midWindow),
        count: 1,
      }))
      await before.gateway.store.write.countRequests({ windows: strangers })
      await running.pop()?.stop()

      const { gateway } = await start({ ip: 2 }, { TRUST_PROXY: '127.0.0.1' }, dataDir)
      const ask = async (address: string, headers: Record<string, string>) =>
        (await fetch(gateway.url + templates, { headers: { ...headers, 'x-forwarded-for': address } })).status
      let at = 0
      const unknown = async () => {
        at += 1
        return { status: await ask(`2001:db8:${at}::1`, {}) }
      }
      expect(await statuses(4, unknown)).toEqual([401, 401, 429, 429])
      const known = () => ask('203.0.113.1', { ...before.key }).then(status => ({ status }))
      expect(await statuses(3, known)).toEqual([200, 200, 429])
    } finally {
      for (const each of running.splice(0)) await each.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})

test('429 RATE_LIMIT_EXCEEDED: the API reference has a limit of its own, and the rest goes on', async () => {
  const { gateway, clock } = await start({})
  const seen = await statuses(301, () => gateway.get('/docs/json'))
  expect([new Set(seen.slice(0, 300)), seen[300]]).toEqual([new Set([200]), 429])
  expect((await gateway.get('/docs')).headers.get('retry-after')).toBe(String(remainingSeconds))
  expect((await gateway.get(templates)).status).toBe(200)
  expect((await gateway.get('/livez')).status).toBe(200)
  clock.advance(remainingSeconds * 1000)
  expect((await gateway.get('/docs')).status).toBe(200)
})
