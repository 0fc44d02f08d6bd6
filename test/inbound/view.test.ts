import { expect, test } from 'bun:test'
import { unrelated } from '../../db/contract/inbound.ts'
import { newId, numberedId } from '../../src/base/ids.ts'
import { check } from '../../src/base/schema.ts'
import { contentSchemas } from '../../src/inbound/schemas.ts'
import { inboundView } from '../../src/inbound/view.ts'
import { inboundEnvelope } from '../../src/partner/inboundAnswers.ts'

const workspaceId = newId('ws')
const stored = {
  seq: 33,
  channelMessageId: 'wamid.1',
  contactId: 'contact_1',
  phone: '+4915112345678',
  userId: null,
  name: 'Ada',
  username: null,
  lineId: 'line_1',
  kind: 'text',
  at: Date.UTC(2026, 0, 1),
  recordedAt: Date.UTC(2026, 0, 1, 0, 0, 2),
  file: null,
  related: unrelated,
}

const isDocumented = check(inboundEnvelope)

/** What is shown, which is as the API document says. */
function view(kind: string, content: Record<string, unknown>, raw = false) {
  const data = inboundView(workspaceId, { ...stored, kind, content }, raw)
  expect(isDocumented({ success: true, data })).toMatchObject({ ok: true })
  return data
}

const file = { id: null, mimeType: null, sha256: null, caption: null, fileName: null, voice: false, animated: false }
const person = { formattedName: null, firstName: null, middleName: null, lastName: null, prefix: null, suffix: null }
const noCard = { name: null, phones: [], emails: [], addresses: [], urls: [], org: null, birthday: null }
const place = { latitude: null, longitude: null, name: null, address: null, url: null }
const noReply = { buttonReply: null, listReply: null, nfmReply: null, callPermissionReply: null }
const noChange = { body: null, waId: null, newWaId: null, userId: null, previousUserId: null }

const interactive = (type: string, reply: unknown) => ({ type: 'interactive', interactive: { type, [type]: reply } })

