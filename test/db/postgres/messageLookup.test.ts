import { beforeEach, describe, expect, test } from 'bun:test'
import { statusViewOf } from '../../../db/contract/statusView.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import type { Connection } from '../../../db/postgres/open.ts'
import { sendReads } from '../../../db/postgres/sendReads.ts'
import { storeReads } from '../../../db/postgres/store.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { hasPostgres } from '../../postgres.ts'
import { t0, withKey } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { putMessages, seedLine } from './storedMessages.ts'

describe.skipIf(!hasPostgres)('looking up messages on PostgreSQL', () => {
  const database = postgresDatabase()
  let statements: string[]
  let read: Pick<StoreReads, 'message' | 'statusView' | 'idempotencyKey'>

  beforeEach(async () => {
    const { pool } = database()
    await seedLine(database())
    await putMessages(
      pool,
      { id: 'msg_1', idempotency: withKey('k', 'f1', t0 + hourMs, 'pk_1').idempotency },
      { id: 'msg_2', idempotency: withKey('k', 'f2', t0 + hourMs, 'pk_2').idempotency },
    )
    statements = []
    const connection: Connection = {
      ...pool,
      query(text, parameters) {
        statements.push(text)
        return pool.query(text, parameters)
      },
    }
    read = { ...storeReads(connection), ...sendReads(connection) }
  })

  test('one statement answers all that is asked in one turn', async () => {
    const asked = ['msg_1', 'msg_2', 'msg_9', 'msg_1']
    const messages = await Promise.all(asked.map(read.message))
    const views = await Promise.all(asked.map(read.statusView))
    expect(messages.map(message => message?.id)).toEqual(['msg_1', 'msg_2', undefined, 'msg_1'])
    expect(messages[0]).toMatchObject({
      lineId: 'line_1',
      channelId: 'chan_1',
      apiKeyId: null,
      createdAt: t0,
      failures: null,
    })
    expect(views).toEqual(
      messages.map(message => (message ? { ...statusViewOf(message), lineId: message.lineId } : null)),
    )
    expect(statements).toHaveLength(2)
  })

  test('a key of a caller is found in its own scope, with its fingerprint, until it expires', async () => {
    const ask = (scope: string, key: string, at = t0) => read.idempotencyKey({ workspaceId: 'ws_1', scope, key, at })
    const end = t0 + hourMs
    expect(
      await Promise.all([
        ask('pk_1', 'k'),
        ask('pk_2', 'k'),
        ask('pk_3', 'k'),
        ask('pk_1', 'K'),
        ask('pk_1', 'k', end - 1),
        ask('pk_1', 'k', end),
      ]),
    ).toEqual([
      { fingerprint: 'f1', messageId: 'msg_1' },
      { fingerprint: 'f2', messageId: 'msg_2' },
      null,
      null,
      { fingerprint: 'f1', messageId: 'msg_1' },
      null,
    ])
    expect(statements).toHaveLength(1)
  })
})
