import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { newId } from '../../../src/base/ids.ts'
import { paceMs } from '../../../src/http/limits.ts'
import { ManualClock } from '../../clock.ts'
import { eventually } from '../../eventually.ts'
import { sharedFixture } from '../../fixture.ts'
import { startTestGateway, type Tenant } from '../../gateway.ts'
import { graphError, type Received } from '../../upstream.ts'
import { type Asked, failure, graphClient, reached } from './graphClient.ts'

/* Examples for headers of templates are uploaded by the platform's own calls (docs/drop-in.md#examples-of-templates). */

const clock = new ManualClock(Date.UTC(2026, 2, 29, 1, 30))
const gateway = sharedFixture(() => startTestGateway({ clock, env: { GRAPH_API: 'on' } }))
const session = 'upload:MTphdHRhY2htZW50OjY5ZDA1ZjBi==?sig=ARaNq9F2b7I4hCwV5bk'
const handle = '4::aW1hZ2UvcG5n:ARb:e:1681000441:670843887433847:1:ARc'
const pdf = '%PDF-1.4 an example'
const mib = 1_048_576

/** The platform's side: what comes, and after how many bytes it is whole. */
const uploading = ({ method, path, text }: Received) =>
  path.includes('/uploads?')
    ? Response.json({ id: session })
    : method === 'GET' || text.length < pdf.length
      ? Response.json({ id: session, file_offset: text.length || 7 })
      : Response.json({ h: handle })

let client: ReturnType<typeof graphClient>
let token = ''
let other: Tenant
let stranger = ''
beforeAll(async () => {
  client = graphClient(gateway)
  token = await client.tokenOf(['graph', 'templates:write'])
  other = await gateway.addWorkspace()
  stranger = await client.tokenOf(['graph', 'graph:pass', 'templates:write'], other)
})
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = uploading
})

const ask = (path: string, init: Asked = {}) => client.ask(`/v23.0${path}`, { token, ...init })
const post = (path: string, init: Asked = {}) => ask(path, { method: 'POST', ...init })
const described = (more: object = {}) =>
  String(
    new URLSearchParams({
      file_name: 'offer.pdf',
      file_length: `${pdf.length}`,
      file_type: 'application/pdf',
      ...more,
    }),
  )
/** @returns the id of an upload that was begun */
async function begun(more: object = {}, by: Asked = {}): Promise<string> {
  const { json } = await post(`/670843887433847/uploads?${described(more)}`, by)
  gateway.upstream.received.length = 0
  return json.id
}
const details = async (answering: ReturnType<typeof ask>) => {
  const answer = await answering
  return `${failure(answer)} ${answer.json.error.error_data.details}`
}

async function emptyWorkspace(): Promise<string> {
  const id = newId('ws')
  await gateway.gateway.store.write.createWorkspace({ id, name: 'Apps', monthlyMessageLimit: null, createdAt: 1 })
  return id
}

/** @returns a line of a new account */
function connect(workspaceId: string, accountId: string, accessToken: string, appId: string | null = null) {
  const id = newId('chan')
  const secrets = { accessToken: `token-${accessToken}`, appSecret: 'a', verifyToken: 'v' }
  const { store, credentials } = gateway.gateway
  const account = { id, workspaceId, accountId, appId, ...credentials.seal(id, secrets), createdAt: 1, updatedAt: 1 }
  return store.write.connectChannel(account).then(() => gateway.addLine({ workspaceId, channelId: id }))
}

