import { describe, expect, test } from 'bun:test'
import { dayMs, hourMs, minuteMs } from '../../src/base/durations.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { freshFixture } from '../fixture.ts'
import { type Answer, answerOf, type Key, orderTemplate, startTestGateway } from '../gateway.ts'
import { flow } from '../interactive/samples.ts'
import { graphError } from '../upstream.ts'
import { expectRefused, phone, text } from './refusals.ts'

const now = Date.UTC(2026, 2, 1, 8)
const clock = freshFixture(() => new ManualClock(now))
const gateway = freshFixture(() => startTestGateway({ clock }))

const at = (inMs: number) => new Date(clock.now() + inMs).toISOString()
const schedule = async (inMs: number, fields: object = {}, headers = {}): Promise<Answer> =>
  gateway.send({ ...text, sendAt: at(inMs), ...fields }, headers)
const change = (method: string, id: string, body?: object, key: Key = gateway.key): Promise<Answer> =>
  answerOf(
    fetch(`${gateway.url}/api/v1/public/messages/${id}`, {
      method,
      headers: { ...key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
const dataOf = async (id: string) => (await gateway.get(`/api/v1/public/messages/${id}`)).json.data
const statusOf = async (id: string): Promise<string> => (await dataOf(id)).status

/** Lets time pass until all that is due then was looked at: a second at a time, as the gateway looks. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms)
  for (let looks = 0; looks < 5; looks += 1) {
    await Bun.sleep(15)
    clock.advance(1_000)
  }
}
/** Until a message has that status, a second at a time. */
const until = (id: string, status: string) =>
  eventually(async () => {
    clock.advance(1_000)
    expect(await statusOf(id)).toBe(status)
  })
const sent = () => gateway.upstream.received.filter(({ json }) => json.type !== undefined)
const eventsOf = async () => {
  const { json } = await gateway.get('/api/v1/public/events?limit=100')
  return json.data.map(({ type, data }: { type: string; data: { message: { status: string } } }) => [
    type,
    data.message.status,
  ])
}

describe('a send with sendAt', () => {
  test('waits for its time, and is then sent as any other', async () => {
    const { status, json } = await schedule(hourMs, { reference: 'order-1' })
    expect(status).toBe(201)
    const due = new Date(now + hourMs).toISOString()
    expect(json.data).toMatchObject({
      status: 'SCHEDULED',
      sendAt: due,
      sentAt: null,
      reference: 'order-1',
      type: 'text',
    })
    const { id } = json.data
    await pass(hourMs - 10_000)
    expect(await statusOf(id)).toBe('SCHEDULED')
    expect(sent()).toEqual([])
    await until(id, 'SENT')
    expect(sent()).toHaveLength(1)
    expect(sent()[0]?.json).toMatchObject({ to: phone, text: { body: 'Hello' }, biz_opaque_callback_data: id })
    expect(Date.parse((await dataOf(id)).sentAt)).toBeGreaterThanOrEqual(now + hourMs)
    expect(await eventsOf()).toEqual([
      ['message.scheduled', 'SCHEDULED'],
      ['message.released', 'QUEUED'],
      ['message.sent', 'SENT'],
    ])
  })

  test.each([
    ['in half a minute', () => at(30_000)],
    ['in 36 days', () => at(36 * dayMs)],
    ['a minute ago', () => at(-minuteMs)],
    ['without an offset', () => at(hourMs).replace('Z', '')],
    ['a date alone', () => '2026-03-02'],
    ['no time', () => 'tomorrow'],
    ['a day that there is not', () => '2026-02-30T09:00:00Z'],
  ])('%s is refused, at its field', async (_, sendAt) => {
    await expectRefused(gateway, { ...text, sendAt: sendAt() }, ['/sendAt'])
  })

  test('an offset is read as one', async () => {
    const { json } = await gateway.send({ ...text, sendAt: '2026-03-01T12:00:00+02:00' })
    expect(json.data.sendAt).toBe('2026-03-01T10:00:00.000Z')
  })

  test('what can be checked now is refused now', async () => {
    expect((await schedule(hourMs, { phoneNumberId: 'line_none' })).json.error).toBe('PHONE_NUMBER_NOT_FOUND')
    const template = { type: 'template', templateName: 'none', templateVariables: {}, content: undefined }
    expect((await schedule(hourMs, template)).json.error).toBe('NOT_FOUND')
    expect(await gateway.messages()).toEqual([])
  })

  test('a repeat of it is answered with it, also when its time has passed; another body is a conflict', async () => {
    const body = { ...text, sendAt: at(hourMs), idempotencyKey: 'once' }
    const first = await gateway.send(body)
    expect((await gateway.send(body)).json.data).toEqual({ ...first.json.data, idempotentReplay: true })
    expect((await gateway.send({ ...body, sendAt: at(2 * hourMs) })).json.error).toBe('IDEMPOTENCY_CONFLICT')
    // Its key lives longer than any other: as long as it waits.
    await change('PATCH', first.json.data.id, { sendAt: at(3 * dayMs) })
    clock.advance(2 * dayMs)
    await gateway.gateway.jobs.trigger('prune')
    expect((await gateway.send(body)).json.data).toMatchObject({ id: first.json.data.id, status: 'SCHEDULED' })
    await pass(dayMs)
    await until(first.json.data.id, 'SENT')
    expect((await gateway.send(body)).json.data).toMatchObject({ status: 'SENT', idempotentReplay: true })
    expect(sent()).toHaveLength(1)
  })

  test('of several equal ones at once, one is stored', async () => {
    const body = { ...text, sendAt: at(hourMs), idempotencyKey: 'at once' }
    const answers = await Promise.all(Array.from({ length: 12 }, () => gateway.send(body)))
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1)
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201])
  })
})

describe('before its time', () => {
  test('it is cancelled, once, and is never sent', async () => {
    const { id } = (await schedule(hourMs)).json.data
    const { status, json } = await change('DELETE', id)
    expect([status, json.data.status]).toEqual([200, 'CANCELLED'])
    const again = await change('DELETE', id)
    expect([again.status, again.json.error]).toEqual([409, 'CONFLICT'])
    expect(again.json.message).toContain('CANCELLED')
    expect((await change('PATCH', id, { sendAt: at(2 * hourMs) })).status).toBe(409)
    await pass(2 * hourMs)
    expect([await statusOf(id), sent()]).toEqual(['CANCELLED', []])
    expect(await eventsOf()).toEqual([
      ['message.scheduled', 'SCHEDULED'],
      ['message.cancelled', 'CANCELLED'],
    ])
  })

  test('it is moved, and leaves at the new time', async () => {
    const { id } = (await schedule(hourMs)).json.data
    const later = at(3 * hourMs)
    expect((await change('PATCH', id, { sendAt: later })).json.data).toMatchObject({
      status: 'SCHEDULED',
      sendAt: later,
    })
    await pass(2 * hourMs)
    expect(sent()).toEqual([])
    await pass(hourMs)
    await until(id, 'SENT')
  })

  test('another time has to be good, and one of another workspace is not there', async () => {
    const { id } = (await schedule(hourMs)).json.data
    for (const sendAt of [at(1_000), at(40 * dayMs), 'soon'])
      expect((await change('PATCH', id, { sendAt })).json.details.issues[0].path).toBe('/sendAt')
    const { key } = await gateway.addWorkspace()
    expect((await change('DELETE', id, undefined, key)).status).toBe(404)
    expect((await change('PATCH', id, { sendAt: at(2 * hourMs) }, key)).status).toBe(404)
    expect((await change('DELETE', 'msg_none')).status).toBe(404)
  })

  test('what is sent is neither cancelled nor moved, and says so', async () => {
    const { id } = (await gateway.send(text)).json.data
    for (const answer of [await change('DELETE', id), await change('PATCH', id, { sendAt: at(hourMs) })])
      expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining('SENT')])
  })

  test('a cancellation and a release at the same moment: one of them wins, and the answer is true', async () => {
    const ids: string[] = []
    for (let count = 0; count < 20; count += 1) ids.push((await schedule(hourMs)).json.data.id)
    clock.advance(hourMs)
    const answers = await Promise.all(
      ids.map(async (id, index) => {
        await Bun.sleep(index)
        clock.advance(200)
        return [id, (await change('DELETE', id)).status] as const
      }),
    )
    for (const [id, status] of answers) {
      if (status === 200) expect(await statusOf(id)).toBe('CANCELLED')
      else await until(id, 'SENT')
    }
    const isSent = answers.filter(([, status]) => status === 409).map(([id]) => id)
    expect(
      sent()
        .map(({ json }) => json.biz_opaque_callback_data)
        .sort(),
    ).toEqual(isSent.sort())
  })
})

