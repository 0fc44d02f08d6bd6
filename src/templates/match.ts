import { isSameLanguage, normalizedLanguage } from '../message/language.ts'

/** The fields of a template row that matching needs. The result has the caller's own row type. */
export interface MatchableTemplate {
  readonly name: string
  readonly language: string
  readonly status: string
}

export type TemplateMatch<T> =
  | { readonly kind: 'found'; readonly template: T }
  | { readonly kind: 'unknownName' }
  /** The name exists, the language does not. `languages` are the ones a send could use. */
  | { readonly kind: 'unknownLanguage'; readonly languages: string[] }
  /** `template`: the record that is nearest to what was asked for. */
  | { readonly kind: 'notApproved'; readonly template: T }
  /** Several languages match: the caller has to name one of `languages`. */
  | { readonly kind: 'ambiguousLanguage'; readonly languages: string[] }

/**
 * Chooses the template for a send among the records of one channel, one per name, language and status.
 * The name is compared exactly, a language without regard to case and to `-` or `_`. In this order:
 *
 * 1. no record has the name: `unknownName`; none of that name is approved: `notApproved`;
 * 2. no language given: the only approved one, else `ambiguousLanguage`;
 * 3. the exact language exists: that one, or `notApproved`. It is never replaced by a related one, because a caller
 *    who names a language must not get another while that one waits for approval;
 * 4. a short form (`en`) matches its locale forms (`en_US`), a locale form its short form, never another locale.
 *    Only approved ones compete, so that a pending `en_GB` does not make `en` ambiguous: one is `found`, several are
 *    `ambiguousLanguage`, none but unapproved ones `notApproved`;
 * 5. else `unknownLanguage`, with the approved languages.
 *
 * Only `APPROVED` can be sent (docs/partner-api.md#templates).
 */
export function matchTemplate<T extends MatchableTemplate>(
  records: readonly T[],
  name: string,
  language?: string | undefined,
): TemplateMatch<T> {
  const named = records.filter(record => record.name === name)
  const [first] = named
  if (!first) return { kind: 'unknownName' }
  const approved = named.filter(isApproved)
  const [sendable, ...others] = approved
  if (!sendable) return { kind: 'notApproved', template: nearestTo(named, language) ?? first }
  if (language === undefined) return choose([sendable, ...others])

  const [exact, ...equal] = named.filter(record => isSameLanguage(record.language, language))
  if (exact) return choose([exact, ...equal])
  const wanted = normalizedLanguage(language)
  const [related, ...more] = named.filter(record => isRelated(normalizedLanguage(record.language), wanted))
  if (related) return choose([related, ...more])
  return { kind: 'unknownLanguage', languages: languagesOf(approved) }
}

/** Decides among records that all match: the only approved language wins. */
function choose<T extends MatchableTemplate>(candidates: readonly [T, ...T[]]): TemplateMatch<T> {
  const approved = candidates.filter(isApproved)
  const [template] = approved
  if (!template) return { kind: 'notApproved', template: candidates[0] }
  // The common case.
  if (approved.length === 1) return { kind: 'found', template }
  const languages = languagesOf(approved)
  return languages.length === 1 ? { kind: 'found', template } : { kind: 'ambiguousLanguage', languages }
}

function nearestTo<T extends MatchableTemplate>(named: readonly T[], language: string | undefined): T | undefined {
  if (language === undefined) return undefined
  const wanted = normalizedLanguage(language)
  return (
    named.find(record => normalizedLanguage(record.language) === wanted) ??
    named.find(record => isRelated(normalizedLanguage(record.language), wanted))
  )
}

const isApproved = (record: MatchableTemplate) => record.status.toUpperCase() === 'APPROVED'

/** True when one is the short form of the other. Two locales of one language are not related. */
function isRelated(stored: string, wanted: string): boolean {
  return stored.startsWith(`${wanted}_`) || (isShort(stored) && wanted.startsWith(`${stored}_`))
}

const isShort = (language: string) => !language.includes('_')

/** Each language once, as stored, in the order of the records. */
function languagesOf(records: readonly MatchableTemplate[]): string[] {
  const byForm = new Map(records.map(record => [normalizedLanguage(record.language), record.language]))
  return [...byForm.values()]
}