describe('an upload', () => {
  test('is begun, written, looked at and ended as at the platform, with the token of the gateway', async () => {
    const { status, json } = await post(`/670843887433847/uploads?${described()}`)
    expect([status, json]).toEqual([200, { id: expect.stringMatching(/^upload:[\w-]+$/) }])
    const oauth = { authorization: `OAuth ${token}` }
    const half = { method: 'POST', token: null, headers: { ...oauth, file_offset: '0' }, body: pdf.slice(0, 7) }
    expect((await ask(`/${json.id}`, half)).json).toEqual({ id: json.id, file_offset: 7 })
    // Some write the id into an address with its colon escaped, and the scheme in small letters.
    const encoded = encodeURIComponent(json.id)
    const headers = { authorization: `oauth ${token}` }
    expect((await ask(`/${encoded}`, { token: null, headers })).json).toEqual({ id: encoded, file_offset: 7 })
    const rest = { body: pdf, headers: { file_offset: '7', 'content-type': 'application/pdf' } }
    expect((await post(`/${json.id}`, rest)).json).toEqual({ h: handle })

    const uploads = '/app/uploads?file_name=offer.pdf&file_length=19&file_type=application%2Fpdf'
    expect(reached(gateway)).toEqual([`POST ${uploads}`, `POST /${session}`, `GET /${session}`, `POST /${session}`])
    const sent = gateway.upstream.received.map(({ headers: given, text }) =>
      [given.get('authorization'), given.get('file_offset'), text].join(' '),
    )
    expect(sent).toEqual([
      'Bearer access-token  ',
      `OAuth access-token 0 ${pdf.slice(0, 7)}`,
      'OAuth access-token  ',
      `OAuth access-token 7 ${pdf}`,
    ])
  })

  test.each<[string, Asked]>([
    ['in chunks, without an offset', { body: new Blob([pdf]).stream() }],
    ['with the token in the address', { token: null, body: pdf }],
  ])('is written %s', async (_how, init) => {
    const query = init.token === null ? `?access_token=${token}` : ''
    expect((await post(`/${await begun()}${query}`, init)).json).toEqual({ h: handle })
    expect(reached(gateway)).toEqual([`POST /${session}`])
    expect([gateway.upstream.received[0]?.text, gateway.upstream.received[0]?.headers.get('file_offset')]).toEqual([
      ...[pdf, '0'],
    ])
  })

  test.each([
    ['a body', '', { file_length: 19, file_type: 'application/pdf' }, {}],
    ['the query, beside an empty body', described(), {}, { file_name: 'offer.pdf' }],
    ['both', 'file_length=19', { file_type: 'application/pdf', messaging_product: 'whatsapp' }, {}],
  ])('is described in %s', async (_where, query, body, named) => {
    expect((await client.json(`/app/uploads?${query}`, 'POST', body, { token })).status).toBe(200)
    const [{ path } = { path: '' }] = gateway.upstream.received
    const given = Object.fromEntries(new URL(path, 'http://x').searchParams)
    expect(given).toEqual({ ...named, file_length: '19', file_type: 'application/pdf' })
  })

  test('needs the scope that makes templates', async () => {
    const id = await begun()
    const narrow = await client.tokenOf(['graph', 'graph:pass', 'messages:send', 'media', 'templates:read'])
    const calls = [post(`/app/uploads?${described()}`, { token: narrow }), post(`/${id}`, { token: narrow, body: pdf })]
    for (const call of [...calls, ask(`/${id}`, { token: narrow })])
      expect(await details(call)).toBe('403 10 The API key may not do this: it lacks the scope templates:write.')
    expect(reached(gateway)).toEqual([])
  })
})

describe('the app', () => {
  const start = (id: string, by: string) => post(`/${id}/uploads?${described()}`, { token: by })
  const apps = () => reached(gateway).map(call => /^POST \/(\w+)\/uploads/.exec(call)?.[1])
  const tokens = () => gateway.upstream.received.map(({ headers }) => headers.get('authorization'))

  test('is that of the account, where it is set; with lines of several apps, the client says which', async () => {
    const workspaceId = await emptyWorkspace()
    const add = (...account: [string, string, string | null]) => connect(workspaceId, ...account)
    const by = await client.tokenOf(['graph', 'templates:write'], { workspaceId })
    expect(failure(await start('app', by))).toBe('400 100')
    await add('100010', 'a', '7001')
    expect((await start('42', by)).status).toBe(200)
    // Of the same app: by its token, or by its id.
    await add('100011', 'a', null)
    await add('100012', 'b', '7001')
    expect((await start('42', by)).status).toBe(200)
    const last = await add('100013', 'c', '7002')
    expect(apps()).toEqual(['7001', '7001'])
    gateway.upstream.received.length = 0

    expect(await details(start('42', by))).toStartWith('400 100 The lines of the API key belong to several apps')
    for (const id of ['7002', '100013', last.upstreamPhoneId, '100011']) expect((await start(id, by)).status).toBe(200)
    expect(apps()).toEqual(['7002', '7002', '7002', 'app'])
    expect(tokens()).toEqual([...Array(3).fill('Bearer token-c'), 'Bearer token-a'])
    const narrow = await client.tokenOf(['graph', 'templates:write'], { workspaceId, lineIds: [last.id] })
    expect((await start('7001', narrow)).status).toBe(200)
    expect(tokens().at(-1)).toBe('Bearer token-c')
  })
})

