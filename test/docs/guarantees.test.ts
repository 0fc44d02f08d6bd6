import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checks } from '../simulation/checks.ts'
import { root } from '../structure/modules.ts'

/* docs/guarantees.md: what each promise is proved by is there. That its paths exist is looked at for all documents. */

const text = readFileSync(join(root, 'docs/guarantees.md'), 'utf8')

/** @returns the cells of the rows below this heading of a table */
function rowsBelow(heading: string): string[][] {
  const lines = text.split('\n')
  const from = lines.findIndex(line => line.startsWith(heading)) + 2
  const rows = lines.slice(from, lines.indexOf('', from))
  return rows.map(row =>
    row
      .slice(2, -2)
      .split('|')
      .map(cell => cell.trim()),
  )
}

describe('the promises', () => {
  const promises = rowsBelow('| promise |')
  const named = (column: number) =>
    promises.flatMap(cells => (cells[column] === 'all' ? [] : ((cells[column] ?? '').match(/`\w+`/g) ?? [])))

  test('each has something that proves it', () => {
    expect(promises.length).toBeGreaterThan(40)
    expect(promises.filter(([, ...proofs]) => proofs.every(proof => proof === '')).map(([promise]) => promise)).toEqual(
      [],
    )
  })

  test('each check of the histories proves one, and none is named that there is not', () => {
    const known = checks.map(({ name }) => `\`${name}\``)
    expect(new Set(named(2))).toEqual(new Set(known))
  })

  test('each act that is named was gone through, call by call', () => {
    const acts = rowsBelow('| what is done |').map(([act = '']) => act)
    const chosen = promises.map(([, points = '']) => points).filter(points => points !== '' && points !== 'all')
    const left = chosen.map(points => acts.reduce((rest, act) => rest.replace(act, ''), points))
    expect(left.filter(rest => rest.replaceAll(',', '').trim() !== '')).toEqual([])
  })
})
