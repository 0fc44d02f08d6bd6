import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { ManualClock } from '../clock.ts'
import { sharedFixture } from '../fixture.ts'
import { answerOf, startTestGateway } from '../gateway.ts'
import { files, startFiles } from '../media/outgoing/files.ts'
import { accept, type Received } from '../upstream.ts'
import { graphClient } from './dropIn/graphClient.ts'

const clock = new ManualClock(Date.now())
const gateway = sharedFixture(() =>
  startTestGateway({
    clock,
    env: {
      GRAPH_API: 'on',
      MEDIA_ALLOWED_NETWORKS: '127.0.0.0/8',
      PUBLIC_IP_RATE_LIMIT: '10000',
      PUBLIC_API_KEY_RATE_LIMIT: '10000',
    },
  }),
)
const phone = '+4915112345678'
const byName: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = { webm: files.webm, stereo: files.stereoOpus }
const server = startFiles(path => {
  const name = path.split('.').at(-1) ?? ''
  return new Response(byName[name] ?? (name === 'ogg' ? files.opus : files.pdf))
})
afterAll(() => server.stop())

const client = () => graphClient(gateway)
let token = ''
beforeAll(async () => {
  token = await client().tokenOf(['graph', 'media', 'messages:send'])
  await gateway.addTemplates(
    { name: 'invoice', components: JSON.stringify([{ type: 'HEADER', format: 'DOCUMENT' }]) },
    {
      name: 'plants',
      components: JSON.stringify([
        { type: 'CAROUSEL', cards: Array(2).fill({ components: [{ type: 'HEADER', format: 'IMAGE' }] }) },
      ]),
    },
  )
})

let lastId = 100
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = (request: Received) => {
    if (!request.path.endsWith('/media')) return accept(request)
    lastId += 1
    return Response.json({ id: String(lastId) })
  }
})

function formOf(bytes: Uint8Array<ArrayBuffer>, name: string, type = '') {
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('file', new Blob([bytes], { type }), name)
  return form
}
/** @returns the answer to `POST /media` */
const post = (bytes: Uint8Array<ArrayBuffer>, name: string, type?: string) =>
  answerOf(
    fetch(`${gateway.url}/api/v1/public/media`, {
      method: 'POST',
      headers: { ...gateway.key },
      body: formOf(bytes, name, type),
    }),
  )
const kept = async (...file: Parameters<typeof post>): Promise<string> => (await post(...file)).json.data.id
/** @returns the id of the platform of a file that was given by its own call */
async function uploaded(...[bytes, name, type]: Parameters<typeof post>): Promise<string> {
  const path = `/${gateway.line.upstreamPhoneId}/media`
  return (await client().ask(path, { method: 'POST', body: formOf(bytes, name, type), token })).json.id
}

/** What each upload says of its file: type of the form, name, type of the part. */
const uploads = () =>
  gateway.upstream.received
    .filter(({ path }) => path.endsWith('/media'))
    .map(({ text }) => {
      const [, type] = /name="type"\r\n\r\n(.*?)\r\n/.exec(text) ?? []
      const [, name, ofPart] = /filename="(.*?)"\r\nContent-Type: (.*?)\r\n/.exec(text) ?? []
      return [type, name, ofPart]
    })
const sent = () => gateway.upstream.received.filter(({ path }) => path.endsWith('/messages')).map(({ json }) => json)
const lastDocument = () => {
  const [, document] = /"document":({[^}]*})/.exec(JSON.stringify(sent().at(-1))) ?? []
  return JSON.parse(document ?? 'null')
}
const opusType = 'audio/ogg; codecs=opus'

describe('a file goes up under its name, with the ending and the type of its bytes', () => {
  test.each([
    ['PTT-20260904-WA0001.opus', 'audio/opus', 'PTT-20260904-WA0001.ogg'],
    ['voice.mp3', 'audio/mpeg', 'voice.ogg'],
    ['blob', '', 'blob.ogg'],
  ])('Opus as %s', async (name, type, expected) => {
    for (const mediaId of [await kept(files.opus, name, type), await uploaded(files.opus, name, type)]) {
      gateway.upstream.received.length = 0
      expect((await gateway.send({ type: 'audio', phone, mediaId, voice: true })).status).toBe(201)
      expect(uploads()).toEqual([[opusType, expected, opusType]])
      expect(sent()[0]?.audio).toEqual({ id: String(lastId), voice: true })
    }
  })

  test('a document by its link, and one without a name', async () => {
    await gateway.send({ type: 'document', phone, link: `${server.url}/b/Invoice%20No%2017.pdf?token=x` })
    await gateway.send({ type: 'document', phone, link: `${server.url}/` })
    expect(uploads().map(([, name]) => name)).toEqual(['Invoice No 17.pdf', 'file.pdf'])
  })
})