describe('an upload of others', () => {
  test('is as one that never was: neither written nor looked at, with any scope', async () => {
    const id = await begun()
    const never = `upload:${'A'.repeat(400)}`
    // The platform's own id is none here.
    const ids = [
      id,
      never,
      session,
      `${id.slice(0, -4)}AAAA`,
      'upload:',
      'upload',
      'upload:%00',
      `upload:${'A'.repeat(9_000)}`,
    ]
    const answers = await Promise.all(
      ids.flatMap(each => [ask(`/${each}`, { token: stranger }), post(`/${each}`, { token: stranger, body: pdf })]),
    )
    expect(answers.map(failure)).toEqual(answers.map(() => '400 100'))
    const [theirs, , none] = answers.map(({ json }) => ({ ...json.error, fbtrace_id: '' }))
    expect(theirs).toEqual(none)
    expect([theirs.error_subcode, theirs.error_data.details]).toEqual([33, expect.stringContaining('has begun here')])
    expect(reached(gateway)).toEqual([])
    expect((await post(`/${id}`, { body: pdf })).json).toEqual({ h: handle })
  })

  test('of an account of which the key has no line, is none', async () => {
    const workspaceId = await emptyWorkspace()
    const [first, second] = [await connect(workspaceId, '100020', 'a'), await connect(workspaceId, '100021', 'b')]
    const tokenFor = (lineIds: string[] | null) =>
      client.tokenOf(['graph', 'templates:write'], { workspaceId, lineIds })
    const { json } = await post(`/100020/uploads?${described()}`, { token: await tokenFor(null) })
    gateway.upstream.received.length = 0
    const answers = [second, first].map(async line => ask(`/${json.id}`, { token: await tokenFor([line.id]) }))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 200])
    expect(reached(gateway)).toHaveLength(1)
  })

  test.each(['DELETE', 'PUT'])('%s is no call of an upload, and none goes on behind its id', async method => {
    const id = await begun()
    expect(failure(await ask(`/${id}`, { method }))).toBe('400 100')
    expect(failure(await post(`/${id}/uploads`))).toBe('400 100')
    expect(failure(await ask(`/${id}/x/y`))).toBe('400 100')
    expect(reached(gateway)).toEqual([])
  })
})

describe('refused here, with what is wrong', () => {
  test.each([
    [{ file_length: '0' }, /^file_length: must be the size of the file in bytes, from 1 to 104857600$/],
    [{ file_length: '' }, /^file_length: /],
    [{ file_length: '-1' }, /^file_length: /],
    [{ file_length: '1e3' }, /^file_length: /],
    [{ file_length: '1.5' }, /^file_length: /],
    [{ file_length: `${100 * mib + 1}` }, /^file_length: .+ 104857600$/],
    [{ file_type: 'image/png', file_length: `${5 * mib + 1}` }, /^file_length: .+ 5242880$/],
    [{ file_type: 'video/mp4', file_length: `${16 * mib + 1}` }, /^file_length: .+ 16777216$/],
    [{ file_type: '' }, /^file_type: is required: the type of the file, such as image\/png$/],
    [{ file_name: 'a'.repeat(241) }, /^file_name: must be a text of at most 240 characters$/],
    [{ file_type: '', file_length: '' }, /^file_type: .+; file_length: /],
    [{ method: 'delete' }, /^method: is not passed on$/],
    [{ fields: 'app{secret}' }, /^fields: must be names/],
  ])('a start with %j', async (more, words) => {
    expect(await details(post(`/app/uploads?${described(more)}`))).toMatch(
      new RegExp(`^400 100 ${words.source.slice(1)}`),
    )
    expect(reached(gateway)).toEqual([])
  })

  test('a start whose body is a form, a list, or names more than an upload has', async () => {
    const send = (body: string | URLSearchParams) => details(post(`/app/uploads?${described()}`, { body }))
    expect(await send(new URLSearchParams({ file_length: '19' }))).toContain('is not readable JSON')
    expect(await send('[]')).toContain('must be an object')
    expect(await send('{"file_name":{"a":1}}')).toContain('file_name: must be a text')
    expect(await send('{"access_token":"x"}')).toContain('access_token: is not passed on')
    expect(reached(gateway)).toEqual([])
  })

  test.each([
    ['more bytes than it was begun with', { body: `${pdf}.` }, '413 100 The body is larger than 19 bytes.'],
    ['so many in chunks', { body: new Blob([pdf, pdf]).stream() }, '413 100 The body is larger than 19 bytes.'],
    [
      'an offset in words',
      { body: pdf, headers: { file_offset: 'end' } },
      '400 100 file_offset: must be a number of bytes',
    ],
    [
      'a negative offset',
      { body: pdf, headers: { file_offset: '-1' } },
      '400 100 file_offset: must be a number of bytes',
    ],
    ['a form', { body: new FormData() }, '400 100 body: must be the file itself, not a form with it'],
    ['compressed bytes', { body: pdf, headers: { 'content-encoding': 'gzip' } }, '400 100 The body is compressed: '],
  ])('%s', async (_what, init, words) => {
    expect(await details(post(`/${await begun()}`, init))).toStartWith(words)
    expect(reached(gateway)).toEqual([])
  })
})

