import { expect, test } from 'bun:test'
import type { Store, StoreWrites } from '../../db/contract/store.ts'
import { newId } from '../../src/base/ids.ts'
import { keyOfItem } from '../../src/message/batches.ts'
import { AnswersOfKeys } from '../../src/sending/answersOfKeys.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { draft } from '../db/fixtures.ts'

type Noted = Parameters<StoreWrites['noteSpoken']>[0]

function setUp() {
  const noted: Noted[] = []
  const clock = new ManualClock()
  let [accepts, isAway] = [true, false]
  const write = {
    acceptMessage: async () => ({ outcome: accepts ? 'accepted' : 'conflict', handOver: null }),
    async noteSpoken(said: Noted) {
      if (isAway) throw new Error('canceling statement due to lock timeout')
      noted.push(said)
      return true
    },
  }
  const answers = new AnswersOfKeys({ store: { write } as unknown as Store, clock, log: silentLogger })
  const send = (id: string, fields: Partial<ReturnType<typeof draft>> = {}) =>
    answers.store.write.acceptMessage(draft({ id, apiKeyId: 'pk_1', recipient: `+${id}`, ...fields }))
  return { noted, clock, answers, send, refuse: () => (accepts = false), setAway: (is: boolean) => (isAway = is) }
}

test('what keys write freely moves conversations once a second, in one write for each workspace', async () => {
  const { noted, clock, answers, send } = setUp()
  await send('1')
  await send('2')
  await send('3', { recipient: '+1' })
  await send('4', { workspaceId: 'ws_2' })
  clock.advance(999)
  expect(noted).toEqual([])
  clock.advance(1)
  await answers.stop()
  expect(noted).toMatchObject([
    { workspaceId: 'ws_1', messageIds: ['2', '3'], begins: false },
    { workspaceId: 'ws_2', messageIds: ['4'], begins: false },
  ])
})

test('templates, campaigns, what members send and what is refused move none here', async () => {
  const { noted, answers, send, refuse } = setUp()
  await send('1', { type: 'template', templateName: 'offer' })
  await send('2', { apiKeyId: null })
  const key = keyOfItem(newId('batch'), { number: 1, attempt: 1 })
  await send('3', { idempotency: { scope: 'batch', key, fingerprint: '00', expiresAt: 1 } })
  refuse()
  await send('4')
  await answers.stop()
  expect(noted).toEqual([])
})

test('a program that answers more people than a list shows moves the latest of them', async () => {
  const { noted, answers, send } = setUp()
  for (let n = 0; n < 205; n += 1) await send(String(n))
  await answers.stop()
  const [ids] = noted.map(({ messageIds }) => messageIds)
  expect([ids?.length, ids?.[0], ids?.at(-1)]).toEqual([200, '5', '204'])
})

test('what could not be written is written a second later, in its order', async () => {
  const { noted, clock, answers, send, setAway } = setUp()
  await send('1')
  await send('2')
  setAway(true)
  await answers.save()
  await send('3')
  await send('1')
  setAway(false)
  clock.advance(1_000)
  await answers.stop()
  expect(noted.map(({ messageIds }) => messageIds)).toEqual([['2', '3', '1']])
})
