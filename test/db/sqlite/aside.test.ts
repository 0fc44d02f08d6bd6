import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { keepAside } from '../../../db/sqlite/aside.ts'
import { testFolder } from '../../folder.ts'

const within = testFolder('aside')
const at = Date.UTC(2026, 2, 1)
const stamp = '20260301T000000000Z'

test('a database that cannot be kept aside as a whole keeps its name and its log', async () => {
  const database = within('waypost.db')
  for (const suffix of ['', '-wal', '-shm']) await Bun.write(database + suffix, `before${suffix}`)
  // Where the last part is to go is something else.
  mkdirSync(`${database}.replaced-${stamp}-shm`)
  expect(() => keepAside(database, at)).toThrow()
  for (const suffix of ['', '-wal', '-shm']) expect(await Bun.file(database + suffix).text()).toBe(`before${suffix}`)
  expect(readdirSync(within()).sort()).toEqual(
    ['waypost.db', 'waypost.db-shm', 'waypost.db-wal', `waypost.db.replaced-${stamp}-shm`].sort(),
  )
})
