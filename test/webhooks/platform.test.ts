import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { newId } from '../../src/base/ids.ts'
import { callbackUrl, failure, status } from '../callbacks/report.ts'
import { template } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, answerOf, type Key, startTestGateway, type Tenant } from '../gateway.ts'
import { callbackOf, graphError, messagesCallback, postCallback } from '../upstream.ts'

/*
 * Endpoints of the platform's format, as a program has them that was written for the platform: it is asked for
 * hub.challenge, and checks the signature with a secret of text.
 */

const gateway = sharedFixture(() => startTestGateway({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }))
let tenant: Tenant
let manager: Key
beforeAll(async () => {
  tenant = await gateway.addWorkspace()
  manager = await gateway.createKey({ workspaceId: tenant.workspaceId, scopes: ['webhooks'] })
})

// Nothing more is sent to the addresses of a test that has ended.
afterEach(async () => {
  for (const { id } of await listed()) await ask('DELETE', `/${id}`)
})

const token = 'the token & its = signs'
const waId = '4915112345678'

/** What a program reads of a callback; a change has statuses or messages. */
interface Told {
  readonly statuses: readonly Coded[]
  readonly messages: readonly Coded[]
}
interface Coded {
  readonly id: string
  readonly type?: string
  readonly status?: string
  readonly errors?: readonly { readonly code: number }[]
}

interface FailedEvent {
  readonly data: { readonly message: { readonly channelMessageId: string | null } }
}

interface Program extends AsyncDisposable {
  readonly url: string
  /** Queries of verifications. */
  readonly asked: URLSearchParams[]
  /** Values of changes of messages whose signature was right. */
  readonly told: Told[]
  /** Entries of other changes. */
  readonly others: object[]
  readonly refused: string[]
  /** What the app secret is set to. */
  secret: string
  /** How many callbacks are answered with 500. */
  failures: number
}

/** @param verified how a verification is answered */
function startProgram(verified = (challenge: string) => new Response(`${Number(challenge)}\n`)): Program {
  const program = {
    asked: [] as URLSearchParams[],
    told: [] as Told[],
    others: [] as object[],
    refused: [] as string[],
    secret: '',
    failures: 0,
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { searchParams } = new URL(request.url)
      if (request.method === 'GET') {
        program.asked.push(searchParams)
        const isRight = searchParams.get('hub.mode') === 'subscribe' && searchParams.get('hub.verify_token') === token
        return isRight ? verified(searchParams.get('hub.challenge') ?? '') : new Response('no', { status: 403 })
      }
      const body = await request.text()
      const expected = `sha256=${createHmac('sha256', program.secret).update(body).digest('hex')}`
      if (request.headers.get('x-hub-signature-256') !== expected) {
        program.refused.push(body)
        return new Response('wrong signature', { status: 401 })
      }
      if (program.failures > 0) {
        program.failures -= 1
        return new Response('no', { status: 500 })
      }
      const { object, entry } = JSON.parse(body)
      expect([object, entry.length, entry[0].id, entry[0].changes.length]).toEqual([
        'whatsapp_business_account',
        1,
        expect.stringMatching(/^\d+$/),
        1,
      ])
      const [{ field, value }] = entry[0].changes
      if (field === 'messages') program.told.push(value)
      else program.others.push(entry[0])
      return new Response()
    },
  })
  return Object.assign(program, {
    url: `http://127.0.0.1:${server.port}/hook`,
    [Symbol.asyncDispose]: () => server.stop(true),
  })
}

function ask(method: string, path = '', body?: object): Promise<Answer> {
  const headers = { ...manager, ...(body && { 'content-type': 'application/json' }) }
  const given = body && { body: JSON.stringify(body) }
  return answerOf(fetch(`${gateway.url}/api/v1/public/webhooks${path}`, { method, headers, ...given }))
}
const add = (body: object) => ask('POST', '', { format: 'platform', verifyToken: token, ...body })
const listed = async () => (await ask('GET')).json.data.webhooks

const deliveriesOf = async (id: string): Promise<{ state: string; eventId: string }[]> =>
  (await ask('GET', `/${id}/deliveries`)).json.data.deliveries
