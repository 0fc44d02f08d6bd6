import { describe, expect, test } from 'bun:test'
import type { Change, Shared } from '../../db/contract/shared.ts'
import { Announcements } from '../../src/reading/announcements.ts'
import { type Batch, ChangeFeed } from '../../src/reading/feed.ts'
import { ManualClock } from '../clock.ts'

function setUp() {
  const clock = new ManualClock()
  const announcements = new Announcements()
  const feed = new ChangeFeed(clock, announcements)
  const told: (Batch | string)[] = []
  const listener = {
    take: (batch: Batch) => told.push(batch),
    reset: (id: string) => told.push(`reset ${id}`),
    end: () => told.push('end'),
  }
  const listen = (lastId: string | null = null, workspaceId = 'ws_1') => {
    const leave = feed.listen(workspaceId, lastId, { ...listener })
    if (!leave) throw new Error('refused')
    return leave
  }
  /** What came since the last call. */
  const taken = () => told.splice(0)
  const lastId = () => {
    const last = taken().at(-1)
    if (typeof last !== 'object') throw new Error('no batch')
    return last.id
  }
  return { clock, announcements, feed, listener, listen, taken, lastId }
}

test('changes of a quarter of a second are one batch, each message once', () => {
  const { clock, announcements, listen, taken } = setUp()
  listen()
  taken()
  for (const id of ['msg_1', 'msg_2', 'msg_1']) announcements.changed('ws_1', 'messages', id)
  announcements.changed('ws_1', 'contacts')
  announcements.changed('ws_2', 'messages', 'msg_9')
  expect(taken()).toEqual([])
  clock.advance(250)
  expect(taken()).toEqual([
    { id: expect.any(String), subjects: ['messages', 'contacts'], messageIds: ['msg_1', 'msg_2'], signs: [] },
  ])
})

test('more messages than a page shows are not named', () => {
  const { clock, announcements, listen, taken } = setUp()
  listen()
  taken()
  for (let n = 0; n < 1_000; n += 1) announcements.changed('ws_1', 'messages', `msg_${n}`)
  clock.advance(250)
  expect(taken()).toMatchObject([{ messageIds: null }])
})

test('nor are any, where nobody says of one which it is', () => {
  const { clock, announcements, listen, taken } = setUp()
  listen()
  taken()
  announcements.changed('ws_1', 'messages', 'msg_1')
  announcements.changedSomewhere('messages')
  announcements.changed('ws_1', 'messages', 'msg_2')
  clock.advance(250)
  announcements.changed('ws_1', 'messages', 'msg_3')
  clock.advance(250)
  expect(taken()).toMatchObject([{ messageIds: null }, { messageIds: ['msg_3'] }])
})

test('whoever comes back gets each batch since the last that it had', () => {
  const { clock, announcements, listen, taken, lastId } = setUp()
  const leave = listen()
  announcements.changed('ws_1', 'messages', 'msg_1')
  clock.advance(250)
  const last = lastId()
  leave()
  for (const id of ['msg_2', 'msg_3']) {
    announcements.changed('ws_1', 'messages', id)
    clock.advance(250)
  }
  expect(taken()).toEqual([])
  listen(last)
  expect(taken()).toMatchObject([{ messageIds: ['msg_2'] }, { messageIds: ['msg_3'] }])
})

test('and the same when it had heard of no change yet', () => {
  const { clock, announcements, listen, taken, lastId } = setUp()
  const leave = listen()
  const last = lastId()
  leave()
  announcements.changed('ws_1', 'messages', 'msg_1')
  clock.advance(250)
  listen(last)
  expect(taken()).toMatchObject([{ messageIds: ['msg_1'] }])
})

test('after too many changes, or after a minute without a listener, it is told to read again', () => {
  const { clock, announcements, listen, taken, lastId } = setUp()
  const leave = listen()
  const last = lastId()
  for (let n = 0; n < 241; n += 1) {
    announcements.changed('ws_1', 'messages', `msg_${n}`)
    clock.advance(250)
  }
  const recent = lastId()
  listen(last)()
  expect(taken()).toEqual([expect.stringContaining('reset')])
  leave()
  clock.advance(60_000)
  expect(announcements.isWatched).toBeFalse()
  listen(recent)
  expect(taken()).toEqual([expect.stringContaining('reset')])
})

test('without a listener nothing is noted', () => {
  const { clock, announcements, listen } = setUp()
  announcements.changed('ws_1', 'messages', 'msg_1')
  expect([announcements.isWatched, clock.pending]).toEqual([false, 0])
  listen()()
  clock.advance(60_000)
  expect([announcements.isWatched, clock.pending]).toEqual([false, 0])
})

