import { beforeEach, expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import type { ReplayPlace } from '../../db/contract/webhooks.ts'
import { Unavailable } from '../../src/base/unavailable.ts'
import { Replays } from '../../src/webhooks/replays.ts'
import { ManualClock } from '../clock.ts'

let clock: ManualClock
let replays: Replays
/** The endpoints whose steps were taken, in order; and what ends the step under way. */
let steps: string[]
let endStep: (isLast: boolean) => Promise<void>
beforeEach(() => {
  clock = new ManualClock()
  replays = new Replays(clock)
  steps = []
})

const write: Parameters<Replays['run']>[0] = {
  replayWebhook({ endpointId, after }) {
    const { promise, resolve } = Promise.withResolvers<{ due: number; next: ReplayPlace | null }>()
    steps.push(`${endpointId} ${after?.after ?? null}`)
    endStep = async isLast => {
      resolve({ due: 50, next: isLast ? null : { after: (after?.after ?? 0) + 1, upTo: 9 } })
      await setImmediate()
    }
    return promise
  },
}
const all = { kind: 'all', since: 0 } as const
const run = (name: string, what: Parameters<Replays['run']>[2] = all) =>
  replays.run(write, { id: `hook_${name}`, workspaceId: `ws_${name}` }, what, clock.now())

test('replays take turns, one step at a time, and rest nine times as long as it took', async () => {
  const both = Promise.all([run('1'), run('2')])
  expect(steps).toEqual(['hook_1 null'])
  clock.advance(4)
  await endStep(false)
  clock.advance(35)
  await setImmediate()
  expect(steps).toHaveLength(1)
  for (const isLast of [false, true, true]) {
    clock.advance(1)
    await setImmediate()
    await endStep(isLast)
  }
  expect(steps).toEqual(['hook_1 null', 'hook_2 null', 'hook_1 1', 'hook_2 1'])
  expect(await both).toEqual([100, 100])
})

test('a rest is bounded, however long a step took', async () => {
  const one = run('1')
  clock.advance(60_000)
  await endStep(false)
  clock.advance(500)
  await setImmediate()
  await endStep(true)
  expect(await one).toBe(100)
})

test('a workspace has one at a time; single events do not wait for it', async () => {
  const one = run('1')
  expect(await run('1', { kind: 'failed', since: 0 })).toBeNull()
  const single = run('1', { kind: 'event', seq: 7 })
  await endStep(true)
  expect(await one).toBe(50)
  clock.advance(0)
  await setImmediate()
  await endStep(true)
  expect(await single).toBe(50)
  const next = run('1')
  await setImmediate()
  clock.advance(1)
  await setImmediate()
  await endStep(true)
  expect(await next).toBe(50)
})

test('a step that fails ends its replay, and no other; a stop ends all after their steps', async () => {
  const broken = replays.run(
    { replayWebhook: () => Promise.reject(new Error('no disk')) },
    { id: 'hook_1', workspaceId: 'ws_1' },
    all,
    0,
  )
  await expect(broken).rejects.toThrow('no disk')
  const one = run('1')
  const ended = one.catch((error: unknown) => error)
  clock.advance(1)
  await setImmediate()
  replays.stop()
  await endStep(false)
  clock.advance(500)
  expect(await ended).toBeInstanceOf(Unavailable)
})

test('many single events of one workspace do not hold up another one', async () => {
  const single = { kind: 'event', seq: 7 } as const
  const all = ['1', '1', '1', '2'].map(name => run(name, single))
  for (let ended = 0; ended < all.length; ended += 1) {
    await endStep(true)
    clock.advance(0)
    await setImmediate()
  }
  expect(steps.map(step => step.split(' ')[0])).toEqual(['hook_1', 'hook_1', 'hook_2', 'hook_1'])
  expect(await Promise.all(all)).toEqual([50, 50, 50, 50])
})
