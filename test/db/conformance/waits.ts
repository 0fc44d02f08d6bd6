import { beforeEach, expect, test } from 'bun:test'
import type { WaitingDelivery, WaitingFile, Walked } from '../../../db/contract/waits.ts'
import { hourMs, minuteMs } from '../../../src/base/durations.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { inbound, outcome, t0, webhook } from '../fixtures.ts'

const jumpMs = 25 * hourMs
/** A time that is a day ahead, and the one that is right again. */
const [ahead, at] = [t0 + jumpMs, t0 + minuteMs]
const fileWaitsMs = [0, 10_000, 40_000]

/** What is still to be done after the clock was ahead. */
export function waitsSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    await db.write('addWebhook', webhook())
    await db.claimWebhooks()
  })

  /** @returns how many each step has found */
  const walk = async <Place>(take: (after: Place | null) => Promise<Walked<Place>>) => {
    const steps: number[] = []
    for (let after: Place | null | undefined; after !== null; ) {
      const { found, next } = await take(after ?? null)
      steps.push(found)
      after = next
    }
    return steps
  }
  const shorten = (limit = 10) => walk<WaitingDelivery>(after => db.write('shortenDeliveryWaits', { at, after, limit }))
  const shortenFiles = (limit = 10) =>
    walk<WaitingFile>(after => db.write('shortenFileWaits', { at, fileWaitsMs, after, limit }))
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
    expect(await shorten()).toEqual([2])
    const due = [at + 5 * minuteMs, t0 + 5 * hourMs, at + 20 * hourMs, null]
    expect(await dueAt()).toEqual(due.map((nextAt, index) => [index + 1, nextAt]))
    expect(await shorten()).toEqual([0])
  })

  test('the step is not longer than the clock was ahead, so that to repeat it changes nothing', async () => {
    const triedAt = at + minuteMs
    await db.write('recordAttempts', { endpointId: 'hook_1', position: 1, outcomes: [failed(1, triedAt, hourMs)] })
    expect([await shorten(), await shorten()]).toEqual([[1], [0]])
    expect(await dueAt()).toEqual([[1, triedAt - 1]])
  })

  test('in steps, each of which looks at some, also of those that wait rightly, and passes over none', async () => {
    const wait = (seq: number) => failed(seq, seq % 2 === 0 ? ahead : t0, 5 * minuteMs)
    for (const id of ['hook_1', 'hook_2']) {
      if (id !== 'hook_1') await db.write('addWebhook', webhook({ id }))
      await db.claimWebhooks()
      await db.write('recordAttempts', { endpointId: id, position: 5, outcomes: [1, 2, 3, 4, 5].map(wait) })
    }
    const steps = await shorten(3)
    expect(steps).toHaveLength(4)
    expect(steps.reduce((sum, found) => sum + found)).toBe(4)
    for (const endpointId of ['hook_1', 'hook_2'])
      for (const { seq, nextAt } of await db.read.deliveries({ endpointId, limit: 9 }))
        expect(nextAt).toBe((seq % 2 === 0 ? at : t0) + 5 * minuteMs)
  })

  test('an erasure that a clock ahead has stepped on is taken up again', async () => {
    await db.write('recordInbound', { channelId: 'chan_1', recordedAt: t0, messages: [inbound()] })
    const [contact] = await db.read.contacts({ workspaceId: 'ws_1', limit: 1 })
    await db.write('forgetContact', { contactId: contact?.id ?? '', at: ahead })
    const open = () => db.read.openErasures({ steppedBefore: at + 1, limit: 9 })
    expect(await open()).toEqual([])
    await db.write('shortenWaits', { at })
    expect(await open()).toHaveLength(1)
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
    expect((await shortenFiles(2)).reduce((sum, found) => sum + found)).toBe(3)
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
    expect(await shortenFiles()).toEqual([0])
  })
}
