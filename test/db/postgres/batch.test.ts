import { expect, test } from 'bun:test'
import { gathered } from '../../../db/postgres/batch.ts'
import { Unavailable } from '../../../src/base/unavailable.ts'
import { ManualClock } from '../../clock.ts'

const turn = () => new Promise(resolve => setImmediate(resolve))

/** A verb whose transactions end when a test says so. */
function heldUp() {
  const clock = new ManualClock()
  const runs: { readonly batch: readonly string[]; readonly ended: PromiseWithResolvers<readonly string[]> }[] = []
  const call = gathered<string, string>(batch => {
    const ended = Promise.withResolvers<readonly string[]>()
    runs.push({ batch, ended })
    return ended.promise
  }, clock)
  const end = async (at: number) => {
    runs[at]?.ended.resolve(runs[at].batch)
    await turn()
    // What its end lets begin.
    await turn()
  }
  return { clock, call, runs, batches: () => runs.map(({ batch }) => batch), end }
}

test('calls that come while a transaction runs wait for it, and share the next one', async () => {
  const { clock, call, batches, end } = heldUp()
  const calls = [call('first')]
  await turn()
  calls.push(call('second'), call('third'))
  await turn()
  expect(batches()).toEqual([['first']])
  await end(0)
  expect(batches()).toEqual([['first'], ['second', 'third']])
  await end(1)
  expect(await Promise.all(calls)).toEqual(['first', 'second', 'third'])
  expect(clock.pending).toBe(0)
})

test('one that is held up holds up no others, but for two of them', async () => {
  const { clock, call, batches, end } = heldUp()
  const calls = [call('first')]
  await turn()
  calls.push(call('second'))
  clock.advance(24)
  await turn()
  expect(batches()).toEqual([['first']])
  clock.advance(1)
  await turn()
  expect(batches()).toEqual([['first'], ['second']])
  calls.push(call('third'))
  clock.advance(1_000)
  await turn()
  expect(batches()).toEqual([['first'], ['second']])
  await end(1)
  expect(batches()).toEqual([['first'], ['second'], ['third']])
  await end(0)
  await end(2)
  expect(await Promise.all(calls)).toEqual(['first', 'second', 'third'])
})

test('who has waited long for transactions that failed is refused with them, and a later call has its turn', async () => {
  const { clock, call, runs, batches, end } = heldUp()
  const first = call('first')
  await turn()
  const second = call('second')
  clock.advance(25)
  await turn()
  // Both transactions wait for a lock.
  const early = call('early')
  clock.advance(7_500)
  const late = call('late')
  clock.advance(500)
  runs[0]?.ended.reject(new Unavailable('a lock'))
  expect(await Promise.allSettled([first, early])).toMatchObject([
    { reason: { message: 'a lock' } },
    { reason: { name: 'Unavailable', message: 'a lock' } },
  ])
  await turn()
  expect(batches()).toEqual([['first'], ['second'], ['late']])
  await end(1)
  await end(2)
  expect(await Promise.all([second, late])).toEqual(['second', 'late'])
})

test('whose calls were all refused before it begins is none: no transaction is made of nothing', async () => {
  const { clock, call, runs, batches, end } = heldUp()
  const first = call('first').catch(error => error.message)
  await turn()
  const second = call('second').catch(error => error.message)
  clock.advance(1_000)
  // The second one is due, and before it begins, the first one fails.
  runs[0]?.ended.reject(new Unavailable('the server is away'))
  expect(await Promise.all([first, second])).toEqual(['the server is away', 'the server is away'])
  await turn()
  expect(batches()).toEqual([['first']])
  const third = call('third')
  await turn()
  await end(1)
  expect(await third).toBe('third')
})
