import { derivedId } from '../base/ids.ts'
import { field, isDeeperThan, isObject, isText, type JsonObject, list, parseExactly, text } from '../base/json.ts'
import { groupKind } from './kinds.ts'

/** How many files a user may send with one form (docs/upstream.md#inbound-messages). */
const formFilesMax = 10

/** The upstream's ids of files are digits. One becomes a part of an address. */
export const fileIdPattern = /^\d{1,64}$/

/**
 * Far more than a form has. What is tens of thousands of levels deep takes a second to be written as JSON again, on the
 * thread that sends; a callback bounds its own levels, but not those of JSON inside a text.
 */
const formLevelsMax = 100

/** The upstream's word for the answer to a form. */
export const formName = 'nfm_reply'
/** The kinds of messages that answer a form, also in a group. */
export const formKinds: readonly string[] = [formName, `${groupKind} ${formName}`]

/** @returns the text that a message holds the answers of a form in, JSON inside JSON */
export const formJsonOf = (message: unknown): string | null =>
  text(field(field(field(message, 'interactive'), formName), 'response_json'))

/** @returns the answers of a form; null when they are no object, or nested very deeply */
export function formFields(json: string | null): JsonObject | null {
  const fields = parseExactly(json ?? '')
  return isObject(fields) && !isDeeperThan(fields, formLevelsMax) ? fields : null
}

const isFile = (value: unknown): value is JsonObject =>
  isObject(value) && fileIdPattern.test(String(value.id)) && isText(value.mime_type)

/** @returns the files among the answers, in their order: a field of a form has a list of them */
export const formFilesIn = (fields: JsonObject | null): readonly JsonObject[] =>
  Object.values(fields ?? {})
    .flatMap(list)
    .filter(isFile)
    .slice(0, formFilesMax)

/**
 * @returns our ids of the files that a message may bring with a form. They follow from the message, so that nothing is
 *   stored for them in it, and erasing it finds its files without its content
 */
export const formFileIds = (workspaceId: string, channelMessageId: string): readonly string[] =>
  Array.from({ length: formFilesMax }, (_, at) => derivedId('media', `${workspaceId} ${channelMessageId} ${at}`))

/** @returns the answers, with each file as `change` gives it. @param ids of the message's files, in their order */
export function withFormFiles(
  fields: JsonObject,
  ids: readonly string[],
  change: (file: JsonObject, id: string) => JsonObject,
): JsonObject {
  const files = formFilesIn(fields)
  const changed = (value: unknown) => {
    const id = isObject(value) ? ids[files.indexOf(value)] : undefined
    return isObject(value) && id !== undefined ? change(value, id) : value
  }
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(changed) : value,
  ])
  return Object.fromEntries(entries)
}
