import { tokenOf } from '../../src/message/sameMessage.ts'
import type { Message, Report } from '../contract/records.ts'
import type { Row } from '../schema/tables.ts'

/** What a status update says of its message beside its id: the message that it names by another text has to fit. */
export type Named = Pick<Row<'parkedReports'>, 'token' | 'lineId' | 'phone' | 'userId'>

/** @param lineOf finds our id of a line of the channel, by the upstream's */
export function namedIn(
  { event, to }: { readonly event: Pick<Report['event'], 'channelMessageId'> } & Pick<Report, 'to'>,
  lineOf: (upstreamPhoneId: string) => string | null,
): Named {
  const token = tokenOf(event.channelMessageId)
  if (token === null || !to) return { token: null, lineId: null, phone: null, userId: null }
  const { upstreamPhoneId, phone, userId } = to
  return { token, lineId: upstreamPhoneId === null ? null : lineOf(upstreamPhoneId), phone, userId }
}

/**
 * Whether an update that names a message by another text of its id may be about this one: it came to the message's
 * line, and names nobody else. A number and a user id cannot be compared.
 */
export function mayBeAbout(
  { lineId, recipient, waId }: Pick<Message, 'lineId' | 'recipient' | 'waId'>,
  named: Named,
): boolean {
  if (lineId !== named.lineId) return false
  const known = waId === null ? [recipient] : [recipient, `+${waId}`]
  const told = [named.phone, named.userId].filter(address => address !== null)
  if (told.some(address => known.includes(address))) return true
  return !told.some(address => known.some(other => isNumber(other) === isNumber(address)))
}

const isNumber = (address: string) => address.startsWith('+')
