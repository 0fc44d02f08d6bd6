import type { Instance } from './instances.ts'
import type { Pool } from './open.ts'
import { inTransaction } from './transaction.ts'

/** Rolls back a transaction. */
class NotKept extends Error {
  override readonly name = 'NotKept'
}

/**
 * Finds out which messages are stored when the answer to a commit was lost: inserting a message again waits for a
 * transaction that may still store it. The insert is rolled back.
 * @returns the ids that are stored. The others never will be, if their instance number was given up before
 *   (`Instance.renew`): this does not wait for a statement that has not reached its insert
 */
export async function storedAmong(pool: Pool, ids: readonly string[]): Promise<Set<string>> {
  const stored = new Set(ids)
  try {
    await inTransaction(pool, 'read committed', async ({ query }) => {
      const inserted = await query<{ id: string }>(
        `INSERT INTO messages (id, workspace_id, line_seq, recipient, type, status, created_at)
         SELECT id, '', 0, '', 'text', 'FAILED', 0 FROM unnest($1::text[]) AS id ORDER BY id COLLATE "C"
         ON CONFLICT (id) DO NOTHING RETURNING id`,
        [ids],
      )
      for (const { id } of inserted) stored.delete(id)
      throw new NotKept()
    })
  } catch (error) {
    if (!(error instanceof NotKept)) throw error
  }
  return stored
}

/**
 * Messages that may be stored as this instance's although nothing in this process has them: the commit that stored or
 * claimed them was not answered, and their callers got an error. A takeover from instances that are gone includes
 * these, or they would wait as long as this instance lives.
 */
export class Orphans {
  readonly #ids = new Set<string>()

  add(ids: Iterable<string>): void {
    for (const id of ids) this.#ids.add(id)
  }

  remove(ids: Iterable<string>): void {
    for (const id of ids) this.#ids.delete(id)
  }

  /** @returns those that are stored, in their order; the others never will be, and are forgotten */
  async stored(pool: Pool, instance: Pick<Instance, 'seq' | 'renew'>): Promise<readonly string[]> {
    if (this.#ids.size === 0) return []
    await instance.renew(instance.seq)
    const asked = [...this.#ids]
    const stored = await storedAmong(pool, asked)
    this.remove(asked.filter(id => !stored.has(id)))
    return [...stored].sort()
  }
}
