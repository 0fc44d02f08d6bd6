import { beforeEach, describe, expect, test } from 'bun:test'
import type { Details } from '../../src/base/errors.ts'
import { ManualClock } from '../clock.ts'
import { report } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { freshFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { graphError } from '../upstream.ts'
import { text } from './refusals.ts'

const start = Date.UTC(2026, 0, 15)
const messageId = 'msg_elsewhere'
const keyed = { ...text, idempotencyKey: 'order-1001' }

const clock = freshFixture(() => new ManualClock(start))
const gateway = freshFixture(() => startTestGateway({ clock, env: { SEND_WAIT_MS: '2000' } }))
/** How often the status of the message was read. */
let looks: number
beforeEach(() => {
  looks = 0
  const { read } = gateway.gateway.store
  const { statusView } = read
  const counted: typeof statusView = async id => {
    const view = await statusView(id)
    looks += 1
    return view
  }
  Object.assign(read, { statusView: counted })
})

const write = () => gateway.gateway.store.write
const looked = (times: number) => eventually(() => expect(looks).toBe(times))

/** A request whose twin another process accepted a moment before, and is about to send. */
async function sendBehindTwin() {
  const { acceptMessage } = write()
  const second: typeof acceptMessage = async draft => {
    const twin = await acceptMessage({ ...draft, id: messageId, dispatchedAt: clock.now() })
    // Settings have changed since they were read: the request comes again.
    if (twin.outcome === 'outdated') return twin
    Object.assign(write(), { acceptMessage })
    return acceptMessage(draft)
  }
  Object.assign(write(), { acceptMessage: second })
  const answer = gateway.send(keyed)
  await looked(1)
  return { answer }
}

const record = (
  event: Parameters<ReturnType<typeof write>['recordEvent']>[0]['event'],
  detail: Details | null = null,
) => write().recordEvent({ messageId, event, detail, recordedAt: clock.now() })
const isAccepted = () => record({ kind: 'accepted', at: clock.now(), channelMessageId: 'wamid.elsewhere', waId: null })

/** The body and status that a refused send gets, and what its timeline keeps of the refusal. */
async function refusedSend() {
  gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'undeliverable' })
  const { status, json } = await gateway.send(text)
  const [message] = await gateway.messages()
  if (!message) throw new Error('nothing was stored')
  const entries = await gateway.gateway.store.read.timeline(message.id)
  return { status, json, detail: entries.find(({ kind }) => kind === 'refused')?.detail ?? null }
}

describe('a replay of a message that another process sends', () => {
  test('200: waits for its end, and shows it', async () => {
    const { answer } = await sendBehindTwin()
    clock.advance(100)
    await looked(2)
    await isAccepted()
    clock.advance(200)
    const { status, json } = await answer
    expect([status, json.data]).toMatchObject([200, { id: messageId, status: 'SENT', idempotentReplay: true }])
    expect(gateway.upstream.received).toEqual([])
  })

  test('400 CHANNEL_GRAPH_ERROR: is refused as the first request was', async () => {
    const first = await refusedSend()
    looks = 0
    const { answer } = await sendBehindTwin()
    await record({ kind: 'refused', at: clock.now(), reason: 'undeliverable' }, first.detail)
    clock.advance(100)
    const { status, json } = await answer
    const details = { ...first.json.details, messageId }
    expect([status, json]).toEqual([first.status, { ...first.json, details }])
    expect([status, json.error]).toEqual([400, 'CHANNEL_GRAPH_ERROR'])
  })

  test('200: shows a message that failed by a callback; nobody refused the request', async () => {
    const { answer } = await sendBehindTwin()
    await isAccepted()
    const failed = report('failed', { messageId, channelMessageId: 'wamid.elsewhere', at: clock.now() })
    await write().applyReports({ channelId: gateway.channelId, reports: [failed], recordedAt: clock.now() })
    clock.advance(100)
    const { status, json } = await answer
    expect([status, json.data.status]).toEqual([200, 'FAILED'])
  })

  test('200: shows it as QUEUED after SEND_WAIT_MS, and looks less often the longer it waits', async () => {
    const { answer } = await sendBehindTwin()
    for (const [index, ms] of [100, 200, 400, 500, 500].entries()) {
      clock.advance(ms - 1)
      await looked(index + 1)
      clock.advance(1)
      await looked(index + 2)
    }
    clock.advance(300)
    const { status, json } = await answer
    expect([status, json.data.status, looks]).toEqual([200, 'QUEUED', 7])
  })

  test('200: a stop does not wait for it', async () => {
    const { answer } = await sendBehindTwin()
    const stopped = gateway.gateway.stop()
    clock.advance(100)
    const { status, json } = await answer
    expect([status, json.data.status]).toEqual([200, 'QUEUED'])
    await stopped
  })
})