describe('when its time has come, all is checked again', () => {
  const failed = async (id: string, reason: string) => {
    await pass(hourMs)
    await until(id, 'FAILED')
    expect((await dataOf(id)).failureReason).toContain(reason)
    expect(sent()).toEqual([])
  }
  const write = () => gateway.gateway.store.write

  test('the line is inactive', async () => {
    const { id } = (await schedule(hourMs)).json.data
    await write().changeLine({ lineId: gateway.line.id, active: false })
    await failed(id, 'inactive')
  })

  test('its key was revoked', async () => {
    const { id } = (await schedule(hourMs)).json.data
    const watching = await gateway.createKey()
    await write().revokeKey({ keyId: gateway.key.apiKey, at: clock.now() })
    await pass(hourMs)
    await eventually(async () => {
      clock.advance(1_000)
      const { data } = (await gateway.get(`/api/v1/public/messages/${id}`, watching)).json
      expect([data.status, data.failureReason]).toEqual(['FAILED', expect.stringContaining('revoked')])
    })
    expect(sent()).toEqual([])
  })

  test('the template is gone', async () => {
    await gateway.addTemplates(orderTemplate)
    const values = { templateName: 'order_confirmation', templateVariables: { 1: 'Ada', 2: '1001' } }
    const { id } = (await schedule(hourMs, { type: 'template', content: undefined, ...values })).json.data
    expect(await statusOf(id)).toBe('SCHEDULED')
    await gateway.addTemplates({ ...orderTemplate, status: 'PAUSED' })
    await failed(id, 'PAUSED')
  })

  test('the plan is used up; it counts in the month in which it leaves', async () => {
    await write().setMonthlyLimit({ workspaceId: gateway.workspaceId, limit: 1 })
    const first = (await schedule(hourMs)).json.data.id
    const second = (await schedule(hourMs + 1)).json.data.id
    await pass(hourMs)
    await until(first, 'SENT')
    await until(second, 'FAILED')
    expect((await dataOf(second)).failureReason).toContain('limit')
    expect(sent()).toHaveLength(1)
    const plan = { workspaceId: gateway.workspaceId, month: '2026-03' }
    expect(await gateway.gateway.store.read.plan(plan)).toMatchObject({ used: 1 })
  })

  test('the window that it needs is closed', async () => {
    const { id } = (await schedule(hourMs, { requireOpenWindow: true })).json.data
    await failed(id, 'window')
  })

  test('its time has passed while no gateway was there, longer than it may be late', async () => {
    const { id } = (await schedule(hourMs)).json.data
    clock.advance(hourMs + 61 * minuteMs)
    await until(id, 'FAILED')
    expect([(await dataOf(id)).failureReason, sent()]).toEqual([expect.stringContaining('60 minutes'), []])
  })

  test('a restart, or another leader, does not make late what its line has held back', async () => {
    const { id } = (await schedule(hourMs)).json.data
    const lateMs = hourMs + 61 * minuteMs
    // As an instance keeps it that has looked all the time, while lines were behind.
    const look = { since: clock.now(), at: clock.now() + lateMs }
    await gateway.gateway.store.write.putProperty({ name: 'releases', value: JSON.stringify(look) })
    clock.advance(lateMs)
    await until(id, 'SENT')
  })

  test('late by less it is sent', async () => {
    const { id } = (await schedule(hourMs)).json.data
    clock.advance(hourMs + 50 * minuteMs)
    await until(id, 'SENT')
  })

  test('it closes the flows of its contact on all lines, as it would have been sent at once', async () => {
    const contact = { id: 'contact_ada', workspaceId: gateway.workspaceId, phone, userId: null, name: 'Ada' }
    await write().saveContact({ ...contact, createdAt: now, updatedAt: now })
    const other = await gateway.addLine()
    await write().setDefaultLine({ lineId: gateway.line.id, isDefault: true })
    const content = JSON.stringify(flow())
    const toAda = { phone: undefined, contactId: 'contact_ada' }
    await gateway.send({ type: 'interactive', content, ...toAda, phoneNumberId: other.id })
    const { id } = (await schedule(hourMs, { ...toAda, revalidateFlowSession: true })).json.data
    await pass(hourMs)
    await until(id, 'SENT')
    const flows = await gateway.gateway.store.read.flowSessions('contact_ada')
    expect(flows.map(({ closedBy }) => closedBy)).toEqual(['revalidated'])
  })

  test('the platform refuses it: that is its failure, and its month is not charged', async () => {
    gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'Message undeliverable' })
    const { id } = (await schedule(hourMs)).json.data
    await pass(hourMs)
    await until(id, 'FAILED')
    expect((await dataOf(id)).error.code).toBe(131026)
    const plan = { workspaceId: gateway.workspaceId, month: '2026-03' }
    expect(await gateway.gateway.store.read.plan(plan)).toMatchObject({ used: 0 })
  })
})

