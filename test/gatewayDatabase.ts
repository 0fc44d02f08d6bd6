import { randomBytes } from 'node:crypto'
import { SQL } from 'bun'

/** Set by `bun test/onPostgres.ts`: the server on which each gateway gets a database. Without it they have files. */
const server = process.env.WAYPOST_TEST_POSTGRES

/** Of gateways that are stopped and started again on the same folder. */
const byFolder = new Map<string, string>()

async function administer(statement: string) {
  const client = new SQL({ url: server, max: 1 })
  await client.unsafe(statement)
  await client.close()
}

/**
 * @param folder of the gateway's data; one on the same folder gets the same database
 * @returns the settings that name the database: none for a file in the folder
 */
export async function databaseSettings(folder: string): Promise<Record<string, string>> {
  if (server === undefined) return {}
  const known = byFolder.get(folder)
  if (known !== undefined) return { DATABASE_URL: known }
  const url = new URL(server)
  url.pathname = `waypost_${randomBytes(8).toString('hex')}`
  await administer(`CREATE DATABASE ${url.pathname.slice(1)}`)
  byFolder.set(folder, url.href)
  return { DATABASE_URL: url.href }
}

/** Deletes the database of a folder that nobody uses any more. */
export async function dropDatabaseOf(folder: string): Promise<void> {
  const url = byFolder.get(folder)
  if (url === undefined) return
  byFolder.delete(folder)
  await administer(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
}
