import { Column as AnyColumn, type Column, getTableName, is } from 'drizzle-orm'
import { PgSelectBase } from 'drizzle-orm/pg-core'
import { SQLiteSelectBase } from 'drizzle-orm/sqlite-core'

/** What Drizzle keeps of a query: tables whose rows are there in each result have `true`. */
interface Query {
  readonly config: { readonly fields: Readonly<Record<string, unknown>> }
  readonly joinsNotNullableMap: Readonly<Record<string, boolean>>
}

/**
 * Drizzle makes null of a selected object of a joined table when its first column is null: all of it is lost. With a
 * first column that is never null of a row, null says that there is no row, and nothing else.
 * @returns the objects whose first column may be null of a row that is there, as `contact: contacts.phone`
 */
export const lossyObjects = ({ config, joinsNotNullableMap }: Query): string[] =>
  Object.entries(config.fields).flatMap(([name, object]) => {
    const fields = Object.values(typeof object === 'object' && object !== null ? object : {})
    const columns = fields.filter((field): field is Column => is(field, AnyColumn))
    const [first] = columns
    if (first === undefined || is(object, AnyColumn)) return []
    const table = getTableName(first.table)
    const isLeftJoined = joinsNotNullableMap[table] === false
    const isOfOne = columns.every(column => getTableName(column.table) === table)
    return isLeftJoined && isOfOne && !first.notNull ? [`${name}: ${table}.${first.name}`] : []
  })

/**
 * Looks at each query that this process prepares from now on.
 * @returns the lossy objects so far
 */
export function watchJoinedSelections(): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { prototype } of [PgSelectBase, SQLiteSelectBase]) {
    const prepare: (...args: unknown[]) => unknown = Reflect.get(prototype, '_prepare')
    Reflect.set(prototype, '_prepare', function (this: Query, ...args: unknown[]) {
      for (const object of lossyObjects(this)) found.add(object)
      return prepare.apply(this, args)
    })
  }
  return found
}
