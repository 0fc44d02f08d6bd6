import type { EpochMs } from '../src/clock.ts'
import type { MessageStatus } from '../src/message/state.ts'
import type { MessageType } from './records.ts'

/** Which messages of a workspace. Absent fields do not filter. */
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
  readonly limit: number
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

/** One entry of the audit. */
export interface AuditEntry {
  readonly id: number
  readonly at: EpochMs
  /** `cli:ada`: by a command of this user of the machine. */
  readonly actor: string
  /** `key.revoke`. */
  readonly action: string
  /** The id of what was changed. */
  readonly subject: string
}

/** Which entries. Absent fields do not filter. */
export interface AuditQuery {
  readonly actor?: string
  /** An action, or the noun of several actions: `key`. */
  readonly action?: string
  readonly subject?: string
  readonly since?: EpochMs
  /** Exclusive. */
  readonly until?: EpochMs
  /** The last entry of the page before. */
  readonly after?: number
  readonly limit: number
}
