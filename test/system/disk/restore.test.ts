import { Database } from 'bun:sqlite'
import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Deployment, queueMessages, seeded } from '../../cli/waypost.ts'
import { freshFixture } from '../../fixture.ts'
import { canMount, mountSmallDisk } from '../../smallDisk.ts'

const messageCount = 200
const env = { SECRET_KEY: 'any-key-of-enough-length' }

const deployment = freshFixture(() => new Deployment())
let backup: string
beforeEach(async () => {
  backup = deployment.path('backup.db')
  await deployment.withStore(async store => queueMessages(store, await seeded(store), messageCount))
  await deployment.json(['backup', '--to', backup])
})

/** What a restore made of a disk of that size. */
async function restoreOnto(kibibytes: number) {
  const disk = mountSmallDisk(kibibytes)
  try {
    const database = join(disk.folder, 'waypost.db')
    const { code, stderr } = await deployment.run(['restore', '--from', backup], {
      env: { ...env, DATA_DIR: disk.folder },
    })
    return { code, stderr, restored: existsSync(database) ? contentsOf(database) : null }
  } finally {
    disk.remove()
  }
}

function contentsOf(database: string) {
  using client = new Database(database, { readonly: true })
  const [[verdict] = []] = client.query('PRAGMA integrity_check').values()
  const [[count] = []] = client.query("SELECT count(*) FROM messages WHERE status = 'UNKNOWN'").values()
  return { verdict, count }
}

describe.skipIf(!canMount)('a restore onto a disk with little room', () => {
  test('restores all of it or nothing, and says which', async () => {
    const least = Math.ceil(statSync(backup).size / 1024)
    const sizes = Array.from({ length: 24 }, (_, step) => least + 16 * step)
    const codes = new Set<number>()
    // A few at a time: each is a process.
    while (sizes.length > 0) {
      for (const { code, stderr, restored } of await Promise.all(sizes.splice(0, 4).map(restoreOnto))) {
        codes.add(code)
        expect(restored).toEqual(code === 0 ? { verdict: 'ok', count: messageCount } : null)
        expect(stderr).not.toContain('    at ')
        expect(stderr === '').toBe(code === 0)
      }
    }
    expect(codes).toEqual(new Set([0, 1]))
  })
})
