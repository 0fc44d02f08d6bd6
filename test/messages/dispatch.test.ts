import { beforeEach, describe, expect, test } from 'bun:test'
import type { Message, Recorded } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import { failureReason, type SendAnswer } from '../../src/graph/answer.ts'
import { type Logger, silentLogger } from '../../src/log.ts'
import { Dispatcher } from '../../src/messages/dispatch.ts'
import type { SendJob } from '../../src/messages/job.ts'
import type { SenderVerbs } from '../../src/messages/sender.ts'
import { WorkerClosed, WorkerLost, WorkerUnavailable } from '../../src/queue/mailbox.ts'
import { ManualClock } from '../clock.ts'

const accepted: SendAnswer = { kind: 'accepted', channelMessageId: 'wamid.1', waId: '4930123', messageStatus: null }

const job = (messageId: string, fields: Partial<SendJob> = {}): SendJob => ({
  messageId,
  channelId: 'chan_1',
  lineId: 'line_1',
  upstreamPhoneId: '1',
  accessToken: 'token',
  recipient: '+4930123456',
  payload: '{}',
  perSecond: 0,
  pairSeconds: 0,
  isDispatched: true,
  ...fields,
})

/** Lets everything that is due in this turn of the event loop happen. */
const turn = () => new Promise<void>(resolve => setImmediate(resolve))

/** One message offered to a sender thread, its answer still open. */
interface Offer {
  readonly job: SendJob
  answer(answer: SendAnswer): void
  die(error: Error): void
}

let clock: ManualClock
/** What the disk holds, in the order it was written, and what was done in between. */
let log: string[]
let offers: Offer[]
let isDiskFull: boolean
/** The store has been closed. */
let isClosed: boolean
/** What is kept beside each event. */
let details: Recorded['detail'][]
/** What was logged as an error. */
let alerts: unknown[]
let warnings: unknown[]
/** The channel's access token. */
let token: string | Promise<string>
let proceededWith: string | null
/** Why a thread cannot be told to let a message go. */
let proceedError: Error | null
/** Why a token cannot be read. */
let tokenError: Error | null
/** How the disk says that every message stands. */
let standing: Message['status']
let dispatcher: Dispatcher

const sender: SenderVerbs = {
  sendMessage: offered => {
    const { promise, resolve, reject } = Promise.withResolvers<SendAnswer>()
    offers.push({ job: offered, answer: resolve, die: reject })
    log.push(`sender offered ${offered.messageId}`)
    return promise
  },
  proceed: async ({ turn, accessToken }) => {
    log.push(`sender proceeds with ${turn}`)
    proceededWith = accessToken
    if (proceedError) throw proceedError
    return null
  },
  uploadMedia: () => Promise.reject(new Error('no media here')),
}

function makeDispatcher(queueMax = 3): Dispatcher {
  const recordEvent = async ({ messageId, event, detail }: Recorded) => {
    details.push(detail)
    if (isClosed) throw new WorkerClosed('the writer is stopping')
    if (isDiskFull) throw new WorkerUnavailable('SQLITE_FULL database or disk is full')
    log.push(`disk: ${messageId} ${event.kind}`)
    return { id: messageId, status: standing } as Message
  }
  const store = { write: { recordEvent } } as unknown as Store
  const accessToken = async () => {
    if (tokenError) throw tokenError
    return token
  }
  const logger: Logger = Object.assign(Object.create(silentLogger), {
    error: (entry: unknown) => alerts.push(entry),
    warn: (entry: unknown) => warnings.push(entry),
  })
  return new Dispatcher({ store, senderFor: () => sender, accessToken, clock, log: logger, queueMax })
}

beforeEach(() => {
  clock = new ManualClock()
  log = []
  offers = []
  isDiskFull = false
  isClosed = false
  details = []
  alerts = []
  warnings = []
  token = 'token'
  standing = 'QUEUED'
  proceedError = null
  tokenError = null
  dispatcher = makeDispatcher()
})

function submit(messageId = 'msg_1', fields: Partial<SendJob> = {}) {
  dispatcher.expect(messageId, 'line_1', '{}')
  return dispatcher.submit(job(messageId, fields))
}

async function diskHasRoom() {
  isDiskFull = false
  clock.advance(1_000)
  await turn()
}

/** A sender thread announces the message; its turns are named after it. */
const due = (messageId: string, turn = messageId) => dispatcher.onFact({ kind: 'due', messageId, turn })

