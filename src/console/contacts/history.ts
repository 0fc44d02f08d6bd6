import type { Contact } from '../../../db/records.ts'
import type { StoreReads } from '../../../db/store.ts'
import { safeName } from '../../http/attachment.ts'
import { nameOf } from '../../http/fileAnswer.ts'
import { inboundText } from '../../inbound/contents.ts'
import { isDropped } from '../../inbound/view.ts'
import { isEcho } from '../../message/echo.ts'
import { iso, isoOrNull } from '../shapes.ts'

/** The limit for messages to a contact, and for those from it. The list of messages has all that were sent. */
const shownMax = 50
/** Messages to one recipient that one step reads, including those of other workspaces to the same number. */
const scanMax = 500

type Reads = Pick<StoreReads, 'searchMessages' | 'inbound' | 'updates' | 'flowSessions'>

/** The messages from and to a contact, newest first. */
export async function historyOf(read: Reads, { id: contactId, workspaceId, phone, userId }: Contact) {
  const addresses = [phone, userId].filter(address => address !== null)
  const sent = await Promise.all(
    addresses.map(recipient =>
      read.searchMessages({ workspaceId, recipient, direction: 'older', limit: shownMax, scan: scanMax }),
    ),
  )
  const inbound = await read.inbound({ contactId, limit: shownMax })
  const out = sent
    .flatMap(({ messages }) => messages)
    .map(({ id, createdAt, type, templateName, status }) => ({
      id,
      direction: 'out' as const,
      at: createdAt,
      kind: type,
      text: templateName,
      status,
      media: null,
    }))
  const came = inbound.map(({ channelMessageId, at, kind, content, file }) => ({
    id: channelMessageId,
    direction: isEcho(kind) ? ('out' as const) : ('in' as const),
    at,
    kind,
    text: inboundText(content) ?? (isDropped(content) ? null : `(${kind})`),
    status: null,
    media: file && { id: file.id, state: file.state, saveAs: safeName(nameOf(file)) },
  }))
  const all = [...out, ...came].sort((one, other) => other.at - one.at)
  return {
    history: all.map(entry => ({ ...entry, at: iso(entry.at) })),
    hasMore: sent.some(({ next }) => next !== null) || inbound.length === shownMax,
  }
}

export async function flowsOf(read: Reads, contactId: string) {
  const sessions = await read.flowSessions(contactId)
  return sessions.slice(0, shownMax).map(({ messageId, lineId, openedAt, closedAt, closedBy }) => ({
    messageId,
    lineId,
    openedAt: iso(openedAt),
    closedAt: isoOrNull(closedAt),
    closedBy,
  }))
}
