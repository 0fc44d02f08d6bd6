import type { Clock, EpochMs, SteadyMs } from '../../src/base/clock.ts'
import { DatabaseClock } from '../../src/base/databaseClock.ts'
import { FailureSpell } from '../../src/base/failureSpell.ts'
import { clockDifferenceMsMax } from '../../src/base/runningTime.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import { mayLeave } from '../../src/message/statuses.ts'
import type { Logger } from '../../src/telemetry/log.ts'
import { first } from '../rules/engine.ts'
import { statusText } from '../schema/statuses.ts'
import type { Connection, Pool } from './open.ts'
import { inTransaction, reading } from './transaction.ts'

/** The interval of heartbeats. */
export const heartbeatMs = 2_000
/** An instance counts as alive this long after its last heartbeat: four may fail. */
export const leaseMs = 10_000
/** A heartbeat that is not answered by then is retried: one broken connection must not cost the lease. */
const beatMsMax = 2_500
/**
 * An instance whose last heartbeat is older than this has missed one: perhaps all have, because the server or the
 * network was down.
 */
const heardMsMax = leaseMs / 2
/** After such an outage, all others have the time for a heartbeat and a retry before anyone counts as gone. */
const graceMs = heartbeatMs + beatMsMax
/** The clock of the database, in epoch milliseconds: the only one that instances share. */
export const databaseNow = 'floor(extract(epoch FROM clock_timestamp()) * 1000)'

/**
 * No lease ends later, but those that a clock gave which was ahead. The rest: when the clock is set back, by however
 * little, an instance that was heard just before does not end others whose leases it makes longer.
 */
const latestEnd = `${databaseNow} + ${leaseMs + heardMsMax}`
/** @returns the condition that a lease until `expiresAt` is in force */
export const isInForce = (expiresAt: string) => `${expiresAt} > ${databaseNow} AND ${expiresAt} <= ${latestEnd}`
/** @returns the condition that an instance with a lease until `expiresAt` has missed no heartbeat, by one clock */
const wasHeard = (expiresAt: string) =>
  `${expiresAt} > ${databaseNow} + ${leaseMs - heardMsMax} AND ${expiresAt} <= ${databaseNow} + ${leaseMs}`

/** Another instance has found this one's lease expired. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * The row of this process among the instances on one database. Messages that it is to send name its number. Each start
 * takes a higher number, and so does a process whose lease was lost: its work under the old number is refused.
 *
 * `FOR KEY SHARE` on the own row is the fence. It does not block heartbeats, and another instance that finds the lease
 * expired can delete the row only when no transaction of this instance is open. An instance that deletes the row sees
 * what such a transaction has stored.
 */
export class Instance {
  readonly #pool: Pool
  readonly #name: string
  readonly #clock: Clock
  readonly #log: Logger
  /** All numbers that this process has had or asked for, the last one last. */
  readonly #seqs: number[] = []
  #seq = 0
  readonly #unheard = new FailureSpell()
  readonly #wrongTime = new FailureSpell()
  #isStopped = false
  #cancelTimer = () => {}
  #renewing: Promise<void> | null = null
  #beating = Promise.resolve()
  /** Published with each heartbeat: this process watches for changes. */
  watches = false
  /**
   * Whether an endpoint of webhooks may ask for the acceptance of messages. An acceptance looks only then: the look
   * alone would cost each some percent of the server's time for it.
   */
  mayBeAsked = true
  /** How often this process has changed endpoints. */
  webhookChanges = 0
  /** Called with each heartbeat: whether another instance watches. */
  onBeat: (isWatched: boolean) => void = () => {}

  private constructor(parts: { pool: Pool; name: string; clock: Clock; log: Logger }) {
    this.#pool = parts.pool
    this.#name = parts.name
    this.#clock = parts.clock
    this.#log = parts.log
  }

  /** @param parts.name host and process, for the operator */
  static async start(parts: { pool: Pool; name: string; clock: Clock; log: Logger }): Promise<Instance> {
    const instance = new Instance(parts)
    await instance.#register()
    instance.#beatLater()
    return instance
  }

  get seq(): number {
    return this.#seq
  }

  /** Whether a number is, or was, one of this process. */
  isOwn(seq: number): boolean {
    return this.#seqs.includes(seq)
  }