describe('the disk is told first', () => {
  test('the end of a message is on disk before its caller hears of it', async () => {
    const settled = submit().then(end => {
      log.push('caller heard')
      return end
    })
    offers[0]?.answer(accepted)
    expect((await settled).answer).toEqual(accepted)
    expect(log).toEqual(['sender offered msg_1', 'disk: msg_1 accepted', 'caller heard'])
    expect(dispatcher.size).toBe(0)
  })

  test('a message that waited leaves only after the disk says dispatched', async () => {
    submit('msg_1', { isDispatched: false })
    due('msg_1')
    await turn()
    expect(log).toEqual(['sender offered msg_1', 'disk: msg_1 dispatched', 'sender proceeds with msg_1'])
  })

  test('it leaves with the token that the channel has then', async () => {
    submit('msg_1', { isDispatched: false })
    token = 'another token'
    due('msg_1')
    await turn()
    expect(proceededWith).toBe('another token')
  })

  test('it does not leave when a callback has shown that the upstream has it', async () => {
    submit('msg_1', { isDispatched: false })
    standing = 'DELIVERED'
    due('msg_1')
    await turn()
    expect(proceededWith).toBeNull()
  })

  test('and with the one from before when that cannot be read, which the operator is told', async () => {
    submit('msg_1', { isDispatched: false })
    tokenError = new Error('the secret does not open')
    due('msg_1')
    await turn()
    expect([proceededWith, alerts.length]).toEqual(['token', 1])
  })

  test('while stopping nothing new leaves: an announcement is left as it is', async () => {
    submit('msg_1', { isDispatched: false })
    dispatcher.stop()
    due('msg_1')
    await turn()
    expect(log).toEqual(['sender offered msg_1'])
  })

  test('while the disk is full nothing leaves, and what has ended is kept until the disk takes it', async () => {
    isDiskFull = true
    const settled = submit('msg_1', { isDispatched: false })
    due('msg_1')
    await turn()
    expect(log).toEqual(['sender offered msg_1'])
    isDiskFull = false
    clock.advance(1_000)
    await turn()
    expect(log.at(-1)).toBe('sender proceeds with msg_1')

    isDiskFull = true
    offers[0]?.answer(accepted)
    await turn()
    clock.advance(1_000)
    await turn()
    isDiskFull = false
    clock.advance(1_000)
    expect((await settled).answer).toEqual(accepted)
    expect(log.at(-1)).toBe('disk: msg_1 accepted')
  })

  test('a deferral that the disk took late never stands over the dispatch that followed it', async () => {
    submit()
    isDiskFull = true
    dispatcher.onFact({ kind: 'deferred', messageId: 'msg_1' })
    await turn()
    isDiskFull = false
    due('msg_1')
    await turn()
    for (let seconds = 0; seconds < 5; seconds += 1) {
      clock.advance(1_000)
      await turn()
    }
    expect(log).toContain('sender proceeds with msg_1')
    // Else the disk says "never handed over" of a message that is under way, and a restart would send it again.
    expect(log.filter(entry => entry.startsWith('disk:')).at(-1)).toBe('disk: msg_1 dispatched')
  })

  /** A message that was announced by a thread which died before the disk had taken it. */
  async function announcedInVain() {
    isDiskFull = true
    submit('msg_1', { isDispatched: false })
    due('msg_1')
    offers[0]?.die(new WorkerLost('the sender ended'))
    await turn()
    clock.advance(200)
    await turn()
    expect(log).toEqual(['sender offered msg_1', 'sender offered msg_1'])
  }

  test('of two announcements only the last lets the message leave, once both are on disk', async () => {
    await announcedInVain()
    due('msg_1', 'second turn')
    await diskHasRoom()
    // Else it leaves for the first, is deferred, and the second then stands over the deferral.
    expect(log.slice(2)).toEqual([
      'disk: msg_1 dispatched',
      'disk: msg_1 deferred',
      'disk: msg_1 dispatched',
      'sender proceeds with second turn',
    ])
  })

  test('an announcement ends with the thread that made it', async () => {
    await announcedInVain()
    await diskHasRoom()
    expect(log.slice(2)).toEqual(['disk: msg_1 dispatched', 'disk: msg_1 deferred'])
    // Else it counts as handed over to the next thread, and is UNKNOWN when that one dies as well.
    offers[1]?.die(new WorkerLost('the sender ended'))
    await turn()
    clock.advance(200)
    await turn()
    expect(offers.map(offer => offer.job.isDispatched)).toEqual([false, false, false])
  })

  test('a thread that dies before it could be told of its turn has sent nothing', async () => {
    const read = Promise.withResolvers<string>()
    token = read.promise
    submit('msg_1', { isDispatched: false })
    due('msg_1')
    await turn()
    offers[0]?.die(new WorkerLost('the sender ended'))
    await turn()
    read.resolve('token')
    await turn()
    expect(log).toEqual(['sender offered msg_1', 'disk: msg_1 dispatched', 'disk: msg_1 deferred'])
  })

  test('a deferral voids the announcement before it', async () => {
    isDiskFull = true
    submit('msg_1', { isDispatched: false })
    due('msg_1')
    dispatcher.onFact({ kind: 'deferred', messageId: 'msg_1' })
    await turn()
    await diskHasRoom()
    expect(log).toEqual(['sender offered msg_1', 'disk: msg_1 dispatched', 'disk: msg_1 deferred'])
  })
})