const statesOf = async (id: string) => (await deliveriesOf(id)).map(({ state }) => state)

async function added(program: Program, body: object = {}) {
  const { status, text, json } = await add({ url: program.url, ...body })
  if (status !== 201) throw new Error(text)
  program.secret = json.data.secret
  return json.data
}

/** What the platform posts to the gateway, signed. */
const post = (payload: unknown) => postCallback(callbackUrl(gateway, tenant.channelId), payload, gateway.appSecret)
const callback = (value: object) => post(messagesCallback({ metadata: metadataOf(tenant.line), ...value }))

/** What it tells of what is no message. */
const tell = (field: string, value: object, time: number) =>
  post(JSON.stringify(callbackOf([{ field, value }], { id: '100002', time })).replace(`"${longId}"`, longId))

/** The platform writes it as a number, which JavaScript would read as another one. */
const longId = '25167453379565218'

/** @returns the platform's id of a message that was sent */
async function sent(): Promise<string> {
  const { json, text } = await gateway.send({ type: 'text', phone: `+${waId}`, content: 'hi' }, { ...tenant.key })
  if (!json?.data?.channelMessageId) throw new Error(text)
  return json.data.channelMessageId
}

const metadataOf = (line: Tenant['line']) => ({
  display_phone_number: '15550783881',
  phone_number_id: line.upstreamPhoneId,
})

describe('a receiver', () => {
  test('is asked once for digits that every program can answer, and then gets what it understands', async () => {
    await using program = startProgram()
    const { format, events, ...rest } = await added(program, { url: `${program.url}?tenant=1` })
    expect([format, rest.state, rest.verifyToken]).toEqual(['platform', 'untried', undefined])
    expect(events).toBeNull()
    expect(program.asked).toHaveLength(1)
    expect(Object.fromEntries(program.asked[0] ?? [])).toEqual({
      ...{ tenant: '1', 'hub.mode': 'subscribe', 'hub.verify_token': token },
      'hub.challenge': expect.stringMatching(/^[1-9]\d{9,14}$/),
    })
    expect(Number(program.asked[0]?.get('hub.challenge'))).toBeLessThan(2 ** 53)
  })

  test('that answers HTTP 200 and something else, or another status, is not stored', async () => {
    const before = await listed()
    const answers: ((challenge: string) => Response)[] = [
      () => new Response('Error, wrong validation token'),
      challenge => new Response(`"${challenge}"`),
      challenge => new Response(`0${challenge}`),
      challenge => new Response(challenge, { status: 201 }),
      challenge => new Response(challenge, { status: 302, headers: { location: '/elsewhere' } }),
    ]
    for (const answer of answers) {
      await using program = startProgram(answer)
      const { status, json } = await add({ url: program.url })
      expect([status, json.details.issues]).toEqual([
        400,
        [{ path: '/url', message: expect.stringContaining('hub.challenge') }],
      ])
      expect(program.asked).toHaveLength(1)
    }
    expect(await listed()).toEqual(before)
  })

  test('that does not know the token, does not answer or is on a private network is not stored', async () => {
    const program = startProgram()
    const wrong = await add({ url: program.url, verifyToken: 'another' })
    expect(wrong.json.details.issues[0].message).toContain('answered 403')
    expect((await ask('POST', '', { format: 'platform', url: program.url })).status).toBe(400)
    await program[Symbol.asyncDispose]()
    const gone = await add({ url: program.url })
    expect(gone.json.details.issues[0].message).toContain('did not answer')
    const closed = await add({ url: program.url.replace('127.0.0.1', '127.0.0.2') })
    expect(closed.json.details.issues[0].message).toContain('WEBHOOK_ALLOWED_NETWORKS')
    expect(program.asked).toHaveLength(2)
  })

  test('is asked again for a new address alone, and an address that is not its own stays out', async () => {
    await using program = startProgram()
    await using other = startProgram()
    const { id } = await added(program)
    expect((await ask('PUT', `/${id}`, { url: program.url, description: 'Inbox' })).json.data.description).toBe('Inbox')
    const refused = await ask('PUT', `/${id}`, { url: other.url, verifyToken: 'another' })
    expect([refused.status, (await ask('GET', `/${id}`)).json.data.url]).toEqual([400, program.url])
    const moved = await ask('PUT', `/${id}`, { url: other.url, verifyToken: token })
    expect([moved.json.data.url, moved.json.data.events]).toEqual([other.url, null])
    expect([program.asked.length, other.asked.length]).toEqual([1, 2])
  })

  test.each<[what: string, body: object, path: string]>([
    ['a type without a callback', { events: ['message.read', 'message.unknown'] }, '/events'],
    ['a token that nobody is asked for', { format: 'events' }, '/verifyToken'],
    ['an unknown format', { format: 'graph' }, '/format'],
    ['a header that signs', { headers: { 'X-Hub-Signature-256': 'sha256=' } }, '/headers'],
  ])('400 VALIDATION_ERROR: %s', async (_, body, path) => {
    await using program = startProgram()
    const { status, json } = await add({ url: program.url, ...body })
    expect([status, json.details.issues[0].path, program.asked]).toEqual([400, path, []])
  })
})

