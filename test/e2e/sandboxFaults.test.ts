import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Line, Message } from '../../db/contract/records.ts'
import type { ErrorClass } from '../../src/graph/codeTable.ts'
import { REFUSALS } from '../../src/sandbox/checks/refusals.ts'
import { magicSuffix } from '../../src/sandbox/faults/magic.ts'
import { eventually } from '../eventually.ts'
import { type Answer, type Key, orderTemplate } from '../gateway.ts'
import { type Stack, startStack } from './stack.ts'

type Fault = Parameters<Stack['control']['addFault']>[0]
type Settings = Parameters<Stack['control']['configure']>[0]

let stack: Stack

/** One send, everything the caller saw of it, and how to look at it afterwards. */
interface Sent {
  readonly answer: Answer
  readonly messageId: string
}

let numbers = 0
/** A recipient without a behaviour of its own. */
function newNumber(): string {
  numbers += 1
  return `+1650557${1_000 + numbers}`
}

async function send(phone: string, more: object = {}, key?: Key): Promise<Sent> {
  const answer = await stack.send({ type: 'text', phone, content: 'Hello', ...more }, { ...key })
  const messageId = answer.json?.data?.id ?? answer.json?.details?.messageId
  if (typeof messageId !== 'string') throw new Error(`an answer that names no message: ${answer.status} ${answer.text}`)
  return { answer, messageId }
}
/** Adds a fault for one recipient and sends to it. */
function sendInto(fault: Fault, more: object = {}): Promise<Sent> {
  const recipient = newNumber()
  stack.control.addFault({ recipient, ...fault })
  return send(recipient, more)
}

async function messageOf({ messageId }: Sent): Promise<Message> {
  const message = await stack.gateway.store.read.message(messageId)
  if (!message) throw new Error('the message is not stored')
  return message
}
const view = async ({ messageId }: Sent) => (await stack.get(`/api/v1/public/messages/${messageId}`)).json.data
const requestsOf = ({ messageId }: Sent) => stack.control.requests({ opaque: messageId })
const timelineOf = async ({ messageId }: Sent) => stack.gateway.store.read.timeline(messageId)

/** Every callback that was due has been posted and answered. */
const quiet = () =>
  eventually(() => {
    const { statuses, waiting, unanswered } = stack.control.pending()
    expect({ statuses, waiting, unanswered }).toEqual({ statuses: 0, waiting: 0, unanswered: 0 })
  })

function expectRefused({ answer, messageId }: Sent, status: number, details: object): void {
  expect([answer.status, answer.json.error]).toEqual([status, 'CHANNEL_GRAPH_ERROR'])
  expect(answer.json.details).toEqual({
    messageId,
    code: null,
    subcode: null,
    title: expect.any(String),
    details: null,
    traceId: expect.any(String),
    retryable: false,
    ...details,
  })
}
function expectUnknown({ answer, messageId }: Sent): void {
  expect(answer.status).toBe(201)
  expect(answer.json.data).toMatchObject({ id: messageId, status: 'UNKNOWN', channelMessageId: null })
}

async function stop() {
  expect(stack.control.doubles()).toEqual([])
  await stack.stop()
}

/** Definite "not now"s that are tried three times. */
const retried = [2, 131016, 133004] as const
const throttled = [4, 613, 80007, 80008, 130429, 131056, 131057] as const
/** A line that is restricted for spam stays so for hours: longer than any message is kept waiting. */
const restricted = 131048