describe('a voice message', () => {
  const noVoice = (shown: string) =>
    `the file is not a voice message, which is Opus in Ogg with one channel: it is ${shown}`

  test.each([
    ['two channels', () => kept(files.stereoOpus, 'a.ogg'), noVoice('Ogg with Opus in 2 channels')],
    ['MP3', () => kept(files.mp3, 'a.mp3'), noVoice('audio/mpeg')],
    [
      'two channels, by the id of the platform',
      () => uploaded(files.stereoOpus, 'a.ogg'),
      noVoice('Ogg with Opus in 2 channels'),
    ],
  ])('of %s is refused before anything is sent, and goes as a sound', async (_, give, message) => {
    const mediaId = await give()
    const { status, json } = await gateway.send({ type: 'audio', phone, mediaId, voice: true })
    expect([status, json.details.issues]).toEqual([400, [{ path: '/mediaId', message }]])
    expect(sent()).toEqual([])
    expect((await gateway.send({ type: 'audio', phone, mediaId })).status).toBe(201)
  })

  test('of a file that the platform has and nobody knows here is for the platform to judge', async () => {
    expect((await gateway.send({ type: 'audio', phone, mediaId: '900', voice: true })).status).toBe(201)
    expect(sent()[0]?.audio).toEqual({ id: '900', voice: true })
  })

  test('WebM, as browsers record it, is named with what is taken', async () => {
    const { status, json } = await gateway.send({ type: 'audio', phone, link: `${server.url}/rec.webm` })
    const message = 'the file is not a sound in AAC, AMR, MP3, MP4 or Ogg with Opus: it is WebM'
    expect([status, json.details.issues]).toEqual([400, [{ path: '/link', message }]])
    expect(uploads()).toEqual([])
    const refused = await post(files.vorbis, 'a.ogg')
    expect(refused.json.details.issues[0].message).toEndWith('it is Ogg with another codec than Opus')
  })
})

describe('a document has the name that is known', () => {
  const link = () => `${server.url}/a/Invoice%20No%2017.pdf?token=x`
  const header = (values: object) => ({ type: 'template', phone, templateName: 'invoice', templateVariables: values })

  test.each<[string, () => Promise<object> | object]>([
    ['by its link', () => ({ type: 'document', phone, link: link() })],
    [
      'by the id of a file here',
      async () => ({ type: 'document', phone, mediaId: await kept(files.pdf, 'Invoice No 17.pdf') }),
    ],
    [
      'by the id of the platform',
      async () => ({ type: 'document', phone, mediaId: await uploaded(files.pdf, 'Invoice No 17.pdf') }),
    ],
    ['in a header, by its link', () => header({ header_link: link() })],
    [
      'in a header, by the id of a file here',
      async () => header({ header: await kept(files.pdf, 'Invoice No 17.pdf') }),
    ],
    [
      'in a header, by the id of the platform',
      async () => header({ header: await uploaded(files.pdf, 'Invoice No 17.pdf') }),
    ],
  ])('%s', async (_, body) => {
    expect((await gateway.send({ ...(await body()) })).status).toBe(201)
    expect(lastDocument()).toEqual({ id: expect.stringMatching(/^\d+$/), filename: 'Invoice No 17.pdf' })
  })

  test('as a client of the platform sends it', async () => {
    const id = await uploaded(files.pdf, 'Invoice No 17.pdf')
    const path = `/${gateway.line.upstreamPhoneId}/messages`
    const send = (document: object) =>
      client().json(path, 'POST', { messaging_product: 'whatsapp', to: phone, type: 'document', document }, { token })
    expect((await send({ id })).status).toBe(200)
    expect(lastDocument()).toEqual({ id, filename: 'Invoice No 17.pdf' })
    await send({ id, filename: 'Other.pdf' })
    expect(lastDocument()).toEqual({ id, filename: 'Other.pdf' })
  })

  test('the name that is given counts, and one that is none is refused', async () => {
    const mediaId = await kept(files.pdf, 'Invoice No 17.pdf')
    await gateway.send(header({ header: mediaId, header_filename: 'Yours.pdf' }))
    expect(lastDocument()).toMatchObject({ filename: 'Yours.pdf' })
    const rule =
      'must be the name of a file: without a folder, control characters and signs that turn the direction of writing'
    for (const name of ['../../etc/passwd', 'a\nb.pdf', 'a\u202efdp.exe', 'a\0.pdf']) {
      const free = await gateway.send({ type: 'document', phone, mediaId, fileName: name })
      expect([free.status, free.json.details.issues[0].path]).toEqual([400, '/fileName'])
      const filled = await gateway.send(header({ header: mediaId, header_filename: name }))
      expect([filled.status, filled.json.details.issues[0].path]).toEqual([400, '/templateVariables/header_filename'])
    }
    const { json } = await gateway.send({ type: 'document', phone, mediaId, fileName: 'a/b' })
    expect(json.details.issues).toEqual([{ path: '/fileName', message: rule }])
  })

  test('one that is given with a file is cleaned', async () => {
    const { json } = await post(files.pdf, 'a\u202efdp.exe')
    expect(json.data.fileName).toBe('a_fdp.exe')
  })
})

describe('a private file in a template', () => {
  test('stands in the header of each card by the id of a file here', async () => {
    const mediaId = await kept(files.png, 'aloe.png')
    const cards = [0, 1].map(index => ({ index, header: { format: 'image', id: mediaId } }))
    const { status } = await gateway.send({ type: 'template', phone, templateName: 'plants', carousel: { cards } })
    expect([status, uploads().length]).toEqual([201, 1])
    expect(JSON.stringify(sent()[0])).toContain(`{"type":"image","image":{"id":"${lastId}"}}`)
  })

  test("another workspace's is as none", async () => {
    const other = await gateway.addWorkspace()
    const form = formOf(files.pdf, 'secret.pdf')
    const init = { method: 'POST', headers: { ...other.key }, body: form }
    const { json } = await answerOf(fetch(`${gateway.url}/api/v1/public/media`, init))
    const refused = await gateway.send({
      ...{ type: 'template', phone, templateName: 'invoice' },
      templateVariables: { header: json.data.id },
    })
    expect([refused.status, refused.json.message]).toEqual([
      404,
      'templateVariables/header names no file of this workspace.',
    ])
  })
})
