import { beforeEach, describe, expect, test } from 'bun:test'
import type { Acceptance, Message, MessageState, Recorded } from '../../db/contract/records.ts'
import type { StoreWrites } from '../../db/contract/store.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import type { Attempt, SendAnswer } from '../../src/graph/answer.ts'
import { Outbox } from '../../src/sending/outbox.ts'
import type { ShownMedia } from '../../src/sending/outboxMessage.ts'
import type { SendJob } from '../../src/sending/sender.ts'
import { type Logger, silentLogger } from '../../src/telemetry/log.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { ThreadClosed } from '../../src/threads/mailbox.ts'
import { ManualClock } from '../clock.ts'
import { acceptedNow, acceptedToWait, line as aLine, draft, handOvers } from '../db/fixtures.ts'
import { accepted, fault, notNow, turn } from './simulation.ts'

/** One attempt that was given to a sender thread, its answer still open. */
interface Attempted {
  readonly job: SendJob
  answer(attempt: Attempt): void
  die(error: Error): void
}

let clock: ManualClock
/** What the disk was told and what was done in between, in order. */
let steps: string[]
let attempts: Attempted[]
/** Why the disk takes nothing. */
let diskError: Error | null
/** Why the disk does not accept; null when it does. */
let refusal: Acceptance | null
/** What was logged of how far the upstream can be reached. */
let reach: unknown[]
/** What is kept beside each event. */
let details: Recorded['detail'][]
let errors: unknown[]
/** The channel's access token; an error when it cannot be read. */
let token: string | Error
/** How the disk says that every message stands. */
let status: MessageState['status']
/** Whether a callback has shown that an earlier attempt went out. */
let hasGoneOut: boolean
let outbox: Outbox

const write = <Value>(step: string, value: Value) => {
  if (diskError) return Promise.reject(diskError)
  steps.push(`disk: ${step}`)
  return Promise.resolve(value)
}

const disk: Partial<StoreWrites> = {
  acceptMessage: ({ id, dispatchedAt }) =>
    write(
      `${id} accepted, ${dispatchedAt === null ? 'waits' : 'handed over'}`,
      refusal ?? (dispatchedAt === null ? acceptedToWait : acceptedNow),
    ),
  handOverMessages: ({ messageIds }) =>
    write(`${messageIds} handed over`, handOvers(hasGoneOut ? { overtaken: messageIds } : { handedOver: messageIds })),
  deferMessages: ({ messages }) =>
    write(
      messages.map(({ messageId, payload }) => `${messageId} deferred${payload ? ` with ${payload}` : ''}`).join(),
      [],
    ),
  recordEvent: ({ messageId, event, detail }) => {
    details.push(detail)
    return write(`${messageId} ${event.kind}`, { id: messageId, status } as MessageState)
  },
  keepUpdates: async ({ updates }) => updates.length,
  forgetMedia: ({ mediaIds }) => write(`media ${mediaIds} forgotten`, undefined as never),
}

function makeOutbox(queueMax = 3): Outbox {
  return new Outbox({
    store: { read: { line: async () => null, spelling: async () => null }, write: disk as StoreWrites, shared: null },
    sender: {
      isReady: true,
      send: job => {
        const { promise, resolve, reject } = Promise.withResolvers<Attempt>()
        attempts.push({ job, answer: resolve, die: reject })
        steps.push(`attempt ${job.payload}`)
        return promise
      },
    },
    templateRefresher: { request: channelId => void steps.push(`templates of ${channelId}`) },
    explainer: { explain: async (_channelId, _payload, fault) => fault },
    accessToken: async () => {
      if (token instanceof Error) throw token
      return token
    },
    clock,
    random: () => 1,
    log: Object.assign(Object.create(silentLogger), {
      error: (entry: unknown) => errors.push(entry),
      warn: (entry: unknown) => reach.push(entry),
      info: (entry: unknown) => reach.push(entry),
    }) as Logger,
    metrics: new Metrics(),
    queueMax,
  })
}

beforeEach(() => {
  clock = new ManualClock()
  steps = []
  attempts = []
  diskError = null
  refusal = null
  details = []
  errors = []
  reach = []
  token = 'token of now'
  status = 'SENT'
  hasGoneOut = false
  outbox = makeOutbox()
})

const line = aLine({ perSecond: 1, pairSeconds: 0 })
const full = new Unavailable('SQLITE_FULL database or disk is full')