/** All codes are units of `test/graph/codes.test.ts`; throttles stand below. */
describe('a code of each class that refuses', () => {
  const codes: readonly [code: number, status: number, ErrorClass][] = [
    [131026, 400, 'permanent'],
    [131049, 400, 'holdRequest'],
    [190, 502, 'token'],
    [131042, 502, 'accountStop'],
    [131064, 502, 'holdAccount'],
    [131000, 502, 'vague'],
  ]
  /** What refuses no send may come as a callback all the same. */
  const alsoLater = [retried[0], throttled[0], restricted]
  const sent = new Map<string, Promise<Sent>>()
  const magic = (range: string, code: number) => `+155501${range}${magicSuffix(code)}`
  const sentTo = async (number: string) => {
    const found = await sent.get(number)
    if (!found) throw new Error(`nothing was sent to ${number}`)
    return found
  }
  const titleOf = (code: number) => REFUSALS[code]?.title ?? ''
  const reasonOf = (code: number) => REFUSALS[code]?.details ?? titleOf(code)

  beforeAll(async () => {
    stack = await startStack({ callbacks: true })
    for (const [code] of codes) {
      for (const range of ['0', '1', '2']) {
        const number = magic(range, code)
        const body = range === '0' ? { idempotencyKey: `key-${number}` } : {}
        sent.set(number, send(number, body))
      }
    }
    for (const code of alsoLater) sent.set(magic('1', code), send(magic('1', code)))
    await Promise.all(sent.values())
    await quiet()
  })
  afterAll(stop)

  test.each(codes)('%d as the answer: HTTP %d, FAILED, sent once', async (code, status, errorClass) => {
    const outcome = await sentTo(magic('0', code))
    expectRefused(outcome, status, {
      code,
      title: `(#${code}) ${titleOf(code)}`,
      details: REFUSALS[code]?.details ?? null,
      retryable: errorClass === 'vague',
    })
    const reason = `${code}: ${REFUSALS[code]?.details ?? `(#${code}) ${titleOf(code)}`}`
    expect(await view(outcome)).toMatchObject({
      status: 'FAILED',
      failureReason: reason,
      channelMessageId: null,
      sentAt: null,
    })
    expect(requestsOf(outcome).map(entry => entry.outcome)).toEqual(['refused'])
  })

  test.each(codes)('%d as the answer frees the idempotency key', async code => {
    const number = magic('0', code)
    const outcome = await sentTo(number)
    const again = await send(number, { idempotencyKey: `key-${number}` })
    expect(again.messageId).not.toBe(outcome.messageId)
    expect(again.answer.status).toBe(outcome.answer.status)
  })

  test.each([...codes.map(([code]) => code), ...alsoLater])(
    '%d as a callback: 201 first, then FAILED with the reason',
    async code => {
      const outcome = await sentTo(magic('1', code))
      expect(outcome.answer.status).toBe(201)
      expect(await view(outcome)).toMatchObject({
        status: 'FAILED',
        failureReason: `${code}: ${reasonOf(code)}`,
        channelMessageId: expect.stringMatching(/^wamid\./),
        sentAt: expect.any(String),
      })
      const failed = (await timelineOf(outcome)).find(({ kind }) => kind === 'failed')
      expect(failed?.detail).toMatchObject({ errors: [{ code, title: titleOf(code) }] })
    },
  )

  test.each(codes)('%d as the answer and as a callback: HTTP %d, FAILED', async (code, status) => {
    const outcome = await sentTo(magic('2', code))
    expect([outcome.answer.status, outcome.answer.json.details.code]).toEqual([status, code])
    expect(await view(outcome)).toMatchObject({ status: 'FAILED' })
    expect((await timelineOf(outcome)).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['refused', 'failed']))
  })
})

describe('errors that are unlike the others', () => {
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(stop)

  test('an unknown code with HTTP 500 is the fault of the upstream and never repeated', async () => {
    const outcome = await send('+15550139999')
    expectRefused(outcome, 502, { code: 999_999, retryable: true })
    expect(requestsOf(outcome)).toHaveLength(1)
  })

  test('error_data as plain text is the details', async () => {
    const outcome = await send('+15550139997')
    expectRefused(outcome, 400, {
      code: 131009,
      title: '(#131009) Parameter value is not valid',
      details: 'Parameter value is not valid.',
    })
  })

  test('an expired token shows its subcode', async () => {
    expectRefused(await send('+15550130463'), 502, { code: 190, subcode: 463 })
  })

  test('a line that the upstream does not know is not the fault of the request', async () => {
    expectRefused(await send('+15550130033'), 502, { code: 100, subcode: 33 })
  })

  test('an error within HTTP 200 is an error', async () => {
    const outcome = await send('+15550130200')
    expectRefused(outcome, 502, { code: 131000, details: expect.any(String), retryable: true })
    expect(await view(outcome)).toMatchObject({ status: 'FAILED' })
  })

  test('the token expires and comes back: nothing stays stuck', async () => {
    stack.control.setToken('expired')
    const answer = await stack.send({ type: 'text', phone: newNumber(), content: 'Hello' })
    expect([answer.status, answer.json.details]).toEqual([502, expect.objectContaining({ code: 190, subcode: 463 })])
    stack.control.setToken('valid')
    expect((await send(newNumber())).answer.status).toBe(201)
  })

  test('the 24-hour window: closed, then opened by the user', async () => {
    stack.control.configure({ windowRequired: true })
    const number = newNumber()
    expectRefused(await send(number), 400, { code: 131047, details: expect.any(String) })
    await stack.control.inbound({ kind: 'text', from: number })
    expect((await send(number)).answer.status).toBe(201)
    stack.control.configure({ windowRequired: false })
  })

  test('a template that is paused between our check and the send', async () => {
    await stack.addTemplates({ ...orderTemplate, name: 'paused_meanwhile' })
    stack.control.putTemplate({
      name: 'paused_meanwhile',
      language: 'en_US',
      components: [{ type: 'BODY', text: 'Hi {{1}}, your order {{2}} is confirmed.' }],
    })
    await stack.control.setTemplateStatus({
      name: 'paused_meanwhile',
      language: 'en_US',
      event: 'PAUSED',
      silent: true,
    })
    const template = {
      type: 'template',
      content: undefined,
      templateName: 'paused_meanwhile',
      templateVariables: { '1': 'Ada', '2': '1' },
    }
    expectRefused(await send(newNumber(), template), 400, { code: 132015, details: expect.any(String) })
  })
})

