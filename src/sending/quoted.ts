import type { KnownMessage } from '../../db/contract/inbound.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import { invalid, type Refusal } from '../base/errors.ts'
import { numberIn } from '../base/ids.ts'
import { knownId } from '../message/forgotten.ts'
import { tokenOf } from '../message/sameMessage.ts'
import type { RequestedContent } from './request.ts'

/** How the upstream's ids of messages begin. */
const upstreamPrefix = 'wamid.'

type Reads = Pick<StoreReads, 'message' | 'inboundMessage' | 'namedMessages' | 'contactsAt'>

interface Recipient {
  readonly lineId: string | null
  readonly recipient: string | null
  readonly contactId: string | null
}

type Quoted =
  | { readonly ok: true; readonly channelMessageId: string | null }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * Finds the message that a send answers or reacts to, by our id of it, or by the upstream's. That one may be another
 * text of the id that is known here, and need not be known: the message may be older than what is kept, or than
 * Waypost.
 * @param to the line and the recipient of the send, with the contact where it is known
 * @returns the upstream's id; null for a send that is about no other message
 */
export async function quotedBy(
  read: Reads,
  workspaceId: string,
  { content, replyTo }: { readonly content: RequestedContent; readonly replyTo: string | null },
  to: Recipient,
): Promise<Quoted> {
  const [name, given] = content.type === 'reaction' ? ['messageId', content.messageId] : ['replyTo', replyTo]
  if (given === null) return { ok: true, channelMessageId: null }
  if (given.startsWith(upstreamPrefix)) {
    const known = await knownBy(read, workspaceId, given, to)
    return { ok: true, channelMessageId: known?.channelMessageId ?? given }
  }
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

/** Only an id with a token has other texts. Whose number it is is looked up for one that is not known as it is. */
async function knownBy(
  read: Reads,
  workspaceId: string,
  id: string,
  { lineId, recipient, contactId }: Recipient,
): Promise<KnownMessage | null> {
  if (tokenOf(id) === null) return null
  const named = async (contactId: string | null) =>
    (await read.namedMessages({ workspaceId, names: [{ id, lineId, contactId }] }))[0] ?? null
  const known = await named(contactId)
  if (known || contactId !== null || recipient === null) return known
  const contact = (await read.contactsAt({ workspaceId, addresses: [recipient] })).get(recipient)
  return contact ? named(contact.id) : null
}
