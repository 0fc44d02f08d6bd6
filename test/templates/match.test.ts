import { describe, expect, test } from 'bun:test'
import { matchTemplate } from '../../src/templates/match.ts'

/** `en_US+ en_GB?`: + approved, ? pending, ! rejected. */
function records(text: string) {
  const statuses: Record<string, string> = { '+': 'APPROVED', '?': 'PENDING', '!': 'REJECTED' }
  return text.split(' ').map((word, at) => ({
    id: at,
    name: 'hello',
    language: word.slice(0, -1),
    status: statuses[word.slice(-1)] ?? '',
  }))
}

const rows: readonly [stored: string, asked: string | undefined, result: string][] = [
  ['en_US+', 'en_US', 'found en_US'],
  ['en_US+', 'en-us', 'found en_US'],
  ['en_US+', 'EN_US', 'found en_US'],
  ['pt_BR+ en_US+', 'pt_BR', 'found pt_BR'],
  // exact before related
  ['en+ en_US+', 'en', 'found en'],
  ['en+ en_US+', 'en_US', 'found en_US'],
  ['en? en_US+', 'en', 'notApproved PENDING'],
  ['en+ en_US!', 'en_US', 'notApproved REJECTED'],
  // one name in one language in two states
  ['en_US? en_US+', 'en_US', 'found en_US'],
  // a short form and its locale forms
  ['en_US+ de+', 'en', 'found en_US'],
  ['en_US+ en_GB+', 'en', 'ambiguousLanguage en_US,en_GB'],
  ['en_US+ en_GB?', 'en', 'found en_US'],
  ['en_US? de+', 'en', 'notApproved PENDING'],
  // a locale form and its short form, never another locale
  ['en+', 'en_US', 'found en'],
  ['en+ en_GB+', 'en_US', 'found en'],
  ['en_GB+', 'en_US', 'unknownLanguage en_GB'],
  ['en_US+', 'en_US_POSIX', 'unknownLanguage en_US'],
  ['en? de+', 'en_US', 'notApproved PENDING'],
  // a prefix is not a relative
  ['fil+', 'fi', 'unknownLanguage fil'],
  ['de+ es? es_MX+', 'fr', 'unknownLanguage de,es_MX'],
  // omitted
  ['en_US+', undefined, 'found en_US'],
  ['en_US+ de?', undefined, 'found en_US'],
  ['en_US+ de+', undefined, 'ambiguousLanguage en_US,de'],
  ['en_US? de!', undefined, 'notApproved PENDING'],
  // nothing approved
  ['en_US? de!', 'de', 'notApproved REJECTED'],
  ['en_US? de_DE!', 'de', 'notApproved REJECTED'],
  ['en_US?', 'fr', 'notApproved PENDING'],
]

describe('templateLanguage: matching the stored template', () => {
  test.each(rows)('%s asked for %p: %s', (stored, asked, result) => {
    const match = matchTemplate(records(stored), 'hello', asked)
    const said =
      match.kind === 'found'
        ? match.template.language
        : match.kind === 'notApproved'
          ? match.template.status
          : match.kind === 'unknownName'
            ? ''
            : match.languages.join(',')
    expect(`${match.kind} ${said}`).toBe(result)
  })
})

describe('templateName', () => {
  test('a name is compared exactly', () => {
    expect(matchTemplate(records('en_US+'), 'Hello', 'en_US')).toEqual({ kind: 'unknownName' })
    expect(matchTemplate([], 'hello')).toEqual({ kind: 'unknownName' })
  })

  test("the caller's own row comes back", () => {
    const [row] = records('en_US+')
    const match = matchTemplate(row ? [row] : [], 'hello', 'en')
    expect(match.kind === 'found' && match.template === row).toBe(true)
  })

  test('the state of a status word does not depend on its case', () => {
    expect(matchTemplate([{ name: 'a', language: 'en', status: 'approved' }], 'a').kind).toBe('found')
  })
})
