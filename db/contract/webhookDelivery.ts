import type { EpochMs } from '../../src/base/clock.ts'
import { askedTypes, type EventType, isPlatformType, platformLineTypes } from '../../src/base/eventTypes.ts'
import { knownId } from '../../src/message/forgotten.ts'
import type { EventQuery, WorkspaceEvent } from './events.ts'
import type { Delivery, DeliveryAttempt, DeliveryState, SealedWebhook, WebhookEndpoint } from './webhooks.ts'

/** An endpoint that is on, as who delivers sees it (src/webhooks). */
export interface OpenWebhook {
  readonly webhook: WebhookEndpoint
  /** The number of the last event of its workspace; 0: none. */
  readonly lastEvent: number
  /** Of the first delivery that is to be tried again; null: there is none. */
  readonly nextAt: EpochMs | null
}

/** What became of one attempt. */
export interface AttemptOutcome {
  readonly seq: number
  readonly type: EventType
  readonly messageSeq: number | null
  /** Null: none was made, as the event was deleted before. */
  readonly attempt: DeliveryAttempt | null
  readonly state: DeliveryState
  /** Null: no attempt is to come. */
  readonly nextAt: EpochMs | null
}

/** A delivery that is to be tried again. */
export interface DueDelivery extends Delivery {
  /** The attempts of the present schedule that were made. */
  readonly step: number
  /** Null: it was pruned, and there is nothing to deliver. */
  readonly event: WorkspaceEvent | null
}

/** What the upstream calls a line, and its account. */
export interface LineAddress {
  readonly accountId: string
  readonly upstreamPhoneId: string
  /** `+` and digits. */
  readonly number: string
}

/** What the deliverer asks. */
export interface WebhookDeliveryReads {
  /** Those that are on. `endpointIds`: of these alone; null: all. */
  openWebhooks(query: { endpointIds: readonly string[] | null }): Promise<OpenWebhook[]>
  /** Those whose time has come, in its order. */
  dueDeliveries(query: { webhook: WebhookEndpoint; at: EpochMs; limit: number }): Promise<DueDelivery[]>
  /**
   * What is known at an endpoint of some events behind its position: `seqs`: those that have a delivery. `open`: the
   * deliveries of these messages that are to be tried again.
   */
  knownDeliveries(query: {
    endpointId: string
    after: number
    upTo: number
    messageSeqs: readonly number[]
  }): Promise<{ readonly seqs: readonly number[]; readonly open: readonly Delivery[] }>
  /** Also of a line that was removed: its messages stay. */
  lineAddress(lineId: string): Promise<LineAddress | null>
  /** All secrets, to be sealed with another key. */
  sealedWebhooks(): Promise<SealedWebhook[]>
  /** How the endpoints are, over all workspaces. */
  webhookStates(): Promise<WebhookStates>
}

export interface WebhookStates {
  /** On, and the last attempt worked, or there was none. */
  readonly working: number
  readonly failing: number
  /** Switched off by themselves, or without secrets. */
  readonly disabled: number
  /** Switched off by a person. */
  readonly off: number
  /** When the oldest event was recorded that an endpoint which is on has yet to get; null: there is none. */
  readonly waitingSince: EpochMs | null
}

export interface WebhookDeliveryWrites {
  /**
   * Stores what became of attempts at an endpoint, and up to which event it is done. Only the process that has the
   * endpoint may: see `Shared.claimWebhooks`. @returns the endpoint; null when another process has it, or nobody:
   * nothing was stored
   */
  recordAttempts(record: {
    endpointId: string
    position: number
    outcomes: readonly AttemptOutcome[]
  }): Promise<WebhookEndpoint | null>
  /**
   * Switches an endpoint off, and tells it the workspace. `failing`: only when it has failed since before
   * `failedSince`. `url`: only while this is its address.
   * @returns whether it was on
   */
  disableWebhook(change: {
    endpointId: string
    reason: 'gone' | 'failing'
    failedSince: EpochMs
    at: EpochMs
    url?: string | undefined
  }): Promise<boolean>
  /** Deletes deliveries whose events are deleted, and those of removed endpoints. @returns how many */
  pruneDeliveries(prune: { limit: number }): Promise<number>
}

type ToldOf = Pick<WorkspaceEvent, 'type' | 'data' | 'message' | 'inbound' | 'callback'>

/**
 * @returns whether an event concerns an endpoint by its type and format; which lines it is about is part of the query.
 *   An endpoint is not told that it was switched off itself
 */
export function concerns(webhook: WebhookEndpoint, event: ToldOf): boolean {
  const { id } = webhook
  const { type, data } = event
  const types = typesOf(webhook)
  if (types ? !types.includes(type) : askedTypes.includes(type)) return false
  if (!hasBodyFor(webhook, event)) return false
  return type !== 'webhook.disabled' || (data?.webhook as { readonly id?: string } | undefined)?.id !== id
}

/**
 * @returns the types of events that an endpoint gets; null: all but `askedTypes`. One of the platform's format that
 *   names none gets what a program for the platform understands, also of types that came after it was made
 */
const typesOf = ({ types, format }: WebhookEndpoint): readonly EventType[] | null =>
  types ?? (format === 'platform' ? platformLineTypes : null)

/**
 * @returns whether there is something to tell of an event in the format of an endpoint. The platform has a callback for
 *   one of a message whose client was given an id for it, of one that came to a line that is known, and whose content
 *   is still there, or one that is kept as it came
 */
export function hasBodyFor({ format }: Pick<WebhookEndpoint, 'format'>, event: ToldOf): boolean {
  const { type, message, inbound, callback } = event
  if (format !== 'platform' || callback !== null) return true
  if (message) return isPlatformType(type) && (knownId(message.channelMessageId) !== null || message.ownIdAt !== null)
  return inbound !== null && inbound.lineId !== null && Object.keys(inbound.content).length > 0
}

/** @returns what to ask for the next events that may concern an endpoint */
export const eventsFor = (
  webhook: WebhookEndpoint,
  page: { readonly after: number; readonly limit: number },
): EventQuery => ({
  ...{ workspaceId: webhook.workspaceId, types: typesOf(webhook) ?? undefined, lineIds: webhook.lineIds ?? undefined },
  ...page,
})
