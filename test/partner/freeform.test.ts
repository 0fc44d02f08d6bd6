import { beforeEach, describe, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { contentToSend, requestAgain } from '../../src/sending/again.ts'
import { ManualClock } from '../clock.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { accept, type Received } from '../upstream.ts'
import { phone, sentAt, userWrites } from './inboundMessages.ts'

const clock = new ManualClock((sentAt + 60) * 1_000)
const files = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: request => {
    const bytes = fileBytes[new URL(request.url).pathname.slice(1)]
    return bytes ? new Response(Uint8Array.from(bytes)) : new Response('', { status: 404 })
  },
})
const letters = (text: string) => [...text].map(letter => letter.charCodeAt(0))
/** As much of each type as shows what it is. */
const fileBytes: Readonly<Record<string, number[]>> = {
  image: [0xff, 0xd8, 0xff, 0xe0],
  video: [0, 0, 0, 0x18, ...letters('ftypmp42')],
  document: letters('%PDF-1.7'),
  audio: [...letters('OggS'), ...Array(22).fill(0), 1, 19, ...letters('OpusHead'), 1, 1],
  sticker: [...letters('RIFF'), 0, 0, 0, 0, ...letters('WEBP')],
}

const gateway = sharedFixture(() =>
  startTestGateway({
    clock,
    env: { MEDIA_ALLOWED_NETWORKS: '127.0.0.0/8', PUBLIC_IP_RATE_LIMIT: '10000', PUBLIC_API_KEY_RATE_LIMIT: '10000' },
  }),
)
const uploaded = (request: Received) =>
  request.path.endsWith('/media') ? Response.json({ id: '77' }) : accept(request)
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = uploaded
})

/** What the upstream got as the content of the only message. */
function contentSent() {
  const [request, ...more] = gateway.upstream.received.filter(({ path }) => path.endsWith('/messages'))
  expect(more).toEqual([])
  const {
    messaging_product: _product,
    recipient_type: _kind,
    to: _to,
    biz_opaque_callback_data: _id,
    ...content
  } = request?.json ?? {}
  return content
}

const card = {
  name: { formattedName: 'Ada Lovelace', firstName: 'Ada' },
  phones: [{ phone: '+49 151', waId: '49151', type: 'WORK' }],
  org: { company: 'Acme' },
  birthday: '1815-12-10',
}

/** A send of each type, and the upstream's content of it. */
const rows: readonly [name: string, fields: object, content: object][] = [
  [
    'a place',
    { type: 'location', latitude: 52.5, longitude: 13.4, name: 'Gate', address: 'Platz 1' },
    { type: 'location', location: { latitude: 52.5, longitude: 13.4, name: 'Gate', address: 'Platz 1' } },
  ],
  [
    'a place as an answer',
    { type: 'location', latitude: 52.5, longitude: 13.4, replyTo: 'wamid.y' },
    { context: { message_id: 'wamid.y' }, type: 'location', location: { latitude: 52.5, longitude: 13.4 } },
  ],
  [
    'cards',
    { type: 'contacts', contacts: [card, { name: { formattedName: 'Bob' } }] },
    {
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Ada Lovelace', first_name: 'Ada' },
          phones: [{ phone: '+49 151', wa_id: '49151', type: 'WORK' }],
          org: { company: 'Acme' },
          birthday: '1815-12-10',
        },
        { name: { formatted_name: 'Bob' } },
      ],
    },
  ],
  [
    'a reaction',
    { type: 'reaction', messageId: 'wamid.x', emoji: '👨‍👩‍👧' },
    { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👨‍👩‍👧' } },
  ],
  [
    'a reaction that is taken back',
    { type: 'reaction', messageId: 'wamid.x', emoji: '' },
    { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '' } },
  ],
  [
    'a picture by the id of an upload',
    { type: 'image', mediaId: '155', caption: 'Hi' },
    { type: 'image', image: { id: '155', caption: 'Hi' } },
  ],
  [
    'a document with its name',
    { type: 'document', mediaId: '155', fileName: 'bill.pdf', replyTo: 'wamid.y' },
    { context: { message_id: 'wamid.y' }, type: 'document', document: { id: '155', filename: 'bill.pdf' } },
  ],
  [
    'a voice message',
    { type: 'audio', mediaId: '155', voice: true },
    { type: 'audio', audio: { id: '155', voice: true } },
  ],
  [
    'a text with a preview',
    { type: 'text', content: 'https://acme.example', previewUrl: true },
    { type: 'text', text: { body: 'https://acme.example', preview_url: true } },
  ],
]

