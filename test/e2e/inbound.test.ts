import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { userIdOf } from '../../src/sandbox/state/random.ts'
import { callbackOf, lineMetadata, messagesCallback } from '../upstream.ts'
import { type Stack, startStack, upstreamLine } from './stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  expect(stack.control.doubles()).toEqual([])
  await stack.stop()
})

let count = 0
function next(): number {
  count += 1
  return count
}
/** A user that no other test knows; digits, as callbacks write them. */
const newNumber = () => `1650556${String(1_000 + next())}`
const newUserId = () => `US.1349120865530274${String(1_000 + next())}`
const newWamid = () => `wamid.in${next()}`

const contactOf = async (number: string) => (await stack.contacts()).find(({ phone }) => phone === `+${number}`)
const timelineOf = async (contactId: string) => stack.gateway.store.read.inbound({ contactId, limit: 100 })

type Fields = Record<string, unknown>
/** A callback with these messages, and with these contacts beside them. */
const envelope = (messages: readonly unknown[], contacts?: readonly unknown[]) =>
  messagesCallback({ ...(contacts && { contacts }), messages })
const profile = (number: string, name: string, more: Fields = {}) => ({ profile: { name }, wa_id: number, ...more })
const message = (number: string, content: Fields, more: Fields = {}) => ({
  from: number,
  id: newWamid(),
  timestamp: '1749416383',
  ...content,
  ...more,
})
const text = (words: string) => ({ type: 'text', text: { body: words } })

async function post(payload: unknown) {
  expect((await stack.callback(payload)).status).toBe(200)
}

