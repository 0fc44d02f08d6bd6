import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Outcome, play } from './model/play.ts'
import { type Schedule, schedules } from './model/schedule.ts'

// They take a second each. One that fails looks for the shortest schedule that fails as well, which takes longer.
/** Most bugs of this kind need a thread that dies while the disk is slow or full. */
const withoutStop = fc.oneof(
  schedules(),
  schedules('fullDisk'),
  { weight: 2, arbitrary: schedules('deaths') },
  { weight: 4, arbitrary: schedules('deaths', 'fullDisk') },
  { weight: 4, arbitrary: schedules('deaths', 'fullDisk', 'sharing') },
)
const withStop = fc.oneof(schedules('stop'), schedules('fullDisk', 'stop'), {
  weight: 2,
  arbitrary: fc.oneof(
    schedules('deaths', 'stop'),
    schedules('deaths', 'fullDisk', 'stop'),
    schedules('deaths', 'fullDisk', 'stop', 'sharing'),
  ),
})
const anything = fc.oneof({ weight: 2, arbitrary: withoutStop }, withStop)

/**
 * Plays many schedules, in none of which such a thing may be seen. A failure prints the shortest schedule in which it
 * is, and a `seed` and a `path`: beside `numRuns` they play that schedule again.
 */
const never = (sighting: Exclude<keyof Outcome, 'stored'>, arbitrary: fc.Arbitrary<Schedule>) =>
  fc.assert(
    fc.asyncProperty(arbitrary, async schedule => {
      expect((await play(schedule))[sighting]).toEqual([])
    }),
    { numRuns: 800 },
  )

describe('at every moment, while threads die, the disk is full or shared, and the gateway stops', () => {
  test('what has left, or may have been taken by the upstream, is not resumable on disk', () =>
    never('resumableThoughLeft', anything))

  test('no message is offered again after the upstream may have taken it', () => never('leftAgain', anything))

  test('nothing leaves before the disk says dispatched', () => never('leftUnannounced', anything))

  test('nothing leaves later than the disk allows', () =>
    never('leftLate', fc.oneof(schedules('sharing'), schedules('deaths', 'fullDisk', 'sharing'))))
})

describe('in the end', () => {
  test('every accepted message has its end, and nothing is left behind', () => never('leftBehind', withoutStop))

  test('or after a stop, every message has its end or is resumable', () => never('undecided', withStop))

  test('only a lost answer or a dead thread makes a message UNKNOWN', () =>
    never(
      'unknownForNothing',
      fc.oneof(schedules(), schedules('fullDisk'), schedules('stop'), schedules('fullDisk', 'stop')),
    ))
})

test('the schedules prove something: everything that can happen to a message happens in them, again and again', async () => {
  const stored: string[] = []
  for (const schedule of fc.sample(withoutStop, { numRuns: 50, seed: 1 })) stored.push(...(await play(schedule)).stored)
  for (const kind of ['dispatched', 'deferred', 'accepted', 'refused', 'lost']) {
    expect(stored.filter(event => event === kind).length).toBeGreaterThan(20)
  }
})
