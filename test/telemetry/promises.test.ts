import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkspaceEvent } from '../../db/contract/events.ts'
import type { MessageState } from '../../db/contract/records.ts'
import type { StoreWrites } from '../../db/contract/store.ts'
import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import { dayMs } from '../../src/base/durations.ts'
import { promiseCheck } from '../../src/doctor/promiseCheck.ts'
import { PromiseWatch } from '../../src/jobs/promiseWatch.ts'
import { storedMove } from '../../src/message/move.ts'
import { Dispatch } from '../../src/sending/dispatch.ts'
import { LineQueue } from '../../src/sending/lineQueue.ts'
import { OpenMessages } from '../../src/sending/openMessages.ts'
import { Outbox, type OutboxParts } from '../../src/sending/outbox.ts'
import { ofOwnWorkspace } from '../../src/sending/submission.ts'
import { type Logger, silentLogger } from '../../src/telemetry/log.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { type Broken, BrokenPromise, onBroken, type PromiseName, promises } from '../../src/telemetry/promises.ts'
import { Mailbox } from '../../src/threads/mailbox.ts'
import { EndpointQueue } from '../../src/webhooks/queue.ts'
import { ManualClock } from '../clock.ts'
import { messageOf } from '../db/drafts.ts'
import {
  accepted,
  acceptedToLeave,
  addOther,
  line as aLine,
  apiKey,
  draft,
  handOvers,
  ofOther,
  openDatabase,
  outcome,
  recorded,
  refused,
  report,
  seed,
  type TestDatabase,
  t0,
  webhook,
} from '../db/fixtures.ts'
import { newRecord } from '../sending/newRecord.ts'
import { replaceWorkers, ScriptedWorker } from '../threads/workers.ts'

/*
 * Each promise of the table is broken once, in the store by SQL or by a part that lies, and has to be told. What the
 * step does then stands beside it: it is refused, or goes on where a refusal would do more harm.
 */

let db: TestDatabase
let told: Broken[]
let ignore: () => void

beforeEach(async () => {
  db = openDatabase()
  await seed(db)
  told = []
  ignore = onBroken(broken => told.push(broken))
})
afterEach(() => {
  ignore()
  db.close()
})

const run = (sql: string) => db.writer.client.run(sql)
const send = async (fields: Parameters<typeof draft>[0] = {}) => db.write('acceptMessage', draft(fields))
const apply = (...reports: ReturnType<typeof report>[]) =>
  db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 })
const refusal = (promise: PromiseName) => `A promise is broken (${promise}): ${promises[promise]}`
/** The step is refused, in these words. */
const isRefused = async (step: unknown, promise: PromiseName) => expect(step).rejects.toThrow(refusal(promise))

/** A sending gateway whose store and platform say what they are told to. */
function outboxParts(write: Partial<StoreWrites>, clock = new ManualClock()): OutboxParts {
  return {
    store: { read: { line: async () => null, spelling: async () => null }, write: write as StoreWrites, shared: null },
    sender: { isReady: true, send: () => Promise.withResolvers<never>().promise },
    accessToken: async () => 'token',
    templateRefresher: { request: () => {} },
    explainer: { explain: async (_channel, _payload, fault) => fault },
    ...{ clock, log: silentLogger, metrics: new Metrics(), random: () => 0, queueMax: 9 },
  }
}
const known = { accessToken: 'token', media: null, trace: null }
const entered = (clock = new ManualClock()) => {
  const open = new OpenMessages({ clock, random: () => 0 })
  return { open, message: open.enter(draft(), aLine(), known) }
}
const waiting = { ...messageOf(draft({ dispatchedAt: null })) }

const batch: Parameters<StoreWrites['createBatch']>[0]['batch'] = {
  ...{ id: 'batch_1', workspaceId: 'ws_1', name: 'News', state: 'running', keyId: 'pk_seed', scope: 'pk_seed' },
  ...{ idempotencyKey: null, fingerprint: 'f', defaults: {}, duplicates: 'skip', createdAt: t0, sendAt: null },
}
const items = ['+1', '+2'].map(phone => ({ recipient: phone, body: { phone }, reference: null }))
const createBatch = () => db.write('createBatch', { batch, items })