test('a workspace has a bounded number of listeners, and counts those that left no more', () => {
  const { feed, listen, listener } = setUp()
  const leaves = Array.from({ length: 20 }, () => listen())
  expect(feed.listen('ws_1', null, listener)).toBeNull()
  expect(feed.listeners).toBe(20)
  for (const leave of [...leaves, ...leaves]) leave()
  expect(feed.listeners).toBe(0)
  listen()
})

test('a stop ends all, and takes no further one', () => {
  const { announcements, feed, listen, listener, taken } = setUp()
  listen()
  taken()
  feed.close()
  expect(taken()).toEqual(['end'])
  expect(feed.listen('ws_1', null, listener)).toBeNull()
  expect(announcements.isWatched).toBeFalse()
})

describe('with several instances on one database', () => {
  /** What instances announce comes to all others that watch. */
  function instances() {
    const clock = new ManualClock()
    const watchers = new Map<string, (changes: readonly Change[]) => void>()
    const announced: Change[] = []
    const instance = (shared: Pick<Shared, 'announce' | 'watch'>) => {
      const announcements = new Announcements(shared)
      return { announcements, feed: new ChangeFeed(clock, announcements) }
    }
    const start = (name: string) =>
      instance({
        announce(changes) {
          announced.push(...changes)
          for (const [other, onChanges] of watchers) if (other !== name) onChanges(changes)
        },
        watch(onChanges) {
          if (watchers.has(name)) throw new Error('watched twice')
          watchers.set(name, onChanges)
          return () => void watchers.delete(name)
        },
      })
    const taken: Batch[] = []
    const listener = { take: (batch: Batch) => void taken.push(batch), reset() {}, end() {} }
    return { clock, watchers, announced, taken, listener, one: start('one'), other: start('other') }
  }

  test('a page that follows one of them gets what the other changed, with the ids of messages', () => {
    const { clock, one, other, listener, taken } = instances()
    one.feed.listen('ws_1', null, listener)
    taken.splice(0)
    other.announcements.changed('ws_1', 'messages', 'msg_1')
    other.announcements.changed('ws_1', 'health')
    other.announcements.changed('ws_2', 'messages', 'msg_2')
    one.announcements.changed('ws_1', 'messages', 'msg_3')
    clock.advance(250)
    expect(taken).toMatchObject([{ subjects: ['messages', 'health'], messageIds: ['msg_1', 'msg_3'] }])
  })

  test('a sign is told once, wherever it was given, and so many at once at most', () => {
    const { clock, one, other, listener, taken } = instances()
    one.feed.listen('ws_1', null, listener)
    taken.splice(0)
    const sign = { kind: 'writing', contactId: 'contact_1', by: { userId: 'user_1', name: 'Ann' }, to: null } as const
    other.feed.give('ws_1', sign)
    clock.advance(250)
    for (let n = 0; n < 1_000; n += 1) one.feed.give('ws_1', sign)
    clock.advance(250)
    one.announcements.changed('ws_1', 'contacts')
    clock.advance(250)
    expect(taken.map(({ signs }) => signs.length)).toEqual([1, 20, 0])
    expect(taken[0]).toMatchObject({ subjects: ['signs'], messageIds: [], signs: [sign] })
  })

  test('what another one announced is not announced again', () => {
    const { one, other, listener, announced } = instances()
    one.feed.listen('ws_1', null, listener)
    other.feed.listen('ws_1', null, listener)
    one.announcements.changed('ws_1', 'messages', 'msg_1')
    expect(announced).toEqual([{ workspaceId: 'ws_1', subject: 'messages', messageId: 'msg_1' }])
  })

  test('the others are watched once, and only while a page follows or may come back', () => {
    const { clock, one, listener, watchers } = instances()
    expect(watchers.size).toBe(0)
    const leave = [
      one.feed.listen('ws_1', null, listener),
      one.feed.listen('ws_1', null, listener),
      one.feed.listen('ws_2', null, listener),
    ]
    expect(watchers.size).toBe(1)
    for (const end of leave) end?.()
    expect(watchers.size).toBe(1)
    clock.advance(60_000)
    expect(watchers.size).toBe(0)
    one.feed.listen('ws_1', null, listener)
    expect(watchers.size).toBe(1)
    one.feed.close()
    expect(watchers.size).toBe(0)
  })
})
