import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectServer, timeServerWrite } from '../../../db/postgres/inspect.ts'
import { MIGRATIONS } from '../../../db/postgres/migrations/list.ts'
import { openPool } from '../../../db/postgres/open.ts'
import { inTransaction, reading } from '../../../db/postgres/transaction.ts'
import { Unavailable } from '../../../src/base/unavailable.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../postgres.ts'

const certificates = join(import.meta.dir, '../../transport/certificates')
const ca = join(certificates, 'ca.pem')

describe.skipIf(!hasPostgres)('a connection to PostgreSQL', () => {
  let folder: string
  let server: PostgresServer
  let url: URL
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-postgres-tls-'))
    const file = (name: string) => {
      const copy = join(folder, name)
      copyFileSync(join(certificates, name), copy)
      chmodSync(copy, 0o600)
      // The server runs as another user then, and takes only a key that others cannot read.
      if (process.getuid?.() === 0) chownSync(copy, idOf('-u'), idOf('-g'))
      return copy
    }
    chmodSync(folder, 0o755)
    server = await startPostgres({
      listen_addresses: 'localhost',
      ssl: 'on',
      ssl_cert_file: file('localhost.pem'),
      ssl_key_file: file('key.pem'),
    })
    url = new URL(await server.createDatabase())
  })
  afterAll(async () => {
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const idOf = (flag: string) => Number(Bun.spawnSync(['id', flag, 'postgres']).stdout.toString())
  const address = (host: string, query: string) => `postgres://waypost@${host}:${url.port}${url.pathname}${query}`

  /** @returns whether the connection is encrypted; the driver's reason when there is none */
  async function connect(text: string): Promise<boolean | string> {
    const pool = openPool(text, 1)
    try {
      const [row] = await pool.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
      return row?.ssl ?? 'no answer'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      await pool.close()
    }
  }

  test('is encrypted as sslmode says', async () => {
    expect(await connect(address('localhost', ''))).toBe(false)
    expect(await connect(address('localhost', '?sslmode=require'))).toBe(true)
    expect(await connect(address('localhost', `?sslmode=verify-full&sslrootcert=${ca}`))).toBe(true)
    expect(await connect(address('127.0.0.1', `?sslmode=verify-ca&sslrootcert=${ca}`))).toBe(true)
  })

  test('is refused when nobody that is believed has signed the certificate, or it has another name', async () => {
    expect(await connect(address('localhost', '?sslmode=verify-full'))).toMatch(/certificate/)
    expect(await connect(address('localhost', '?sslmode=verify-ca'))).toMatch(/certificate/)
    expect(await connect(address('127.0.0.1', `?sslmode=verify-full&sslrootcert=${ca}`))).toMatch(/altnames/)
  })

  test('that is refused is a database that cannot be used at the moment: nothing was stored', async () => {
    const certificate = address('localhost', '?sslmode=verify-full')
    const name = address('127.0.0.1', `?sslmode=verify-full&sslrootcert=${ca}`)
    const database = address('localhost', '').replace(url.pathname, '/absent')
    const port = address('localhost', '').replace(url.port, '1')
    for (const text of [certificate, name, database, port]) {
      const pool = openPool(text, 1)
      const reads = reading(pool, () => pool.query('SELECT 1'))
      const writes = inTransaction(pool, 'serializable', ({ query }) => query('SELECT 1'))
      const outcomes = await Promise.allSettled([reads, writes])
      expect(outcomes.map(outcome => outcome.status === 'rejected' && outcome.reason instanceof Unavailable)).toEqual([
        true,
        true,
      ])
      await pool.close()
    }
  })

  test('is checked, and leads to the named database, whatever the environment says', async () => {
    const { PGDATABASE, PGSSLMODE, NODE_TLS_REJECT_UNAUTHORIZED } = process.env
    Object.assign(process.env, { PGDATABASE: 'template1', PGSSLMODE: 'require', NODE_TLS_REJECT_UNAUTHORIZED: '0' })
    try {
      expect(await connect(address('localhost', '?sslmode=verify-full'))).toMatch(/certificate/)
      expect(await connect(address('localhost', ''))).toBe(false)
      const pool = openPool(address('localhost', ''), 1)
      expect(await pool.query('SELECT current_database() AS name')).toEqual([{ name: url.pathname.slice(1) }])
      await pool.close()
    } finally {
      for (const [name, value] of Object.entries({ PGDATABASE, PGSSLMODE, NODE_TLS_REJECT_UNAUTHORIZED })) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  })

  test('names the file of certificates that cannot be read', () => {
    expect(() => openPool(address('localhost', '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'))).toThrow(
      /^the file of sslrootcert in DATABASE_URL cannot be read: .*\/nowhere\/ca\.pem/,
    )
  })

  test('looks at a server without making anything there', async () => {
    const look = () => inspectServer(address('localhost', ''))
    expect(await look()).toEqual({
      version: expect.stringMatching(/^\d+\./),
      isEmpty: true,
      mismatch: null,
      pending: MIGRATIONS.map(({ name }) => name),
      properties: [],
      instances: [],
      migration: null,
      lockHolders: [],
      starts: 0,
    })
    expect(await timeServerWrite(address('localhost', ''))).toBeGreaterThan(0)
    expect(await look()).toMatchObject({ isEmpty: true })
  })
})
