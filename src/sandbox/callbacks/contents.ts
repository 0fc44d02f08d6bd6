import { dayMs, secondMs } from '../../base/durations.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Refusal } from '../checks/refusals.ts'
import { exampleFiles } from '../state/exampleFiles.ts'
import type { MediaFile } from '../state/media.ts'
import { onlyDigits } from '../state/phone.ts'
import { pairOf } from '../state/random.ts'
import type { SandboxState } from '../state/sandboxState.ts'
import { fileKinds, type InboundInput } from './inboundInput.ts'
import type { SandboxLine } from './statuses.ts'

/** @param file that of a message that has one. @returns what the message holds, by its kind */
export function inboundContent(
  state: SandboxState,
  line: SandboxLine,
  input: InboundInput,
  waId: string,
  file: MediaFile | null,
): JsonObject {
  const { kind } = input
  const title = input.title ?? 'More like this'
  const id = input.id ?? 'choice-1'
  switch (kind) {
    case 'text':
      return { type: 'text', text: { body: input.text ?? 'Hello' } }
    case 'button':
      return { type: 'button', button: { payload: input.payload ?? title, text: title } }
    case 'button_reply':
      // What was sent directly is a template by now.
      if (quoted(state, line, input, waId)?.templateId !== undefined)
        return { type: 'button', button: { payload: id, text: title } }
      return { type: 'interactive', interactive: { type: kind, button_reply: { id, title } } }
    case 'list_reply':
      return {
        type: 'interactive',
        interactive: { type: kind, list_reply: { id, title, description: input.text ?? '' } },
      }
    case 'location':
      return {
        type: kind,
        location: {
          latitude: 52.52,
          longitude: 13.4,
          name: 'Berlin',
          address: 'Alexanderplatz 1, 10178 Berlin',
          url: 'https://maps.example/berlin',
        },
      }
    case 'contacts':
      return {
        type: kind,
        contacts: [
          {
            name: { formatted_name: 'Ada Example', first_name: 'Ada', last_name: 'Example' },
            phones: [{ phone: `+${waId}`, wa_id: waId, type: 'CELL' }],
            emails: [{ email: 'ada@shop.example', type: 'WORK' }],
            addresses: [{ street: 'Alexanderplatz 1', city: 'Berlin', zip: '10178', country_code: 'de', type: 'WORK' }],
            urls: [{ url: 'https://shop.example', type: 'WORK' }],
            org: { company: 'Shop', title: 'Gardener' },
            birthday: '1990-05-17',
          },
        ],
      }
    case 'contact_request':
      return {
        type: 'contacts',
        contacts: [{ origin: kind, phones: [{ phone: `+${waId}`, wa_id: waId, type: 'MOBILE' }] }],
      }
    case 'reaction':
      return {
        type: kind,
        reaction: {
          message_id: input.contextId ?? state.statuses.lastTo(line.id, waId)?.wamid ?? '',
          emoji: input.emoji ?? '😀',
        },
      }
    case 'order':
      return {
        type: kind,
        order: {
          catalog_id: '1',
          text: input.text ?? '',
          product_items: [{ product_retailer_id: 'SKU', quantity: 1, item_price: 5, currency: 'EUR' }],
        },
      }
    case 'system':
      return {
        type: kind,
        system: {
          body: 'User changed number',
          wa_id: onlyDigits(input.newNumber ?? input.from),
          type: 'user_changed_number',
        },
      }
    case 'unsupported':
      return {
        type: kind,
        errors: [{ code: 131051, title: 'Message type unknown', error_data: { details: 'Not supported.' } }],
        unsupported: { type: 'poll' },
      }
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return { type: kind, ...(file && { [kind]: described(file, input) }) }
    case 'call_permission_reply':
      return {
        type: 'interactive',
        interactive: {
          type: kind,
          call_permission_reply: {
            response: 'accept',
            is_permanent: false,
            expiration_timestamp: Math.floor(state.clock.now() / 1_000) + callsAllowedSeconds,
            response_source: 'user_action',
          },
        },
      }
    case 'address': {
      const json = JSON.stringify({ values: input.data ?? { name: 'Ada', city: 'Berlin', in_pin_code: '10178' } })
      const reply = { name: 'address_message', body: 'Alexanderplatz 1, Berlin', response_json: json }
      return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: reply } }
    }
    case 'edit': {
      const message = { type: 'text', text: { body: input.text ?? 'Hello again' } }
      return { type: kind, edit: { original_message_id: lastOf(state, line, input, waId), message } }
    }
    case 'revoke':
      return { type: kind, revoke: { original_message_id: lastOf(state, line, input, waId) } }
    default:
      return flowReply(state, line, input, waId, file)
  }
}

