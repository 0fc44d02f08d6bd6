import { describe, expect, test } from 'bun:test'
import type { Channel } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import type { JobParts } from '../../src/jobs/job.ts'
import { startJobs } from '../../src/jobs/schedule.ts'
import { syncTemplates } from '../../src/jobs/syncTemplates.ts'
import { silentLogger } from '../../src/log.ts'
import { ManualClock } from '../clock.ts'
import { channel, hourMs } from '../db/fixtures.ts'

function parts(channels: readonly Channel[], requested: string[]): JobParts {
  const read = { channels: async () => [...channels] }
  const templateRefresher: Pick<JobParts['templateRefresher'], 'request'> = {
    request: channelId => {
      requested.push(channelId)
    },
  }
  return {
    store: { read } as unknown as Store,
    clock: new ManualClock(),
    log: silentLogger,
    templateRefresher: templateRefresher as JobParts['templateRefresher'],
    config: { unknownSettleMs: 72 * hourMs, messageRetentionMs: null },
  }
}

test('every channel of every workspace has its templates read anew', async () => {
  const requested: string[] = []
  await syncTemplates(parts([channel({ id: 'chan_1' }), channel({ id: 'chan_2', workspaceId: 'ws_2' })], requested))
  expect(requested).toEqual(['chan_1', 'chan_2'])
})

describe('the schedule', () => {
  test('starts nothing at once, then prunes every ten minutes and does the rest every hour, until it is stopped', () => {
    const requested: string[] = []
    const jobs = startJobs(parts([channel()], requested))
    const minutesTo = (next: Date | null) => ((next?.getTime() ?? Number.NaN) - Date.now()) / 60_000
    const { prune, ...hourly } = jobs.next()
    expect(minutesTo(prune ?? null)).toBeWithin(-1, 11)
    expect(Object.keys(hourly)).toEqual(['sync-templates', 'settle-unknown'])
    for (const next of Object.values(hourly)) expect(minutesTo(next)).toBeWithin(-1, 61)
    jobs.stop()
    expect(jobs.next()).toEqual({ prune: null, 'sync-templates': null, 'settle-unknown': null })
    expect(requested).toEqual([])
  })
})
