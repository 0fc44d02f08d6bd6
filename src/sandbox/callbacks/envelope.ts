import type { EpochMs } from '../../base/clock.ts'
import type { JsonObject } from '../../base/json.ts'

/** One update: a status, an inbound message, a template event. */
export interface Update {
  readonly field: string
  readonly lineId?: string
  readonly value: JsonObject
}

/**
 * The envelope of a batch. Statuses of one line share a value, everything else has a change of its own, and both
 * kinds an entry of their own: a receiver has to walk every level.
 */
export function callbackEnvelope(
  accountId: string,
  updates: readonly Update[],
  now: EpochMs,
  badEntry = false,
): JsonObject {
  const time = Math.floor(now / 1_000)
  const statuses = new Map<string, { field: string; value: Record<string, unknown>; list: unknown[] }>()
  const others: { field: string; value: JsonObject }[] = []
  for (const { field, lineId, value } of updates) {
    if (field !== 'messages' || !Array.isArray(value.statuses) || value.contacts !== undefined) {
      others.push({ field, value })
      continue
    }
    const shared = statuses.get(lineId ?? '')
    if (shared) shared.list.push(...value.statuses)
    else {
      const list = [...value.statuses]
      statuses.set(lineId ?? '', { field, value: { ...value, statuses: list }, list })
    }
  }
  const entry: unknown[] = []
  if (statuses.size > 0)
    entry.push({
      id: accountId,
      time,
      changes: Array.from(statuses.values(), ({ field, value }) => ({ field, value })),
    })
  if (badEntry) entry.push({ id: accountId, time, changes: [{ field: 'messages', value: { statuses: ['?'] } }, null] })
  if (others.length > 0) entry.push({ id: accountId, time, changes: others })
  return { object: 'whatsapp_business_account', entry }
}