/** The upstream's samples, one of each type, and what is shown of them besides what all messages have. */
const rows: readonly [kind: string, message: Record<string, unknown>, text: string, contents: object][] = [
  ['text', { type: 'text', text: { body: 'Hello' } }, 'Hello', {}],
  [
    'button',
    { type: 'button', button: { payload: 'yes', text: 'Yes' } },
    'Yes',
    { button: { payload: 'yes', text: 'Yes' } },
  ],
  [
    'image',
    {
      type: 'image',
      image: { id: '7', mime_type: 'image/jpeg', sha256: 'aGFzaA==', caption: 'Look', url: 'https://x' },
    },
    '(image) Look',
    { image: { ...file, id: '7', mimeType: 'image/jpeg', sha256: 'aGFzaA==', caption: 'Look' } },
  ],
  ['video', { type: 'video', video: { id: '7' } }, '(video)', { video: { ...file, id: '7' } }],
  [
    'audio',
    { type: 'audio', audio: { id: '7', mime_type: 'audio/ogg; codecs=opus', voice: true } },
    '(audio)',
    { audio: { ...file, id: '7', mimeType: 'audio/ogg; codecs=opus', voice: true } },
  ],
  [
    'document',
    { type: 'document', document: { id: 7, filename: 'a.pdf' } },
    '(document) a.pdf',
    { document: { ...file, id: '7', fileName: 'a.pdf' } },
  ],
  [
    'sticker',
    { type: 'sticker', sticker: { id: '7', animated: true } },
    '(sticker)',
    { sticker: { ...file, id: '7', animated: true } },
  ],
  [
    'location',
    { type: 'location', location: { latitude: 52.5, longitude: '13.4', name: 'Berlin', address: 'Mitte' } },
    '(location) Berlin Mitte 52.5, 13.4',
    { location: { ...place, latitude: 52.5, longitude: 13.4, name: 'Berlin', address: 'Mitte' } },
  ],
  ['location', { type: 'location', location: {} }, '(location)', { location: place }],
  [
    'contacts',
    {
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Ada Lovelace', first_name: 'Ada' },
          phones: [{ phone: '+49 30 1', wa_id: '49301', type: 'WORK' }, 'x'],
          emails: [{ email: 'ada@example.com', type: 'HOME' }],
          addresses: [{ city: 'Berlin', country_code: 'de' }],
          urls: [{ url: 'https://example.com' }],
          org: { company: 'Analytical' },
          birthday: '1815-12-10',
          vcard: 'BEGIN:VCARD',
          origin: 'chat',
        },
      ],
    },
    '(contact) Ada Lovelace +49 30 1',
    {
      contacts: [
        {
          ...noCard,
          name: { ...person, formattedName: 'Ada Lovelace', firstName: 'Ada' },
          phones: [{ phone: '+49 30 1', waId: '49301', type: 'WORK' }],
          emails: [{ email: 'ada@example.com', type: 'HOME' }],
          addresses: [
            { street: null, city: 'Berlin', state: null, zip: null, country: null, countryCode: 'de', type: null },
          ],
          urls: [{ url: 'https://example.com', type: null }],
          org: { company: 'Analytical', department: null, title: null },
          birthday: '1815-12-10',
          vcard: 'BEGIN:VCARD',
          origin: 'chat',
        },
      ],
    },
  ],
  [
    'reaction',
    { type: 'reaction', reaction: { message_id: 'wamid.0', emoji: '😀' } },
    '😀',
    { reaction: { messageId: 'wamid.0', emoji: '😀' } },
  ],
  [
    'reaction',
    { type: 'reaction', reaction: { message_id: 'wamid.0', emoji: '' } },
    '(reaction removed)',
    { reaction: { messageId: 'wamid.0', emoji: null } },
  ],
  [
    'order',
    {
      type: 'order',
      order: {
        catalog_id: 1,
        text: '',
        product_items: [{ product_retailer_id: 'SKU', quantity: '2', item_price: 5.5, currency: 'EUR' }],
      },
    },
    '(order) 2 × SKU (5.50 EUR), total 11.00 EUR',
    {
      order: {
        catalogId: '1',
        text: null,
        productItems: [{ productRetailerId: 'SKU', quantity: 2, itemPrice: 5.5, currency: 'EUR' }],
      },
    },
  ],
  [
    'button_reply',
    interactive('button_reply', { id: 'more', title: 'More' }),
    'More',
    { interactive: { ...noReply, type: 'button_reply', buttonReply: { id: 'more', title: 'More' } } },
  ],
  [
    'list_reply',
    interactive('list_reply', { id: 'tea', title: 'Tea', description: 'green' }),
    'Tea: green',
    { interactive: { ...noReply, type: 'list_reply', listReply: { id: 'tea', title: 'Tea', description: 'green' } } },
  ],
  [
    'nfm_reply',
    interactive('nfm_reply', { name: 'flow', body: 'Sent', response_json: '{"flow_token":"t","size":"L"}' }),
    'form: size = L',
    {
      interactive: {
        ...noReply,
        type: 'nfm_reply',
        nfmReply: {
          name: 'flow',
          body: 'Sent',
          responseJson: '{"flow_token":"t","size":"L"}',
          fields: { flow_token: 't', size: 'L' },
        },
      },
    },
  ],
  [
    'nfm_reply',
    interactive('nfm_reply', { name: 'flow', response_json: '{"flow_token":' }),
    '{"flow_token":',
    {
      interactive: {
        ...noReply,
        type: 'nfm_reply',
        nfmReply: { name: 'flow', body: null, responseJson: '{"flow_token":', fields: null },
      },
    },
  ],
  [
    'call_permission_reply',
    interactive('call_permission_reply', {
      response: 'accept',
      is_permanent: false,
      expiration_timestamp: '1767225600',
      response_source: 'user_action',
    }),
    '(calls) allowed until 2026-01-01T00:00:00.000Z',
    {
      interactive: {
        ...noReply,
        type: 'call_permission_reply',
        callPermissionReply: {
          response: 'accept',
          isPermanent: false,
          expirationTimestamp: '2026-01-01T00:00:00.000Z',
          responseSource: 'user_action',
        },
      },
    },
  ],
  [
    'system',
    { type: 'system', system: { type: 'user_changed_number', body: 'Ada has a new number', wa_id: '4930' } },
    'Ada has a new number',
    { system: { ...noChange, type: 'user_changed_number', body: 'Ada has a new number', waId: '4930' } },
  ],
  [
    'unsupported',
    {
      type: 'unsupported',
      unsupported: { type: 'poll' },
      errors: [{ code: '131051', title: 'Message type unknown', error_data: { details: 'Not supported.' } }, null],
    },
    '(not readable: poll: Message type unknown)',
    {
      unsupported: {
        type: 'poll',
        errors: [{ code: 131051, title: 'Message type unknown', message: null, details: 'Not supported.' }],
      },
    },
  ],
  [
    'edit',
    {
      type: 'edit',
      edit: { original_message_id: 'wamid.0', message: { type: 'image', image: { id: '7', caption: 'Monday' } } },
    },
    '(edited) (image) Monday',
    {
      edit: {
        originalMessageId: 'wamid.0',
        message: { type: 'image', text: '(image) Monday', image: { ...file, id: '7', caption: 'Monday' } },
      },
    },
  ],
  [
    'edit',
    { type: 'edit', edit: { message: { type: 'text', text: { body: 'Monday' } } } },
    '(edited) Monday',
    { edit: { originalMessageId: null, message: { type: 'text', text: 'Monday' } } },
  ],
  [
    'revoke',
    { type: 'revoke', revoke: { original_message_id: 'wamid.0' } },
    '(message deleted)',
    { revoke: { originalMessageId: 'wamid.0' } },
  ],
  ['poll', { type: 'poll', poll: { question: 'When?' } }, '(poll)', {}],
  ['constructor', { type: 'constructor' }, '(constructor)', {}],
]