describe('contacts', () => {
  test('a first message makes a contact with phone and name', async () => {
    const number = newNumber()
    await post(envelope([message(number, text('Hello'))], [profile(number, 'Sheena Nelson')]))
    expect(await contactOf(number)).toMatchObject({
      id: expect.stringMatching(/^contact_/),
      workspaceId: stack.workspaceId,
      phone: `+${number}`,
      userId: null,
      name: 'Sheena Nelson',
    })
  })

  test('a later message refreshes the name and keeps the contact', async () => {
    const number = newNumber()
    await post(envelope([message(number, text('one'))], [profile(number, 'Old Name')]))
    const before = await contactOf(number)
    await post(envelope([message(number, text('two'))], [profile(number, 'New Name')]))
    expect(await contactOf(number)).toMatchObject({ id: before?.id, name: 'New Name', createdAt: before?.createdAt })
  })

  test('a message without a profile keeps the name', async () => {
    const number = newNumber()
    await post(envelope([message(number, text('one'))], [profile(number, 'Ada')]))
    await post(envelope([message(number, text('two'))]))
    expect(await contactOf(number)).toMatchObject({ name: 'Ada' })
  })

  test('of two messages beside one contact, each is its own sender’s', async () => {
    const [one, other, userId] = [newNumber(), newNumber(), newUserId()]
    const messages = [message(one, text('one')), message(other, text('two'))]
    await post(envelope(messages, [profile(one, 'Ada', { user_id: userId })]))
    expect(await contactOf(one)).toMatchObject({ name: 'Ada', userId })
    const second = await contactOf(other)
    expect(second).toMatchObject({ name: null, userId: null })
    expect(await timelineOf(second?.id ?? '')).toHaveLength(1)
  })

  test('a contact whose number or id is null is not taken for the sender who has none either', async () => {
    const [numbers, ids] = [
      [newNumber(), newNumber()],
      [newUserId(), newUserId()],
    ]
    const byId = ids.map(id => ({ from: null, from_user_id: id, id: newWamid(), timestamp: '1', ...text('hi') }))
    await post(
      envelope(byId, [
        { profile: { name: 'A' }, wa_id: null },
        { profile: { name: 'B' }, user_id: ids[1] },
      ]),
    )
    const byNumber = numbers.map(number => message(number, text('hi'), { from_user_id: null }))
    const named = [{ profile: { name: 'C' }, user_id: null }, profile(numbers[1] ?? '', 'D')]
    await post(envelope(byNumber, named))
    const contacts = await stack.contacts()
    const nameOf = (key: 'userId' | 'phone', value: string) => contacts.find(contact => contact[key] === value)?.name
    expect(ids.map(id => nameOf('userId', id))).toEqual([null, 'B'])
    expect(numbers.map(number => nameOf('phone', `+${number}`))).toEqual([null, 'D'])
  })

  test('a contact that was added by hand is the one that writes', async () => {
    const number = newNumber()
    const added = await stack.contact({ phone: `+${number}`, name: null })
    await post(envelope([message(number, text('Hello'))], [profile(number, 'Ada')]))
    expect(await contactOf(number)).toMatchObject({ id: added.id, name: 'Ada' })
    expect(await timelineOf(added.id)).toHaveLength(1)
  })

  test('a user id is added to the phone; later messages with the id alone belong to the same contact', async () => {
    const [number, userId] = [newNumber(), newUserId()]
    await post(envelope([message(number, text('one'))], [profile(number, 'Ada', { user_id: userId })]))
    const known = await contactOf(number)
    expect(known).toMatchObject({ userId })
    const byId = { id: newWamid(), from_user_id: userId, timestamp: '1749416390', ...text('two') }
    await post(envelope([byId], [{ profile: { name: 'Ada', username: '@ada' }, user_id: userId }]))
    expect(await timelineOf(known?.id ?? '')).toHaveLength(2)
    expect((await stack.contacts()).filter(contact => contact.userId === userId)).toHaveLength(1)
  })

  test('who hides the number is written to by the user id, and told of as the contact', async () => {
    stack.control.configure({ windowRequired: true, callbacks: { silent: false } })
    await using after = new AsyncDisposableStack()
    after.defer(async () => void stack.control.configure({ windowRequired: false, callbacks: { silent: true } }))
    const number = newNumber()
    const userId = userIdOf(number)
    await stack.control.inbound({ from: number, line: upstreamLine(1), kind: 'text', withoutNumber: true })
    const contact = (await stack.contacts()).find(contact => contact.userId === userId)
    const { status, json } = await stack.send({ type: 'text', userId, content: 'Hello', requireOpenWindow: true })
    expect([status, json.data]).toMatchObject([201, { to: { phone: null, contactId: contact?.id, userId } }])
    const read = await stack.get(`/api/v1/public/messages/${json.data.id}?wait=10&for=READ`)
    expect(read.json.data).toMatchObject({ status: 'READ', to: { userId } })
    expect(await stack.contacts()).toContainEqual(expect.objectContaining({ id: contact?.id, userId, phone: null }))
  })

  test('a phone is added to the user id', async () => {
    const [number, userId] = [newNumber(), newUserId()]
    const byId = { id: newWamid(), from_user_id: userId, timestamp: '1749416390', ...text('one') }
    await post(envelope([byId], [{ profile: { name: 'Ada' }, user_id: userId }]))
    await post(
      envelope([message(number, text('two'), { from_user_id: userId })], [profile(number, 'Ada', { user_id: userId })]),
    )
    const contact = await contactOf(number)
    expect(contact).toMatchObject({ userId })
    expect(await timelineOf(contact?.id ?? '')).toHaveLength(2)
  })

  test('each message of a batch goes to its own sender', async () => {
    const [one, two] = [newNumber(), newNumber()]
    const messages = [message(two, text('from two')), message(one, text('from one'))]
    await post(envelope(messages, [profile(one, 'One'), profile(two, 'Two')]))
    for (const [number, name] of [
      [one, 'One'],
      [two, 'Two'],
    ] as const) {
      const contact = await contactOf(number)
      expect(contact).toMatchObject({ name })
      const [entry] = await timelineOf(contact?.id ?? '')
      expect(entry?.content).toMatchObject({ text: { body: `from ${name.toLowerCase()}` } })
    }
  })

  test('a repeated callback does not undo a newer name', async () => {
    const number = newNumber()
    const first = envelope([message(number, text('one'))], [profile(number, 'Old Name')])
    await post(first)
    await post(envelope([message(number, text('two'))], [profile(number, 'New Name')]))
    await post(first)
    expect(await contactOf(number)).toMatchObject({ name: 'New Name' })
  })

  test('the same number in another workspace is another contact', async () => {
    const number = newNumber()
    const other = await stack.neighbour()
    await post(envelope([message(number, text('Hello'))], [profile(number, 'Ada')]))
    expect(await contactOf(number)).toBeDefined()
    expect(await stack.gateway.store.read.contacts({ workspaceId: other.workspaceId, limit: 10 })).toEqual([])
  })
})