describe('what the platform says', () => {
  test('of a type or an offset that it does not take, comes with its code, words and status', async () => {
    const id = await begun()
    const message = '(#100) Param file_type must be one of {application/pdf, image/jpeg}'
    gateway.upstream.answer = () => graphError(400, { code: 100, message })
    for (const answer of [await post(`/app/uploads?${described({ file_type: 'image/webp' })}`), await ask(`/${id}`)])
      expect([failure(answer), answer.json.error.message]).toEqual(['400 100', message])
    gateway.upstream.answer = () => graphError(400, { code: 100, error_subcode: 33, message: `No object ${session}` })
    for (const ended of [await ask(`/${id}`), await post(`/${id}`, { body: pdf })])
      expect([failure(ended), ended.text]).toEqual(['400 100', expect.stringContaining('and that is open')])
    const told = { debug_info: { retriable: false, type: 'OffsetInvalidError', message: 'Offset is invalid' } }
    gateway.upstream.answer = () => Response.json(told, { status: 412 })
    const { status, json } = await post(`/${id}`, { body: pdf, headers: { file_offset: '3' } })
    expect([status, json.error.message]).toEqual([412, '(#131016) Offset is invalid'])
    gateway.upstream.answer = () => Response.json({ ...told, error: { code: 100, message } }, { status: 400 })
    expect((await post(`/${id}`, { body: pdf })).json.error.message).toBe(message)
  })

  test('with its own id of the upload, our token, or nothing that is an upload, is handed on to nobody', async () => {
    const id = await begun()
    for (const answer of [{}, { id: 'upload:../me' }, { id: 7 }, { id: 'upload:a b' }, { h: 'access-token' }]) {
      gateway.upstream.answer = () => Response.json(answer)
      expect(failure(await post(`/app/uploads?${described()}`))).toBe('502 131016')
      expect(failure(await ask(`/${id}`))).toBe('502 131016')
    }
    gateway.upstream.answer = () => graphError(400, { code: 190, message: 'Malformed access token access-token' })
    const refused = await post(`/${id}`, { body: pdf })
    expect([failure(refused), refused.text]).toEqual(['502 131016', expect.not.stringContaining('access-token')])
  })
})

describe('files that come', () => {
  /** Begins to write a file as large as it was begun with, and sends nothing of it. */
  async function writing(bytes: number, by = token) {
    const id = await begun({ file_length: `${bytes}` }, { token: by })
    const { hostname, port } = new URL(gateway.url)
    const { promise: answered, resolve } = Promise.withResolvers<string>()
    let isOver = false
    const data = (_socket: unknown, answer: Buffer) => {
      isOver = true
      resolve(answer.toString())
    }
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data } })
    const head = [`POST /graph/${id} HTTP/1.1`, 'Host: x', `Authorization: OAuth ${by}`, `Content-Length: ${bytes}`]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    return { answered, isOver: () => isOver, end: () => socket.end() }
  }

  test('of the largest size find room beside a small one of another workspace', async () => {
    const small = await writing(2 * mib, stranger)
    const large = await writing(100 * mib)
    const next = await begun()
    await eventually(async () => expect((await post(`/${next}`, { body: pdf })).status).toBe(503))
    expect([small.isOver(), large.isOver()]).toEqual([false, false])
    for (const each of [small, large]) each.end()
    await eventually(async () => expect((await post(`/${next}`, { body: pdf })).status).toBe(200))
  })

  test('are bounded by their sizes: what is beyond is refused, and of a workspace nobody else suffers', async () => {
    const id = await begun()
    const theirs = await begun({}, { token: stranger })
    const large = await writing(100 * mib)
    const refused = await eventually(async () => {
      const answer = await post(`/${id}`, { body: pdf })
      expect(answer.status).toBe(503)
      return answer
    })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(refused.json.error.error_data.details).toStartWith('Too many files are being uploaded.')
    expect((await post(`/${theirs}`, { body: pdf, token: stranger })).json).toEqual({ h: handle })
    large.end()
    await eventually(async () => expect((await post(`/${id}`, { body: pdf })).status).toBe(200))
  })

  test('too slowly are refused long before their time is over', async () => {
    const slow = await writing(mib)
    await eventually(() => {
      clock.advance(paceMs)
      expect(slow.isOver()).toBe(true)
    })
    const answer = await slow.answered
    expect(answer).toStartWith('HTTP/1.1 400 ')
    expect(answer).toContain('came too slowly')
    slow.end()
    expect(reached(gateway)).toEqual([])
  })
})
