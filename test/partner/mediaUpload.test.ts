import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dayMs } from '../../src/base/durations.ts'
import { graphTokenOf } from '../../src/base/graphToken.ts'
import { paceBytesMin, paceMs } from '../../src/http/limits.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { answerOf, startTestGateway, type Tenant } from '../gateway.ts'
import { rawHead } from '../http/rawHttp.ts'
import { accept, graphError, type Received } from '../upstream.ts'

const clock = new ManualClock(Date.now())
const gateway = sharedFixture(() =>
  startTestGateway({
    clock,
    env: { GRAPH_API: 'on', PUBLIC_IP_RATE_LIMIT: '10000', PUBLIC_API_KEY_RATE_LIMIT: '10000' },
  }),
)
const phone = '+4915112345678'
const path = '/api/v1/public/media'
const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(100_000, 7)])
const mib = 1_048_576

let uploads = 0
beforeEach(() => {
  uploads = 0
  gateway.upstream.received.length = 0
  gateway.upstream.answer = (request: Received) => {
    if (!request.path.endsWith('/media')) return accept(request)
    uploads += 1
    return Response.json({ id: String(70 + uploads) })
  }
})

const headersOf = (key: Tenant['key']) => ({ apikey: key.apiKey, apisecret: key.apiSecret })
const post = (body: FormData | string, key = gateway.key, headers: Record<string, string> = {}) =>
  answerOf(fetch(`${gateway.url}${path}`, { method: 'POST', headers: { ...headersOf(key), ...headers }, body }))
function formWith(bytes: Uint8Array, name = 'a.png', type = 'image/png', field = 'file') {
  const form = new FormData()
  form.append('note', 'what the form has besides')
  form.append(field, new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name)
  return form
}
/** A test adds a line, and then it has to be named. */
const from = {
  get phoneNumberId() {
    return gateway.line.id
  },
}
const keptBy = async (key = gateway.key) => (await post(formWith(png), key)).json.data.id
const sent = () => gateway.upstream.received.filter(({ path }) => path.endsWith('/messages')).map(({ json }) => json)
/** It is made by the first upload. */
const folder = () => {
  const path = join(gateway.dataDir, 'media')
  return existsSync(path) ? readdirSync(path).sort() : []
}

describe('POST /media', () => {
  test('201: a file is on disk, recognised by its bytes, and given back', async () => {
    const { status, json } = await post(formWith(png, 'größe "A".png', 'text/html'))
    expect([status, json]).toEqual([
      201,
      {
        success: true,
        data: {
          id: expect.stringMatching(/^media_[0-9a-z]{26}$/),
          type: 'image',
          mimeType: 'image/png',
          size: png.length,
          fileName: 'größe "A".png',
        },
      },
    ])
    const got = await fetch(`${gateway.url}${path}/${json.data.id}`, { headers: headersOf(gateway.key) })
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await got.arrayBuffer()).equals(png)).toBe(true)
  })

  const ofType = (contentType: string) => ({ 'content-type': contentType })
  const twoFiles = () => {
    const form = formWith(png)
    form.append('file', new Blob([png as Uint8Array<ArrayBuffer>]), 'b.png')
    return form
  }
  const broken = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nab'
  const form = 'multipart/form-data'
  test.each<[name: string, made: () => FormData | string, refusal: string, headers: Record<string, string>]>([
    ['no form', () => '{}', '415 UNSUPPORTED_MEDIA_TYPE', ofType('application/json')],
    ['a form without a boundary', () => 'x', '400 VALIDATION_ERROR', ofType(`${form}; a=b`)],
    ['a form that ends early', () => broken, '400 VALIDATION_ERROR', ofType(`${form}; boundary=b`)],
    ['no file', () => new FormData(), '400 VALIDATION_ERROR', {}],
    ['another field', () => formWith(png, 'a.png', 'image/png', 'picture'), '400 VALIDATION_ERROR', {}],
    ['an empty file', () => formWith(new Uint8Array()), '400 VALIDATION_ERROR', {}],
    ['a type that is not sent', () => formWith(Buffer.from('GIF89a, moving')), '400 VALIDATION_ERROR', {}],
    ['a picture of 5 MB', () => formWith(Buffer.concat([png, Buffer.alloc(5 * mib)])), '400 VALIDATION_ERROR', {}],
    ['two files', twoFiles, '400 VALIDATION_ERROR', {}],
  ])('%s is refused, and nothing of it is left', async (_, made, refusal, headers) => {
    await keptBy()
    const before = folder()
    const { status, json } = await post(made(), gateway.key, headers)
    expect(`${status} ${json.error}`).toBe(refusal)
    expect(folder().filter(name => !before.includes(name))).toEqual([])
  })

  test('413 PAYLOAD_TOO_LARGE: more than 100 MB are not read', async () => {
    const { status, json } = await post(formWith(Buffer.alloc(101 * mib), 'a.pdf', 'application/pdf'))
    expect([status, json.error]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })
})

