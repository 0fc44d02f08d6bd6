import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageStatuses } from '../../src/message/statuses.ts'
import { codeOf, isUnder, modules, root } from './modules.ts'

const word = `(?:${messageStatuses.join('|')})\\b`
const status = `'${word}'`

/** How a text decides by a status: it compares with one, looks for one among several, or asks for messages of some. */
const deciding = [
  `[=!]==?\\s*${status}`,
  `${status}\\s*[=!]==?`,
  `\\bcase\\s+${status}`,
  `\\bstatus\\W{0,3}\\s(?:=|<>|IS (?:NOT )?DISTINCT FROM)\\s*${status}`,
  `\\bIN\\s*\\([^()]*${status}`,
  `\\bstatus: \\[[^\\]]*${status}`,
  `(?<!\\bEnum)\\([^(){}:?]*${status}`,
  `\\[[^[\\]]*${status}[^[\\]]*\\]\\.`,
  `[?&]status=${word}`,
].map(form => new RegExp(form, 'g'))

const decisionsIn = (code: string) => deciding.flatMap(form => code.match(form) ?? [])

/** Where such a word is no status of a message, or decides nothing. */
const exceptions = [
  'src/message/state.ts', // computes the status
  'src/sandbox', // the words are the platform's
  'src/console/web/pages/messages/MessageActions.tsx', // the two outcomes that a person chooses from
  'src/console/web/pages/overview/OverviewPage.tsx', // the list of what was read is that of one status
]

const functions = join(root, 'db/postgres/functions')
const texts = [
  ...modules.map(({ path, text }) => ({ path, code: codeOf(text) })),
  ...readdirSync(functions)
    .filter(name => name.endsWith('.sql'))
    .map(name => ({ path: name, code: readFileSync(join(functions, name), 'utf8').replace(/--.*$/gm, '') })),
]

test('what is decided by the status of a message is asked of src/message/statuses.ts', () => {
  const decided = texts
    .filter(({ path }) => !isUnder(path, ...exceptions))
    .flatMap(({ path, code }) => decisionsIn(code).map(found => `${path}: ${found}`))
  expect(decided).toEqual([])
})

test('each exception is one', () => {
  const needless = exceptions.filter(
    path => !texts.some(text => isUnder(text.path, path) && decisionsIn(text.code).length > 0),
  )
  expect(needless).toEqual([])
})

test.each([
  "if (message.status === 'QUEUED') return",
  "status !== 'UNKNOWN'",
  "'FAILED' == status",
  "case 'SENT':",
  "['QUEUED', 'UNKNOWN', 'FAILED'].includes(message.status)",
  "eq(messages.status, 'QUEUED')",
  "notInArray(messages.status, ['QUEUED', 'UNKNOWN'])",
  "new Set(['READ'])",
  "search({ ...filter, status: ['UNKNOWN' as const] })",
  "sql`status = 'FAILED'`",
  "WHERE status <> 'QUEUED'",
  "AND messages.status IN ('SENT', 'DELIVERED')",
  "status IS NOT DISTINCT FROM 'QUEUED'",
  '/messages?status=FAILED&line=',
])('found is a decision by %p', code => {
  expect(decisionsIn(code)).not.toEqual([])
})

test.each([
  "const message = { ...draft, status: 'QUEUED' as const }",
  "readonly as: 'SENT' | 'FAILED'",
  "{ code = 'FAILED' } = {}",
  "as: Type.Enum(['SENT', 'FAILED'])",
  "SELECT seq, line_seq, 'QUEUED', key_seq",
])('a value decides nothing: %p', code => {
  expect(decisionsIn(code)).toEqual([])
})
