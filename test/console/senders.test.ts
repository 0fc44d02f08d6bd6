import { expect, test } from 'bun:test'
import type { Batch } from '../../db/contract/batches.ts'
import { newId } from '../../src/base/ids.ts'
import { sendersNamed } from '../../src/console/messages/senders.ts'
import { keyOfItem } from '../../src/message/batches.ts'

const [spring, foreign, gone] = [newId('batch'), newId('batch'), newId('batch')]
const batches = new Map([
  [spring, { id: spring, workspaceId: 'ws_1', name: 'Spring' }],
  [foreign, { id: foreign, workspaceId: 'ws_2', name: 'Foreign' }],
])

test('what a campaign of the console sent is named by it; one of a key by the key; all else by who sent it', async () => {
  const read = {
    batch: async (id: string) => (batches.get(id) as Batch | undefined) ?? null,
    authors: async (ids: readonly string[]) => new Map(ids.map(id => [id, { userId: 'user_1', name: 'Ada' }])),
  }
  const item = (batchId: string, attempt = 1) => keyOfItem(batchId, { number: 7, attempt })
  const keys = [item(spring), item(spring, 2), item(foreign), item(gone), 'batch_7/order', null]
  const messages = keys.map((idempotencyKey, at) => ({ id: `msg_${at}`, apiKeyId: null, idempotencyKey }))
  const byKey = { id: 'msg_key', apiKeyId: 'pk_1', idempotencyKey: item(spring) }
  const senderOf = await sendersNamed(read, 'ws_1', [...messages, byKey])
  const labels = new Map([['pk_1', 'Shop backend']])
  expect(messages.map(message => senderOf(message, labels).name)).toEqual([
    'Spring',
    'Spring',
    'Ada',
    'Ada',
    'Ada',
    'Ada',
  ])
  expect(senderOf(messages[0] ?? byKey, labels)).toEqual({ kind: 'campaign', id: spring, name: 'Spring' })
  expect(senderOf(byKey, labels)).toEqual({ kind: 'key', id: 'pk_1', name: 'Shop backend' })
})