describe('an answer that is lost', () => {
  const sent = new Map<string, Promise<Sent>>()
  const known = async (name: string) => {
    const found = await sent.get(name)
    if (!found) throw new Error(`nothing was sent for ${name}`)
    return found
  }
  /** Though sent: the callbacks come, and settle it. */
  const though: readonly [what: string, number: string][] = [
    ['HTTP 500 with a page', '+15550131500'],
    ['HTTP 200 without messages', '+15550130201'],
    ['HTTP 200 with malformed JSON', '+15550130202'],
    ['HTTP 200 with JSON that breaks off', '+15550130203'],
    ['a reset instead of an answer', '+15550130010'],
    ['a reset within the answer', '+15550130012'],
    ['an answer that trickles in', '+15550130013'],
    ['no answer at all', '+15550130020'],
    ['an answer after our time limit', '+15550130022'],
  ]
  /** Nothing was sent: no sign will ever come. */
  const never: readonly [what: string, number: string][] = [
    ['HTTP 500 with a page', '+15550130500'],
    ['HTTP 502 with a page', '+15550130502'],
    ['HTTP 503 without a body', '+15550130503'],
    ['HTTP 504 without a body', '+15550130504'],
    ['a reset instead of an answer', '+15550130011'],
    ['no answer at all', '+15550130021'],
    ['a refusal after our time limit', '+15550130023'],
  ]

  beforeAll(async () => {
    stack = await startStack({ callbacks: true, env: { CHANNEL_TIMEOUT_MS: '300' } })
    // Much later than our time limit: the answer is lost before the first sign comes, on a busy machine too.
    stack.control.configure({ callbacks: { sentAfterMs: 3_000, deliveredAfterMs: 3_010, readAfterMs: 3_020 } })
    for (const [, number] of [...though, ...never]) sent.set(number, send(number, { idempotencyKey: `key-${number}` }))
    await Promise.all(sent.values())
  })
  afterAll(stop)

  test.each(though)('%s, though sent: 502 unknown, settled by its callbacks, never resent', async (_, number) => {
    const outcome = await known(number)
    expectUnknown(outcome)
    await eventually(async () => expect(await view(outcome)).toMatchObject({ status: 'READ' }))
    const message = await view(outcome)
    expect(message).toMatchObject({ failureReason: null, channelMessageId: expect.stringMatching(/^wamid\./) })
    for (const at of [message.sentAt, message.deliveredAt, message.readAt]) expect(at).toEqual(expect.any(String))
    expect(requestsOf(outcome).map(entry => entry.outcome)).toEqual([
      number.endsWith('0013') || number.endsWith('0022') ? 'accepted' : 'lost',
    ])
  })

  test.each(never)('%s, nothing sent: 502 unknown, stays UNKNOWN, never resent', async (_, number) => {
    const outcome = await known(number)
    expectUnknown(outcome)
    await quiet()
    expect(await view(outcome)).toMatchObject({
      status: 'UNKNOWN',
      failureReason: null,
      channelMessageId: null,
      sentAt: null,
    })
    expect(requestsOf(outcome)).toHaveLength(1)
  })

  test.each([...though, ...never])('%s keeps the idempotency key (%s): a retry replays it', async (_, number) => {
    const outcome = await known(number)
    const again = await send(number, { idempotencyKey: `key-${number}` })
    expect([again.answer.status, again.answer.json.data.idempotentReplay]).toEqual([200, true])
    expect(again.messageId).toBe(outcome.messageId)
    expect(requestsOf(outcome)).toHaveLength(1)
  })

  test('a connection that is reset as the request arrives: unknown as well, for bytes had left', async () => {
    stack.control.addFault({ answer: 'reset_on_arrival', next: 1 })
    const outcome = await send(newNumber())
    expectUnknown(outcome)
    expect(await view(outcome)).toMatchObject({ status: 'UNKNOWN' })
    expect(requestsOf(outcome)).toEqual([])
  })

  test('a failure that the callback reports settles it as FAILED', async () => {
    const outcome = await sendInto({
      answer: 'hang',
      sent: true,
      callbacks: [{ status: 'failed', code: 131026, afterMs: 3_000 }],
    })
    expectUnknown(outcome)
    await eventually(async () => expect(await view(outcome)).toMatchObject({ status: 'FAILED' }))
    expect((await view(outcome)).failureReason).toBe('131026: Unable to deliver the message.')
  })

  test("callbacks that name only the upstream's id find a lost message by nothing: it stays unknown", async () => {
    const outcome = await sendInto({ answer: 'hang', sent: true, callbacks: [] })
    expectUnknown(outcome)
    const [request] = requestsOf(outcome)
    expect(await stack.control.status({ wamid: 'wamid.stranger', status: 'read' })).toEqual({ status: 200 })
    expect(await view(outcome)).toMatchObject({ status: 'UNKNOWN' })
    expect(await stack.control.status({ wamid: request?.wamid ?? '', status: 'delivered' })).toEqual({ status: 200 })
    expect(await view(outcome)).toMatchObject({ status: 'DELIVERED' })
  })
})

