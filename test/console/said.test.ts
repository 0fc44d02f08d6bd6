import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { languages } from '../../db/contract/preferences.ts'
import { ERRORS } from '../../src/base/errors.ts'
import { type Said, translator } from '../../src/console/web/texts/translator.ts'
import { expired, unreachable } from '../../src/graph/answer.ts'
import { explain } from '../../src/graph/codes.ts'
import { CODES, ERROR_CLASSES } from '../../src/graph/codeTable.ts'
import { batchRefusals, lateItem } from '../../src/operations/batchMoves.ts'
import { foundSentences } from './foundWords.ts'

const src = resolve(import.meta.dir, '../../src')

/** What the codes of the platform mean, in short and in full, and what helps; and what ours mean, without marks. */
const codes = new Set([
  ...[...Object.values(ERROR_CLASSES), ...CODES.values(), explain(200)].flatMap(words =>
    words ? [words.short, words.meaning, words.remedy] : [],
  ),
  ...Object.values(ERRORS).map(({ meaning }) => meaning.replaceAll('`', '')),
])

/** Where refusals of the console's routes are written. */
const refusing = ['console', 'operations', 'sending'] as const
const refusingFiles = ['base/phone.ts', 'base/schema.ts', 'http/errors.ts', 'http/fileAnswer.ts']
/** They are put together of words that stand elsewhere, or come from doors that a browser seldom meets. */
const composed = [
  /^No [\w ]+ has this id\.$/,
  /^The request is malformed\. /,
  /^\{\} \(and \{\} more\)$/,
  /^is (required|not a known field)$/,
  /^The (upstream platform refused the message|message was not sent): /,
  // Why a person was not blocked (operations/blocking.ts).
  /^on \{\}, because \{\}$|^only who has written to |^its list of \{\} blocked |^the platform said: /,
  /^The upstream platform gave no answer$|^Its time passed more than /,
  /^The body is larger than |^did not arrive within |^ended before it was whole$/,
]

