import { describe, expect, test } from 'bun:test'
import { check } from '../../../src/base/schema.ts'
import { checkIdentity, checkNewTemplate } from '../../../src/sandbox/checks/newTemplate.ts'
import { checkDraft } from '../../../src/templates/authoring/check.ts'
import type { ButtonDraft, TemplateDraft } from '../../../src/templates/authoring/draft.ts'
import { draftSchema } from '../../../src/templates/authoring/draftSchema.ts'
import {
  app,
  authentication,
  card,
  carousel,
  copyCode,
  creationOf,
  draft,
  offer,
  oneTimeCode,
  quickReply,
  url,
} from './drafts.ts'

/** @returns the code with which the stand-in refuses the creation of a draft; undefined: it takes it */
function standIn(given: TemplateDraft): number | undefined {
  const creation = creationOf(given)
  const answer = checkIdentity(creation) ?? checkNewTemplate(creation, { find: () => ({ type: 'image/png' }) })
  return 'code' in answer ? answer.code : undefined
}

const chars = (count: number) => 'x'.repeat(count)
const times = <One>(count: number, one: (at: number) => One) => Array.from({ length: count }, (_, at) => one(at))
const body = (text: string, examples: Record<string, string> = {}) => ({ body: { text, examples } })
const header = (text: string, example = '') => ({ header: { kind: 'text', text, example } as const })
const buttons = (...list: ButtonDraft[]) => draft({ buttons: list })
const flow = (fields: object): ButtonDraft => ({
  ...{ kind: 'flow', text: 'Book', flowId: '1', action: 'navigate', screen: 'A' },
  ...fields,
})
const phone = (number: string): ButtonDraft => ({ kind: 'phone', text: 'Call', phone: number })
const voiceCall: ButtonDraft = { kind: 'voiceCall', text: 'Call here' }
const oneTap = (fields: object) =>
  authentication({ buttons: [oneTimeCode({ way: 'ONE_TAP', apps: [app], ...fields })] })
const code = (expirationMinutes: number) =>
  authentication({ code: { securityRecommendation: true, expirationMinutes } })
const packageOf = (length: number) => `com.${chars(length - 'com.'.length)}`
const addressOf = (length: number) => `https://a.example/${chars(length - 'https://a.example/'.length)}`

/** The upstream's numbers, docs/upstream.md#template-creation: how much of something passes, and how much does not. */
type Edge = readonly [what: string, passes: number, refused: number, path: string, sentence: string, of: Of]
type Of = (amount: number) => TemplateDraft

const long = (max: number) => `must be at most ${max} characters long`
const tooShort = (variables: string, words: number, min: number) =>
  `is too short for ${variables}: it has ${words} fixed words and needs ${min}`
const lifetime = (min: number, max: number) => ['/lifetimeSeconds', `must be from ${min} to ${max}`] as const
const hash = 'must have exactly 11 characters: A-Z a-z 0-9 + / ='
const utility: Of = lifetimeSeconds => draft({ lifetimeSeconds })
const secret: Of = lifetimeSeconds => authentication({ lifetimeSeconds })
const cards: Of = count => carousel(times(count, () => card()))
const ofCard: Of = count => carousel(times(2, () => card({ buttons: times(count, at => quickReply(`A ${at}`)) })))
const apps: Of = count => oneTap({ apps: times(count, () => app) })
const hashOf: Of = length => oneTap({ apps: [{ ...app, signatureHash: chars(length) }] })
const besideOne: Of = count => draft(body(`–${' word'.repeat(count)} {{1}} –`, { '1': 'x' }))
const besideTwo: Of = count => draft(body(`–${' word'.repeat(count - 1)} {{1}} word {{2}} –`, { '1': 'x', '2': 'x' }))

