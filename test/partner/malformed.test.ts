import { afterEach, describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { codeOf, startTestGateway } from '../gateway.ts'
import { chars, expectNothingHappened, expectRefused, type Malformed, nested, phone, post, text } from './refusals.ts'

const gateway = sharedFixture(startTestGateway)
afterEach(() => expectNothingHappened(gateway))

const utf8 = (value: string) => new TextEncoder().encode(value)
const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(JSON.stringify(text), 'utf16le')])
const json = JSON.stringify(text)
/** The good body with one byte that no UTF-8 text has. */
const invalidUtf8 = new Uint8Array([...utf8(json.slice(0, -3)), 0xff, ...utf8(json.slice(-3))])
const withContent = (literal: string) => `{"type":"text","phone":"${phone}","content":${literal}}`

const unreadable: readonly Malformed[] = [
  ['nothing', '', ['']],
  ['white space', ' \n\t ', ['']],
  ['plain words', 'hello', ['']],
  ['a brace', '{', ['']],
  ['two documents', json + json, ['']],
  ['a comment', `/* send */${json}`, ['']],
  ['NaN', withContent('NaN'), ['']],
  ['a raw NUL in a text', withContent('"a\0b"'), ['']],
  ['two byte order marks', `\ufeff\ufeff${json}`, ['']],
  ['UTF-16', utf16, ['']],
  ['invalid UTF-8', invalidUtf8, ['']],
  ['an overlong NUL', new Uint8Array([...utf8('{"type":"'), 0xc0, 0x80, ...utf8('"}')]), ['']],
  ['null', 'null', ['']],
  ['a list', '[]', ['']],
  ['a list of sends', [text, text], ['']],
  ['JSON in a text', JSON.stringify(json), ['']],
]

const kind: readonly Malformed[] = [
  ['nothing in it', {}, ['/type', '/phone']],
  ['no type', { phone, content: 'x' }, ['/type']],
  [
    'no type, and more',
    { phone: 1, tempate: 2, revalidateFlowSession: 3 },
    ['/type', '/phone', '/tempate', '/revalidateFlowSession'],
  ],
  ['an empty type', { ...text, type: '' }, ['/type']],
  ['an unknown type', { ...text, type: 'fax' }, ['/type']],
  ['another case', { ...text, type: 'Text' }, ['/type']],
  ['null', { ...text, type: null }, ['/type']],
  ['a name of the language itself', { ...text, type: 'constructor' }, ['/type']],
  ['only in the prototype', `{"__proto__":${json}}`, ['/__proto__', '/type', '/phone']],
]

const recipient: readonly Malformed[] = [
  ['neither', { type: 'text', content: 'x' }, ['/phone']],
  ['both', { ...text, contactId: 'contact_1' }, ['/contactId']],
  ['all', { ...text, contactId: 'contact_1', userId: 'US.1' }, ['/contactId', '/userId']],
  ['a contact and a user id', { type: 'text', content: 'x', contactId: 'contact_1', userId: 'US.1' }, ['/userId']],
  ['all null', { ...text, phone: null, contactId: null, userId: null }, ['/phone']],
  ['a user id as phone', { ...text, phone: 'US.13491208655302741918' }, ['/phone']],
  ['a phone as user id', { type: 'text', content: 'x', userId: phone }, ['/userId']],
  ['an empty user id', { type: 'text', content: 'x', userId: '' }, ['/userId']],
  ['phone as number', { ...text, phone: 4915112345678 }, ['/phone']],
  ['phone null', { ...text, phone: null }, ['/phone']],
  ['several phones', { ...text, phone: [phone, phone] }, ['/phone']],
  ['an empty phone', { ...text, phone: '' }, ['/phone']],
  ['a trunk zero in parentheses', { ...text, phone: '+49 (0)151 12345678' }, ['/phone']],
  ['letters', { ...text, phone: '+49151CALLME' }, ['/phone']],
  ['00 in place of the plus', { ...text, phone: '0049 151 12345678' }, ['/phone']],
  ['a number without its country code', { ...text, phone: '0151 12345678' }, ['/phone']],
  ['a sign that is no digit', { ...text, phone: '+4915112345678²' }, ['/phone']],
  ['a very long phone', { ...text, phone: '4'.repeat(100_000) }, ['/phone']],
  ['contactId as number', { type: 'text', content: 'x', contactId: 7 }, ['/contactId']],
  ['an empty contactId', { type: 'text', content: 'x', contactId: '' }, ['/contactId']],
]

