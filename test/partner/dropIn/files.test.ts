import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { ManualClock } from '../../clock.ts'
import { report } from '../../db/fixtures.ts'
import { eventually } from '../../eventually.ts'
import { sharedFixture } from '../../fixture.ts'
import { type Answer, answerOf, startTestGateway } from '../../gateway.ts'
import { accept, graphError } from '../../upstream.ts'
import { type Asked, failure, graphClient, png, reached, takingFiles } from './graphClient.ts'

const clock = new ManualClock(Date.UTC(2026, 2, 29, 1, 30))
const gateway = sharedFixture(() => startTestGateway({ clock, env: { GRAPH_API: 'on' } }))
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = accept
})
let client: ReturnType<typeof graphClient>
let token = ''
beforeAll(async () => {
  client = graphClient(gateway)
  token = await client.tokenOf(['graph', 'media', 'messages:send'])
})
const ask = (path: string, init: Asked = {}) => client.ask(path, { token, ...init })

let lastId = 1037543291543636
/** @returns the platform's id of a new upload */
async function uploaded(line?: string): Promise<string> {
  lastId += 1
  gateway.upstream.answer = takingFiles(String(lastId))
  const { json } = await client.upload(token, line)
  gateway.upstream.received.length = 0
  return json.id
}
/** @returns our id of a file that was given by the partner API */
async function given(): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([png]), 'box.png')
  const headers = { ...gateway.key }
  const { json } = await answerOf(fetch(`${gateway.url}/api/v1/public/media`, { method: 'POST', body: form, headers }))
  return json.data.id
}

test('an upload is told and fetched by the id of the platform, with the line in the query and without', async () => {
  const id = await uploaded()
  const line = gateway.line.upstreamPhoneId
  for (const query of ['', `?phone_number_id=${line}`]) {
    const { status, json } = await ask(`/v23.0/${id}${query}`)
    expect(status).toBe(200)
    expect(json).toEqual({
      ...{ messaging_product: 'whatsapp', id, mime_type: 'image/png', file_size: png.length },
      sha256: new Bun.CryptoHasher('sha256').update(png).digest('hex'),
      url: expect.stringContaining(`${gateway.url}/graph/v23.0/${id}/content?access_token=`),
    })
    expect(await (await fetch(json.url)).bytes()).toEqual(new Uint8Array(png))
  }
  // The platform was not asked: it does not know whose a file is.
  expect(reached(gateway)).toEqual([])
  expect(failure(await ask(`/${id}?phone_number_id=${line}0`))).toBe('400 100')
  expect(failure(await ask('/1037543291540000'))).toBe('400 100')
})

test('an upload is known as long as the platform has it, also when it has lost another file of the line', async () => {
  const id = await uploaded()
  clock.advance(1)
  await gateway.send({ phone: '+4915112345678', type: 'text', content: 'Hi' })
  const [{ id: messageId, channelMessageId } = { id: '', channelMessageId: null }] = await gateway.messages()
  const failed = { messageId, channelMessageId: channelMessageId ?? '', at: clock.now() }
  const reports = [{ ...report('failed', failed), isMediaGone: true }]
  await gateway.gateway.store.write.applyReports({
    ...{ channelId: gateway.channelId, reports, recordedAt: clock.now() },
  })
  expect((await ask(`/${id}`)).status).toBe(200)
})

test('a deleted upload is deleted at the platform with our token, and here', async () => {
  const id = await uploaded()
  const { url } = (await ask(`/${id}`)).json
  expect(
    (await ask(`/v23.0/${id}?phone_number_id=${gateway.line.upstreamPhoneId}`, { method: 'DELETE' })).json,
  ).toEqual({ success: true })
  expect(reached(gateway)).toEqual([`DELETE /${id}?phone_number_id=${gateway.line.upstreamPhoneId}`])
  expect(gateway.upstream.received[0]?.headers.get('authorization')).toBe('Bearer access-token')
  for (const method of ['GET', 'DELETE']) expect(failure(await ask(`/${id}`, { method }))).toBe('400 100')
  expect((await fetch(url)).status).toBe(400)
})

test('what the platform does not delete stays, and what it has no longer is deleted here', async () => {
  const id = await uploaded()
  gateway.upstream.answer = () => graphError(500, { code: 131000, message: 'Something went wrong' })
  expect(failure(await ask(`/${id}`, { method: 'DELETE' }))).toBe('500 131000')
  expect((await ask(`/${id}`)).status).toBe(200)
  gateway.upstream.answer = () =>
    graphError(400, { code: 100, error_subcode: 33, message: 'Unsupported delete request' })
  expect((await ask(`/${id}`, { method: 'DELETE' })).json).toEqual({ success: true })
  expect(failure(await ask(`/${id}`))).toBe('400 100')
})

test('a file that has an id of ours is deleted here', async () => {
  const id = await given()
  const { url } = (await ask(`/${id}`)).json
  expect((await ask(`/${id}`, { method: 'DELETE' })).json).toEqual({ success: true })
  expect(reached(gateway)).toEqual([])
  for (const method of ['GET', 'DELETE']) expect(failure(await ask(`/${id}`, { method }))).toBe('400 100')
  expect((await fetch(url)).status).toBe(400)
  const { status, json } = await gateway.send({ phone: '+4915112345678', type: 'image', mediaId: id })
  expect([status, json.details.issues[0].message]).toEqual([400, 'names a file that is not stored: expired'])
})

test('an upload that the platform refuses is not kept', async () => {
  gateway.upstream.answer = () => graphError(400, { code: 131053, message: 'Media upload error' })
  const keptBytes = async () => {
    const { workspaces } = await gateway.gateway.store.read.storedBytes({ after: '', limit: 1_000 })
    return workspaces.reduce((sum, { bytes }) => sum + bytes, 0)
  }
  const before = await keptBytes()
  expect((await client.upload(token)).status).toBe(400)
  expect(await keptBytes()).toBe(before)
})

test('the upload to the platform counts among the calls that are under way, and a key of no media has none', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gateway.upstream.answer = async request => {
    await promise
    return takingFiles('88')(request)
  }
  const uploads: Promise<Answer>[] = []
  // One after the other: what is received at once has a limit of its own.
  while (uploads.length < 10) {
    uploads.push(client.upload(token))
    await eventually(() => expect(gateway.upstream.received.length).toBe(uploads.length))
  }
  const refused = await client.upload(token)
  resolve()
  expect(failure(refused)).toBe('503 131016')
  expect(refused.json.error.message).toContain('Too many calls of the upstream platform are under way.')
  expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(uploads.map(() => 200))
  const id = await uploaded()
  const sender = await client.tokenOf(['graph', 'messages:send'])
  for (const method of ['GET', 'DELETE']) expect(failure(await ask(`/${id}`, { method, token: sender }))).toBe('403 10')
})