describe('every kind is kept on the timeline of its contact', () => {
  /*
   * The shapes are those of the upstream's reference of inbound messages (webhooks, messages field): the fields that
   * its pages and its sample payloads show, older and newer ones, in no order that a reader could rely on.
   */
  const file = { mime_type: 'image/jpeg', sha256: 'Vh1sYkL0bI3xT4cQd9sG5w==', id: '3351045921733' }
  const quoted = { from: '15550783881', id: 'wamid.HBgLMTY1MDU1NTEyMzQVAgARGBI=' }
  const nfm = (responseJson: string) => ({
    type: 'interactive',
    context: quoted,
    interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: responseJson } },
  })

  const kinds: readonly [what: string, kind: string, content: Fields][] = [
    // Text messages.
    ['text', 'text', text('Hello, äöå 😀')],
    ['a quoting text', 'text', { context: quoted, ...text('Yes') }],
    ['a forwarded text', 'text', { context: { forwarded: true }, ...text('Look') }],
    ['a text forwarded often', 'text', { context: { frequently_forwarded: true }, ...text('Look') }],
    [
      'a text that follows an advertisement',
      'text',
      {
        referral: {
          source_url: 'https://fb.me/3cr4Wqqkv',
          source_id: '120226305854810726',
          source_type: 'ad',
          headline: 'Chat with us',
          body: 'Summer succulents are here!',
          media_type: 'image',
          image_url: 'https://scontent.example/a.jpg',
          ctwa_clid:
            'Aff-n8ZTODiE79d22KtAwQKj9e_mIEOOj27vDVwFjN80dp4_0NiNhEgpGo0AHemvuSoifXaytfTzcchptiErTKCqTrJ5nW1h7IHYeYymGb5K5J5iTROpBhWAGaIAeUzHL50',
        },
        ...text('Is it still there?'),
      },
    ],
    [
      'a text about a product',
      'text',
      {
        context: { ...quoted, referred_product: { catalog_id: '1', product_retailer_id: 'SKU' } },
        ...text('How big?'),
      },
    ],
    // Media messages.
    ['image', 'image', { type: 'image', image: { ...file, caption: 'My aloe' } }],
    ['image with an address', 'image', { type: 'image', image: { ...file, url: 'https://lookaside.example/1' } }],
    ['video', 'video', { type: 'video', video: { ...file, mime_type: 'video/mp4' } }],
    ['audio', 'audio', { type: 'audio', audio: { ...file, mime_type: 'audio/ogg; codecs=opus', voice: false } }],
    ['voice', 'audio', { type: 'audio', audio: { ...file, mime_type: 'audio/ogg; codecs=opus', voice: true } }],
    [
      'document',
      'document',
      { type: 'document', document: { ...file, mime_type: 'application/pdf', filename: 'a.pdf' } },
    ],
    ['sticker', 'sticker', { type: 'sticker', sticker: { ...file, mime_type: 'image/webp', animated: true } }],
    // Replies.
    ['button', 'button', { context: quoted, type: 'button', button: { payload: 'more-aloes', text: 'More' } }],
    [
      'button of an authentication template',
      'button',
      { context: quoted, type: 'button', button: { payload: 'DID_NOT_REQUEST_CODE', text: "I didn't request a code" } },
    ],
    [
      'button_reply',
      'button_reply',
      {
        context: quoted,
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
      },
    ],
    [
      'list_reply',
      'list_reply',
      {
        context: quoted,
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Aloe', description: 'Small' } },
      },
    ],
    ['nfm_reply', 'nfm_reply', nfm('{"flow_token":"AQAAAAACS5FpgQ_cAAAAAD0QI3s.","delivery_rating":"4"}')],
    ['nfm_reply without a token', 'nfm_reply', nfm('{"delivery_rating":"4"}')],
    ['nfm_reply with an array', 'nfm_reply', nfm('["flow_token"]')],
    ['nfm_reply with malformed JSON', 'nfm_reply', nfm('{"flow_token":')],
    [
      'nfm_reply without its JSON',
      'nfm_reply',
      { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent' } } },
    ],
    [
      'an interactive reply of another kind',
      'call_permission_reply',
      {
        context: quoted,
        type: 'interactive',
        interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
      },
    ],
    ['an interactive reply that could not be shown', 'interactive', { context: quoted, type: 'interactive' }],
    // Everything else.
    ['location', 'location', { type: 'location', location: { latitude: 37.44, longitude: -122.16, name: 'HQ' } }],
    [
      'contacts',
      'contacts',
      {
        type: 'contacts',
        contacts: [
          { name: { formatted_name: 'Barbara' }, phones: [{ phone: '+1 650 555 9999', wa_id: '16505559999' }] },
        ],
      },
    ],
    ['reaction', 'reaction', { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '😮' } }],
    ['a reaction taken back', 'reaction', { type: 'reaction', reaction: { message_id: 'wamid.x' } }],
    [
      'order',
      'order',
      {
        type: 'order',
        order: {
          catalog_id: '194836987003835',
          text: '',
          product_items: [{ product_retailer_id: 'di9ozbzfi4', quantity: 2, item_price: 30, currency: 'USD' }],
        },
      },
    ],
    [
      'unsupported',
      'unsupported',
      {
        type: 'unsupported',
        errors: [
          {
            code: 131051,
            title: 'Message type unknown',
            message: 'Message type unknown',
            error_data: { details: 'Message type is currently not supported.' },
          },
        ],
      },
    ],
    [
      'an edited message',
      'edit',
      { type: 'edit', edit: { original_message_id: 'wamid.y', message: { type: 'text', text: { body: 'Edited' } } } },
    ],
    ['a message taken back', 'revoke', { type: 'revoke', revoke: { original_message_id: 'wamid.y' } }],
    ['an opened chat', 'request_welcome', { type: 'request_welcome' }],
    ['a kind of tomorrow', 'hologram', { type: 'hologram', hologram: { depth: 3 } }],
    ['a kind named like a property of objects', 'constructor', { type: 'constructor' }],
    ['no kind', 'unknown', {}],
    ['a kind that is no text', 'unknown', { type: 7 }],
  ]

  test.each(kinds)('%s', async (_, kind, content) => {
    const number = newNumber()
    const sent = message(number, content)
    await post(envelope([sent], [profile(number, 'Ada')]))
    const contact = await contactOf(number)
    expect(await timelineOf(contact?.id ?? '')).toMatchObject([
      {
        channelMessageId: sent.id,
        lineId: stack.line.id,
        kind,
        at: 1_749_416_383_000,
        recordedAt: expect.any(Number),
        content: sent,
      },
    ])
  })

  /*
   * The upstream's reference of system messages: a changed number comes without `contacts`, a changed user id without a
   * sender, an identity change with both.
   */
  const systems: readonly [what: string, content: Fields, contacts: boolean][] = [
    [
      'a changed number',
      { system: { body: 'User A changed', wa_id: '16505550000', type: 'user_changed_number' }, type: 'system' },
      false,
    ],
    [
      'a changed identity',
      {
        identity: { acknowledged: true, created_timestamp: '1697044706', hash: 'x' },
        system: { body: 'User identity changed', type: 'customer_identity_changed' },
        type: 'system',
      },
      true,
    ],
  ]
  test.each(systems)('system: %s', async (_, content, hasContacts) => {
    const number = newNumber()
    await post(envelope([message(number, content)], hasContacts ? [profile(number, 'Ada')] : undefined))
    const { wa_id: numberNow = number } = content.system as { wa_id?: string }
    const contact = await contactOf(numberNow)
    expect(await timelineOf(contact?.id ?? '')).toMatchObject([{ kind: 'system', content }])
  })

  test('a changed number: a send to the contact goes to the new one', async () => {
    const [former, now] = [newNumber(), newNumber()]
    const { id } = await stack.contact({ phone: `+${former}` })
    const system = { body: 'User A changed', wa_id: now, type: 'user_changed_number' }
    await post(envelope([message(former, { type: 'system', system })]))
    const sent = await stack.send({ type: 'text', contactId: id, content: 'Hello' })
    expect(sent.status).toBe(201)
    expect(stack.sent().at(-1)).toMatchObject({ to: `+${now}` })
  })

  test('a changed user id: a send to the contact goes to the new one, though the callback names no number', async () => {
    const { id } = await stack.contact({ phone: null, userId: 'CO.77' })
    const system = { body: 'User changed', user_id: 'MX.77', previous_user_id: 'CO.77', type: 'user_changed_user_id' }
    await post(envelope([{ id: newWamid(), timestamp: '1749416383', type: 'system', system }]))
    const sent = await stack.send({ type: 'text', contactId: id, content: 'Hello' })
    expect(sent.status).toBe(201)
    expect(stack.sent().at(-1)).toMatchObject({ recipient: 'MX.77' })
  })

  test.each([
    'text',
    'button',
    'button_reply',
    'list_reply',
    'nfm_reply',
    'call_permission_reply',
    'image',
    'video',
    'audio',
    'document',
    'sticker',
    'location',
    'contacts',
    'reaction',
    'order',
    'edit',
    'revoke',
    'system',
    'unsupported',
  ] as const)('as the stand-in posts it: %s', async kind => {
    const number = newNumber()
    expect(await stack.control.inbound({ kind, from: number, name: 'Zoë 😀' })).toMatchObject({ status: 200 })
    const contact = await contactOf(number)
    expect(await timelineOf(contact?.id ?? '')).toMatchObject([{ kind, lineId: stack.line.id }])
    // System messages name nobody; every other one does, and its letters survive their escapes.
    expect(contact?.name).toBe(kind === 'system' ? null : 'Zoë 😀')
  })

  test('newest first, by the time of the upstream', async () => {
    const number = newNumber()
    const at = (seconds: number) => message(number, text(`at ${seconds}`), { timestamp: String(seconds) })
    await post(envelope([at(1_749_416_300), at(1_749_416_500), at(1_749_416_400)], [profile(number, 'Ada')]))
    const contact = await contactOf(number)
    const entries = await timelineOf(contact?.id ?? '')
    expect(entries.map(entry => entry.at)).toEqual([1_749_416_500_000, 1_749_416_400_000, 1_749_416_300_000])
  })

  test('a message to a line that is not ours is kept without one', async () => {
    const number = newNumber()
    const messages = [message(number, text('Hello'))]
    const metadata = { ...lineMetadata, phone_number_id: '999' }
    await post(messagesCallback({ metadata, messages, contacts: [profile(number, 'Ada')] }))
    const contact = await contactOf(number)
    expect(await timelineOf(contact?.id ?? '')).toMatchObject([{ lineId: null, kind: 'text' }])
  })

  test.each([
    ['no id', { id: undefined }],
    ['no time', { timestamp: undefined }],
    ['a time that is none', { timestamp: 'soon' }],
    ['a time that is a number', { timestamp: 1_749_416_383 }],
  ])('%s: kept all the same', async (_, more) => {
    const number = newNumber()
    await post(envelope([{ ...message(number, text('Hello')), ...more }], [profile(number, 'Ada')]))
    const contact = await contactOf(number)
    expect(await timelineOf(contact?.id ?? '')).toHaveLength(1)
  })
})

