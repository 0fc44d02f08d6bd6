import { expect, test } from 'bun:test'
import { codeOf, modules, testModules } from './modules.ts'

const home = 'src/base/durations.ts'
/** Delivery times are counted in steps, which only look like lengths of time. */
const steps = 'src/message/counts.ts'

/** The examples below are found as well. */
const own = 'test/structure/durations.test.ts'

const found = (words: RegExp, files: readonly { path: string; text: string }[]) =>
  files
    .filter(({ path }) => ![home, steps, own].includes(path))
    .flatMap(
      ({ path, text }) =>
        codeOf(text)
          .match(words)
          ?.map(match => `${path}: ${match}`) ?? [],
    )

/** Digits may be grouped. A text in quotes, as the header of a cache, is no length of time of ours. */
const written = /(?<![\w.])(86_?400_?000|3_?600_?000|60 \* 60|24 \* 60|60 \* 1_?000)(?!\w)/g
const writtenSeconds = /(?<![\w.])(86_?400|3_?600|1_?440)(?!\w)/g
const declared = /\b(?:const|let) (?:second|minute|hour|day|week)Ms\b/g

test('an hour and a day are written once, in durations.ts, and nobody has one of their own', () => {
  expect(found(written, [...modules, ...testModules])).toEqual([])
  expect(found(declared, [...modules, ...testModules])).toEqual([])
  expect(found(writtenSeconds, modules)).toEqual([])
})

test('a length of time of our own would be found', () => {
  const inText = (text: string) => found(written, [{ path: 'src/any.ts', text }]).length
  expect(['86_400_000', '7 * 86400000', '24 * 60 * 60 * 1_000', '3_600_000'].map(inText)).toEqual([1, 1, 2, 1])
  expect(['0.3_600_000', '86_400_000_0', '// 86_400_000', 'hourMs'].map(inText)).toEqual([0, 0, 0, 0])
})
