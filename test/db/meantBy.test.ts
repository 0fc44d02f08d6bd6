import { expect, test } from 'bun:test'
import { patternOf } from '../../db/rules/meantBy.ts'

test.each([
  ['words as they are, in small letters', 'Hello Ada', '%hello ada%'],
  ['no sign of a pattern', '5%_\\', '%5\\%\\_\\\\%'],
  ['any letter where databases do not agree on its case', 'Ökonom', '%__onom%'],
  ['any letters for one that may be written as two', 'İ', '%%%'],
  ['a beginning of long words: each letter costs time in each text', 'a'.repeat(512), `%${'a'.repeat(24)}%`],
])('a pattern has %s', (_, words, pattern) => {
  expect(patternOf(words)).toBe(pattern)
})
