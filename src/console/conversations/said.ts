import type { InboundEntry } from '../../../db/records.ts'
import { safeName } from '../../http/attachment.ts'
import { nameOf } from '../../http/fileAnswer.ts'
import { readMessage } from '../../inbound/contents.ts'
import type { InboundContents, ReadMessage } from '../../inbound/schemas.ts'
import { textOf } from '../../inbound/text.ts'
import { stateOf, typeOf } from '../../inbound/view.ts'
import { echoKind } from '../../message/echo.ts'
import type { Said } from './schemas.ts'

/** What the browser may show by itself, by the types that the bytes show: no SVG, and nothing that has scripts. */
const shownTypes: Readonly<Record<'image' | 'audio' | 'video', readonly string[]>> = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  audio: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac'],
  video: ['video/mp4', 'video/3gpp'],
}

type Parts = Pick<Said, 'type'> & Partial<Pick<Said, 'text' | 'facts' | 'link' | 'about'>>

/** @returns what a person said, or the business in the app, in the words of its content */
export function saidOf({ kind, content, file }: InboundEntry): Said {
  const state = stateOf(content)
  const type = typeOf(kind.replace(`${echoKind} `, ''))
  const read = readMessage(content)
  const parts = state === 'whole' ? partsOf(type, read) : { type: kindOf(type, read.contents) }
  return {
    ...{ text: null, facts: [], link: null, about: null, ...parts },
    kind: type,
    state,
    media: file && {
      id: file.id,
      state: file.state,
      mimeType: file.mimeType,
      bytes: file.bytes,
      saveAs: safeName(nameOf(file)),
      shownAs: file.state === 'stored' && type !== 'document' ? shownAs(file.mimeType) : null,
    },
  }
}

function shownAs(mimeType: string | null): NonNullable<Said['media']>['shownAs'] {
  const ways = ['image', 'audio', 'video'] as const
  return ways.find(way => shownTypes[way].includes(mimeType ?? '')) ?? null
}

const kinds = ['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'contacts'] as const

/** The type of what is not kept any more, or cannot be read. */
const kindOf = (type: string, { audio }: InboundContents): Said['type'] =>
  audio?.voice ? 'voice' : (kinds.find(known => known === type) ?? 'other')

/** By its type; an unknown one, and one without its content, in the words that all messages have. */
function partsOf(type: string, read: ReadMessage): Parts {
  const { contents, body } = read
  switch (type) {
    case 'text':
      return { type, text: body ?? textOf(read) }
    case 'image':
    case 'video':
    case 'document':
    case 'sticker':
      return { type, text: contents[type]?.caption ?? null }
    case 'audio':
      return { type: contents.audio?.voice ? 'voice' : type }
    case 'reaction':
      return { type, text: contents.reaction?.emoji ?? null, about: contents.reaction?.messageId ?? null }
    case 'edit':
      return { type, text: contents.edit?.message?.text ?? null, about: contents.edit?.originalMessageId ?? null }
    case 'revoke':
      return { type, about: contents.revoke?.originalMessageId ?? null }
    case 'system':
      return { type, text: textOf(read) }
    default:
      return (
        placeParts(contents.location) ??
        cardParts(contents.contacts) ??
        orderParts(contents.order) ??
        answerParts(contents) ?? { type: 'other', text: textOf(read) }
      )
  }
}

const factsOf = (...values: readonly (string | null | undefined)[]) =>
  values.flatMap(value => (value ? [{ name: null, value }] : []))

function placeParts(location: InboundContents['location']): Parts | null {
  if (!location) return null
  const { name, address, latitude, longitude } = location
  if (latitude === null || longitude === null) return { type: 'location', text: name, facts: factsOf(address) }
  const place = `mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  const facts = factsOf(address, `${latitude}, ${longitude}`)
  return { type: 'location', text: name, facts, link: `https://www.openstreetmap.org/?${place}` }
}

const cardParts = (cards: InboundContents['contacts']): Parts | null =>
  cards
    ? {
        type: 'contacts',
        facts: cards.map(({ name, phones, emails }) => ({
          name: name?.formattedName ?? null,
          value: [...phones.map(({ phone }) => phone), ...emails.map(({ email }) => email)].filter(Boolean).join(', '),
        })),
      }
    : null

const orderParts = (order: InboundContents['order']): Parts | null =>
  order
    ? {
        type: 'order',
        text: order.text,
        facts: order.productItems.map(({ quantity, productRetailerId, itemPrice, currency }) => ({
          name: `${quantity ?? '?'} × ${productRetailerId ?? '?'}`,
          value: itemPrice === null ? '' : `${itemPrice} ${currency ?? ''}`.trim(),
        })),
      }
    : null

/** A tap on a button, a row of a list, a form. */
function answerParts({ button, interactive }: InboundContents): Parts | null {
  if (button) return { type: 'button', text: button.text }
  if (interactive?.buttonReply) return { type: 'button', text: interactive.buttonReply.title }
  const row = interactive?.listReply
  if (row) return { type: 'list', text: row.title, facts: factsOf(row.description) }
  const fields = interactive?.nfmReply?.fields
  if (!fields) return null
  const { flow_token: _token, ...answers } = fields as Readonly<Record<string, unknown>>
  const facts = Object.entries(answers).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  return { type: 'form', facts }
}
