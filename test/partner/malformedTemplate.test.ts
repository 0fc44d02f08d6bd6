import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { catalog } from './catalog.ts'
import {
  chars,
  expectNothingHappened,
  expectRefused,
  interactive,
  type Malformed,
  nested,
  phone,
  post,
  template,
  text,
} from './refusals.ts'

const gateway = sharedFixture(startTestGateway)
const code = [
  { type: 'BODY', text: 'Code {{1}}' },
  { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
]
const authentication = { name: 'code', category: 'AUTHENTICATION', components: JSON.stringify(code) }
beforeAll(() => gateway.addTemplates(...catalog, authentication))
afterEach(() => expectNothingHappened(gateway))

const components = (...list: readonly unknown[]) => ({ ...template, templateComponents: list })

const fields: readonly Malformed[] = [
  ['no values at all', template, ['/templateVariables']],
  ['no name', { type: 'template', phone, templateVariables: {} }, ['/templateName']],
  ['nothing but the type', { type: 'template' }, ['/templateName', '/phone', '/templateVariables']],
  ['an empty name', { ...template, templateName: '', templateVariables: {} }, ['/templateName']],
  ['a name as number', { ...template, templateName: 1, templateVariables: {} }, ['/templateName']],
  ['a language as list', { ...template, templateLanguage: ['en'], templateVariables: {} }, ['/templateLanguage']],
  ['an empty language', { ...template, templateLanguage: '', templateVariables: {} }, ['/templateLanguage']],
  [
    'a very long language',
    { ...template, templateLanguage: chars(5_000), templateVariables: {} },
    ['/templateLanguage'],
  ],
  ['content, which is of another type', { ...template, templateVariables: {}, content: 'x' }, ['/content']],
  ['variables as list', { ...template, templateVariables: ['Ada'] }, ['/templateVariables']],
  ['variables as text', { ...template, templateVariables: 'Ada' }, ['/templateVariables']],
  ['variables null', { ...template, templateVariables: null }, ['/templateVariables']],
  [
    'values that are no text',
    { ...template, templateVariables: { 1: 1, 2: null, 3: ['a'], 4: { text: 'a' }, 5: true } },
    [
      '/templateVariables/1',
      '/templateVariables/2',
      '/templateVariables/3',
      '/templateVariables/4',
      '/templateVariables/5',
    ],
  ],
  ['a value of 5000 characters', { ...template, templateVariables: { 1: chars(5_000) } }, ['/templateVariables/1']],
  [
    'values under keys that are empty or have line breaks',
    { ...template, templateVariables: { '': 'a', 'a\nb': { deep: [5] } }, bodyParameters: { '\u2028': 1 } },
    ['/templateVariables/', '/templateVariables/a\nb', '/bodyParameters/\u2028'],
  ],
  [
    'a value nested 2,900 levels under a key with a line break',
    `{"type":"template","phone":"${phone}","templateName":"order","idempotencyKey":"k","templateVariables":{"\\n":${nested(2_900)}}}`,
    ['/templateVariables/\n'],
  ],
  ['bodyParameters as list', { ...template, bodyParameters: ['Ada'] }, ['/bodyParameters']],
  ['bodyParameters with a number', { ...template, bodyParameters: { 1: 5 } }, ['/bodyParameters/1']],
]

/** Rule by rule: test/templates/forwardedComponents.test.ts. */
const forwarded: readonly Malformed[] = [
  ['an object', { ...template, templateComponents: { type: 'body' } }, ['/templateComponents']],
  ['JSON in a text', { ...template, templateComponents: '[{"type":"body"}]' }, ['/templateComponents']],
  ['null, which is as if absent', { ...template, templateComponents: null }, ['/templateVariables']],
  [
    'numbers that JSON cannot carry',
    `{"type":"template","phone":"${phone}","templateName":"order","templateComponents":[{"type":"body","x":1e400},{"type":"body","x":[-1e999]}]}`,
    ['/templateComponents/0/x', '/templateComponents/1/x/0'],
  ],
  [
    'a text over 160 characters on a card',
    components({
      type: 'carousel',
      cards: [{ card_index: 0, components: [{ type: 'body', parameters: [{ type: 'text', text: chars(161) }] }] }],
    }),
    ['/templateComponents/0/cards/0/components/0/parameters/0/text'],
  ],
]

const inTemplate = (templateName: string, values: object) => ({ type: 'template', phone, templateName, ...values })

/** Rule by rule: test/templates/renderComponents.test.ts. */
const toUser = { type: 'template', userId: 'US.1', templateName: 'code' }
const againstTheTemplate: readonly Malformed[] = [
  ['a code to a user id', { ...toUser, templateVariables: { 1: '123456' } }, ['/templateName']],
  ['a code that is forwarded to a user id', { ...toUser, templateComponents: [] }, ['/templateName']],
  [
    'missing, unknown, empty and too long at once',
    inTemplate('sale', { templateVariables: { 1: '', 3: 'x', copy_code: 'x' }, bodyParameters: { 9: 'x' } }),
    [
      '/templateVariables/1',
      '/templateVariables/2',
      '/templateVariables/3',
      '/templateVariables/copy_code',
      '/bodyParameters/9',
    ],
  ],
  [
    'a number with a leading zero',
    inTemplate('order', { templateVariables: { '01': 'a', 2: 'b' } }),
    ['/templateVariables/01', '/templateVariables/1'],
  ],
  [
    '__proto__',
    inTemplate('plain', JSON.parse('{"templateVariables":{"__proto__":"x"}}')),
    ['/templateVariables/__proto__'],
  ],
  ['constructor', inTemplate('plain', { templateVariables: { constructor: 'x' } }), ['/templateVariables/constructor']],
  ['an empty key', inTemplate('plain', { templateVariables: { '': 'x' } }), ['/templateVariables/']],
]

const cards = (...list: readonly unknown[]) => ({ ...template, carousel: { cards: list } })

const carousel: readonly Malformed[] = [
  ['a list', { ...template, carousel: [{ index: 0 }] }, ['/carousel']],
  ['no cards', { ...template, carousel: {} }, ['/carousel/cards']],
  ['an unknown field', { ...template, carousel: { cards: [], speed: 1 } }, ['/carousel/speed']],
  ['cards as object', { ...template, carousel: { cards: { 0: {} } } }, ['/carousel/cards']],
  ['a card without index', cards({ bodyValues: {} }), ['/carousel/cards/0/index']],
  [
    'indexes that are none',
    cards({ index: '0' }, { index: -1 }, { index: 0.5 }, { index: null }, 7),
    [
      '/carousel/cards/0/index',
      '/carousel/cards/1/index',
      '/carousel/cards/2/index',
      '/carousel/cards/3/index',
      '/carousel/cards/4',
    ],
  ],
  ['an unknown field of a card', cards({ index: 0, title: 'x' }), ['/carousel/cards/0/title']],
  ['bodyValues as list', cards({ index: 0, bodyValues: ['a'] }), ['/carousel/cards/0/bodyValues']],
  ['a body value as number', cards({ index: 0, bodyValues: { 1: 2 } }), ['/carousel/cards/0/bodyValues/1']],
  [
    'a header without format',
    cards({ index: 0, header: { link: 'https://x.example/a.png' } }),
    ['/carousel/cards/0/header/format'],
  ],
  ['a header as text', cards({ index: 0, header: 'https://x.example/a.png' }), ['/carousel/cards/0/header']],
  ['a header id as number', cards({ index: 0, header: { format: 'image', id: 15 } }), ['/carousel/cards/0/header/id']],
  [
    'a button value without its parts',
    cards({ index: 0, buttonValues: [{}] }),
    ['index', 'sub_type', 'parameters'].map(field => `/carousel/cards/0/buttonValues/0/${field}`),
  ],
  ['buttonValues as object', cards({ index: 0, buttonValues: { 0: 'x' } }), ['/carousel/cards/0/buttonValues']],
]

const good = (index: number) => ({
  index,
  bodyValues: { 1: 'a' },
  header: { format: 'image', id: '15580815' },
  buttonValues: [{ index: 1, sub_type: 'url', parameters: { type: 'text', text: 'x' } }],
})
const ofCards = (...list: readonly unknown[]) =>
  inTemplate('cards', { templateVariables: { 1: 'you' }, carousel: { cards: list } })

/** Rule by rule: test/templates/carousel-refusals.test.ts. */
const againstTheCarousel: readonly Malformed[] = [
  [
    'a card without header, body value and button value',
    ofCards(good(0), { index: 1 }),
    ['/carousel/cards/1/header', '/carousel/cards/1/bodyValues/1', '/carousel/cards/1/buttonValues'],
  ],
  [
    'a header of a kind that no card has',
    ofCards(good(0), { ...good(1), header: { format: 'text', id: '1' } }),
    ['/carousel/cards/1/header/format'],
  ],
]

/** More problems than are named, in each place that looks for them. */
const countless: readonly [name: string, body: object][] = [
  ['unknown fields', { ...text, ...numbered(102, 'field', 1) }],
  ['unknown variables', inTemplate('order', { templateVariables: numbered(150, 'k', 'x') })],
  ['values that are too long', components({ type: 'body', parameters: longTexts(240) })],
  [
    'unknown fields, and values that are too long',
    { ...components({ type: 'body', parameters: longTexts(150) }), ...numbered(100, 'field', 1) },
  ],
  [
    'numbers that would not arrive as they are',
    { ...interactive, content: `{"type":"new_kind","data":[${Array(1_000).fill('9'.repeat(20)).join(',')}]}` },
  ],
]

function numbered<Value>(count: number, name: string, value: Value): Record<string, Value> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, value]))
}

function longTexts(count: number) {
  return Array.from({ length: count }, () => ({ type: 'text', text: chars(161) }))
}

describe('400 VALIDATION_ERROR: of countless problems a hundred are named', () =>
  test.each(countless)('%s', async (_, body) => {
    const response = await post(gateway, body)
    expect(response.status).toBe(400)
    const { message, details } = (await response.json()) as { message: string; details: { issues: unknown[] } }
    expect(details.issues).toHaveLength(100)
    expect(message).toEndWith('(and 99 more)')
  }))

describe('400 VALIDATION_ERROR: fields of a template', () =>
  test.each(fields)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers)))
describe('400 VALIDATION_ERROR: templateComponents', () =>
  test.each(forwarded)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers)))
describe('400 VALIDATION_ERROR: against the template', () =>
  test.each(againstTheTemplate)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers)))
describe('400 VALIDATION_ERROR: carousel', () =>
  test.each(carousel)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers)))
describe('400 VALIDATION_ERROR: the carousel against the template', () =>
  test.each(againstTheCarousel)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers)))