describe('a sender thread dies', () => {
  test('what it had handed over is lost and not offered again', async () => {
    const settled = submit()
    offers[0]?.die(new WorkerLost('the sender ended unexpectedly'))
    expect((await settled).answer).toEqual({ kind: 'lost', why: 'the sender ended unexpectedly' })
    expect(log).toEqual(['sender offered msg_1', 'disk: msg_1 lost'])
  })

  test('what had to wait its turn is offered to the thread that follows', async () => {
    submit()
    dispatcher.onFact({ kind: 'deferred', messageId: 'msg_1' })
    offers[0]?.die(new WorkerLost('the sender ended unexpectedly'))
    await turn()
    clock.advance(200)
    await turn()
    expect(offers.map(offer => offer.job.isDispatched)).toEqual([true, false])
    expect(log).not.toContain('disk: msg_1 lost')
  })

  test('what it never took has not left, which the disk is told, and is offered to the thread that follows', async () => {
    const settled = submit()
    offers[0]?.die(new WorkerUnavailable('the sender ended unexpectedly'))
    await turn()
    expect(log).toEqual(['sender offered msg_1', 'disk: msg_1 deferred'])
    clock.advance(200)
    await turn()
    expect(offers.map(offer => offer.job.isDispatched)).toEqual([true, false])
    offers[1]?.answer(accepted)
    expect((await settled).answer).toEqual(accepted)
  })

  test('what it was about to be told to let go may have left: it is lost and not offered again', async () => {
    const settled = submit('msg_1', { isDispatched: false })
    proceedError = new WorkerLost('the sender ended unexpectedly')
    due('msg_1')
    await turn()
    offers[0]?.die(new WorkerLost('the sender ended unexpectedly'))
    expect((await settled).answer.kind).toBe('lost')
    expect(log).not.toContain('disk: msg_1 deferred')
    expect(offers).toHaveLength(1)
  })

  test('what it could not be told to let go has not left, and is offered to the thread that follows', async () => {
    submit('msg_1', { isDispatched: false })
    proceedError = new WorkerUnavailable('the sender ended unexpectedly')
    due('msg_1')
    await turn()
    offers[0]?.die(new WorkerLost('the sender ended unexpectedly'))
    await turn()
    clock.advance(200)
    await turn()
    expect(log.filter(entry => entry.startsWith('disk:')).at(-1)).toBe('disk: msg_1 deferred')
    expect(offers.map(offer => offer.job.isDispatched)).toEqual([false, false])
  })

  test('what became due before it died, and was announced to the disk, is not forgotten', async () => {
    const settled = submit('msg_1', { isDispatched: false })
    due('msg_1')
    await turn()
    offers[0]?.die(new WorkerLost('the sender ended unexpectedly'))
    expect((await settled).answer.kind).toBe('lost')
  })

  test('while stopping, what never left stays on disk as it is for the next start', async () => {
    submit('msg_1', { isDispatched: false })
    dispatcher.stop()
    offers[0]?.die(new WorkerLost('the sender stopped'))
    await turn()
    clock.advance(60_000)
    await turn()
    expect(log).toEqual(['sender offered msg_1'])
    expect(clock.pending).toBe(0)
  })
})

