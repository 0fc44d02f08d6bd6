import { field, isObject, isText, type JsonObject, list, text, timestamp } from '../base/json.ts'
import type { Static, TSchema } from '../base/schema.ts'
import { upstreamNameOf } from '../graph/fieldNames.ts'

/**
 * Reads what the upstream wrote as a schema of schemas.ts says. What is missing, or of another type, is null; a list is
 * empty then, and a flag false. An element of a list that says nothing is left out. Numbers in texts count, and so do
 * texts that came as numbers.
 * @returns null for what is not even an object, or no list
 */
export const shaped = <Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> | null =>
  read(schema as JsonObject, value) as Static<Schema> | null

function read(schema: unknown, value: unknown): unknown {
  // Something or null: the only choice there is.
  const choice = list(field(schema, 'anyOf'))[0]
  if (choice !== undefined) return read(choice, value)
  switch (field(schema, 'type')) {
    case 'string':
      return field(schema, 'format') === 'date-time' ? momentOf(value) : wordOf(value)
    case 'number':
      return numberOf(value)
    case 'boolean':
      return value === true
    case 'array':
      // One that says nothing has three characters there, and a hundred here.
      return list(value)
        .map(element => read(field(schema, 'items'), element))
        .filter(saysSomething)
    default:
      return isObject(value) ? fieldsOf(field(schema, 'properties'), value) : null
  }
}

const saysSomething = (part: unknown): boolean =>
  isObject(part) || Array.isArray(part) ? Object.values(part).some(saysSomething) : part !== null && part !== false

const fieldsOf = (properties: unknown, value: JsonObject) =>
  Object.fromEntries(
    Object.entries(properties as JsonObject).map(([name, schema]) => [
      name,
      read(schema, field(value, upstreamNameOf(name))),
    ]),
  )

const wordOf = (value: unknown) => (typeof value === 'number' ? String(value) : text(value))

function numberOf(value: unknown): number | null {
  const number = isText(value) && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Zero says that there is none. */
const momentOf = (value: unknown) => {
  const at = timestamp(value) ?? 0
  return at === 0 ? null : new Date(at).toISOString()
}
