import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Line } from '../../../db/contract/records.ts'
import { loadConfig } from '../../../src/config/config.ts'
import { startGateway } from '../../../src/serve.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { eventually } from '../../eventually.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../gateway.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { type HeldUpstream, messageIds, repeated, startHeldUpstream } from './heldUpstream.ts'

/** Ends the wait for thousands of sends when they never come; speed is not judged by it. */
const drainMsMax = 5 * hungAfterMs
setDefaultTimeout(10 * hungAfterMs)

let upstream: HeldUpstream
let dataDir: string
let gateway: TestGateway

const start = (env: Record<string, string>) => startTestGateway({ upstream, dataDir, env })

beforeEach(() => {
  upstream = startHeldUpstream()
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-backpressure-'))
})
afterEach(async () => {
  upstream.release()
  await gateway.stop()
  await upstream.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const text = (line: Line, fields: Record<string, unknown> = {}) => ({
  type: 'text',
  phone: '+15550100200',
  content: 'Hello',
  phoneNumberId: line.id,
  ...fields,
})

const recipient = (number: number) => `+1555020${String(number).padStart(4, '0')}`

/** So many are written to at once. */
const recipientCount = 250

/** Sends them, each recipient's one after the other. */
async function burst(line: Line, count: number): Promise<Answer[]> {
  const answers: Answer[] = []
  const client = async (number: number) => {
    for (let index = 0; index < count / recipientCount; index += 1) {
      answers.push(await gateway.send(text(line, { phone: recipient(number), content: String(index) })))
    }
  }
  await Promise.all(Array.from({ length: recipientCount }, (_, number) => client(number)))
  return answers
}

/** What the messages amount to on disk, each state once. */
async function statesOf(answers: readonly Answer[]): Promise<Set<string | undefined>> {
  const { message } = gateway.gateway.store.read
  return new Set(await Promise.all(answers.map(async ({ json }) => (await message(json.data.id))?.status)))
}

/** Resolves once all have left and none waits any more: seen from the upstream first, which costs the gateway nothing. */
const allSent = (answers: readonly Answer[]) =>
  eventually(async () => {
    expect(upstream.received.length).toBeGreaterThanOrEqual(answers.length)
    expect(await statesOf(answers)).not.toContain('QUEUED')
  }, drainMsMax)

/** The restart in the middle: what a `set-rate` and a stop and a start of the operator come to. */
async function restart(line: Line, perSecond: number): Promise<void> {
  await gateway.gateway.store.write.changeLine({ lineId: line.id, perSecond })
  await gateway.stop()
  gateway = await start({ SEND_WAIT_MS: '50' })
}

function expectOrder(): void {
  expect(repeated(messageIds(upstream))).toEqual([])
  for (const received of Map.groupBy(upstream.received, ({ json }) => String(json.to)).values()) {
    const order = received.map(({ json }) => Number((json.text as { body: string }).body))
    expect(order).toEqual(order.toSorted((one, other) => one - other))
  }
}

describe('a burst to a line with a pace', () => {
  test('of 5,000 is accepted whole and at once, and sent whole, in order per recipient, over a restart in the middle', async () => {
    upstream.release()
    gateway = await start({ SEND_WAIT_MS: '50' })
    // Callers who waited for it would need longer than this test may take, on any machine.
    const perSecond = 5
    const line = await gateway.addLine({ perSecond, pairSeconds: 6 })

    const begin = performance.now()
    const answers = await burst(line, 5_000)
    const seconds = (performance.now() - begin) / 1_000

    expect(answers.filter(({ status }) => status !== 201)).toEqual([])
    // The late ones QUEUED; of the first, those that had their turn within the time a caller waits SENT.
    expect(new Set(answers.map(({ json }) => json.data.status)).difference(new Set(['SENT']))).toEqual(
      new Set(['QUEUED']),
    )
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(answers.length)
    expect(upstream.received.length).toBeLessThanOrEqual(perSecond * (Math.ceil(seconds) + 1))

    await restart(line, 0)
    await allSent(answers)

    expect(await statesOf(answers)).toEqual(new Set(['SENT']))
    expect(upstream.received).toHaveLength(answers.length)
    expectOrder()
  })

  test('is not harmed by a stop at any moment: what has not left by then is sent by the next start, and is never UNKNOWN', async () => {
    upstream.release()
    gateway = await start({ SEND_WAIT_MS: '50' })
    const line = await gateway.addLine({ perSecond: 80, pairSeconds: 6 })
    const answers = await burst(line, 1_000)

    // At each start, eighty are given their turn: the stop comes at ever other moments of it.
    await gateway.stop()
    for (let delayMs = 0; delayMs < 10; delayMs += 1) {
      const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', CHANNEL_API_URL: upstream.url })
      const short = await startGateway({ config, log: silentLogger, onFatal: () => {} })
      await Bun.sleep(delayMs)
      await short.stop()
    }
    gateway = await start({ SEND_WAIT_MS: '50' })
    await restart(line, 0)
    await allSent(answers)

    expect(await statesOf(answers)).toEqual(new Set(['SENT']))
    expect(upstream.received).toHaveLength(answers.length)
    expectOrder()
  })
})

describe('a full queue', () => {
  const queueMax = 20

  test('503 SERVICE_UNAVAILABLE: says when to try again, stores nothing, and takes the same key once there is room', async () => {
    gateway = await start({ SEND_QUEUE_MAX: String(queueMax), SEND_WAIT_MS: '60000' })
    const asked = Array.from({ length: 5 * queueMax }, (_, index) => {
      const body = text(gateway.line, { idempotencyKey: `order-${index}` })
      return { body, answer: gateway.send(body) }
    })
    const refused: { body: unknown; answer: Answer }[] = []
    for (const { body, answer } of asked) {
      void answer.then(settled => settled.status === 503 && refused.push({ body, answer: settled }))
    }
    await eventually(() => {
      expect(refused).toHaveLength(asked.length - queueMax)
      expect(upstream.received).toHaveLength(queueMax)
    })

    expect(await gateway.messages()).toHaveLength(queueMax)
    for (const { answer } of refused) {
      expect(answer.json).toEqual({ error: 'SERVICE_UNAVAILABLE', message: expect.any(String) })
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    }
    const { used } = await gateway.gateway.store.read.plan({
      workspaceId: gateway.workspaceId,
      month: new Date().toISOString().slice(0, 7),
    })
    expect(used).toBe(queueMax)

    upstream.release()
    await Promise.all(asked.map(({ answer }) => answer))
    const again = await gateway.send(refused[0]?.body)
    expect([again.status, again.json.data?.idempotentReplay]).toEqual([201, false])
  })
})

describe('a dead line never holds back another line', () => {
  const isDead = (line: Line) => (request: { path: string }) => request.path.includes(`/${line.upstreamPhoneId}/`)

  test.each([
    ['its requests hang', 0],
    ['its requests hang, and it is paced', 80],
  ])('%s: the other line of the same channel and thread answers as ever', async (_, perSecond) => {
    gateway = await start({ SEND_WORKERS: '1', SEND_WAIT_MS: '60000', CHANNEL_TIMEOUT_MS: '60000' })
    const dead = await gateway.addLine({ perSecond, pairSeconds: 6 })
    upstream.holds = isDead(dead)
    const stuck = Array.from({ length: 200 }, (_, index) => gateway.send(text(dead, { phone: recipient(index) })))
    await eventually(async () => expect(await gateway.messages()).toHaveLength(stuck.length))

    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.send(text(gateway.line))))

    expect(new Set(answers.map(({ status, json }) => `${status} ${json.data?.status}`))).toEqual(new Set(['201 SENT']))
    upstream.release()
    expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(new Set([201]))
  })

  test('throttled for a minute: only it waits', async () => {
    gateway = await start({ SEND_WORKERS: '1', SEND_WAIT_MS: '50' })
    const dead = await gateway.addLine()
    const isOfDead = isDead(dead)
    upstream.holds = () => false
    const { answer } = upstream
    upstream.answer = request =>
      isOfDead(request)
        ? Response.json(
            { error: { code: 130429, message: 'slow down' } },
            { status: 429, headers: { 'retry-after': '60' } },
          )
        : answer(request)

    const throttled = await Promise.all([gateway.send(text(dead)), gateway.send(text(dead))])
    const fine = await gateway.send(text(gateway.line))

    // On a busy machine it may not be sent within the time a caller waits, but long before the minute is over.
    expect(fine.status).toBe(201)
    await eventually(async () => expect(await statesOf([fine])).toEqual(new Set(['SENT'])))
    expect(throttled.map(({ status, json }) => `${status} ${json.data?.status}`)).toEqual(['201 QUEUED', '201 QUEUED'])
    expect(await statesOf(throttled)).toEqual(new Set(['QUEUED']))
  })

  test('with more waiting for it than the queue holds: the other line still sends', async () => {
    const queueMax = 20
    gateway = await start({ SEND_QUEUE_MAX: String(queueMax), SEND_WAIT_MS: '60000', CHANNEL_TIMEOUT_MS: '60000' })
    const dead = await gateway.addLine()
    upstream.holds = isDead(dead)
    const stuck = Array.from({ length: 2 * queueMax }, () => gateway.send(text(dead)))
    const refused: Answer[] = []
    for (const answer of stuck) void answer.then(settled => settled.status === 503 && refused.push(settled))
    await eventually(() => expect(refused.length).toBeGreaterThan(0))

    const fine = await gateway.send(text(gateway.line))

    expect([fine.status, fine.json.data?.status]).toEqual([201, 'SENT'])
    upstream.release()
    await Promise.all(stuck)
  })
})
