import { text } from '../base/json.ts'
import { formFilesIn } from '../message/formFiles.ts'
import { priceOf, totalOf } from './order.ts'
import type { InboundContents, ReadMessage } from './schemas.ts'

const fileTypes = ['image', 'video', 'audio', 'document', 'sticker'] as const

/**
 * Describes what was read of a message for a person.
 * @returns null when nothing of it is known
 */
export function textOf({ type, body, contents, errors }: ReadMessage): string | null {
  const said =
    body ??
    contents.button?.text ??
    answerText(contents.interactive) ??
    fileText(type, contents) ??
    placeText(contents.location) ??
    cardsText(contents.contacts) ??
    reactionText(contents.reaction) ??
    orderText(contents.order) ??
    contents.system?.body ??
    changeText(contents)
  // An error may stand beside an answer that can be read.
  const [error] = errors
  const reason = error?.title ?? error?.message ?? error?.details
  const why = [said === null ? contents.unsupported?.type : null, reason].filter(word => word != null)
  const parts = [said, why.length === 0 ? null : `(not readable: ${why.join(': ')})`].filter(part => part !== null)
  return parts.length === 0 ? null : parts.join(' ')
}

/** @returns the parts that say something */
const joined = (...parts: readonly (string | null)[]) => parts.filter(part => part !== null && part !== '').join(' ')

function answerText(answer: InboundContents['interactive']): string | null {
  if (answer?.buttonReply?.title) return answer.buttonReply.title
  const row = answer?.listReply
  if (row?.title) return row.description === null ? row.title : `${row.title}: ${row.description}`
  return permissionText(answer?.callPermissionReply) ?? formText(answer?.nfmReply)
}

type Answer = NonNullable<InboundContents['interactive']>

function formText(reply: Answer['nfmReply'] | undefined): string | null {
  if (!reply?.fields) return reply?.responseJson ?? reply?.body ?? null
  const { flow_token: _token, ...fields } = reply.fields as Readonly<Record<string, unknown>>
  const answers = Object.entries(fields).map(([name, value]) => `${name} = ${answerOf(value)}`)
  return answers.length === 0 ? '(form)' : `form: ${answers.join(', ')}`
}

/** @returns what was answered in a field of a form, as a person reads it: files by their names */
export function answerOf(value: unknown): string {
  if (typeof value === 'string') return value
  const files = formFilesIn({ value })
  if (files.length === 0) return JSON.stringify(value)
  return files.map(file => text(file.file_name) ?? '(file)').join(', ')
}

function permissionText(reply: Answer['callPermissionReply'] | undefined): string | null {
  if (!reply?.response) return null
  const { response, isPermanent, expirationTimestamp } = reply
  if (response !== 'accept') return response === 'reject' ? '(calls) refused' : `(calls) ${response}`
  if (isPermanent) return '(calls) allowed for good'
  return expirationTimestamp === null ? '(calls) allowed' : `(calls) allowed until ${expirationTimestamp}`
}

/** A reaction without an emoji takes back the one before. */
const reactionText = (reaction: InboundContents['reaction']) => reaction && (reaction.emoji ?? '(reaction removed)')

/** A message that changes or deletes an earlier one. */
function changeText({ edit, revoke }: InboundContents): string | null {
  if (edit) return joined('(edited)', edit.message?.text ?? null)
  return revoke ? '(message deleted)' : null
}

function fileText(type: string | null, contents: InboundContents): string | null {
  // Of a history: the file itself comes by another callback, or not at all.
  if (type === 'media_placeholder') return '(file)'
  for (const name of fileTypes) {
    const file = contents[name]
    if (file) return joined(`(${name})`, file.fileName, file.caption)
  }
  return null
}

function placeText(location: InboundContents['location']): string | null {
  if (!location) return null
  const { name, address, latitude, longitude } = location
  return joined(
    '(location)',
    name,
    address,
    latitude === null || longitude === null ? null : `${latitude}, ${longitude}`,
  )
}

type Card = NonNullable<InboundContents['contacts']>[number]

/** @returns the name of a card: whole, else of its parts */
export function cardName({ name }: Card): string | null {
  if (!name) return null
  const { formattedName, prefix, firstName, middleName, lastName, suffix } = name
  return formattedName ?? (joined(prefix, firstName, middleName, lastName, suffix) || null)
}

const cardText = (card: Card) =>
  joined(cardName(card) ?? '?', card.phones.flatMap(({ phone, waId }) => phone ?? waId ?? []).join(', '))

const cardsText = (cards: InboundContents['contacts']) => cards && `(contact) ${cards.map(cardText).join('; ')}`

function orderText(order: InboundContents['order']): string | null {
  if (!order) return null
  const items = order.productItems.map(item => {
    const price = priceOf(item)
    return joined(`${item.quantity ?? '?'} × ${item.productRetailerId ?? '?'}`, price && `(${price})`)
  })
  const total = totalOf(order.productItems)
  return joined('(order)', [...items, ...(total === null ? [] : [`total ${total}`])].join(', '), order.text)
}
