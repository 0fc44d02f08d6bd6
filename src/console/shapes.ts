import type { EpochMs } from '../base/clock.ts'
import { closed, orNull, type Static, type TObject, type TProperties, Type, wire } from '../base/schema.ts'

export { orNull }

/** A closed object with a name in the API document. */
export const shape = <Fields extends TProperties>(title: string, fields: Fields) => closed(fields, { title })

/** The shape of a body or an answer, as a route takes it. */
export const wired = <Fields extends TProperties>(title: string, fields: Fields) => wire(shape(title, fields))

/** The shape of a query: numbers are read from their text. */
export const wiredQuery = <Fields extends TProperties>(fields: Fields) => wire(closed(fields), 'text')

export const textOrNull = orNull(Type.String())
export const moment = Type.String({ format: 'date-time' })
export const momentOrNull = orNull(moment)

/** How moments are answered. */
export const iso = (at: EpochMs): string => new Date(at).toISOString()
export const isoOrNull = (at: EpochMs | null): string | null => (at === null ? null : iso(at))

/** @returns only the fields that the schema names: no secret of the record gets into an answer by accident */
export function picked<Fields extends TProperties>(
  { properties }: TObject<Fields>,
  record: Static<TObject<Fields>>,
): Static<TObject<Fields>> {
  const values = record as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.keys(properties).map(name => [name, values[name]])) as Static<TObject<Fields>>
}
