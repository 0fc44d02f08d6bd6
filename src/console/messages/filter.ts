import type { MessageStatus } from '../../message/statuses.ts'
import type { Filter } from '../../reading/messages.ts'
import type { ListQuery } from './schemas.ts'

/** Filters with the same name in the address and in the store are passed on as they are. */
export function filterOf(workspaceId: string, query: ListQuery): Filter {
  const { q: _q, older: _older, newer: _newer, limit: _limit, format: _format, ...filters } = query
  const { status, since, until, ...same } = filters
  return {
    ...same,
    workspaceId,
    // The schema takes nothing else.
    status: status?.split(',') as readonly MessageStatus[] | undefined,
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
  }
}
