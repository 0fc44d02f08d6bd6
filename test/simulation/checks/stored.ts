import { digestOf } from '../../../src/message/forgotten.ts'
import { tenants } from '../tenants.ts'
import { type Found, mayBeLost } from './found.ts'

/*
 * Counts against rows, items against messages, and what users wrote.
 */

/** What the plan has counted is what is stored, and never more than it allows. */
export function* planIsExact({ rows, uncounted, messages, timeline, history }: Found) {
  for (const [at, { workspaceId }] of tenants.entries()) {
    const months = [
      ...rows<{ used: number }>('SELECT used FROM plan_usage WHERE workspace_id = ?', workspaceId),
      ...uncounted.months.filter(month => month.workspaceId === workspaceId),
    ]
    const used = months.reduce((sum, month) => sum + month.used, 0)
    let most = 0
    let least = 0
    for (const row of messages.values()) {
      if (row.workspaceId !== workspaceId || (row.dueAt !== null && row.releasedAt === null)) continue
      const entries = timeline.get(row.seq) ?? []
      const undone = entries.find(({ kind }) => kind === 'refused' || kind === 'expired')
      const through = entries.find(({ kind }) => ['sent', 'delivered', 'read'].includes(kind))
      // A refusal gives the count back, unless a report has shown by then that it was sent.
      if (!undone) {
        most += 1
        least += 1
      } else if (through && through.recordedAt <= undone.recordedAt) most += 1
    }
    if (used > most || used < least)
      yield `the plan of ${workspaceId} has counted ${used}, and stored are ${least} to ${most}`
    const limit = history.limits[at]
    const isChanged = history.acts.some(({ act }) => act.kind === 'limit' && act.tenant === at)
    if (typeof limit === 'number' && !isChanged && used > limit)
      yield `the plan of ${workspaceId} has ${used} of ${limit}`
  }
}

const open = ['QUEUED', 'SCHEDULED', 'CANCELLED']
const counting = ['SENT', 'DELIVERED', 'READ', 'FAILED', 'UNKNOWN']

/** What is counted by days are the messages that are stored. */
export function* daysAreExact({ rows, uncounted, messages }: Found) {
  const counts = rows<{ name: string; count: number }>(
    `SELECT workspace_id || ' ' || kind AS name, sum(count) AS count FROM daily_counts
     WHERE kind IN ('${counting.join("', '")}') GROUP BY 1`,
  )
  const counted = new Map(counts.map(({ name, count }) => [name, count]))
  for (const { workspaceId, kind, count } of uncounted.days.filter(({ kind }) => counting.includes(kind))) {
    const name = `${workspaceId} ${kind}`
    counted.set(name, (counted.get(name) ?? 0) + count)
  }
  const stored = new Map<string, number>()
  for (const { workspaceId, status } of messages.values()) {
    if (open.includes(status)) continue
    const name = `${workspaceId} ${status}`
    stored.set(name, (stored.get(name) ?? 0) + 1)
  }
  for (const name of new Set([...counted.keys(), ...stored.keys()])) {
    const [one, other] = [counted.get(name) ?? 0, stored.get(name) ?? 0]
    if (one !== other) yield `${name}: ${one} are counted, and ${other} are stored`
  }
}

/** Each item of a batch is one message at most, and one that is said to be sent has it. */
export function* batchesAreWhole({ log, messages, rows }: Found) {
  const items = rows<{ batchId: string; number: number; state: string; messageId: string | null; batchState: string }>(
    `SELECT batch_id AS batchId, number, i.state, message_id AS messageId, b.state AS batchState
     FROM batch_items i JOIN batches b ON b.id = i.batch_id`,
  )
  for (const { name, id, count } of log.batches) {
    const own = items.filter(({ batchId }) => batchId === id)
    if (id !== null && own.length !== count)
      yield `${name}: ${id} was answered, and has ${own.length} of ${count} items`
  }
  for (const { batchId, number, state, messageId, batchState } of items) {
    if (state === 'sent' && (messageId === null || !messages.has(messageId)))
      yield `item ${number} of ${batchId} is sent, and has no message`
    if (batchState === 'done' && ['waiting', 'claimed'].includes(state))
      yield `item ${number} of ${batchId} is ${state}, and its batch is done`
  }
}

/** What a user wrote is stored once, and is told once, however often the platform says it. */
export function* writtenOnce(found: Found) {
  const { rows, log } = found
  const stored = rows<{ wamid: string; workspaceId: string; told: number }>(
    `SELECT channel_message_id AS wamid, workspace_id AS workspaceId, (SELECT count(*) FROM events e
       WHERE e.workspace_id = i.workspace_id AND e.seq = i.seq AND e.type = 'message.received') AS told
     FROM inbound_messages i`,
  )
  for (const { tenant, wamid, at } of log.wrote) {
    if (mayBeLost(found, at)) continue
    const names = [wamid, digestOf(wamid)]
    const own = stored.filter(row => names.includes(row.wamid) && row.workspaceId === tenants[tenant].workspaceId)
    if (own.length !== 1) yield `${wamid} was taken, and is stored ${own.length} times`
  }
  // What comes for a line of another workspace is kept, and told to nobody.
  for (const { wamid, told } of stored)
    if (told !== (wamid.startsWith('wamid.elsewhere') ? 0 : 1)) yield `${wamid} is told ${told} times`
}

/** Each row refers to one that is there. */
export function* whole({ rows }: Found) {
  const orphans = rows<object>('PRAGMA foreign_key_check')
  if (orphans.length > 0) yield `rows refer to none: ${JSON.stringify(orphans.slice(0, 3))}`
}
