import { field, isObject, list, parseObject, text } from '../text/json.ts'

const mediaKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const

/**
 * Describes a message of a user, or one that was sent in the app, for a person to read.
 * @param message as the upstream sends it (docs/upstream.md#inbound-messages)
 * @returns null for an unknown kind: its content is shown instead
 */
export function inboundText(message: unknown): string | null {
  const interactive = field(message, 'interactive')
  const said =
    text(field(field(message, 'text'), 'body')) ??
    text(field(field(message, 'button'), 'text')) ??
    answerText(interactive) ??
    mediaText(message) ??
    placeText(field(message, 'location')) ??
    cardsText(list(field(message, 'contacts'))) ??
    reactionText(field(message, 'reaction')) ??
    orderText(field(message, 'order')) ??
    text(field(field(message, 'system'), 'body')) ??
    changeText(message)
  // An error may stand beside an answer that can be read.
  const error = errorText([...list(field(message, 'errors')), ...list(field(interactive, 'errors'))])
  const unreadable = error ?? (said === null ? unsupportedText(field(message, 'unsupported')) : null)
  return said !== null && unreadable !== null ? `${said} ${unreadable}` : (said ?? unreadable)
}

function answerText(interactive: unknown): string | null {
  const title = text(field(field(interactive, 'button_reply'), 'title'))
  if (title !== null) return title
  const row = field(interactive, 'list_reply')
  const rowTitle = text(field(row, 'title'))
  if (rowTitle !== null) return [rowTitle, text(field(row, 'description'))].filter(part => part !== null).join(': ')
  return permissionText(field(interactive, 'call_permission_reply')) ?? formText(field(interactive, 'nfm_reply'))
}

function formText(reply: unknown): string | null {
  const written = text(field(reply, 'response_json'))
  const answers = written === null ? null : parseObject(written)
  if (!answers) return written ?? text(field(reply, 'body'))
  const { flow_token: _token, ...fields } = answers
  return `form: ${Object.entries(fields).map(fieldText).join(', ')}`
}

const fieldText = ([name, value]: readonly [string, unknown]) =>
  `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`

function permissionText(reply: unknown): string | null {
  const response = text(field(reply, 'response'))
  if (response === null) return null
  if (response !== 'accept') return response === 'reject' ? '(calls) refused' : `(calls) ${response}`
  const until = Number(field(reply, 'expiration_timestamp')) * 1_000
  if (field(reply, 'is_permanent') === true) return '(calls) allowed for good'
  return until > 0 && until <= dateMsMax ? `(calls) allowed until ${new Date(until).toISOString()}` : '(calls) allowed'
}

/** The last moment that a date can hold (ECMA-262 21.4.1.1). */
const dateMsMax = 8.64e15

/** A reaction without an emoji takes back the one before. */
const reactionText = (reaction: unknown) => (isObject(reaction) ? (text(reaction.emoji) ?? '(reaction removed)') : null)

/** A message that changes or deletes an earlier one. */
function changeText(message: unknown): string | null {
  const edit = field(message, 'edit')
  if (isObject(edit)) return `(edited) ${inboundText(edit.message) ?? ''}`.trimEnd()
  return isObject(field(message, 'revoke')) ? '(message deleted)' : null
}

function mediaText(message: unknown): string | null {
  // Of a history: the file itself comes by another callback, or not at all.
  if (field(message, 'type') === 'media_placeholder') return '(file)'
  for (const kind of mediaKinds) {
    const file = field(message, kind)
    if (!isObject(file)) continue
    const named = [text(file.filename), text(file.caption)].filter(part => part !== null)
    return [`(${kind})`, ...named].join(' ')
  }
  return null
}

function placeText(location: unknown): string | null {
  if (!isObject(location)) return null
  const named = [text(location.name), text(location.address)].filter(part => part !== null)
  return ['(location)', ...named, `${location.latitude}, ${location.longitude}`].join(' ')
}

function cardsText(contacts: readonly unknown[]): string | null {
  if (contacts.length === 0) return null
  const names = contacts.map(contact => text(field(field(contact, 'name'), 'formatted_name')) ?? '?')
  return `(contact) ${names.join(', ')}`
}

function orderText(order: unknown): string | null {
  if (!isObject(order)) return null
  const items = list(order.product_items).map(
    item => `${field(item, 'quantity') ?? '?'} × ${text(field(item, 'product_retailer_id')) ?? '?'}`,
  )
  return ['(order)', items.join(', '), text(order.text)].filter(part => part !== null && part !== '').join(' ')
}

function errorText([error]: readonly unknown[]): string | null {
  const details = text(field(field(error, 'error_data'), 'details'))
  const why = text(field(error, 'title')) ?? text(field(error, 'message')) ?? details
  return why === null ? null : `(not readable: ${why})`
}

function unsupportedText(unsupported: unknown): string | null {
  const kind = text(field(unsupported, 'type'))
  return kind === null ? null : `(not readable: ${kind})`
}
