import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hourMs } from '../../src/base/durations.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway, type Tenant, type TestGateway } from '../gateway.ts'
import { hasPostgres, startPostgres, unsynced } from '../postgres.ts'
import { addPerson, type Person } from './people.ts'

interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly message: string
}

let gateway: TestGateway
let owner: Person
let other: Tenant
let otherOwner: Person
const backupDir = mkdtempSync(join(tmpdir(), 'waypost-backups-'))
const weakKeyFile = join(backupDir, 'weak.key')
beforeAll(async () => {
  writeFileSync(weakKeyFile, 'correct horse battery', { mode: 0o600 })
  gateway = await startTestGateway({
    env: {
      ...{ BACKUP_DIR: backupDir, BACKUP_EVERY: '6h', BACKUP_KEEP: '5', PUBLIC_URl: 'https://gw.example.com' },
      SECRET_KEY_FILE: weakKeyFile,
    },
  })
  other = await gateway.addWorkspace()
  owner = await addPerson(gateway, 'owner')
  otherOwner = await addPerson(gateway, 'owner', other.workspaceId)
})
afterAll(async () => {
  await gateway.stop()
  rmSync(backupDir, { recursive: true, force: true })
})

const read = async (workspaceId = gateway.workspaceId, person = owner) =>
  (await person.call(`/api/v1/workspaces/${workspaceId}/gateway`)).json
const check = async (workspaceId = gateway.workspaceId, person = owner): Promise<Finding[]> =>
  (await person.call(`/api/v1/workspaces/${workspaceId}/gateway/check`, { method: 'POST' })).json.channels
const find = (findings: readonly Finding[], name: string) => findings.find(finding => finding.name === name)

describe('GET gateway', () => {
  test('200: version, database and files, and what the doctor finds of a gateway that runs', async () => {
    const state = await read()
    expect([state.version, state.engine]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/), 'sqlite'])
    expect(state.database.bytes).toBeGreaterThan(10_000)
    expect(state.files.bytesMax).toBeGreaterThan(10_000)
    expect(state.gateway.map(({ name }: Finding) => name)).toEqual([
      'settings',
      'API version',
      'data folder',
      'key file',
      'disk space',
      'write-ahead log',
      'backups',
      'clock',
      'promises',
      'upgrade',
    ])
    expect(find(state.gateway, 'settings')).toEqual({
      name: 'settings',
      ok: false,
      message: expect.stringMatching(
        /^PUBLIC_URl is not a setting and is ignored: did you mean PUBLIC_URL\?\nThe secret key is weak: /,
      ),
    })
  })

  test('200: the backups, newest first, and when the next is due', async () => {
    // Its file has its name a moment before the database says so.
    await eventually(async () => expect((await read()).backups.nextAt).not.toBeNull())
    const { backups } = await read()
    const [file] = backups.files
    expect(backups).toMatchObject({ keep: 5, isUploaded: false, isLate: false, failure: null })
    expect(file).toMatchObject({ name: expect.stringMatching(/^waypost-\d{8}T\d{6}Z\.db$/), uploadedAt: null })
    expect(file.bytes).toBeGreaterThan(10_000)
    expect(Date.parse(backups.nextAt) - Date.parse(file.at)).toBeLessThanOrEqual(6 * hourMs + 1_000)
  })

  test('200: backups that fail say why, and without a folder for them there are none', async () => {
    const file = join(backupDir, 'a-file')
    await Bun.write(file, 'no folder')
    const failing = await startTestGateway({ env: { BACKUP_DIR: join(file, 'backups') } })
    const none = await startTestGateway()
    try {
      const path = (at: TestGateway) => `/api/v1/workspaces/${at.workspaceId}/gateway`
      const person = await addPerson(failing, 'owner')
      await eventually(async () => {
        const { backups, gateway: found } = (await person.call(path(failing))).json
        expect(backups).toMatchObject({
          nextAt: null,
          files: [],
          failure: { reason: expect.stringContaining('BACKUP_DIR') },
        })
        const { attention } = (await person.call(`/api/v1/workspaces/${failing.workspaceId}/overview`)).json
        const what = expect.stringMatching(/^(?!.*a-file).*BACKUP_DIR/)
        expect(attention).toContainEqual(expect.objectContaining({ kind: 'lateBackup', what }))
        expect(found).toContainEqual({ name: 'backups', ok: false, message: expect.stringContaining('BACKUP_DIR') })
      })
      expect((await (await addPerson(none, 'owner')).call(path(none))).json.backups).toBeNull()
    } finally {
      await Promise.all([failing.stop(), none.stop()])
    }
  })

  test('200: an owner sees the channels of the own workspace, and nothing of another one', async () => {
    const texts = [await read(), await check()].map(answer => JSON.stringify(answer))
    for (const text of texts) expect(text).not.toContain(other.channelId)
    const theirs = await read(other.workspaceId, otherOwner)
    expect(JSON.stringify(theirs)).not.toContain(gateway.channelId)
    expect(find(theirs.channels, 'channels')).toMatchObject({ ok: true, message: expect.stringContaining('1 channel') })
    expect(find(theirs.channels, 'callbacks')?.message).toContain(other.channelId)
    // How much is sent by all together is not theirs either.
    expect(find(theirs.gateway, 'backups')?.message).not.toContain('messages')
  })

  test('200: a member may know nothing of the machine: places are the settings that name them', async () => {
    const state = await eventually(async () => {
      const found = await read()
      expect(find(found.gateway, 'backups')?.message).toContain(`: BACKUP_DIR/${found.backups.files[0]?.name}`)
      return found
    })
    for (const place of [backupDir, gateway.dataDir]) expect(JSON.stringify(state)).not.toContain(place)
    expect(find(state.gateway, 'data folder')?.message).toBe('DATA_DIR is writable')
    expect(find(state.gateway, 'key file')?.message).toBe('SECRET_KEY_FILE is there')
  })

  test('the upstream is asked when an owner asks for it', async () => {
    const { upstream } = gateway
    upstream.listing = () => Response.json({ data: [] })
    const { accountId } = (await gateway.gateway.store.read.channel(other.channelId)) ?? {}
    const asked = () => upstream.received.filter(({ path }) => path.includes(`${accountId}/subscribed_apps`)).length
    expect(find((await read(other.workspaceId, otherOwner)).channels, 'upstream')).toBeUndefined()
    expect(asked()).toBe(0)
    expect(find(await check(other.workspaceId, otherOwner), 'upstream')?.message).toContain(other.channelId)
    expect(asked()).toBe(1)
  })
})

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  test('200: the server; its files and backups are not the gateway’s', async () => {
    const server = await startPostgres(unsynced)
    const onServer = await startTestGateway({ env: { DATABASE_URL: await server.createDatabase() } })
    try {
      const person = await addPerson(onServer, 'owner')
      const state = (await person.call(`/api/v1/workspaces/${onServer.workspaceId}/gateway`)).json
      expect(state).toMatchObject({ engine: 'postgresql', database: null, backups: null })
      const found: Finding[] = state.gateway
      expect(found.map(({ name, ok }) => [name, ok])).toEqual([
        ['settings', true],
        ['API version', true],
        ['data folder', true],
        ['key file', true],
        ['database', true],
        ['backups', true],
        ['clock', true],
        ['promises', true],
        ['upgrade', true],
      ])
      expect(find(found, 'database')?.message).toMatch(/^PostgreSQL [\d.]+.*, DATABASE_URL: a write takes/)
    } finally {
      await onServer.stop()
      await server.remove()
    }
  })
})
