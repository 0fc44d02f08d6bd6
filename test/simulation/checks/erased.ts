import { tenants } from '../tenants.ts'
import { type Found, isErased, told } from './found.ts'

/*
 * What is left of a person who was erased, and what has to stay.
 */

interface Written {
  readonly wamid: string
  readonly contactId: string
  readonly content: string
  readonly phone: string | null
}

/** Of what there was of a person by then, nothing is left once it is forgotten. */
export function* nothingIsLeft(found: Found) {
  const { log, messages, rows } = found
  for (const { contactId, messageIds } of log.erased) {
    const [contact] = rows<{ phone: string | null; name: string | null }>(
      'SELECT phone, name FROM contacts WHERE id = ?',
      contactId,
    )
    // It was refused, or a restore has brought it back.
    if (contact?.phone !== null) continue
    if (contact.name !== null) yield `${contactId} is forgotten, and still called ${contact.name}`
    for (const id of messageIds) {
      const row = messages.get(id)
      if (!row) continue
      if (!isErased(row)) yield `${id} went to ${contactId}, which is forgotten, and names ${row.recipient}`
      if (row.payload !== '') yield `${id} went to ${contactId}, which is forgotten, and has its content`
    }
    const written = rows<Written>(
      `SELECT channel_message_id AS wamid, contact_id AS contactId, content, phone
       FROM inbound_messages WHERE contact_id = ?`,
      contactId,
    )
    for (const { wamid, content, phone } of written)
      if (content !== '{}' || phone !== null) yield `${contactId} is forgotten, and ${wamid} says what it wrote`
  }
}

/** What is new stays: what was asked for after an erasure, and to others at any time. */
export function* newStays(found: Found) {
  const { log, messages } = found
  for (const { asked, askedAt, message, isReplay } of told(found)) {
    const row = message && messages.get(message.id)
    if (!row || isReplay || !isErased(row)) continue
    const of = log.erased.filter(({ tenant }) => tenants[tenant].workspaceId === row.workspaceId)
    if (asked.order.to !== 0) yield `${row.id} went to somebody who was not erased, and is`
    else if (of.every(({ messageIds, doneAt }) => !messageIds.has(row.id) && doneAt !== null && doneAt < askedAt))
      yield `${row.id} is erased, and was asked for after that`
  }
}
