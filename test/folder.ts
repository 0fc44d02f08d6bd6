import { afterAll, beforeAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A folder for the tests of a file: made before the first, not when the file is loaded, and removed after the last.
 * @returns a path in it, `within('data', 'waypost.db')`; without names its own
 */
export function testFolder(name: string, parent = tmpdir()): (...names: readonly string[]) => string {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(parent, `waypost-${name}-`))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return (...names) => {
    if (folder === '') throw new Error('there is a folder only while tests run')
    return join(folder, ...names)
  }
}