describe('callbacks of every kind', () => {
  const sent = new Map<string, Promise<Sent>>()
  beforeAll(async () => {
    stack = await startStack({ callbacks: true })
    for (const [, number] of rows) sent.set(number, send(number))
    await Promise.all(sent.values())
    await quiet()
  })
  afterAll(stop)

  const none = { deliveredAt: null, readAt: null }
  const rows: readonly [what: string, number: string, expected: object, kinds: string[]][] = [
    ['never', '+15550140001', { status: 'SENT', ...none }, ['accepted']],
    ['only sent', '+15550140002', { status: 'SENT', ...none }, ['accepted', 'sent']],
    ['delivered, never read', '+15550140003', { status: 'DELIVERED', readAt: null }, ['accepted', 'delivered', 'sent']],
    ['read without delivered', '+15550140004', { status: 'READ', deliveredAt: null }, ['accepted', 'read', 'sent']],
    ['read alone', '+15550140005', { status: 'READ', deliveredAt: null }, ['accepted', 'read']],
    [
      'delivered after failed',
      '+15550140006',
      { status: 'DELIVERED', failureReason: null },
      ['accepted', 'delivered', 'failed', 'sent'],
    ],
    [
      'failed after delivered',
      '+15550140007',
      { status: 'DELIVERED', failureReason: null },
      ['accepted', 'delivered', 'failed', 'sent'],
    ],
    ['each of them three times', '+15550140008', { status: 'READ' }, ['accepted', 'delivered', 'read', 'sent']],
    ['in the opposite order', '+15550140009', { status: 'READ' }, ['accepted', 'delivered', 'read', 'sent']],
    ['before the answer', '+15550140010', { status: 'READ' }, ['accepted', 'delivered', 'read', 'sent']],
  ]
  test.each(rows)('%s', async (_, number, expected, kinds) => {
    const outcome = await sent.get(number)
    if (!outcome) throw new Error('nothing was sent')
    expect(outcome.answer.status).toBe(201)
    expect(await view(outcome)).toMatchObject({ sentAt: expect.any(String), ...expected })
    const timeline = await timelineOf(outcome)
    expect(
      timeline
        .map(({ kind }) => kind)
        .filter(kind => kind !== 'dispatched')
        .toSorted(),
    ).toEqual(kinds)
  })

  test('callbacks that came before the answer are in it', async () => {
    const outcome = await send('+15550140010')
    expect([outcome.answer.status, outcome.answer.json.data.status]).toEqual([201, 'READ'])
  })

  const settings: readonly [what: string, callbacks: Settings['callbacks']][] = [
    ['with contacts and user ids', { userIds: true }],
    ['without recipient_id', { withoutRecipientId: true }],
    ['with slashes escaped', { escapeSlashes: true }],
    ['with an entry that nobody can read', { badEntry: true }],
    ['with old times', { timestampShiftS: -86_400 }],
    ['early', { early: true }],
    ['reversed and twice', { reversed: true, copies: 2 }],
    ['one at a time', { batchMax: 1, parallelMax: 1 }],
  ]
  /** Runs with other settings, one test at a time, and puts them back. */
  async function configured(callbacks: Settings['callbacks'], run: () => Promise<void>) {
    const { callbacks: before } = stack.control.settings()
    stack.control.configure({ callbacks: callbacks ?? {} })
    try {
      await run()
    } finally {
      stack.control.configure({ callbacks: before })
    }
  }
  test.each(settings)('%s: READ in the end', async (_, callbacks) => {
    await configured(callbacks, async () => {
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => send(newNumber())))
      await quiet()
      for (const outcome of outcomes) {
        expect(outcome.answer.status).toBe(201)
        expect(await view(outcome)).toMatchObject({ status: 'READ', deliveredAt: expect.any(String) })
      }
    })
  })

  test.each([{ codeAsText: true }, { failedWithoutOpaque: true }])(
    'a failure %p: FAILED with its code',
    async callbacks => {
      await configured(callbacks, async () => {
        const outcome = await send('+15550111026')
        await quiet()
        expect(await view(outcome)).toMatchObject({
          status: 'FAILED',
          failureReason: '131026: Unable to deliver the message.',
        })
      })
    },
  )

  test("a failure that overtakes the answer and names only the upstream's id is parked, and found", async () => {
    await configured({ failedWithoutOpaque: true, early: true }, async () => {
      const outcome = await send('+15550111026')
      expect(outcome.answer.status).toBe(201)
      expect(await view(outcome)).toMatchObject({ status: 'FAILED' })
    })
  })

  test.each(['wrong', 'missing', 'truncated'] as const)(
    'a signature that is %s: refused, and nothing moves',
    async signature => {
      await configured({ signature, retryGapsMs: [] }, async () => {
        const outcome = await send(newNumber())
        await quiet()
        expect(await view(outcome)).toMatchObject({ status: 'SENT', deliveredAt: null })
        expect(stack.control.deliveries().at(-1)?.status).toBe(401)
      })
    },
  )

  test('a thousand updates in one POST, most of them unknown', async () => {
    await configured({ silent: true }, async () => {
      const outcome = await send(newNumber())
      const [request] = requestsOf(outcome)
      const strangers = Array.from({ length: 999 }, (_, at) => ({
        wamid: `wamid.stranger-${at}`,
        status: 'read' as const,
      }))
      const updates = [...strangers, { wamid: request?.wamid ?? '', status: 'delivered' as const }]
      expect(await stack.control.batch({ updates })).toEqual({ status: 200 })
      expect(await view(outcome)).toMatchObject({ status: 'DELIVERED' })
    })
  })

  test('a POST of 3 MB', async () => {
    await configured({ silent: true }, async () => {
      const outcome = await send(newNumber())
      const [request] = requestsOf(outcome)
      const updates = [{ wamid: request?.wamid ?? '', status: 'read' as const }]
      expect(await stack.control.batch({ updates, padBytes: 3 * 1_048_576 })).toEqual({ status: 200 })
      expect(await view(outcome)).toMatchObject({ status: 'READ' })
    })
  })
})

