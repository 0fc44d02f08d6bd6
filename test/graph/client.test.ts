import { describe, expect, test } from 'bun:test'
import type { Exchange, HttpRequest } from '../../src/transport/transport.ts'
import { freshFixture } from '../fixture.ts'
import { json, recordedClient } from './recordedClient.ts'

let answer: (request: HttpRequest) => Exchange

const client = freshFixture(() => recordedClient(request => answer(request)))

describe('send', () => {
  test('posts the payload as it is to the line, with the token and the time limit', async () => {
    answer = () => json(200, { messages: [{ id: 'wamid.1' }] })
    const payload = '{"to":"+49","text":{"body":"ü"}}'
    expect(await client.send({ upstreamPhoneId: '1065', accessToken: 'EAAG', payload })).toMatchObject({
      kind: 'accepted',
    })
    expect(client.asked).toEqual([
      {
        method: 'POST',
        url: 'https://graph.example.com/v25.0/1065/messages',
        headers: {
          authorization: 'Bearer EAAG',
          'accept-encoding': 'identity',
          'content-type': 'application/json',
        },
        body: payload,
        timeoutMs: 1_234,
      },
    ])
  })

  test('never repeats itself', async () => {
    answer = () => ({ kind: 'lost', why: 'reset' })
    expect(await client.send({ upstreamPhoneId: '1', accessToken: 't', payload: '{}' })).toMatchObject({
      kind: 'lost',
    })
    expect(client.asked).toHaveLength(1)
  })
})

describe('uploadMedia', () => {
  const pieces = [new Uint8Array([1, 2]), new Uint8Array([3])]
  const file = {
    upstreamPhoneId: '1065',
    accessToken: 'EAAG',
    file: pieces,
    mime: 'image/png',
    fileName: 'Ümläut 1.png',
  }

  const bodyOf = (request: HttpRequest | undefined) => Buffer.concat(request?.body as readonly Uint8Array[])

  test('posts a form with the product, the type and the file under its name and type', async () => {
    answer = () => json(200, { id: '1037543291543636' })
    expect(await client.uploadMedia(file)).toEqual({ kind: 'uploaded', mediaId: '1037543291543636' })
    const [request] = client.asked
    expect(request?.url).toBe('https://graph.example.com/v25.0/1065/media')
    const form = await new Response(bodyOf(request), {
      headers: { 'content-type': request?.headers['content-type'] ?? '' },
    }).formData()
    expect(form.get('messaging_product')).toBe('whatsapp')
    expect(form.get('type')).toBe('image/png')
    expect(await (form.get('file') as unknown as Blob).bytes()).toEqual(new Uint8Array([1, 2, 3]))
    const text = bodyOf(request).toString()
    expect(text).toMatch(/name="file"; filename="Ümläut 1.png"\r\nContent-Type: image\/png\r\n\r\n/)
  })

  test('the pieces of the file go over as they are: nothing copies them', async () => {
    answer = () => json(200, { id: '1' })
    await client.uploadMedia(file)
    const [body] = client.asked.map(request => request.body as readonly Uint8Array[])
    expect(pieces.map(piece => body?.includes(piece))).toEqual([true, true])
  })

  test('says no more of a text than is known: no charset', async () => {
    answer = () => json(200, { id: '1' })
    await client.uploadMedia({ ...file, mime: 'text/plain' })
    expect(bodyOf(client.asked[0]).toString('latin1')).not.toMatch(/charset/i)
  })

  const failures: readonly [name: string, exchange: Exchange, kind: string][] = [
    ['a refusal', json(400, { error: { code: 131053, message: 'm' } }), 'refused'],
    ['an answer without an id', json(200, {}), 'unreachable'],
    ['an id that comes with another status', json(500, { id: '1037543291543636' }), 'unreachable'],
    ['an answer that is not JSON', json(502, '<html>'), 'unreachable'],
    ['a lost answer', { kind: 'lost', why: 'reset' }, 'unreachable'],
    ['a request that never left', { kind: 'notSent', why: 'refused' }, 'unreachable'],
  ]
  test.each(failures)('%s is read as such', async (_, exchange, kind) => {
    answer = () => exchange
    expect((await client.uploadMedia(file)).kind).toBe(kind as never)
  })
})

