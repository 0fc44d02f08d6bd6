import { describe, expect, test } from 'bun:test'
import type { Channel } from '../../db/contract/records.ts'
import type { Shared } from '../../db/contract/shared.ts'
import type { Store } from '../../db/contract/store.ts'
import { minuteMs } from '../../src/base/durations.ts'
import { countedEveryMs } from '../../src/jobs/countUsage.ts'
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
  test('starts nothing at once; each job then has its own time, until it is stopped', () => {
    const requested: string[] = []
    const jobs = startJobs(parts([channel()], requested))
    const minutesTo = (next: Date | undefined) => ((next?.getTime() ?? Number.NaN) - Date.now()) / 60_000
    const next = jobs.next(1)
    expect((next.prune?.[0]?.getTime() ?? Number.NaN) % countedEveryMs).toBe(0)
    expect(Object.keys(next)).toEqual(['prune', 'sync-templates', 'settle-unknown', 'keep-files', 'erase', 'back-up'])
    expect(minutesTo(next.prune?.[0])).toBeWithin(-1, 11)
    expect(minutesTo(next['sync-templates']?.[0])).toBeWithin(-1, 2)
    expect(minutesTo(next['settle-unknown']?.[0])).toBeWithin(-1, 61)
    expect(minutesTo(next['keep-files']?.[0])).toBeWithin(-1, 1)
    jobs.stop()
    expect(Object.values(jobs.next(1)).flat()).toEqual([])
    expect(requested).toEqual([])
  })

  test.each([1, 10, 90])('templates are read every TEMPLATE_SYNC_MINUTES: %d', minutes => {
    const jobs = startJobs(parts([channel()], [], { syncMinutes: minutes }))
    const [first, second, third] = (jobs.next(3)['sync-templates'] ?? []).map(date => date.getTime() / 60_000)
    jobs.stop()
    expect([(second ?? 0) - (first ?? 0), (third ?? 0) - (second ?? 0)]).toEqual([minutes, minutes])
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
