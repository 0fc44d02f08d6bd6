import { afterEach, expect, spyOn, test } from 'bun:test'
import { gathered } from '../../../db/postgres/batch.ts'
import { Unavailable } from '../../../src/base/unavailable.ts'

const time = spyOn(performance, 'now')
afterEach(() => time.mockReset())

test('who has waited long for transactions that failed is refused with them, and a later call has its turn', async () => {
  const runs: { readonly batch: readonly string[]; readonly ended: PromiseWithResolvers<readonly string[]> }[] = []
  const call = gathered<string, string>(batch => {
    const ended = Promise.withResolvers<readonly string[]>()
    runs.push({ batch, ended })
    return ended.promise
  })
  const at = (ms: number) => time.mockReturnValue(ms)
  const turn = () => new Promise(resolve => setImmediate(resolve))
  at(0)
  const first = call('first')
  await turn()
  const second = call('second')
  await turn()
  // Both transactions wait for a lock.
  const early = call('early')
  at(7_500)
  const late = call('late')
  at(8_000)
  runs[0]?.ended.reject(new Unavailable('a lock'))
  expect(await Promise.allSettled([first, early])).toMatchObject([
    { reason: { message: 'a lock' } },
    { reason: { name: 'Unavailable', message: 'a lock' } },
  ])
  await turn()
  expect(runs.map(({ batch }) => batch)).toEqual([['first'], ['second'], ['late']])
  for (const { batch, ended } of runs.slice(1)) ended.resolve(batch)
  expect(await Promise.all([second, late])).toEqual(['second', 'late'])
})