describe('users without a phone number', () => {
  /** As the upstream's reference of business-scoped user ids shows them: neither `from` nor `wa_id`. */
  const fromUser = (userId: string, content: Fields = text('Hello')) =>
    envelope(
      [
        {
          from_user_id: userId,
          from_parent_user_id: 'US.ENT.11815799212886844830',
          id: newWamid(),
          timestamp: '1749416383',
          ...content,
        },
      ],
      [{ profile: { name: 'Ada', username: '@ada' }, user_id: userId, parent_user_id: 'US.ENT.11815799212886844830' }],
    )
  const contactByUser = async (userId: string) => (await stack.contacts()).find(contact => contact.userId === userId)

  test('are contacts by their user id', async () => {
    const userId = newUserId()
    await post(fromUser(userId))
    const contact = await contactByUser(userId)
    expect(contact).toMatchObject({ phone: null, userId, name: 'Ada' })
    expect(await timelineOf(contact?.id ?? '')).toHaveLength(1)
  })

  test('are recognised without `contacts`, and by `contacts` alone', async () => {
    const userId = newUserId()
    await post(envelope([{ from_user_id: userId, id: newWamid(), timestamp: '1749416383', ...text('one') }]))
    await post(
      envelope(
        [{ id: newWamid(), timestamp: '1749416384', ...text('two') }],
        [{ profile: { name: 'Ada' }, user_id: userId }],
      ),
    )
    const contact = await contactByUser(userId)
    expect(await timelineOf(contact?.id ?? '')).toHaveLength(2)
  })

  test('201: a send to such a contact goes to `recipient`, and its callbacks settle it', async () => {
    const number = newNumber()
    await stack.control.inbound({ kind: 'text', from: number, withoutNumber: true, name: 'Nobody' })
    const contact = (await stack.contacts()).find(({ name }) => name === 'Nobody')
    expect(contact?.phone).toBeNull()
    expect(contact?.userId).toMatch(/^US\.\d+$/)
    const sent = await stack.send({ type: 'text', contactId: contact?.id, content: 'Hello' })
    expect([sent.status, sent.json.data.status]).toEqual([201, 'SENT'])
    const body = stack.sent().at(-1)
    expect(body.recipient).toBe(contact?.userId)
    expect(body).not.toHaveProperty('to')
    const { id, channelMessageId } = sent.json.data
    expect(await stack.control.status({ wamid: channelMessageId, status: 'read' })).toEqual({ status: 200 })
    expect((await stack.get(`/api/v1/public/messages/${id}`)).json.data.status).toBe('READ')
  })

  test('statuses that name no number, with contacts beside them, are applied', async () => {
    stack.control.configure({ callbacks: { userIds: true, withoutRecipientId: true } })
    const sent = await stack.send({ type: 'text', phone: `+${newNumber()}`, content: 'Hello' })
    const { id, channelMessageId } = sent.json.data
    for (const status of ['sent', 'delivered', 'read'] as const) {
      expect(await stack.control.status({ wamid: channelMessageId, status })).toEqual({ status: 200 })
    }
    stack.control.configure({ callbacks: { userIds: false, withoutRecipientId: false } })
    const { data } = (await stack.get(`/api/v1/public/messages/${id}`)).json
    expect(data).toMatchObject({ status: 'READ', deliveredAt: expect.any(String), readAt: expect.any(String) })
  })
})