describe('a callback', () => {
  test('of each step of a message is signed, has one status with the ids of the platform, and comes in order', async () => {
    await using program = startProgram()
    const { id: endpointId } = await added(program)
    const id = await sent()
    const at = Math.floor(Date.now() / 1_000) + 60
    const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
    await callback({ statuses: [status(id, 'delivered', at, { pricing }), status(id, 'read', at + 1, { pricing })] })
    await eventually(() => expect(program.told).toHaveLength(3))
    const recipient = { id, recipient_id: waId }
    expect<unknown>(program.told).toEqual(
      [
        ...[{ status: 'sent', timestamp: expect.stringMatching(/^\d{10}$/) }],
        ...[{ status: 'delivered', timestamp: String(at), pricing }],
        ...[{ status: 'read', timestamp: String(at + 1), pricing }],
      ].map(step => ({
        ...{ messaging_product: 'whatsapp', metadata: metadataOf(tenant.line) },
        statuses: [{ ...recipient, ...step }],
      })),
    )
    expect([program.refused, JSON.stringify(program.told)]).toEqual([[], expect.not.stringMatching(/msg_|line_|ws_/)])
    await eventually(async () => expect(await statesOf(endpointId)).toEqual(Array(3).fill('delivered')))
  })

  test('of a failure has the errors as the platform sent them', async () => {
    await using program = startProgram()
    await added(program)
    const id = await sent()
    await callback({ statuses: [status(id, 'failed')] })
    await eventually(() => expect(program.told).toHaveLength(2))
    expect<unknown>(program.told[1]?.statuses).toEqual([
      { id, status: 'failed', timestamp: expect.any(String), recipient_id: waId, errors: [failure] },
    ])
  })

  test('of a payment has it as the platform sent it, of a message that is not known too', async () => {
    await using program = startProgram()
    await added(program, { events: ['payment.failed', 'payment.captured'] })
    const id = await sent()
    const payment = { reference_id: 'order-17', amount: { value: 21_000, offset: 100 }, currency: 'INR' }
    const paid = (name: string, wamid: string) => ({
      ...{ id: wamid, status: name, timestamp: '1772357402', recipient_id: waId, type: 'payment', payment },
    })
    await callback({ statuses: [paid('failed', id)] })
    await callback({ statuses: [paid('captured', 'wamid.another')] })
    await eventually(() => expect(program.told).toHaveLength(2))
    // They are about two messages, so in any order.
    const told = program.told.map(({ statuses }) => statuses)
    for (const one of [paid('failed', id), paid('captured', 'wamid.another')]) expect(told).toContainEqual([one])
  })

  test('of a payment comes to an endpoint that names no types, whenever it was made', async () => {
    await using program = startProgram()
    const { events } = await added(program)
    expect(events).toBeNull()
    const paid = { id: 'wamid.paid', status: 'captured', timestamp: '1772357402', recipient_id: waId, type: 'payment' }
    await callback({ statuses: [{ ...paid, payment: { reference_id: 'order-18' } }] })
    await eventually(() => expect(program.told).toHaveLength(1))
    expect(program.told[0]?.statuses).toMatchObject([{ status: 'captured', type: 'payment' }])
  })

  test('of a user has the message as it came, and who wrote it', async () => {
    await using program = startProgram()
    await added(program)
    const message = {
      ...{ from: waId, from_user_id: 'DE.1349', id: 'wamid.platform-in', timestamp: '1749416383', type: 'image' },
      context: { from: '15550783881', id: 'wamid.earlier' },
      image: { id: '1479537139650973', mime_type: 'image/jpeg', sha256: 'c2hh', caption: 'äöå 😀' },
    }
    const contact = { profile: { name: 'Sheena Nelson', username: 'sheena' }, wa_id: waId, user_id: 'DE.1349' }
    await callback({ contacts: [contact], messages: [message] })
    await eventually(() => expect(program.told).toHaveLength(1))
    const head = { messaging_product: 'whatsapp', metadata: metadataOf(tenant.line) }
    expect<unknown>(program.told).toEqual([{ ...head, contacts: [contact], messages: [message] }])
  })

  test('of a user whose message is too long to be kept says so', async () => {
    await using program = startProgram()
    const another = '4930123456'
    await added(program)
    const long = {
      from: another,
      id: 'wamid.platform-long',
      timestamp: '1749416384',
      type: 'text',
      text: { body: 'x'.repeat(70_000) },
    }
    await callback({ contacts: [{ profile: { name: 'Sheena' }, wa_id: another }], messages: [long] })
    await eventually(() => expect(program.told).toHaveLength(1))
    const [message] = program.told[0]?.messages ?? []
    expect(message).toMatchObject({
      from: another,
      id: 'wamid.platform-long',
      type: 'unsupported',
      timestamp: '1749416384',
    })
    expect(message?.errors).toMatchObject([{ code: 131051 }])
  })

  test('does not tell of what the platform has no callback for', async () => {
    await using program = startProgram()
    const { id } = await added(program)
    const { answer } = gateway.upstream
    gateway.upstream.answer = () => graphError(400, { code: 131008, message: 'missing' })
    const refused = await gateway.send({ type: 'text', phone: `+${waId}`, content: 'refused' }, { ...tenant.key })
    gateway.upstream.answer = answer
    expect(refused.status).toBe(400)
    const shown = await sent()
    await eventually(() => expect(program.told).toHaveLength(1))
    expect(program.told[0]?.statuses[0]?.id).toBe(shown)
    const { json } = await gateway.get('/api/v1/public/events?type=message.failed', tenant.key)
    const eventId = json.data.find(({ data }: FailedEvent) => data.message.channelMessageId === null).id
    expect((await ask('POST', `/${id}/replay`, { eventId })).status).toBe(404)
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']))
  })

  test('of what is no message comes as it came, where the type is named', async () => {
    await using program = startProgram()
    await using inbox = startProgram()
    const named = ['message.sent', 'contact.preference_changed', 'template.quality_changed', 'template.reported']
    const { id, events } = await added(program, { events: [...named, 'channel.alert'] })
    await added(inbox)
    expect(events).toEqual([...named, 'channel.alert'])
    const { write } = gateway.gateway.store
    const at = Date.now()
    const { channelId, workspaceId } = tenant
    const approved = template({ id: newId('tpl'), channelId, name: 'order' })
    await write.replaceTemplates({ channelId, templates: [approved], at, recordedAt: at })
    for (const phone of ['+16505551234', '+16505551235'])
      await write.saveContact({
        ...{ id: newId('contact'), workspaceId, phone, userId: null, name: null, createdAt: at, updatedAt: at },
      })

    const user = (wa_id: string) => ({
      contacts: [{ profile: { name: 'Ada' }, wa_id }],
      user_preferences: [{ wa_id, category: 'marketing_messages', value: 'stop', timestamp: 1_767_225_601 }],
    })
    const [ada, bob] = [user('16505551234'), user('16505551235')]
    const metadata = metadataOf(tenant.line)
    const both = {
      metadata,
      contacts: [...ada.contacts, ...bob.contacts],
      user_preferences: [...ada.user_preferences, ...bob.user_preferences],
    }
    const of = { message_template_name: 'order', message_template_language: 'en-US' }
    const told: [field: string, value: object][] = [
      ['message_template_status_update', { event: 'APPROVED', ...of, message_template_id: longId }],
      ['message_template_status_update', { event: 'APPROVED', ...of, message_template_name: 'just_made' }],
      ['message_template_quality_update', { ...of, new_quality_score: 'RED' }],
      ['template_category_update', { ...of, new_category: 'MARKETING' }],
      ['account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }],
    ]
    for (const [field, value] of told) await tell(field, value, 1_767_225_602)
    await tell('user_preferences', both, 1_767_225_602)
    // Too long to be kept, and not kept.
    await tell('account_update', { event: 'VERIFIED_ACCOUNT', more: 'x'.repeat(9_000) }, 1_767_225_603)
    await tell('calls', { metadata, calls: [{ event: 'connect' }] }, 1_767_225_603)

    const entry = ([field, value]: [string, object]) => ({
      ...{ id: '100002', time: 1_767_225_602, changes: [{ field, value }] },
    })
    const expected = [
      ...told.map(entry),
      ...[ada, bob].map(one => entry(['user_preferences', { metadata, ...one }])),
    ] as object[]
    await eventually(() => expect(program.others).toHaveLength(expected.length))
    expect(program.others).toEqual(expect.arrayContaining(expected))
    const message = await sent()
    await eventually(() => expect(inbox.told.map(({ statuses }) => statuses[0]?.id)).toEqual([message]))
    expect(inbox.others).toEqual([])
    await eventually(async () => expect(await statesOf(id)).toEqual(Array(expected.length + 1).fill('delivered')))
  })

  test('that was not taken is made again, and a replay brings the same one', async () => {
    await using program = startProgram()
    const { id } = await added(program)
    program.failures = 1
    const message = await sent()
    const since = new Date(Date.now() - 60_000).toISOString()
    await eventually(async () => expect(await statesOf(id)).toEqual(['pending']))
    await ask('POST', `/${id}/replay`, { failedSince: since })
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']))
    await ask('POST', `/${id}/replay`, { eventId: (await deliveriesOf(id))[0]?.eventId })
    await eventually(() => expect(program.told.length).toBeGreaterThan(1))
    expect(program.told[1]).toEqual(program.told[0])
    expect(program.told[0]?.statuses[0]?.id).toBe(message)
  })

  test('is signed with the newest secret alone', async () => {
    await using program = startProgram()
    const { id, secret } = await added(program)
    const rotated = (await ask('POST', `/${id}/rotate`, { graceHours: 2 })).json.data
    expect([rotated.secret === secret, rotated.formerUntil]).toEqual([false, null])
    program.secret = rotated.secret
    await sent()
    await eventually(() => expect(program.told).toHaveLength(1))
    expect(program.refused).toEqual([])
  })

  test('of an example is sent at once, of its types alone', async () => {
    await using program = startProgram()
    const { id } = await added(program)
    for (const type of ['message.delivered', 'message.failed', 'message.received'])
      expect((await ask('POST', `/${id}/test`, { type })).json.data).toMatchObject({ type, status: 200, error: null })
    const [delivered, failed, received] = program.told
    expect([delivered?.statuses[0]?.status, failed?.statuses[0]?.errors?.[0]?.code]).toEqual(['delivered', 131026])
    expect(received?.messages[0]?.type).toBe('text')
    for (const type of ['contact.preference_changed', 'template.reported', 'template.quality_changed', 'channel.alert'])
      expect((await ask('POST', `/${id}/test`, { type })).json.data.status).toBe(200)
    expect(program.others).toMatchObject(
      ['user_preferences', 'message_template_status_update', 'message_template_quality_update', 'account_update'].map(
        field => ({ time: expect.any(Number), changes: [{ field }] }),
      ),
    )
    expect((await ask('POST', `/${id}/test`, { type: 'message.unknown' })).json.details.issues[0].path).toBe('/type')
  })
})
