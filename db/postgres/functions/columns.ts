import { type Column, getTableColumns } from 'drizzle-orm'
import type { eventless } from '../../../src/message/state.ts'
import { eventFields, only, without } from '../../rules/columns.ts'
import { tables } from '../schema/tables.ts'

/*
 * Which columns of a message the functions of a send store. `bun run migration` fills them in where the texts beside
 * this file have a mark, and the program offers the same ones.
 */

const columns = getTableColumns(tables.messages)

/** What their functions are handed a column as. */
export type ColumnType = 'bigint' | 'text'
export const typeOf = ({ dataType }: Column): ColumnType => (dataType === 'number' ? 'bigint' : 'text')

/** What a draft brings, and the function of acceptance stores as it is: all but what it works out by itself. */
export const acceptedColumns = without(
  columns,
  'seq',
  'lineSeq',
  'apiKeySeq',
  'idempotencyKey',
  'status',
  'dispatchedAt',
  'sequence',
  'instanceSeq',
  ...eventFields,
)

/** Whether the end of a send may set it. The rest is reported by callbacks, or said of an answer before the end. */
const isOfEnd = {
  acceptedAt: true,
  reportedSentAt: false,
  deliveredAt: false,
  readAt: false,
  failures: false,
  gaveUpAt: true,
  gaveUpReason: true,
  lostAt: true,
  channelMessageId: true,
  waId: true,
  pricing: false,
  ownIdAt: false,
  dueAt: false,
  releasedAt: false,
  cancelledAt: false,
} satisfies Record<keyof typeof eventless, boolean>

/** What the end of a send may set. */
export const endColumns = only(
  columns,
  eventFields.filter(field => isOfEnd[field]),
)
