import type { StoreReads } from '../../db/contract/store.ts'
import { invalid, type Refusal } from '../base/errors.ts'
import { numberIn } from '../base/ids.ts'
import { knownId } from '../message/forgotten.ts'
import type { RequestedContent } from './compose.ts'

/** How the upstream's ids of messages begin. */
const upstreamPrefix = 'wamid.'

type Quoted =
  | { readonly ok: true; readonly channelMessageId: string | null }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * Finds the message that a send answers or reacts to, by our id of it, or by the upstream's. That one is not looked up:
 * the message may be older than what is kept here, or than Waypost.
 * @returns the upstream's id; null for a send that is about no other message
 */
export async function quotedBy(
  read: Pick<StoreReads, 'message' | 'inboundMessage'>,
  workspaceId: string,
  { content, replyTo }: { readonly content: RequestedContent; readonly replyTo: string | null },
): Promise<Quoted> {
  const [name, given] = content.type === 'reaction' ? ['messageId', content.messageId] : ['replyTo', replyTo]
  if (given === null || given.startsWith(upstreamPrefix)) return { ok: true, channelMessageId: given }
  const seq = numberIn('inb', workspaceId, given)
  const sent = seq === null ? await read.message(given) : null
  const own = sent?.workspaceId === workspaceId ? sent : null
  const found = seq === null ? own : await read.inboundMessage({ workspaceId, seq })
  if (!found)
    return { ok: false, refusal: { reason: 'NOT_FOUND', message: `${name} names no message of this workspace.` } }
  const channelMessageId = knownId(found.channelMessageId)
  if (channelMessageId !== null) return { ok: true, channelMessageId }
  const message = 'names a message without an id of the upstream platform: it has none yet, or was erased'
  return { ok: false, refusal: invalid([{ path: `/${name}`, message }]) }
}
