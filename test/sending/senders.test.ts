import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import type { SendJob } from '../../src/sending/sender.ts'
import { Senders } from '../../src/sending/senders.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { replaceWorkers, ScriptedWorker } from '../threads/workers.ts'
import { accepted, turn } from './simulation.ts'

let clock: ManualClock
let workers: ReturnType<typeof replaceWorkers<ScriptedWorker>>
let senders: Senders

const verbs = ['send', 'uploadMedia']
const job: SendJob = { upstreamPhoneId: '1', accessToken: 'token', payload: '{}' }

beforeEach(async () => {
  clock = new ManualClock()
  workers = replaceWorkers(ScriptedWorker)
  const options = {
    apiUrl: '',
    apiVersion: '',
    timeoutMs: 1_000,
    mediaAllowedNetworks: [],
    storage: { folder: '', bucket: null },
  }
  const opening = Senders.open({ count: 2, options, clock, log: silentLogger })
  for (const worker of workers.spawned) worker.start(verbs)
  senders = await opening
})
afterEach(() => workers.restore())

const thread = (at: number): ScriptedWorker => {
  const worker = workers.spawned[at]
  if (!worker) throw new Error(`there is no thread ${at}`)
  return worker
}

/** How many calls each of the first two threads was posted. */
const given = () => [thread(0), thread(1)].map(({ calls }) => calls.length)

/** Makes a call whose failure nobody has to look at. */
function send() {
  const sent = senders.send(job)
  sent.catch(() => {})
  return sent
}

describe('the sender threads', () => {
  test('share what there is to do: the next job goes to the one with the fewest', async () => {
    for (let count = 0; count < 10; count += 1) void send()
    await turn()
    expect(given()).toEqual([5, 5])
    const [{ id } = { id: 0 }] = thread(1).calls
    thread(1).say({ kind: 'answers', answers: [{ id, ok: true, value: accepted }] })
    void send()
    await turn()
    expect(given()).toEqual([5, 6])
  })

  test('one that dies loses what it was given, and what it was not given yet goes to another', async () => {
    const lost = [send(), send()]
    await turn()
    const unposted = [send(), send()]
    thread(0).terminate()
    await turn()
    await turn()
    await expect(lost[0]).rejects.toBeInstanceOf(OutcomeUnknown)
    expect(given()).toEqual([1, 3])
    const answers = thread(1).calls.map(({ id }) => ({ id, ok: true, value: accepted }) as const)
    thread(1).say({ kind: 'answers', answers })
    expect(await Promise.all([lost[1], ...unposted])).toEqual([accepted, accepted, accepted])
  })

  test('while none is there a job is refused at once: nothing was sent', async () => {
    for (const worker of workers.spawned.slice()) worker.terminate()
    await turn()
    expect(senders.isReady).toBe(false)
    await expect(senders.send(job)).rejects.toBeInstanceOf(Unavailable)
    clock.advance(100)
    thread(2).start(verbs)
    void send()
    await turn()
    expect([senders.isReady, thread(2).calls.length]).toEqual([true, 1])
  })

  test('those that were replaced are counted', async () => {
    expect(senders.restarts).toBe(0)
    thread(1).terminate()
    await turn()
    expect(senders.restarts).toBe(1)
  })

  test('say what they have measured; one that does not answer within a second is shown as it was last', async () => {
    const measured = (sum: number) =>
      ({ kind: 'measured', measures: { eventLoopLag: { bounds: [1], counts: [1, 0], sum } } }) as const
    const questions = () => thread(0).posted.filter(({ kind }) => kind === 'measure').length
    const first = senders.measures()
    for (const at of [0, 1]) thread(at).say(measured(at))
    expect((await first).map(measures => measures?.eventLoopLag?.sum)).toEqual([0, 1])
    const [second, third] = [senders.measures(), senders.measures()]
    thread(1).say(measured(5))
    clock.advance(1_000)
    for (const late of await Promise.all([second, third])) {
      expect(late.map(measures => measures?.eventLoopLag?.sum)).toEqual([0, 5])
    }
    expect(questions()).toBe(2)
  })

  test('a thread that dies answers no question any more, and keeps nobody waiting', async () => {
    const asked = senders.measures()
    thread(1).say({ kind: 'measured', measures: {} })
    thread(0).terminate()
    expect(await asked).toEqual([null, {}])
  })
})
