import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Change } from '../../db/shared.ts'
import { type Batch, ChangeFeed } from '../../src/console/live/feed.ts'
import { ManualClock } from '../clock.ts'
import { hungAfterMs } from '../timeLimit.ts'

setDefaultTimeout(hungAfterMs)

function setUp() {
  const clock = new ManualClock()
  const feed = new ChangeFeed(clock)
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
  return { clock, feed, listener, listen, taken, lastId }
}

test('changes of a quarter of a second are one batch, each message once', () => {
  const { clock, feed, listen, taken } = setUp()
  listen()
  taken()
  for (const id of ['msg_1', 'msg_2', 'msg_1']) feed.changed('ws_1', 'messages', id)
  feed.changed('ws_1', 'contacts')
  feed.changed('ws_2', 'messages', 'msg_9')
  expect(taken()).toEqual([])
  clock.advance(250)
  expect(taken()).toEqual([
    { id: expect.any(String), subjects: ['messages', 'contacts'], messageIds: ['msg_1', 'msg_2'] },
  ])
})

test('more messages than a page shows are not named', () => {
  const { clock, feed, listen, taken } = setUp()
  listen()
  taken()
  for (let n = 0; n < 1_000; n += 1) feed.changed('ws_1', 'messages', `msg_${n}`)
  clock.advance(250)
  expect(taken()).toMatchObject([{ messageIds: null }])
})

test('whoever comes back gets each batch since the last that it had', () => {
  const { clock, feed, listen, taken, lastId } = setUp()
  const leave = listen()
  feed.changed('ws_1', 'messages', 'msg_1')
  clock.advance(250)
  const last = lastId()
  leave()
  for (const id of ['msg_2', 'msg_3']) {
    feed.changed('ws_1', 'messages', id)
    clock.advance(250)
  }
  expect(taken()).toEqual([])
  listen(last)
  expect(taken()).toMatchObject([{ messageIds: ['msg_2'] }, { messageIds: ['msg_3'] }])
})

test('and the same when it had heard of no change yet', () => {
  const { clock, feed, listen, taken, lastId } = setUp()
  const leave = listen()
  const last = lastId()
  leave()
  feed.changed('ws_1', 'messages', 'msg_1')
  clock.advance(250)
  listen(last)
  expect(taken()).toMatchObject([{ messageIds: ['msg_1'] }])
})

test('after too many changes, or after a minute without a listener, it is told to read again', () => {
  const { clock, feed, listen, taken, lastId } = setUp()
  const leave = listen()
  const last = lastId()
  for (let n = 0; n < 241; n += 1) {
    feed.changed('ws_1', 'messages', `msg_${n}`)
    clock.advance(250)
  }
  const recent = lastId()
  listen(last)()
  expect(taken()).toEqual([expect.stringContaining('reset')])
  leave()
  clock.advance(60_000)
  expect(feed.isWatched).toBeFalse()
  listen(recent)
  expect(taken()).toEqual([expect.stringContaining('reset')])
})

test('without a listener nothing is noted', () => {
  const { clock, feed, listen } = setUp()
  feed.changed('ws_1', 'messages', 'msg_1')
  expect([feed.isWatched, clock.pending]).toEqual([false, 0])
  listen()()
  clock.advance(60_000)
  expect([feed.isWatched, clock.pending]).toEqual([false, 0])
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
  const { feed, listen, listener, taken } = setUp()
  listen()
  taken()
  feed.close()
  expect(taken()).toEqual(['end'])
  expect(feed.listen('ws_1', null, listener)).toBeNull()
  expect(feed.isWatched).toBeFalse()
})

describe('with several instances on one database', () => {
  /** What instances announce comes to all others that watch. */
  function instances() {
    const clock = new ManualClock()
    const watchers = new Map<string, (changes: readonly Change[]) => void>()
    const announced: Change[] = []
    const start = (name: string) =>
      new ChangeFeed(clock, {
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
    one.listen('ws_1', null, listener)
    taken.splice(0)
    other.changed('ws_1', 'messages', 'msg_1')
    other.changed('ws_1', 'health')
    other.changed('ws_2', 'messages', 'msg_2')
    one.changed('ws_1', 'messages', 'msg_3')
    clock.advance(250)
    expect(taken).toMatchObject([{ subjects: ['messages', 'health'], messageIds: ['msg_1', 'msg_3'] }])
  })

  test('what another one announced is not announced again', () => {
    const { one, other, listener, announced } = instances()
    one.listen('ws_1', null, listener)
    other.listen('ws_1', null, listener)
    one.changed('ws_1', 'messages', 'msg_1')
    expect(announced).toEqual([{ workspaceId: 'ws_1', subject: 'messages', messageId: 'msg_1' }])
  })

  test('the others are watched once, and only while a page follows or may come back', () => {
    const { clock, one, listener, watchers } = instances()
    expect(watchers.size).toBe(0)
    const leave = [
      one.listen('ws_1', null, listener),
      one.listen('ws_1', null, listener),
      one.listen('ws_2', null, listener),
    ]
    expect(watchers.size).toBe(1)
    for (const end of leave) end?.()
    expect(watchers.size).toBe(1)
    clock.advance(60_000)
    expect(watchers.size).toBe(0)
    one.listen('ws_1', null, listener)
    expect(watchers.size).toBe(1)
    one.close()
    expect(watchers.size).toBe(0)
  })
})