const within = String.raw`\$\{(?:[^{}\x60]|\x60[^\x60]*\x60)*\}`
const text = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\x60(?:[^\x60\\$]|\\.|\$(?!\{)|${within})*\x60)`
/** What makes a refusal, and its words: one text, or several that are joined. */
const refusal = new RegExp(
  String.raw`(?:\b(?:conflict|forbidden|notFound|refused)\(\s*|\bwrongField\((?:[^,()]|\([^)]*\))+,\s*|\b(?:message|problem)(?: =|:)\s*)(${text}(?:\s*\+\s*${text})*)`,
  'g',
)

/** @returns the words of a literal, with `{}` for what differs */
const wordsOf = (literal: string) =>
  [...literal.matchAll(new RegExp(text, 'g'))]
    .map(([one]) => one.slice(1, -1).replace(new RegExp(within, 'g'), '{}').replaceAll("\\'", "'"))
    .join('')

async function refusals(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const ofFolders = refusing.flatMap(folder =>
    [...new Bun.Glob('**/*.ts').scanSync({ cwd: `${src}/${folder}` })].map(path => `${folder}/${path}`),
  )
  for (const path of [...ofFolders, ...refusingFiles].filter(one => !one.startsWith('console/web/'))) {
    const source = await Bun.file(`${src}/${path}`).text()
    for (const [, literal = ''] of source.matchAll(refusal)) {
      const words = wordsOf(literal)
      // Others say it all: what it is made of, or a name.
      if (/[a-z]{2,}.* |^is |^each /.test(words.replaceAll('{}', ''))) found.set(words, path)
    }
  }
  return found
}

/** They are no literals of a refusal, and are shown like one. */
const alsoTold = [expired.title, unreachable('').title, lateItem, ...Object.values(batchRefusals)]
const told = new Map([...(await refusals()), ...alsoTold.map(words => [words, 'others'] as const)])

const findings = await foundSentences()
/** Sentences of which a part is added only sometimes, and what stands in a gap. */
const composedFindings = [
  /^none was made yet$|^1 channel$|^\{\} (channels|ahead|back)$/,
  /^the last one was made at \{\}: |^\{\}, (not )?in the bucket/,
  /15 minutes; \{\}$|^; the database of before/,
]

test('refusals are found where they are written', () => {
  expect(told.size).toBeGreaterThan(90)
  expect(told.get('The example cannot be fetched.')).toBe('console/templates/shownExampleRoute.ts')
  expect(told.get('This needs the role {} in the workspace; yours is {}.')).toBe('console/guard.ts')
  expect(findings.size).toBeGreaterThan(100)
  expect(findings.get('{} is writable')).toBe('checks.ts')
  expect(findings.get('older messages are deleted')).toBe('settings.ts')
})

describe.each(languages.slice(1))('what the gateway says, in %s', language => {
  const file = async <Name extends string>(name: Name) =>
    ((await import(`${src}/console/web/texts/${language}/${name}.ts`)) as Record<Name, Said>)[name]

  test('has words for each reason of the platform and each error code, and no others', async () => {
    const reasons = await file('reasons')
    expect([...codes].filter(words => !Object.hasOwn(reasons, words))).toEqual([])
    expect(Object.keys(reasons).filter(words => !codes.has(words))).toEqual([])
    expect(Object.entries(reasons).filter(([words, own]) => words === own)).toEqual([])
  })

  test('has words for each refusal, and no others', async () => {
    const own = await file('refusals')
    expect([...told].filter(([words]) => !Object.hasOwn(own, words))).toEqual([])
    const others = Object.keys(own).filter(words => !told.has(words) && !composed.some(one => one.test(words)))
    expect(others).toEqual([])
    expectFilled(own)
  })

  test('has words for each finding of the gateway and each purpose of a setting, and no others', async () => {
    const own = await file('findings')
    expect([...findings].filter(([words]) => !Object.hasOwn(own, words))).toEqual([])
    const others = Object.keys(own).filter(
      words => !findings.has(words) && !composedFindings.some(one => one.test(words)),
    )
    expect(others).toEqual([])
    expectFilled(own)
  })
})

/** What is filled into a gap stands in the words. */
function expectFilled(own: Said) {
  const gaps = (words: string) => words.split('{}').length - 1
  const most = (words: string) => Math.max(0, ...[...words.matchAll(/\{(\d)\}/g)].map(([, at]) => Number(at)))
  expect(Object.entries(own).filter(([words, said]) => said.includes('{}') || most(said) > gaps(words))).toEqual([])
}

test('what differs is put where it belongs, and is translated where it is said by the gateway too', () => {
  const german = translator({
    'This needs the role {} in the workspace; yours is {}.': 'Ihre ist {2}, nötig ist {1}.',
    'The request is malformed. {}: {}': 'Falsch. {1}: {2}',
    'is required': 'ist nötig',
    'Value is not valid': 'Wert ist nicht gültig',
    '{} (and {} more)': '{1} (und {2} weitere)',
  })
  expect(german('This needs the role admin in the workspace; yours is viewer.')).toBe(
    'Ihre ist viewer, nötig ist admin.',
  )
  expect(german('The request is malformed. /name: is required (and 2 more)')).toBe(
    'Falsch. /name: ist nötig (und 2 weitere)',
  )
  expect(german('Value is not valid (131009)')).toBe('Wert ist nicht gültig (131009)')
  expect(german('What a person wrote')).toBeUndefined()
})

test('a finding that is put together of several is said in one language', async () => {
  const { findings } = (await import(`${src}/console/web/texts/de/findings.ts`)) as { findings: Said }
  const german = translator(findings)
  expect(german('2 channels, each with its own account')).toBe('2 Kanäle, jeder mit eigenem Konto')
  expect(german('v25.0: the upstream platform serves it until 2028-07-29')).toBe(
    'v25.0: die Plattform bietet sie bis 2028-07-29 an',
  )
  expect(german('the last one was made at 2026-11-29 23:00:00: one.db, not in the bucket yet')).toBe(
    'die letzte entstand um 2026-11-29 23:00:00: one.db, noch nicht im Bucket',
  )
})
