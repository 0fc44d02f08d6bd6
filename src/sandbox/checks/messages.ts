import { charCount } from '../../base/chars.ts'
import type { EpochMs } from '../../base/clock.ts'
import { isObject, isText, type JsonObject } from '../../base/json.ts'
import { captionCharsMax, opaqueCharsMax, textCharsMax } from '../../base/upstreamLimits.ts'
import { isHttpAddress, type Media } from '../state/media.ts'
import { checkSentInteractive } from './interactive.ts'
import { PROBLEMS } from './problems.ts'
import type { Refusal } from './refusals.ts'

/** The types of content a message may have. */
export const contentTypes = [
  'audio',
  'contacts',
  'document',
  'image',
  'interactive',
  'location',
  'reaction',
  'sticker',
  'template',
  'text',
  'video',
] as const

/** A business-scoped user id, as the upstream documents it. */
const userIdPattern = /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/

/** An opaque id. The upstream documents no pattern, so this one only keeps out phone numbers and blanks. */
const groupIdPattern = /^(?!\+?\d{1,15}$)[\w=-]{1,256}$/

const topLevelKeys = new Set<string>([
  'messaging_product',
  'recipient_type',
  'to',
  'recipient',
  'type',
  'context',
  'biz_opaque_callback_data',
  'status',
  'message_id',
  'typing_indicator',
  ...contentTypes,
])

/** The frame of every message: product, type, addressee, context, opaque data. Types before values. */
export function checkFrame(body: JsonObject): Refusal | undefined {
  for (const key of Object.keys(body)) if (!topLevelKeys.has(key)) return PROBLEMS.unexpectedKey('$', key)
  for (const key of ['messaging_product', 'recipient_type', 'to', 'recipient', 'type', 'biz_opaque_callback_data'])
    if (body[key] !== undefined && !isText(body[key])) return PROBLEMS.wrongType(key, 'a string')
  if (body.context !== undefined && !isObject(body.context)) return PROBLEMS.notAnObject('context')
  if (body.messaging_product === undefined) return PROBLEMS.required('messaging_product')
  if (body.messaging_product !== 'whatsapp') return PROBLEMS.notOneOf('messaging_product', ['WHATSAPP'])
  if (body.to === undefined && body.recipient === undefined) return PROBLEMS.required('to')
  const { recipient_type: addressee = 'individual' } = body
  if (addressee !== 'individual' && addressee !== 'group')
    return PROBLEMS.notOneOf('recipient_type', ['individual', 'group'])
  if (addressee === 'group' && !(isText(body.to) && groupIdPattern.test(body.to)))
    return PROBLEMS.invalid('to is not a valid group id')
  const type = body.type ?? 'text'
  if (!contentTypes.some(known => known === type))
    return PROBLEMS.notOneOf(
      'type',
      contentTypes.map(known => known.toUpperCase()),
    )
  if (isText(type) && body[type] === undefined) return PROBLEMS.required(type)
  if (body.to === undefined && isText(body.recipient) && !userIdPattern.test(body.recipient))
    return PROBLEMS.invalid('recipient is not a valid user id')
  if (isText(body.biz_opaque_callback_data) && charCount(body.biz_opaque_callback_data) > opaqueCharsMax)
    return PROBLEMS.tooLong('biz_opaque_callback_data', opaqueCharsMax)
  if (body.context !== undefined && !(isObject(body.context) && isWamid(body.context.message_id)))
    return PROBLEMS.invalid("context['message_id'] is not a valid message id")
  return undefined
}

const isWamid = (value: unknown): boolean => isText(value) && value.startsWith('wamid.')

/** "Mark as read" goes to the same address as a send, without an addressee. */
export function checkMarkAsRead(body: JsonObject): Refusal | undefined {
  if (body.messaging_product !== 'whatsapp') return PROBLEMS.required('messaging_product')
  if (body.status !== 'read') return PROBLEMS.notOneOf('status', ['READ'])
  if (body.message_id === undefined) return PROBLEMS.required('message_id')
  if (!isWamid(body.message_id)) return PROBLEMS.invalid('message_id is not a valid message id')
  const { typing_indicator: typing } = body
  if (typing !== undefined && !(isObject(typing) && typing.type === 'text'))
    return PROBLEMS.notOneOf("typing_indicator['type']", ['text'])
  return undefined
}

export interface ContentChecks {
  readonly media: Media
  readonly lineId: string
  readonly now: EpochMs
}

/** Checks the content of a free-form message; templates have their own checks. */
export function checkContent(type: string, content: unknown, checks: ContentChecks): Refusal | undefined {
  if (type === 'contacts')
    return Array.isArray(content) && content.length > 0 ? undefined : PROBLEMS.wrongType('contacts', 'an array')
  if (!isObject(content)) return PROBLEMS.notAnObject(type)
  switch (type) {
    case 'text':
      return checkText(content)
    case 'location':
      return checkLocation(content)
    case 'reaction':
      if (!isWamid(content.message_id)) return PROBLEMS.required("reaction['message_id']")
      return isText(content.emoji) ? undefined : PROBLEMS.required("reaction['emoji']")
    case 'interactive':
      return checkSentInteractive(content, (kind, reference) =>
        checks.media.checkReference(kind, reference, checks.lineId, checks.now),
      )
    default:
      return checkFile(type, content, checks)
  }
}

function checkText(content: JsonObject): Refusal | undefined {
  for (const key of Object.keys(content))
    if (key !== 'body' && key !== 'preview_url') return PROBLEMS.unexpectedKey('text', key)
  if (content.body === undefined) return PROBLEMS.required("text['body']")
  if (!isText(content.body)) return PROBLEMS.wrongType("text['body']", 'a string')
  if (content.preview_url !== undefined && typeof content.preview_url !== 'boolean')
    return PROBLEMS.wrongType("text['preview_url']", 'a boolean')
  if (content.body.trim() === '') return PROBLEMS.required("text['body']")
  return charCount(content.body) > textCharsMax ? PROBLEMS.tooLong("text['body']", textCharsMax) : undefined
}

function checkLocation(content: JsonObject): Refusal | undefined {
  for (const key of coordinates) {
    if (content[key] === undefined) return PROBLEMS.required(`location['${key}']`)
    if (!isCoordinate(key, content[key])) return PROBLEMS.invalid(`location['${key}'] is invalid`)
  }
  return undefined
}

const degreesMax = { latitude: 90, longitude: 180 } as const
export const coordinates = ['latitude', 'longitude'] as const

/** Numbers and numeric text are taken alike: the upstream's samples have both. */
export function isCoordinate(key: (typeof coordinates)[number], value: unknown): boolean {
  const degrees = typeof value === 'number' ? value : Number(isText(value) && value !== '' ? value : Number.NaN)
  return Math.abs(degrees) <= degreesMax[key]
}

function checkFile(type: string, content: JsonObject, { media, lineId, now }: ContentChecks): Refusal | undefined {
  const { caption, link } = content
  const takesCaption = type === 'image' || type === 'video' || type === 'document'
  if (caption !== undefined && !takesCaption) return PROBLEMS.unexpectedKey(type, 'caption')
  if (caption !== undefined && !isText(caption)) return PROBLEMS.wrongType(`${type}['caption']`, 'a string')
  if (isText(caption) && charCount(caption) > captionCharsMax)
    return PROBLEMS.tooLong(`${type}['caption']`, captionCharsMax)
  if (link !== undefined && !(isText(link) && isHttpAddress(link))) return PROBLEMS.mediaLink()
  return media.checkReference(type, content, lineId, now)
}
