import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openDatabase, type TestDatabase } from '../db/fixtures.ts'
import { fill, rowsOfFile } from './fullDatabase.ts'

let db: TestDatabase
beforeEach(() => {
  db = openDatabase()
})
afterEach(() => db.close())

test('what a move is tried with has a row in every table of this version: without one it would prove nothing', () => {
  const { file } = db.folder
  fill(file, 1)
  const rows = Object.entries(rowsOfFile(file))
  expect(rows.filter(([, found]) => found.length === 0)).toEqual([])
  expect(rows).not.toEqual([])
})
