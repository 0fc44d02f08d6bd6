import { beforeEach, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { type QuietHours, weekdays } from '../../src/message/quietSettings.ts'
import { ManualClock } from '../clock.ts'
import { inbound } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { freshFixture } from '../fixture.ts'
import { answerOf, startTestGateway } from '../gateway.ts'
import { phone, text } from './refusals.ts'

/** An evening in winter, 21:00 in Berlin. */
const evening = Date.UTC(2026, 0, 15, 20)
const morning = '2026-01-16T07:00:00.000Z'
const nights: QuietHours = {
  ...{ from: '20:00', to: '08:00', days: weekdays, timeZone: 'Europe/Berlin' },
  categories: ['MARKETING'],
}

const clock = freshFixture(() => new ManualClock(evening))
const gateway = freshFixture(() => startTestGateway({ clock }))
const quiet = (quietHours: QuietHours | null = nights) =>
  gateway.gateway.store.write.setQuietHours({ workspaceId: gateway.workspaceId, quietHours })
beforeEach(async () => {
  const categories = ['MARKETING', 'UTILITY']
  await gateway.addTemplates(...categories.map(category => ({ name: category.toLowerCase(), category })))
  await quiet()
})

const template = (templateName: string, fields: object = {}) =>
  gateway.send({ type: 'template', phone, templateName, templateVariables: {}, ...fields })
const statusOf = async (id: string): Promise<string> =>
  (await gateway.get(`/api/v1/public/messages/${id}`)).json.data.status
const until = (id: string, status: string) =>
  eventually(async () => {
    clock.advance(1_000)
    expect(await statusOf(id)).toBe(status)
  })

test('a marketing template waits until the morning of the person, says so, and leaves then', async () => {
  const { status, json } = await template('marketing', { idempotencyKey: 'offer' })
  expect([status, json.data.status, json.data.sendAt]).toEqual([201, 'SCHEDULED', morning])
  expect((await template('marketing', { idempotencyKey: 'offer' })).json.data).toEqual({
    ...json.data,
    idempotentReplay: true,
  })
  clock.advance(10 * hourMs)
  expect(await statusOf(json.data.id)).toBe('SCHEDULED')
  expect(gateway.upstream.received).toEqual([])
  clock.advance(hourMs)
  await until(json.data.id, 'SENT')
  expect(gateway.upstream.received).toHaveLength(1)
})

test('items of a batch that wait for the morning, and that the plan has no room for by then, can be retried', async () => {
  const batches = async (path: string, body: object) =>
    (
      await answerOf(
        fetch(`${gateway.url}/api/v1/public/batches${path}`, {
          ...{ method: 'POST', headers: { ...gateway.key, 'content-type': 'application/json' } },
          body: JSON.stringify(body),
        }),
      )
    ).json.data
  const defaults = { type: 'template', templateName: 'marketing', templateVariables: {} }
  const { id } = await batches('', { defaults, idempotencyKey: 'night', items: [{ phone }] })
  const become = (counts: object, wait: number) =>
    eventually(async () => {
      clock.advance(wait)
      await gateway.gateway.jobs.trigger('run-batches')
      const { data } = (await gateway.get(`/api/v1/public/batches/${id}`)).json
      expect(data).toMatchObject({ state: 'done', counts })
    })
  await become({ SCHEDULED: 1 }, 100)
  const { workspaceId, gateway: running } = gateway
  await running.store.write.setMonthlyCeiling({ workspaceId, ceiling: 0 })
  clock.advance(11 * hourMs)
  await become({ FAILED: 1 }, 1_000)
  await running.store.write.setMonthlyCeiling({ workspaceId, ceiling: null })
  expect(await batches(`/${id}/retry`, {})).toMatchObject({ retried: 1, leftOut: 0 })
  await become({ SENT: 1 }, 100)
  expect(gateway.upstream.received).toHaveLength(1)
})

test('other categories and texts leave at once; those of utility wait where that is chosen', async () => {
  for (const send of [template('utility'), gateway.send(text)]) expect((await send).json.data.status).toBe('SENT')
  await quiet({ ...nights, categories: ['MARKETING', 'UTILITY'] })
  expect((await template('utility')).json.data.status).toBe('SCHEDULED')
  await quiet(null)
  expect((await template('marketing')).json.data.status).toBe('SENT')
})

test('who has just written is answered', async () => {
  const { upstreamPhoneId } = gateway.line
  const from = { phone, userId: null, name: 'Ada', newContactId: 'contact_ada' }
  const messages = [inbound({ at: clock.now() - hourMs, from, upstreamPhoneId })]
  const { channelId } = gateway
  await gateway.gateway.store.write.recordInbound({ channelId, messages, recordedAt: clock.now() })
  expect((await template('marketing')).json.data.status).toBe('SENT')
})

test('one that is scheduled into the night waits for its end, and can be cancelled until then', async () => {
  const { json } = await template('marketing', { sendAt: new Date(evening + 3 * hourMs).toISOString() })
  expect(json.data.status).toBe('SCHEDULED')
  clock.advance(3 * hourMs)
  await eventually(async () => {
    clock.advance(1_000)
    const { data } = (await gateway.get(`/api/v1/public/messages/${json.data.id}`)).json
    expect([data.status, data.sendAt]).toEqual(['SCHEDULED', morning])
  })
  const cancelled = await fetch(`${gateway.url}/api/v1/public/messages/${json.data.id}`, {
    method: 'DELETE',
    headers: { ...gateway.key },
  })
  expect(cancelled.status).toBe(200)
})
