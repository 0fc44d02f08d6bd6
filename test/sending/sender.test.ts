import { beforeEach, describe, expect, test } from 'bun:test'
import type { Attempt } from '../../src/graph/answer.ts'
import type { MediaOrder, Upload } from '../../src/media/outgoing/upload.ts'
import { createSender } from '../../src/sending/sender.ts'
import type { VerbAnswer } from '../../src/threads/protocol.ts'
import type { Served } from '../../src/threads/worker.ts'
import { accepted, notNow, turn } from './simulation.ts'

let sender: Served
let answers: VerbAnswer[]
/** Bodies of the requests that have begun, in order. */
let sent: string[]
let send: (payload: string) => Promise<Attempt>
let upload: (order: MediaOrder) => Promise<Upload>
let isClosed: boolean

beforeEach(() => {
  answers = []
  sent = []
  send = async () => accepted
  upload = async () => ({ kind: 'uploaded', mediaId: '1' })
  isClosed = false
  sender = createSender({
    client: {
      send: ({ payload }) => {
        sent.push(payload)
        return send(payload)
      },
    },
    upload: order => upload(order),
    transport: {
      close: () => {
        isClosed = true
      },
    },
    outgoing: { reply: some => answers.push(...some) },
  })
})

/** Hands messages over as one post; each has its body as its id. */
const take = (...payloads: readonly string[]) =>
  sender.take(
    payloads.map((payload, index) => ({
      id: index + 1,
      verb: 'send',
      argument: { upstreamPhoneId: '1', accessToken: 'token', payload },
    })),
  )

describe('a sender thread', () => {
  test('gives each call the answer to its own attempt, whatever that is', async () => {
    const attempts: Readonly<Record<string, Attempt>> = { a: notNow('line'), b: accepted }
    send = async payload => attempts[payload] ?? { kind: 'lost', why: 'reset' }
    take('a', 'b', 'c')
    await turn()
    expect(answers.toSorted((one, other) => one.id - other.id)).toEqual([
      { id: 1, ok: true, value: notNow('line') },
      { id: 2, ok: true, value: accepted },
      { id: 3, ok: true, value: { kind: 'lost', why: 'reset' } },
    ])
  })

  test('makes one attempt for each call and begins them all at once: it keeps no queue and knows no pace', async () => {
    send = () => new Promise<Attempt>(() => {})
    const payloads = Array.from({ length: 500 }, (_, index) => `message ${index}`)
    take(...payloads)
    await turn()
    expect(sent).toEqual(payloads)
  })

  test('answers a defect between the first byte and the answer with "lost", and sends nothing again', async () => {
    send = () => Promise.reject(new Error('a defect'))
    take('a')
    await turn()
    expect(sent).toEqual(['a'])
    expect(answers).toEqual([{ id: 1, ok: true, value: { kind: 'lost', why: 'a defect' } }])
  })

  test('lets an upload that throws fail alone', async () => {
    upload = () => Promise.reject(new Error('a defect'))
    sender.take([{ id: 1, verb: 'uploadMedia', argument: {} }])
    upload = async () => ({ kind: 'uploaded', mediaId: '2' })
    sender.take([{ id: 2, verb: 'uploadMedia', argument: {} }])
    await turn()
    expect(answers.toSorted((one, other) => one.id - other.id)).toEqual([
      { id: 1, ok: false, unavailable: false, message: 'a defect' },
      { id: 2, ok: true, value: { kind: 'uploaded', mediaId: '2' } },
    ])
  })
})

describe('a stop of a sender thread', () => {
  test('waits for what is under way, and then closes the connections', async () => {
    const answer = Promise.withResolvers<Attempt>()
    send = () => answer.promise
    take('a')
    const stopped = Promise.resolve(sender.stop())
    await turn()
    expect(isClosed).toBe(false)
    answer.resolve(accepted)
    await stopped
    expect(isClosed).toBe(true)
    expect(answers).toEqual([{ id: 1, ok: true, value: accepted }])
  })

  test('is over at once when nothing is under way', async () => {
    await sender.stop()
    expect(isClosed).toBe(true)
  })
})