const answers = ['button_reply', 'list_reply', 'nfm_reply', 'call_permission_reply']

test.each(rows)('%s: %j says %j', (kind, message, text, contents) => {
  const { seq: _seq, kind: _, at: _at, recordedAt: _recordedAt, file: _file, related: _related, ...named } = stored
  expect(view(kind, message)).toEqual({
    ...named,
    groupId: null,
    id: numberedId('inb', workspaceId, stored.seq),
    type: answers.includes(kind) ? 'interactive' : kind,
    text,
    ...contents,
    media: null,
    replyTo: null,
    forwarded: false,
    frequentlyForwarded: false,
    edited: null,
    deleted: null,
    referral: null,
    contentState: 'whole',
    sentAt: '2026-01-01T00:00:00.000Z',
    receivedAt: '2026-01-01T00:00:02.000Z',
  } as ReturnType<typeof view>)
})

const text = { type: 'text', text: { body: 'Is it there?' } }

test.each<[what: string, fields: Record<string, unknown>, shown: object]>([
  [
    'an answer',
    { context: { from: '15550', id: 'wamid.0' } },
    { replyTo: { channelMessageId: 'wamid.0', author: '15550', product: null } },
  ],
  [
    'a question about a product',
    { context: { from: '15550', id: 'wamid.0', referred_product: { catalog_id: '1', product_retailer_id: 'SKU' } } },
    {
      replyTo: { channelMessageId: 'wamid.0', author: '15550', product: { catalogId: '1', productRetailerId: 'SKU' } },
    },
  ],
  [
    'what was forwarded',
    { context: { forwarded: true } },
    { replyTo: null, forwarded: true, frequentlyForwarded: false },
  ],
  [
    'what was forwarded often',
    { context: { frequently_forwarded: true } },
    { replyTo: null, forwarded: true, frequentlyForwarded: true },
  ],
  ['what was written in a group', { group_id: 'Y2FwaV9ncm91cDo' }, { groupId: 'Y2FwaV9ncm91cDo' }],
  [
    'what came through an ad',
    {
      referral: {
        source_url: 'https://fb.me/1',
        source_id: '1',
        source_type: 'ad',
        body: 'All half price',
        headline: 'Sale',
        media_type: 'image',
        image_url: 'https://x.example/1.png',
        ctwa_clid: 'clid',
        welcome_message: { text: 'Hi' },
      },
    },
    {
      referral: {
        sourceUrl: 'https://fb.me/1',
        sourceId: '1',
        sourceType: 'ad',
        headline: 'Sale',
        body: 'All half price',
        mediaType: 'image',
        imageUrl: 'https://x.example/1.png',
        videoUrl: null,
        thumbnailUrl: null,
        ctwaClid: 'clid',
        welcomeMessage: { text: 'Hi' },
      },
    },
  ],
])('%s names it', (_, fields, shown) => {
  expect(view('text', { ...text, ...fields })).toMatchObject({ text: 'Is it there?', ...shown })
})

