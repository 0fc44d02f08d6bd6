import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { freshFixture } from '../../fixture.ts'
import { Installation, refusal } from './installation.ts'

const installation = freshFixture(() => Installation.make())
let path: string
let messageId: string | undefined

/** A file with one message in it, as a gateway left it that was stopped. */
beforeEach(async () => {
  path = installation.path('waypost.db')
  const { serving, url } = await installation.run()
  messageId = (await installation.send(url, 'order-1')).id
  await serving.end('SIGTERM')
})

function change(statement: string): void {
  const client = new Database(path, { readwrite: true })
  client.run(statement)
  client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  client.close()
}

/** Overwrites part of the file with what cannot be a page. */
function scribble(from: number, to: number): void {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, from, to)
  writeFileSync(path, bytes)
}

const pageBytes = 4_096

const damages: readonly [name: string, damage: () => void, says: RegExp][] = [
  [
    'a database from a newer version',
    () => change("INSERT INTO migrations VALUES ('0099_future', 'hash', 1)"),
    /by a newer Waypost \(it has the migration 0099_future\).*Start that version, or restore a backup made by this one/s,
  ],
  [
    'a database whose migration was changed afterwards',
    () => change("UPDATE migrations SET sha256 = 'other'"),
    /made by a different build of Waypost.*0000_init/s,
  ],
  ['a file whose header is damaged', () => scribble(0, 100), /cannot be used.*restore a backup/s],
  ['a file whose first pages are damaged', () => scribble(100, 6 * pageBytes), /cannot be used.*restore a backup/s],
  ['a file that was cut short', () => truncateSync(path, 3 * pageBytes), /cannot be used.*restore a backup/s],
  ['a file that is something else', () => writeFileSync(path, 'Dear diary, '.repeat(2_000)), /cannot be used/],
]

describe.each(damages)('%s', (_, damage, says) => {
  test('is refused with 1 and a sentence, and left as it is; with the file put back, all is there', async () => {
    const backup = installation.path('backup')
    copyFileSync(path, backup)
    damage()
    const before = readFileSync(path)

    const refused = await refusal(installation.start())

    expect(refused.code).toBe(1)
    expect(refused.says).toMatch(says)
    expect(refused.says).not.toContain('    at ')
    expect(readFileSync(path).equals(before)).toBe(true)
    copyFileSync(backup, path)
    const { url } = await installation.run()
    expect(await installation.status(url, messageId)).toMatchObject({ status: 200, state: 'SENT' })
  })
})

/** Root may write whatever the mode says; so the gateway is run as a user who may not. */
const isRoot = process.getuid?.() === 0
const nobody = 65_534
const asNobody = [...['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--']]
const canDropRights = isRoot && Bun.spawnSync([...asNobody, process.execPath, '--version']).success

describe.skipIf(isRoot && !canDropRights)('what may not be written', () => {
  const wrapper = isRoot ? asNobody : []
  const hand = (mode: number, name: string) => {
    if (isRoot) Bun.spawnSync(['chown', '-R', `${nobody}:${nobody}`, installation.dataDir])
    Bun.spawnSync(['chmod', mode.toString(8), name])
  }
  afterEach(() => hand(0o700, installation.dataDir))

  const cases: readonly [name: string, mode: number, what: () => string][] = [
    ['a read-only database file', 0o444, () => path],
    ['a read-only folder', 0o555, () => installation.dataDir],
  ]

  test.each(cases)('%s is refused with 1 and a sentence that names it', async (_, mode, what) => {
    hand(mode, what())

    const { code, says } = await refusal(installation.start({ wrapper }))

    expect(code).toBe(1)
    expect(says).toContain(what())
    expect(says).not.toContain('    at ')
  })

  test.each(cases)('%s, once it is writable again, is all that was in the way', async (_, mode, what) => {
    const before = statSync(what()).mode & 0o777
    hand(mode, what())
    await refusal(installation.start({ wrapper }))
    hand(before, what())

    const { url } = await installation.run({ wrapper })

    expect(await installation.status(url, messageId)).toMatchObject({ status: 200, state: 'SENT' })
  })
})