describe('an answer that comes while stopping', () => {
  async function answeredOnFullDisk() {
    const settled = submit()
    dispatcher.stop()
    isDiskFull = true
    offers[0]?.answer(accepted)
    await turn()
    return settled
  }

  test('is offered to the disk again: the store is still open', async () => {
    const settled = answeredOnFullDisk()
    await turn()
    await diskHasRoom()
    expect((await settled).answer).toEqual(accepted)
  })

  test('is not offered again to a store that is closed', async () => {
    const settled = submit()
    dispatcher.stop()
    isClosed = true
    offers[0]?.answer(accepted)
    const failure = await settled.then(
      () => null,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(WorkerClosed)
    expect(clock.pending).toBe(0)
  })

  test('is stored although what came before it could not be', async () => {
    const settled = submit()
    dispatcher.stop()
    isDiskFull = true
    dispatcher.onFact({ kind: 'deferred', messageId: 'msg_1' })
    for (let seconds = 0; seconds < 11; seconds += 1) {
      await turn()
      clock.advance(1_000)
    }
    await turn()
    expect(clock.pending).toBe(0)
    isDiskFull = false
    offers[0]?.answer(accepted)
    expect((await settled).answer).toEqual(accepted)
    expect(log).toEqual(['sender offered msg_1', 'disk: msg_1 accepted'])
  })

  test('also when it comes long after the stop: the time counts from what the disk refused', async () => {
    const settled = submit()
    dispatcher.stop()
    clock.advance(30_000)
    isDiskFull = true
    offers[0]?.answer(accepted)
    await turn()
    await diskHasRoom()
    expect((await settled).answer).toEqual(accepted)
  })

  test('is given up after ten seconds, so that a full disk does not keep the process', async () => {
    const settled = answeredOnFullDisk()
    settled.catch(() => {})
    // Whoever waits for it as well, as a replay does, is told as well.
    const found = dispatcher.find('msg_1')
    for (let seconds = 0; seconds < 10; seconds += 1) {
      await turn()
      clock.advance(1_000)
    }
    await expect(settled).rejects.toBeInstanceOf(WorkerUnavailable)
    await expect(found).rejects.toBeInstanceOf(WorkerUnavailable)
    await dispatcher.finished()
    expect(clock.pending).toBe(0)
  })
})

describe('what the answer does to the message', () => {
  const fault = {
    errorClass: 'permanent',
    fault: 'request',
    retryable: false,
    code: 132000,
    subcode: null,
    title: 'Number of parameters does not match',
    details: 'body: 1 instead of 3',
    traceId: 'A1',
  } as const

  test('a refusal is recorded with the code and the most exact words', async () => {
    expect(failureReason(fault)).toBe('132000: body: 1 instead of 3')
    expect(failureReason({ ...fault, details: null })).toBe('132000: Number of parameters does not match')
    expect(failureReason({ ...fault, code: null })).toBe('body: 1 instead of 3')
    const settled = submit()
    offers[0]?.answer({ kind: 'refused', fault })
    expect((await settled).answer.kind).toBe('refused')
    expect(log.at(-1)).toBe('disk: msg_1 refused')
    expect(alerts).toEqual([])
  })

  test('a refusal of the token, the account or the line is told to the operator, with what support asks for', async () => {
    for (const errorClass of ['token', 'accountStop', 'holdAccount'] as const) {
      const settled = submit()
      offers.at(-1)?.answer({ kind: 'refused', fault: { ...fault, errorClass, code: 190 } })
      await settled
      const entry = { messageId: 'msg_1', channelId: 'chan_1', lineId: 'line_1', code: 190, traceId: 'A1' }
      expect(alerts.splice(0)).toEqual([entry])
    }
    const settled = submit()
    offers.at(-1)?.answer({ kind: 'refused', fault: { ...fault, errorClass: 'throttleLine', code: 131048 } })
    await settled
    expect(alerts).toHaveLength(1)
  })

  test('a pause that the upstream asks for is told to the operator, with its end', () => {
    const until = Date.UTC(2026, 2, 1, 9, 30)
    dispatcher.onFact({ kind: 'paused', channelId: 'chan_1', lineId: null, until, code: 80007 })
    expect(warnings).toEqual([{ channelId: 'chan_1', lineId: null, until: '2026-03-01T09:30:00.000Z', code: 80007 }])
  })

  test('what support asks for is kept on the timeline', async () => {
    const trace = { traceId: 'T1', requestId: 'R1' }
    for (const answer of [
      { ...accepted, trace },
      { kind: 'lost', why: 'cut', trace },
    ] as const) {
      const settled = submit()
      offers.at(-1)?.answer(answer)
      await settled
      expect(details.at(-1)).toMatchObject(trace)
    }
  })
})

describe('the queue', () => {
  test('is full at its bound, counts what is only expected, and has room again after each end', async () => {
    dispatcher.expect('msg_1', 'line_1', '{}')
    const second = submit('msg_2')
    submit('msg_3')
    expect(dispatcher.isFull('line_1')).toBe(true)
    dispatcher.forget('msg_1')
    expect(dispatcher.isFull('line_1')).toBe(false)
    dispatcher.expect('msg_4', 'line_1', '{}')
    expect(dispatcher.isFull('line_1')).toBe(true)
    offers.find(offer => offer.job.messageId === 'msg_2')?.answer(accepted)
    await second
    expect(dispatcher.isFull('line_1')).toBe(false)
  })

  test('is full as well when a few messages have filled the memory that a line may take, until they have their end', async () => {
    dispatcher = makeDispatcher(1_000)
    const payload = 'x'.repeat(1_048_576)
    for (let at = 0; at < 31; at += 1) dispatcher.expect(`msg_${at}`, 'line_2', payload)
    expect(dispatcher.isFull('line_2')).toBe(false)
    dispatcher.expect('msg_31', 'line_2', payload)
    expect(dispatcher.isFull('line_2')).toBe(true)
    expect(dispatcher.isFull('line_1')).toBe(false)
    dispatcher.forget('msg_31')
    expect(dispatcher.isFull('line_2')).toBe(false)
  })

  test('accepts nothing while stopping', () => {
    dispatcher.stop()
    expect(dispatcher.isFull('line_1')).toBe(true)
  })

  test('finds what is under way, from before it is accepted until its end is on disk', async () => {
    expect(dispatcher.find('msg_1')).toBeUndefined()
    dispatcher.expect('msg_1', 'line_1', '{}')
    const early = dispatcher.find('msg_1')
    expect(early).toBeDefined()
    const settled = dispatcher.submit(job('msg_1'))
    offers[0]?.answer(accepted)
    expect(await early).toEqual(await settled)
    expect(dispatcher.find('msg_1')).toBeUndefined()
  })

  test('takes a message once, and only when it was expected', () => {
    expect(() => dispatcher.submit(job('msg_1'))).toThrow('only an expected message')
    submit('msg_1')
    expect(() => dispatcher.submit(job('msg_1'))).toThrow('only once')
  })

  const foretell = (id: string, perSecond = 0) => dispatcher.foretell({ id, perSecond })

  test('foretells that a message has to wait while another of its line does; other lines do not count', async () => {
    const now = clock.now()
    expect(foretell('line_1')).toBe(now)
    const settled = submit('msg_1')
    expect(foretell('line_1')).toBe(now)
    dispatcher.onFact({ kind: 'deferred', messageId: 'msg_1' })
    submit('msg_2', { isDispatched: false })
    expect(foretell('line_1')).toBeNull()
    expect(foretell('line_2')).toBe(now)
    due('msg_1')
    due('msg_2')
    await turn()
    expect(foretell('line_1')).toBe(now)
    offers[0]?.answer(accepted)
    await settled
    expect(foretell('line_1')).toBe(now)
  })

  test('foretells that what goes beyond the pace of a line has to wait, before its sender says so', () => {
    const burst = () => Array.from({ length: 100 }, () => foretell('line_1', 80)).filter(at => at !== null).length
    expect(burst()).toBe(80)
    expect(foretell('line_2', 80)).toBe(clock.now())
    clock.advance(999)
    expect(burst()).toBe(0)
    clock.advance(1)
    expect(burst()).toBe(80)
  })

  test('foretells of a line that no message waits any more once the one that waited has its end', async () => {
    const settled = submit()
    dispatcher.onFact({ kind: 'deferred', messageId: 'msg_1' })
    expect(dispatcher.foretell({ id: 'line_1', perSecond: 0 })).toBeNull()
    offers[0]?.answer(accepted)
    await settled
    expect(dispatcher.foretell({ id: 'line_1', perSecond: 0 })).toBe(clock.now())
  })

  test('foretells by the pace that the line has now', () => {
    const now = clock.now()
    expect([foretell('line_1', 2), foretell('line_1', 2), foretell('line_1', 2)]).toEqual([now, now, null])
    expect([foretell('line_1', 3), foretell('line_1', 3)]).toEqual([now, null])
    expect(foretell('line_1', 0)).toBe(now)
  })

  test('news of a message that is not under way is passed over', () => {
    due('msg_9')
    dispatcher.expect('msg_1', 'line_1', '{}')
    dispatcher.onFact({ kind: 'deferred', messageId: 'msg_1' })
    expect(log).toEqual([])
  })
})
