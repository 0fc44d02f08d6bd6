import { getTableName } from 'drizzle-orm'
import { columns } from '../../db/postgres/rows.ts'

/** What is read with them, and no send is decided by. */
const undecided: readonly string[] = ['id', 'workspaceId', 'label', 'createdAt', 'updatedAt', 'lastUsedAt']

const { authenticationColumns, channelColumns, lineColumns } = columns

/** All that is kept of what decides on a send: a change of each begins a new generation. */
export const keptColumns: readonly (readonly [table: string, column: string])[] = [
  ['workspaces', 'monthly_message_limit'],
  ['workspaces', 'on_opt_out'],
  ['workspaces', 'quiet_hours'],
  ...[authenticationColumns, channelColumns, lineColumns]
    .flatMap(record => Object.entries(record))
    .filter(([field]) => !undecided.includes(field))
    .map(([, { table, name }]) => [getTableName(table), name] as const),
]
