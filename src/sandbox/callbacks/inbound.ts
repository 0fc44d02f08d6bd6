import { closed, type Static, Type } from '../../schema.ts'
import type { JsonObject } from '../../text/json.ts'
import { exampleFiles } from '../state/exampleFiles.ts'
import { digitsOf } from '../state/phone.ts'
import { newNumericId, newWamid, pairOf, userIdOf } from '../state/random.ts'
import type { SandboxState } from '../state/sandboxState.ts'
import type { Update } from './envelope.ts'
import { type Line, metadataOf } from './statuses.ts'

const textMax = 4_096
const short = Type.String({ maxLength: 1_024 })

/** Kinds of inbound messages; `nfm_*` are replies to a flow, three of them broken in their own way. */
const inboundKinds = [
  'text',
  'button',
  'button_reply',
  'list_reply',
  'nfm_reply',
  'nfm_reply_without_token',
  'nfm_reply_not_an_object',
  'nfm_reply_not_json',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'order',
  'system',
  'unsupported',
] as const

/** Digits, with or without `+`. */
const userNumber = Type.String({ pattern: '^\\+?\\d{7,15}$' })

/** What a user writes. Without a line the first one; without `contextId` the youngest message to this user. */
export const inboundInput = closed({
  kind: Type.Enum([...inboundKinds]),
  from: userNumber,
  name: Type.Optional(short),
  line: Type.Optional(Type.String({ pattern: '^\\d{1,32}$' })),
  text: Type.Optional(Type.String({ maxLength: textMax })),
  /** Of a tapped button or a chosen row. */
  id: Type.Optional(short),
  title: Type.Optional(short),
  payload: Type.Optional(short),
  /** Of a flow's reply: its fields, and the token if not the one that was sent. */
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  flowToken: Type.Optional(short),
  contextId: Type.Optional(short),
  /** Of `system`: the number that the user has from now on; else the change names the same one. */
  newNumber: Type.Optional(userNumber),
  /** Leaves out `from` and `wa_id`, as for users with a username. */
  withoutNumber: Type.Optional(Type.Boolean()),
})
export type InboundInput = Readonly<Static<typeof inboundInput>>

/** Builds the callback of one inbound message and opens the user's window. */
export function inboundUpdate(state: SandboxState, line: Line, input: InboundInput): { wamid: string; update: Update } {
  const waId = digitsOf(input.from)
  const now = state.clock.now()
  state.windows.touch(pairOf(line.id, waId), now)
  const wamid = newWamid(state.random, waId, 'in')
  const showsUser = state.settings.callbacks.userIds || input.withoutNumber === true
  const from = {
    ...(!input.withoutNumber && { from: waId }),
    ...(showsUser && { from_user_id: userIdOf(waId) }),
  }
  const contact = {
    profile: { name: input.name ?? 'Sandbox User' },
    ...(!input.withoutNumber && { wa_id: waId }),
    ...(showsUser && { user_id: userIdOf(waId) }),
  }
  const contextId = input.contextId ?? (isAnswer(input.kind) ? state.statuses.lastTo(line.id, waId)?.wamid : undefined)
  const context = { from: digitsOf(line.number), id: contextId }
  const message = {
    ...(contextId !== undefined && { context }),
    ...from,
    id: wamid,
    timestamp: String(Math.floor(now / 1_000) + state.settings.callbacks.timestampShiftS),
    ...contentOf(state, line, input, waId),
  }
  const value = {
    messaging_product: 'whatsapp',
    metadata: metadataOf(line),
    ...(input.kind !== 'system' && { contacts: [contact] }),
    messages: [message],
  }
  return { wamid, update: { field: 'messages', lineId: line.id, value } }
}

/** A tap or a reply quotes the message it answers. */
const isAnswer = (kind: string): boolean => kind.startsWith('nfm_reply') || kind.endsWith('_reply') || kind === 'button'

function contentOf(state: SandboxState, line: Line, input: InboundInput, waId: string): JsonObject {
  const { kind } = input
  const title = input.title ?? 'More like this'
  const id = input.id ?? 'choice-1'
  switch (kind) {
    case 'text':
      return { type: 'text', text: { body: input.text ?? 'Hello' } }
    case 'button':
      return { type: 'button', button: { payload: input.payload ?? title, text: title } }
    case 'button_reply':
      return { type: 'interactive', interactive: { type: kind, button_reply: { id, title } } }
    case 'list_reply':
      return {
        type: 'interactive',
        interactive: { type: kind, list_reply: { id, title, description: input.text ?? '' } },
      }
    case 'location':
      return { type: kind, location: { latitude: 52.52, longitude: 13.4, name: 'Berlin' } }
    case 'contacts':
      return {
        type: kind,
        contacts: [{ name: { formatted_name: 'Ada', first_name: 'Ada' }, phones: [{ phone: waId }] }],
      }
    case 'reaction':
      return { type: kind, reaction: { message_id: state.statuses.lastTo(line.id, waId)?.wamid ?? '', emoji: '😀' } }
    case 'order':
      return {
        type: kind,
        order: {
          catalog_id: '1',
          text: '',
          product_items: [{ product_retailer_id: 'SKU', quantity: 1, item_price: 5 }],
        },
      }
    case 'system':
      return {
        type: kind,
        system: {
          body: 'User changed number',
          wa_id: digitsOf(input.newNumber ?? input.from),
          type: 'user_changed_number',
        },
      }
    case 'unsupported':
      return {
        type: kind,
        errors: [{ code: 131051, title: 'Message type unknown', error_data: { details: 'Not supported.' } }],
      }
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return { type: kind, [kind]: fileOf(state, line, kind, input.text) }
    default:
      return flowReply(state, line, input, waId)
  }
}

function fileOf(state: SandboxState, line: Line, kind: string, caption: string | undefined): JsonObject {
  const sample = exampleFiles[kind]
  const stored = sample && state.media.upload({ ...sample, lineId: line.id, now: state.clock.now(), origin: 'inbound' })
  if (!stored || !('file' in stored)) return { id: newNumericId(state.random) }
  const { file } = stored
  return {
    id: file.id,
    mime_type: file.mimeType,
    sha256: file.sha256,
    ...(caption !== undefined && { caption }),
    ...(kind === 'document' && { filename: 'file.pdf' }),
    ...(kind === 'audio' && { voice: true }),
  }
}

/** JSON text inside JSON; a receiver has to survive every form of it. */
function flowReply(state: SandboxState, line: Line, input: InboundInput, waId: string): JsonObject {
  const { statuses } = state
  const opened = input.contextId === undefined ? statuses.lastTo(line.id, waId) : statuses.find(input.contextId)
  const token = input.flowToken ?? opened?.flowToken ?? 'unused'
  const data = input.data ?? { field: 'v' }
  const texts: Readonly<Record<string, string>> = {
    nfm_reply_without_token: JSON.stringify(data),
    nfm_reply_not_an_object: '["flow_token"]',
    nfm_reply_not_json: '{"flow_token":',
  }
  const responseJson = texts[input.kind] ?? JSON.stringify({ flow_token: token, ...data })
  const reply = { name: 'flow', body: 'Sent', response_json: responseJson }
  return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: reply } }
}
