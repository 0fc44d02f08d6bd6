import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Clock } from '../../src/base/clock.ts'
import { dayMs } from '../../src/base/durations.ts'
import { ManualClock } from '../clock.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { type Files, files, startFiles } from '../media/outgoing/files.ts'
import { graphError, startUpstream, type Upstream } from '../upstream.ts'
import { issuesOf, upstreamLine, user } from './stack.ts'

const photoTemplate = { name: 'photo_ready', components: JSON.stringify([{ type: 'HEADER', format: 'IMAGE' }]) }
const card = { components: [{ type: 'HEADER', format: 'IMAGE' }] }

let upstream: Upstream
let fileServer: Files
let gateway: TestGateway

async function start(env: Record<string, string>, clock?: Clock) {
  gateway = await startTestGateway({ upstream, env, ...(clock && { clock }) })
  await gateway.addTemplates(photoTemplate, {
    name: 'ten_cards',
    components: JSON.stringify([{ type: 'CAROUSEL', cards: Array.from({ length: 10 }, () => card) }]),
  })
}
beforeEach(() => {
  upstream = startUpstream()
  fileServer = startFiles(() => new Response(files.jpeg, { headers: { 'content-type': 'image/png' } }))
})
afterEach(async () => {
  await gateway.stop()
  await upstream.stop()
  fileServer.stop()
})

const photo = (link: string) =>
  gateway.send({
    type: 'template',
    phone: user,
    templateName: 'photo_ready',
    templateVariables: { header_link: link },
  })

describe('uploads', () => {
  beforeEach(() => start({ MEDIA_ALLOWED_NETWORKS: '127.0.0.0/8' }))

  test('ten cards are uploaded side by side: the first is answered when the last has arrived', async () => {
    const all = Promise.withResolvers<void>()
    let uploads = 0
    upstream.answer = async ({ path }) => {
      if (!path.endsWith('/media')) return Response.json({ messages: [{ id: 'wamid.ten' }] })
      uploads += 1
      const id = String(1_000 + uploads)
      if (uploads === 10) all.resolve()
      await all.promise
      return Response.json({ id })
    }
    const cards = Array.from({ length: 10 }, (_, index) => ({
      index,
      header: { format: 'image', link: `${fileServer.url}/${index}` },
    }))
    const sent = await gateway.send({ type: 'template', phone: user, templateName: 'ten_cards', carousel: { cards } })
    expect(sent.status).toBe(201)
    expect(upstream.received.map(({ path }) => path.split('/').at(-1))).toEqual([
      ...Array.from({ length: 10 }, () => 'media'),
      'messages',
    ])
  })

  test('an upload is the form that the upstream wants, with the type of the bytes', async () => {
    upstream.answer = ({ path }) =>
      Response.json(path.endsWith('/media') ? { id: '1037543291543636' } : { messages: [{ id: 'wamid.form' }] })
    expect((await photo(`${fileServer.url}/a.png`)).status).toBe(201)
    const [upload, message] = upstream.received
    expect(upload).toMatchObject({ method: 'POST', path: `/v25.0/${upstreamLine(1)}/media` })
    expect(upload?.headers.get('authorization')).toBe('Bearer access-token')
    const contentType = upload?.headers.get('content-type') ?? ''
    const form = await new Response(upload?.text ?? '', { headers: { 'content-type': contentType } }).formData()
    expect([...form.keys()].sort()).toEqual(['file', 'messaging_product', 'type'])
    expect([form.get('messaging_product'), form.get('type')]).toEqual(['whatsapp', 'image/jpeg'])
    // The type of the file's own part, which the reader of forms does not tell.
    expect(upload?.text).toMatch(/name="file"; filename="[^"]+"\r\ncontent-type: image\/jpeg\r\n\r\n/i)
    expect(message?.json).toMatchObject({
      template: {
        components: [{ type: 'header', parameters: [{ type: 'image', image: { id: '1037543291543636' } }] }],
      },
    })
  })

  test('the credentials of the channel never go to the file server', async () => {
    const seen: Headers[] = []
    const server = startFiles((_, request) => {
      seen.push(request.headers)
      return new Response(files.png)
    })
    upstream.answer = ({ path }) =>
      Response.json(path.endsWith('/media') ? { id: '1' } : { messages: [{ id: 'wamid.x' }] })
    expect((await photo(`${server.url}/a.png`)).status).toBe(201)
    expect(seen).toHaveLength(1)
    const text = JSON.stringify([...(seen[0] ?? [])])
    for (const secret of ['access-token', gateway.key.apiKey, gateway.key.apiSecret]) expect(text).not.toContain(secret)
    server.stop()
  })

  test.each([
    ['an id that is a number', { id: 1037543291543636 }],
    ['no id', { success: true }],
  ])('502 CHANNEL_GRAPH_ERROR: an answer with %s is none; nothing is sent', async (_, body) => {
    upstream.answer = () => Response.json(body)
    const refused = await photo(`${fileServer.url}/a.png`)
    expect([refused.status, refused.json.error]).toEqual([502, 'CHANNEL_GRAPH_ERROR'])
    expect(upstream.received.map(({ path }) => path.endsWith('/media'))).toEqual([true])
    expect(await gateway.messages()).toEqual([])
  })

  test('502 CHANNEL_GRAPH_ERROR: what concerns the whole line beats what concerns a file', async () => {
    upstream.answer = () => graphError(401, { code: 190, message: 'Session has expired' })
    const cards = Array.from({ length: 10 }, (_, index) => ({
      index,
      header: { format: 'image', link: index === 0 ? 'http://10.0.0.1/a.png' : `${fileServer.url}/${index}` },
    }))
    const refused = await gateway.send({
      type: 'template',
      phone: user,
      templateName: 'ten_cards',
      carousel: { cards },
    })
    expect([refused.status, refused.json.error, refused.json.details.code]).toEqual([502, 'CHANNEL_GRAPH_ERROR', 190])
  })
})

test('without MEDIA_ALLOWED_NETWORKS a link to this machine is refused, and no address is told', async () => {
  await start({})
  const link = `${fileServer.url}/secret-path`
  const refused = await photo(link)
  expect(issuesOf(refused)).toEqual([
    ['/templateVariables/header_link', 'the file leads to an address that is not public'],
  ])
  for (const told of ['secret-path', '127.0.0.1']) expect(refused.text).not.toContain(told)
  expect(fileServer.requests).toEqual([])
  expect(upstream.received).toEqual([])
})

test('an id is used for 29 of its 30 days, then the file is uploaded anew', async () => {
  const clock = new ManualClock(Date.now())
  await start({ MEDIA_ALLOWED_NETWORKS: '127.0.0.0/8' }, clock)
  let uploads = 0
  upstream.answer = ({ path }) => {
    if (path.endsWith('/messages')) return Response.json({ messages: [{ id: `wamid.day${clock.now()}` }] })
    uploads += 1
    return Response.json({ id: String(uploads) })
  }
  const idOf = () =>
    JSON.parse(upstream.received.at(-1)?.text ?? '').template.components[0].parameters[0].image.id as string
  const link = `${fileServer.url}/a.png`
  const ids: string[] = []
  for (const afterMs of [0, 29 * dayMs - 1, 1]) {
    clock.advance(afterMs)
    expect((await photo(link)).status).toBe(201)
    ids.push(idOf())
  }
  expect(ids).toEqual(['1', '1', '2'])
  expect(fileServer.requests).toHaveLength(2)
})
