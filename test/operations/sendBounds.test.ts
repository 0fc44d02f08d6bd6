import { describe, expect, test } from 'bun:test'
import { isObject, type JsonObject } from '../../src/base/json.ts'
import { type MessageType, messageTypes } from '../../src/message/words.ts'
import { checkSendBody } from '../../src/operations/sends/sendBody.ts'
import { sendSchemas } from '../../src/operations/sends/sendSchema.ts'
import { button } from '../interactive/samples.ts'

/*
 * How much each field of a send may hold: so much passes, and what is beyond is refused at the field. The numbers are
 * those of docs/partner-api.md and docs/upstream.md; a field that gets a bound is named until it stands here.
 */

/** Null: a value of so much is right or wrong for another reason, or there is no bound. */
interface Range {
  readonly least: number | null
  readonly most: number | null
  readonly tooLittle: string
  readonly tooMuch: string
  /** @param sample the value of the field in a body that is right */
  readonly of: (amount: number, sample: unknown) => unknown
  /** Fields that the value needs beside it. */
  readonly beside?: JsonObject
}

const range = (least: number | null, most: number | null, rest: Omit<Range, 'least' | 'most'>): Range => ({
  ...{ least, most },
  ...rest,
})
const chars = (least: number | null, most: number | null, more: Partial<Range> = {}) =>
  range(least, most, {
    tooLittle: 'must not be empty',
    tooMuch: `must not have more than ${most} characters`,
    of: count => '😀'.repeat(count),
    ...more,
  })
const elements = (least: number | null, most: number) =>
  range(least, most, {
    tooLittle: 'must not be empty',
    tooMuch: `must not have more than ${most} elements`,
    of: (count, sample) => Array.from({ length: count }, () => (Array.isArray(sample) ? sample[0] : null)),
  })