const breaks: { readonly [Name in PromiseName]: () => Promise<unknown> } = {
  async statusOfRecord() {
    await send()
    await db.write('recordEvent', accepted('msg_1'))
    run("UPDATE messages SET status = 'FAILED'")
    await isRefused(apply(report('delivered')), 'statusOfRecord')
    expect(await db.read.message('msg_1')).toMatchObject({ deliveredAt: null })
  },
  async endsStay() {
    // As if the state machine forgot what it has read.
    let reads = 0
    const forgetful = {
      ...newRecord(t0, t0),
      ...{ id: 'msg_1', status: 'DELIVERED' as const },
      get deliveredAt() {
        reads += 1
        return reads < 4 ? null : t0
      },
    }
    expect(() => storedMove(forgetful, { ...report('sent').event })).toThrow(refusal('endsStay'))
  },
  async answerOfAttempt() {
    await send({ dispatchedAt: null })
    await isRefused(db.write('recordEvent', accepted('msg_1')), 'answerOfAttempt')
    expect(await db.read.message('msg_1')).toMatchObject({ status: 'QUEUED', channelMessageId: null })
  },
  async oneMessageMoves() {
    await send()
    run('CREATE TRIGGER lost BEFORE UPDATE ON messages BEGIN SELECT RAISE(IGNORE); END')
    await isRefused(db.write('recordEvent', accepted('msg_1')), 'oneMessageMoves')
    expect(await db.read.timeline('msg_1')).toEqual([])
  },
  async daysNotNegative() {
    await send()
    await db.write('recordEvent', accepted('msg_1'))
    run('DELETE FROM daily_counts')
    // What is true of the message is stored all the same.
    await apply(report('failed'))
    expect(await db.read.message('msg_1')).toMatchObject({ status: 'FAILED' })
  },
  async plansNotNegative() {
    await send()
    run('DELETE FROM plan_usage')
    await db.write('recordEvent', refused('msg_1'))
    expect(await db.read.message('msg_1')).toMatchObject({ status: 'FAILED' })
  },
  async planRemembered() {
    await send()
    // By the connection of the writer itself, which therefore does not look.
    run('UPDATE plan_usage SET used = 50')
    await send({ id: 'msg_2' })
    // What is given back is written at once, and with it all that was only remembered.
    await db.write('recordEvent', refused('msg_2'))
    expect(await db.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).toMatchObject({ used: 50 })
  },
  async planKept() {
    await addOther(db, 3)
    await send(ofOther)
    run('UPDATE plan_usage SET used = 3')
    await send({ id: 'msg_2', ...ofOther })
    await db.write('recordEvent', refused('msg_2'))
    expect(await send({ id: 'msg_3', ...ofOther })).toMatchObject({ outcome: 'planExhausted', used: 3 })
    expect(await db.read.message('msg_3')).toBeNull()
  },
  async lineOfWorkspace() {
    await addOther(db)
    await isRefused(send({ lineId: ofOther.lineId }), 'lineOfWorkspace')
    await isRefused(
      db.write('scheduleMessage', { ...draft({ lineId: ofOther.lineId }), dueAt: t0 + 9 }),
      'lineOfWorkspace',
    )
    const outbox = new Outbox(outboxParts({}))
    outbox.release({ message: waiting, payload: '{}' }, aLine({ workspaceId: 'ws_2' }), 'token')
    expect([outbox.size, told.at(-1)?.about]).toEqual([0, { messageId: 'msg_1', lineId: 'line_1' }])
  },
  async keyOfWorkspace() {
    await addOther(db)
    await db.write('createKey', apiKey({ id: 'pk_other', workspaceId: 'ws_2' }))
    await isRefused(send({ apiKeyId: 'pk_other' }), 'keyOfWorkspace')
    const scheduled = { ...draft({ apiKeyId: 'pk_other' }), dueAt: t0 + 9 }
    await isRefused(db.write('scheduleMessage', scheduled), 'keyOfWorkspace')
  },
  async replayOfWorkspace() {
    const replay = { kind: 'replayed', message: messageOf(draft()) } as const
    expect(() => ofOwnWorkspace(replay, { workspaceId: 'ws_2' })).toThrow(refusal('replayOfWorkspace'))
    expect(ofOwnWorkspace(replay, { workspaceId: 'ws_1' })).toBe(replay)
  },
  async stepFollows() {
    const { open, message } = entered()
    expect(open.move(message, 'settled')).toBeFalse()
    expect([message.step, open.size]).toEqual(['reserved', 1])
  },
  async leavesInTime() {
    const write: Partial<StoreWrites> = {
      acceptMessage: async () => acceptedToLeave(-1),
      deferMessages: async () => [],
    }
    const decide = LineQueue.prototype.decide
    const blind = spyOn(LineQueue.prototype, 'decide').mockImplementation(function (this: LineQueue, now, canSend) {
      const { missed, ...decision } = decide.call(this, now, canSend)
      return { ...decision, leaving: [...decision.leaving, ...missed], missed: [] }
    })
    try {
      const parts = outboxParts(write)
      const attempts = spyOn(parts.sender, 'send')
      await new Outbox(parts).accept(draft(), aLine(), 'token', null)
      expect(attempts).not.toHaveBeenCalled()
    } finally {
      blind.mockRestore()
    }
  },
  async waitsWhenTaken() {
    const outbox = new Outbox(outboxParts({}))
    outbox.resume({ message: { ...waiting, dispatchedAt: t0 }, payload: '{}' }, aLine(), 'token')
    expect(outbox.size).toBe(0)
  },
  async handOverAnswered() {
    const { open, message } = entered()
    const other = open.enter(draft({ id: 'msg_2' }), aLine(), known)
    const write = { handOverMessages: async () => handOvers({ handedOver: ['msg_2', 'msg_2'] }) }
    const answer = await new Dispatch(outboxParts(write)).handOver([message, other])
    expect(answer).toMatchObject({ handedOver: [other], taken: [message] })
  },
  async endStored() {
    const write = { recordEvent: async () => ({ id: 'msg_1', status: 'QUEUED' }) as MessageState }
    const settled = new Dispatch(outboxParts(write)).settle(entered().message, { kind: 'lost', why: 'cut' })
    await isRefused(settled, 'endStored')
  },
  async answerOfCall() {
    const workers = replaceWorkers(ScriptedWorker)
    try {
      const options = { worker: 'sender', options: {}, clock: new ManualClock(), log: silentLogger } as const
      const opening = Mailbox.open({ ...options, stopMsMax: 1, onCrash: 'respawn' })
      workers.spawned[0]?.start()
      await opening
      workers.spawned[0]?.say({ kind: 'answers', answers: [{ id: 7, ok: true, value: null }] })
    } finally {
      workers.restore()
    }
  },
  async contentThere() {
    await send({ dispatchedAt: null })
    run('DELETE FROM message_contents')
    const again = { messageId: 'msg_1', payload: '{}', refusal: null }
    await isRefused(db.write('deferMessages', { messages: [again], at: t0 }), 'contentThere')
    run("UPDATE messages SET status = 'SCHEDULED', due_at = 1")
    const release = {
      messageId: 'msg_1',
      at: t0,
      payload: '{}',
      to: { contactId: null },
      opensFlow: null,
      closesFlows: null,
    }
    await isRefused(db.write('releaseMessage', release as never), 'contentThere')
  },
  async batchCounts() {
    await createBatch()
    run('DELETE FROM batch_items WHERE number = 0')
    // Its event tells what is there.
    const moved = await db.write('moveBatch', { batchId: 'batch_1', event: 'cancel', at: t0 })
    expect(moved).toMatchObject({ outcome: 'moved' })
  },
  async itemsHaveMessages() {
    await createBatch()
    await db.write('claimBatchItems', { batchId: 'batch_1', messageIds: ['msg_1'] })
    const sent = { number: 0, messageId: 'msg_1', state: 'sent', reason: null } as const
    await db.write('settleBatchItems', { batchId: 'batch_1', items: [sent] })
    const stored = db.writer.client.query('SELECT state FROM batch_items WHERE number = 0')
    expect(stored.all()).toEqual([{ state: 'sent' }])
  },
  async positionKnown() {
    await db.write('addWebhook', webhook())
    const stored = await db.write('recordAttempts', { endpointId: 'hook_1', position: 9, outcomes: [outcome(1)] })
    expect(stored).toMatchObject({ position: 0, deliveredAt: expect.any(Number) })
  },
  async eventOfWorkspace() {
    const queue = new EndpointQueue({ ...webhook(), position: 4, failingSince: null } as unknown as WebhookEndpoint)
    const event = (seq: number, workspaceId = 'ws_1') =>
      ({ seq, messageSeq: 1, message: messageOf(draft({ workspaceId })) }) as unknown as WorkspaceEvent
    for (const page of [[event(5), event(6, 'ws_2')], [event(4)], [event(6), event(5)]])
      expect(() => queue.addEvents(page, [])).toThrow(BrokenPromise)
    expect(queue.size).toBe(0)
  },
}

