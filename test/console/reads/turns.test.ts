import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Places } from '../../../src/console/reads/places.ts'
import { type Reader, Turns } from '../../../src/console/reads/turns.ts'
import { GatewayError } from '../../../src/errors.ts'
import { ManualClock } from '../../clock.ts'
import { hungAfterMs } from '../../timeLimit.ts'

setDefaultTimeout(hungAfterMs)

const reader = (userId: string, workspaceId = 'ws_1'): Reader => ({ user: { id: userId }, workspaceId })
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))
const reasonOf = (error: unknown) => (error instanceof GatewayError ? error.reason : error)

describe('turns', () => {
  /** Takes a turn, works for so long, and says so. */
  function working(turns: Turns, clock: ManualClock, done: string[]) {
    return async (name: string, workspaceId: string, ms = 0) => {
      await turns.take(reader(name, workspaceId))
      done.push(name)
      clock.advance(ms)
    }
  }

  test('after one, nobody has one for three times as long', async () => {
    const clock = new ManualClock()
    const turns = new Turns(clock)
    const done: string[] = []
    const work = working(turns, clock, done)
    void work('first', 'ws_1', 4)
    void work('second', 'ws_1')
    await nextTurn()
    clock.advance(11)
    await nextTurn()
    expect(done).toEqual(['first'])
    clock.advance(1)
    await nextTurn()
    expect(done).toEqual(['first', 'second'])
    expect(clock.pending).toBe(0)
  })

  test('workspaces take turns: one read of another does not wait for all reads of the first', async () => {
    const clock = new ManualClock()
    const turns = new Turns(clock)
    const done: string[] = []
    const work = working(turns, clock, done)
    const many = Array.from({ length: 5 }, (_, at) => work(`a${at}`, 'ws_a'))
    await Promise.all([...many, work('b', 'ws_b'), work('c', 'ws_c')])
    expect(done).toEqual(['a0', 'a1', 'b', 'c', 'a2', 'a3', 'a4'])
  })

  test('RATE_LIMIT_EXCEEDED: 50 new reads of a user wait, and no more; steps of what has begun always do', async () => {
    const turns = new Turns(new ManualClock())
    const begun = Array.from({ length: 52 }, () => turns.begin(reader('ada')).catch(reasonOf))
    const step = turns.take(reader('ada'))
    const other = turns.begin(reader('grace')).catch(reasonOf)
    const outcomes = await Promise.all(begun)
    // The first has its turn at once.
    expect(outcomes.filter(outcome => outcome === 'RATE_LIMIT_EXCEEDED')).toHaveLength(1)
    expect([await step, await other]).toEqual([undefined, undefined])
  })
})

describe('places', () => {
  const endless = () => new Promise<never>(() => {})

  test('two searches of a user and three of a workspace run at once; the next ones wait for a place', async () => {
    const places = new Places()
    const running: string[] = []
    const ends: (() => void)[] = []
    const search = (userId: string, workspaceId?: string) =>
      places.search(reader(userId, workspaceId), () => {
        running.push(userId)
        return new Promise<void>(resolve => ends.push(resolve))
      })
    for (const user of ['ada', 'ada', 'ada', 'grace', 'grace', 'alan']) void search(user)
    void search('other', 'ws_2')
    await nextTurn()
    expect(running).toEqual(['ada', 'ada', 'grace', 'other'])
    for (const end of ends.splice(0, 1)) end()
    await nextTurn()
    expect(running).toEqual(['ada', 'ada', 'grace', 'other', 'ada'])
    for (const end of ends.splice(0)) end()
    await nextTurn()
    expect(running.slice(5)).toEqual(['grace', 'alan'])
  })

  test('RATE_LIMIT_EXCEEDED: ten searches of a user wait', async () => {
    const places = new Places()
    const asked = Array.from({ length: 13 }, () => places.search(reader('ada'), endless).catch(reasonOf))
    expect(await Promise.race(asked)).toBe('RATE_LIMIT_EXCEEDED')
    expect(await places.search(reader('grace'), async () => 'found')).toBe('found')
  })

  test('a search that fails gives its place back', async () => {
    const places = new Places()
    const failing = () => places.search(reader('ada'), () => Promise.reject(new Error('gone')))
    for (let count = 0; count < 5; count += 1) await expect(failing()).rejects.toThrow('gone')
    expect(await places.search(reader('ada'), async () => 'found')).toBe('found')
  })

  test('RATE_LIMIT_EXCEEDED: exports do not wait, and give back their place once', () => {
    const places = new Places()
    const begin = () => places.export(reader('ada'))
    const first = begin()
    begin()
    expect(begin).toThrow('Too many reads at once')
    first()
    first()
    begin()
    expect(begin).toThrow('Too many reads at once')
  })
})
