import type { RequestOutcome } from '../contract/apiRequests.ts'
import type { Dialect } from './dialect.ts'

export function apiRequestTables({ define, number, primaryKey, text }: Dialect) {
  /**
   * The last calls of API keys. A row is a block of calls that ended within a second: a row for each call would cost a
   * send two to five times as much (docs/architecture.md#calls-of-api-keys).
   */
  const apiRequests = define(
    'api_requests',
    {
      workspaceId: text('workspace_id').notNull(),
      outcome: text('outcome').$type<RequestOutcome>().notNull(),
      /**
       * Of its last call. Calls of one outcome are counted without a gap, so a range of numbers is a range of calls.
       */
      seq: number('seq').notNull(),
      count: number('count').notNull(),
      /** When its last call was answered. */
      at: number('at').notNull(),
      /**
       * JSON, oldest first: db/contract/apiRequests.ts reads and writes it. The last column: it is long, and often not
       * read.
       */
      calls: text('calls').notNull(),
    },
    table => [primaryKey({ columns: [table.workspaceId, table.outcome, table.seq] })],
  )

  return { apiRequests }
}
