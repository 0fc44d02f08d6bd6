import { afterEach, beforeEach, expect, test } from 'bun:test'
import { newId } from '../../../src/base/ids.ts'
import { Unavailable } from '../../../src/base/unavailable.ts'
import { template } from '../../db/fixtures.ts'
import { eventually } from '../../eventually.ts'
import { type Key, startTestGateway, type TestGateway } from '../../gateway.ts'
import { type Files, files, startFiles } from '../../media/outgoing/files.ts'
import { accept, graphError, startUpstream, type Upstream } from '../../upstream.ts'
import { replaceThreads, type Threads } from './threads.ts'

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

const send = (fields: Record<string, unknown> = {}, key: Partial<Key> = {}) =>
  gateway.send(
    {
      type: 'template',
      phone: '+15550100200',
      templateName: 'photo',
      templateVariables: { header_link: `${photos.url}/photo.png` },
      ...fields,
    },
    { ...key },
  )

const isUploading = () => eventually(() => expect(upstream.received).toHaveLength(1))

/** The disk takes everything but this. */
function refuseToStore(verb: 'rememberMedia' | 'forgetMedia') {
  const full = () => Promise.reject(new Unavailable('SQLITE_FULL database or disk is full'))
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

test("201: another workspace's document is not held back by links that answer nothing", async () => {
  const asked = Promise.withResolvers<void>()
  const dead = startFiles(path => {
    if (path === '/good.pdf') return new Response(files.pdf)
    asked.resolve()
    return new Promise<Response>(() => {})
  })
  const invoice = (file: string) => ({
    templateName: 'invoice',
    templateVariables: { header_link: `${dead.url}/${file}.pdf` },
  })
  uploads.resolve()
  sends.resolve()
  const other = await gateway.addWorkspace()
  for (const channelId of [gateway.channelId, other.channelId]) {
    const components = '[{"type":"HEADER","format":"DOCUMENT"}]'
    const templates = [template({ id: newId('tpl'), channelId, name: 'invoice', components })]
    const at = Date.now()
    await gateway.gateway.store.write.replaceTemplates({ channelId, at, templates, recordedAt: at })
  }
  const stuck = send(invoice('dead'))
  await asked.promise
  const good = send(invoice('good'), other.key)
  expect((await Promise.race([good, stuck])).status).toBe(201)
  dead.stop()
  expect((await stuck).status).toBe(400)
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

test('the same send at the same time, while the first is tried once more: one message, and the other is its replay', async () => {
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
  expect((await gateway.messages()).map(({ status }) => status)).toEqual(['SENT', 'SENT'])
})

test('200 UNKNOWN: who waits for a first request whose answer is lost is its replay, as without a file', async () => {
  uploads.resolve()
  const lost = Promise.withResolvers<Response>()
  upstream.answer = ({ path }) => (path.endsWith('/media') ? Response.json({ id: '1001' }) : lost.promise)
  const [first, second] = [send({ idempotencyKey: 'order-1001' }), send({ idempotencyKey: 'order-1001' })]
  await eventually(() => expect(upstream.received.at(-1)?.json.type).toBe('template'))
  lost.resolve(new Response('<html>', { status: 502 }))
  const answers = (await Promise.all([first, second])).sort((one, other) => one.status - other.status)
  expect(answers.map(({ status, json }) => [status, json.data.status])).toEqual([
    [200, 'UNKNOWN'],
    [201, 'UNKNOWN'],
  ])
  expect(answers[0]?.json.data).toMatchObject({ status: 'UNKNOWN', idempotentReplay: true })
})

test('200: a replay of what the disk has is one, also while another body with its key is on its way there', async () => {
  const { write } = gateway.gateway.store
  const { acceptMessage } = write
  const other = send({ idempotencyKey: 'order-1001' })
  await isUploading()
  sends.resolve()
  const text = { type: 'text', phone: '+15550100200', content: 'Hello', idempotencyKey: 'order-1001' }
  const first = await gateway.send(text)
  const asked = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  const slowly: typeof acceptMessage = async draft => {
    // The other body alone.
    Object.assign(write, { acceptMessage })
    asked.resolve()
    await slow.promise
    return acceptMessage(draft)
  }
  Object.assign(write, { acceptMessage: slowly })
  uploads.resolve()
  await asked.promise
  const replay = await gateway.send(text)
  expect([replay.status, replay.json.data.id]).toEqual([200, first.json.data.id])
  slow.resolve()
  expect((await other).json.error).toBe('IDEMPOTENCY_CONFLICT')
})

test('409: the key of a send stays its own while its file is uploaded again', async () => {
  const refused = Promise.withResolvers<void>()
  upstream.answer = async request => {
    const isUpload = request.path.endsWith('/media')
    if (isUpload) await uploads.promise
    if (isUpload) return Response.json({ id: '1002' })
    refused.resolve()
    return upstream.received.filter(({ path }) => path.endsWith('/messages')).length === 1
      ? graphError(400, { code: 131053, message: 'media' })
      : accept(request)
  }
  uploads.resolve()
  const keyed = { idempotencyKey: 'order-1001' }
  const first = send(keyed)
  await refused.promise
  uploads = Promise.withResolvers()
  // The first attempt was refused, and the file is on its way again.
  await eventually(() => expect(upstream.received.filter(({ path }) => path.endsWith('/media'))).toHaveLength(2))
  const same = send(keyed)
  const others = [
    send({ ...keyed, templateVariables: { header_link: `${photos.url}/other.png` } }),
    gateway.send({ type: 'text', phone: '+15550100200', content: 'Other', ...keyed }),
  ]
  for (const other of await Promise.all(others)) expect(other.json.error).toBe('IDEMPOTENCY_CONFLICT')
  uploads.resolve()
  const [{ status, json }, replay] = await Promise.all([first, same])
  expect([status, json.data.status, replay.status, replay.json.data.id]).toEqual([201, 'SENT', 200, json.data.id])
})

test('409: another body that was uploading when the key was taken does not take it between two attempts', async () => {
  const sentOnce = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  upstream.answer = async request => {
    if (!request.path.endsWith('/media')) {
      sentOnce.resolve()
      return upstream.received.filter(({ path }) => path.endsWith('/messages')).length === 1
        ? graphError(400, { code: 131053, message: 'media' })
        : accept(request)
    }
    const count = upstream.received.filter(({ path }) => path.endsWith('/media')).length
    // The other body's upload, then the first attempt's, then the second attempt's.
    await [slow, undefined, uploads][count - 1]?.promise
    return Response.json({ id: String(1000 + count) })
  }
  const keyed = { idempotencyKey: 'order-1001' }
  const other = send({ ...keyed, templateVariables: { header_link: `${photos.url}/other.png` } })
  await isUploading()
  const first = send(keyed)
  await sentOnce.promise
  await eventually(() => expect(upstream.received).toHaveLength(4))
  slow.resolve()
  expect((await other).json.error).toBe('IDEMPOTENCY_CONFLICT')
  uploads.resolve()
  expect((await first).status).toBe(201)
})

test('a message that was answered QUEUED is tried once more as well, with the file uploaded anew', async () => {
  await gateway.stop()
  const env = { SEND_WORKERS: '1', SEND_WAIT_MS: '50', MEDIA_ALLOWED_NETWORKS: '127.0.0.0/8' }
  gateway = await startTestGateway({ upstream, env })
  await gateway.addTemplates({ name: 'photo', components: '[{"type":"HEADER","format":"IMAGE"}]' })
  const gate = Promise.withResolvers<void>()
  let uploaded = 1000
  upstream.answer = async request => {
    if (request.path.endsWith('/media')) return Response.json({ id: String(++uploaded) })
    await gate.promise
    return request.text.includes('"1001"') ? graphError(400, { code: 131053, message: 'media' }) : accept(request)
  }
  const { json } = await send()
  expect(json.data.status).toBe('QUEUED')
  gate.resolve()
  const message = () => gateway.gateway.store.read.message(json.data.id)
  await eventually(async () => expect((await message())?.status).toBe('SENT'))
  expect(upstream.received.at(-1)?.text).toContain('"1002"')
  expect(await gateway.messages()).toHaveLength(1)
})

test('400: a refusal is told as it is, also when the disk would not forget the file', async () => {
  refuseToStore('forgetMedia')
  upstream.answer = ({ path }) =>
    path.endsWith('/media') ? Response.json({ id: '1001' }) : graphError(400, { code: 131053, message: 'media' })
  const { status, json } = await send()
  expect([status, json.error, json.details.code]).toEqual([400, 'CHANNEL_GRAPH_ERROR', 131053])
})
