import type { EpochMs } from '../src/time/clock.ts'
import type { InboundEntry } from './records.ts'

/** When a message came, and what it was. */
export type InboundTime = Pick<InboundEntry, 'lineId' | 'kind' | 'at' | 'recordedAt'>

/** What callers read of the messages of users. */
export interface InboundReads {
  /** When a contact wrote after `since`, by the upstream's clock, newest first. */
  inboundTimes(query: { contactId: string; since: EpochMs; limit: number }): Promise<InboundTime[]>
}