describe('201: a free-form message', () => {
  test.each(rows)('%s reaches the upstream in its own form', async (_, fields, content) => {
    const { status, json } = await gateway.send({ phone, ...fields })
    expect([status, json.data?.status]).toEqual([201, 'SENT'])
    expect(contentSent()).toEqual(content as never)
  })

  test.each(rows)('%s is sent again as it was', async (_, fields) => {
    const { json } = await gateway.send({ phone, ...fields })
    const before = contentSent()
    const { read } = gateway.gateway.store
    const [message, payload] = await Promise.all([read.message(json.data.id), read.messageContent(json.data.id)])
    const sent = contentToSend(payload ?? '')
    if (!message || !sent) throw new Error('it cannot be sent again')
    const { content, replyTo } = requestAgain(message, sent, 'again')
    const body =
      content.type === 'text' ? { type: 'text', content: content.body, previewUrl: content.previewUrl } : content
    gateway.upstream.received.length = 0
    await gateway.send({ phone, ...body, ...(replyTo !== null && { replyTo }) })
    expect(contentSent()).toEqual(before)
  })

  test.each(Object.keys(fileBytes))(
    '%s by its link: fetched, checked, uploaded once, and sent by its id',
    async type => {
      const link = `${files.url}${type}`
      expect((await gateway.send({ type, phone, link })).status).toBe(201)
      expect(contentSent()).toEqual({ type, [type]: { id: '77', ...(type === 'document' && { filename: type }) } })
      expect((await gateway.send({ type, phone, link })).status).toBe(201)
      expect(gateway.upstream.received.filter(({ path }) => path.endsWith('/media'))).toHaveLength(1)
    },
  )

  test('400 VALIDATION_ERROR: a file of another type is named at its link, and nothing is sent', async () => {
    const { status, json } = await gateway.send({ type: 'sticker', phone, link: `${files.url}document` })
    expect([status, json.details.issues]).toEqual([
      400,
      [{ path: '/link', message: 'the file is not a WebP picture: it is application/pdf' }],
    ])
    expect(gateway.upstream.received).toEqual([])
  })
})

