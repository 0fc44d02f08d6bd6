import type { Row } from '../schema/tables.ts'

/** A property of the database itself. */
type Property = Row<'properties'>

/** Data that is stored once for the whole database. */
export interface PropertyWrites {
  /** Stores the value unless the property already has one. @returns the value of the property after that. */
  claimProperty(property: Property): Promise<string>
  /** Stores the value in place of the one before. */
  putProperty(property: Property): Promise<void>
}