/** Bounds and patterns, field by field: test/operations/sendBounds.test.ts. */
const fields: readonly Malformed[] = [
  ['no content', { type: 'text', phone }, ['/content']],
  ['an empty content', { ...text, content: '' }, ['/content']],
  ['an unknown category', { ...text, category: 'marketing' }, ['/category']],
  ['a life without a category', { ...text, ttlSeconds: 60 }, ['/ttlSeconds']],
  ['a life of a broken second', { ...text, category: 'utility', ttlSeconds: 60.5 }, ['/ttlSeconds']],
  [
    'a category with all that it cannot have',
    { type: 'text', userId: 'US.1', content: chars(1_025), previewUrl: true, category: 'authentication' },
    ['/content', '/previewUrl', '/category'],
  ],
  [
    'a category of another type',
    { type: 'reaction', phone, messageId: 'wamid.1', emoji: '', category: 'utility' },
    ['/category'],
  ],
  ['content of white space', { ...text, content: ' \n\u00a0' }, ['/content']],
  ['content as number', { ...text, content: 5 }, ['/content']],
  ['content null', { ...text, content: null }, ['/content']],
  ['content almost as large as a body', { ...text, content: chars(130_000) }, ['/content']],
  ['an unknown field', { ...text, tempate: 1 }, ['/tempate']],
  ['an unknown field that is null', { ...text, tempate: null }, ['/tempate']],
  ['a known field in another case', { ...text, Phone: phone }, ['/Phone']],
  ['a field with / and ~', { ...text, 'a/b~c': 1 }, ['/a~1b~0c']],
  ['an empty name', { ...text, '': 1 }, ['/']],
  ['__proto__', `${json.slice(0, -1)},"__proto__":{"x":1}}`, ['/__proto__']],
  ['names of the language itself', { ...text, constructor: 1, toString: 2 }, ['/constructor', '/toString']],
  [
    'fields of the template type',
    { ...text, templateName: 'a', templateVariables: {} },
    ['/templateName', '/templateVariables'],
  ],
  [
    'fields of the template type, empty',
    { ...text, carousel: {}, bodyParameters: {} },
    ['/carousel', '/bodyParameters'],
  ],
  ['phoneNumberId as number', { ...text, phoneNumberId: 106540352242922 }, ['/phoneNumberId']],
  ['an empty phoneNumberId', { ...text, phoneNumberId: '' }, ['/phoneNumberId']],
  ['an empty reference', { ...text, reference: '' }, ['/reference']],
  ['NUL in reference', { ...text, reference: 'a\0b' }, ['/reference']],
  ['half a surrogate pair in reference', { ...text, reference: 'a\ud800' }, ['/reference']],
  ['idempotencyKey as number', { ...text, idempotencyKey: 1 }, ['/idempotencyKey']],
  ['an empty idempotencyKey', { ...text, idempotencyKey: '' }, ['/idempotencyKey']],
  [
    'idempotencyKey of 256 letters and accents',
    { ...text, idempotencyKey: 'e\u0301'.repeat(128) },
    ['/idempotencyKey'],
  ],
  ['revalidateFlowSession as text', { ...text, revalidateFlowSession: 'true' }, ['/revalidateFlowSession']],
  ['infinite numbers', `${json.slice(0, -1)},"phoneNumberId":1e999,"content":-1e999}`, ['/phoneNumberId', '/content']],
  [
    'everything at once',
    {
      type: 'text',
      phone: 'x',
      contactId: 1,
      phoneNumberId: 2,
      content: '',
      idempotencyKey: chars(300),
      revalidateFlowSession: 0,
      x: 1,
    },
    ['/phone', '/contactId', '/phoneNumberId', '/content', '/idempotencyKey', '/revalidateFlowSession', '/x'],
  ],
]

describe('400 VALIDATION_ERROR: what cannot be read', () =>
  test.each(unreadable)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers)))
describe('400 VALIDATION_ERROR: type', () =>
  test.each(kind)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers)))
describe('400 VALIDATION_ERROR: recipient', () =>
  test.each(recipient)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers)))
describe('400 VALIDATION_ERROR: fields', () =>
  test.each(fields)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers)))

describe('400 VALIDATION_ERROR: the Idempotency-Key header', () => {
  test('is named together with the problems of the body', () =>
    expectRefused(gateway, { ...text, content: 5 }, ['/content', '/idempotencyKey'], { 'idempotency-key': chars(256) }))
})

describe('400 VALIDATION_ERROR: deep nesting is refused at once and never our failure', () => {
  const deep: readonly [name: string, body: string][] = [
    ['lists', nested(60_000)],
    ['objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['in a known field', withContent(nested(60_000))],
    ['in type', `{"type":${nested(60_000)}}`],
    ['in an unknown field', `${json.slice(0, -1)},"x":${nested(60_000)}}`],
    ['a thousand levels', withContent(nested(1_000))],
  ]
  test.each(deep)('%s', async (_, body) => {
    const response = await post(gateway, body)
    expect(await codeOf(response)).toBe('400 VALIDATION_ERROR')
  })
})

test('400 VALIDATION_ERROR: a field of another type is told apart from a field that no type has', async () => {
  const { status, json } = await gateway.send({ ...text, templateName: 'a', tempate: 'a' })
  expect(status).toBe(400)
  expect(json.details.issues).toEqual(
    expect.arrayContaining([
      { path: '/templateName', message: 'does not belong to the type text' },
      { path: '/tempate', message: 'is not a known field' },
    ]),
  )
})
