import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Line } from '../../../db/contract/records.ts'
import { eventually } from '../../eventually.ts'
import { startTestGateway, type TestGateway } from '../../gateway.ts'
import { type HeldUpstream, messageIds, repeated, startHeldUpstream } from './heldUpstream.ts'
import type { Death } from './killable.ts'
import { replaceThreads, type Threads } from './threads.ts'

const deaths: readonly Death[] = ['throw', 'reject', 'exit']
const recipients = 5

let threads: Threads
let upstream: HeldUpstream
let gateway: TestGateway
let paced: Line

beforeEach(async () => {
  threads = replaceThreads()
  upstream = startHeldUpstream()
  gateway = await startTestGateway({ upstream, ownAttemptsMax: 0, env: { SEND_WORKERS: '1', SEND_WAIT_MS: '60000' } })
  paced = await gateway.addLine({ pairSeconds: 1 })
})
afterEach(async () => {
  upstream.release()
  await gateway.stop()
  await upstream.stop()
  threads.restore()
})

let sends = 0
function send(line: Line = gateway.line, recipient = 0) {
  sends += 1
  const phone = `+1555010020${recipient}`
  return gateway.send({ type: 'text', phone, content: `message ${sends}`, phoneNumberId: line.id })
}

const statuses = async () => (await gateway.messages()).map(({ status }) => status).sort()

describe.each(deaths)('a sender thread that ends by %s', death => {
  test('is replaced: what was in flight is UNKNOWN and told so, what was queued goes on, and nothing goes twice', async () => {
    // Eight to five recipients: five leave at once and get no answer, three wait for the end of those.
    const answers = Array.from({ length: recipients + 3 }, (_, at) => send(paced, at % recipients))
    await eventually(async () => {
      expect(upstream.received).toHaveLength(recipients)
      const waiting = (await gateway.messages()).filter(({ dispatchedAt }) => dispatchedAt === null)
      expect(waiting).toHaveLength(3)
    })
    const inFlight = messageIds(upstream)

    upstream.holds = () => false
    threads.last('sender').poison(death)
    const told = await Promise.all(answers)

    expect(told.map(({ status }) => status)).toEqual(Array(told.length).fill(201))
    const unknown = told.filter(({ json }) => json.data.status === 'UNKNOWN')
    expect(unknown.map(({ json }) => json.data.id).sort()).toEqual(inFlight.sort())
    expect(told.filter(({ json }) => json.data.status === 'SENT')).toHaveLength(3)
    expect(await statuses()).toEqual([...Array(3).fill('SENT'), ...Array(recipients).fill('UNKNOWN')])
    expect(repeated(messageIds(upstream))).toEqual([])
    expect(threads.spawned.map(({ name }) => name)).toEqual(['writer', 'sender', 'sender'])
  })

  test('with nothing under way is replaced, and the next send goes out', async () => {
    upstream.release()
    const thread = threads.last('sender')
    thread.poison(death)
    await thread.gone

    const { status, json } = await send()

    expect({ status, state: json.data?.status }).toEqual({ status: 201, state: 'SENT' })
    expect(await statuses()).toEqual(['SENT'])
  })
})

test('a sender thread that dies again and again loses no message and sends none twice', async () => {
  upstream.release()
  const answers: ReturnType<typeof send>[] = []
  for (const death of [...deaths, 'throw'] as const) {
    const thread = threads.last('sender')
    for (let count = 0; count < 40; count += 1) answers.push(send(count % 8 === 0 ? paced : gateway.line))
    const before = upstream.received.length
    await eventually(() => expect(upstream.received.length).toBeGreaterThan(before))
    thread.poison(death)
    await eventually(() => expect(threads.last('sender')).not.toBe(thread))
  }
  const told = await Promise.all(answers)

  expect(new Set(told.map(({ status }) => status))).toEqual(new Set([201]))
  const states = await statuses()
  expect(states).toEqual(told.map(({ json }) => json.data.status).sort())
  expect(new Set(states).difference(new Set(['SENT', 'UNKNOWN']))).toEqual(new Set())
  expect(repeated(messageIds(upstream))).toEqual([])
})

test('the death of one of two sender threads costs only what it had in flight', async () => {
  await gateway.stop()
  gateway = await startTestGateway({ upstream, ownAttemptsMax: 0, env: { SEND_WORKERS: '2', SEND_WAIT_MS: '60000' } })
  const answers = [send(), send()]
  await eventually(() => expect(upstream.received).toHaveLength(2))

  threads.last('sender').poison('throw')
  const lost = await Promise.race(answers)
  upstream.release()
  // Goes to the thread that is there.
  const next = await send()

  expect(lost.json.data.status).toBe('UNKNOWN')
  expect((await Promise.all(answers)).map(({ json }) => json.data.status).sort()).toEqual(['SENT', 'UNKNOWN'])
  expect([next.status, next.json.data.status]).toEqual([201, 'SENT'])
})
