import { field, isObject, list, text } from '../base/json.ts'
import { Type } from '../base/schema.ts'
import { formFields } from '../message/formFiles.ts'
import {
  editableContents,
  type InboundContents,
  inboundErrorSchema,
  plainContents,
  type ReadMessage,
} from './schemas.ts'
import { shaped } from './shaped.ts'
import { textOf } from './text.ts'

/** @param message as the upstream sends it (docs/upstream.md#inbound-messages) */
export function readMessage(message: unknown): ReadMessage {
  const contents: InboundContents = {}
  for (const [type, schema] of Object.entries(plainContents)) {
    const content = shaped(schema, field(message, type))
    // Null, or a list without anything that can be read.
    if (isObject(content) || list(content).length > 0) Object.assign(contents, { [type]: content })
  }
  const { interactive } = contents
  if (interactive?.nfmReply) interactive.nfmReply.fields = formFields(interactive.nfmReply.responseJson)
  const edit = field(message, 'edit')
  if (isObject(edit)) contents.edit = readEdit(edit)
  const errors = [message, field(message, 'interactive')].flatMap(
    part => shaped(errorsSchema, list(field(part, 'errors')).map(flatError)) ?? [],
  )
  const unsupported = field(message, 'unsupported')
  if (isObject(unsupported) || errors.length > 0)
    contents.unsupported = { type: text(field(unsupported, 'type')), errors }
  return { type: text(field(message, 'type')), body: text(field(field(message, 'text'), 'body')), contents, errors }
}

const errorsSchema = Type.Array(inboundErrorSchema)

const flatError = (error: unknown) =>
  isObject(error) ? { ...error, details: field(field(error, 'error_data'), 'details') } : null

function readEdit(edit: unknown): NonNullable<InboundContents['edit']> {
  const originalMessageId = text(field(edit, 'original_message_id'))
  const message = field(edit, 'message')
  if (!isObject(message)) return { originalMessageId, message: null }
  const now = readMessage(message)
  const type = now.type ?? 'unknown'
  const held = Object.keys(editableContents).includes(type) ? contentOf(type, now.contents) : {}
  return { originalMessageId, message: { type, text: textOf(now) ?? `(${type})`, ...held } }
}

/**
 * Describes a message of a user, or one that was sent in the app, for a person to read.
 * @param message as the upstream sends it
 * @returns null for an unknown kind: its content is shown instead
 */
export const inboundText = (message: unknown): string | null => textOf(readMessage(message))

/** @returns what the message holds by its type, under the name of the type; nothing for a type that is not known */
export function contentOf(type: string, contents: InboundContents): InboundContents {
  const content = field(contents, type)
  return content === undefined ? {} : { [type]: content }
}
