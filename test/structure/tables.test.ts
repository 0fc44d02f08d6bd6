import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldFilters } from '../../db/messageFields.ts'
import { PARTNER_ERRORS } from '../../src/base/errors.ts'
import { flagOf } from '../../src/cli/command.ts'
import { ERROR_CLASSES } from '../../src/graph/codeTable.ts'
import { messageTypes } from '../../src/message/words.ts'
import { sendSchemas, untypedSendSchema } from '../../src/operations/sends/sendSchema.ts'
import { messageSchema } from '../../src/sending/messageSchema.ts'
import { root } from './modules.ts'

/** @returns the tables below a heading, each as its rows, each as its cells */
function tablesOf(document: string, heading: string): string[][][] {
  const text = readFileSync(join(root, document), 'utf8')
  const section = text.split(/^## /m).find(part => part.startsWith(`${heading}\n`)) ?? ''
  return (section.match(/(?:^\|.*\n)+/gm) ?? []).map(table =>
    table
      .trimEnd()
      .split('\n')
      .slice(2)
      .map(row =>
        row
          .split('|')
          .slice(1, -1)
          .map(cell => cell.trim()),
      ),
  )
}
const tableOf = (document: string, heading: string) => tablesOf(document, heading)[0] ?? []

const named = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

describe('docs/upstream.md', () => {
  test('explains every error class', () => {
    const explained = tableOf('docs/upstream.md', 'Error classes').flatMap(([name = '']) => named(name))
    expect(explained.sort()).toEqual(Object.keys(ERROR_CLASSES).sort())
  })
})

describe('docs/commands.md', () => {
  const row = readFileSync(join(root, 'docs/commands.md'), 'utf8').match(/^\| `message list` \|.*$/m)?.[0]
  test.each(fieldFilters.map(({ name }) => flagOf(name)))('names the filter of messages %s', flag => {
    expect(row).toContain(`\`${flag}\``)
  })
})

describe('docs/partner-api.md', () => {
  const [ofSend = [], , ofMessage = []] = tablesOf('docs/partner-api.md', 'Sending').map(rows =>
    rows.map(([names = '', types = '']) => ({ names: named(names), types })),
  )
  /** As the table says it: `all`, `all but …`, or which. */
  const typesOf = (types: string) => {
    if (!types.startsWith('all')) return named(types)
    return messageTypes.filter(type => !named(types).includes(type))
  }

  test.each(Object.keys(untypedSendSchema.properties))('says of the field %s of a send which types have it', field => {
    const having = messageTypes.filter(type => Object.hasOwn(sendSchemas[type].properties, field))
    const rows = ofSend.filter(({ names }) => names.includes(field))
    // Rows of several fields name the types that have any of them.
    expect(rows.flatMap(({ types }) => typesOf(types))).toEqual(expect.arrayContaining(having))
    expect(rows).toHaveLength(1)
  })

  test.each(ofSend.flatMap(({ names }) => names))('%s is a field of a send', field => {
    expect(Object.keys(untypedSendSchema.properties)).toContain(field)
  })

  test.each(Object.keys(messageSchema.properties))('lists the field %s of the message that answers a send', field => {
    expect(ofMessage.flatMap(({ names }) => names)).toContain(field)
  })

  const rows = tableOf('docs/partner-api.md', 'Errors').flatMap(([status = '', reasons = '']) => {
    const names = named(reasons)
    const statuses = (status.match(/\d+/g) ?? []).map(Number)
    // `413, 415` are one for each code; `400 or 502` are both of the one code.
    return names.map((name, at) => ({ name, statuses: status.includes(',') ? statuses.slice(at, at + 1) : statuses }))
  })

  test('lists every error with its statuses', () => {
    const known = Object.entries(PARTNER_ERRORS).map(([name, { status }]) => [name, [...status].sort()] as const)
    expect(Object.fromEntries(rows.map(({ name, statuses }) => [name, statuses.sort()]))).toEqual(
      Object.fromEntries(known),
    )
  })
})
