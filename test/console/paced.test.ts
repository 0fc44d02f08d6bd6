import { expect, jest, test } from 'bun:test'
import { resolve } from 'node:path'
import { changedRowsMax } from '../../src/reading/steps.ts'

// Not by a static import: browser code is type-checked by itself.
const { paced } = await import(resolve(import.meta.dir, '../../src/console/web/api/paced.ts'))

test('what changes while something is read is read after that, once, and as it is asked for last', async () => {
  const pace = paced(0)
  const first = Promise.withResolvers<void>()
  const read: string[] = []
  const begun = (name: string, until: Promise<void>) =>
    new Promise<void>(begin =>
      pace.ask([name], (changed: readonly string[] | null) => {
        read.push(`${name} ${changed}`)
        begin()
        return until
      }),
    )
  await begun('first', first.promise)
  void begun('second', Promise.resolve())
  const third = begun('third', Promise.resolve())
  // Timers run in their order: that of the asked reading is over.
  await Bun.sleep(1)
  expect(read).toEqual(['first first'])
  first.resolve()
  await third
  expect(read).toEqual(['first first', 'third second,third'])
})

test('what costs more is read soon as well, and then once in a longer pause', async () => {
  jest.useFakeTimers()
  try {
    const pace = paced(5_000)
    let readings = 0
    const readAfter = async (ms: number) => {
      pace.ask([], async () => {
        readings += 1
      })
      jest.advanceTimersByTime(ms)
      // What ran before is over.
      await Promise.resolve()
      return readings
    }
    expect([await readAfter(999), await readAfter(1)]).toEqual([0, 1])
    expect([await readAfter(4_999), await readAfter(1)]).toEqual([1, 2])
    jest.advanceTimersByTime(60_000)
    expect([await readAfter(999), await readAfter(1)]).toEqual([2, 3])
  } finally {
    jest.useRealTimers()
  }
})

test('a reading is not told what has changed when some was missed, and the next one is', async () => {
  const pace = paced(0)
  const read = (id: string) => new Promise<unknown>(resolve => pace.ask([id], async (since: unknown) => resolve(since)))
  pace.miss()
  expect([await read('a'), await read('b')]).toEqual([null, ['b']])
})

const ofPage = Array.from({ length: changedRowsMax }, (_, n) => `msg_${n}`)

test.each<[what: string, asked: (string[] | null)[], changed: string[] | null]>([
  ['each once', [['a'], ['b', 'a'], []], ['a', 'b']],
  ['none by name when one is not named', [['a'], null, ['b']], null],
  ['as many as a page has', [ofPage], ofPage],
  ['none by name when there are more', [ofPage, ['more']], null],
])('a reading gets what has changed: %s', async (_, asked, changed) => {
  const pace = paced(0)
  const read = Promise.withResolvers<unknown>()
  for (const ids of asked) pace.ask(ids, async (since: unknown) => read.resolve(since))
  expect(await read.promise).toEqual(changed)
})
