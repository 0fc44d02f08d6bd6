import { expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { freshFixture } from '../fixture.ts'
import { errorCode, otherLineId, startRig } from './rig.ts'

const rig = freshFixture(startRig)

/** Sends one after the other. @returns how many were accepted before the first refusal. */
async function sendUntilRefused(max: number, content: object = {}): Promise<number> {
  for (let count = 0; count < max; count++) if ((await rig.text(content)).status !== 200) return count
  return max
}

test('all throttles are off at first', async () => {
  expect(await sendUntilRefused(100)).toBe(100)
})

test('130429: a line sends so many messages a second, other lines are not concerned', async () => {
  rig.sandbox.control.configure({ lineRate: { enabled: true, perSecond: 80 } })
  expect(await sendUntilRefused(100)).toBe(80)
  const refused = await rig.text()
  expect(errorCode(refused)).toBe(130429)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBeNull()
  expect((await rig.text({}, otherLineId)).status).toBe(200)
  rig.clock.advance(1_000)
  expect((await rig.text()).status).toBe(200)
})

test('the status of throttle answers and Retry-After are switchable', async () => {
  rig.sandbox.control.configure({
    lineRate: { enabled: true, perSecond: 1 },
    throttleAnswers: { status: 400, retryAfter: true },
  })
  await rig.text()
  const refused = await rig.text()
  expect(refused.status).toBe(400)
  expect(refused.headers.get('retry-after')).toBe('1')
})

test('131056: a burst of 45 to one user is paid back with 6 seconds each', async () => {
  rig.sandbox.control.configure({ pairLimit: { enabled: true }, throttleAnswers: { retryAfter: true } })
  expect(await sendUntilRefused(50)).toBe(45)
  const refused = await rig.text()
  expect(errorCode(refused)).toBe(131056)
  expect(refused.headers.get('retry-after')).toBe('270')
  expect((await rig.text({ to: '+16505550000' })).status).toBe(200)
  rig.clock.advance(45 * 6_000 - 1)
  expect(errorCode(await rig.text())).toBe(131056)
  rig.clock.advance(1)
  expect((await rig.text()).status).toBe(200)
})

test('131056: after a small burst the rest of it is gone, and one message each 6 seconds goes on for ever', async () => {
  rig.sandbox.control.configure({ pairLimit: { enabled: true } })
  expect(await sendUntilRefused(2)).toBe(2)
  rig.clock.advance(6_000)
  expect(errorCode(await rig.text())).toBe(131056)
  rig.clock.advance(6_000)
  for (let count = 0; count < 5; count++) {
    expect((await rig.text()).status).toBe(200)
    rig.clock.advance(6_000)
  }
})

test('80007: calls of the account in an hour; sends count only when asked to', async () => {
  const list = () => rig.call('GET', `/v25.0/${SANDBOX.accountId}/phone_numbers`)
  rig.sandbox.control.configure({ accountCalls: { enabled: true, perHour: 2 } })
  await list()
  await list()
  expect(errorCode(await list())).toBe(80007)
  expect((await rig.text()).status).toBe(200)
  rig.sandbox.control.configure({ accountCalls: { sends: true, code: 80008 } })
  expect(errorCode(await rig.text())).toBe(80008)
  rig.clock.advance(hourMs)
  expect((await rig.text()).status).toBe(200)
})