/** Accepts a message whose body is its id. @returns its end */
function accept(id: string, fields: { payload?: string; media?: ShownMedia; lineId?: string } = {}) {
  const { payload = id, media = null, lineId = line.id } = fields
  const accepting = outbox.accept(draft({ id, payload, lineId }), { ...line, id: lineId }, 'token of acceptance', media)
  return accepting.then(accepted => (accepted.outcome === 'accepted' ? accepted.end : Promise.reject(accepted)))
}

async function pass(ms: number) {
  await turn()
  clock.advance(ms)
  await turn()
}

describe('the disk is told first', () => {
  test('a message with a departure is handed over by its acceptance, and its end is on disk before its caller hears of it', async () => {
    const end = accept('m1').then(settled => {
      steps.push('caller')
      return settled
    })
    await turn()
    attempts[0]?.answer(accepted)
    expect((await end)?.answer).toEqual(accepted)
    expect(steps).toEqual(['disk: m1 accepted, handed over', 'attempt m1', 'disk: m1 accepted', 'caller'])
    expect(outbox.size).toBe(0)
  })

  test('a message that has to wait is handed over before it leaves, and leaves with the token of then', async () => {
    void accept('m1')
    void accept('m2')
    await pass(1_000)
    expect(steps.slice(1)).toEqual(['disk: m2 accepted, waits', 'attempt m1', 'disk: m2 handed over', 'attempt m2'])
    expect(attempts.map(({ job }) => job.accessToken)).toEqual(['token of acceptance', 'token of now'])
  })

  test('or with the one from before when that cannot be read, which is logged once', async () => {
    token = new Error('the secret does not open')
    void accept('m1')
    for (const id of ['m2', 'm3']) {
      void accept(id)
      await pass(1_000)
    }
    expect(attempts.map(({ job }) => job.accessToken)).toEqual(Array(3).fill('token of acceptance'))
    expect([errors.length, reach]).toEqual([1, []])

    token = 'token of now'
    void accept('m4')
    await pass(1_000)
    expect([attempts[3]?.job.accessToken, errors.length, reach]).toEqual(['token of now', 1, [{ failures: 2 }]])
  })

  test('it does not leave when a callback has shown that an earlier attempt went out', async () => {
    void accept('m1')
    const end = accept('m2')
    hasGoneOut = true
    status = 'DELIVERED'
    await pass(1_000)
    expect((await end)?.message.status).toBe('DELIVERED')
    expect(attempts).toHaveLength(1)
  })

  test('while the disk is full nothing leaves, and an answer is kept until the disk takes it', async () => {
    const end = accept('m1')
    void accept('m2')
    await turn()
    diskError = full
    attempts[0]?.answer(accepted)
    await pass(5_000)
    expect(steps.slice(-1)).toEqual(['attempt m1'])
    diskError = null
    await pass(1_000)
    expect((await end)?.answer).toEqual(accepted)
    expect(steps).toContain('attempt m2')
  })

  test('a message that was not taken waits again only after the disk says so', async () => {
    void accept('m1')
    await turn()
    diskError = full
    attempts[0]?.answer(notNow('message'))
    await pass(500)
    expect(attempts).toHaveLength(1)
    diskError = null
    await pass(1_000)
    expect(steps.slice(1)).toEqual(['attempt m1', 'disk: m1 deferred', 'disk: m1 handed over', 'attempt m1'])
  })
})

describe('a sender thread dies', () => {
  test('what it had is lost and not sent again', async () => {
    const end = accept('m1')
    await turn()
    attempts[0]?.die(new OutcomeUnknown('the sender ended unexpectedly'))
    expect((await end)?.answer).toEqual({ kind: 'lost', why: 'the sender ended unexpectedly' })
    expect(attempts).toHaveLength(1)
  })

  test('what no thread has taken waits again, which the disk is told, and is sent by the next one', async () => {
    const end = accept('m1')
    await turn()
    attempts[0]?.die(new Unavailable('no sender thread is ready'))
    await turn()
    expect(steps.at(-1)).toBe('disk: m1 deferred')
    await pass(1_000)
    attempts[1]?.answer(accepted)
    expect((await end)?.answer).toEqual(accepted)
  })
})

