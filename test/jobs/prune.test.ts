import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Store } from '../../db/contract/store.ts'
import { dayMs } from '../../src/base/durations.ts'
import { rateWindowMs } from '../../src/base/rateLimits.ts'
import { prune } from '../../src/jobs/prune.ts'
import { ManualClock } from '../clock.ts'
import {
  accepted,
  draft,
  inbound,
  makeFolder,
  recorded,
  report,
  seedStore,
  type TestFolder,
  t0,
  withKey,
} from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { openFile } from '../openFile.ts'
import { jobParts } from './parts.ts'

let folder: TestFolder
let store: Store
let clock: ManualClock

beforeEach(async () => {
  folder = makeFolder()
  clock = new ManualClock(t0)
  store = await openFile(folder.file, clock)
  await seedStore(store)
})
afterEach(async () => {
  await store.close()
  folder.remove()
})

const eventRetentionMs = 30 * dayMs
const mediaRetentionMs = 30 * dayMs
const run = (messageRetentionMs: number | null = null, on = store, contentRetentionMs = 1_000 * dayMs) =>
  prune(
    jobParts(on, clock, {
      contentRetentionMs,
      messageRetentionMs,
      eventRetentionMs,
      media: { retentionMs: mediaRetentionMs },
    }),
  )

async function accept(id: string, fields: Parameters<typeof draft>[0] = {}) {
  await store.write.acceptMessage(draft({ id, createdAt: clock.now(), ...fields }))
  await store.write.recordEvent(accepted(id, `wamid.${id}`, clock.now()))
}
const key = (at: number) => store.read.idempotencyKey({ workspaceId: 'ws_1', scope: 'pk_seed', key: 'k-1', at })

