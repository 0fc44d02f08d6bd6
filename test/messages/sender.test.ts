import { beforeEach, describe, expect, test } from 'bun:test'
import type { Attempt, SendAnswer } from '../../src/graph/answer.ts'
import type { ChannelClient } from '../../src/graph/client.ts'
import type { MediaOrder, Upload } from '../../src/media/upload.ts'
import type { SendJob } from '../../src/messages/job.ts'
import { createSender, type SenderFact } from '../../src/messages/sender.ts'
import type { Answer } from '../../src/queue/protocol.ts'
import type { Served } from '../../src/queue/worker.ts'
import { ManualClock } from '../clock.ts'
import { accepted, notNow, turn } from '../transport/yard.ts'

let clock: ManualClock
let sender: Served
let posts: Answer[][]
let facts: SenderFact[]
/** Texts of the messages whose sends have begun, in order. */
let sent: string[]
let send: (payload: string) => Promise<Attempt>
let upload: (order: MediaOrder) => Promise<Upload>
let isClosed: boolean
let lastId: number

beforeEach(() => {
  clock = new ManualClock()
  posts = []
  facts = []
  sent = []
  send = async () => accepted
  upload = async () => ({ kind: 'uploaded', mediaId: '1' })
  isClosed = false
  lastId = 0
  const client: Pick<ChannelClient, 'send'> = {
    send: ({ payload }) => {
      sent.push(payload)
      return send(payload)
    },
  }
  sender = createSender({
    client: client as ChannelClient,
    upload: order => upload(order),
    transport: {
      exchange: () => Promise.reject(new Error('not used')),
      close: () => {
        isClosed = true
      },
    },
    clock,
    random: () => 1,
    outgoing: { reply: answers => posts.push([...answers]), tell: fact => facts.push(fact as SenderFact) },
  })
})

const job = (messageId: string, fields: Partial<SendJob> = {}): SendJob => ({
  messageId,
  channelId: 'chan_1',
  lineId: 'line_1',
  upstreamPhoneId: '1',
  accessToken: 'token',
  recipient: `+49${messageId}`,
  payload: messageId,
  perSecond: 0,
  pairSeconds: 0,
  isDispatched: true,
  ...fields,
})

/** Hands jobs over as one post. @returns the ids of the calls */
function take(...jobs: readonly SendJob[]): number[] {
  const calls = jobs.map(argument => {
    lastId += 1
    return { id: lastId, verb: 'sendMessage', argument }
  })
  sender.take(calls)
  return calls.map(({ id }) => id)
}

/** Frees the message's last turn. */
function proceed(messageId: string) {
  const due = facts.findLast(fact => fact.kind === 'due' && fact.messageId === messageId)
  lastId += 1
  sender.take([
    { id: lastId, verb: 'proceed', argument: { turn: due?.kind === 'due' ? due.turn : 'none', accessToken: 'token' } },
  ])
}

describe('the answers of a sender', () => {
  test('each call gets its own end', async () => {
    send = async payload =>
      payload === 'm1' ? { kind: 'lost', why: 'reset' } : { ...accepted, channelMessageId: `wamid.${payload}` }
    const ids = take(job('m1'), job('m2'))
    await turn()
    expect(posts.flat()).toMatchObject([
      { id: ids[0], ok: true, value: { kind: 'lost' } },
      { id: ids[1], ok: true, value: { kind: 'accepted', channelMessageId: 'wamid.m2' } },
    ])
  })

  test('a defect between the first byte and the answer ends in "unknown", never in a resend', async () => {
    send = () => Promise.reject(new Error('a defect'))
    take(job('m1'))
    await turn()
    clock.advance(600_000)
    await turn()
    expect(sent).toEqual(['m1'])
    expect(posts.flat()).toMatchObject([{ ok: true, value: { kind: 'lost', why: 'a defect' } satisfies SendAnswer }])
  })

  test('an upload that throws fails alone', async () => {
    upload = () => Promise.reject(new Error('a defect'))
    sender.take([{ id: 1, verb: 'uploadMedia', argument: {} }])
    upload = async () => ({ kind: 'uploaded', mediaId: '2' })
    sender.take([{ id: 2, verb: 'uploadMedia', argument: {} }])
    await turn()
    expect(posts.flat().toSorted((one, other) => one.id - other.id)).toEqual([
      { id: 1, ok: false, unavailable: false, message: 'a defect' },
      { id: 2, ok: true, value: { kind: 'uploaded', mediaId: '2' } },
    ])
  })
})

describe('turns', () => {
  test('a message that waits is deferred, comes due, and leaves once the disk said so', async () => {
    take(job('m1', { perSecond: 1 }), job('m2', { perSecond: 1 }))
    expect(facts).toEqual([{ kind: 'deferred', messageId: 'm2' }])
    await turn()
    clock.advance(1_000)
    await turn()
    expect(facts.at(-1)).toMatchObject({ kind: 'due', messageId: 'm2' })
    expect(sent).toEqual(['m1'])
    proceed('m2')
    await turn()
    expect(sent).toEqual(['m1', 'm2'])
  })

  test('a turn frees no other of the same message', async () => {
    send = async payload => (payload === 'm2' ? notNow('message') : accepted)
    take(job('m1', { perSecond: 1 }), job('m2', { perSecond: 1 }))
    clock.advance(1_000)
    const first = facts.at(-1)
    proceed('m2')
    await turn()
    clock.advance(1_000)
    expect(facts.at(-1)).toMatchObject({ kind: 'due', messageId: 'm2' })
    sent = []
    sender.take([
      { id: 99, verb: 'proceed', argument: { turn: first?.kind === 'due' && first.turn, accessToken: 'token' } },
    ])
    await turn()
    expect(sent).toEqual([])
    proceed('m2')
    await turn()
    expect(sent).toEqual(['m2'])
  })

  test('a turn that nobody waits for is answered and does nothing', async () => {
    proceed('m9')
    await turn()
    expect(posts.flat()).toEqual([{ id: 1, ok: true, value: null }])
    expect(sent).toEqual([])
  })
})

