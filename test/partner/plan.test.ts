import { describe, expect, test } from 'bun:test'
import { ManualClock } from '../clock.ts'
import { freshFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { accept, graphError } from '../upstream.ts'
import { text } from './refusals.ts'

/** One second before a month ends, in UTC; in other parts of the world it has ended already. */
const lastSecond = Date.UTC(2026, 0, 31, 23, 59, 59)

const clock = freshFixture(() => new ManualClock(lastSecond))
const gateway = freshFixture(() => startTestGateway({ clock }))

const limit = (monthly: number | null) =>
  gateway.gateway.store.write.setMonthlyLimit({ workspaceId: gateway.workspaceId, limit: monthly })

async function statuses(count: number, body: object = text): Promise<number[]> {
  const seen: number[] = []
  for (let at = 0; at < count; at += 1) seen.push((await gateway.send(body)).status)
  return seen
}

describe('402 PLAN_LIMIT_EXCEEDED', () => {
  test('the details say the limit, what is used, and when it starts anew', async () => {
    await limit(2)
    expect(await statuses(2)).toEqual([201, 201])
    const { status, json } = await gateway.send(text)
    expect(status).toBe(402)
    expect(json).toEqual({
      error: 'PLAN_LIMIT_EXCEEDED',
      message: expect.any(String),
      details: { limit: 2, used: 2, resetsAt: '2026-02-01T00:00:00.000Z' },
    })
    expect(gateway.upstream.received.length).toBe(2)
    expect((await gateway.messages()).length).toBe(2)
  })

  test('a limit of 0 allows nothing, and null everything', async () => {
    await limit(0)
    const { status, json } = await gateway.send(text)
    expect([status, json.details.used]).toEqual([402, 0])
    await limit(null)
    expect(await statuses(5)).toEqual([201, 201, 201, 201, 201])
  })

  test('a changed limit counts from the next request; lowered below what is used it tells the truth', async () => {
    await limit(3)
    expect(await statuses(3)).toEqual([201, 201, 201])
    await limit(1)
    const { json } = await gateway.send(text)
    expect(json.details).toMatchObject({ limit: 1, used: 3 })
    await limit(4)
    expect(await statuses(2)).toEqual([201, 402])
  })

  test('500 sends at once with 100 left make exactly 100', async () => {
    await limit(120)
    expect(new Set(await statuses(20))).toEqual(new Set([201]))
    const answers = await Promise.all(Array.from({ length: 500 }, () => gateway.send(text)))
    expect(answers.filter(({ status }) => status === 201).length).toBe(100)
    expect(answers.filter(({ status }) => status === 402).length).toBe(400)
    expect(gateway.upstream.received.length).toBe(120)
    const refused = answers.find(({ status }) => status === 402)
    expect(refused?.json.details).toEqual({ limit: 120, used: 120, resetsAt: '2026-02-01T00:00:00.000Z' })
  })

  test("another workspace's messages do not count", async () => {
    await limit(1)
    const other = await gateway.addWorkspace()
    expect((await gateway.send(text, { ...other.key })).status).toBe(201)
    expect(await statuses(2)).toEqual([201, 402])
  })

  test('all keys of a workspace share its limit', async () => {
    await limit(1)
    const second = await gateway.createKey()
    expect((await gateway.send(text, { ...second })).status).toBe(201)
    expect(await statuses(1)).toEqual([402])
  })
})

describe('what counts', () => {
  test('replays do not', async () => {
    await limit(2)
    expect(await statuses(4, { ...text, idempotencyKey: 'a' })).toEqual([201, 200, 200, 200])
    expect(await statuses(2)).toEqual([201, 402])
    expect(await statuses(1, { ...text, idempotencyKey: 'a' })).toEqual([200])
  })

  test('malformed and refused requests do not', async () => {
    await limit(1)
    expect(await statuses(2, { ...text, content: '' })).toEqual([400, 400])
    expect(await statuses(2, { ...text, phoneNumberId: 'line_1' })).toEqual([400, 400])
    expect(await statuses(2)).toEqual([201, 402])
  })

  test('a send refused by the upstream gives its count back', async () => {
    await limit(1)
    gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'undeliverable' })
    expect(await statuses(3)).toEqual([400, 400, 400])
    gateway.upstream.answer = accept
    expect(await statuses(2)).toEqual([201, 402])
  })

  test('a send whose outcome is unknown keeps its count: it may have been sent', async () => {
    await limit(1)
    gateway.upstream.answer = () => new Response('', { status: 500 })
    expect(await statuses(2)).toEqual([201, 402])
  })
})

describe('the month', () => {
  test('it is the calendar month in UTC and starts anew', async () => {
    await limit(1)
    expect(await statuses(2)).toEqual([201, 402])
    clock.advance(999)
    expect(await statuses(1)).toEqual([402])
    clock.advance(1)
    expect(await statuses(1)).toEqual([201])
    const { json } = await gateway.send(text)
    expect(json.details.resetsAt).toBe('2026-03-01T00:00:00.000Z')
  })

  test('a send refused in the new month gives the count back to the month that it was counted in', async () => {
    await limit(1)
    gateway.upstream.answer = () => {
      clock.advance(1_000)
      return graphError(400, { code: 131026, message: 'undeliverable' })
    }
    expect((await gateway.send(text)).status).toBe(400)
    gateway.upstream.answer = accept
    // The new month's own count was never touched.
    expect(await statuses(2)).toEqual([201, 402])
  })

  test('December is followed by January of the next year', async () => {
    clock.advance(Date.UTC(2026, 11, 31) - lastSecond)
    await limit(0)
    expect((await gateway.send(text)).json.details.resetsAt).toBe('2027-01-01T00:00:00.000Z')
  })
})