const edges: readonly Edge[] = [
  ['characters of a name', 512, 513, '/name', long(512), count => draft({ name: chars(count) })],
  ['characters of a header', 60, 61, '/header/text', long(60), count => draft(header(chars(count)))],
  ['emoji of a body', 1_024, 1_025, '/body/text', long(1_024), count => draft(body('😀'.repeat(count)))],
  ["characters of an offer's body", 600, 601, '/body/text', long(600), count => offer(body(chars(count)))],
  ['characters of a footer', 60, 61, '/footer', long(60), count => draft({ footer: chars(count) })],
  [
    'line breaks in a row',
    2,
    3,
    '/body/text',
    'must not have more than one blank line in a row',
    count => draft(body(`One${'\n'.repeat(count)}Two`)),
  ],
  ['words beside a variable', 3, 2, '/body/text', tooShort('1 variable', 2, 3), besideOne],
  ['words beside a variable, or none', 3, 0, '/body/text', tooShort('1 variable', 0, 3), besideOne],
  ['words beside two variables', 5, 4, '/body/text', tooShort('2 variables', 4, 5), besideTwo],
  ['characters of a label', 25, 26, '/buttons/0/text', long(25), count => buttons(quickReply(chars(count)))],
  [
    'characters of an address',
    2_000,
    2_001,
    '/buttons/0/url',
    long(2_000),
    count => buttons(url(addressOf(count), '')),
  ],
  [
    'characters of a phone number',
    20,
    21,
    '/buttons/0/phone',
    long(20),
    count => buttons(phone(`+${'1'.repeat(count - 1)}`)),
  ],
  [
    'characters of a code',
    15,
    16,
    '/buttons/0/example',
    long(15),
    count => buttons({ kind: 'copyCode', example: chars(count) }),
  ],
  ['buttons', 10, 11, '/buttons', 'must be at most 10', count => buttons(...times(count, at => quickReply(`A ${at}`)))],
  [
    'addresses',
    2,
    3,
    '/buttons',
    'must have at most 2 address buttons',
    count => buttons(...times(count, () => url())),
  ],
  [
    'phone numbers',
    1,
    2,
    '/buttons',
    'must have at most 1 phone buttons',
    count => buttons(...times(count, () => phone('+1'))),
  ],
  ['codes', 1, 2, '/buttons', 'must have at most 1 code buttons', count => buttons(...times(count, () => copyCode))],
  ['calls', 1, 2, '/buttons', 'must have at most 1 call buttons', count => buttons(...times(count, () => voiceCall))],
  ['cards, at least', 2, 1, '/cards', 'must be 2 to 10', cards],
  ['cards', 10, 11, '/cards', 'must be 2 to 10', cards],
  ['buttons of a card, at least', 1, 0, '/cards/0/buttons', 'must be 1 to 2', ofCard],
  ['buttons of a card', 2, 3, '/cards/0/buttons', 'must be 1 to 2', ofCard],
  [
    'characters of a card',
    160,
    161,
    '/cards/0/body/text',
    long(160),
    count => carousel(times(2, () => card(body(chars(count))))),
  ],
  [
    'characters of an offer',
    16,
    17,
    '/offer/text',
    long(16),
    count => offer({ offer: { text: chars(count), hasExpiration: true } }),
  ],
  ['minutes of a code, at least', 1, 0, '/code/expirationMinutes', 'must be from 1 to 90', code],
  ['minutes of a code', 90, 91, '/code/expirationMinutes', 'must be from 1 to 90', code],
  ['characters of the label to copy', 25, 26, '/buttons/0/text', long(25), count => oneTap({ text: chars(count) })],
  [
    'characters of the label to fill in',
    25,
    26,
    '/buttons/0/autofillText',
    long(25),
    count => oneTap({ autofillText: chars(count) }),
  ],
  ['apps, at least', 1, 0, '/buttons/0/apps', 'must name 1 to 5 apps', apps],
  ['apps', 5, 6, '/buttons/0/apps', 'must name 1 to 5 apps', apps],
  [
    'characters of a package',
    224,
    225,
    '/buttons/0/apps/0/packageName',
    'must be the name of a package, as in com.example.app',
    count => oneTap({ apps: [{ ...app, packageName: packageOf(count) }] }),
  ],
  ['characters of a hash, at least', 11, 10, '/buttons/0/apps/0/signatureHash', hash, hashOf],
  ['characters of a hash', 11, 12, '/buttons/0/apps/0/signatureHash', hash, hashOf],
  ['seconds to deliver, at least', 30, 29, ...lifetime(30, 43_200), utility],
  ['seconds to deliver', 43_200, 43_201, ...lifetime(30, 43_200), utility],
  ['seconds to deliver a code, at least', 30, 29, ...lifetime(30, 900), secret],
  ['seconds to deliver a code', 900, 901, ...lifetime(30, 900), secret],
]

