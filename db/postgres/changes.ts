import type { Clock } from '../../src/base/clock.ts'
import { minuteMs } from '../../src/base/durations.ts'
import { FailureSpell } from '../../src/base/failureSpell.ts'
import type { Logger } from '../../src/telemetry/log.ts'
import type { Change } from '../contract/shared.ts'
import { databaseNow, heartbeatMs, type Instance } from './instances.ts'
import { jsonRows, type Pool } from './open.ts'
import { reading } from './transaction.ts'

/** A user watches a page: changes of another instance appear in less than a second. */
const pollMs = 500
/** The last rows are read repeatedly: several transactions are in flight at once, and one may end after a later one. */
const overlapMs = 5_000
/** All watching instances have read them by then. */
const keptMs = minuteMs
/** A watcher is known to others after its heartbeat and one of theirs: changes from before are written then. */
const rememberedMs = 2 * heartbeatMs + 1_000
const rememberedMax = 1_000
/** Changes within this time share one row for each workspace. */
const gatherMs = 50

type OnChanges = (changes: readonly Change[]) => void

/**
 * Announces changes to other instances through a small table. Nothing is written while no other instance watches, and
 * nothing is read while nobody watches here. Heartbeats show which instances watch.
 */
export class Changes {
  readonly #pool: Pool
  readonly #instance: Instance
  readonly #clock: Clock
  readonly #log: Logger
  readonly #watchers = new Set<OnChanges>()
  /** Recent announcements, oldest first. */
  #announced: { readonly change: Change; readonly at: number; isWritten: boolean }[] = []
  /** Numbers of the last rows that were read. */
  #read: ReadonlySet<number> = new Set()
  #isWatched = false
  #isWriteDue = false
  #isPolling = false
  #prunedAt = Number.NEGATIVE_INFINITY
  readonly #unread = new FailureSpell()
  #isStopped = false

  constructor(parts: { pool: Pool; instance: Instance; clock: Clock; log: Logger }) {
    this.#pool = parts.pool
    this.#instance = parts.instance
    this.#clock = parts.clock
    this.#log = parts.log
    this.#instance.onBeat = isWatched => {
      this.#isWatched = isWatched
      if (isWatched) this.#writeLater()
    }
  }

  announce(changes: readonly Change[]): void {
    const at = this.#clock.steady()
    for (const change of changes) this.#announced.push({ change, at, isWritten: false })
    const firstKept = this.#announced.findIndex(entry => entry.at > at - rememberedMs)
    const surplus = Math.max(firstKept, this.#announced.length - rememberedMax, 0)
    if (surplus > 0) this.#announced.splice(0, surplus)
    if (this.#isWatched) this.#writeLater()
  }

  watch(onChanges: OnChanges): () => void {
    // Each call ends its own watch, also of one function that watches twice.
    const watcher: OnChanges = changes => onChanges(changes)
    this.#watchers.add(watcher)
    if (!this.#instance.watches) {
      this.#instance.watches = true
      void this.#instance.beat()
    }
    if (!this.#isPolling) void this.#poll()
    return () => {
      this.#watchers.delete(watcher)
      this.#instance.watches = this.#watchers.size > 0
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#watchers.clear()
  }

  #writeLater(): void {
    if (this.#isWriteDue || this.#isStopped) return
    this.#isWriteDue = true
    this.#clock.setTimer(gatherMs, () => {
      this.#isWriteDue = false
      void this.#write()
    })
  }

  async #write(): Promise<void> {
    if (this.#isStopped) return
    const entries = this.#announced.filter(({ isWritten }) => !isWritten)
    if (entries.length === 0) return
    for (const entry of entries) entry.isWritten = true
    const byWorkspace = Map.groupBy(
      entries.map(({ change }) => change),
      ({ workspaceId }) => workspaceId,
    )
    const rows = [...byWorkspace].map(([workspaceId, changes]) => ({ workspaceId, detail: JSON.stringify(changes) }))
    const isPruneDue = this.#clock.steady() - this.#prunedAt >= keptMs
    try {
      await this.#ask(
        `INSERT INTO changes (instance_seq, workspace_id, detail, at)
         SELECT $1, "workspaceId", detail, ${databaseNow}
         FROM json_to_recordset($2::text::json) AS changed ("workspaceId" text, detail text)`,
        [this.#instance.seq, jsonRows(rows)],
      )
      if (!isPruneDue) return
      this.#prunedAt = this.#clock.steady()
      await this.#ask(
        `DELETE FROM changes WHERE seq IN (
           SELECT seq FROM changes WHERE at < ${databaseNow} - ${keptMs} OR at > ${databaseNow} + ${keptMs}
           FOR UPDATE SKIP LOCKED)`,
      )
    } catch (error) {
      this.#log.warn({ err: error }, 'changes could not be announced to other instances; their pages show them later')
    }
  }

  /** Polls the changes of others while somebody watches. */
  async #poll(): Promise<void> {
    this.#isPolling = true
    while (this.#watchers.size > 0 && !this.#isStopped) {
      try {
        await this.#readOnce()
        this.#unread.worked(failures =>
          this.#log.info({ failures }, 'reading the changes of other instances works again'),
        )
      } catch (error) {
        this.#unread.failed(() =>
          this.#log.warn({ err: error }, 'reading the changes of other instances failed; retrying'),
        )
      }
      await new Promise<void>(resolve => this.#clock.setTimer(pollMs, resolve))
    }
    this.#isPolling = false
  }

  #ask<Row>(...statement: Parameters<Pool['query']>): Promise<Row[]> {
    return reading(this.#pool, () => this.#pool.query<Row>(...statement))
  }

  async #readOnce(): Promise<void> {
    const rows = await this.#ask<{ seq: number; instanceSeq: number; detail: string }>(
      `SELECT seq::float8 AS seq, instance_seq::float8 AS "instanceSeq", detail FROM changes
       WHERE at > ${databaseNow} - ${overlapMs} AND at <= ${databaseNow} + ${overlapMs} ORDER BY seq`,
    )
    const fresh = rows.filter(({ seq, instanceSeq }) => !this.#read.has(seq) && !this.#instance.isOwn(instanceSeq))
    this.#read = new Set(rows.map(({ seq }) => seq))
    const changes = fresh.flatMap(({ detail }) => JSON.parse(detail) as Change[])
    if (changes.length > 0) for (const watcher of [...this.#watchers]) watcher(changes)
  }
}
