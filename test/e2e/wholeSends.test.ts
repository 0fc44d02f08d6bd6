import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { messageFieldNames, messageFields } from '../../db/messageFields.ts'
import { field, isObject, parseObject } from '../../src/base/json.ts'
import { upstreamNameOf } from '../../src/graph/fieldNames.ts'
import { type MessageType, messageTypes } from '../../src/message/words.ts'
import { sendSchemas } from '../../src/operations/sends/sendSchema.ts'
import { addPerson, type Person } from '../console/people.ts'
import { button, flow } from '../interactive/samples.ts'
import { type Files, files, startFiles } from '../media/outgoing/files.ts'
import { type Stack, startStack, upstreamLine, user } from './stack.ts'

/*
 * Nothing of a send is lost: each value of a body with every field is found in what the upstream gets or in the message
 * that is stored, the stand-in takes it as the platform does, and the message is sent again as it was.
 */

type Json = Readonly<Record<string, unknown>>

let stack: Stack
let fileServer: Files
let person: Person
let contactId: string
/** Not the line that a send leaves from which names none. */
let lineId: string
/** The id of a file of each kind at the upstream. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  stack = await startStack()
  fileServer = startFiles(path => new Response(path.endsWith('.pdf') ? files.pdf : files.png))
  stack.control.configure({ directSend: true })
  await stack.sync()
  lineId = stack.line.id
  await stack.gateway.store.write.changeLine({ lineId, directSend: true })
  const { id: other } = await stack.addLine()
  await stack.gateway.store.write.setDefaultLine({ lineId: other, isDefault: true })
  await stack.control.inbound({ from: user, line: upstreamLine(1), kind: 'text' })
  contactId = (await stack.contacts()).find(({ phone }) => phone === user)?.id ?? ''
  for (const [kind, bytes, mime] of [
    ['image', files.png, 'image/png'],
    ['video', files.mp4, 'video/mp4'],
    ['document', files.pdf, 'application/pdf'],
    ['audio', files.opus, 'audio/ogg'],
    ['sticker', files.webp, 'image/webp'],
  ] as const)
    ids[kind] = await stack.upload(bytes, mime)
  person = await addPerson(stack, 'member')
})
afterAll(async () => {
  await stack.stop()
  fileServer.stop()
})

const text = (value: string) => ({ type: 'text', text: value })
const url = (suffix: string) => ({ index: 1, sub_type: 'url', parameters: { type: 'text', text: suffix } })
const direct = { category: 'utility', ttlSeconds: 43_111 }
const given = (kind: string, fields: object = {}) => ({ mediaId: ids[kind], ...fields })

/** Bodies of each type, without what all have. What excludes each other is in two of them. */
const sends: readonly (readonly [name: string, type: MessageType, fields: () => object])[] = [
  ['a text', 'text', () => ({ content: 'words of a text', previewUrl: true })],
  ['a text that is sent directly', 'text', () => ({ content: 'words of a direct text', ...direct })],
  ['a form', 'interactive', () => ({ content: JSON.stringify(flow({ flow_token: 'token of a form' })) })],
  [
    'buttons that are sent directly',
    'interactive',
    () => ({ content: JSON.stringify(button({ header: undefined })), ...direct }),
  ],
  [
    'a template by values',
    'template',
    () => ({
      templateName: 'plant_carousel',
      templateLanguage: 'en_US',
      templateVariables: { c2_1: 'Ivy', c2_2: '31', c2_header: ids.image },
      bodyParameters: { 1: 'Grace' },
      carousel: {
        cards: [
          {
            index: 0,
            header: { format: 'image', id: ids.image },
            bodyValues: { 1: 'Aloe', 2: '29' },
            buttonValues: [
              { index: 0, sub_type: 'quick_reply', parameters: { type: 'payload', payload: 'more of aloe' } },
              url('aloe'),
            ],
          },
          {
            index: 1,
            header: { format: 'image', link: `${fileServer.url}/fern.png` },
            bodyValues: { 1: 'Fern', 2: '30' },
            buttonValues: [url('fern')],
          },
          { index: 2, buttonValues: [url('ivy')] },
        ],
      },
    }),
  ],
  [
    'a template by components with a button',
    'template',
    () => ({
      templateName: 'plant_of_the_week',
      templateComponents: [
        { type: 'header', parameters: [text('Golden Elf')] },
        { type: 'body', parameters: [text('13'), text('Monday')] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [text('golden-elf')] },
      ],
    }),
  ],
  [
    'a template by components with cards',
    'template',
    () => ({
      templateName: 'plant_carousel',
      templateLanguage: 'en_US',
      templateComponents: [
        { type: 'body', parameters: [text('Ada')] },
        {
          type: 'carousel',
          cards: [0, 1, 2].map(index => ({
            card_index: index,
            components: [
              { type: 'header', parameters: [{ type: 'image', image: { id: ids.image } }] },
              { type: 'body', parameters: [text(`Plant ${index}`), text('12')] },
              { type: 'button', sub_type: 'url', index: '1', parameters: [text(`plant-${index}`)] },
            ],
          })),
        },
      ],
    }),
  ],
  ['a picture', 'image', () => given('image', { caption: 'words below a picture' })],
  ['a video', 'video', () => given('video', { caption: 'words below a video' })],
  ['a document', 'document', () => given('document', { caption: 'words below a bill', fileName: 'bill-1001.pdf' })],
  [
    'a document by its link',
    'document',
    () => ({ link: `${fileServer.url}/terms.pdf`, caption: 'words below terms', fileName: 'terms-2026.pdf' }),
  ],
  ['a voice message', 'audio', () => given('audio', { voice: true })],
  ['a sticker', 'sticker', () => given('sticker')],
  [
    'a place',
    'location',
    () => ({ latitude: 52.5163, longitude: 13.3777, name: 'Brandenburg Gate', address: 'Pariser Platz' }),
  ],
  [
    'a contact card',
    'contacts',
    () => ({
      contacts: [
        {
          name: {
            ...{ formattedName: 'Countess Ada King Lovelace II', firstName: 'Ada', lastName: 'Lovelace' },
            ...{ middleName: 'King', prefix: 'Countess', suffix: 'II' },
          },
          phones: [{ phone: '+49 151 12345678', waId: '4915112345678', type: 'MOBILE' }],
          emails: [{ email: 'ada@example.com', type: 'PRIVATE' }],
          addresses: [
            {
              ...{ street: 'Platz 1', city: 'Berlin', state: 'Land Berlin', zip: '10117' },
              ...{ country: 'Germany', countryCode: 'de', type: 'OFFICE' },
            },
          ],
          urls: [{ url: 'https://acme.example', type: 'SHOP' }],
          org: { company: 'Acme', department: 'Engines', title: 'Analyst' },
          birthday: '1815-12-10',
        },
      ],
    }),
  ],
  ['a reaction', 'reaction', () => ({ messageId: 'wamid.of the message that is reacted to', emoji: '👍' })],
]

