import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { secondMs } from '../../src/base/durations.ts'
import { LineRooms } from '../../src/batches/room.ts'
import { ManualClock } from '../clock.ts'

/** What is in the outbox, by id; all of it waits on one line. */
function roomsOf(perSecond: number) {
  const clock = new ManualClock(0)
  const open = new Set<string>()
  const outbox = {
    backlogs: () => [{ lineId: 'line_1', waiting: open.size, underWay: 0, oldestAt: null }],
    find: (id: string) => (open.has(id) ? Promise.resolve(null) : undefined),
    get size() {
      return open.size
    },
  }
  const line = { id: 'line_1', perSecond }
  return { clock, open, line, rooms: new LineRooms(outbox, clock) }
}

test('of a line with a pace a tenth is left to single sends, however often it is asked', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.array(fc.integer({ min: 1, max: 400 })), (pace, waits) => {
      const { clock, line, rooms } = roomsOf(pace)
      let items = 0
      for (const ms of waits) {
        const room = rooms.roomOf(line, 0)
        rooms.take([line], room)
        items += room
        clock.advance(ms)
      }
      const seconds = waits.reduce((sum, ms) => sum + ms, 0) / secondMs
      expect(items).toBeLessThanOrEqual(0.9 * pace * seconds + Math.max(1, Math.ceil(pace / 10)))
    }),
  )
})

test.each([1, 5, 10, 20, 40, 80])('a batch goes on at nine tenths of a pace of %d while nobody else sends', pace => {
  const { clock, line, rooms } = roomsOf(pace)
  let items = 0
  while (clock.steady() < 60 * secondMs) {
    const room = rooms.roomOf(line, 0)
    rooms.take([line], room)
    items += room
    clock.advance(rooms.pauseMs([line], room, 0))
  }
  expect(items / 60).toBeWithin(0.88 * pace, 0.92 * pace + 1)
})

test('a line that has saved up, and has no room for it, is looked at less often', () => {
  const { open, line, rooms } = roomsOf(10)
  for (let at = 0; at < 9; at += 1) open.add(`msg_${at}`)
  expect([rooms.roomOf(line, 0), rooms.pauseMs([line], 0, 0)]).toEqual([0, 200])
})

test('behind a tenth of a second of the pace nothing is added, nor where answers do not come', () => {
  const { open, line, rooms } = roomsOf(80)
  for (let at = 0; at < 5; at += 1) open.add(`msg_${at}`)
  expect(rooms.roomOf(line, 0)).toBe(3)
  for (let at = 5; at < 9; at += 1) open.add(`msg_${at}`)
  expect(rooms.roomOf(line, 0)).toBe(0)
  open.clear()
  expect(rooms.roomOf(line, 5 * 80)).toBe(0)
})

test('on a line without a pace, a batch takes what there is, until somebody else sends', async () => {
  const { clock, open, line, rooms } = roomsOf(0)
  expect([rooms.roomOf(line, 0), rooms.roomOf(line, 150), rooms.restMs(10)]).toEqual([200, 50, 0])
  const ended = Promise.withResolvers<void>()
  const feeding = rooms.feed([{ messageId: 'msg_1' }], () => {
    open.add('msg_1')
    return ended.promise
  })
  clock.advance(0)
  await feeding
  // Its own messages are no others.
  expect(rooms.restMs(10)).toBe(0)
  open.add('msg_2')
  expect([rooms.roomOf(line, 0), rooms.restMs(10)]).toEqual([32, 30])
  open.delete('msg_2')
  clock.advance(secondMs - 1)
  expect([rooms.restMs(10), rooms.restMs(5_000)]).toEqual([30, 1_000])
  clock.advance(1)
  expect(rooms.restMs(10)).toBe(0)
  ended.resolve()
})
