import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { inArray } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { busyText } from '../../../db/sqlite/busy.ts'
import { groupCommit, type Verbs } from '../../../db/sqlite/commit.ts'
import { openForWriting } from '../../../db/sqlite/open.ts'
import type { VerbAnswer } from '../../../src/threads/protocol.ts'
import { makeFolder, type TestFolder } from '../fixtures.ts'

let folder: TestFolder
let client: Database
let other: Database

beforeEach(() => {
  folder = makeFolder()
  client = openForWriting(folder.file).client
  client.run('CREATE TABLE words (word TEXT PRIMARY KEY NOT NULL) STRICT')
  client.run('CREATE TABLE notes (word TEXT NOT NULL REFERENCES words) STRICT')
  other = new Database(folder.file)
})
afterEach(() => {
  other.close()
  client.close()
  folder.remove()
})

/** What another connection sees: what is committed. */
const committed = () =>
  other
    .query<{ word: string }, []>('SELECT word FROM words ORDER BY word')
    .all()
    .map(row => row.word)
const put = (word: string) => client.run('INSERT INTO words VALUES (?)', [word])

/** Verbs that fail in every way a verb can. */
const verbs = {
  put(word: string) {
    put(word)
    return `put ${word}`
  },
  fail() {
    throw new Error('out of ideas')
  },
  failHalfway(words: readonly string[]) {
    for (const word of words) put(word)
    throw new Error('halfway')
  },
  failInLoop(words: readonly string[]) {
    for (const word of words) put(word)
    // The last one is there already.
    put(words[0] ?? '')
  },
  throwNothing() {
    throw undefined
  },
  count: () => client.query('SELECT count(*) FROM words').values()[0]?.[0],
  rollback() {
    client.run('ROLLBACK')
    throw new Error('the disk rolled everything back')
  },
  fillDisk() {
    client.run('ROLLBACK')
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  },
  /** Seen only by the commit. */
  noteOfNothing() {
    client.run('PRAGMA defer_foreign_keys = ON')
    client.run("INSERT INTO notes VALUES ('nothing')")
  },
  seen: () => committed(),
  /** As the rules are written: each query is awaited. */
  async putAwaiting(added: readonly string[]) {
    for (const word of added) await drizzle(client).insert(words).values({ word })
    return await drizzle(client).select().from(words).where(inArray(words.word, added))
  },
}

const words = sqliteTable('words', { word: text('word').primaryKey() })

/** Verbs of words and notes have no counts. */
const nothing = { begun() {}, writeCounts() {}, rolledBack() {} }

function run(
  ...calls: readonly (readonly [verb: keyof typeof verbs | 'nonsense', argument?: unknown])[]
): Promise<VerbAnswer[]> {
  const commit = groupCommit(client, verbs as unknown as Verbs, { memory: nothing })
  return commit(calls.map(([verb, argument], index) => ({ id: index + 1, verb, argument })))
}

