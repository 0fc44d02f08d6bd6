import { isObject, type JsonObject, parseObject } from './json.ts'

const withoutNulls = (given: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))

/**
 * A send as the upstream platform reads it, which takes more than it documents, and inboxes send it: a field of the
 * message or of its content that is null is none, and the action of an interactive message may be its JSON as text.
 */
export function takenSend(body: JsonObject): JsonObject {
  const taken = Object.entries(withoutNulls(body)).map(
    ([name, value]) => [name, isObject(value) ? withoutNulls(value) : value] as const,
  )
  const { interactive, ...rest } = Object.fromEntries(taken)
  if (!isObject(interactive)) return { ...rest, ...(interactive !== undefined && { interactive }) }
  const action = typeof interactive.action === 'string' ? parseObject(interactive.action) : null
  return { ...rest, interactive: action === null ? interactive : { ...interactive, action } }
}
