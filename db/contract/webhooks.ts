import type { EpochMs } from '../../src/base/clock.ts'
import type { EventType, WebhookFormat } from '../../src/base/eventTypes.ts'

/**
 * Why an endpoint gets nothing: a person switched it off; it answered 410; it failed for days; its secret was sealed
 * with a key that is gone.
 */
export type DisabledReason = 'switchedOff' | 'gone' | 'failing' | 'secretLost'

/** Where a workspace's events are delivered. */
export interface WebhookEndpoint {
  readonly id: string
  readonly workspaceId: string
  readonly url: string
  readonly description: string | null
  /** Null: all but `askedTypes`, or in the platform's format `platformLineTypes`. */
  readonly types: readonly EventType[] | null
  /** Events about messages of other lines are left out; null: none are. */
  readonly lineIds: readonly string[] | null
  /** The secrets that sign, sealed; null: lost, see `secretLost`. */
  readonly sealedSecrets: string | null
  /** The caller's own headers, sealed; null: none. */
  readonly sealedHeaders: string | null
  /** Null: it is on. */
  readonly disabledAt: EpochMs | null
  readonly disabledReason: DisabledReason | null
  /** Of the first failure since the last success; null: the last attempt worked, or there was none. */
  readonly failingSince: EpochMs | null
  readonly deliveredAt: EpochMs | null
  readonly failedAt: EpochMs | null
  /** Every event up to this number concerns it not, or has a delivery. Off, it stays: on again, it goes on there. */
  readonly position: number
  readonly createdAt: EpochMs
  /** `platform`: its `types` are of `platformTypes`. It stays what the endpoint was made with. */
  readonly format: WebhookFormat
}

export type NewWebhook = Pick<
  WebhookEndpoint,
  'id' | 'workspaceId' | 'url' | 'description' | 'types' | 'lineIds' | 'createdAt' | 'format'
> & { readonly sealedSecrets: string; readonly sealedHeaders: string | null }

/** `pending`: an attempt is to come. `failed`: no further attempt is made by itself. */
export type DeliveryState = 'pending' | 'delivered' | 'failed'

/** One request to an endpoint. */
export interface DeliveryAttempt {
  readonly at: EpochMs
  readonly durationMs: number
  /** HTTP; null: no answer, see `error`. */
  readonly status: number | null
  /** Why there was no whole answer, in words for people; null: there was one. */
  readonly error: string | null
  /** The first bytes of the answer, as text; null: there was none, it was erased, or a first attempt has worked. */
  readonly answer: string | null
}

/** @returns whether an attempt has delivered its event: by a whole answer, 2xx */
export const hasWorked = ({ status, error }: Pick<DeliveryAttempt, 'status' | 'error'>): boolean =>
  error === null && status !== null && status >= 200 && status < 300

/** An event at an endpoint. An event that nobody has tried to deliver has none. */
export interface Delivery {
  readonly endpointId: string
  /** The number of the event. */
  readonly seq: number
  readonly type: EventType
  readonly messageSeq: number | null
  readonly state: DeliveryState
  /** All attempts that were ever made. */
  readonly attemptCount: number
  /** The last ones, oldest first. */
  readonly attempts: readonly DeliveryAttempt[]
  /** Of the next attempt; null: none is to come. */
  readonly nextAt: EpochMs | null
}

export interface DeliveryQuery {
  readonly endpointId: string
  readonly state?: DeliveryState | undefined
  /** A number: only older events. */
  readonly before?: number | undefined
  readonly limit: number
}

/** What people and programs read of webhooks. */
export interface WebhookReads {
  /** Oldest first. */
  webhooks(workspaceId: string): Promise<WebhookEndpoint[]>
  webhook(endpointId: string): Promise<WebhookEndpoint | null>
  /** Newest event first. */
  deliveries(query: DeliveryQuery): Promise<Delivery[]>
  /** How the last deliveries of each endpoint stand, newest event first. */
  lastStates(query: { workspaceId: string; limit: number }): Promise<ReadonlyMap<string, DeliveryState[]>>
  delivery(query: { endpointId: string; seq: number }): Promise<Delivery | null>
}

/** What people change. */
export interface WebhookWrites {
  /** Its first event is the next one of the workspace. */
  addWebhook(webhook: NewWebhook): Promise<
    | { readonly outcome: 'added'; readonly webhook: WebhookEndpoint }
    /** `tooMany`: the workspace has `webhooksMax`. `unknownLine`: one of the lines is none of the workspace. */
    | { readonly outcome: 'unknownWorkspace' | 'unknownLine' | 'tooMany' }
  >
  /**
   * Changes only the given fields. A new `url` without `sealedHeaders` drops those that are there: they are secrets,
   * meant for the receiver before. `hasDroppedHeaders`: it did. `isOn` true clears the reason and `failingSince`.
   * `unknownLine`, `secretLost` (it cannot be switched on before a rotation): nothing was changed
   */
  changeWebhook(change: {
    endpointId: string
    url?: string
    description?: string | null
    types?: readonly EventType[] | null
    lineIds?: readonly string[] | null
    sealedHeaders?: string | null
    isOn?: boolean
    at: EpochMs
  }): Promise<
    | { readonly outcome: 'changed'; readonly webhook: WebhookEndpoint; readonly hasDroppedHeaders: boolean }
    | { readonly outcome: 'unknownWebhook' | 'unknownLine' | 'secretLost' }
  >
  /**
   * Replaces the sealed secrets, unless they have changed since they were read.
   * @param change.former as they were read. @returns whether they were replaced
   */
  replaceWebhookSecrets(change: { endpointId: string; former: string | null; sealedSecrets: string }): Promise<boolean>
  /** Its deliveries go with it, bit by bit. @returns null when there is no such endpoint */
  removeWebhook(removal: { endpointId: string; at: EpochMs }): Promise<WebhookEndpoint | null>
  /**
   * Makes events due again at an endpoint: `event`: this one, whatever its state and the endpoint's types; `failed`:
   * deliveries that failed or wait for another try, of events that were recorded since a time; `all`: all such events
   * that concern the endpoint, up to its position, and behind it those that were tried. Of what comes after it began,
   * nothing. A bounded step.
   * @param replay.after null at the beginning, then `next` of the step before
   * @returns how many became due; `next` null at the end
   */
  replayWebhook(replay: {
    endpointId: string
    what:
      | { readonly kind: 'event'; readonly seq: number }
      | { readonly kind: 'failed' | 'all'; readonly since: EpochMs }
    after: ReplayPlace | null
    at: EpochMs
  }): Promise<{ readonly due: number; readonly next: ReplayPlace | null }>
}

/** Where a replay of many events is: behind `after`. It ends with the last number that there was when it began. */
export interface ReplayPlace {
  readonly after: number
  readonly upTo: number
}

/** The sealed secrets of an endpoint. */
export type SealedWebhook = Pick<WebhookEndpoint, 'id' | 'sealedSecrets' | 'sealedHeaders'>

/** Far more than a workspace has receivers; each costs a look at each event. */
export const webhooksMax = 100
/** Kept of one delivery: those by schedule, and as many by hand. */
export const attemptsKeptMax = 20
