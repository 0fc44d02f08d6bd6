import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldFilters } from '../../db/messageFields.ts'
import { PARTNER_ERRORS } from '../../src/base/errors.ts'
import { ERROR_CLASSES } from '../../src/graph/codeTable.ts'
import { untypedSendSchema } from '../../src/operations/sends/sendSchema.ts'
import { messageSchema } from '../../src/partner/message.ts'
import { root } from './modules.ts'

/** @returns the rows of the first table below a heading, as cells. */
function tableOf(document: string, heading: string): string[][] {
  const text = readFileSync(join(root, document), 'utf8')
  const section = text.split(/^## /m).find(part => part.startsWith(`${heading}\n`)) ?? ''
  const rows = section.split('\n').filter(line => line.startsWith('|'))
  return rows.slice(2).map(row =>
    row
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
}

const named = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

describe('docs/upstream.md', () => {
  test('explains every error class', () => {
    const explained = tableOf('docs/upstream.md', 'Error classes').flatMap(([name = '']) => named(name))
    expect(explained.sort()).toEqual(Object.keys(ERROR_CLASSES).sort())
  })
})

describe('docs/commands.md', () => {
  test('names each filter of messages by a field', () => {
    const row = readFileSync(join(root, 'docs/commands.md'), 'utf8').match(/^\| `message list` \|.*$/m)?.[0]
    for (const { name } of fieldFilters) expect(row).toContain(`\`--${name}\``)
  })
})

describe('docs/partner-api.md', () => {
  test('lists every field of a send, and of the message that answers it', () => {
    const listed = tableOf('docs/partner-api.md', 'Sending').flatMap(([names = '']) => named(names))
    const fields = [untypedSendSchema, messageSchema].flatMap(({ properties }) => Object.keys(properties))
    expect(listed).toEqual(expect.arrayContaining(fields))
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
