import type { EpochMs } from '../src/clock.ts'

export interface MonthlyUsage {
  readonly workspaceId: string
  readonly workspaceName: string
  /** Calendar month in UTC, `2026-01`. */
  readonly month: string
  readonly used: number
  /** Null: unlimited. */
  readonly limit: number | null
}

/** Whose usage, and of which month. Absent fields do not filter. */
export interface UsageQuery {
  readonly workspaceId?: string | undefined
  readonly month?: string | undefined
  readonly limit: number
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
  readonly actor?: string | undefined
  /** An action, or the noun of several actions: `key`. */
  readonly action?: string | undefined
  readonly subject?: string | undefined
  readonly since?: EpochMs | undefined
  /** Exclusive. */
  readonly until?: EpochMs | undefined
  /** The last entry of the page before. */
  readonly after?: number | undefined
  readonly limit: number
}
