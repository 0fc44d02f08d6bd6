import type { WorkspaceEvent } from '../../db/contract/events.ts'
import { numberedId } from '../base/ids.ts'
import { inboundView } from '../inbound/view.ts'
import { messageAnswer } from './message.ts'

/** @returns an event as callers see it (docs/partner-api.md#events) */
export const eventView = (workspaceId: string, event: WorkspaceEvent) => ({
  id: numberedId('evt', workspaceId, event.seq),
  type: event.type,
  timestamp: new Date(event.at).toISOString(),
  sequence: event.sequence,
  data: dataOf(workspaceId, event),
})

/** @returns an event as it is delivered to webhooks */
export const eventBody = (workspaceId: string, event: WorkspaceEvent): string =>
  JSON.stringify(eventView(workspaceId, event))

function dataOf(workspaceId: string, { message, inbound, data }: WorkspaceEvent): object {
  if (message) return { message: messageAnswer(message, false).data }
  return inbound ? { inbound: inboundView(workspaceId, inbound) } : (data ?? {})
}
