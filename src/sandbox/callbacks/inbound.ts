import { isObject, isText, type JsonObject } from '../../base/json.ts'
import { freeEntryMs } from '../../base/upstreamLimits.ts'
import type { MediaFile } from '../state/media.ts'
import { onlyDigits, writtenNumber } from '../state/phone.ts'
import { asUserSees, newWamid, pairOf, userIdOf } from '../state/random.ts'
import type { SandboxState } from '../state/sandboxState.ts'
import { inboundContent } from './contents.ts'
import type { Update } from './envelope.ts'
import type { InboundInput } from './inboundInput.ts'
import { metadataOf, type SandboxLine } from './statuses.ts'

/**
 * Builds the callback of one inbound message and opens the user's window.
 * @param file that of a message that has one
 */
export function inboundUpdate(
  state: SandboxState,
  line: SandboxLine,
  input: InboundInput,
  file: MediaFile | null,
): { wamid: string; update: Update } {
  const waId = writtenNumber(onlyDigits(input.from))
  const now = state.clock.now()
  const wamid = newWamid(state.random, waId, 'in')
  const content = inboundContent(state, line, input, waId, file)
  const pair = pairOf(line.id, waId)
  // What is changed or deleted next is the message, not its change.
  const before = state.windows.get(pair)
  const last = isChange(input.kind) ? (before?.wamid ?? wamid) : wamid
  const freeUntil = input.fromAd ? now + freeEntryMs : (before?.freeUntil ?? 0)
  state.windows.touch(pair, { at: now, wamid: last, freeUntil })
  state.received.set(wamid, { at: now, isReaction: input.kind === 'reaction' })
  if (input.username !== undefined) state.usernames.set(userIdOf(waId), input.username)
  const username = state.usernames.get(userIdOf(waId))
  const showsUser = state.settings.callbacks.userIds || input.withoutNumber === true || username !== undefined
  const from = {
    ...(!input.withoutNumber && { from: waId }),
    ...(showsUser && { from_user_id: userIdOf(waId) }),
  }
  const contact = {
    profile: { name: input.name ?? 'Sandbox User', ...(username !== undefined && { username }) },
    ...(!input.withoutNumber && { wa_id: waId }),
    ...(showsUser && { user_id: userIdOf(waId) }),
  }
  const seen = (id: string) => (state.settings.callbacks.otherIds ? asUserSees(id, waId) : id)
  const contextId = input.contextId ?? (isAnswer(input.kind) ? state.statuses.lastTo(line.id, waId)?.wamid : undefined)
  const quoted = isChange(input.kind) || input.kind === 'reaction' ? undefined : contextId
  const context = {
    ...(quoted !== undefined && { from: onlyDigits(line.number), id: seen(quoted) }),
    ...(input.forwarded === 'once' && { forwarded: true }),
    ...(input.forwarded === 'often' && { frequently_forwarded: true }),
    ...(input.aboutProduct && { referred_product: { catalog_id: '1', product_retailer_id: 'SKU' } }),
  }
  const answered = quoted === undefined ? undefined : { message_id: quoted }
  state.written.push({ at: now, waId, wamid, content: { ...content, ...(answered && { context: answered }) } })
  const message = {
    ...(Object.keys(context).length > 0 && { context }),
    ...(input.fromAd && { referral: ad }),
    ...from,
    id: wamid,
    timestamp: String(Math.floor(now / 1_000) + state.settings.callbacks.timestampShiftS),
    ...withIds(content, seen),
  }
  const value = {
    messaging_product: 'whatsapp',
    metadata: metadataOf(line),
    ...(input.kind !== 'system' && { contacts: [contact] }),
    messages: [message],
  }
  return { wamid, update: { field: 'messages', lineId: line.id, value } }
}

/** @returns what was written, where the message that it is about has another id */
function withIds(content: JsonObject, idOf: (id: string) => string): JsonObject {
  const changed = [...['edit', 'revoke'].map(type => [type, 'original_message_id']), ['reaction', 'message_id']].map(
    ([type = '', name = '']) => {
      const part = content[type]
      return isObject(part) && isText(part[name]) ? { [type]: { ...part, [name]: idOf(part[name]) } } : {}
    },
  )
  return Object.assign({}, content, ...changed)
}

/** A tap or a reply quotes the message it answers. */
const isAnswer = (kind: string): boolean =>
  kind.startsWith('nfm_reply') || kind.endsWith('_reply') || kind === 'button' || kind === 'address'

/** It names the message that it changes in its own content. */
const isChange = (kind: string): boolean => kind === 'edit' || kind === 'revoke'

const ad = {
  source_url: 'https://fb.example/ad',
  source_id: '120226305854810726',
  source_type: 'ad',
  headline: 'Chat with us',
  body: 'Summer succulents are here!',
  media_type: 'image',
  image_url: 'https://shop.example/succulents.jpg',
  ctwa_clid: 'Aff-n8ZTODiE79d22KtAwQKj9e_mIEOOj27vDVwFjN80dp4',
  welcome_message: { text: 'How can we help?' },
} as const
