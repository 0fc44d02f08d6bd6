import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hungAfterMs } from '../timeLimit.ts'
import { root } from './modules.ts'

setDefaultTimeout(hungAfterMs)

test('each test file sets a time limit that only ends what hangs', () => {
  const files = [...new Bun.Glob('test/**/*.test.ts').scanSync(root)]
  expect(files.length).toBeGreaterThan(100)
  const set = /^setDefaultTimeout\((\d+ \* )?hungAfterMs\)$/m
  expect(files.filter(name => !set.test(readFileSync(join(root, name), 'utf8')))).toEqual([])
})
