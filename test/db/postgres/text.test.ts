import { describe, expect, test } from 'bun:test'
import { arrayText, jsonRows } from '../../../db/postgres/open.ts'
import { sendReads } from '../../../db/postgres/sendReads.ts'
import { hasPostgres } from '../../postgres.ts'
import { t0 } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'

const texts = [
  'plain',
  'caf\u00e9 \u{1F600}',
  'a\0b',
  'half \ud83d of a pair',
  'written \\u0000 out',
  '\\ud83d',
  '"\'\n\t',
]
const odd = ['', 'NULL', 'null', '{}', '{a,b}', 'a,b', ' a ', '\\', '"']
const kept = [
  'plain',
  'caf\u00e9 \u{1F600}',
  'a\uFFFDb',
  'half \uFFFD of a pair',
  'written \\u0000 out',
  '\\ud83d',
  '"\'\n\t',
]

describe.skipIf(!hasPostgres)('a text on PostgreSQL', () => {
  const database = postgresDatabase()

  test('is kept as it is, but for NUL and halves of surrogate pairs: alone, in lists, in JSON of many rows', async () => {
    const { query } = database().pool
    for (const [at, text] of texts.entries()) {
      const [row] = await query<{ text: string }>('SELECT $1::text AS text', [text])
      expect(row?.text).toBe(kept[at] ?? '')
    }
    const [list] = await query<{ texts: string }>('SELECT to_json($1::text[])::text AS texts', [[...texts, ...odd]])
    expect(JSON.parse(list?.texts ?? '')).toEqual([...kept, ...odd])
    const [withNulls] = await query<{ texts: string; numbers: string }>(
      'SELECT to_json($1::text::text[])::text AS texts, to_json($2::text::bigint[])::text AS numbers',
      [arrayText([...texts, null, ...odd]), arrayText([t0, null, undefined, -1])],
    )
    expect(JSON.parse(withNulls?.texts ?? '')).toEqual([...kept, null, ...odd])
    expect(JSON.parse(withNulls?.numbers ?? '')).toEqual([t0, null, null, -1])
    expect(arrayText([null, undefined])).toBeNull()
    const rows = await query<{ text: string }>('SELECT text FROM json_to_recordset($1::text::json) AS x (text text)', [
      jsonRows(texts.map(text => ({ text }))),
    ])
    expect(rows.map(({ text }) => text)).toEqual(kept)
  })

  test('that cannot be stored is not found, and fails no read', async () => {
    const read = sendReads(database().pool)
    expect(await read.templatesNamed({ channelId: 'chan_1', name: 'a\0b' })).toEqual([])
    expect(await read.key('pk_\0')).toBeNull()
  })
})