describe('a throttled account', () => {
  beforeEach(async () => {
    send = async payload => (payload === 'm1' ? notNow('app', 30_000) : accepted)
    take(job('known', { lineId: 'line_2' }))
    take(job('m1'))
    await turn()
    sent = []
  })

  test('every line of the channel waits', async () => {
    take(job('m2', { lineId: 'line_2' }))
    await turn()
    expect(sent).toEqual([])
    expect(facts).toContainEqual({ kind: 'deferred', messageId: 'm2' })
    clock.advance(30_000)
    proceed('m2')
    await turn()
    expect(sent).toContain('m2')
  })

  test('a line of the channel that had not sent before waits as well', async () => {
    take(job('m3', { lineId: 'line_3' }))
    await turn()
    expect(sent).toEqual([])
  })

  test('lines of other channels go on', async () => {
    take(job('m4', { lineId: 'line_4', channelId: 'chan_2' }))
    await turn()
    expect(sent).toEqual(['m4'])
  })

  test('and so do those that had sent before', async () => {
    const other = { lineId: 'line_4', channelId: 'chan_2' }
    take(job('m4', other))
    take(job('m1', { lineId: 'line_5', channelId: 'chan_3' }))
    await turn()
    sent = []
    take(job('m5', other))
    await turn()
    expect(sent).toEqual(['m5'])
  })
})

describe('a pause that the upstream asks for', () => {
  const pauses = () => facts.filter(fact => fact.kind === 'paused')

  test('is told with its end and reach, once for all that left together', async () => {
    for (const scope of ['line', 'app'] as const) {
      facts = []
      send = async () => notNow(scope, 3_600_000)
      take(...['m1', 'm2', 'm3'].map(id => job(`${scope} ${id}`, { lineId: `line of ${scope}` })))
      await turn()
      const lineId = scope === 'line' ? 'line of line' : null
      expect(pauses()).toEqual([
        { kind: 'paused', channelId: 'chan_1', lineId, until: clock.now() + 3_600_000, code: 2 },
      ])
    }
  })

  test('is told again when it is asked for anew, and not told when it is short or of a message alone', async () => {
    const answers = [notNow('line', 60_000), notNow('line', 60_000), accepted]
    send = async () => answers.shift() ?? accepted
    take(job('m1'))
    await turn()
    clock.advance(60_000)
    proceed('m1')
    await turn()
    expect(pauses()).toHaveLength(2)
    const untold = [notNow('line', 5_000), notNow('app'), notNow('message', 60_000), notNow('pair', 60_000)]
    for (const [at, attempt] of untold.entries()) {
      send = async () => attempt
      take(job(`untold ${at}`, { lineId: `line of ${at}`, channelId: `channel of ${at}` }))
      await turn()
      expect(sent.at(-1)).toBe(`untold ${at}`)
    }
    expect(pauses()).toHaveLength(2)
  })
})

describe('an account that is throttled without a time', () => {
  /** Sends one message, refused the first times. @returns how many seconds each of its waits took */
  async function waits(messageId: string, refusals: number): Promise<number[]> {
    let attempts = 0
    send = async () => {
      attempts += 1
      return attempts <= refusals ? notNow('app') : accepted
    }
    take(job(messageId))
    await turn()
    const found: number[] = []
    while (found.length < refusals) {
      const before = attempts
      let seconds = 0
      while (attempts === before) {
        seconds += 1
        clock.advance(1_000)
        proceed(messageId)
        await turn()
      }
      found.push(seconds)
    }
    return found
  }

  test('waits 1, 2, 4 … seconds, and 1 second again once a message was taken', async () => {
    expect(await waits('m1', 3)).toEqual([1, 2, 4])
    expect(await waits('m2', 1)).toEqual([1])
  })
})

describe('stopping', () => {
  test('what has left gets its end, what has not does not leave, and then the connections close', async () => {
    const answer = Promise.withResolvers<Attempt>()
    send = () => answer.promise
    const [first] = take(job('m1', { perSecond: 1 }), job('m2', { perSecond: 1 }))
    let isStopped = false
    const stopped = Promise.resolve(sender.stop()).then(() => {
      isStopped = true
    })
    await turn()
    clock.advance(60_000)
    await turn()
    expect([isStopped, isClosed]).toEqual([false, false])
    answer.resolve(accepted)
    await stopped
    expect(isClosed).toBe(true)
    expect(sent).toEqual(['m1'])
    expect(posts.flat()).toMatchObject([{ id: first, ok: true }])
    expect(clock.pending).toBe(0)
  })

  test('an idle sender stops at once', async () => {
    await sender.stop()
    expect(isClosed).toBe(true)
  })
})