test.each(Object.entries(breaks))(
  'that %s is broken is told, and nothing worse comes of it',
  async (promise, breakIt) => {
    await breakIt()
    expect([...new Set(told.map(broken => broken.promise))]).toEqual([promise as PromiseName])
  },
)

describe('a message that has broken a promise', () => {
  test('holds back no other one: at a start, after a time, and in a hand-over', async () => {
    for (const id of ['msg_1', 'msg_2']) await send({ id })
    // No memory of a start: another one has written.
    run("UPDATE messages SET lost_at = 5 WHERE id = 'msg_1'")
    await db.write('forgetMedia', { lineId: 'line_1', mediaIds: [] })
    await db.write('putProperty', { name: 'x', value: 'y' })
    expect(await db.write('markInterrupted', { at: t0 })).toBe(1)
    expect(await db.read.message('msg_2')).toMatchObject({ status: 'UNKNOWN' })
    for (const id of ['msg_3', 'msg_4']) await send({ id, dispatchedAt: null })
    run("UPDATE messages SET status = 'SENT' WHERE id = 'msg_3'")
    const handOvers = await db.write('handOverMessages', { messageIds: ['msg_3', 'msg_4'], at: t0 })
    expect(handOvers).toMatchObject({ handedOver: { messageIds: ['msg_4'] }, taken: ['msg_3'], overtaken: [] })
  })

  test('leaves the memory, and stays as the disk has it, where all of its write is refused', async () => {
    const { message } = entered()
    const write = { handOverMessages: () => Promise.reject(new BrokenPromise('oneMessageMoves')) }
    const answer = await new Dispatch(outboxParts(write)).handOver([message])
    expect(answer).toMatchObject({ handedOver: [], held: [], taken: [message] })
  })

  test('is refused in a commit that stores all else', async () => {
    for (const id of ['msg_1', 'msg_2']) await send({ id, dispatchedAt: id === 'msg_1' ? null : t0 })
    const answers = await db.batch(['recordEvent', accepted('msg_1')], ['recordEvent', accepted('msg_2')])
    expect(answers).toMatchObject([{ ok: false, unavailable: false, broken: 'answerOfAttempt' }, { ok: true }])
    expect(await db.read.message('msg_2')).toMatchObject({ status: 'SENT' })
  })

  test('is not tried again and again', async () => {
    let tries = 0
    const recordEvent = async () => {
      tries += 1
      throw new BrokenPromise('statusOfRecord')
    }
    const settled = new Dispatch(outboxParts({ recordEvent })).settle(entered().message, { kind: 'lost', why: 'cut' })
    await isRefused(settled, 'statusOfRecord')
    expect(tries).toBe(1)
  })
})