describe('held for quality assessment', () => {
  const template = {
    type: 'template',
    content: undefined,
    templateName: 'held_back',
    templateVariables: { '1': 'Ada', '2': '1' },
  }
  beforeAll(async () => {
    stack = await startStack({ callbacks: true })
    await stack.addTemplates({ ...orderTemplate, name: 'held_back' })
    const components = [{ type: 'BODY', text: 'Hi {{1}}, your order {{2}} is confirmed.' }]
    stack.control.putTemplate({ name: 'held_back', language: 'en_US', components })
  })
  afterAll(stop)

  test('released: SENT until then, never sent again', async () => {
    const outcome = await sendInto({ answer: 'held', heldMs: 1_500 }, template)
    expect([outcome.answer.status, outcome.answer.json.data.status]).toEqual([201, 'SENT'])
    await quiet()
    expect(await view(outcome)).toMatchObject({ status: 'READ' })
    const accepted = (await timelineOf(outcome)).find(({ kind }) => kind === 'accepted')
    expect(accepted?.detail).toEqual({
      messageStatus: 'held_for_quality_assessment',
      traceId: expect.any(String),
      requestId: expect.any(String),
    })
    expect(requestsOf(outcome)).toHaveLength(1)
  })

  test('dropped: FAILED with 132015, never sent again', async () => {
    const outcome = await sendInto({ answer: 'held', heldMs: 50, dropped: true }, template)
    expect(outcome.answer.status).toBe(201)
    await quiet()
    expect(await view(outcome)).toMatchObject({
      status: 'FAILED',
      failureReason: '132015: Template is paused due to low quality.',
    })
    expect(requestsOf(outcome)).toHaveLength(1)
  })
})

