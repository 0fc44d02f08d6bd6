import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { MIGRATIONS } from '../../../db/migrations/list.ts'
import { platformLineTypes, platformMessageTypes } from '../../../src/base/eventTypes.ts'

test('an endpoint of the platform’s format that was made without types gets those of its format from the upgrade on', () => {
  using database = new Database(':memory:')
  database.run('CREATE TABLE webhook_endpoints (id TEXT, format TEXT, types TEXT)')
  const rows = [
    ['before payments', 'platform', platformMessageTypes],
    ['with payments', 'platform', platformLineTypes],
    ['by choice', 'platform', ['message.read']],
    ['of events', 'events', platformMessageTypes],
  ] as const
  for (const [id, format, types] of rows)
    database.run('INSERT INTO webhook_endpoints VALUES (?, ?, ?)', [id, format, JSON.stringify(types)])
  const { sql = '' } = MIGRATIONS.find(({ name }) => name.endsWith('_platform_types')) ?? {}
  database.run(sql)
  expect(database.query('SELECT id FROM webhook_endpoints WHERE types IS NULL').values().flat()).toEqual([
    ...['before payments', 'with payments'],
  ])
})
