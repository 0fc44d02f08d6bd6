import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hungAfterMs } from '../timeLimit.ts'
import { root } from './modules.ts'

setDefaultTimeout(hungAfterMs)

/** A fixture sets it too. It counts for the hooks and tests that stand below it. */
const isSet = /^(setDefaultTimeout\((\d+ \* )?hungAfterMs\)|const \w+ = (fresh|shared)Fixture\()/
const needsLimit = /^(before|after|test|describe)\w*[.(]/
/** The fixture would set the usual limit again. */
const isUndone = /^setDefaultTimeout\(\d+ [\s\S]+Fixture\(/m

/** A file that waits for nothing, and draws nothing at random, cannot hang. */
const canHang = /\b(async|await|Promise|fc)\b/

test('each test file that can hang sets a time limit that ends nothing else', () => {
  const files = [...new Bun.Glob('test/**/*.test.ts').scanSync(root)]
  expect(files.length).toBeGreaterThan(100)
  const isWrong = (text: string) => {
    const first = text.split('\n').find(line => isSet.test(line) || needsLimit.test(line)) ?? ''
    return (canHang.test(text) && !isSet.test(first)) || isUndone.test(text)
  }
  expect(files.filter(name => isWrong(readFileSync(join(root, name), 'utf8')))).toEqual([])
})
