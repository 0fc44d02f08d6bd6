import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { pageMax } from '../../src/reading/steps.ts'

// Not by a static import: browser code is type-checked by itself.
const { withChanged } = await import(resolve(import.meta.dir, '../../src/console/web/pages/messages/changedRows.ts'))

/** The nth message, which was created in the nth second. */
const row = (n: number, status = 'SENT') => ({ id: `msg_${n}`, createdAt: new Date(n * 1_000).toISOString(), status })
const rows = (...numbers: number[]) => numbers.map(n => row(n))

/** The page of the messages 9 to 5, with more on both sides. */
const page = { messages: rows(9, 8, 7, 6, 5), older: 'older', newer: 'newer', searchedTo: null }
const first = { ...page, newer: null }
const all = { ...first, older: null }

/** @param found what the gateway says of the asked ones */
const changed = (shown: object, asked: number[], found: object[], isBack = false) =>
  withChanged(shown, { ids: asked.map(n => `msg_${n}`), rows: found, isBack })
const shownOf = (...given: Parameters<typeof changed>) =>
  changed(...given)?.page.messages.map(({ id }: { id: string }) => Number(id.replace('msg_', ''))) ?? 'read as a whole'

describe('a page of messages of which some have changed', () => {
  test('has them in their places, and reads nothing else', () => {
    const read = [row(9, 'READ'), row(6, 'DELIVERED')]
    expect(changed(page, [9, 6], read)).toEqual({
      page: { ...page, messages: [row(9, 'READ'), row(8), row(7), row(6, 'DELIVERED'), row(5)] },
      isAll: true,
    })
  })

  test('has a new one at its place, and does not know how many there are', () => {
    expect(shownOf(first, [10], rows(10))).toEqual([10, 9, 8, 7, 6, 5])
    expect(changed(first, [10], rows(10)).isAll).toBe(false)
    const { messages } = page
    expect(shownOf({ ...first, messages: messages.toSpliced(2, 1) }, [7], rows(7))).toEqual([9, 8, 7, 6, 5])
  })

  test('has those of one millisecond in the order of their ids, as the gateway lists them', () => {
    const together = (id: number) => ({ ...row(id), createdAt: row(9).createdAt })
    const shown = { ...first, messages: [together(9), together(7), row(5)] }
    expect(shownOf(shown, [8], [together(8)])).toEqual([9, 8, 7, 5])
  })

  test('has none that belongs to another page', () => {
    expect(shownOf(page, [3], rows(3))).toEqual([9, 8, 7, 6, 5])
    expect(changed(page, [3], rows(3)).isAll).toBe(false)
    expect(shownOf(page, [11], rows(11), true)).toEqual([9, 8, 7, 6, 5])
    // What is beyond its other end is not among what was found.
    expect(shownOf(page, [11], [])).toEqual([9, 8, 7, 6, 5])
  })

  test('ends where the search stopped, or the list', () => {
    const searchedTo = new Date(4_000).toISOString()
    expect(shownOf({ ...first, searchedTo }, [4, 3], rows(4, 3))).toEqual([9, 8, 7, 6, 5, 4])
    expect(shownOf({ ...first, messages: [], searchedTo }, [4, 3], rows(4, 3))).toEqual([4])
    expect(shownOf(all, [4, 3], rows(4, 3))).toEqual([9, 8, 7, 6, 5, 4, 3])
    expect(shownOf({ ...page, newer: null }, [11], rows(11), true)).toEqual([11, 9, 8, 7, 6, 5])
    expect(shownOf({ ...all, messages: [] }, [1], rows(1))).toEqual([1])
  })

  test('has none any more that does not fit; what takes its place is read', () => {
    expect(shownOf(all, [9, 6], rows(6))).toEqual([8, 7, 6, 5])
    expect(changed(all, [9, 6], rows(6)).isAll).toBe(false)
    expect(shownOf(page, [9, 6], rows(6))).toBe('read as a whole')
    expect(shownOf(all, [9, 8, 7, 6, 5], [])).toEqual([])
  })

  test('is read as a whole when what is new has made it too long', () => {
    const messages = Array.from({ length: pageMax - 1 }, (_, n) => row(pageMax - n))
    const long = { ...first, messages }
    expect(shownOf(long, [500], rows(500))).toHaveLength(pageMax)
    expect(shownOf(long, [500, 501], rows(501, 500))).toBe('read as a whole')
  })
})