describe('repeats and strangers', () => {
  test('a repeated callback is stored once', async () => {
    const number = newNumber()
    const payload = envelope([message(number, text('once'))], [profile(number, 'Ada')])
    for (let times = 0; times < 3; times += 1) await post(payload)
    await Promise.all([post(payload), post(payload)])
    const contact = await contactOf(number)
    expect(await timelineOf(contact?.id ?? '')).toHaveLength(1)
    expect((await stack.contacts()).filter(({ phone }) => phone === `+${number}`)).toHaveLength(1)
  })

  test('the same message twice in one callback is stored once', async () => {
    const number = newNumber()
    const twice = message(number, text('once'))
    await post(envelope([twice, twice], [profile(number, 'Ada')]))
    const contact = await contactOf(number)
    expect(await timelineOf(contact?.id ?? '')).toHaveLength(1)
  })

  test('a message without an id is known by its content', async () => {
    const number = newNumber()
    const anonymous = { ...message(number, text('once')), id: undefined }
    await post(envelope([anonymous]))
    await post(envelope([anonymous]))
    await post(envelope([{ ...anonymous, ...text('another') }]))
    const contact = await contactOf(number)
    expect(await timelineOf(contact?.id ?? '')).toHaveLength(2)
  })

  const strangers: readonly [what: string, message: Fields, contacts: readonly unknown[] | undefined][] = [
    ['no sender at all', text('Hello'), undefined],
    [
      'a changed user id',
      {
        system: { body: 'User changed', user_id: 'MX.1', previous_user_id: 'CO.1', type: 'user_changed_user_id' },
        type: 'system',
      },
      undefined,
    ],
    ['several contacts and none named', text('Hello'), [profile('16505557001', 'A'), profile('16505557002', 'B')]],
    ['a sender that is no number', { from: 'somebody', ...text('Hello') }, undefined],
  ]
  test.each(strangers)('a message with %s is stored without a contact', async (_, content, contacts) => {
    const before = (await stack.contacts()).length
    const id = newWamid()
    await post(envelope([{ id, timestamp: '1749416383', ...content }], contacts))
    const row = stack.inbound().find(({ channelMessageId }) => channelMessageId === id)
    expect(row).toMatchObject({ contactId: null, lineId: stack.line.id, content: expect.objectContaining({ id }) })
    expect(await stack.contacts()).toHaveLength(before)
  })

  test('a message that is far too long is kept as its beginning, and a long name is cut', async () => {
    const number = newNumber()
    await post(envelope([message(number, text('x'.repeat(200_000)))], [profile(number, 'N'.repeat(5_000))]))
    const contact = await contactOf(number)
    expect(contact?.name).toBe('N'.repeat(256))
    const [entry] = await timelineOf(contact?.id ?? '')
    expect(entry?.content).toEqual({ from: number, cut: expect.any(String), characters: expect.any(Number) })
    expect(JSON.stringify(entry?.content).length).toBeLessThan(20_000)
  })

  test('what is no message does not cost its neighbours', async () => {
    const number = newNumber()
    await post(envelope([null, 'x', 7, [], message(number, text('Hello'))], [null, 'x', profile(number, 'Ada')]))
    const contact = await contactOf(number)
    expect(contact?.name).toBe('Ada')
    expect(await timelineOf(contact?.id ?? '')).toHaveLength(1)
  })

  test('a status and a message in one callback are both taken in', async () => {
    const number = newNumber()
    const sent = await stack.send({ type: 'text', phone: `+${number}`, content: 'Hello' })
    const { id, channelMessageId } = sent.json.data
    const messages = [message(number, text('Thanks'))]
    const statuses = [{ id: channelMessageId, status: 'read', timestamp: '1749416390', recipient_id: number }]
    await post(messagesCallback({ statuses, messages, contacts: [profile(number, 'Ada')] }))
    expect((await stack.get(`/api/v1/public/messages/${id}`)).json.data.status).toBe('READ')
    expect(await contactOf(number)).toBeDefined()
  })
})