describe('markRead', () => {
  const read = { upstreamPhoneId: '1065', accessToken: 'EAAG', channelMessageId: 'wamid.1' }

  test.each([
    [false, { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.1' }],
    [
      true,
      { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.1', typing_indicator: { type: 'text' } },
    ],
  ])('names the message to the line; while something is written: %p', async (typing, body) => {
    answer = () => json(200, { success: true })
    expect(await client.markRead({ ...read, typing })).toEqual({ kind: 'marked' })
    expect(client.asked.map(({ method, url }) => [method, url])).toEqual([
      ['POST', 'https://graph.example.com/v25.0/1065/messages'],
    ])
    expect(JSON.parse(String(client.asked[0]?.body))).toEqual(body)
  })

  test.each<[name: string, exchange: Exchange, end: object]>([
    [
      'a refusal of the message',
      json(400, { error: { code: 131009, message: 'm' } }),
      { kind: 'refused', fault: { fault: 'request' } },
    ],
    [
      'a refusal of the line',
      json(400, { error: { code: 100, error_subcode: 33, message: "Object with ID '1065' does not exist" } }),
      { kind: 'refused', fault: { fault: 'upstream', errorClass: 'accountStop' } },
    ],
    ['an answer that does not say so', json(200, {}), { kind: 'unreachable' }],
    ['a lost answer', { kind: 'lost', why: 'reset' }, { kind: 'unreachable', why: 'reset' }],
    ['a request that never left', { kind: 'notSent', why: 'refused' }, { kind: 'unreachable', why: 'refused' }],
  ])('%s is read as such', async (_, exchange, end) => {
    answer = () => exchange
    expect(await client.markRead({ ...read, typing: false })).toMatchObject(end)
    expect(client.asked).toHaveLength(1)
  })
})

describe('listNumbers', () => {
  const list = () => client.listNumbers({ accountId: '100001', accessToken: 'EAAG' })

  test('asks for the status too, and reads what each record says', async () => {
    answer = () =>
      json(200, {
        data: [
          { id: '1906', display_phone_number: '+1 631-555-5555', verified_name: 'Acme', quality_rating: 'GREEN' },
          {
            id: 1907,
            status: 'CONNECTED',
            whatsapp_business_manager_messaging_limit: 'TIER_2K',
            messaging_limit_tier: null,
          },
          { display_phone_number: '+1 631-555-5556' },
          null,
        ],
      })
    expect(await list()).toEqual({
      kind: 'listed',
      numbers: [
        {
          ...{ id: '1906', displayNumber: '+1 631-555-5555', name: 'Acme', quality: 'GREEN' },
          ...{ status: null, messagingLimit: null },
        },
        {
          ...{ id: '1907', displayNumber: null, name: null, quality: null },
          ...{ status: 'CONNECTED', messagingLimit: 'TIER_2K' },
        },
      ],
    })
    const { pathname, searchParams } = new URL(client.asked[0]?.url ?? '')
    expect(pathname).toBe('/v25.0/100001/phone_numbers')
    expect(searchParams.get('fields')?.split(',')).toContain('status')
  })

  test('of a version without the limit of the portfolio, the older one of the number is read', async () => {
    const words =
      '(#100) Tried accessing nonexisting field (whatsapp_business_manager_messaging_limit) on node type (X)'
    answer = ({ url }) =>
      url.includes('whatsapp_business_manager_messaging_limit')
        ? json(400, { error: { message: words, code: 100, type: 'OAuthException' } })
        : json(200, { data: [{ id: '1906', messaging_limit_tier: 'TIER_1K' }] })
    expect(await list()).toMatchObject({ numbers: [{ id: '1906', messagingLimit: 'TIER_1K' }] })
  })

  test.each([
    [404, 'Not here'],
    [401, '<html>Sign in to the proxy</html>'],
    [403, '{"message":"Forbidden"}'],
  ])('what another program answers says nothing of the token: %d', async (status, body) => {
    answer = () => ({ ...json(status, {}), body }) as Exchange
    expect(await list()).toEqual({
      kind: 'failed',
      message:
        `the upstream platform answered HTTP ${status}, and nothing in its own form. Check CHANNEL_API_URL, and what ` +
        'is on the way to it',
    })
  })

  test('says why the upstream refused, without the token', async () => {
    answer = () => json(401, { error: { message: 'Malformed access token EAAG', code: 190, fbtrace_id: 'x' } })
    const listing = await list()
    expect(listing).toMatchObject({ kind: 'failed', message: expect.stringContaining('code 190') })
    expect(JSON.stringify(listing)).not.toContain('EAAG')
  })
})

describe('listTemplates', () => {
  const template = (name: string) => ({
    id: '1',
    name,
    language: 'en_US',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [],
  })
  const list = () => client.listTemplates({ accountId: '100001', accessToken: 'EAAG' })

  test('leaves out what Direct Send has made: it is approved, and nobody can send it', async () => {
    const made = [{ ...template('t1'), source: 'AUTO_GENERATED' }, template('auto_generated_text_1')]
    answer = () => json(200, { data: [...made, template('t2')] })
    expect(await list()).toMatchObject({ templates: [{ name: 't2' }], skipped: 0 })
  })

  const cursorOf = ({ url }: HttpRequest) => new URL(url).searchParams.get('after')

  test('reads every page by its cursor, at our own address and never at the one in the answer', async () => {
    answer = request => {
      const page = Number(cursorOf(request) ?? '0')
      const next = page < 2 ? { next: 'https://evil.example.com/steal' } : {}
      return json(200, { data: [template(`t${page}`)], paging: { cursors: { after: String(page + 1) }, ...next } })
    }
    const listing = await list()
    expect(listing).toMatchObject({ kind: 'listed', templates: [{ name: 't0' }, { name: 't1' }, { name: 't2' }] })
    expect(client.asked.map(({ url }) => new URL(url).host)).toEqual(Array(3).fill('graph.example.com'))
    expect(new URL(client.asked[0]?.url ?? '').searchParams.get('fields')).toContain('parameter_format')
  })

  test('a page that fails fails the listing: what is missing must not count as deleted', async () => {
    const later: readonly Exchange[] = [
      { kind: 'lost', why: 'reset' },
      { kind: 'notSent', why: 'refused' },
      json(500, '<html>'),
      json(200, {}),
      json(200, 'nonsense'),
      json(400, { error: { code: 190, message: 'Session has expired' } }),
    ]
    for (const second of later) {
      answer = request =>
        cursorOf(request) === null
          ? json(200, { data: [template('t')], paging: { next: 'x', cursors: { after: 'A' } } })
          : second
      expect((await list()).kind).toBe('failed')
    }
  })

  test('why it failed names the code and the words, and never the token', async () => {
    answer = () => json(400, { error: { code: 190, message: 'Session has expired' } })
    const listing = await list()
    expect(listing).toEqual({
      code: 190,
      kind: 'failed',
      message: 'the upstream platform refused (code 190): Session has expired',
    })
    expect(JSON.stringify(listing)).not.toContain('EAAG')
  })

  test('a cursor that repeats itself ends the listing, and so does a listing without end', async () => {
    answer = () => json(200, { data: [template('t')], paging: { next: 'x', cursors: { after: 'same' } } })
    await list()
    expect(client.asked).toHaveLength(2)
    let page = 0
    answer = () => {
      page += 1
      return json(200, { data: [], paging: { next: 'x', cursors: { after: String(page) } } })
    }
    await list()
    expect(page).toBe(100)
  })

  test('a record that cannot be read is counted and passed over, and its neighbours are kept', async () => {
    const { components: _components, ...incomplete } = template('t2')
    const data = [null, 5, [], {}, incomplete, template('t1'), { ...template('t4'), x: 1 }]
    answer = () => json(200, { data })
    expect(await list()).toMatchObject({ templates: [{ name: 't1' }, { name: 't4', x: 1 }], skipped: 5 })
  })

  test('a record is read whatever its id is: nothing is decided by it', async () => {
    const { id: _id, ...nameless } = template('t2')
    answer = () => json(200, { data: [{ ...template('t1'), id: 7 }, nameless] })
    const templates = [
      { id: '7', name: 't1' },
      { id: '', name: 't2' },
    ]
    expect(await list()).toMatchObject({ templates, skipped: 0 })
  })
})

describe('subscribe', () => {
  const call = {
    accountId: '100001',
    accessToken: 'EAAG',
    callbackUrl: 'https://waypost.example.com/callbacks/channel/chan_1',
    verifyToken: 'v',
  }

  const hasAddress = (address: string) => json(200, { data: [{ override_callback_uri: address }] })
  /** What is posted, in order. */
  const posted = () => client.asked.filter(({ method }) => method === 'POST').map(({ body }) => body)
  const ours = { override_callback_uri: call.callbackUrl, verify_token: 'v' }
  /** The account as it is, `before` and after the address was taken. */
  const account = (before: readonly object[], after: Exchange) => (request: HttpRequest) => {
    if (request.method === 'POST') return json(200, { success: true })
    return posted().at(-1) ? after : json(200, { data: before })
  }

  test('subscribes the app, then points the account to our address and reads it back', async () => {
    answer = account([], hasAddress(call.callbackUrl))
    expect(await client.subscribe(call)).toEqual({ kind: 'subscribed' })
    expect(client.asked.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'GET'])
    expect(client.asked[1]?.url).toBe('https://graph.example.com/v25.0/100001/subscribed_apps')
    expect(posted()).toEqual([undefined, JSON.stringify(ours)])
  })

  test('where callbacks come here already, nothing removes their address before another host is taken', async () => {
    const there = { override_callback_uri: 'https://former.example.com/callbacks/channel/chan_1' }
    answer = account([there], hasAddress(call.callbackUrl))
    expect(await client.subscribe(call)).toEqual({ kind: 'subscribed' })
    expect(posted()).toEqual([JSON.stringify(ours)])
  })

  test('success is not believed before the address is read back', async () => {
    const others = [
      hasAddress('https://other.example.com'),
      json(200, { data: [null, {}] }),
      json(200, {}),
      json(403, {}),
    ]
    for (const other of others) {
      client.asked.length = 0
      answer = account([], other)
      expect((await client.subscribe(call)).kind).toBe('failed')
      expect(posted()).toHaveLength(2)
    }
  })

  test('a refusal has failed, also when the address is there from before', async () => {
    for (const refused of [json(200, { success: false }), json(400, { error: { code: 2200 } })]) {
      answer = request => (request.method === 'POST' ? refused : hasAddress(call.callbackUrl))
      expect((await client.subscribe(call)).kind).toBe('failed')
    }
  })

  test('anything but success has failed', async () => {
    for (const exchange of [json(200, { success: false }), json(200, 'x'), json(403, {}), json(500, '')]) {
      answer = () => exchange
      expect((await client.subscribe(call)).kind).toBe('failed')
    }
  })
})

describe('a refusal that repeats the access token', () => {
  const accessToken = 'mistyped-"token"/1'
  const known = `EAAG${'x'.repeat(40)}`
  const line = { upstreamPhoneId: '1065', accessToken }
  const account = { accountId: '100001', accessToken }
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    send: () => client.send({ ...line, payload: '{}' }),
    upload: () => client.uploadMedia({ ...line, file: [], mime: 'image/png', fileName: 'a.png' }),
    read: () => client.markRead({ ...line, channelMessageId: 'wamid.1', typing: false }),
    listing: () => client.listTemplates(account),
    subscription: () => client.subscribe({ ...account, callbackUrl: 'https://a.example.com', verifyToken: 'v' }),
  }
  const errors: readonly Record<string, unknown>[] = [
    { code: 190, message: `Malformed access token ${accessToken}` },
    { code: 190, message: 'Malformed', error_data: { details: `the token ${accessToken} is unknown` } },
    { code: 4, message: `Too many calls with ${accessToken} or ${known}.` },
    { code: 190, title: `Malformed ${accessToken}`, error_user_msg: known },
    { code: 190, error_user_title: `Malformed ${accessToken}`, error_data: known },
    { code: 190, message: 'Malformed', fbtrace_id: `A${accessToken}` },
    { code: 190, message: `No access at /me?access_token=${encodeURIComponent(accessToken)}&x=1` },
    { code: 190, message: `Not understood: ${JSON.stringify({ token: accessToken })}` },
  ]

  test.each(Object.keys(calls))('%s: neither it nor any other token is repeated', async call => {
    for (const error of errors) {
      answer = () => json(400, { error })
      const shown = JSON.stringify(await calls[call]?.())
      for (const secret of ['mistyped', 'EAAG']) expect(shown).not.toContain(secret)
    }
  })

  test('what is hidden is marked as such', async () => {
    answer = () => json(400, { error: errors[0] })
    expect(await calls.send?.()).toMatchObject({ fault: { title: 'Malformed access token (hidden)' } })
  })

  test('a header that repeats it is hidden, too', async () => {
    const headers = { 'x-fb-trace-id': `A${accessToken}`, 'x-fb-request-id': known }
    answer = () => ({ ...json(200, { messages: [{ id: 'wamid.1' }] }), headers }) as Exchange
    expect(await calls.send?.()).toMatchObject({ trace: { traceId: 'A(hidden)', requestId: '(hidden)' } })
  })

  test('subscription: nor while the address is read back', async () => {
    answer = ({ method }) =>
      method === 'POST' ? json(200, { success: true }) : json(400, { error: { message: `bad: ${accessToken}` } })
    expect(await calls.subscription?.()).toMatchObject({ message: 'the upstream platform refused: bad: (hidden)' })
  })
})