describe('while it waits', () => {
  test('it is kept however old it is, and is as old as its release afterwards', async () => {
    const { id } = (await schedule(34 * dayMs)).json.data
    clock.advance(33 * dayMs)
    await gateway.gateway.jobs.trigger('prune')
    expect(await gateway.gateway.store.read.messageContent(id)).not.toBeNull()
    await pass(dayMs)
    await until(id, 'SENT')
    await gateway.gateway.jobs.trigger('prune')
    expect(await gateway.gateway.store.read.messageContent(id)).toContain('Hello')
  })

  test('its line cannot be removed, and an erasure of its person cancels it', async () => {
    const { write } = gateway.gateway.store
    const contact = { id: 'contact_ada', workspaceId: gateway.workspaceId, phone, userId: null, name: 'Ada' }
    await write.saveContact({ ...contact, createdAt: now, updatedAt: now })
    const byContact = (await schedule(hourMs, { phone: undefined, contactId: 'contact_ada' })).json.data.id
    const byPhone = (await schedule(hourMs)).json.data.id
    const removal = await write.removeLine({ lineId: gateway.line.id, at: clock.now() })
    expect(removal).toEqual({ outcome: 'waiting', waiting: 2 })
    expect(await write.forgetContact({ contactId: 'contact_ada', at: clock.now() })).toMatchObject({
      outcome: 'removed',
    })
    for (let step = null as { state: string } | null; step?.state !== 'done'; )
      step = (await write.eraseContact({ contactId: 'contact_ada', limit: 10, at: clock.now() })) ?? { state: 'done' }
    expect([await statusOf(byContact), await statusOf(byPhone)]).toEqual(['CANCELLED', 'CANCELLED'])
    await pass(2 * hourMs)
    expect(sent()).toEqual([])
    expect((await write.removeLine({ lineId: gateway.line.id, at: clock.now() })).outcome).toBe('removed')
  })

  test('a clock that is set back sends nothing again', async () => {
    const { id } = (await schedule(hourMs)).json.data
    clock.advance(hourMs)
    await until(id, 'SENT')
    clock.set(-2 * hourMs)
    await pass(3 * hourMs)
    expect(sent()).toHaveLength(1)
  })

  test('a check says what a send would be told', async () => {
    const body = JSON.stringify({ ...text, sendAt: at(1_000) })
    const headers = { ...gateway.key, 'content-type': 'application/json' }
    const { json } = await answerOf(
      fetch(`${gateway.url}/api/v1/public/messages/check`, { method: 'POST', headers, body }),
    )
    expect(json.data.problems.map(({ path }: { path: string }) => path)).toEqual(['/sendAt'])
  })
})