describe('not now', () => {
  const sent = new Map<string, Promise<Sent>>()
  const known = async (name: string | number) => {
    const found = await sent.get(String(name))
    if (!found) throw new Error(`nothing was sent for ${name}`)
    return found
  }
  /** Magic recipients that are refused once and then accepted, each on a line of its own. */
  const alternating: readonly [what: string, number: string, code: number][] = [
    ['a line throttle with Retry-After: 1', '+15550130429', 130429],
    ['the pair limit', '+15550131056', 131056],
    ['a temporary error', '+15550130002', 2],
  ]
  const magic = (code: number) => `+1555010${magicSuffix(code)}`

  beforeAll(async () => {
    stack = await startStack({ callbacks: true, env: { SEND_WAIT_MS: '5000' } })
    const lines: Line[] = [stack.line]
    for (let at = 1; at < alternating.length + retried.length; at += 1) lines.push(await stack.addLine())
    const numbers = [...alternating.map(([, number]) => number), ...retried.map(magic)]
    numbers.forEach((number, at) => {
      sent.set(number, send(number, { phoneNumberId: lines[at]?.id, idempotencyKey: `key-${number}` }))
    })
    await Promise.all(sent.values())
    await quiet()
  })
  afterAll(stop)

  test.each(alternating)('%s: waited out and sent once', async (_, number, code) => {
    const outcome = await known(number)
    expect(outcome.answer.status).toBe(201)
    expect(outcome.answer.json.data.channelMessageId).toStartWith('wamid.')
    const requests = requestsOf(outcome)
    expect(requests.map(entry => [entry.outcome, entry.code])).toEqual([
      ['refused', code],
      ['accepted', undefined],
    ])
    const [first, second] = requests
    const waitedMs = (second?.at ?? 0) - (first?.at ?? 0)
    // Retry-After and 4^0 seconds are waited in full; a retry waits at least half of its half second.
    expect(waitedMs).toBeGreaterThanOrEqual(code === 2 ? 245 : 990)
    expect(await view(outcome)).toMatchObject({ status: 'READ', failureReason: null })
  })

  test.each(retried.map(code => [code]))('%d again and again: given up after three tries, 502', async code => {
    const outcome = await known(magic(code))
    expectRefused(outcome, 502, { code, details: REFUSALS[code]?.details ?? null, retryable: true })
    expect(requestsOf(outcome).map(entry => entry.outcome)).toEqual(['refused', 'refused', 'refused'])
    expect(await view(outcome)).toMatchObject({ status: 'FAILED' })
  })
})

