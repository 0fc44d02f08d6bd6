import { describe, expect, test } from 'bun:test'
import type { Channel } from '../../db/contract/records.ts'
import type { Shared } from '../../db/contract/shared.ts'
import type { Store } from '../../db/contract/store.ts'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import type { JobParts } from '../../src/jobs/job.ts'
import { startJobs, syncAllTemplates } from '../../src/jobs/schedule.ts'
import { ManualClock } from '../clock.ts'
import { channel } from '../db/fixtures.ts'
import { jobParts } from './parts.ts'

function parts(
  channels: readonly Channel[],
  requested: string[],
  { syncMinutes = 10, shared = null }: { syncMinutes?: number; shared?: Pick<Shared, 'leads'> | null } = {},
): JobParts {
  const read = { channels: async () => [...channels] }
  const templateRefresher: Pick<JobParts['templateRefresher'], 'request'> = {
    request: channelId => {
      requested.push(channelId)
    },
  }
  const store = { read, shared } as unknown as Store
  const given = jobParts(store, new ManualClock(), { templateSyncMs: syncMinutes * minuteMs })
  return { ...given, templateRefresher: templateRefresher as JobParts['templateRefresher'] }
}

test('every channel of every workspace has its templates read anew', async () => {
  const requested: string[] = []
  await syncAllTemplates(parts([channel({ id: 'chan_1' }), channel({ id: 'chan_2', workspaceId: 'ws_2' })], requested))
  expect(requested).toEqual(['chan_1', 'chan_2'])
})

describe('the schedule', () => {
  /** Counts the runs of each job while time passes, with everything that follows from it. */
  function scheduled(minutes = 10, timersAreEarlyMs = 0) {
    const watch = new ManualClock(Date.UTC(2026, 0, 1, 0, 3, 20))
    const { setTimer } = watch
    watch.setTimer = (delayMs, fire) => setTimer.call(watch, delayMs - timersAreEarlyMs, fire)
    const runs = {
      ...{ prune: 0, 'sync-templates': 0, 'read-numbers': 0, 'settle-unknown': 0, 'keep-files': 0, erase: 0 },
      'back-up': 0,
    }
    const given = parts([channel()], [], { syncMinutes: minutes })
    const count = (name: keyof typeof runs) => async () => {
      runs[name] += 1
      return []
    }
    const read = { channels: async () => [channel()], openErasures: count('erase') }
    const templateRefresher = { request: count('sync-templates') } as unknown as JobParts['templateRefresher']
    const listNumbers = async () => {
      runs['read-numbers'] += 1
      return { kind: 'failed', message: 'no answer' } as const
    }
    const write = { countUsage: count('prune'), abandonUnknown: count('settle-unknown') }
    const store = { ...given.store, read, write, clock: watch } as unknown as Store
    const files = { ...given.files, run: async () => void (await count('keep-files')()) }
    const backups = { run: async () => void (await count('back-up')()) }
    const jobs = startJobs({ ...given, store, files, backups, templateRefresher, client: { listNumbers } }, watch)
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= 5_000) {
        watch.advance(Math.min(left, 5_000))
        for (let turns = 0; turns < 3; turns += 1) await new Promise(resolve => setImmediate(resolve))
      }
    }
    return { watch, runs, jobs, pass }
  }

  test('starts nothing at once; each job then has its own time, until it is stopped', async () => {
    const { runs, jobs, pass } = scheduled()
    expect(Object.values(runs)).toEqual([0, 0, 0, 0, 0, 0, 0])
    // 0:03:20 to 0:13:20
    await pass(10 * minuteMs)
    expect(runs).toEqual({
      ...{ prune: 1, 'sync-templates': 1, 'settle-unknown': 1, 'read-numbers': 0 },
      ...{ 'keep-files': 120, erase: 120, 'back-up': 10 },
    })
    jobs.stop()
    const before = { ...runs }
    await pass(10 * minuteMs)
    expect(runs).toEqual(before)
  })

  test.each([1, 10, 90])('templates are read every TEMPLATE_SYNC_MINUTES: %d', async minutes => {
    const { runs, jobs, pass } = scheduled(minutes)
    await pass(minuteMs)
    expect(runs['sync-templates']).toBe(1)
    await pass(2 * minutes * minuteMs)
    expect(runs['sync-templates']).toBe(3)
    jobs.stop()
  })

  test('a timer that comes a little before its time runs the job once', async () => {
    const { runs, jobs, pass } = scheduled(1, 3)
    await pass(hourMs)
    jobs.stop()
    expect(runs).toMatchObject({ prune: 6, 'sync-templates': 60, 'read-numbers': 1, 'settle-unknown': 1 })
  })

  test('a clock that jumps a day ahead and back makes no job wait for longer than its interval', async () => {
    const { watch, runs, jobs, pass } = scheduled(1)
    await pass(minuteMs)
    watch.set(25 * hourMs)
    await pass(minuteMs)
    watch.set(-25 * hourMs)
    const before = { ...runs }
    await pass(hourMs)
    jobs.stop()
    const waited = Object.entries(runs).filter(([name, count]) => count <= before[name as keyof typeof runs])
    expect(waited).toEqual([])
  })
})

describe('of several instances on one database', () => {
  test('the one that leads does the jobs, and another one from the time on at which it leads', async () => {
    const requested: string[] = []
    let isLeader = false
    const shared = { leads: async () => isLeader }
    const jobs = startJobs(parts([channel({ id: 'chan_1' })], requested, { shared }))
    await jobs.trigger('sync-templates')
    expect(requested).toEqual([])
    isLeader = true
    await jobs.trigger('sync-templates')
    expect(requested).toEqual(['chan_1'])
    jobs.stop()
  })

  test('a process that has the database to itself does all of them', async () => {
    const requested: string[] = []
    const jobs = startJobs(parts([channel({ id: 'chan_1' })], requested))
    await jobs.trigger('sync-templates')
    expect(requested).toEqual(['chan_1'])
    jobs.stop()
  })
})
