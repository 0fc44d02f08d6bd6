import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { number } from '../../schema/postgres.ts'

/*
 * The tables that instances on one database share. SQLite has none of them: one process owns the file. Every time is of
 * the database's clock.
 */

/** A gateway process that is alive, or was until a few seconds ago. */
export const instances = pgTable('instances', {
  /** Grows with each start: a process that was considered dead finds its row gone, and owns nothing any more. */
  seq: number('seq').primaryKey().generatedByDefaultAsIdentity(),
  /** Host and process, for the operator. */
  name: text('name').notNull(),
  startedAt: number('started_at').notNull(),
  /** Since then it has missed no heartbeat. */
  heardSince: number('heard_since').notNull(),
  /** The end of the lease, unless a heartbeat renews it. */
  expiresAt: number('expires_at').notNull(),
  /** Whether it watches for changes: somebody has a live list open there. */
  watches: boolean('watches').notNull().default(false),
  /** Whether it is ready, and so is to have endpoints of webhooks. */
  delivers: boolean('delivers').notNull().default(true),
})

/** The leases of work that one instance does for all, by name. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  instanceSeq: number('instance_seq').notNull(),
  expiresAt: number('expires_at').notNull(),
})

/** The departures of a line that were granted within the last seconds, and its slowdown. */
export const linePaces = pgTable('line_paces', {
  lineId: text('line_id').primaryKey(),
  /** 1: not slowed down. Else the line's rate is divided by it. */
  slowdown: number('slowdown').notNull().default(1),
  slowedAt: number('slowed_at'),
  /** Nothing leaves before this time. */
  pausedUntil: number('paused_until'),
  /** When the departures of a grant are used or lost, and how many they are: two arrays of one length. */
  grantEnds: number('grant_ends').array().notNull().default([]),
  grantCounts: number('grant_counts').array().notNull().default([]),
})

/** A throttle of a whole account: nothing of its lines leaves before. */
export const channelPauses = pgTable('channel_pauses', {
  channelId: text('channel_id').primaryKey(),
  pausedUntil: number('paused_until').notNull(),
})

/** What changed in a workspace, for the live lists of other instances. Kept for a minute. */
export const changes = pgTable(
  'changes',
  {
    seq: number('seq').primaryKey().generatedByDefaultAsIdentity(),
    instanceSeq: number('instance_seq').notNull(),
    workspaceId: text('workspace_id').notNull(),
    /** JSON. */
    detail: text('detail').notNull(),
    at: number('at').notNull(),
  },
  table => [index('changes_age').on(table.at)],
)