describe('throttled without an end', () => {
  const sent = new Map<number, Promise<Sent>>()
  beforeAll(async () => {
    stack = await startStack({ callbacks: true, env: { SEND_WAIT_MS: '150' } })
    for (const code of throttled) {
      // Throttles of an account stop all its lines: every row has a channel of its own.
      const { key } = await stack.neighbour()
      sent.set(code, send(`+1555010${magicSuffix(code)}`, {}, key))
    }
    await Promise.all(sent.values())
  })
  afterAll(stop)

  test.each(throttled.map(code => [code]))('%d: 201 QUEUED, and it waits its turn', async code => {
    const outcome = await sent.get(code)
    if (!outcome) throw new Error('nothing was sent')
    expect([outcome.answer.status, outcome.answer.json.data]).toEqual([
      201,
      expect.objectContaining({ status: 'QUEUED', channelMessageId: null, sentAt: null, failureReason: null }),
    ])
    const message = await messageOf(outcome)
    expect([message.status, message.lostAt]).toEqual(['QUEUED', null])
    for (const entry of requestsOf(outcome)) expect([entry.outcome, entry.code]).toEqual(['refused', code])
  })

  test('131048: 502 at once, for nobody waits for hours; the line is left alone meanwhile', async () => {
    const { key } = await stack.neighbour()
    const outcome = await send(`+1555010${magicSuffix(restricted)}`, {}, key)
    expectRefused(outcome, 502, { code: restricted, details: REFUSALS[restricted]?.details, retryable: true })
    expect(requestsOf(outcome)).toHaveLength(1)
    const next = await send(newNumber(), {}, key)
    expect(next.answer.json.data.status).toBe('QUEUED')
    expect(requestsOf(next)).toEqual([])
  })

  test('nothing else of this workspace waits for it', async () => {
    // On a busy machine its callbacks overtake the answer.
    expect(['SENT', 'DELIVERED', 'READ']).toContain((await send(newNumber())).answer.json.data.status)
  })
})

describe('limits of the upstream that the gateway does not know', () => {
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(stop)

  test('its line rate: everything goes out once', async () => {
    // A second of the clock may end between the sends: two seconds take six.
    stack.control.configure({ lineRate: { enabled: true, perSecond: 3 } })
    const outcomes = await Promise.all(Array.from({ length: 7 }, () => send(newNumber())))
    stack.control.configure({ lineRate: { enabled: false } })
    expect(outcomes.map(({ answer }) => answer.json.data.status)).toEqual(Array.from({ length: 7 }, () => 'SENT'))
    for (const outcome of outcomes) {
      expect(requestsOf(outcome).filter(entry => entry.outcome === 'accepted')).toHaveLength(1)
    }
    expect(stack.control.totals().byCode[130429]).toBeGreaterThan(0)
  })

  test('its pair limit: the burst goes out, the next one waits, others do not', async () => {
    const line = await stack.addLine()
    stack.control.configure({ pairLimit: { enabled: true, burst: 3, gapMs: 250 } })
    const number = newNumber()
    const more = { phoneNumberId: line.id }
    const outcomes = await Promise.all([
      ...Array.from({ length: 4 }, () => send(number, more)),
      send(newNumber(), more),
    ])
    stack.control.configure({ pairLimit: { enabled: false } })
    for (const outcome of outcomes) {
      expect(outcome.answer.json.data.status).toBe('SENT')
      expect(requestsOf(outcome).filter(entry => entry.outcome === 'accepted')).toHaveLength(1)
    }
    const refused = outcomes.flatMap(requestsOf).filter(entry => entry.outcome === 'refused')
    expect(refused.map(({ code }) => code)).toEqual([131056])
    await stack.gateway.store.write.changeLine({ lineId: line.id, active: false })
  })
})

describe('nobody there', () => {
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(stop)

  test('for a moment: sent once the upstream is back', async () => {
    await stack.control.outage(150)
    const outcome = await send(newNumber())
    expect([outcome.answer.status, outcome.answer.json.data.status]).toEqual([201, 'SENT'])
    expect(requestsOf(outcome)).toHaveLength(1)
  })

  test('for good: 502 after three tries, FAILED, the key is free', async () => {
    await stack.control.outage(60_000)
    const number = newNumber()
    const outcome = await send(number, { idempotencyKey: `key-${number}` })
    expectRefused(outcome, 502, {
      title: 'The upstream platform could not be reached',
      traceId: null,
      retryable: true,
    })
    expect(await view(outcome)).toMatchObject({ status: 'FAILED' })
    // Another outage ends the first one's timer and lets sends through after its own time.
    await stack.control.outage(1)
    const again = await send(number, { idempotencyKey: `key-${number}` })
    expect(again.answer.status).toBe(201)
    expect(again.messageId).not.toBe(outcome.messageId)
  })
})
