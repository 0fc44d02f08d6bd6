import { callerFieldsOf } from '../messageFields.ts'
import type { MessageStatusView } from './records.ts'

/**
 * @returns what is polled of a message: these of its columns, or of its fields, and nothing else. A field that the view
 *   gets is a type error until it stands here.
 */
export const statusViewOf = <Fields extends Readonly<Record<keyof MessageStatusView, unknown>>>(
  of: Fields,
): { readonly [Field in keyof MessageStatusView]: Fields[Field] } => ({
  id: of.id,
  workspaceId: of.workspaceId,
  status: of.status,
  createdAt: of.createdAt,
  dispatchedAt: of.dispatchedAt,
  acceptedAt: of.acceptedAt,
  reportedSentAt: of.reportedSentAt,
  deliveredAt: of.deliveredAt,
  readAt: of.readAt,
  failures: of.failures,
  gaveUpAt: of.gaveUpAt,
  gaveUpReason: of.gaveUpReason,
  lostAt: of.lostAt,
  channelMessageId: of.channelMessageId,
  waId: of.waId,
  ...callerFieldsOf(of),
})
