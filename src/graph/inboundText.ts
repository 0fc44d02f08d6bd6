import { field, isObject, list, parseObject, text } from '../json.ts'

const mediaKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const

/**
 * Describes a message of a user, for a person to read.
 * @param message as the upstream sends it (docs/upstream.md#inbound-messages)
 * @returns null for an unknown kind: its content is shown instead
 */
export function inboundText(message: unknown): string | null {
  return (
    text(field(field(message, 'text'), 'body')) ??
    text(field(field(message, 'button'), 'text')) ??
    answerText(field(message, 'interactive')) ??
    mediaText(message) ??
    placeText(field(message, 'location')) ??
    cardsText(list(field(message, 'contacts'))) ??
    text(field(field(message, 'reaction'), 'emoji')) ??
    orderText(field(message, 'order')) ??
    text(field(field(message, 'system'), 'body')) ??
    errorText(list(field(message, 'errors')))
  )
}

function answerText(interactive: unknown): string | null {
  const title = text(field(field(interactive, 'button_reply'), 'title'))
  if (title !== null) return title
  const row = field(interactive, 'list_reply')
  const rowTitle = text(field(row, 'title'))
  if (rowTitle !== null) return [rowTitle, text(field(row, 'description'))].filter(part => part !== null).join(': ')
  const written = text(field(field(interactive, 'nfm_reply'), 'response_json'))
  const answers = written === null ? null : parseObject(written)
  if (!answers) return written
  const { flow_token: _token, ...fields } = answers
  return `form: ${Object.entries(fields).map(fieldText).join(', ')}`
}

const fieldText = ([name, value]: readonly [string, unknown]) =>
  `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`

function mediaText(message: unknown): string | null {
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
  const title = text(field(error, 'title'))
  return title === null ? null : `(not readable: ${title})`
}