/** The bound is the contract's or ours; the upstream says nothing of it, or more than this. */
const ownEdges: readonly Edge[] = [
  [
    'characters of an example',
    160,
    161,
    '/body/examples/1',
    long(160),
    count => draft(body('Your order {{1}} is ready.', { '1': chars(count) })),
  ],
  [
    "characters of a header's example",
    160,
    161,
    '/header/example',
    long(160),
    count => draft(header('For {{1}}', chars(count))),
  ],
  [
    "digits of a flow's id",
    64,
    65,
    '/buttons/0/flowId',
    "must be the flow's id: digits only",
    count => buttons(flow({ flowId: '1'.repeat(count) })),
  ],
  ['characters of a screen', 80, 81, '/buttons/0/screen', long(80), count => buttons(flow({ screen: chars(count) }))],
]

describe('each bound is reached, and named at its field when it is passed', () => {
  test.each(edges)(
    '%s: %d pass and %d do not, for us and for the stand-in',
    (_, passes, refused, path, message, of) => {
      expect([checkDraft(of(passes)), standIn(of(passes))]).toEqual([[], undefined])
      expect(checkDraft(of(refused))).toContainEqual({ path, message })
      expect(standIn(of(refused))).toBe(100)
    },
  )

  test.each(ownEdges)('%s: %d pass and %d do not', (_, passes, refused, path, message, of) => {
    expect(checkDraft(of(passes))).toEqual([])
    expect(checkDraft(of(refused))).toEqual([{ path, message }])
  })

  test('a message has no one-time code, and the page offers no second one', () => {
    const [first, second] = [1, 2].map(count => checkDraft(buttons(...times(count, () => oneTimeCode()))))
    const none = { path: '/buttons', message: 'must not have a one-time code: only an authentication template has one' }
    expect(first).toEqual([none])
    expect(second).toEqual([{ path: '/buttons', message: 'must have at most 1 one-time code buttons' }, none])
  })
})

/** Rough bounds of the input, far beyond the rules. */
const rough: readonly [path: string, passes: number, sentence: string, of: (amount: number) => object][] = [
  ['/footer', 8_192, 'must not have more than 8192 characters', count => ({ footer: chars(count) })],
  ['/buttons', 50, 'must not have more than 50 elements', count => ({ buttons: times(count, () => voiceCall) })],
  [
    '/body/examples',
    300,
    'must not have more than 300 fields',
    count => body('x', Object.fromEntries(times(count, at => [`${at}`, 'x']))),
  ],
]

test.each(rough)('%s is read up to %d', (path, passes, message, of) => {
  const read = check(draftSchema)
  expect(read(draft(of(passes)))).toMatchObject({ ok: true })
  expect(read(draft(of(passes + 1)))).toEqual({ ok: false, issues: [{ path, message }] })
})