describe('a batch of verbs', () => {
  test('answers every call under its id, in order', async () => {
    expect(await run(['put', 'a'], ['put', 'b'], ['count'])).toEqual([
      { id: 1, ok: true, value: 'put a' },
      { id: 2, ok: true, value: 'put b' },
      { id: 3, ok: true, value: 2 },
    ])
  })

  test('of asynchronous verbs, one that fails is undone whole, and alone', async () => {
    const answers = await run(['putAwaiting', ['a']], ['putAwaiting', ['b', 'c', 'b']], ['put', 'd'], ['fail'])
    expect(answers).toMatchObject([{ value: [{ word: 'a' }] }, { ok: false }, { ok: true }, { ok: false }])
    expect(committed()).toEqual(['a', 'd'])
  })

  test('of asynchronous verbs is over before the thread hears of anything else', async () => {
    let isElsewhere = false
    setImmediate(() => {
      isElsewhere = true
    })
    await run(['putAwaiting', Array.from({ length: 100 }, (_, n) => `word ${n}`)], ['fail'])
    expect([isElsewhere, committed().length]).toEqual([false, 100])
  })

  test('waits for the batch before it, whatever that one awaits', async () => {
    const slow = Promise.withResolvers<void>()
    const commit = groupCommit(client, { ...verbs, wait: () => slow.promise } as unknown as Verbs, { memory: nothing })
    const first = commit([
      { id: 1, verb: 'put', argument: 'a' },
      { id: 2, verb: 'wait', argument: null },
    ])
    const second = commit([{ id: 3, verb: 'count', argument: null }])
    slow.resolve()
    expect([await first, await second]).toMatchObject([[{ ok: true }, { ok: true }], [{ value: 1 }]])
  })

  test('is committed before its answers are handed out, and nothing of it is seen until then', async () => {
    const [, seen] = await run(['put', 'a'], ['seen'])
    expect(seen).toMatchObject({ value: [] })
    expect(committed()).toEqual(['a'])
  })

  test('one verb that throws fails alone', async () => {
    const answers = await run(['put', 'a'], ['fail'], ['put', 'b'])
    expect(answers).toMatchObject([{ ok: true }, { ok: false, message: 'out of ideas' }, { ok: true }])
    expect(committed()).toEqual(['a', 'b'])
  })

  test('one verb that fails after its first writes is undone whole, and alone', async () => {
    const answers = await run(['put', 'a'], ['failHalfway', ['b', 'c']], ['failInLoop', ['d', 'e']], ['put', 'b'])
    expect(answers.map(({ ok }) => ok)).toEqual([true, false, false, true])
    expect(committed()).toEqual(['a', 'b'])
  })

  test('a row that is there already rejects its own call and no other', async () => {
    await run(['put', 'a'])
    const answers = await run(['put', 'b'], ['put', 'a'], ['put', 'c'])
    expect(answers).toMatchObject([{ ok: true }, { ok: false, unavailable: false }, { ok: true }])
    expect(committed()).toEqual(['a', 'b', 'c'])
  })

  test('a verb that nobody knows, and one that throws nothing, fail like any other', async () => {
    const answers = await run(['nonsense'], ['throwNothing'], ['put', 'a'])
    expect(answers.map(({ ok }) => ok)).toEqual([false, false, true])
  })

  test('whatever fails and wherever, the rest is stored and a next batch works', async () => {
    for (const position of [0, 1, 2]) {
      const calls: (readonly [keyof typeof verbs, unknown])[] = [
        ['put', `x${position}`],
        ['put', `y${position}`],
      ]
      calls.splice(position, 0, ['failHalfway', [`z${position}`]])
      await run(...calls)
    }
    expect(committed()).toEqual(['x0', 'x1', 'x2', 'y0', 'y1', 'y2'])
    expect(client.inTransaction).toBe(false)
  })

  test('if the disk rolls back everything, every call of the batch fails and nothing is claimed', async () => {
    const answers = await run(['put', 'a'], ['rollback'], ['put', 'b'])
    expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
      [1, false],
      [2, false],
      [3, false],
    ])
    expect(committed()).toEqual([])
    await run(['put', 'c'])
    expect(committed()).toEqual(['c'])
  })

  test('and all are told why, also when a call before it had failed by itself', async () => {
    const answers = await run(['fail'], ['put', 'a'], ['fillDisk'], ['put', 'b'])
    expect(answers.map(answer => !answer.ok && answer.unavailable)).toEqual([true, true, true, true])
    expect(committed()).toEqual([])
  })

  test('if the commit itself fails, every call fails, nothing is stored, and a next batch works', async () => {
    expect((await run(['put', 'a'], ['noteOfNothing'])).map(({ ok }) => ok)).toEqual([false, false])
    expect(committed()).toEqual([])
    expect(await run(['put', 'b'])).toMatchObject([{ ok: true }])
    expect(committed()).toEqual(['b'])
  })

  test('a file that another process holds makes every call "unavailable": nothing was stored, later it may be', async () => {
    client.run('PRAGMA busy_timeout = 1')
    other.run('BEGIN IMMEDIATE')
    expect(await run(['put', 'a'], ['put', 'b'])).toMatchObject([
      { id: 1, ok: false, unavailable: true, message: busyText },
      { id: 2, ok: false, unavailable: true, message: busyText },
    ])
    other.run('ROLLBACK')
    await run(['put', 'a'])
    expect(committed()).toEqual(['a'])
  })

  test('a full disk fails what does not fit, says so, and is over once there is room', async () => {
    const pages = Number(client.query('PRAGMA page_count').values()[0]?.[0])
    client.run(`PRAGMA max_page_count = ${pages}`)
    const answers = await run(['put', 'x'.repeat(100_000)])
    expect(answers).toMatchObject([{ ok: false, unavailable: true }])
    expect(client.inTransaction).toBe(false)
    client.run('PRAGMA max_page_count = 1000000')
    expect(await run(['put', 'x'.repeat(100_000)])).toMatchObject([{ ok: true }])
  })
})
