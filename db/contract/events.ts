import type { EpochMs } from '../../src/base/clock.ts'
import type { Details } from '../../src/base/errors.ts'
import type { EventType } from '../../src/base/eventTypes.ts'
import type { Told } from '../../src/message/told.ts'
import type { InboundMessage } from './inbound.ts'
import type { MessageStatusView } from './records.ts'

/** An event of a workspace, with what it shows. */
export interface WorkspaceEvent {
  /** In the order of commits: who has read up to a number has missed no smaller one. */
  readonly seq: number
  readonly type: EventType
  readonly at: EpochMs
  /** Of the message that was sent and that it is about, in the tables; null: none. */
  readonly messageSeq: number | null
  /** Counts the events of one message; null: it is about no message that was sent. */
  readonly sequence: number | null
  /** As the message was at the event. */
  readonly message: MessageStatusView | null
  /** The message of a user, as it is now. */
  readonly inbound: InboundMessage | null
  /** Of all other events. */
  readonly data: Details | null
  /** As `ToldUpdate.callback`: what the upstream has told of what is no message. */
  readonly callback: Details | null
}

/** A step through the events of a workspace. */
export interface EventPage {
  /** Ascending; fewer than `limit` also where the messages of users among them are long. */
  readonly events: readonly WorkspaceEvent[]
  /**
   * The number up to which all was looked at: the next page begins after it. It equals `after` when there was nothing.
   */
  readonly upTo: number
  /** There may be events behind it already: the step was as large as it may be. */
  readonly hasMore: boolean
}

export interface EventQuery {
  readonly workspaceId: string
  /** A number; 0: from the oldest that is kept. */
  readonly after: number
  /** Absent: all. */
  readonly types?: readonly EventType[] | undefined
  /** Events about messages of other lines are left out; absent: none are. */
  readonly lineIds?: readonly string[] | undefined
  readonly limit: number
}

export interface EventReads {
  /**
   * The next events. An event whose message was pruned is left out. A bounded step: with `types` it looks at some
   * thousand events, else at `limit`.
   */
  events(query: EventQuery): Promise<EventPage>
  /** Some events by their numbers, ascending. Those that are pruned, or whose message is, are left out. */
  numberedEvents(query: { workspaceId: string; seqs: readonly number[] }): Promise<WorkspaceEvent[]>
  /** The number of the last event that is kept; 0: none. */
  lastEvent(workspaceId: string): Promise<number>
  /** No event and no message of a user has a greater number; it does not shrink when they go. 0: none has one. */
  lastNumber(workspaceId: string): Promise<number>
}

export interface EventWrites {
  /**
   * Of a database from a backup: events, and messages of users, go on with greater numbers than any that was given
   * since that backup was made, in each workspace. So none of their ids is used twice.
   */
  passEventNumbers(pass: { at: EpochMs }): Promise<void>
  /** The oldest of each workspace. */
  pruneEvents(prune: { recordedBefore: EpochMs; limit: number }): Promise<number>
}

/** An event as it is stored; it gets the next number of its workspace. */
export interface NewEvent {
  readonly workspaceId: string
  /** Null: the number alone is wanted. */
  readonly type: EventType | null
  readonly at: EpochMs
  readonly recordedAt: EpochMs
  readonly messageSeq: number | null
  readonly sequence: number | null
  readonly known: number | null
  readonly subject: string | null
  /** JSON. */
  readonly data: string | null
  /** The message of a user that gets the number too. */
  readonly inbound: {
    readonly channelId: string
    readonly channelMessageId: string
    /** Whether a person wrote it. `past`: from before the line was connected, nobody has to read it. */
    readonly heard: 'now' | 'past' | 'no'
  } | null
  /** The contact to whom a member wrote: the number orders the conversation, and begins it where there is none. */
  readonly spokenTo?: string
}

/** @returns what a move tells, of a message as it was before */
export const eventsOf = (
  { workspaceId, seq, sequence }: { readonly workspaceId: string; readonly seq: number; readonly sequence: number },
  told: readonly Told[],
  recordedAt: EpochMs,
): NewEvent[] =>
  told.map(({ type, at, known }, index) => ({
    ...{ workspaceId, type, at, recordedAt, messageSeq: seq, sequence: sequence + index + 1, known },
    ...{ subject: null, data: null, inbound: null },
  }))

/** @returns an event about what is no message */
export const eventAbout = (
  subject: string | null,
  event: Pick<NewEvent, 'workspaceId' | 'type' | 'at' | 'recordedAt'> & {
    readonly data?: Details
    readonly inbound?: NewEvent['inbound']
  },
): NewEvent => ({
  ...{ messageSeq: null, sequence: null, known: null, inbound: null },
  ...event,
  subject,
  data: event.data ? JSON.stringify(event.data) : null,
})

/** What a message begins with: its acceptance is the first that can be told of it. */
export const acceptanceSequence = 1
