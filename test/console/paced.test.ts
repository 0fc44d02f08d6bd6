import { expect, jest, test } from 'bun:test'
import { resolve } from 'node:path'
import { changedRowsMax } from '../../src/reading/steps.ts'

// Not by a static import: browser code is type-checked by itself.
const { paced } = await import(resolve(import.meta.dir, '../../src/console/web/api/paced.ts'))

type Changed = readonly string[] | null

test('what changes while something is read is read after that, once', async () => {
  const first = Promise.withResolvers<void>()
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const read: Changed[] = []
  const pace = paced(0, (changed: Changed) => {
    read.push(changed)
    begun[read.length - 1]?.resolve()
    return first.promise
  })
  pace.ask(['first'])
  await begun[0]?.promise
  pace.ask(['second'])
  pace.ask(['third'])
  // Timers run in their order: that of the asked reading is over.
  await Bun.sleep(1)
  expect(read).toEqual([['first']])
  first.resolve()
  await begun[1]?.promise
  expect(read).toEqual([['first'], ['second', 'third']])
})

test('what costs more is read soon as well, and then once in a longer pause', async () => {
  jest.useFakeTimers()
  try {
    let readings = 0
    const pace = paced(5_000, async () => {
      readings += 1
    })
    const readAfter = async (ms: number) => {
      pace.ask([])
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

/** @returns what asks for a reading, and waits for what it is told */
function reading() {
  let told = Promise.withResolvers<Changed>()
  const pace = paced(0, async (changed: Changed) => told.resolve(changed))
  const read = (...asked: Changed[]) => {
    told = Promise.withResolvers()
    for (const ids of asked) pace.ask(ids)
    return told.promise
  }
  return { pace, read }
}

test('a reading is not told what has changed when some was missed, and the next one is', async () => {
  const { pace, read } = reading()
  pace.miss()
  expect([await read(['a']), await read(['b'])]).toEqual([null, ['b']])
})

const ofPage = Array.from({ length: changedRowsMax }, (_, n) => `msg_${n}`)

test.each<[what: string, asked: Changed[], changed: Changed]>([
  ['each once', [['a'], ['b', 'a'], []], ['a', 'b']],
  ['none by name when one is not named', [['a'], null, ['b']], null],
  ['as many as a page has', [ofPage], ofPage],
  ['none by name when there are more', [ofPage, ['more']], null],
])('a reading gets what has changed: %s', async (_, asked, changed) => {
  expect(await reading().read(...asked)).toEqual(changed)
})