describe('a stop', () => {
  test('leaves what waits on disk as it is, and tells whoever waits for it at once', async () => {
    void accept('m1')
    const end = accept('m2')
    await turn()
    outbox.stop()
    expect(await end).toBeNull()
    attempts[0]?.answer(accepted)
    await outbox.finished()
    await pass(60_000)
    expect(steps).not.toContain('disk: m2 handed over')
    expect([outbox.size, clock.pending]).toEqual([0, 0])
  })

  test('waits for what is under way; what was not taken is on disk as waiting', async () => {
    const ends = [accept('m1'), accept('m2', { lineId: 'line_2' })]
    await turn()
    outbox.stop()
    let isFinished = false
    const finished = outbox.finished().then(() => {
      isFinished = true
    })
    attempts[0]?.answer(notNow('line'))
    await turn()
    expect(isFinished).toBe(false)
    attempts[1]?.answer(accepted)
    await finished
    expect(await ends[0]).toBeNull()
    expect((await ends[1])?.answer).toEqual(accepted)
    expect(steps).toContain('disk: m1 deferred')
  })

  test('leaves what is taken up or released a moment later, on a line that nobody has used, for the next start', async () => {
    outbox.stop()
    const { payload, ...message } = draft({ id: 'm1', lineId: 'line_2' })
    // An error would be nobody's: it would end the process.
    outbox.release({ message: message as unknown as Message, payload }, aLine({ id: 'line_2' }), 'token')
    await turn()
    expect([outbox.size, steps, clock.pending]).toEqual([0, [], 0])
  })

  test('gives an answer up after ten seconds of a full disk, and whoever waits for it is told', async () => {
    const end = accept('m1')
    end.catch(() => {})
    await turn()
    outbox.stop()
    diskError = full
    const found = outbox.find('m1')
    attempts[0]?.answer(accepted)
    await turn()
    for (let seconds = 0; seconds < 10; seconds += 1) await pass(1_000)
    await expect(end).rejects.toBe(full)
    await expect(found).rejects.toBe(full)
    await outbox.finished()
    expect(clock.pending).toBe(0)
  })

  test('the ten seconds count from what the disk refused, and a store that is closed is not asked again', async () => {
    const ends = [accept('m1'), accept('m2', { lineId: 'line_2' })]
    ends[1]?.catch(() => {})
    await turn()
    outbox.stop()
    await pass(30_000)
    diskError = full
    attempts[0]?.answer(accepted)
    await turn()
    diskError = null
    await pass(1_000)
    expect((await ends[0])?.answer).toEqual(accepted)
    diskError = new ThreadClosed('the writer is stopping')
    attempts[1]?.answer(accepted)
    await expect(ends[1]).rejects.toBe(diskError)
    expect(clock.pending).toBe(0)
  })
})

test('that the upstream is not reached is logged once, with the reason, and when it is reached again', async () => {
  const out: Attempt = {
    ...{ kind: 'notNow', scope: 'message', retryAfterMs: null },
    fault: { ...fault, errorClass: 'unreachable', diagnosis: 'its server refused the connection' },
  }
  const ends = [accept('m1', { lineId: 'one' }), accept('m2', { lineId: 'two' })]
  await turn()
  for (const attempt of attempts.splice(0)) attempt.answer(out)
  const told = { channelId: 'chan_1', lineId: 'one', why: 'its server refused the connection' }
  await turn()
  expect(reach).toEqual([told])
  await pass(60_000)
  for (const attempt of attempts.splice(0)) attempt.answer(accepted)
  await Promise.all(ends)
  expect(reach).toEqual([told, { attempts: 2 }])
})

describe('a refusal', () => {
  test('of the token, the account or the line is told to the operator, with what support asks for', async () => {
    for (const errorClass of ['token', 'accountStop', 'holdAccount'] as const) {
      const end = accept('m1', { lineId: errorClass })
      await turn()
      attempts.at(-1)?.answer({ kind: 'refused', fault: { ...fault, errorClass, code: 190, traceId: 'A1' } })
      await end
      const entry = { messageId: 'm1', channelId: 'chan_1', lineId: errorClass, code: 190, traceId: 'A1' }
      expect(errors.splice(0)).toEqual([entry])
    }
  })

  test('for the template has the listing read again', async () => {
    const end = accept('m1')
    await turn()
    attempts[0]?.answer({ kind: 'refused', fault: { ...fault, errorClass: 'permanent', code: 132001 } })
    await end
    expect(steps).toContain('templates of chan_1')
  })

  test('or any answer is kept with what support asks for', async () => {
    const trace = { traceId: 'T1', requestId: 'R1' }
    for (const attempt of [{ ...accepted, trace } as Attempt, { kind: 'lost', why: 'cut', trace } as const]) {
      const end = accept('m1', { lineId: attempt.kind })
      await turn()
      attempts.at(-1)?.answer(attempt)
      await end
      expect(details.at(-1)).toMatchObject(trace)
    }
  })
})

