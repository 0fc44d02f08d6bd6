import { afterEach, beforeEach, expect, test } from 'bun:test'
import { awaitEnd } from '../../src/sending/awaitedEnd.ts'
import type { Settled } from '../../src/sending/outboxMessage.ts'
import { ManualClock } from '../clock.ts'
import { accepted as acceptance, draft, recorded, t0 } from '../db/fixtures.ts'
import { SharedStore } from './sharedStore.ts'
import { accepted, turn } from './simulation.ts'

let clock: ManualClock
let shared: SharedStore
/** What this process has of the message. */
let underWay: Promise<Settled | null> | undefined

beforeEach(async () => {
  clock = new ManualClock(t0)
  shared = await SharedStore.open(clock)
  underWay = undefined
  await shared.db.write('acceptMessage', draft({ id: 'msg_1' }))
})
afterEach(() => {
  shared.db.close()
  expect(clock.pending).toBe(0)
})

const end = () =>
  awaitEnd(
    { store: shared.store, outbox: { find: () => underWay, isStopping: false }, clock, sendWaitMs: 10_000 },
    'msg_1',
  )

async function pass(ms: number) {
  await turn()
  clock.advance(ms)
  await turn()
}

test('a message that another instance takes meanwhile is followed to its end there', async () => {
  underWay = Promise.resolve(null)
  const asked = end()
  await pass(0)
  underWay = undefined
  await shared.db.write('recordEvent', acceptance('msg_1'))
  await pass(100)
  expect(await asked).toMatchObject({ message: { status: 'SENT' }, fault: null })
})

test('a message that this process takes over meanwhile has its end here', async () => {
  const asked = end()
  await pass(0)
  const settled = Promise.withResolvers<Settled | null>()
  underWay = settled.promise
  await pass(100)
  await shared.db.write('recordEvent', acceptance('msg_1'))
  const message = await shared.db.read.statusView('msg_1')
  if (!message) throw new Error('there is no message')
  settled.resolve({ message, answer: accepted })
  expect(await asked).toEqual({ message, fault: null })
})

test('UNKNOWN is an end: nobody resends it', async () => {
  await shared.db.write('recordEvent', recorded('msg_1', { kind: 'lost', at: t0 }))
  expect(await end()).toMatchObject({ message: { status: 'UNKNOWN' }, fault: null })
})

test('both waits together last no longer than one', async () => {
  const taken = Promise.withResolvers<null>()
  underWay = taken.promise
  const asked = end()
  await pass(9_000)
  underWay = undefined
  taken.resolve(null)
  for (const ms of [100, 200, 400, 299]) await pass(ms)
  let isAnswered = false
  void asked.then(() => {
    isAnswered = true
  })
  await turn()
  expect(isAnswered).toBe(false)
  await pass(1)
  expect(await asked).toMatchObject({ message: { status: 'QUEUED' }, fault: null })
})
