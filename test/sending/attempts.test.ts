import { beforeEach, describe, expect, test } from 'bun:test'
import type { Attempt } from '../../src/graph/answer.ts'
import { Attempts } from '../../src/sending/attempts.ts'
import { ManualClock } from '../clock.ts'

const job = { upstreamPhoneId: '1', accessToken: 'token', payload: '{}' }
const accepted = { kind: 'accepted', channelMessageId: 'wamid.1', waId: null } as Attempt

let clock: ManualClock
let openCount: number
let isDefect: boolean
/** Who made each attempt. */
let madeBy: string[]
let attempts: Attempts
beforeEach(() => {
  clock = new ManualClock()
  openCount = 1
  isDefect = false
  madeBy = []
  const made = (by: string) => async () => {
    madeBy.push(by)
    if (isDefect) throw new Error('a defect')
    return accepted
  }
  attempts = new Attempts({
    senders: { send: made('sender'), isReady: true },
    client: { send: made('main') },
    openCount: () => openCount,
    fewMax: 2,
    clock,
  })
})

async function makers(...counts: readonly number[]): Promise<string[]> {
  madeBy = []
  for (const count of counts) {
    openCount = count
    await attempts.send(job)
  }
  return madeBy
}

describe('an attempt', () => {
  test('is made by the main thread while no more messages are open than few', async () => {
    expect(await makers(1, 2, 3)).toEqual(['main', 'main', 'sender'])
  })

  test('is made by a sender thread until they were few for a while', async () => {
    expect(await makers(3, 1)).toEqual(['sender', 'sender'])
    clock.advance(199)
    expect(await makers(1)).toEqual(['sender'])
    clock.advance(1)
    expect(await makers(1)).toEqual(['main'])
  })

  test('that fails by a defect of the main thread has an unknown outcome', async () => {
    isDefect = true
    expect(await attempts.send(job)).toEqual({ kind: 'lost', why: 'a defect' })
  })
})
