import type { Channel, Contact, Line } from '../../db/contract/records.ts'
import { readSettings } from '../../db/contract/sendSettings.ts'
import type { Store } from '../../db/contract/store.ts'
import type { EpochMs } from '../base/clock.ts'
import type { Refusal } from '../base/errors.ts'
import { hasOpenWindow } from '../inbound/window.ts'
import type { OnOptOut } from '../message/optOut.ts'
import { isUsedUp, monthOf } from '../message/plan.ts'
import type { QuietHours } from '../message/quietSettings.ts'
import type { KeyReads } from '../reading/keyReads.ts'
import { directSendRefusal } from './directSend.ts'
import { chooseLine } from './line.ts'
import type { Outbox } from './outbox.ts'
import { quotedBy } from './quoted.ts'
import { planExceeded, queueFull, windowClosed } from './refusals.ts'
import type { SendCaller, SendRequest } from './request.ts'

/** From which line a message goes to whom. */
export interface Route {
  readonly line: Line
  readonly channel: Channel | undefined
  readonly contact: Contact | null
  /** `+` and digits, or the upstream's user id. */
  readonly recipient: string
  /** The upstream's id of the message that it answers or reacts to. */
  readonly quotedId: string | null
  readonly onOptOut: OnOptOut
  readonly quietHours: QuietHours | null
}

/**
 * Plan, line and recipient of a send (docs/partner-api.md#order-of-checks), under the settings of its workspace as they
 * are at `now`. It yields each refusal: a send ends with the first, and a check goes on for the others.
 * @returns null, after a refusal, when there is no line or no recipient
 */
export async function* route(
  { store, outbox }: { readonly store: Pick<Store, 'read'>; readonly outbox: Pick<Outbox, 'isFull'> },
  read: KeyReads,
  { workspaceId, lineIds, onOptOut, settings }: Pick<SendCaller, 'workspaceId' | 'lineIds' | 'onOptOut' | 'settings'>,
  request: SendRequest,
  now: EpochMs,
): AsyncGenerator<Refusal, Route | null> {
  const month = monthOf(now)
  const { plan, lines, channels } =
    settings?.month === month ? settings : await readSettings(store.read, { workspaceId, month })
  // What is sent later has the plan, the queue and the window of its time.
  const isNow = request.sendAt === null
  if (isNow && plan.limit !== null && isUsedUp(plan)) yield planExceeded(plan.limit, plan.used, now)
  const choice = chooseLine(lines, request.phoneNumberId, lineIds)
  if (!choice.ok) yield choice.refusal
  const line = choice.ok ? choice.line : null
  if (isNow && line && outbox.isFull(line.id)) yield queueFull
  const contact = await contactOf(read, workspaceId, request)
  const recipient = recipientOf(request, contact)
  if (recipient === null) yield { reason: 'NOT_FOUND', message: 'contactId names no contact of this workspace.' }
  if (line && recipient !== null) {
    const unsent = directSendRefusal('direct' in request.content ? request.content.direct : null, line, recipient)
    if (unsent) yield unsent
    const needsWindow = isNow && request.requireOpenWindow
    if (needsWindow && !(await hasOpenWindow(read, { workspaceId, line, contact, recipient, now }))) yield windowClosed
  }
  const to = { lineId: line?.id ?? null, recipient, contactId: contact?.id ?? null }
  const quoted = await quotedBy(read, workspaceId, request, to)
  if (!quoted.ok) yield quoted.refusal
  if (!line || recipient === null) return null
  const channel = channels.find(({ id }) => id === line.channelId)
  const quotedId = quoted.ok ? quoted.channelMessageId : null
  return {
    line,
    channel,
    contact,
    recipient,
    quotedId,
    onOptOut: onOptOut ?? plan.onOptOut,
    quietHours: plan.quietHours,
  }
}

/** As it is now: an id that a caller knows may be of a merged contact, or one that its user has left. */
async function contactOf(read: KeyReads, workspaceId: string, { contactId, userId }: SendRequest) {
  if (contactId !== null) return read.contact({ workspaceId, contactId })
  return userId === null ? null : ((await read.contactsAt({ workspaceId, addresses: [userId] })).get(userId) ?? null)
}

/** A user has the id that it has now, and is written to by it alone: the number may be another's by now. */
const recipientOf = ({ phone, userId }: SendRequest, contact: Contact | null): string | null =>
  userId === null ? (phone ?? contact?.phone ?? contact?.userId ?? null) : (contact?.userId ?? userId)