describe('a file that comes slowly', () => {
  /** Begins an upload of a large file. */
  async function begin(line: string, headers: Readonly<Record<string, string>>) {
    const before = folder()
    const { hostname, port } = new URL(gateway.url)
    const { promise: answered, resolve } = Promise.withResolvers<string>()
    const data = (_: unknown, answer: Buffer) => resolve(answer.toString())
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data } })
    const form = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': `${mib}` }
    socket.write(rawHead(line, { Host: 'x', ...form, ...headers }))
    socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n')
    const sizes = () =>
      folder().map(name => (before.includes(name) ? 0 : statSync(join(gateway.dataDir, 'media', name)).size))
    let [sent, seen] = [0, 0]
    return {
      answered,
      /** Once it has arrived. What may be the end of the form is held back. */
      async send(bytes: number) {
        socket.write(Buffer.alloc(bytes, 7))
        sent += bytes
        await eventually(() => expect(Math.max(...sizes())).toBeGreaterThan(Math.max(seen, sent - 1_000)))
        seen = Math.max(...sizes())
      },
    }
  }

  const doors: readonly (readonly [door: string, begin: () => ReturnType<typeof begin>])[] = [
    ['POST /media', () => begin(`POST ${path}`, headersOf(gateway.key))],
    [
      'POST /graph/{line}/media',
      async () => {
        const { apiKey, apiSecret } = await gateway.createKey({ scopes: ['graph', 'media'] })
        const authorization = `Bearer ${graphTokenOf(apiKey, apiSecret)}`
        return begin(`POST /graph/${gateway.line.upstreamPhoneId}/media`, { authorization })
      },
    ],
  ]
  test.each(doors)('%s: is refused long before its time is over', async (_, upload) => {
    const { answered, send } = await upload()
    await send(paceBytesMin)
    clock.advance(paceMs)
    await send(paceBytesMin - 1_000)
    clock.advance(paceMs)
    const answer = await answered
    expect(answer).toStartWith('HTTP/1.1 400 ')
    expect(answer).toContain('came too slowly')
  })
})

describe('a send by mediaId', () => {
  test('201: the file is uploaded to each line once, and again once it has expired there', async () => {
    const mediaId = await keptBy()
    const send = () => gateway.send({ type: 'image', phone, mediaId, caption: 'Hi', ...from })
    expect((await send()).status).toBe(201)
    expect((await send()).status).toBe(201)
    expect([uploads, sent().map(({ image }) => image)]).toEqual([1, Array(2).fill({ id: '71', caption: 'Hi' })])
    const second = await gateway.addLine()
    await gateway.send({ type: 'image', phone, mediaId, phoneNumberId: second.id })
    expect(uploads).toBe(2)
    clock.advance(29 * dayMs)
    expect((await gateway.send({ type: 'image', phone, mediaId, ...from })).status).toBe(201)
    expect(uploads).toBe(3)
  })

  test('400 VALIDATION_ERROR: a picture is no sticker; what the upstream refuses is named at its field', async () => {
    const mediaId = await keptBy()
    const { status, json } = await gateway.send({ type: 'sticker', phone, mediaId, ...from })
    expect([status, json.details.issues]).toEqual([
      400,
      [{ path: '/mediaId', message: 'the file is not a WebP picture: it is image/png' }],
    ])
    gateway.upstream.answer = () => graphError(400, { code: 131053, message: 'Media upload error' })
    const refused = await gateway.send({ type: 'image', phone, mediaId, ...from })
    expect([refused.status, refused.json.details.issues[0].path]).toEqual([400, '/mediaId'])
  })

  test("404 NOT_FOUND: another workspace's file is as none", async () => {
    const other = await gateway.addWorkspace()
    const mediaId = await keptBy(other.key)
    const answers = [mediaId, `media_${'0'.repeat(26)}`].map(id =>
      gateway.send({ type: 'image', phone, mediaId: id, ...from }),
    )
    const [theirs, none] = await Promise.all(answers)
    expect([theirs?.status, theirs?.text]).toEqual([404, none?.text ?? ''])
  })
})

test('400 VALIDATION_ERROR: a file whose time is over is not sent any more', async () => {
  const mediaId = await keptBy()
  clock.advance(31 * dayMs)
  await gateway.gateway.jobs.trigger('prune')
  const { status, json } = await gateway.send({ type: 'image', phone, mediaId, ...from })
  const issue = { path: '/mediaId', message: 'names a file that is not stored: expired' }
  expect([status, json.details.issues]).toEqual([400, [issue]])
})
