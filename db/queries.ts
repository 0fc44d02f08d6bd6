import type { EpochMs } from '../src/clock.ts'
import type { MessageStatus } from '../src/message/state.ts'
import type { MessageType } from './records.ts'

/** Which messages of a workspace; what is absent narrows nothing. */
export interface MessageQuery {
  readonly workspaceId: string
  readonly status: MessageStatus | null
  readonly recipient?: string
  readonly lineId?: string
  readonly apiKeyId?: string
  readonly type?: MessageType
  readonly since?: EpochMs
  /** Exclusive. */
  readonly until?: EpochMs
  /** The id of the last message of the page before. */
  readonly after?: string
  readonly most: number
}

export interface MonthlyUsage {
  readonly workspaceId: string
  readonly workspaceName: string
  /** Calendar month in UTC, `2026-01`. */
  readonly month: string
  readonly used: number
  /** Null: unlimited. */
  readonly limit: number | null
}
