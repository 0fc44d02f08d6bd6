import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Store } from '../../db/contract/store.ts'
import type { NumberListing } from '../../src/graph/client.ts'
import { readNumbers } from '../../src/jobs/schedule.ts'
import { ManualClock } from '../clock.ts'
import { line, openDatabase, seed, type TestDatabase, t0 } from '../db/fixtures.ts'
import { jobParts } from './parts.ts'

let db: TestDatabase
beforeEach(async () => {
  db = openDatabase()
  await seed(db)
})
afterEach(() => db.close())

const number = { ...{ displayNumber: null, name: null, status: null }, quality: 'GREEN', messagingLimit: 'TIER_2K' }
const own = { ...number, id: line().upstreamPhoneId }

/** @returns how many writes the job made */
async function run(listing: NumberListing): Promise<number> {
  let writes = 0
  const keepLines: Store['write']['keepLines'] = told => {
    writes += 1
    return db.write('keepLines', told)
  }
  const store = { read: db.read, write: { keepLines } } as unknown as Store
  await readNumbers({ ...jobParts(store, new ManualClock(t0)), client: { listNumbers: async () => listing } })
  return writes
}

test('what the upstream says of a number stands with its line, and is written when it is another word', async () => {
  const listed = (quality: string | null): NumberListing => ({
    kind: 'listed',
    numbers: [
      { ...number, id: '9' },
      { ...own, quality },
    ],
  })
  expect(await run(listed('GREEN'))).toBe(1)
  expect(await db.read.line('line_1')).toEqual(line({ quality: 'GREEN', messagingLimit: 'TIER_2K' }))
  expect(await run(listed('GREEN'))).toBe(0)
  expect(await run(listed('RED'))).toBe(1)
  expect(await db.read.line('line_1')).toMatchObject({ quality: 'RED' })
})

test('an account that cannot be read keeps what is known, and so does a number that is not listed', async () => {
  await run({ kind: 'listed', numbers: [own] })
  expect(await run({ kind: 'failed', message: 'no answer' })).toBe(0)
  expect(await run({ kind: 'listed', numbers: [] })).toBe(0)
  expect(await db.read.line('line_1')).toMatchObject({ messagingLimit: 'TIER_2K' })
})
