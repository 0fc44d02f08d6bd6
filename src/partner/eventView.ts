import type { WorkspaceEvent } from '../../db/events.ts'
import { numberedId } from '../ids.ts'
import { inboundText } from '../inbound/contents.ts'
import { messageAnswer } from './message.ts'

/** @returns an event as callers see it (docs/partner-api.md#events) */
export const eventView = (workspaceId: string, event: WorkspaceEvent) => ({
  id: numberedId('evt', workspaceId, event.seq),
  type: event.type,
  timestamp: new Date(event.at).toISOString(),
  sequence: event.sequence,
  data: dataOf(workspaceId, event),
})

function dataOf(workspaceId: string, { seq, message, inbound, data }: WorkspaceEvent): object {
  if (message) return { message: messageAnswer(message, false).data }
  if (!inbound) return data ?? {}
  const { contactId, lineId, kind, at, content } = inbound
  return {
    inbound: {
      id: numberedId('inb', workspaceId, seq),
      contactId,
      lineId,
      type: kind,
      text: inboundText(content),
      receivedAt: new Date(at).toISOString(),
    },
  }
}
