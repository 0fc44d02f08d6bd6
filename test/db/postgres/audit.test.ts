import { beforeEach, describe, expect, test } from 'bun:test'
import { engineOf } from '../../../db/postgres/engine.ts'
import { inTransaction } from '../../../db/postgres/transaction.ts'
import { auditReads, keepAudit } from '../../../db/rules/audit.ts'
import { hasPostgres } from '../../postgres.ts'
import { t0 } from '../fixtures.ts'
import { type PostgresDatabase, postgresDatabase } from './database.ts'

const authorship = (at = t0) => ({ actor: 'cli:ada', at })
const workspace = (id: string) => ({ id, name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
const action = (n: number) =>
  ({ action: 'message.send-again', subject: `user_${n}`, authorship: authorship(t0 + n) }) as const

describe.skipIf(!hasPostgres)('the audit on PostgreSQL', () => {
  const database = postgresDatabase()
  let verbs: PostgresDatabase['verbs']
  beforeEach(() => {
    verbs = database().verbs
  })
  const entries = () => auditReads(engineOf(database().pool)).auditEntries({ limit: 100 })
  const kept = async () => (await entries()).map(entry => `${entry.action} ${entry.subject} ${entry.workspaceId}`)

  test('of verbs that run in groups, each call has its own entry', async () => {
    const given = ['ws_1', 'ws_2', 'ws_3'].map((id, n) => ({
      ...workspace(id),
      ...(n !== 1 && { authorship: authorship() }),
    }))
    await inTransaction(database().pool, 'read committed', connection =>
      keepAudit(engineOf(connection), 'createWorkspace', given, given),
    )
    expect(await kept()).toEqual(['workspace.create ws_3 ws_3', 'workspace.create ws_1 ws_1'])
  })

  test('the oldest go by age and beyond the count, however many numbers were lost', async () => {
    for (let n = 0; n < 10; n += 1) {
      await verbs.noteAction(action(n))
      await database().pool.query(`SELECT nextval('audit_entries_id_seq')`)
    }
    const subjects = async () => (await entries()).map(({ subject }) => Number(subject.slice('user_'.length)))
    expect(await verbs.pruneAudit({ recordedBefore: t0 + 3, keep: 100, limit: 2 })).toBe(2)
    expect(await verbs.pruneAudit({ recordedBefore: t0 + 3, keep: 100, limit: 2 })).toBe(1)
    expect(await subjects()).toEqual([9, 8, 7, 6, 5, 4, 3])
    expect(await verbs.pruneAudit({ recordedBefore: t0, keep: 4, limit: 2 })).toBe(2)
    expect(await verbs.pruneAudit({ recordedBefore: t0, keep: 4, limit: 2 })).toBe(1)
    expect(await subjects()).toEqual([9, 8, 7, 6])
  })
})