  /**
   * Runs a transaction that has an effect only while this instance lives; its row comes first in the order of locks.
   * @param work as in `inTransaction`; `seq` is the instance number for its messages
   * @param calls as there
   */
  fenced<Result>(work: (connection: Connection, seq: number) => Promise<Result>, calls = 1): Promise<Result> {
    return this.owning(seq => {
      const run = async (connection: Connection) => {
        const held = await connection.query('SELECT 1 FROM instances WHERE seq = $1 FOR KEY SHARE', [seq])
        if (held.length === 0) throw new LeaseLost()
        return await work(connection, seq)
      }
      return inTransaction(this.#pool, 'read committed', run, { calls, readsFirst: true })
    })
  }

  /**
   * Runs work under the number of this instance. After a lost lease it is repeated under a new one.
   * @param work throws LeaseLost, with nothing stored, when there is no row of this number any more
   */
  async owning<Result>(work: (seq: number) => Promise<Result>): Promise<Result> {
    for (;;) {
      const seq = this.#seq
      try {
        return await work(seq)
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error
        await this.renew(seq)
      }
    }
  }

  /**
   * Deletes the rows of instances whose lease has expired, so that their messages can be taken over. Safe to repeat.
   * Only an instance without a missed heartbeat for a while can distinguish a dead instance from a network failure.
   */
  async buryOthers(): Promise<void> {
    await reading(this.#pool, () =>
      this.#pool.query(
        `DELETE FROM instances WHERE seq IN (
           SELECT seq FROM instances WHERE NOT (${isInForce('expires_at')}) AND seq <> $1 FOR UPDATE SKIP LOCKED)
         AND EXISTS (
           SELECT FROM instances AS own WHERE own.seq = $1
             AND own.heard_since <= ${databaseNow} - ${graceMs} AND ${wasHeard('own.expires_at')})`,
        [this.#seq],
      ),
    )
  }

  /** Other instances take over its messages at once. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTimer()
    await this.#beating
    const { query } = this.#pool
    await reading(this.#pool, () => query('DELETE FROM leases WHERE instance_seq = ANY($1::bigint[])', [this.#seqs]))
    await reading(this.#pool, () => query('DELETE FROM instances WHERE seq = ANY($1::bigint[])', [this.#seqs]))
  }

  /**
   * Takes a new number, unless that was done since the lease of `lostSeq` was lost.
   * @throws Unavailable when it is not known whether it has one: the next call tries again
   */
  async renew(lostSeq: number): Promise<void> {
    if (this.#seq !== lostSeq) return
    this.#renewing ??= this.#register().finally(() => {
      this.#renewing = null
    })
    try {
      await this.#renewing
    } catch (error) {
      // Nothing that this process wanted to store under the new number was stored.
      throw error instanceof OutcomeUnknown ? new Unavailable(error.message) : error
    }
  }

  /**
   * The messages in this process's memory that no other instance has taken get the new number in the same step. The
   * number is known before it is stored, so that no message can be left under an unknown number, even when the answer
   * is lost.
   */
  async #register(): Promise<void> {
    const former = [...this.#seqs]
    const askedAt = this.#clock.steady()
    const next = await reading(this.#pool, () =>
      first(
        this.#pool.query<{ seq: number; now: EpochMs }>(
          `SELECT nextval('instances_seq_seq')::float8 AS seq, ${databaseNow}::float8 AS now`,
        ),
      ),
    )
    if (!next) throw new Error('PostgreSQL gave no number for this instance.')
    const { seq, now } = next
    this.#compareClocks(now, askedAt)
    this.#seqs.push(seq)
    await inTransaction(this.#pool, 'read committed', async ({ query }) => {
      await query(
        `INSERT INTO instances (seq, name, started_at, heard_since, expires_at, watches)
         VALUES ($1, $2, ${databaseNow}, ${databaseNow}, ${databaseNow} + ${leaseMs}, $3)`,
        [seq, this.#name, this.watches],
      )
      if (former.length === 0) return
      // A registration whose answer was lost may still be in flight: inserting its row again waits for it.
      await query(
        `INSERT INTO instances (seq, name, started_at, heard_since, expires_at) SELECT former, '', 0, 0, 0
         FROM unnest($1::bigint[]) AS former ON CONFLICT DO NOTHING`,
        [former],
      )
      await query('DELETE FROM instances WHERE seq = ANY($1::bigint[])', [former])
      await query(
        `UPDATE messages SET instance_seq = $1 WHERE seq IN (
           SELECT seq FROM messages WHERE instance_seq = ANY($2::bigint[]) AND ${statusText(mayLeave)}
           ORDER BY id FOR UPDATE)`,
        [seq, former],
      )
    })
    this.#seq = seq
    if (former.length > 0)
      this.#log.warn({ instance: seq }, 'the lease of this instance was lost; continuing with a new one')
  }

  #beatLater(): void {
    if (this.#isStopped) return
    this.#cancelTimer = this.#clock.setTimer(heartbeatMs, () => {
      this.#beating = this.beat().then(() => this.#beatLater())
    })
  }

  /** Sends a heartbeat, compares the clocks, and schedules the next one. */
  async beat(): Promise<void> {
    const seq = this.#seq
    const askedAt = this.#clock.steady()
    try {
      const beat = await reading(
        this.#pool,
        () =>
          first(
            this.#pool.query<{ isWatched: boolean; now: EpochMs }>(
              `UPDATE instances SET expires_at = ${databaseNow} + ${leaseMs}, watches = $2,
               heard_since = CASE WHEN ${wasHeard('expires_at')} THEN heard_since ELSE ${databaseNow} END
             WHERE seq = $1
             RETURNING EXISTS (
               SELECT 1 FROM instances AS others WHERE others.seq <> $1 AND watches
                 AND ${isInForce('others.expires_at')}
             ) AS "isWatched", ${databaseNow}::float8 AS now`,
              [seq, this.watches],
            ),
          ),
        beatMsMax,
      )
      if (beat === null) await this.renew(seq)
      else {
        this.#compareClocks(beat.now, askedAt)
        this.onBeat(beat.isWatched)
      }
      this.#unheard.worked(failures => this.#log.info({ failures }, 'heartbeat works again'))
    } catch (error) {
      this.#unheard.failed(() => this.#log.error({ err: error }, 'heartbeat failed; retrying'))
    }
  }

  #compareClocks(now: EpochMs, askedAt: SteadyMs): void {
    const clock = this.#clock
    // Any other clock is a test's.
    if (!(clock instanceof DatabaseClock)) return
    clock.heard(now, askedAt)
    const aheadMs = clock.aheadMs ?? 0
    if (Math.abs(aheadMs) > clockDifferenceMsMax)
      this.#wrongTime.failed(() =>
        this.#log.error({ aheadMs }, 'the clock of this machine differs from that of the database: correct it'),
      )
    else
      this.#wrongTime.worked(() =>
        this.#log.info({ aheadMs }, 'the clock of this machine agrees with that of the database again'),
      )
  }
}
