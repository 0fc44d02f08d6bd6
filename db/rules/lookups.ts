import type { Column } from 'drizzle-orm'
import type { StoredKey } from '../contract/accounts.ts'
import type { Channel, Contact, Line, Message, MessageStatusView } from '../contract/records.ts'
import type { StoreReads } from '../contract/store.ts'
import type { Columns } from './columns.ts'
import { first } from './engine.ts'

/** How rows are found by one value. In SQL, which is prepared once: sends and polls ask. */
export interface Lookup {
  readonly columns: Readonly<Record<string, Column>>
  readonly from: string
  /** The column that has the value. */
  readonly by: string
  /** What else has to hold, and the order. */
  readonly rest?: string
}

/** @returns asks for the rows of a value; on PostgreSQL, all that is asked in a turn is one statement */
export type Find = <Row extends object>(lookup: Lookup) => (value: string) => Promise<readonly Row[]>

/** What every send is decided by. Small, the same for many requests, and changed hardly ever. */
export type SendReads = Pick<
  StoreReads,
  'key' | 'plan' | 'idempotencyKey' | 'channel' | 'line' | 'lines' | 'optedOut' | 'templatesNamed' | 'spelling'
> & {
  /** With the generation of the settings of its workspace, as of the same moment. */
  keyInGeneration(keyId: string): Promise<KeyInGeneration | null>
}

export type KeyInGeneration = StoredKey & { readonly generation: number }

export function sendLookups(
  find: Find,
  { authenticationColumns, channelColumns, generation, lineColumns }: Columns,
): Pick<SendReads, 'key' | 'keyInGeneration' | 'channel' | 'line' | 'lines'> {
  const isThere = 'AND removed_at IS NULL'
  const key = find<StoredKey>({ columns: authenticationColumns, from: 'api_keys', by: 'id' })
  const keyInGeneration = find<KeyInGeneration>({
    columns: { ...authenticationColumns, generation },
    from: 'api_keys JOIN workspaces ON workspaces.id = api_keys.workspace_id',
    by: 'api_keys.id',
  })
  const channel = find<Channel>({ columns: channelColumns, from: 'channels', by: 'id', rest: isThere })
  const line = find<Line>({ columns: lineColumns, from: 'lines', by: 'id', rest: isThere })
  const lines = find<Line>({ columns: lineColumns, from: 'lines', by: 'workspace_id', rest: `${isThere} ORDER BY id` })
  return {
    key: id => first(key(id)),
    keyInGeneration: id => first(keyInGeneration(id)),
    channel: id => first(channel(id)),
    line: id => first(line(id)),
    lines: async workspaceId => [...(await lines(workspaceId))],
  }
}

/** @param messageTables the tables of `messageColumns`, as the engine joins them */
export function recordLookups(
  find: Find,
  { contactColumns, messageColumns, statusViewColumns }: Columns,
  messageTables: string,
): Pick<StoreReads, 'message' | 'statusView' | 'contact' | 'contactById'> {
  const message = find<Message>({ columns: messageColumns, from: messageTables, by: 'messages.id' })
  const statusView = find<MessageStatusView>({ columns: statusViewColumns, from: messageTables, by: 'messages.id' })
  /** The contact of an id; of one that was merged, the contact that it turned out to be. */
  const contact = find<Contact>({
    columns: contactColumns,
    from: 'contacts AS named JOIN contacts ON contacts.id = coalesce(named.merged_into, named.id)',
    by: 'named.id',
  })
  return {
    message: id => first(message(id)),
    statusView: id => first(statusView(id)),
    async contact({ workspaceId, contactId }) {
      const found = await first(contact(contactId))
      return found?.workspaceId === workspaceId ? found : null
    },
    contactById: id => first(contact(id)),
  }
}

/** @returns makes a row of a raw statement what Drizzle would make of it: some columns are stored in another form */
export function decoderOf<Row extends object>(columns: Lookup['columns']): (row: Row) => Row {
  const encoded = Object.entries(columns).filter(([, { dataType }]) => dataType !== 'string' && dataType !== 'number')
  if (encoded.length === 0) return row => row
  return row => {
    const decoded = encoded.map(([field, column]) => {
      const value: unknown = Reflect.get(row, field)
      return [field, value === null ? null : column.mapFromDriverValue(value)] as const
    })
    return { ...row, ...Object.fromEntries(decoded) }
  }
}
