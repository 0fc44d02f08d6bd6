import { field, isObject, type JsonObject, parseJson, text } from '../base/json.ts'

/** Where a message of the upstream names another one: what it answers, reacts to, changes or deletes. */
const places = [
  ['context', 'id'],
  ['reaction', 'message_id'],
  ['edit', 'original_message_id'],
  ['revoke', 'original_message_id'],
] as const

/** @returns the message with other ids of those that it names, also within what it was changed to */
export function withIds(content: JsonObject, idOf: (id: string) => string): JsonObject {
  const changed: Record<string, unknown> = { ...content }
  for (const [part, name] of places) {
    const said = changed[part]
    const id = isObject(said) ? text(said[name]) : null
    if (isObject(said) && id !== null) changed[part] = { ...said, [name]: idOf(id) }
  }
  const { edit } = changed
  if (isObject(edit) && isObject(edit.message)) changed.edit = { ...edit, message: withIds(edit.message, idOf) }
  return changed
}

/** @returns the upstream's ids of the messages that a message names */
export function idsIn(content: JsonObject): readonly string[] {
  const ids: string[] = []
  withIds(content, id => {
    ids.push(id)
    return id
  })
  return ids
}

/** @returns the upstream's id of the message that a message changes or deletes; null: it does neither */
export const changedBy = ({ edit, revoke }: JsonObject): string | null =>
  text(field(edit ?? revoke, 'original_message_id'))

/** Before that id in the JSON of a message. What a user writes cannot look like it: its quotes are escaped. */
export const originalMark = '"original_message_id":"'

/** @param part of the JSON of a message, from the mark on to behind the id. @returns as `changedBy` */
export function originalIn(part: string): string | null {
  const id = part.startsWith(originalMark) ? /^"(?:[^"\\]|\\.)*"/.exec(part.slice(originalMark.length - 1)) : null
  return id && text(parseJson(id[0]))
}
