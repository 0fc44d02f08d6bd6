import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Store } from '../../db/contract/store.ts'
import { hourMs } from '../../src/base/durations.ts'
import { settleUnknown } from '../../src/jobs/schedule.ts'
import { failureReasonOf } from '../../src/message/state.ts'
import { ManualClock } from '../clock.ts'
import { draft, makeFolder, recorded, report, seedStore, type TestFolder, t0 } from '../db/fixtures.ts'
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

const run = (on = store) => settleUnknown(jobParts(on, clock))

async function lose(...ids: readonly string[]) {
  await Promise.all(ids.map(id => store.write.acceptMessage(draft({ id }))))
  await Promise.all(ids.map(id => store.write.recordEvent(recorded(id, { kind: 'lost', at: clock.now() }))))
}
const message = async (id = 'msg_1') => {
  const found = await store.read.message(id)
  if (!found) throw new Error(`${id} is not there`)
  return found
}

describe('messages whose outcome stays unknown', () => {
  test('stay UNKNOWN for 72 hours, then become FAILED with a reason that says why', async () => {
    await lose('msg_1')
    clock.advance(72 * hourMs)
    await run()
    expect(await message()).toMatchObject({ status: 'UNKNOWN' })
    clock.advance(1)
    await run()
    const failed = await message()
    expect(failed).toMatchObject({ status: 'FAILED', gaveUpAt: clock.now() })
    expect(failureReasonOf(failed)).toContain('72 hours')
  })

  test('are all settled in one run, however many they are, and others are left alone', async () => {
    const ids = Array.from({ length: 1_201 }, (_, n) => `msg_${n}`)
    await lose(...ids)
    await store.write.acceptMessage(draft({ id: 'msg_waiting', dispatchedAt: null }))
    clock.advance(73 * hourMs)
    await lose('msg_recent')
    await run()
    const failed = await store.read.messages({ workspaceId: 'ws_1', status: ['FAILED'], limit: 5_000 })
    expect(failed).toHaveLength(ids.length)
    expect(await message('msg_waiting')).toMatchObject({ status: 'QUEUED' })
    expect(await message('msg_recent')).toMatchObject({ status: 'UNKNOWN' })
  })

  test('after each step the writer belongs to others for as long as it took, also when the time is set meanwhile', async () => {
    const stepMs = 7
    let steps = 0
    const write = {
      ...store.write,
      async abandonUnknown({ limit }: { limit: number }) {
        expect(limit).toBeLessThanOrEqual(100)
        steps += 1
        clock.advance(stepMs)
        clock.set(hourMs)
        return steps < 2 ? limit : 0
      },
    }
    const done = run({ ...store, write })
    await eventually(() => expect(clock.pending).toBe(1))
    clock.advance(stepMs)
    await done
    expect(steps).toBe(2)
  })

  test('one that a callback settled is not touched, and one that was given up is still corrected by it', async () => {
    await lose('msg_1', 'msg_2')
    const reportOn = (messageId: string) =>
      store.write.applyReports({
        channelId: 'chan_1',
        reports: [report('delivered', { messageId, channelMessageId: `wamid.${messageId}` })],
        recordedAt: clock.now(),
      })
    await reportOn('msg_1')
    clock.advance(73 * hourMs)
    await run()
    expect(await message('msg_1')).toMatchObject({ status: 'DELIVERED', gaveUpAt: null })
    expect(await message('msg_2')).toMatchObject({ status: 'FAILED' })
    await reportOn('msg_2')
    expect(await message('msg_2')).toMatchObject({ status: 'DELIVERED' })
  })

  test('a second run finds nothing to do', async () => {
    await lose('msg_1')
    clock.advance(73 * hourMs)
    await run()
    const before = await message()
    clock.advance(hourMs)
    await run()
    expect(await message()).toEqual(before)
    expect(await store.read.timeline('msg_1')).toHaveLength(2)
  })
})
