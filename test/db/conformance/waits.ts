import { afterEach, beforeEach, expect, test } from 'bun:test'
import { hourMs, minuteMs } from '../../../src/base/durations.ts'
import type { OpenStore, StoreUnderTest } from '../engines.ts'
import { inbound, outcome, seed, t0, webhook } from '../fixtures.ts'

const jumpMs = 25 * hourMs
/** A time that is a day ahead, and the one that is right again. */
const [ahead, at] = [t0 + jumpMs, t0 + minuteMs]
const fileWaitsMs = [0, 10_000, 40_000]

/** What is still to be done after the clock was ahead. */
export function waitsSuite(open: OpenStore): void {
  let db: StoreUnderTest
  beforeEach(async () => {
    db = await open()
    await seed(db)
    await db.write('addWebhook', webhook())
    await db.claimWebhooks()
  })
  afterEach(() => db.close())

  const shorten = (limit = 10) => db.write('shortenWaits', { at, fileWaitsMs, limit })
  const dueAt = async () =>
    (await db.read.deliveries({ endpointId: 'hook_1', limit: 99 })).map(({ seq, nextAt }) => [seq, nextAt]).toReversed()
  const failed = (seq: number, triedAt: number, waitMs: number) =>
    outcome(seq, {
      ...{ state: 'pending', nextAt: triedAt + waitMs },
      attempt: { at: triedAt, durationMs: 5, status: 500, error: null, answer: '' },
    })

  test('a delivery that a clock ahead has put off is due after its own step; any other is as it was', async () => {
    const outcomes = [failed(1, ahead, 5 * minuteMs), failed(2, t0, 5 * hourMs), failed(3, ahead, 20 * hourMs)]
    await db.write('recordAttempts', { endpointId: 'hook_1', position: 3, outcomes: [...outcomes, outcome(4)] })
    expect(await shorten()).toBe(2)
    const due = [at + 5 * minuteMs, t0 + 5 * hourMs, at + 20 * hourMs, null]
    expect(await dueAt()).toEqual(due.map((nextAt, index) => [index + 1, nextAt]))
    expect(await shorten()).toBe(0)
  })

  test('the step is not longer than the clock was ahead, so that to repeat it changes nothing', async () => {
    const triedAt = at + minuteMs
    await db.write('recordAttempts', { endpointId: 'hook_1', position: 1, outcomes: [failed(1, triedAt, hourMs)] })
    expect([await shorten(), await shorten()]).toEqual([1, 0])
    expect(await dueAt()).toEqual([[1, triedAt - 1]])
  })

  test('in steps, each of some', async () => {
    const outcomes = [1, 2, 3].map(seq => failed(seq, ahead, minuteMs))
    await db.write('recordAttempts', { endpointId: 'hook_1', position: 3, outcomes })
    expect([await shorten(2), await shorten(2), await shorten(2)]).toEqual([2, 1, 0])
    expect(await dueAt()).toEqual([1, 2, 3].map(seq => [seq, at + minuteMs]))
  })

  test('a file is due after the step that its attempts have led to; one that is new, at once', async () => {
    const file = (id: string) => ({ id, upstreamId: '7', sha256: null, mimeType: null, fileName: null })
    const receive = (id: string, recordedAt: number) =>
      db.write('recordInbound', {
        ...{ channelId: 'chan_1', recordedAt },
        messages: [inbound({ channelMessageId: `wamid.${id}`, file: file(id) })],
      })
    const postpone = (fileId: string, until: number) =>
      db.write('postponeFile', { fileId, dueAt: until, isMismatch: false })
    await receive('media_new', ahead)
    for (const id of ['media_once', 'media_often', 'media_right']) await receive(id, t0)
    await postpone('media_once', ahead + 10_000)
    for (let times = 0; times < 5; times += 1) await postpone('media_often', ahead + 40_000)
    await postpone('media_right', at + 9_000)
    expect(await shorten()).toBe(3)
    const due = async (ms: number) => {
      const found: string[] = []
      for (let head: string | undefined = ''; head !== undefined; ) {
        head = (await db.read.dueFiles({ at: at + ms, except: found, limit: 9 }))[0]?.id
        if (head !== undefined) found.push(head)
      }
      return found.toSorted()
    }
    expect(await due(0)).toEqual(['media_new'])
    expect(await due(10_000)).toEqual(['media_new', 'media_once', 'media_right'])
    expect(await due(40_000)).toHaveLength(4)
    expect(await shorten()).toBe(0)
  })
}