describe('coexistence with the app', () => {
  const change = (field: string, value: Fields) => callbackOf([{ field, value: { metadata: lineMetadata, ...value } }])
  const sentInApp = (to: string, words: string, more: Fields = {}) =>
    message('15550783881', text(words), { to, ...more })

  test('what a person of the business sent in the app is kept with the contact that got it', async () => {
    const number = newNumber()
    await post(envelope([message(number, text('Open today?'))], [profile(number, 'Ada')]))
    const echo = sentInApp(number, 'Until six', { timestamp: '1749416999' })
    await post(change('smb_message_echoes', { message_echoes: [echo] }))
    const contact = await contactOf(number)
    expect(contact).toMatchObject({ name: 'Ada' })
    expect(await timelineOf(contact?.id ?? '')).toMatchObject([
      { kind: 'smb_message_echoes text', lineId: stack.line.id, content: echo },
      { kind: 'text' },
    ])
    expect(await contactOf('15550783881')).toBeUndefined()
  })

  test('a history is kept message by message, at the times of then, whoever wrote them', async () => {
    const number = newNumber()
    const asked = message(number, text('Any news?'), { timestamp: '1700000000', history_context: { status: 'READ' } })
    const told = sentInApp(number, 'Tomorrow', { timestamp: '1700000060', history_context: { status: 'READ' } })
    const chunk = {
      metadata: { phase: 0, chunk_order: 1, progress: 55 },
      threads: [{ id: number, messages: [asked, told] }],
    }
    const refused = { errors: [{ code: 2593109, title: 'History sync is turned off' }] }
    await post(change('history', { history: [chunk, null, { threads: [5, { messages: [6] }] }, refused] }))
    const contact = await contactOf(number)
    expect(await timelineOf(contact?.id ?? '')).toMatchObject([
      { kind: 'smb_message_echoes text', at: 1_700_000_060_000, content: told },
      { kind: 'text', at: 1_700_000_000_000, content: asked },
    ])
  })
})
