import { beforeEach, describe, expect, test } from 'bun:test'
import { attemptsKeptMax } from '../../../db/contract/webhooks.ts'
import { newId } from '../../../src/base/ids.ts'
import { count, freshSeeded, type OpenStore, single } from '../engines.ts'
import { accepted, draft, inbound, outcome, t0, webhook } from '../fixtures.ts'
import { forgetWholly } from './contactErasure.ts'

/** What the engine that delivers keeps, and what goes with the events. */
export function webhookDeliveriesSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    await db.write('addWebhook', webhook())
    await db.claimWebhooks()
  })

  const endpointId = 'hook_1'
  /** So many events are there: no position is beyond them. */
  const hear = (count: number) => {
    const messages = Array.from({ length: count }, (_, n) => inbound({ channelMessageId: `wamid.heard${n}` }))
    return db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: t0 })
  }
  const record = (position: number, ...outcomes: readonly ReturnType<typeof outcome>[]) =>
    db.write('recordAttempts', { endpointId, position, outcomes })
  const list = (query: Partial<Parameters<typeof db.read.deliveries>[0]> = {}) =>
    db.read.deliveries({ endpointId, limit: 9, ...query })
  const send = async (...ids: readonly string[]) => {
    for (const id of ids) await db.write('acceptMessage', draft({ id }))
    for (const id of ids) await db.write('recordEvent', accepted(id))
    return (await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 99 })).events
  }
  const attempt = (fields: object = {}) => ({ ...outcome(1).attempt, ...fields })
  const failure = (seq: number, fields: Partial<ReturnType<typeof outcome>> = {}) =>
    outcome(seq, { state: 'pending', nextAt: t0 + 5_000, attempt: attempt({ status: 500 }), ...fields })

  describe('outcomes', () => {
    test('make the deliveries, newest first, with their attempts, and move the endpoint on', async () => {
      await hear(5)
      expect(await record(4, outcome(5), failure(4))).toMatchObject({
        position: 4,
        deliveredAt: t0 + 205,
        failedAt: t0 + 205,
      })
      await record(5, outcome(4, { attempt: attempt({ at: t0 + 5_000 }) }))
      expect((await db.read.webhook(endpointId))?.failingSince).toBeNull()
      expect(await list()).toEqual([
        {
          ...{ endpointId, seq: 5, type: 'message.sent', messageSeq: null, state: 'delivered', attemptCount: 1 },
          // Of a first attempt that worked, the answer is not kept.
          ...{ attempts: [attempt({ answer: null })], nextAt: null },
        },
        {
          ...{ endpointId, seq: 4, type: 'message.sent', messageSeq: null, state: 'delivered', attemptCount: 2 },
          ...{ attempts: [attempt({ status: 500 }), attempt({ at: t0 + 5_000 })], nextAt: null },
        },
      ])
      expect(await db.read.delivery({ endpointId, seq: 4 })).toMatchObject({ seq: 4, attemptCount: 2 })
      expect(await db.read.delivery({ endpointId, seq: 6 })).toBeNull()
      expect((await list({ before: 5 })).map(({ seq }) => seq)).toEqual([4])
    })

    test('of a delivery that succeeded at once are one row of at most 100 bytes', async () => {
      await record(1, outcome(1, { type: 'message.delivered', messageSeq: 1_000_000 }))
      const texts = await single(db, 'SELECT length(type || state || attempts) FROM webhook_deliveries')
      // Of SQLite: its numbers, and where each column ends.
      const numbers = 17
      expect(newId('hook').length + Number(texts) + numbers).toBeLessThanOrEqual(100)
    })

    test('never move it back, and many are stored at once', async () => {
      await hear(700)
      await record(700, ...Array.from({ length: 700 }, (_, index) => outcome(index + 1)))
      expect(await record(3)).toMatchObject({ position: 700 })
      expect(await count(db, 'webhook_deliveries')).toBe(700)
    })

    test('are found by their state', async () => {
      await record(3, outcome(1), failure(2), failure(3, { state: 'failed', nextAt: null }))
      for (const [state, seq] of [
        ['delivered', 1],
        ['pending', 2],
        ['failed', 3],
      ] as const)
        expect((await list({ state })).map(({ seq }) => seq)).toEqual([seq])
    })

    test('say how the last of each endpoint stand, newest first', async () => {
      await db.write('addWebhook', webhook({ id: 'hook_2' }))
      await record(3, outcome(1), failure(2), failure(3, { state: 'failed', nextAt: null }))
      const states = Object.fromEntries(await db.read.lastStates({ workspaceId: 'ws_1', limit: 2 }))
      expect(states).toEqual({ hook_1: ['failed', 'pending'], hook_2: [] })
      expect(await db.read.lastStates({ workspaceId: 'ws_2', limit: 2 })).toEqual(new Map())
    })

    test('keep a bounded number of attempts, and count all', async () => {
      for (let n = 0; n < attemptsKeptMax + 3; n += 1) await record(1, failure(1, { attempt: attempt({ at: t0 + n }) }))
      const [delivery] = await list()
      expect(delivery?.attemptCount).toBe(attemptsKeptMax + 3)
      expect(delivery?.attempts.map(({ at }) => at - t0)).toEqual(
        Array.from({ length: attemptsKeptMax }, (_, n) => n + 3),
      )
    })

    test('two of one event are stored in one record, in their order', async () => {
      const again = attempt({ at: t0 + 5_000 })
      await record(1, failure(1), outcome(1, { attempt: again }))
      expect(await list()).toMatchObject([
        { seq: 1, state: 'delivered', attemptCount: 2, attempts: [attempt({ status: 500 }), again], nextAt: null },
      ])
    })

    test('leave another attempt to come that somebody has asked for since this one was made', async () => {
      const [event] = await send('msg_1')
      const seq = event?.seq ?? never()
      const replay = (at: number) =>
        db.write('replayWebhook', { endpointId, what: { kind: 'event', seq }, after: null, at })
      const made = attempt().at
      await replay(made + 1)
      await record(seq, outcome(seq))
      expect(await list()).toMatchObject([{ seq, state: 'pending', attemptCount: 1, nextAt: made + 1 }])
      await record(seq, outcome(seq, { attempt: attempt({ at: made + 1 }) }))
      expect(await list()).toMatchObject([{ seq, state: 'delivered', attemptCount: 2, nextAt: null }])
    })

    test('say since when an endpoint fails: from the first failure until a success', async () => {
      await record(1, failure(1, { attempt: attempt({ at: t0 + 10, durationMs: 0 }) }))
      await record(1, failure(1, { attempt: attempt({ at: t0 + 20, durationMs: 0 }) }))
      expect(await db.read.webhook(endpointId)).toMatchObject({ failingSince: t0 + 10, failedAt: t0 + 20 })
      await record(1, outcome(1, { attempt: attempt({ at: t0 + 30, durationMs: 0 }) }))
      const working = { failingSince: null, deliveredAt: t0 + 30, failedAt: t0 + 20 }
      expect(await db.read.webhook(endpointId)).toMatchObject(working)
    })

    test('of an endpoint that was removed are dropped', async () => {
      await db.write('removeWebhook', { endpointId, at: t0 })
      expect(await record(1, outcome(1))).toBeNull()
      expect(await count(db, 'webhook_deliveries')).toBe(0)
    })
  })

  describe('what the engine asks', () => {
    test('is due in its order, with the events; one without its event has none', async () => {
      const [first, second] = await send('msg_1', 'msg_2')
      const [one = 0, two = 0] = [first?.seq, second?.seq]
      await record(
        two,
        failure(one, { nextAt: t0 + 9 }),
        failure(two, { nextAt: t0 + 8 }),
        failure(999, { nextAt: t0 }),
      )
      const webhook = (await db.read.webhook(endpointId)) ?? never()
      const due = await db.read.dueDeliveries({ webhook, at: t0 + 9, limit: 9 })
      expect(due.map(({ seq, event }) => [seq, event?.message?.id])).toEqual([
        [999, undefined],
        [two, 'msg_2'],
        [one, 'msg_1'],
      ])
      expect(await db.read.dueDeliveries({ webhook, at: t0 + 8, limit: 1 })).toHaveLength(1)
      expect(await db.read.dueDeliveries({ webhook, at: t0 - 1, limit: 9 })).toEqual([])
      const [open] = await db.read.openWebhooks({ endpointIds: null })
      expect(open).toMatchObject({ nextAt: t0, lastEvent: two })
    })

    test('is known: which events have a delivery, and which of a message are to be tried again', async () => {
      await record(0, outcome(3, { messageSeq: 7 }), failure(4, { messageSeq: 7 }), failure(5, { messageSeq: 8 }))
      const known = await db.read.knownDeliveries({ endpointId, after: 3, upTo: 5, messageSeqs: [7] })
      expect(known.seqs.toSorted()).toEqual([4, 5])
      expect(known.open.map(({ seq }) => seq)).toEqual([4])
      const none = await db.read.knownDeliveries({ endpointId: 'hook_2', after: 0, upTo: 9, messageSeqs: [7] })
      expect(none).toEqual({ seqs: [], open: [] })
    })

    test('counts endpoints by state, and says since when the oldest event waits', async () => {
      expect(await db.read.webhookStates()).toEqual({
        ...{ working: 1, failing: 0, disabled: 0, off: 0 },
        waitingSince: null,
      })
      const [first, second] = await send('msg_1', 'msg_2')
      const [one = 0, two = 0] = [first?.seq, second?.seq]
      expect((await db.read.webhookStates()).waitingSince).toBe(t0 + 100)
      await record(two, outcome(two), failure(one))
      expect(await db.read.webhookStates()).toMatchObject({ failing: 1, working: 0, waitingSince: t0 + 100 })
      await record(two, outcome(one))
      expect(await db.read.webhookStates()).toMatchObject({ working: 1, failing: 0, waitingSince: null })
      await db.write('changeWebhook', { endpointId, isOn: false, at: t0 })
      expect(await db.read.webhookStates()).toMatchObject({ working: 0, disabled: 0, off: 1 })
      await db.write('changeWebhook', { endpointId, isOn: true, at: t0 })
      await db.write('disableWebhook', { endpointId, reason: 'gone', failedSince: t0, at: t0 })
      expect(await db.read.webhookStates()).toMatchObject({ working: 0, disabled: 1, off: 0 })
    })
  })

  describe('an endpoint that is switched off by itself', () => {
    const disable = (reason: 'gone' | 'failing', failedSince = t0) =>
      db.write('disableWebhook', { endpointId, reason, failedSince, at: t0 + 900 })

    test('tells the workspace in the same step, once, and not the query of its address: it may be a secret', async () => {
      const url = `${webhook().url}?token=secret`
      await db.write('changeWebhook', { endpointId, url, at: t0 })
      await record(1, failure(1, { attempt: attempt({ at: t0 + 10, durationMs: 0 }) }))
      expect([await disable('gone'), await disable('gone')]).toEqual([true, false])
      expect(await db.read.webhook(endpointId)).toMatchObject({ disabledAt: t0 + 900, disabledReason: 'gone' })
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 9 })
      const { description } = webhook()
      const failingSince = new Date(t0 + 10).toISOString()
      expect(events.map(({ type, at, data }) => ({ type, at, data }))).toEqual([
        {
          ...{ type: 'webhook.disabled', at: t0 + 900 },
          data: { webhook: { id: endpointId, url: webhook().url, description, reason: 'gone', failingSince } },
        },
      ])
    })

    test('because it fails: only when it failed since before then', async () => {
      expect(await disable('failing', t0 + 99)).toBe(false)
      await record(1, failure(1, { attempt: attempt({ at: t0 + 10, durationMs: 0 }) }))
      expect([await disable('failing', t0 + 10), await disable('failing', t0 + 11)]).toEqual([false, true])
    })
  })

  describe('deliveries are deleted', () => {
    const prune = (limit = 99) => db.write('pruneDeliveries', { limit })

    test('with their events, in bites', async () => {
      const events = await send('msg_1', 'msg_2', 'msg_3')
      const seqs = events.map(({ seq }) => seq)
      await record(seqs[2] ?? 0, ...seqs.map(seq => outcome(seq)))
      expect(await prune()).toBe(0)
      await db.write('pruneEvents', { recordedBefore: t0 + 101, limit: 2 })
      expect([await prune(1), await prune(1), await prune(1)]).toEqual([1, 1, 0])
      expect((await list()).map(({ seq }) => seq)).toEqual([seqs[2] ?? 0])
      await db.write('pruneEvents', { recordedBefore: t0 + 101, limit: 2 })
      expect([await prune(), await count(db, 'webhook_deliveries')]).toEqual([1, 0])
    })

    test('with their endpoint, in bites, and then its row', async () => {
      await record(2, outcome(1), outcome(2))
      await db.write('removeWebhook', { endpointId, at: t0 })
      expect([await prune(1), await prune(1), await prune(1)]).toEqual([1, 1, 0])
      expect(await count(db, 'webhook_endpoints')).toBe(0)
    })

    test('with their message', async () => {
      const [first] = await send('msg_1')
      const seq = first?.seq ?? 0
      await record(seq, outcome(seq, { messageSeq: first?.messageSeq ?? null }))
      await db.write('pruneMessages', { createdBefore: t0 + 1, limit: 1 })
      expect(await count(db, 'webhook_deliveries')).toBe(0)
    })

    test('with their workspace', async () => {
      await record(2, outcome(1), outcome(2))
      await db.write('closeWorkspace', { workspaceId: 'ws_1', at: t0 })
      expect(await db.read.webhooks('ws_1')).toEqual([])
      while (!(await db.write('eraseWorkspace', { workspaceId: 'ws_1', limit: 1, at: t0 })).isDone);
      expect([await count(db, 'webhook_deliveries'), await count(db, 'webhook_endpoints')]).toEqual([0, 0])
    })
  })

  describe('the answers of endpoints are erased', () => {
    test('with the events about a contact itself', async () => {
      await db.write('recordInbound', { channelId: 'chan_1', messages: [inbound()], recordedAt: t0 + 10 })
      const renamed = inbound({ channelMessageId: 'wamid.in2', from: { ...inbound().from, name: 'Grace' } })
      await db.write('recordInbound', { channelId: 'chan_1', messages: [renamed], recordedAt: t0 + 20 })
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 9 })
      const updated = events.find(({ type }) => type === 'contact.updated')?.seq ?? never()
      await record(99, ...events.map(({ seq }) => outcome(seq)))
      await forgetWholly(db, 'contact_1')
      const there = await single(db, `SELECT CAST(count(*) AS INTEGER) FROM webhook_deliveries WHERE seq = ${updated}`)
      expect([there, await count(db, 'webhook_deliveries')]).toEqual([0, events.length - 1])
    })
  })
}

const never = (): never => {
  throw new Error('the fixture makes it')
}