describe('a refusal for a file that the upstream has lost', () => {
  const gone: SendAnswer = {
    kind: 'refused',
    fault: { ...fault, errorClass: 'permanent', fault: 'request', code: 131053 },
  }

  const renewed = { ids: ['1'], renew: async () => ({ payload: 'new body', ids: ['2'] }) }

  /** Sends a message with this file, whose attempts are answered so. @returns its end */
  async function end(media: ShownMedia | undefined, ...answers: readonly SendAnswer[]) {
    const ending = accept('m1', media && { media })
    await turn()
    for (const [at, answer] of answers.entries()) {
      attempts[at]?.answer(answer)
      await pass(1_000)
    }
    return (await ending)?.answer
  }

  test('is put off on disk, the file is uploaded anew, and the same message is tried once more', async () => {
    expect(await end(renewed, gone, accepted)).toEqual(accepted)
    expect(steps).toEqual([
      'disk: m1 accepted, handed over',
      'attempt m1',
      'disk: m1 deferred',
      'disk: media 1 forgotten',
      'disk: m1 deferred with new body',
      'disk: m1 handed over',
      'attempt new body',
      'disk: m1 accepted',
    ])
  })

  test('is its end the second time, and the new file is forgotten as well', async () => {
    expect(await end(renewed, gone, gone)).toEqual(gone)
    expect(steps.slice(-2)).toEqual(['disk: media 2 forgotten', 'disk: m1 refused'])
  })

  test.each([
    ['cannot be had', async () => null],
    ['makes the upload fail', () => Promise.reject(new OutcomeUnknown('the sender ended'))],
  ])('is its end the second time also when the file %s', async (_, renew) => {
    expect(await end({ ids: ['1'], renew }, gone, gone)).toEqual(gone)
    expect(attempts).toHaveLength(2)
    expect(steps.slice(-3)).toEqual(['attempt m1', 'disk: media 1 forgotten', 'disk: m1 refused'])
  })

  test('is its end when the file did not come from a link', async () => {
    expect(await end(undefined, gone)).toEqual(gone)
    expect(steps.at(-1)).toBe('disk: m1 refused')
  })
})

describe('the backlog of a line', () => {
  test('is full at its bound, counts what is only being accepted, and has room again after each end', async () => {
    const end = accept('m1')
    for (const id of ['m2', 'm3']) void accept(id)
    expect([outbox.isFull(line.id), outbox.isFull('line_2')]).toEqual([true, false])
    await turn()
    attempts[0]?.answer(accepted)
    await end
    expect(outbox.isFull(line.id)).toBe(false)
  })

  test('is full as well when a few messages have filled the memory that a line may take', async () => {
    outbox = makeOutbox(1_000)
    const payload = 'x'.repeat(1_048_576)
    for (let at = 0; at < 31; at += 1) void accept(`m${at}`, { payload })
    expect(outbox.isFull(line.id)).toBe(false)
    refusal = { outcome: 'conflict' }
    const refused = accept('m31', { payload })
    expect(outbox.isFull(line.id)).toBe(true)
    await expect(refused).rejects.toEqual({ outcome: 'conflict' })
    expect(outbox.isFull(line.id)).toBe(false)
  })

  test('takes nothing while stopping', () => {
    outbox.stop()
    expect(outbox.isFull(line.id)).toBe(true)
  })

  test('a message that was not accepted gives its departure to the next one', async () => {
    refusal = { outcome: 'conflict' }
    await accept('m1').catch(() => {})
    refusal = null
    void accept('m2')
    await turn()
    expect(steps.at(-1)).toBe('attempt m2')
  })

  test('what is under way is found from before it is accepted until its end is on disk', async () => {
    expect(outbox.find('m1')).toBeUndefined()
    const end = accept('m1')
    const early = outbox.find('m1')
    await turn()
    attempts[0]?.answer(accepted)
    expect(await early).toEqual(await end)
    expect(outbox.find('m1')).toBeUndefined()
  })

  test('a message waits behind those that wait for the line, but not behind those of another line', async () => {
    for (const id of ['m1', 'm2']) void accept(id)
    void accept('m3', { lineId: 'line_2' })
    await turn()
    expect(steps.filter(step => step.startsWith('attempt'))).toEqual(['attempt m1', 'attempt m3'])
  })
})
