import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { type Clock, systemClock } from '../../../src/base/clock.ts'
import { eventually } from '../../eventually.ts'
import { startTestGateway, type TestGateway } from '../../gateway.ts'
import { type HeldUpstream, messageIds, repeated, startHeldUpstream } from './heldUpstream.ts'
import { replaceThreads, type Threads } from './threads.ts'

/** The watch over threads counts real seconds: here they pass so many times faster, and for the watch alone. */
const haste = 10

let threads: Threads
let upstream: HeldUpstream
let gateway: TestGateway
let undo: (() => void)[]

beforeEach(async () => {
  const { now, steady, ago, setTimer } = systemClock
  const ordinary: Clock = { now, steady, ago, setTimer }
  const start = now()
  const hasty = [
    spyOn(systemClock, 'now').mockImplementation(() => start + (now() - start) * haste),
    spyOn(systemClock, 'setTimer').mockImplementation((delayMs, fire) => setTimer(delayMs / haste, fire)),
  ]
  undo = hasty.map(spy => () => spy.mockRestore())
  threads = replaceThreads()
  upstream = startHeldUpstream()
  gateway = await startTestGateway({
    upstream,
    clock: ordinary,
    ownAttemptsMax: 0,
    env: { SEND_WORKERS: '1', SEND_WAIT_MS: '60000' },
  })
})
afterEach(async () => {
  upstream.release()
  await gateway.stop()
  await upstream.stop()
  threads.restore()
  for (const restore of undo) restore()
})

const send = (lineId: string) =>
  gateway.send({ type: 'text', phone: '+15550100200', content: 'Hello', phoneNumberId: lineId })

test('a sender thread that hangs is ended and replaced: in flight is UNKNOWN, queued goes on, nothing goes twice', async () => {
  // The second waits until the first has its end, however long that takes: both are to one recipient.
  const paced = await gateway.addLine({ pairSeconds: 1 })
  const first = send(paced.id)
  await eventually(() => expect(upstream.received).toHaveLength(1))
  const second = send(paced.id)
  await eventually(async () => {
    expect((await gateway.messages()).filter(({ dispatchedAt }) => dispatchedAt === null)).toHaveLength(1)
  })

  upstream.holds = () => false
  threads.last('sender').poison('hang')
  const [lost, queued] = await Promise.all([first, second])
  const next = await send(gateway.line.id)

  expect([lost.status, lost.json.data?.status]).toEqual([201, 'UNKNOWN'])
  expect([queued.status, queued.json.data?.status]).toEqual([201, 'SENT'])
  expect([next.status, next.json.data?.status]).toEqual([201, 'SENT'])
  expect((await gateway.messages()).map(({ status }) => status)).toEqual(['SENT', 'SENT', 'UNKNOWN'])
  expect(repeated(messageIds(upstream))).toEqual([])
  expect(threads.spawned.map(({ name }) => name)).toEqual(['writer', 'sender', 'sender'])
})

test('a sender thread that waits long for the upstream does not hang: it is left alone, and gets its answer', async () => {
  const start = systemClock.now()
  const answer = send(gateway.line.id)
  await eventually(() => expect(systemClock.now() - start).toBeGreaterThan(30_000))
  upstream.release()

  expect((await answer).status).toBe(201)
  expect(threads.spawned).toHaveLength(2)
})
