import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { chmodSync, chownSync, copyFileSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { copyDatabase } from '../../db/sqlite/backup.ts'
import { lockDatabase } from '../../db/sqlite/lock.ts'
import { restoreDatabase } from '../../src/cli/restore.ts'
import { loadConfig } from '../../src/config/config.ts'
import { timestamp } from '../timestamp.ts'
import { readFixtures, unpack } from '../upgrade/fixture.ts'
import { connected, Deployment, expectRefusal, firstLine, type Identified, queueMessages, seeded } from './waypost.ts'

let deployment: Deployment
const emptied: Deployment[] = []
beforeEach(() => {
  deployment = new Deployment()
})
afterEach(() => deployment.remove())
afterAll(() => {
  for (const other of emptied) other.remove()
})

const backup = (to: string) => ['backup', '--to', to]
const restore = (from: string, ...rest: string[]) => ['restore', '--from', from, ...rest]
/** The data folder's files; the lock and the log of an open database mean nothing. */
const files = (on = deployment) => readdirSync(on.dataDir).filter(name => !/-wal$|-shm$|\.lock$/.test(name))

test('a backup is made beside a running gateway, for its owner alone, and overwrites nothing', async () => {
  const file = deployment.path('backup.db')
  const nothing = await deployment.run([...backup(file), '--json'])
  expectRefusal(nothing, 1, 'no database')
  await deployment.withStore(async store => {
    await store.write.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: 1 })
    const made = await deployment.json(backup(file))
    // There is no key yet, so none has to be kept.
    expect(made).toEqual({ file, bytes: statSync(file).size, keyFile: null })
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const second = await deployment.run([...backup(file), '--json'])
  expectRefusal(second, 1, 'exists already')
  const nowhere = await deployment.run([...backup(deployment.path('no/such/folder.db')), '--json'])
  expectRefusal(nowhere, 1, 'no/such/folder.db')
})

test('a backup is for its owner alone whatever the process allows, and so is what is restored from an open one', async () => {
  const file = deployment.path('backup.db')
  await deployment.json(['workspace', 'create', '--name', 'Acme'])
  copyDatabase(deployment.databasePath, file)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  chmodSync(file, 0o644)
  const umask = process.umask(0)
  try {
    const settings = loadConfig({ DATA_DIR: deployment.dataDir, SECRET_KEY: 'any-key-of-enough-length' })
    await restoreDatabase({ settings, from: file, force: true })
  } finally {
    process.umask(umask)
  }
  expect(statSync(deployment.databasePath).mode & 0o777).toBe(0o600)
})

test('a backup that fails leaves no file that could be taken for one', () => {
  const [damaged, file] = [deployment.path('damaged.db'), deployment.path('backup.db')]
  writeFileSync(damaged, 'no database at all'.repeat(1_000))
  expect(() => copyDatabase(damaged, file)).toThrow(/not a database/)
  expect(existsSync(file)).toBe(false)
})

test('a restore brings back what was there, moves the old database aside, and needs --force for that', async () => {
  const file = deployment.path('backup.db')
  const before = await deployment.json<Identified>(['workspace', 'create', '--name', 'Before'])
  await deployment.json(backup(file))
  await deployment.json(['workspace', 'create', '--name', 'After'])
  const refused = await deployment.run([...restore(file), '--json'])
  expectRefusal(refused, 1, '--force')

  const restored = await deployment.json<{ movedAside: string }>(restore(file, '--force'))
  expect(restored).toMatchObject({ database: deployment.databasePath, restoredFrom: file, interrupted: 0 })
  // There is no message in it.
  expect(restored).toMatchObject({ keysForgotten: { since: null, until: timestamp } })
  expect(await deployment.json<Identified[]>(['workspace', 'list'])).toMatchObject([{ id: before.id }])
  const aside = new Database(restored.movedAside, { readonly: true })
  expect(aside.query('SELECT count(*) AS n FROM workspaces').get()).toEqual({ n: 2 })
  aside.close()
})

test.skipIf(process.getuid?.() !== 0)(
  'what root copies or restores belongs to the owner of the database, or of its folder where there is none',
  async () => {
    const [file, nobody] = [deployment.path('backup.db'), 65_534]
    await deployment.json(['workspace', 'create', '--name', 'Acme'])
    chownSync(deployment.databasePath, nobody, nobody)
    await deployment.json(backup(file))
    expect(statSync(file).uid).toBe(nobody)
    const owners = () => readdirSync(deployment.dataDir).map(name => statSync(`${deployment.dataDir}/${name}`).uid)
    await deployment.json(restore(file, '--force'))
    expect(new Set(owners())).toEqual(new Set([nobody]))

    rmSync(deployment.databasePath)
    chownSync(deployment.dataDir, nobody, nobody)
    await deployment.json(restore(file))
    expect(new Set(owners())).toEqual(new Set([nobody]))
  },
)

test('a restore says that a key which was revoked since is valid again', async () => {
  const file = deployment.path('backup.db')
  await deployment.json(['workspace', 'create', '--name', 'Acme'])
  await deployment.json(backup(file))
  const { code, stdout } = await deployment.run(restore(file, '--force'))
  expect([code, stdout]).toEqual([0, expect.stringMatching(/revoked since the backup is valid again.*key revoke pk_…/)])
})

test('a restore is refused while a gateway or a command uses the database, and changes nothing', async () => {
  const file = deployment.path('backup.db')
  await deployment.json(['workspace', 'create', '--name', 'Acme'])
  await deployment.json(backup(file))
  const inProcess = () => deployment.run([...restore(file, '--force'), '--json'], { asProcess: true })
  const unlock = lockDatabase(deployment.databasePath)
  expectRefusal(await inProcess(), 1, 'Another gateway is running')
  unlock()
  await deployment.withStore(async store => {
    expectRefusal(await inProcess(), 1, 'in use by another command')
    await store.write.createWorkspace({ id: 'ws_1', name: 'Still writable', monthlyMessageLimit: null, createdAt: 1 })
  })
  expect(files()).toEqual(['waypost.db'])
  expect(await deployment.json<Identified[]>(['workspace', 'list'])).toHaveLength(2)
})

test('what is no sound backup of this program is refused, and changes nothing', async () => {
  await deployment.json(['workspace', 'create', '--name', 'Acme'])
  const text = deployment.path('text')
  writeFileSync(text, 'certainly not a database '.repeat(100))
  const foreign = deployment.path('foreign.db')
  new Database(foreign, { create: true }).run('CREATE TABLE notes (text TEXT)')
  const newer = deployment.path('newer.db')
  await deployment.json(backup(newer))
  new Database(newer).run("INSERT INTO migrations VALUES ('9999_future', 'x', 0)")
  const rows: [file: string, says: string][] = [
    [deployment.path('none.db'), 'no file'],
    [text, 'damaged'],
    [foreign, 'not a database of Waypost'],
    [newer, 'newer Waypost'],
  ]
  for (const [file, says] of rows) {
    const refused = await deployment.run([...restore(file, '--force'), '--json'])
    expectRefusal(refused, 1, says)
  }
  expect(files()).toEqual(['waypost.db'])
})

const promote = `CREATE TRIGGER promote AFTER UPDATE ON users BEGIN
  UPDATE memberships SET role = 'owner' WHERE user_id = NEW.id; END`

test('a backup with a trigger, which could make an owner of anybody, is refused by name, and changes nothing', async () => {
  const file = deployment.path('backup.db')
  await deployment.json(['workspace', 'create', '--name', 'Acme'])
  await deployment.json(backup(file))
  const client = new Database(file)
  client.run(promote)
  client.close()
  const refused = await deployment.run([...restore(file, '--force'), '--json'])
  expectRefusal(refused, 1, 'the trigger "promote" on "users" is not of Waypost')
  expect(files()).toEqual(['waypost.db'])
})

test('a backup of an older version is compared with what that version made, and migrated', async () => {
  const older = readFixtures().find(({ isFrozen }) => isFrozen)
  if (!older) throw new Error('no version is frozen')
  const file = deployment.path('older.db')
  unpack(older, file)
  const args = [...restore(file, '--force'), '--json']
  const restored = await deployment.run(args, { env: { SECRET_KEY: older.secretKey } })
  expect(restored).toMatchObject({ code: 0, stderr: '' })

  const client = new Database(deployment.path('older.db'))
  client.run(promote)
  client.close()
  expectRefusal(await deployment.run(args, { env: { SECRET_KEY: older.secretKey } }), 1, 'the trigger "promote"')
})

test('a damaged database is replaced and kept aside', async () => {
  const file = deployment.path('backup.db')
  await deployment.json(['workspace', 'create', '--name', 'Acme'])
  await deployment.json(backup(file))
  writeFileSync(deployment.databasePath, 'burnt '.repeat(1_000))
  const { movedAside } = await deployment.json<{ movedAside: string }>(restore(file, '--force'))
  expect(existsSync(movedAside)).toBe(true)
  expect(await deployment.json<Identified[]>(['workspace', 'list'])).toHaveLength(1)
})

test('never twice: what was waiting in a backup becomes UNKNOWN, because it may have been sent since', async () => {
  const file = deployment.path('backup.db')
  const [waiting = ''] = await deployment.withStore(async store => queueMessages(store, await seeded(store), 1))
  await deployment.json(backup(file))
  rmSync(deployment.databasePath)
  // What a deleted database may leave behind must not be taken for the log of the restored one.
  writeFileSync(`${deployment.databasePath}-wal`, 'stale')
  // The key does not matter to what is looked at here.
  const env = { SECRET_KEY: 'any-key-of-enough-length' }
  expect(await deployment.json(restore(file), { env })).toMatchObject({ movedAside: null, interrupted: 1 })
  expect(await deployment.json(['message', 'show', waiting])).toMatchObject({ status: 'UNKNOWN' })
  expect(readdirSync(deployment.dataDir).filter(name => /\.replaced-.*-wal$/.test(name))).toHaveLength(1)
  await deployment.withStore(async store => {
    expect(await store.write.claimWaiting({ after: null, limit: 10 })).toEqual([])
  })
})

test('no number of an event is used twice: who drops what it has by id gets what is told after a restore', async () => {
  const file = deployment.path('backup.db')
  const ids = await deployment.withStore(async store => queueMessages(store, await seeded(store), 1))
  await deployment.json(backup(file))
  const told = () =>
    deployment.withStore(async ({ read }) => {
      const [{ id: workspaceId } = { id: '' }] = await read.workspaces()
      return (await read.events({ workspaceId, after: 0, limit: 10 })).events.map(({ seq }) => seq)
    })
  await deployment.withStore(async ({ write }) => {
    for (const messageId of ids)
      await write.recordEvent({ messageId, event: { kind: 'lost', at: 1 }, detail: null, recordedAt: 1 })
  })
  const lost = await told()
  expect(lost).toHaveLength(1)
  await deployment.json(restore(file, '--force'), { env: { SECRET_KEY: 'any-key-of-enough-length' } })
  const afterwards = await told()
  expect(afterwards).toHaveLength(1)
  expect(afterwards).not.toContain(lost[0])
})

test('never twice: a batch that ran in a backup is paused, and says why', async () => {
  const file = deployment.path('backup.db')
  const id = 'batch_01jd4v7m9xf5ksxj1q5y8p0c3n'
  await deployment.withStore(async store => {
    const { workspaceId } = await seeded(store)
    const key = { keyId: null, scope: workspaceId, idempotencyKey: null, fingerprint: null }
    const batch = { id, workspaceId, ...key, name: null, defaults: {}, duplicates: 'skip', state: 'running' } as const
    const items = [{ recipient: '+491', reference: null, body: {} }]
    await store.write.createBatch({ batch: { ...batch, createdAt: 1, sendAt: null }, items })
  })
  await deployment.json(backup(file))
  const env = { SECRET_KEY: 'any-key-of-enough-length' }
  expect(await deployment.json(restore(file, '--force'), { env })).toMatchObject({ batches: 1 })
  const shown = await deployment.json(['batch', 'show', id])
  expect(shown).toMatchObject({ state: 'paused', reason: { code: 'restored' }, counts: { WAITING: 1 } })
})

test('a restore says between which times idempotency keys were used that it does not know', async () => {
  const file = deployment.path('backup.db')
  const [last = ''] = await deployment.withStore(async store => queueMessages(store, await seeded(store), 1))
  await deployment.json(backup(file))
  const { createdAt } = await deployment.json<{ createdAt: string }>(['message', 'show', last])
  const env = { SECRET_KEY: 'any-key-of-enough-length' }
  const { stdout } = await deployment.run(restore(file, '--force'), { env })
  const after = createdAt.slice(0, 19).replace('T', ' ')
  expect(stdout).toContain(`idempotency keys that were used after ${after} and before `)
  expect(stdout).toContain('is sent twice')
})

test('never twice: what waited in a copy that other tools put in place is settled by hand, while no gateway runs', async () => {
  const ids = await deployment.withStore(async store => queueMessages(store, await seeded(store), 3))
  const settle = ['message', 'settle-waiting']
  expectRefusal(await deployment.run(settle), 1, '--force settles all messages that wait')
  const unlock = lockDatabase(deployment.databasePath)
  expectRefusal(await deployment.run([...settle, '--force']), 1, 'Another gateway is running')
  unlock()
  expect(await deployment.json(['message', 'show', ids[0] ?? ''])).toMatchObject({ status: 'QUEUED' })
  const keysForgotten = { since: timestamp, until: timestamp }
  expect(await deployment.json([...settle, '--force'])).toEqual({ messages: 3, batches: 0, keysForgotten })
  expect(await deployment.json(['message', 'show', ids[0] ?? ''])).toMatchObject({ status: 'UNKNOWN' })
  expect(await deployment.json([...settle, '--force'])).toEqual({ messages: 0, batches: 0, keysForgotten })
})

test('a backup with secrets asks for its key first, and takes no other', async () => {
  const file = deployment.path('backup.db')
  await connected(deployment)
  await deployment.json(backup(file))
  const made = await deployment.json<{ keyFile: string }>(backup(deployment.path('second.db')))
  expect(made.keyFile).toBe(`${deployment.dataDir}/secret.key`)
  const elsewhere = new Deployment()
  emptied.push(elsewhere)
  const [absent, wrong] = [
    await elsewhere.run([...restore(file), '--json']),
    await elsewhere.run([...restore(file), '--json'], { env: { SECRET_KEY: 'some-other-key-of-enough-length' } }),
  ]
  expectRefusal(absent, 1, 'key file back first')
  expectRefusal(wrong, 1, 'secret key is not the one')
  expect(files(elsewhere)).toEqual([])
})

test('a backup from before a rotation of the key is refused with the name of the key that opens it', async () => {
  const file = deployment.path('backup.db')
  await connected(deployment)
  await deployment.json(backup(file))
  await deployment.json(['secrets', 'rotate'])
  const { formerKeyFile } = await deployment.json<{ formerKeyFile: string }>(['secrets', 'rotate'])
  const refused = await deployment.run([...restore(file, '--force'), '--json'])
  expectRefusal(refused, 1, 'older than a rotation of the secret key')
  expect(refused.stderr).not.toContain(formerKeyFile)
  const [, named = ''] = refused.stderr.match(/the key in (.+?) opens it/) ?? []
  copyFileSync(named, `${deployment.dataDir}/secret.key`)
  await deployment.json(restore(file, '--force'))
})

test('a backup that was written with a key asks for it, also while it holds no channel', async () => {
  const file = deployment.path('backup.db')
  const gateway = deployment.spawn(['serve', '--json'], { env: { PORT: '0' } })
  await firstLine(gateway.stdout)
  gateway.kill('SIGTERM')
  await gateway.exited
  await deployment.json(backup(file))
  const elsewhere = new Deployment()
  emptied.push(elsewhere)
  expectRefusal(await elsewhere.run(restore(file)), 1, 'key file back first')
})
