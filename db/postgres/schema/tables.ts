import { dialect } from '../../schema/postgres.ts'
import { tablesOf } from '../../schema/tables.ts'

/** The tables that every engine has. */
export const tables = tablesOf(dialect)