describe('400 VALIDATION_ERROR', () => {
  const reaction = { type: 'reaction', messageId: 'wamid.x' }
  test.each<[name: string, fields: object, paths: string[]]>([
    ['neither link nor mediaId', { type: 'image' }, ['/link']],
    ['both', { type: 'image', link: 'https://acme.example/a.png', mediaId: '1' }, ['/mediaId']],
    ['a link that is no web address', { type: 'video', link: 'ftp://acme.example/a' }, ['/link']],
    ['a mediaId that is no id', { type: 'video', mediaId: 'a/b' }, ['/mediaId']],
    ['a caption of spaces', { type: 'image', mediaId: '1', caption: ' ' }, ['/caption']],
    ['a caption where none is shown', { type: 'sticker', mediaId: '1', caption: 'x' }, ['/caption']],
    ['a place beyond the pole', { type: 'location', latitude: 90.1, longitude: 0 }, ['/latitude']],
    ['a place as text', { type: 'location', latitude: '5', longitude: 0 }, ['/latitude']],
    ['no card', { type: 'contacts', contacts: [] }, ['/contacts']],
    ['a card without a name', { type: 'contacts', contacts: [{ phones: [] }] }, ['/contacts/0/name']],
    [
      'a card in the form of the upstream',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'A' } }] },
      ['/contacts/0/name/formatted_name', '/contacts/0/name/formattedName'],
    ],
    ['two emoji', { ...reaction, emoji: '👍👍' }, ['/emoji']],
    ['a letter as emoji', { ...reaction, emoji: 'a' }, ['/emoji']],
    ['a digit as emoji', { ...reaction, emoji: '1' }, ['/emoji']],
    ['a reply that is a reaction', { ...reaction, emoji: '👍', replyTo: 'wamid.x' }, ['/replyTo']],
    [
      'a window for a template',
      { type: 'template', templateName: 'a', templateVariables: {}, requireOpenWindow: true },
      ['/requireOpenWindow'],
    ],
  ])('%s', async (_, fields, paths) => {
    const { status, json } = await gateway.send({ phone, ...fields })
    expect([status, json.error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(json.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual(paths.toSorted())
    expect(gateway.upstream.received).toEqual([])
  })
})

describe('a reply', () => {
  const sent = async (fields: object) => {
    gateway.upstream.received.length = 0
    const answer = await gateway.send({ type: 'text', phone, content: 'Hi', ...fields })
    return answer.status === 201 ? contentSent().context : `${answer.status} ${answer.json.error}`
  }

  test("201: is to a user's message or to an own one, by our id", async () => {
    const { channelMessageId } = await userWrites(gateway, gateway, {})
    const inbound = await gateway.get('/api/v1/public/inbound')
    const { id } = inbound.json.data.at(-1)
    expect(await sent({ replyTo: id })).toEqual({ message_id: channelMessageId })
    const own = (await gateway.send({ type: 'text', phone, content: 'First' })).json.data
    expect(await sent({ replyTo: own.id })).toEqual({ message_id: own.channelMessageId })
  })

  test('404 NOT_FOUND: nobody answers what another workspace has, or what never was', async () => {
    const other = await gateway.addWorkspace()
    const { json } = await gateway.send({ type: 'text', phone, content: 'Theirs' }, { ...other.key })
    for (const replyTo of [json.data.id, 'msg_nothing', 'inb_nothing'])
      expect(await sent({ replyTo })).toBe('404 NOT_FOUND')
  })

  test('400 VALIDATION_ERROR: a message that the upstream has not accepted cannot be answered', async () => {
    gateway.upstream.answer = () => new Response('', { status: 502 })
    const { json } = await gateway.send({ type: 'text', phone, content: 'Lost' })
    gateway.upstream.answer = accept
    expect([json.data.status, await sent({ replyTo: json.data.id })]).toEqual(['UNKNOWN', '400 VALIDATION_ERROR'])
  })
})

describe('requireOpenWindow', () => {
  test('409 WINDOW_CLOSED: nobody wrote, or not for a day, or to another line; else it is sent', async () => {
    const own = await gateway.addWorkspace()
    const key = { ...own.key }
    const send = (to: object) => gateway.send({ type: 'text', content: 'Hi', requireOpenWindow: true, ...to }, key)
    const stranger = await send({ phone: '+15550100999', idempotencyKey: 'window' })
    expect([stranger.status, stranger.json.error]).toEqual([409, 'WINDOW_CLOSED'])
    expect(gateway.upstream.received).toEqual([])
    await userWrites(gateway, own, { timestamp: String(Math.floor(clock.now() / 1_000)) })
    expect((await send({ phone })).status).toBe(201)
    const found = await gateway.get(`/api/v1/public/contacts?phone=${phone.slice(1)}`, own.key)
    expect((await send({ contactId: found.json.data.id })).status).toBe(201)
    const second = await gateway.addLine({ workspaceId: own.workspaceId, channelId: own.channelId })
    expect((await send({ phone, phoneNumberId: second.id })).status).toBe(409)
    clock.advance(24 * hourMs)
    expect((await send({ phone, phoneNumberId: own.line.id })).status).toBe(409)
  })
})
