import { expect, test } from 'bun:test'
import { openDatabase, seed } from '../fixtures.ts'
import { proveManyChanges } from '../manyChanges.ts'

test('what may be deleted is hidden on SQLite, however much was changed', async () => {
  const db = openDatabase()
  try {
    await seed(db)
    await proveManyChanges(db.read, async sql => db.writer.client.run(sql))
    expect.hasAssertions()
  } finally {
    db.close()
  }
})
