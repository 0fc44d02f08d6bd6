import type { InboundEdit } from '../../db/contract/inbound.ts'
import type { InboundEntry } from '../../db/contract/records.ts'
import { field, isObject, text } from '../base/json.ts'
import { closed, orNull, type Static, Type } from '../base/schema.ts'
import { isOfGroup } from '../message/kinds.ts'
import { readMessage } from './contents.ts'
import { priceOf, totalOf } from './order.ts'
import type { InboundContents, ReadMessage } from './schemas.ts'
import { answerOf, cardName, textOf } from './text.ts'
import { stateOf, typeOf } from './view.ts'

/** What is said, in the words of a page. */
export const saidTypes = [
  ...(['text', 'image', 'video', 'audio', 'voice', 'document', 'sticker', 'location', 'contacts'] as const),
  ...(['button', 'list', 'form', 'order', 'reaction', 'system', 'edit', 'revoke', 'other'] as const),
]
type SaidType = (typeof saidTypes)[number]

/** What a person said, or the business in the app, in the parts that a page shows. */
export const saidSchema = closed({
  type: Type.Enum(saidTypes),
  kind: Type.String({ description: "The upstream platform's word for it." }),
  inGroup: Type.Boolean({ description: 'It was written in a group, which others read too.' }),
  state: Type.Enum(['whole', 'cut', 'dropped'], { description: 'Whether its content is stored.' }),
  text: orNull(Type.String({ description: 'What was written, chosen, or the emoji of a reaction.' })),
  facts: Type.Array(closed({ name: orNull(Type.String()), value: Type.String() })),
  link: orNull(Type.String()),
  about: orNull(
    Type.String({ description: "The platform's id of the message that it changes, deletes or reacts to." }),
  ),
})
type Said = Static<typeof saidSchema>

type Parts = Pick<Said, 'type'> & Partial<Said>

/** @returns of what is not stored any more, only what it was */
export function saidOf({ kind, content }: Pick<InboundEntry, 'kind' | 'content'>): Said {
  const state = stateOf(content)
  const type = typeOf(kind)
  const read = readMessage(content)
  const parts = state === 'whole' ? partsOf(type, read) : { type: typeWithout(type, read.contents) }
  return { text: null, facts: [], link: null, about: null, ...parts, kind: type, inGroup: isOfGroup(kind), state }
}

/** @returns the words that an edit gives to a message; null: it cannot be read */
export function saidAfter({ content }: InboundEdit): string | null {
  const message = field(field(content, 'edit'), 'message')
  return isObject(message) ? saidOf({ kind: text(message.type) ?? 'unknown', content: message }).text : null
}

const typeWithout = (type: string, { audio }: InboundContents): SaidType =>
  audio?.voice ? 'voice' : (saidTypes.find(known => known === type) ?? 'other')

/** By its type; an unknown one, and one without its content, in the words that all messages have. */
function partsOf(type: string, read: ReadMessage): Parts {
  const { contents } = read
  switch (type) {
    case 'text':
    case 'system':
      return { type, text: read.body ?? textOf(read) }
    case 'image':
    case 'video':
    case 'document':
    case 'sticker':
      return { type, text: contents[type]?.caption ?? null }
    case 'audio':
      return { type: typeWithout(type, contents) }
    case 'reaction':
      return { type, text: contents.reaction?.emoji ?? null, about: contents.reaction?.messageId ?? null }
    case 'edit':
      return { type, text: contents.edit?.message?.text ?? null, about: contents.edit?.originalMessageId ?? null }
    case 'revoke':
      return { type, about: contents.revoke?.originalMessageId ?? null }
    default:
      return (
        placeParts(contents.location) ??
        cardParts(contents.contacts) ??
        orderParts(contents.order) ??
        answerParts(contents) ?? { type: 'other', text: textOf(read) }
      )
  }
}

const factsOf = (...values: readonly (string | null)[]) =>
  values.flatMap(value => (value ? [{ name: null, value }] : []))

function placeParts(location: InboundContents['location']): Parts | null {
  if (!location) return null
  const { name, address, latitude, longitude } = location
  if (latitude === null || longitude === null) return { type: 'location', text: name, facts: factsOf(address) }
  const place = `mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  const facts = factsOf(address, `${latitude}, ${longitude}`)
  return { type: 'location', text: name, facts, link: `https://www.openstreetmap.org/?${place}` }
}

function cardParts(cards: InboundContents['contacts']): Parts | null {
  if (!cards) return null
  const facts = cards.map(card => ({
    name: cardName(card),
    value: [...card.phones.map(({ phone, waId }) => phone ?? waId), ...card.emails.map(({ email }) => email)]
      .filter(Boolean)
      .join(', '),
  }))
  return { type: 'contacts', facts }
}

function orderParts(order: InboundContents['order']): Parts | null {
  if (!order) return null
  const items = order.productItems.map(item => ({
    name: `${item.quantity ?? '?'} × ${item.productRetailerId ?? '?'}`,
    value: priceOf(item) ?? '',
  }))
  const total = totalOf(order.productItems)
  return { type: 'order', text: order.text, facts: [...items, ...(total ? [{ name: 'Total', value: total }] : [])] }
}

/** A tap on a button, a row of a list, a form. */
function answerParts({ button, interactive }: InboundContents): Parts | null {
  if (button) return { type: 'button', text: button.text }
  if (interactive?.buttonReply) return { type: 'button', text: interactive.buttonReply.title }
  const row = interactive?.listReply
  if (row) return { type: 'list', text: row.title, facts: factsOf(row.description) }
  const fields = interactive?.nfmReply?.fields
  if (!fields) return null
  const { flow_token: _token, ...answers } = fields as Readonly<Record<string, unknown>>
  const facts = Object.entries(answers).map(([name, value]) => ({ name, value: answerOf(value) }))
  return { type: 'form', facts }
}