describe('a broken promise', () => {
  test('is logged as critical once a minute, counted each time, and found by the doctor for a week', async () => {
    const clock = new ManualClock(t0)
    const metrics = new Metrics()
    const lines: unknown[] = []
    const log = { fatal: (entry: object, words: string) => lines.push([entry, words]) } as unknown as Logger
    const write = { putProperty: (property: { name: string; value: string }) => db.write('putProperty', property) }
    const watch = new PromiseWatch({ store: { write }, clock, log, metrics })
    expect(await promiseCheck(db.read, t0)()).toBe('no promise was found broken within a week')
    await send({ dispatchedAt: null })
    const meet = () =>
      isRefused(db.write('recordEvent', recorded('msg_1', { kind: 'refused', at: t0, reason: 'x' })), 'answerOfAttempt')
    await meet()
    await meet()
    clock.advance(60_000)
    await meet()
    watch.stop()
    await meet()
    const about = { messageId: 'msg_1', from: 'QUEUED', to: 'FAILED', event: 'refused' }
    const words = `a promise is broken: ${promises.answerOfAttempt} The step that met it was refused`
    const entry = [{ promise: 'answerOfAttempt', about }, words]
    expect(lines).toEqual([entry, entry])
    const count = metrics.brokenPromises.read().find(({ values: [name] }) => name === 'answerOfAttempt')?.count
    // A commit that is repeated tells it again.
    expect(count).toBeGreaterThanOrEqual(3)
    const found = /answerOfAttempt \(An answer of the upstream is about a message that was handed over\.\)/
    expect(promiseCheck(db.read, t0 + 1)()).rejects.toThrow(found)
    expect(await promiseCheck(db.read, t0 + 8 * dayMs)()).toStartWith('no promise')
  })
})

test('the table of promises in docs/operate.md is that of the program', () => {
  const text = readFileSync(join(import.meta.dir, '../../docs/operate.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+)` \| (.+?) \|$/gm)].map(([, name, meaning]) => [name ?? '', meaning ?? ''])
  expect(Object.fromEntries(rows.filter(([name]) => name !== undefined && name in promises))).toEqual({ ...promises })
})
