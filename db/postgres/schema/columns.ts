import { bigint, customType } from 'drizzle-orm/pg-core'

/** A time in epoch milliseconds, a count or a number of a row: all below 2^53. */
export const number = (name: string) => bigint(name, { mode: 'number' })

/** JSON as text: nothing asks the database to look into it. */
export const jsonText = <Value>(name: string) =>
  customType<{ data: Value; driverData: string }>({
    dataType: () => 'text',
    toDriver: value => JSON.stringify(value),
    fromDriver: text => JSON.parse(text),
  })(name)

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
