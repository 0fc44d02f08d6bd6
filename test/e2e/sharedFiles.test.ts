import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeWorkspace } from '../../src/operations/erasure.ts'
import type { Gateway } from '../../src/serve.ts'
import { startBareGateway, startTestGateway, type Tenant, type TestGateway } from '../gateway.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../postgres.ts'
import { hungAfterMs } from '../timeLimit.ts'

const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13])

describe.skipIf(!hasPostgres)('files of two instances on one database, without a bucket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-files-'))
  let server: PostgresServer
  let first: TestGateway
  let second: Gateway
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    const databaseUrl = await server.createDatabase()
    first = await startTestGateway({ env: { DATABASE_URL: databaseUrl } })
    copyFileSync(join(first.dataDir, 'secret.key'), join(folder, 'secret.key'))
    const env = { DATA_DIR: folder, CHANNEL_API_URL: first.upstream.url, DATABASE_URL: databaseUrl }
    second = await startBareGateway(env)
  }, hungAfterMs)
  afterAll(async () => {
    await second.stop()
    await first.stop()
    await server.remove()
    rmSync(folder, { recursive: true })
  })

  async function upload(url: string, key: Tenant['key']): Promise<string> {
    const body = new FormData()
    body.set('file', new File([picture], 'order.png', { type: 'image/png' }))
    const headers = { apikey: key.apiKey, apisecret: key.apiSecret }
    const answer = await fetch(`${url}/api/v1/public/media`, { method: 'POST', headers, body })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as { data: { id: string } }).data.id
  }
  const filesOf = (dataDir: string) => readdirSync(join(dataDir, 'media')).toSorted()

  test('what one instance erases goes on the machine of the other too, which leads nothing; the rest stays there', async () => {
    const removed = await first.addWorkspace()
    const erased = await upload(second.url, removed.key)
    const kept = await upload(second.url, first.key)
    const here = await upload(first.url, removed.key)
    const writing = `${kept}.0b1e.partial`
    writeFileSync(join(folder, 'media', writing), 'half')
    writeFileSync(join(folder, 'media', 'notes.txt'), 'mine')
    const { store, jobs } = first.gateway
    await removeWorkspace(store, removed.workspaceId, () => {})
    for (const job of ['erase', 'keep-files']) await jobs.trigger(job)
    expect(filesOf(first.dataDir)).not.toContain(here)
    expect(filesOf(folder)).toContain(erased)
    await second.jobs.trigger('sweep-files')
    expect(filesOf(folder)).toEqual([kept, writing, 'notes.txt'].toSorted())
  })
})