const entries = (most: number) =>
  range(null, most, {
    ...{ tooLittle: '', tooMuch: `must not have more than ${most} fields` },
    of: count => Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at + 1}`, 'x'])),
  })
const numbers = (least: number, most: number, more: Partial<Range> = {}) =>
  range(least, most, {
    ...{ tooLittle: `must be at least ${least}`, tooMuch: `must be at most ${most}` },
    of: number => number,
    ...more,
  })
/** Several fields below one path. */
const below = (path: string, names: string, one: Range) =>
  Object.fromEntries(names.split(' ').map(name => [`${path}/${name}`, one]))

type Ranges = Readonly<Record<string, Range>>

const phone = '+4915112345678'
const everywhere: Ranges = {
  // The shortest number has seven digits; more than one has is blanks.
  '/phone': chars(8, 40, {
    tooLittle: 'is not an international number: country code first, 7 to 15 digits in all',
    of: count => phone.padEnd(count).slice(0, count),
  }),
  '/contactId': chars(1, null, { beside: { phone: null } }),
  '/phoneNumberId': chars(1, null),
  '/idempotencyKey': chars(1, 255),
  '/reference': chars(1, 128),
}
const reply: Ranges = { '/replyTo': chars(1, 256) }
const direct: Ranges = { '/ttlSeconds': numbers(30, 43_200, { beside: { category: 'utility' } }) }
const file: Ranges = {
  '/link': chars(null, 2_048, {
    of: count => 'https://a.example/'.padEnd(count, 'x'),
    beside: { mediaId: null },
  }),
  // Those of the upstream are digits.
  '/mediaId': chars(1, 64, {
    tooMuch: 'must be the id of a file here, media_…, or of an upload to the channel, digits only',
    of: count => '1'.repeat(count),
  }),
  ...reply,
}
const caption: Ranges = { '/caption': chars(1, 1_024) }
const value = chars(null, 4_096)
const shortWord = chars(1, 64)
const name = chars(1, 240)
const onCard = elements(null, 20)

const ranges: Readonly<Record<MessageType, Ranges>> = {
  text: { '/content': chars(1, 4_096), ...direct, ...reply },
  interactive: {
    '/content': chars(null, 131_072, { of: count => JSON.stringify(button()).padEnd(count) }),
    ...{ ...direct, ...reply },
  },
  template: {
    '/templateName': chars(1, 512),
    '/templateLanguage': shortWord,
    ...{ '/templateVariables': entries(200), '/templateVariables/1': value },
    ...{ '/bodyParameters': entries(200), '/bodyParameters/1': value },
    '/carousel/cards': elements(null, 20),
    '/carousel/cards/0/index': numbers(0, 20),
    ...{ '/carousel/cards/0/bodyValues': entries(200), '/carousel/cards/0/bodyValues/1': value },
    '/carousel/cards/0/buttonValues': elements(null, 20),
    '/carousel/cards/0/buttonValues/0/index': numbers(0, 20),
    '/carousel/cards/0/buttonValues/0/sub_type': shortWord,
    '/carousel/cards/0/buttonValues/0/parameters/type': shortWord,
    ...below('/carousel/cards/0/buttonValues/0/parameters', 'text payload', value),
    ...below('/carousel/cards/0/header', 'format id', shortWord),
    '/carousel/cards/0/header/link': chars(1, 4_096),
    ...reply,
  },
  image: { ...file, ...caption },
  video: { ...file, ...caption },
  document: { ...file, ...caption, '/fileName': name },
  audio: file,
  sticker: file,
  location: {
    '/latitude': numbers(-90, 90),
    '/longitude': numbers(-180, 180),
    ...below('', 'name address', chars(1, 1_000)),
    ...reply,
  },
  contacts: {
    '/contacts': elements(1, 257),
    ...below('/contacts/0/name', 'formattedName firstName lastName middleName prefix suffix', name),
    ...below('/contacts/0', 'phones emails addresses urls', onCard),
    ...below('/contacts/0/phones/0', 'phone waId type', name),
    ...below('/contacts/0/emails/0', 'email type', name),
    ...below('/contacts/0/addresses/0', 'street city state zip country countryCode type', name),
    ...below('/contacts/0/urls/0', 'url type', name),
    ...below('/contacts/0/org', 'company department title', name),
    ...reply,
  },
  reaction: {
    '/messageId': chars(1, 256),
    // One emoji of many parts, which a sign without width joins.
    '/emoji': chars(null, 64, { of: count => Array.from('👨\u200d'.repeat(count)).slice(0, count).join('') }),
  },
}

/** A body of each type that is right, with what has bounds within it. */
const samples: Readonly<Record<MessageType, JsonObject>> = {
  text: { content: 'Hello' },
  interactive: { content: JSON.stringify(button()) },
  template: {
    templateName: 'order',
    templateVariables: { 1: 'x' },
    bodyParameters: { 1: 'x' },
    carousel: {
      cards: [
        {
          index: 0,
          bodyValues: { 1: 'x' },
          buttonValues: [{ index: 0, sub_type: 'url', parameters: { type: 'text' } }],
          header: { format: 'image' },
        },
      ],
    },
  },
  image: { mediaId: '1' },
  video: { mediaId: '1' },
  document: { mediaId: '1' },
  audio: { mediaId: '1' },
  sticker: { mediaId: '1' },
  location: { latitude: 0, longitude: 0 },
  contacts: {
    contacts: [{ name: { formattedName: 'Ada' }, phones: [{}], emails: [{}], addresses: [{}], urls: [{}], org: {} }],
  },
  reaction: { messageId: 'wamid.x', emoji: '' },
}

/** @returns the issues of a send of this type with so much in one place */
function issuesOf(type: MessageType, path: string, { of, beside }: Range, amount: number) {
  const body: JsonObject = structuredClone({ type, phone, ...samples[type], ...beside })
  const names = path.split('/').slice(1)
  const last = names.pop() ?? ''
  const holder = names.reduce<unknown>((at, name) => (at as JsonObject)[name], body) as Record<string, unknown>
  holder[last] = of(amount, holder[last])
  const checked = checkSendBody(body)
  return checked.ok ? [] : checked.issues
}

const isBound = (keyword: string) => /^(min|max)(imum|Length|Items|Properties)$/.test(keyword)

/** @returns the paths of what has a bound in the schema; the values of a map are below its first key */
function boundedIn(schema: unknown, path = ''): string[] {
  if (!isObject(schema)) return []
  const { properties, patternProperties, items } = schema
  const children = [
    ...Object.entries(isObject(properties) ? properties : {}),
    ...Object.values(isObject(patternProperties) ? patternProperties : {}).map(one => ['1', one] as const),
    ['0', items] as const,
  ]
  const own = Object.keys(schema).some(isBound) ? [path] : []
  return [...own, ...children.flatMap(([name, child]) => boundedIn(child, `${path}/${name}`))]
}

describe('what a send may hold', () => {
  test.each(messageTypes.map(type => [type] as const))('%s: each field with a bound has its row', type => {
    const named = Object.keys({ ...ranges[type], ...everywhere })
    expect(boundedIn(sendSchemas[type]).sort()).toEqual(named.sort())
  })

  const rows = messageTypes.flatMap(type => {
    // What all types have is the same for each.
    const fields = type === 'text' ? { ...ranges[type], ...everywhere } : ranges[type]
    return Object.entries(fields).map(([path, one]) => [type, path, one] as const)
  })
  test.each(rows)('%s %s', (type, path, one) => {
    const { least, most, tooLittle, tooMuch } = one
    if (least !== null) {
      expect(issuesOf(type, path, one, least)).toEqual([])
      expect(issuesOf(type, path, one, least - 1)).toContainEqual({ path, message: tooLittle })
    }
    if (most !== null) {
      expect(issuesOf(type, path, one, most)).toEqual([])
      expect(issuesOf(type, path, one, most + 1)).toContainEqual({ path, message: tooMuch })
    }
  })

  test('a category makes less of a text, and a code lives for a shorter time', () => {
    const code = (fields: object) =>
      checkSendBody({ type: 'text', phone, content: 'x', category: 'authentication', ...fields })
    const refused = (path: string, message: string) => ({ ok: false as const, issues: [{ path, message }] })
    expect(code({ content: '😀'.repeat(1_024), ttlSeconds: 900 })).toMatchObject({ ok: true })
    expect(code({ content: '😀'.repeat(1_025) })).toEqual(
      refused('/content', 'must not have more than 1024 characters with a category'),
    )
    expect(code({ ttlSeconds: 901 })).toEqual(
      refused('/ttlSeconds', 'must be at most 900 for the category authentication'),
    )
  })

  const patterns: readonly [path: string, of: (text: string) => object, right: string[], wrong: string[]][] = [
    [
      '/userId',
      userId => ({ type: 'text', content: 'x', userId }),
      ['US.1', 'AZ.ENT.1', `US.${'azAZ09'.padEnd(128, 'x')}`],
      [
        ...[
          'US.',
          'U.1',
          'USA.1',
          'us.1',
          'Us.1',
          'US1',
          '1S.1',
          'U-.1',
          '-S.1',
          'US.EN.1',
          'US.ent.1',
          'US.a-',
          'US.-a',
          'xUS.1',
        ],
        ...['US.1\n', 'US.ENT.', `US.${'1'.repeat(129)}`],
      ],
    ],
    [
      '/contacts/0/birthday',
      birthday => ({ type: 'contacts', phone, contacts: [{ name: { formattedName: 'Ada' }, birthday }] }),
      ['1815-12-10'],
      [
        ...['815-12-10', '18155-12-10', '1815-2-10', '1815-122-10', '1815-12-1', '1815-12-100', '1815/12/10'],
        ...['x1815-12-10', '1815-12-10\n', '10.12.1815', ''],
      ],
    ],
  ]
  test.each(patterns)('%s has its form', (path, of, right, wrong) => {
    expect(right.filter(text => !checkSendBody(of(text)).ok)).toEqual([])
    for (const text of wrong)
      expect(checkSendBody(of(text))).toMatchObject({
        ok: false,
        issues: [{ path, message: expect.stringMatching(/^must have the form /) }],
      })
  })
})
