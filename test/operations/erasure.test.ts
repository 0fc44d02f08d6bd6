import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Store } from '../../db/contract/store.ts'
import { forgetContact, removeWorkspace, takeUpErasures } from '../../src/operations/erasure.ts'
import { ManualClock } from '../clock.ts'
import { accepted, draft, inbound, makeFolder, seedStore, t0 } from '../db/fixtures.ts'
import { openFile } from '../openFile.ts'

let folder: ReturnType<typeof makeFolder>
let clock: ManualClock
let store: Store
const operator = () => ({ ...store, workspaceId: null })
const open = () => openFile(folder.file, clock)
beforeEach(async () => {
  folder = makeFolder()
  clock = new ManualClock(t0)
  store = await open()
  await seedStore(store)
  await store.write.recordInbound({ channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
})
afterEach(async () => {
  await store.close()
  folder.remove()
})

const contactId = 'contact_1'
const phone = inbound().from.phone ?? ''

async function send(id: string, createdAt = t0) {
  await store.write.acceptMessage(draft({ id, contactId, recipient: phone, createdAt }))
  await store.write.recordEvent(accepted(id))
}
const recipients = (...ids: string[]) => Promise.all(ids.map(async id => (await store.read.message(id))?.recipient))

test('a message that is stored while its contact is erased is erased too, however old its id is', async () => {
  await send('msg_5')
  const eraseStep: Store['write']['eraseContact'] = async step => {
    if ((await store.read.message('msg_4')) === null) await send('msg_4', t0 + 9)
    return store.write.eraseContact(step)
  }
  const meanwhile = { ...operator(), write: { ...store.write, eraseContact: eraseStep } }
  const erasure = await forgetContact(meanwhile, contactId)
  expect(erasure).toMatchObject({ messages: 2, inbound: 1, state: 'done' })
  expect(await recipients('msg_4', 'msg_5')).toEqual(['forgotten', 'forgotten'])
})

test('what was broken off after its first commit is taken up by the next start, once nobody goes on with it', async () => {
  await send('msg_1')
  await store.write.forgetContact({ contactId, at: t0 })
  await store.close()
  store = await open()
  expect(await recipients('msg_1')).toEqual([phone])
  clock.advance(5_000)
  expect(await takeUpErasures(store)).toEqual([])
  clock.advance(1)
  expect(await takeUpErasures(store)).toMatchObject([{ subject: contactId }])
  expect(await recipients('msg_1')).toEqual(['forgotten'])
  expect((await store.read.inbound({ contactId, limit: 9 })).map(({ content }) => content)).toEqual([{}])
  expect(await takeUpErasures(store)).toEqual([])
})

test('a step is told after each commit, and who has seen enough leaves the rest', async () => {
  await send('msg_1')
  const told: unknown[] = []
  const onStep = (step: unknown) => told.push(step) < 2
  const erasure = await forgetContact(operator(), contactId, onStep)
  expect(erasure).toMatchObject({ messages: 1, inbound: 0, state: 'underWay' })
  expect(told).toMatchObject([{ messages: 1 }, { messages: 1 }])
  expect(await store.read.contactById(contactId)).toMatchObject({ phone: null, name: null })
  clock.advance(5_001)
  expect(await takeUpErasures(store)).toHaveLength(1)
  expect((await store.read.inbound({ contactId, limit: 9 })).map(({ content }) => content)).toEqual([{}])
})

test('a workspace whose removal was broken off is erased by whoever takes it up', async () => {
  await send('msg_1')
  const removal = removeWorkspace(store, 'ws_1', () => {
    throw new Error('killed')
  })
  expect(await removal.catch(String)).toBe('Error: killed')
  expect(await store.read.workspace('ws_1')).not.toBeNull()
  clock.advance(5_001)
  expect(await takeUpErasures(store)).toMatchObject([{ subject: 'ws_1' }])
  expect([await store.read.workspace('ws_1'), await store.read.message('msg_1')]).toEqual([null, null])
  expect(await store.read.openErasures({ steppedBefore: Number.MAX_SAFE_INTEGER, limit: 9 })).toEqual([])
})

test('a long one that was taken up leaves their turn to the others, and goes on in the next run', async () => {
  await send('msg_1')
  const workspace = { id: 'ws_2', name: 'Acme 2', monthlyMessageLimit: null, createdAt: t0 }
  await store.write.createWorkspace(workspace)
  await store.write.closeWorkspace({ workspaceId: 'ws_2', at: t0 })
  await store.write.forgetContact({ contactId, at: t0 + 1 })
  clock.advance(5_002)
  let steps = 0
  const isLong = { erased: 100, isDone: false }
  const eraseStep: Store['write']['eraseWorkspace'] = async step => {
    clock.advance(25_000)
    steps += 1
    return steps < 9 ? isLong : store.write.eraseWorkspace(step)
  }
  const restless = {
    now: () => clock.now(),
    steady: () => clock.steady(),
    ago: (ms: number) => clock.ago(ms),
    setTimer(_: number, ring: () => void) {
      queueMicrotask(ring)
      return () => {}
    },
  }
  const long = { ...store, clock: restless, write: { ...store.write, eraseWorkspace: eraseStep } }
  expect(await takeUpErasures(long)).toMatchObject([{ subject: contactId }])
  expect(steps).toBeLessThan(9)
  expect(await recipients('msg_1')).toEqual(['forgotten'])
  // Three steps in each turn.
  expect(await takeUpErasures(long)).toEqual([])
  expect(await takeUpErasures(long)).toMatchObject([{ subject: 'ws_2' }])
})
