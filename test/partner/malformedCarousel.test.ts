import { afterEach, beforeAll, describe, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { catalog } from './catalog.ts'
import { expectNothingHappened, expectRefused, type Malformed, phone, template } from './refusals.ts'

const gateway = sharedFixture(startTestGateway)
beforeAll(() => gateway.addTemplates(...catalog))
afterEach(() => expectNothingHappened(gateway))

const cards = (...list: readonly unknown[]) => ({ ...template, carousel: { cards: list } })

const carousel: readonly Malformed[] = [
  ['a list', { ...template, carousel: [{ index: 0 }] }, ['/carousel']],
  ['no cards', { ...template, carousel: {} }, ['/carousel/cards']],
  ['an unknown field', { ...template, carousel: { cards: [], speed: 1 } }, ['/carousel/speed']],
  ['cards as object', { ...template, carousel: { cards: { 0: {} } } }, ['/carousel/cards']],
  ['21 cards', cards(...Array.from({ length: 21 }, (_, index) => ({ index }))), ['/carousel/cards']],
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

const inTemplate = (templateName: string, values: object) => ({ type: 'template', phone, templateName, ...values })
const good = (index: number) => ({
  index,
  bodyValues: { 1: 'a' },
  header: { format: 'image', id: '15580815' },
  buttonValues: [{ index: 1, sub_type: 'url', parameters: { type: 'text', text: 'x' } }],
})
const ofCards = (...list: readonly unknown[]) =>
  inTemplate('cards', { templateVariables: { 1: 'you' }, carousel: { cards: list } })

/** Rule by rule: `test/templates/carousel-refusals.test.ts`. */
const againstTheTemplate: readonly Malformed[] = [
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

describe('400 VALIDATION_ERROR: carousel', () => {
  test.each(carousel)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers))
})
describe('400 VALIDATION_ERROR: the carousel against the template', () => {
  test.each(againstTheTemplate)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers))
})
