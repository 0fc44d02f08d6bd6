import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './modules.ts'

test('each test file of whole processes sets a time limit that only ends what hangs', () => {
  const files = ['test/cli', 'test/binary', 'test/e2e'].flatMap(folder =>
    readdirSync(join(root, folder)).map(name => join(folder, name)),
  )
  const tests = files.filter(name => name.endsWith('.test.ts'))
  const unset = tests.filter(name => !readFileSync(join(root, name), 'utf8').includes('setDefaultTimeout(hungAfterMs)'))
  expect(unset).toEqual([])
})