const recipients: readonly (readonly [to: string, fields: (type: MessageType) => object])[] = [
  ['a number', type => ({ phone: user, ...(type !== 'template' && { requireOpenWindow: true }) })],
  ['a contact', () => ({ contactId, revalidateFlowSession: true })],
  ['a user id', () => ({ userId: 'US.13491208655302741918' })],
]

const whole = (name: string, type: MessageType, fields: object, to: object): Json => ({
  ...{ type, phoneNumberId: lineId, idempotencyKey: `key ${crypto.randomUUID()}`, reference: `reference of ${name}` },
  ...(type !== 'reaction' && { replyTo: 'wamid.of the message that is answered' }),
  ...fields,
  ...to,
})

/** A link is not passed on: the upstream gets the id of the file behind it (test/partner/freeform.test.ts). */
const elsewhere = ['/link', '/carousel/cards/header/link']
/** What decides on the send, and is kept nowhere (test/partner/send.test.ts, freeform.test.ts). */
const deciding = ['/requireOpenWindow', '/revalidateFlowSession']

/** Each field that a schema has, however deep: `/carousel/cards/index`. */
function pathsOf(schema: unknown, at = ''): string[] {
  const [properties, items] = [field(schema, 'properties'), field(schema, 'items')]
  if (items !== undefined) return pathsOf(items, at)
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, inner]) => [
    `${at}/${name}`,
    ...pathsOf(inner, `${at}/${name}`),
  ])
}

interface Leaf {
  readonly path: string
  readonly name: string
  readonly value: unknown
}

/** Each value in a body that is no list and no object. An interactive payload is JSON in a text. */
function leavesOf(value: unknown, path = '', name = ''): Leaf[] {
  if (Array.isArray(value)) return value.flatMap(element => leavesOf(element, path, name))
  const fields = isObject(value)
    ? value
    : typeof value === 'string' && value.startsWith('{')
      ? parseObject(value)
      : null
  if (fields === null) return [{ path, name, value }]
  return Object.entries(fields).flatMap(([inner, part]) => leavesOf(part, `${path}/${inner}`, inner))
}

const withAbove = (path: string) => path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'))

describe('every field is in a body of', () => {
  test.each([...messageTypes])('%s', type => {
    const bodies = sends
      .filter(send => send[1] === type)
      .flatMap(([name, , fields]) => recipients.map(([, to]) => whole(name, type, fields(), to(type))))
    const given = new Set(bodies.flatMap(body => leavesOf(body)).flatMap(({ path }) => withAbove(path)))
    // What waits is not there yet: test/partner/scheduling.test.ts sends it.
    const apart = ['/link', '/sendAt']
    expect(pathsOf(sendSchemas[type]).filter(path => !given.has(path) && !apart.includes(path))).toEqual([])
  })
})

describe.each(sends)('%s', (name, type, fields) => {
  test.each(recipients)(
    'to %s: taken by the stand-in, no value is lost, and it is sent again as it was',
    async (_, to) => {
      const body = whole(name, type, fields(), to(type))
      const { status, json, text: answer } = await stack.send(body)
      expect([status, answer]).toEqual([201, expect.anything()])
      const sent = stack.sent().at(-1)
      const { read } = stack.gateway.store
      const stored = await read.message(json.data.id)

      const found = leavesOf([sent, stored])
      const isKept = ({ name, value }: Leaf) =>
        found.some(
          other =>
            String(other.value) === String(value) &&
            (typeof value !== 'boolean' || other.name === name || other.name === upstreamNameOf(name)),
        )
      const lost = leavesOf(body).filter(leaf => ![...elsewhere, ...deciding].includes(leaf.path) && !isKept(leaf))
      expect(lost).toEqual([])

      const path = `/api/v1/workspaces/${stack.workspaceId}/messages/${json.data.id}/send-again`
      const again = await person.call(path, { body: { idempotencyKey: `again ${json.data.id}` } })
      expect([again.status, again.text]).toEqual([201, expect.anything()])
      const { messageId } = again.json
      expect(stack.sent().at(-1)).toEqual({ ...sent, biz_opaque_callback_data: messageId })
      const repeated = await read.message(messageId)
      for (const name of messageFieldNames.filter(name => messageFields[name].again === 'kept'))
        expect([name, field(repeated, name)]).toEqual([name, field(stored, name)])
    },
  )
})
