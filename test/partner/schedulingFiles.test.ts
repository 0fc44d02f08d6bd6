import { beforeEach, describe, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { freshFixture, sharedFixture } from '../fixture.ts'
import { answerOf, startTestGateway } from '../gateway.ts'
import { accept, graphError, type Received } from '../upstream.ts'
import { phone, text } from './refusals.ts'

const clock = freshFixture(() => new ManualClock(Date.UTC(2026, 2, 1, 8)))
const gateway = freshFixture(() =>
  startTestGateway({ clock, env: { MEDIA_ALLOWED_NETWORKS: '127.0.0.0/8', SCHEDULE_LATE_MINUTES: '1' } }),
)
/** When the file comes. */
let gate: Promise<void> = Promise.resolve()
const files = sharedFixture(() => {
  const fetch = () => gate.then(() => new Response(new Uint8Array([0xff, 0xd8, 0xff, 0xe0])))
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch })
  return { url: server.url, stop: () => server.stop(true) }
})

const schedule = async (inMs: number, fields: object): Promise<string> =>
  (await gateway.send({ phone, sendAt: new Date(clock.now() + inMs).toISOString(), ...fields })).json.data.id
const scheduleImage = (fields: object = {}) => schedule(hourMs, { type: 'image', link: `${files.url}image`, ...fields })
const dataOf = async (id: string) => (await gateway.get(`/api/v1/public/messages/${id}`)).json.data
/** Until it is so, a moment at a time, as the gateway looks. */
const until = (isSo: () => Promise<void> | void) =>
  eventually(async () => {
    clock.advance(250)
    await isSo()
  })
const isUpload = ({ path }: Received) => path.endsWith('/media')

describe('the platform cannot take the file of a scheduled message', () => {
  const uploads = () => gateway.upstream.received.filter(isUpload).length
  beforeEach(() => {
    gateway.upstream.answer = request =>
      isUpload(request) ? graphError(503, { code: 2, message: 'Service temporarily unavailable' }) : accept(request)
  })

  test('for a moment: it leaves a little later', async () => {
    const id = await scheduleImage()
    clock.advance(hourMs)
    await until(() => expect(uploads()).toBe(1))
    gateway.upstream.answer = request => (isUpload(request) ? Response.json({ id: '77' }) : accept(request))
    await until(async () => expect((await dataOf(id)).status).toBe('SENT'))
  })

  test('for as long as a message may be late: it fails', async () => {
    const id = await scheduleImage()
    clock.advance(hourMs)
    await until(() => expect(uploads()).toBe(2))
    await until(async () => {
      const { status, failureReason } = await dataOf(id)
      expect([status, failureReason]).toEqual(['FAILED', expect.stringContaining('did not take the file')])
    })
  })
})

test('a file that the platform refuses for good holds nothing else of its line up', async () => {
  gateway.upstream.answer = request =>
    isUpload(request) ? graphError(503, { code: 2, message: 'Service temporarily unavailable' }) : accept(request)
  await scheduleImage()
  const next = await schedule(hourMs + 1_000, text)
  clock.advance(hourMs)
  await until(() => expect(gateway.upstream.received.filter(isUpload)).toHaveLength(1))
  const since = clock.now()
  await until(async () => expect((await dataOf(next)).status).toBe('SENT'))
  expect(clock.now() - since).toBeLessThan(10_000)
})

test('a file that does not come holds no other line up', async () => {
  const file = Promise.withResolvers<void>()
  gate = file.promise
  const other = await gateway.addLine()
  const held = await scheduleImage({ phoneNumberId: gateway.line.id })
  const next = await schedule(hourMs + 2_000, { ...text, phoneNumberId: other.id })
  clock.advance(hourMs)
  await until(async () => expect((await dataOf(next)).status).toBe('SENT'))
  expect((await dataOf(held)).status).toBe('SCHEDULED')
  file.resolve()
})

test('a batch sends an item again whose file was refused for the token, once that may pass', async () => {
  gateway.upstream.answer = request =>
    isUpload(request) ? graphError(401, { code: 190, message: 'expired' }) : accept(request)
  const batches = async (path: string, body: object) => {
    const headers = { ...gateway.key, 'content-type': 'application/json' }
    const url = `${gateway.url}/api/v1/public/batches${path}`
    return (await answerOf(fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }))).json
  }
  const { data } = await batches('', {
    defaults: { type: 'image', link: `${files.url}image` },
    items: [{ phone, sendAt: new Date(clock.now() + hourMs).toISOString() }],
    idempotencyKey: 'one-with-a-file',
  })
  await eventually(async () => {
    await gateway.gateway.jobs.trigger('run-batches')
    expect(
      (await answerOf(fetch(`${gateway.url}/api/v1/public/batches/${data.id}`, { headers: { ...gateway.key } }))).json
        .data.state,
    ).toBe('done')
  })
  clock.advance(hourMs)
  const retried = async (dryRun: boolean) => (await batches(`/${data.id}/retry`, { dryRun })).data
  await until(async () => expect(await retried(true)).toEqual({ retried: 1, leftOut: 0, dryRun: true }))
})
