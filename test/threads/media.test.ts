import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { WorkerUnavailable } from '../../src/queue/mailbox.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { type Files, files, startFiles } from '../media/files.ts'
import { accept, graphError, startUpstream, type Upstream } from '../upstream.ts'
import { replaceThreads, type Threads } from './threads.ts'

setDefaultTimeout(30_000)

const queueMax = 2

let threads: Threads
let upstream: Upstream
let photos: Files
let gateway: TestGateway
/** Uploads are answered once it is open. */
let uploads: PromiseWithResolvers<void>
/** So are sends. */
let sends: PromiseWithResolvers<void>

beforeEach(async () => {
  uploads = Promise.withResolvers()
  sends = Promise.withResolvers()
  threads = replaceThreads()
  photos = startFiles(() => new Response(files.png))
  upstream = startUpstream(async request => {
    const isUpload = request.path.endsWith('/media')
    await (isUpload ? uploads : sends).promise
    return isUpload ? Response.json({ id: '1001' }) : accept(request)
  })
  const env = { SEND_WORKERS: '1', SEND_QUEUE_MAX: String(queueMax), MEDIA_ALLOWED_NETWORKS: '127.0.0.0/8' }
  gateway = await startTestGateway({ upstream, env })
  await gateway.addTemplates({ name: 'photo', components: '[{"type":"HEADER","format":"IMAGE"}]' })
})
afterEach(async () => {
  uploads.resolve()
  sends.resolve()
  await gateway.stop()
  await upstream.stop()
  photos.stop()
  threads.restore()
})

const send = (fields: Record<string, unknown> = {}) =>
  gateway.send({
    type: 'template',
    phone: '+15550100200',
    templateName: 'photo',
    templateVariables: { header_link: `${photos.url}/photo.png` },
    ...fields,
  })

const isUploading = () => eventually(() => expect(upstream.received).toHaveLength(1))

/** The disk takes everything but this. */
function refuseToStore(verb: 'rememberMedia' | 'forgetMedia') {
  const full = () => Promise.reject(new WorkerUnavailable('SQLITE_FULL database or disk is full'))
  Object.assign(gateway.gateway.store.write, { [verb]: full })
}

test('503: the thread that uploads dies, and nothing was accepted', async () => {
  const answer = send()
  await isUploading()
  threads.last('sender').poison('exit')
  const { status, json, headers } = await answer
  expect([status, json.error, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '5'])
  expect(await gateway.messages()).toEqual([])
})

test('503: sends that upload first take no more places of the line than there are', async () => {
  const answers = Array.from({ length: 5 }, () => send())
  await isUploading()
  uploads.resolve()
  await eventually(async () => expect(await gateway.messages()).toHaveLength(queueMax))
  sends.resolve()
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 201, 503, 503, 503])
})

test('503: what was still uploading when the gateway was told to stop is not accepted', async () => {
  const answer = send()
  await isUploading()
  const stopped = gateway.gateway.stop()
  uploads.resolve()
  expect((await answer).status).toBe(503)
  await stopped
})

test('201: an uploaded file that the disk would not remember is sent all the same', async () => {
  refuseToStore('rememberMedia')
  uploads.resolve()
  sends.resolve()
  expect((await send()).json.data.status).toBe('SENT')
})

test('the same send at the same time, while the first is sent once more: one message, and the other is its replay', async () => {
  uploads.resolve()
  sends.resolve()
  await send()
  const gate = Promise.withResolvers<void>()
  let isFirst = true
  upstream.answer = async request => {
    if (request.path.endsWith('/media')) return Response.json({ id: '1002' })
    const isRefused = isFirst
    isFirst = false
    await gate.promise
    return isRefused
      ? graphError(400, { code: 100, error_subcode: 33, message: "Object with ID '1001' does not exist" })
      : accept(request)
  }
  const answers = Array.from({ length: queueMax }, () => send({ idempotencyKey: 'order-1001' }))
  await eventually(() => expect(upstream.received.at(-1)?.json.type).toBe('template'))
  gate.resolve()
  const told = await Promise.all(answers)
  expect(told.map(({ status }) => status).sort()).toEqual([200, 201])
  expect(new Set(told.map(({ json }) => json.data.id)).size).toBe(1)
  expect((await gateway.messages()).map(({ status }) => status)).toEqual(['SENT', 'FAILED', 'SENT'])
})

test('400: a refusal is told as it is, also when the disk would not forget the file', async () => {
  refuseToStore('forgetMedia')
  upstream.answer = ({ path }) =>
    path.endsWith('/media') ? Response.json({ id: '1001' }) : graphError(400, { code: 131053, message: 'media' })
  const { status, json } = await send()
  expect([status, json.error, json.details.code]).toEqual([400, 'CHANNEL_GRAPH_ERROR', 131053])
})
