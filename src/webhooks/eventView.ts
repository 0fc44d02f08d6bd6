import type { WorkspaceEvent } from '../../db/contract/events.ts'
import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import { numberedId } from '../base/ids.ts'
import { field, isObject, text } from '../base/json.ts'
import { inboundView } from '../inbound/view.ts'
import { platformSource } from '../message/optOut.ts'
import { shownMessage } from '../sending/messageSchema.ts'
import { platformBody } from './platformBody.ts'

/** @returns an event as callers see it (docs/partner-api.md#events) */
export const eventView = (workspaceId: string, event: WorkspaceEvent) => ({
  id: numberedId('evt', workspaceId, event.seq),
  type: event.type,
  timestamp: new Date(event.at).toISOString(),
  sequence: event.sequence,
  data: dataOf(workspaceId, event),
})

/**
 * @param parts as `platformBody` has them
 * @returns an event as it is delivered to an endpoint; null: see `platformBody`
 */
export const webhookBody = async (
  parts: Parameters<typeof platformBody>[0],
  { workspaceId, format }: Pick<WebhookEndpoint, 'workspaceId' | 'format'>,
  event: WorkspaceEvent,
): Promise<object | null> =>
  format === 'platform' ? platformBody(parts, workspaceId, event) : eventView(workspaceId, event)

function dataOf(workspaceId: string, { type, message, inbound, data }: WorkspaceEvent): object {
  const { status, detail } = isObject(data?.payment) ? data.payment : {}
  const payment = detail === undefined ? {} : { payment: { status, ...paymentView(detail), detail } }
  if (message) return { ...data, ...payment, message: shownMessage(message, false) }
  if (inbound) return { inbound: inboundView(workspaceId, inbound) }
  // What earlier builds have stored says nothing of them.
  if (type === 'template.updated') return { ...{ reason: null, recommendation: null }, ...data }
  if (type !== 'contact.preference_changed') return { ...data, ...payment }
  const preference = isObject(data?.preference) && data.preference
  return { ...data, preference: { ...{ detail: null, source: platformSource }, ...preference } }
}

const paymentView = (detail: unknown) => ({
  referenceId: text(field(detail, 'reference_id')),
  amount: objectOrNull(field(detail, 'amount')),
  currency: text(field(detail, 'currency')),
})

const objectOrNull = (value: unknown) => (isObject(value) ? value : null)