test.each(
  Object.keys(contentSchemas).flatMap(type =>
    [['x'], [null], [[]], {}, 'x', 1, true, null].map(content => [type, content] as const),
  ),
)('%s that is %j is shown as the API document says', (type, content) => {
  const shown = view(type, { type, [type]: content, text: { body: 'Hello' } })
  expect(shown).toMatchObject({ type, text: expect.stringContaining('Hello') })
})

test('a list without anything that can be read says so', () => {
  expect(view('contacts', { type: 'contacts', contacts: [null, 'Ada'] })).toMatchObject({ text: '(contacts)' })
})

const repeated = (element: string) => JSON.parse(`[${Array(Math.floor(65_000 / (element.length + 1))).fill(element)}]`)

test.each<[what: string, kind: string, fields: (elements: unknown) => Record<string, unknown>, element: string]>([
  ['empty cards', 'contacts', contacts => ({ contacts }), '{}'],
  ['cards of one letter', 'contacts', contacts => ({ contacts }), '{"vcard":1}'],
  ['empty numbers', 'contacts', phones => ({ contacts: [{ phones }] }), '{}'],
  ['addresses of one letter', 'contacts', addresses => ({ contacts: [{ addresses }] }), '{"zip":1}'],
  ['empty products', 'order', items => ({ order: { product_items: items } }), '{}'],
  ['empty errors', 'unsupported', errors => ({ errors }), '{}'],
  ['errors of one letter', 'unsupported', errors => ({ errors }), '{"code":1}'],
])('a message of 64 KB does not grow more than ten-fold: %s', (_, kind, fields, element) => {
  const message = { type: kind, ...fields(repeated(element)) }
  expect(JSON.stringify(view(kind, message)).length).toBeLessThan(10 * JSON.stringify(message).length)
})

test('the answers of a form that is nested very deeply stay a text', () => {
  const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const reply = (json: string) =>
    view('nfm_reply', interactive('nfm_reply', { response_json: json })).interactive?.nfmReply
  expect(reply(deep(99))?.fields).not.toBeNull()
  for (const json of [deep(100), deep(30_000)]) expect(reply(json)).toMatchObject({ responseJson: json, fields: null })
})

test('what is not kept any more has no text, and keeps its type', () => {
  const dropped = { text: null, contentState: 'dropped', replyTo: null, referral: null }
  expect(view('button_reply', {}, true)).toMatchObject({ ...dropped, type: 'interactive', raw: null })
  expect(Object.keys(view('image', {}))).not.toContain('image')
})

test('what was too long to be kept says so, and shows its beginning as the original', () => {
  const cut = { from: '49151', cut: '{"type":"text","text":{"body":"xx', characters: 70_000 }
  expect(view('text', cut, true)).toMatchObject({ text: '(too long to be kept)', contentState: 'cut', raw: cut })
})

test('the original comes only when it is asked for', () => {
  expect(view('text', text)).not.toHaveProperty('raw')
  expect(view('text', text, true)).toMatchObject({ raw: text })
})

test('an answer with an error beside it says both', () => {
  const answer = { ...interactive('button_reply', { id: '1', title: 'More' }), errors: [{ title: 'Unavailable' }] }
  const shown = view('button_reply', answer)
  expect(shown).toMatchObject({ text: 'More (not readable: Unavailable)' })
  expect(shown).not.toHaveProperty('unsupported')
})
