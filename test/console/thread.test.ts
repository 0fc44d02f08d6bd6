import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { dayMs } from '../../src/base/durations.ts'

// Not by a static import: browser code is type-checked by itself.
const { threadOf, unreadOf } = await import(
  resolve(import.meta.dir, '../../src/console/web/pages/conversations/thread.ts')
)

let at = Date.UTC(2026, 0, 1, 12)
const entry = (id: string, said: object | null = null, isOurs = false) => {
  at += 60_000
  return { id, channelMessageId: id, isOurs, at: new Date(at).toISOString(), said, sent: null, quoted: null }
}
const reaction = (id: string, about: string, text: string | null, isOurs = false) =>
  entry(id, { type: 'reaction', about, text }, isOurs)
const shown = (...entries: object[]) =>
  threadOf(entries).map(({ entry, reactions }: { entry: { id: string }; reactions: { emoji: string }[] }) =>
    [entry.id, ...reactions.map(({ emoji }) => emoji)].join(' '),
  )

describe('a thread', () => {
  test('has the last reaction of each side on what it is for, and none that was taken back', () => {
    const said = [entry('a'), entry('b')]
    expect(shown(...said, reaction('r1', 'a', '👍'), reaction('r2', 'a', '🎉'))).toEqual(['a 🎉', 'b'])
    expect(shown(...said, reaction('r1', 'a', '👍'), reaction('r2', 'a', '🌱', true))).toEqual(['a 👍 🌱', 'b'])
    expect(shown(...said, reaction('r1', 'a', '👍'), reaction('r2', 'a', null))).toEqual(['a', 'b'])
  })

  test('shows a reaction to what is not loaded by itself, until it is', () => {
    expect(shown(entry('b'), reaction('r1', 'a', '👍'))).toEqual(['b', 'r1'])
    expect(shown(entry('a'), entry('b'), reaction('r1', 'a', '👍'))).toEqual(['a 👍', 'b'])
  })

  test('leads from an answer to what it answers, where that is loaded', () => {
    const answered = entry('a')
    const answer = { ...entry('b'), quoted: { channelMessageId: 'a' } }
    const isLoaded = (...entries: object[]) => threadOf(entries).at(-1).isQuoteLoaded
    expect([isLoaded(answer), isLoaded(answered, answer), isLoaded(answered)]).toEqual([false, true, false])
  })

  test('says from which line on it goes, where it has several', () => {
    const of = (lineId: string | null, id: string) => ({ ...entry(id), lineId })
    const marks = (...entries: object[]) => threadOf(entries).map(({ newLine }: { newLine: string | null }) => newLine)
    const [berlin, paris] = ['line_berlin', 'line_paris']
    expect(marks(of(berlin, 'a'), of(berlin, 'b'))).toEqual([null, null])
    expect(
      marks(of(berlin, 'a'), of(null, 'b'), of(berlin, 'c'), of(paris, 'd'), of(paris, 'e'), of(berlin, 'f')),
    ).toEqual([berlin, null, null, paris, null, berlin])
  })

  test('has what is sent later where it is sent, and what was cancelled where it was written', () => {
    const sent = (id: string, status: string, sendAt: string) => ({
      ...entry(id, null, true),
      sent: { status, sendAt },
    })
    const [soon, next] = [new Date(at + 210_000).toISOString(), new Date(at + dayMs).toISOString()]
    const said = [
      sent('waits', 'SCHEDULED', next),
      sent('left', 'READ', soon),
      entry('answer'),
      sent('cancelled', 'CANCELLED', next),
    ]
    expect(shown(...said)).toEqual(['answer', 'left', 'cancelled', 'waits'])
  })

  test('begins a day with its first message', () => {
    const days = ['2026-01-01T12:00:00Z', '2026-01-01T12:30:00Z', '2026-01-03T12:00:00Z']
    const entries = days.map(at => ({ ...entry(at), at }))
    expect(threadOf(entries).map(({ isNewDay }: { isNewDay: boolean }) => isNewDay)).toEqual([true, false, true])
  })

  test('knows what is unread, in the order of its numbers, once all of it is loaded', () => {
    const numbered = (id: string, number: number | null) => ({ ...entry(id), number })
    const entries = [numbered('a', 3), numbered('ours', null), numbered('b', 7), numbered('late', 6)]
    const unread = (from: object | null, hasOlder: boolean) =>
      unreadOf({ unreadFrom: from }, threadOf(entries), hasOlder)?.map(({ id }: { id: string }) => id) ?? null
    const [a, , b] = entries
    expect(unread(null, true)).toEqual([])
    expect(unread({ number: 6, at: b?.at }, true)).toEqual(['late', 'b'])
    expect([unread({ number: 2, at: a?.at }, true), unread({ number: 2, at: a?.at }, false)]).toEqual([
      null,
      ['a', 'late', 'b'],
    ])
  })
})