/** A user allows calls for a week. */
const callsAllowedSeconds = (7 * dayMs) / secondMs

/** What a callback says of a file: its hash in base64, where a lookup has it in hexadecimal. */
function described({ id, mimeType, sha256 }: MediaFile, { kind, text, file }: InboundInput): JsonObject {
  return {
    id,
    // As the app records it.
    mime_type: mimeType === 'audio/ogg' ? 'audio/ogg; codecs=opus' : mimeType,
    sha256: Buffer.from(sha256, 'hex').toString('base64'),
    ...(text !== undefined && { caption: text }),
    ...(kind === 'document' && { filename: file?.name ?? 'file.pdf' }),
    ...(kind === 'audio' && { voice: true }),
    ...(kind === 'sticker' && { animated: false }),
  }
}

/** @returns the message of the user that is changed or deleted: the one named, else the last that the user wrote */
const lastOf = (state: SandboxState, line: SandboxLine, { contextId }: InboundInput, waId: string) =>
  contextId ?? state.windows.get(pairOf(line.id, waId))?.wamid ?? ''

/** @returns the message that a user answers: the one named, else the last one */
const quoted = ({ statuses }: SandboxState, line: SandboxLine, { contextId }: InboundInput, waId: string) =>
  contextId === undefined ? statuses.lastTo(line.id, waId) : statuses.find(contextId)

/** JSON text inside JSON; a receiver has to survive every form of it. */
function flowReply(
  state: SandboxState,
  line: SandboxLine,
  input: InboundInput,
  waId: string,
  file: MediaFile | null,
): JsonObject {
  const token = input.flowToken ?? quoted(state, line, input, waId)?.flowToken ?? 'unused'
  const name = input.file?.name ?? 'IMG_5237.jpg'
  const sent = file && { photo_picker: [{ file_name: name, ...described(file, { ...input, kind: 'image' }) }] }
  const data = { ...(input.data ?? { field: 'v' }), ...sent }
  const texts: Readonly<Record<string, string>> = {
    nfm_reply_without_token: JSON.stringify(data),
    nfm_reply_not_an_object: '["flow_token"]',
    nfm_reply_not_json: '{"flow_token":',
  }
  const responseJson = texts[input.kind] ?? JSON.stringify({ flow_token: token, ...data })
  const reply = { name: 'flow', body: 'Sent', response_json: responseJson }
  return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: reply } }
}

/**
 * Stores the file that a user sends, under an id that can be looked up.
 * @returns null for a message without a file; a refusal of one that the platform would not take
 */
export function storedFile(
  state: SandboxState,
  line: SandboxLine,
  { kind, file }: InboundInput,
): { readonly file: MediaFile } | { readonly refusal: Refusal } | null {
  const isForm = kind === 'nfm_reply' && file !== undefined
  const sample = isForm || fileKinds.some(each => each === kind) ? exampleFiles[isForm ? 'image' : kind] : undefined
  if (!sample) return null
  const given = file?.base64 === undefined ? sample.bytes : new Uint8Array(Buffer.from(file.base64, 'base64'))
  const bytes = new Uint8Array(Math.max(given.length, file?.size ?? 0))
  bytes.set(given)
  const mimeType = file?.mimeType ?? sample.mimeType
  return state.media.upload({ mimeType, bytes, lineId: line.id, now: state.clock.now(), origin: 'inbound' })
}