/** What takes part in a pattern passes in each place, and what does not is refused in each. */
const patterns: readonly [
  what: string,
  path: string,
  passing: readonly string[],
  refused: readonly string[],
  of: (text: string) => TemplateDraft,
][] = [
  ['a name', '/name', ['az09_', '_', '9'], ['Az', 'zA', '-a', 'a-', 'ä', 'a b', 'a\n'], name => draft({ name })],
  [
    'a language',
    '/language',
    ['az', 'fil', 'zh_AZ', 'zh_az', 'zh_Hant'],
    [
      'a',
      'a-',
      '-a',
      'abcd',
      'en_',
      'en_U',
      'en_ABCDE',
      'enUS',
      'en-US',
      'EN',
      'En',
      'e1',
      'en_U1',
      'en_U-',
      'en_-U',
      '1en',
      'en_US1',
      'en_US\n',
    ],
    language => draft({ language }),
  ],
  [
    'a variable with a name',
    '/body/text',
    ['a', 'z', '_', 'az09_'],
    ['1', '1a', 'A', 'aA', 'Aa', 'ä', 'aä', '-a', 'a-'],
    key => draft({ parameterFormat: 'NAMED', ...body(`Your order {{${key}}} is ready.`, { [key]: 'x' }) }),
  ],
  [
    'a package',
    '/buttons/0/apps/0/packageName',
    ['a.z', 'A.Z', 'a_09.B_9.c', 'com.example.app'],
    [
      'example',
      'a.',
      '.a',
      'a..b',
      '1a.b',
      '_a.b',
      'a.1b',
      'a._b',
      'a-.b',
      'a.b-',
      'a.-b',
      '-a.b',
      'a.b.',
      'a b.c',
      'a.b\n',
    ],
    packageName => oneTap({ apps: [{ ...app, packageName }] }),
  ],
  [
    'a phone number',
    '/buttons/0/phone',
    ['1', '+1', '+49 (30) 23-12.50'],
    ['+', 'x1', '1x', '+49x1', '4+9', '++1'],
    number => buttons(phone(number)),
  ],
  [
    'a hash',
    '/buttons/0/apps/0/signatureHash',
    ['AZaz09+/=00'],
    ['-8a/AINcGX7', 'K8a/AINcGX-', 'K8a/AI_cGX7', 'K8a/AINcGXä', 'K8a/AINcGX\n'],
    signatureHash => oneTap({ apps: [{ ...app, signatureHash }] }),
  ],
  [
    'a header',
    '/header/text',
    ['Sale, 50 % off - today!'],
    ['a*', '_a', '~', '`', 'Sale 🎉', 'Sale ✈', 'a\nb'],
    text => draft(header(text)),
  ],
  [
    'the words of a body',
    '/body/text',
    ['– 7 of 9 {{1}} –', '– one-two three {{1}} –', '– één два {{1}} 三 –'],
    ['– one two {{1}} – …', '– one_two {{1}} –'],
    text => draft(body(text, { '1': 'x' })),
  ],
  [
    'words between variables',
    '/body/text',
    ['Your order {{1}}, {{2}} is ready now.'],
    ['Your order {{1}}{{2}} is ready now.', 'Your order {{1}} \n {{2}} is ready now.'],
    text => draft(body(text, { '1': 'x', '2': 'x' })),
  ],
]

describe('each pattern', () => {
  test.each(patterns)(
    'of %s takes what belongs to it alone, and so does the stand-in',
    (_, path, passing, refused, of) => {
      for (const text of passing) expect([text, checkDraft(of(text)), standIn(of(text))]).toEqual([text, [], undefined])
      for (const text of refused) {
        expect([text, checkDraft(of(text)).map(issue => issue.path)]).toEqual([text, [path]])
        expect([text, standIn(of(text))]).toEqual([text, 100])
      }
    },
  )

  test("of a flow's id takes digits alone", () => {
    const paths = (flowId: string) => checkDraft(buttons(flow({ flowId }))).map(({ path }) => path)
    expect(paths('1122334455667788')).toEqual([])
    for (const id of ['', 'x1', '1x', '1 1']) expect(paths(id)).toEqual(['/buttons/0/flowId'])
  })

  test.each(['\n', '\r', '\t', '     '])('of an example refuses %j', space => {
    const of = (text: string) => checkDraft(draft(body('Your order {{1}} is ready.', { '1': text })))
    expect(of('a    b')).toEqual([])
    expect(of(`a${space}b`).map(({ path }) => path)).toEqual(['/body/examples/1'])
  })
})
