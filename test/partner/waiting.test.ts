import { beforeEach, expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import { Waiting, type Wish } from '../../src/partner/waiting.ts'
import { Announcements } from '../../src/reading/announcements.ts'
import { ManualClock } from '../clock.ts'

let clock: ManualClock
let announcements: Announcements
let waiting: Waiting
/** What is on disk, and how often somebody looked. */
let found: string | null
let looks: number
beforeEach(() => {
  clock = new ManualClock()
  announcements = new Announcements()
  waiting = new Waiting(clock, announcements)
  found = null
  looks = 0
})

const wish = (fields: Partial<Wish> = {}): Wish => ({
  ...{
    keyId: 'pk_1',
    workspaceId: 'ws_1',
    subjects: ['messages'],
    messageId: null,
    waitMs: 25_000,
    signal: new AbortController().signal,
    renew: async () => {},
  },
  ...fields,
})
const look = async () => {
  looks += 1
  return found
}

/** Begins to wait. @returns what came of it; undefined as long as it waits */
async function begin(fields: Partial<Wish> = {}) {
  const state: { ended: Awaited<ReturnType<typeof waiting.for<string>>> | Error | undefined } = { ended: undefined }
  const end = (ended: typeof state.ended) => {
    state.ended = ended
  }
  void waiting.for(wish(fields), look).then(end, end)
  await setImmediate()
  return state
}
const none = { ok: true, found: null } as const

test('what is there already is found without a wait, and nothing is left over', async () => {
  found = 'event'
  expect((await begin()).ended).toEqual({ ok: true, found: 'event' })
  expect([looks, clock.pending, announcements.isWatched]).toEqual([1, 0, false])
})

test('it sleeps until something changes, and finds it then', async () => {
  const one = await begin()
  expect([one.ended, looks, clock.pending]).toEqual([undefined, 1, 1])
  clock.advance(1_000)
  found = 'event'
  announcements.changed('ws_2', 'messages', 'msg_1')
  await setImmediate()
  expect([one.ended, looks]).toEqual([undefined, 1])
  announcements.changed('ws_1', 'messages', 'msg_1')
  await setImmediate()
  expect(one.ended).toEqual({ ok: true, found: 'event' })
  expect([looks, clock.pending, announcements.isWatched]).toEqual([2, 0, false])
})

test('what changes while it looks is looked at again', async () => {
  const first = Promise.withResolvers<string | null>()
  const answers = [first.promise, Promise.resolve('event')]
  const waited = waiting.for(wish(), () => answers.shift() ?? Promise.resolve(null))
  announcements.changed('ws_1', 'messages')
  first.resolve(null)
  await setImmediate()
  clock.advance(100)
  expect(await waited).toEqual({ ok: true, found: 'event' })
})

test('after its time it looks a last time: news of another instance may be lost', async () => {
  const [one, other] = [await begin({ waitMs: 5_000 }), await begin({ waitMs: 5_001 })]
  found = 'event'
  clock.advance(5_000)
  await setImmediate()
  expect([one.ended, other.ended, looks]).toEqual([{ ok: true, found: 'event' }, undefined, 3])
})

test('without news it ends empty', async () => {
  const one = await begin({ waitMs: 5_000 })
  clock.advance(5_000)
  await setImmediate()
  expect(one.ended).toEqual(none)
})

test('who waits for one message is not woken by the others, but by news that name none', async () => {
  await begin({ messageId: 'msg_1' })
  clock.advance(1_000)
  announcements.changed('ws_1', 'messages', 'msg_2')
  await setImmediate()
  expect(looks).toBe(1)
  announcements.changed('ws_1', 'messages', 'msg_1')
  await setImmediate()
  expect(looks).toBe(2)
  clock.advance(1_000)
  announcements.changed('ws_1', 'messages')
  await setImmediate()
  expect(looks).toBe(3)
})

test('changes of what it does not wait for do not wake it', async () => {
  await begin({ subjects: ['contacts', 'health'] })
  clock.advance(1_000)
  for (const subject of ['messages', 'templates'] as const) announcements.changed('ws_1', subject)
  await setImmediate()
  expect(looks).toBe(1)
  for (const subject of ['contacts', 'health'] as const) {
    announcements.changed('ws_1', subject)
    await setImmediate()
    clock.advance(1_000)
  }
  expect(looks).toBe(3)
})

test('in a busy workspace, who looks in vain looks ever more rarely, and never misses the last news', async () => {
  const one = await begin()
  for (let passedMs = 0; passedMs < 20_000; passedMs += 10) {
    announcements.changed('ws_1', 'messages', `msg_${passedMs}`)
    clock.advance(10)
    await setImmediate()
  }
  expect(looks).toBeLessThan(18)
  found = 'event'
  announcements.changed('ws_1', 'messages', 'msg_last')
  clock.advance(2_100)
  await setImmediate()
  expect(one.ended).toEqual({ ok: true, found: 'event' })
})

test('a caller that is gone waits no more', async () => {
  const gone = new AbortController()
  const one = await begin({ signal: gone.signal })
  gone.abort()
  await setImmediate()
  expect(one.ended).toEqual(none)
  expect(clock.pending).toBe(0)
  expect((await begin({ signal: gone.signal })).ended).toEqual(none)
})

test('a stop ends all, and later ones look once', async () => {
  const all = [await begin(), await begin({ messageId: 'msg_1' })]
  waiting.close()
  await setImmediate()
  expect(all.map(({ ended }) => ended)).toEqual([none, none])
  expect((await begin()).ended).toEqual(none)
  expect(clock.pending).toBe(0)
})

test('a key waits in ten requests at a time; what ends makes room', async () => {
  const refused = (message: string) => ({
    ok: false,
    refusal: { reason: 'RATE_LIMIT_EXCEEDED', message: expect.stringContaining(message), retryAfterMs: 1_000 },
  })
  for (let count = 0; count < 10; count += 1) await begin({ waitMs: 5_000 })
  expect<unknown>((await begin()).ended).toEqual(refused('This key has 10 requests that wait already.'))
  clock.advance(5_000)
  await setImmediate()
  expect((await begin()).ended).toBeUndefined()
})

test('workspaces share a thousand waits: however many one takes, there is one for the next', async () => {
  const takeAll = async (workspaceId: string) => {
    for (let count = 0; ; count += 1) {
      const { ended } = await begin({ keyId: `${workspaceId}${Math.floor(count / 10)}`, workspaceId })
      if (ended && 'ok' in ended) return [count, ended.ok ? null : ended.refusal.message.slice(0, 47)]
    }
  }
  const message = 'Too many requests of this workspace wait already'.slice(0, 47)
  expect(await takeAll('ws_1')).toEqual([500, message])
  expect(await takeAll('ws_2')).toEqual([250, message])
  expect((await begin({ workspaceId: 'ws_3' })).ended).toBeUndefined()
})

test('a key that is revoked meanwhile gets nothing of what was found, nor that there was nothing', async () => {
  let isValid = true
  const renew = async () => {
    if (!isValid) throw new Error('revoked')
  }
  const [one, other] = [await begin({ renew }), await begin({ renew, waitMs: 5_000 })]
  clock.advance(5_000)
  isValid = false
  await setImmediate()
  expect<unknown>(other.ended).toEqual(new Error('revoked'))
  found = 'event'
  announcements.changed('ws_1', 'messages')
  await setImmediate()
  expect<unknown>(one.ended).toEqual(new Error('revoked'))
})

test('an error of the look is the caller’s, and leaves nothing over', async () => {
  const failing = waiting.for(wish(), async () => {
    throw new Error('no disk')
  })
  expect(failing).rejects.toThrow('no disk')
  await setImmediate()
  expect([clock.pending, announcements.isWatched]).toEqual([0, false])
})
