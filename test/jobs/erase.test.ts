import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { JobParts } from '../../src/jobs/job.ts'
import { erase } from '../../src/jobs/schedule.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { inbound, openDatabase, seed, type TestDatabase, t0 } from '../db/fixtures.ts'

let db: TestDatabase
beforeEach(async () => {
  db = openDatabase()
  await seed(db)
})
afterEach(() => db.close())

test('an erasure that was broken off is ended by the job, and one that goes on is left alone', async () => {
  await db.write('recordInbound', { channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
  await db.write('forgetContact', { contactId: 'contact_1', at: t0 })
  const clock = new ManualClock(t0 + 5_000)
  const eraseContact = (step: Parameters<JobParts['store']['write']['eraseContact']>[0]) =>
    db.write('eraseContact', step)
  const store = { read: db.read, write: { eraseContact }, clock }
  const run = () => erase({ store, log: silentLogger } as unknown as JobParts)
  const contents = async () => (await db.read.inbound({ contactId: 'contact_1', limit: 9 })).map(each => each.content)
  await run()
  expect(await contents()).not.toEqual([{}])
  clock.advance(1)
  await run()
  expect(await contents()).toEqual([{}])
})
