import { charCount } from '../../base/chars.ts'
import { isObject, isText, type JsonObject } from '../../base/json.ts'
import { opaqueCharsMax, userIdPattern } from '../../base/upstreamLimits.ts'
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
  'category',
  'ttl_seconds',
  'direct_send_config',
  ...contentTypes,
])

/** The frame of every message: product, type, addressee, context, opaque data. Types before values. */
export function checkFrame(body: JsonObject): Refusal | undefined {
  for (const key of Object.keys(body)) if (!topLevelKeys.has(key)) return PROBLEMS.unexpectedKey('$', key)
  for (const key of ['messaging_product', 'recipient_type', 'to', 'recipient', 'type', 'biz_opaque_callback_data'])
    if (body[key] !== undefined && !isText(body[key])) return PROBLEMS.wrongType(key, 'a string')
  const { context } = body
  if (context !== undefined && !isObject(context)) return PROBLEMS.notAnObject('context')
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
  if (context !== undefined && type === 'reaction') return PROBLEMS.reactionWithContext()
  if (context !== undefined && !isWamid(context.message_id))
    return PROBLEMS.invalid("context['message_id'] is not a valid message id")
  return undefined
}

export const isWamid = (value: unknown): boolean => isText(value) && value.startsWith('wamid.')

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
