import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkNewTemplate } from '../../../src/sandbox/checks/newTemplate.ts'
import { checkDraft } from '../../../src/templates/authoring/check.ts'
import type { ButtonDraft, TemplateDraft } from '../../../src/templates/authoring/draft.ts'
import { variablesIn } from '../../../src/templates/authoring/texts.ts'
import { componentsOf } from '../../../src/templates/authoring/wire.ts'
import { draft } from './drafts.ts'

const handles = { find: (handle: string) => (handle === 'good' ? { type: 'image/png' } : undefined) }
const isAccepted = (given: TemplateDraft) =>
  !(
    'code' in
    checkNewTemplate(
      { category: given.category, parameter_format: given.parameterFormat, components: componentsOf(given) },
      handles,
    )
  )

/** Texts made of what the rules are about. */
const pieces = fc.constantFrom(
  '{{1}}',
  '{{2}}',
  '{{ 1 }}',
  '{{name}}',
  '{{Name}}',
  '{{',
  '}}',
  '{{}}',
  ' ',
  '\n',
  '\n\n',
  '*',
  '🎉',
  'word',
  'two words',
  'ein längerer Satz.',
)
const words = fc.array(pieces, { maxLength: 12 }).map(list => list.join(''))
const withExamples = (text: string) => ({
  text,
  examples: Object.fromEntries(variablesIn(text).map(key => [key, 'example'])),
})
const formats = fc.constantFrom('POSITIONAL' as const, 'NAMED' as const)

test('a text is let through by our rules exactly where the stand-in accepts it', () => {
  fc.assert(
    fc.property(words, words, words, formats, (body, header, footer, parameterFormat) => {
      const given = draft({
        parameterFormat,
        body: withExamples(body),
        header: header === '' ? { kind: 'none' } : { kind: 'text', text: header, example: 'example' },
        footer,
      })
      const issues = checkDraft(given)
      expect([issues, isAccepted(given)]).toEqual([issues, issues.length === 0])
    }),
    { numRuns: 3_000 },
  )
})

const button: fc.Arbitrary<ButtonDraft> = fc.oneof(
  words.map(text => ({ kind: 'quickReply' as const, text: text || 'Yes' })),
  fc.record({
    kind: fc.constant('url' as const),
    text: fc.constant('Open'),
    url: fc.constantFrom(
      'https://a.example',
      'https://a.example/{{1}}',
      'https://a.example/{{1}}x',
      'http://a',
      'https://',
    ),
    example: fc.constantFrom('x', 'a/b'),
  }),
  fc.constant({ kind: 'phone' as const, text: 'Call', phone: '+4930123456' }),
  fc.constantFrom('SAVE', 'A CODE OF 16 CHARS').map(example => ({ kind: 'copyCode' as const, example })),
  fc
    .constantFrom('catalog' as const, 'multiProduct' as const, 'voiceCall' as const)
    .map(kind => ({ kind, text: 'View' })),
)

test('buttons are let through by our rules exactly where the stand-in accepts them', () => {
  fc.assert(
    fc.property(fc.array(button, { maxLength: 11 }), buttons => {
      const given = draft({ buttons })
      const issues = checkDraft(given)
      expect([issues, isAccepted(given)]).toEqual([issues, issues.length === 0])
    }),
    { numRuns: 3_000 },
  )
})
