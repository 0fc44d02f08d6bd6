import { beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { MIGRATIONS } from '../../db/migrations/list.ts'
import { inspectDatabase } from '../../db/sqlite/backup.ts'
import { lockDatabase } from '../../db/sqlite/lock.ts'
import { markMigration } from '../../db/sqlite/migrationMark.ts'
import manifest from '../../package.json' with { type: 'json' }
import { freshFixture } from '../fixture.ts'
import { type Fixture, readFixtures, unpack } from '../upgrade/fixture.ts'
import { Deployment, expectRefusal } from './waypost.ts'

const deployment = freshFixture(() => new Deployment())
const older = readFixtures().find(({ version }) => version === '0.1.0-init') as Fixture
beforeEach(() => {
  mkdirSync(deployment.dataDir)
  unpack(older, deployment.databasePath)
})

const pending = () => inspectDatabase(deployment.databasePath, 'quick').pending.length

test('an older database is migrated without a gateway, and the way back is named', async () => {
  const migrated = await deployment.json<{ copy: string }>(['database', 'migrate'])
  expect<unknown>(migrated).toEqual({
    from: '0000_init',
    to: manifest.version,
    migrations: MIGRATIONS.slice(1).map(({ name }) => name),
    copy: expect.stringContaining(`.before-${manifest.version}-from-0000_init-`),
  })
  expect(readdirSync(deployment.dataDir).map(name => deployment.path(`data/${name}`))).toContain(migrated.copy)
  expect(pending()).toBe(0)
  expect((await deployment.run(['database', 'migrate'])).stdout).toContain('there was nothing to do')
})

test('its steps are told to people', async () => {
  const { stdout } = await deployment.run(['database', 'migrate'])
  expect(stdout).toContain('copying the database\ngathering statistics\n0001_lists_by_workspace (1 of ')
  expect(stdout).toContain('The database is migrated')
})

test('beside a gateway of an older version neither it nor another command migrates, until that is asked for', async () => {
  const release = lockDatabase(deployment.databasePath)
  try {
    expectRefusal(await deployment.run(['database', 'migrate']), 1, 'Another gateway is running on')
    const list = await deployment.run(['workspace', 'list'])
    expectRefusal(list, 1, 'has to be migrated, and a gateway of an older version runs on it. Nothing was changed.')
    expect(pending()).toBe(MIGRATIONS.length - 1)
    expect((await deployment.run(['database', 'migrate', '--force'])).code).toBe(0)
    expect((await deployment.run(['workspace', 'list'])).code).toBe(0)
  } finally {
    release()
  }
})

test.each([
  ['a command', ['workspace', 'list']],
  ['one that keeps gateways out', ['database', 'migrate']],
  ['a gateway', ['serve']],
])('while another process migrates it, %s says so', async (_who, command) => {
  const release = lockDatabase(deployment.databasePath)
  const unmark = markMigration(deployment.databasePath, { since: 0, from: '0.1.0', to: '0.2.0' })
  try {
    const refused = await deployment.run(command)
    const why = 'is being migrated from 0.1.0 to 0.2.0 since 1970-01-01 00:00:00 UTC: wait until that has ended'
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(why)
  } finally {
    unmark()
    release()
  }
  expect(pending()).toBe(MIGRATIONS.length - 1)
})
