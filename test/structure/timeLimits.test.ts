import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hungAfterMs } from '../timeLimit.ts'
import { root } from './modules.ts'

/** What `test/givenTimeLimit.ts` puts at the beginning of each file of tests. */
declare const givenTimeLimitMs: number

test('each test file is given a time limit that ends nothing but what hangs', () => {
  expect(givenTimeLimitMs).toBe(hungAfterMs)
})

test('what a test file sets itself is a longer one', () => {
  const files = [...new Bun.Glob('test/**/*.test.ts').scanSync(root)]
  expect(files.length).toBeGreaterThan(100)
  const set = files.flatMap(name => readFileSync(join(root, name), 'utf8').match(/^ *setDefaultTimeout\(.*/gm) ?? [])
  expect(set.filter(line => !/^setDefaultTimeout\(\d+ \* hungAfterMs\)$/.test(line))).toEqual([])
})