describe('pruning', () => {
  test('keys go once they have expired', async () => {
    await accept('msg_1', withKey('k-1', 'f0', t0 + dayMs))
    clock.advance(dayMs - 1)
    await run()
    expect(await key(t0)).not.toBeNull()
    clock.advance(1)
    await run()
    expect(await key(t0)).toBeNull()
  })

  test('a message is counted as usage before it goes', async () => {
    await accept('msg_1')
    clock.advance(2 * dayMs)
    await run(dayMs)
    expect(await store.read.message('msg_1')).toBeNull()
    const counts = await store.read.monthlyCounts({ workspaceId: 'ws_1', month: '2026-01' })
    expect(counts.map(({ kind, count }) => `${kind} ${count}`)).toContain('line:line_1 1')
  })

  test('far more than one step holds goes in one run', async () => {
    const windows = Array.from({ length: 1_750 }, (_, n) => ({ subject: `ip:${n}`, startsAt: t0, count: 1 }))
    await store.write.countRequests({ windows })
    clock.advance(2 * rateWindowMs)
    await run()
    expect(await store.read.rateWindows(0)).toEqual([])
  })

  test('between two steps the writer belongs to others for as long as the step took', async () => {
    const stepMs = 7
    let steps = 0
    const write = {
      ...store.write,
      async pruneMedia({ limit }: { limit: number }) {
        steps += 1
        clock.advance(stepMs)
        return steps < 3 ? limit : 0
      },
    }
    const done = run(null, { ...store, write })
    for (let step = 1; step < 3; step += 1) {
      await eventually(() => expect(clock.pending).toBe(1))
      clock.advance(stepMs - 1)
      expect(clock.pending).toBe(1)
      expect(steps).toBe(step)
      clock.advance(1)
    }
    await done
    expect(steps).toBe(3)
    expect(clock.pending).toBe(0)
  })

  test('a rate window stays while it is the current or the last one', async () => {
    await store.write.countRequests({ windows: [{ subject: 'ip:1', startsAt: t0, count: 5 }] })
    clock.advance(2 * rateWindowMs - 1)
    await run()
    expect(await store.read.rateWindows(0)).toHaveLength(1)
  })

  test('a callback waits seven days for its message', async () => {
    const reports = [report('delivered', { messageId: null, channelMessageId: 'wamid.msg_1' })]
    await store.write.applyReports({ channelId: 'chan_1', reports, recordedAt: t0 })
    clock.advance(7 * dayMs)
    await run()
    await accept('msg_1')
    expect(await store.read.message('msg_1')).toMatchObject({ status: 'DELIVERED' })

    const late = [report('delivered', { messageId: null, channelMessageId: 'wamid.msg_2' })]
    await store.write.applyReports({ channelId: 'chan_1', reports: late, recordedAt: clock.now() })
    clock.advance(7 * dayMs + 1)
    await run()
    await accept('msg_2')
    expect(await store.read.message('msg_2')).toMatchObject({ status: 'SENT' })
  })

  test('the id of an uploaded file is forgotten once what it showed is not kept any more', async () => {
    const upload = { lineId: 'line_1', link: 'l', format: 'image', mediaId: '1', expiresAt: t0 + 29 * dayMs }
    await store.write.rememberMedia(upload)
    clock.advance(29 * dayMs + mediaRetentionMs - 1)
    await run()
    expect(await store.read.media({ ...upload, at: t0 })).toBe('1')
    clock.advance(1)
    await run()
    expect(await store.read.media({ ...upload, at: t0 })).toBeNull()
  })

  test('messages are kept for good unless a retention is set, then until they are that old', async () => {
    await accept('msg_1')
    clock.advance(400 * dayMs)
    await run()
    expect(await store.read.message('msg_1')).not.toBeNull()
    await accept('msg_2')
    await run(30 * dayMs)
    expect(await store.read.message('msg_1')).toBeNull()
    expect(await store.read.message('msg_2')).not.toBeNull()
  })

  test('messages of users are kept as long as those to them', async () => {
    await store.write.recordInbound({ channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
    const kept = async () => (await store.read.inbound({ contactId: 'contact_1', limit: 10 })).length
    clock.advance(30 * dayMs)
    await run()
    await run(30 * dayMs)
    expect(await kept()).toBe(1)
    clock.advance(1)
    await run(30 * dayMs)
    expect(await kept()).toBe(0)
  })

  test('contents are dropped when they are older than their retention; messages, statuses and timelines stay', async () => {
    const kept = async () => [
      await store.read.messageContent('msg_1'),
      (await store.read.inbound({ contactId: 'contact_1', limit: 10 })).map(({ content }) => content),
    ]
    const all = ['{"to":"+4930123456"}', [{ text: { body: 'hello' } }]]
    await accept('msg_1')
    await store.write.recordInbound({ channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
    clock.advance(30 * dayMs)
    await run(null, store, 30 * dayMs)
    expect(await kept()).toEqual(all)
    clock.advance(1)
    await run(null, store, 30 * dayMs)
    expect(await kept()).toEqual([null, [{}]])
    expect(await store.read.message('msg_1')).toMatchObject({ status: 'SENT', recipient: '+4930123456' })
    expect(await store.read.timeline('msg_1')).toHaveLength(1)
  })

  test('what still waits to be sent keeps its content, however old, until it has gone out', async () => {
    await store.write.acceptMessage(draft({ id: 'msg_1', createdAt: t0, dispatchedAt: null }))
    for (let n = 2; n < 300; n += 1) await accept(`msg_${n}`)
    clock.advance(40 * dayMs)
    await run(null, store, 30 * dayMs)
    expect(await store.write.claimWaiting({ after: null, limit: 10 })).toMatchObject([
      { payload: '{"to":"+4930123456"}' },
    ])
    expect(await store.read.messageContent('msg_299')).toBeNull()
    await store.write.recordEvent(recorded('msg_1', { kind: 'dispatched', at: clock.now() }))
    await store.write.recordEvent(accepted('msg_1', 'wamid.1', clock.now()))
    await run(null, store, 30 * dayMs)
    expect(await store.read.messageContent('msg_1')).toBeNull()
  })

  test('no key outlives its message: a replay always finds what it replays', async () => {
    await accept('msg_1', withKey('k-1', 'f0', t0 + 30 * dayMs))
    clock.advance(2 * dayMs)
    await run(dayMs)
    const known = await key(clock.now())
    expect(known?.messageId).toBe('msg_1')
    expect(await store.read.message('msg_1')).not.toBeNull()
  })
})
