import type { Store } from '../../db/contract/store.ts'
import { type Clock, type EpochMs, systemClock } from '../base/clock.ts'
import { hourMs, minuteMs } from '../base/durations.ts'
import { messageOf } from '../base/errors.ts'
import { nextTime } from '../base/recurrence.ts'
import type { BackupConfig } from '../config/backup.ts'
import type { Logger } from '../telemetry/log.ts'
import { Mailbox } from '../threads/mailbox.ts'
import { type BackupName, backupsIn } from './files.ts'
import type { Backup, BackupOrder, UploadOrder } from './make.ts'
import { type BackupStatus, type BackupsDue, backupsDue, readStatus, statusProperty } from './status.ts'

/** A failed backup is retried after this time, or at the next scheduled time if that is sooner. */
const retryMs = 15 * minuteMs
/** A backup or an upload that takes longer has hung: it is terminated and retried. Silent uploads end much sooner. */
const takesMsMax = 6 * hourMs
/** A stop does not wait for a backup: the next one removes the unfinished file. */
const stopMsMax = 100

interface BackupVerbs {
  makeBackup(order: BackupOrder): Promise<Backup>
  uploadBackup(order: UploadOrder): Promise<string>
}

interface BackupParts {
  readonly store: Pick<Store, 'read' | 'write'>
  readonly clock: Clock
  readonly log: Logger
  readonly databasePath: string
  readonly config: BackupConfig
}

/**
 * Automatic backups, each in a thread of its own, and their uploads, each in another: a bucket that fails or hangs
 * never keeps a backup from being made. A failure is logged, kept for `doctor`, and retried; it never affects a send.
 */
export class Backups {
  readonly #parts: BackupParts
  #startedAt: EpochMs
  #status: BackupStatus
  #triedAt = Number.NEGATIVE_INFINITY
  #uploadTriedAt = Number.NEGATIVE_INFINITY
  readonly #threads = new Set<Mailbox<BackupVerbs>>()
  #running: Promise<void> | undefined
  #uploading: Promise<void> | undefined
  #isStopped = false

  private constructor(parts: BackupParts, status: BackupStatus) {
    this.#parts = parts
    this.#status = status
    this.#startedAt = parts.clock.now()
  }

  static async open(parts: BackupParts): Promise<Backups> {
    // Without this, a folder that is no longer used, as after a move to PostgreSQL, would raise alerts for ever.
    const stored = parts.config.dir === null ? null : await parts.store.read.property(statusProperty)
    return new Backups(parts, readStatus(stored, parts.config.bucket !== null))
  }

  /** The last backup and the last failure, also those before a restart of the gateway. */
  get status(): BackupStatus {
    return this.#status
  }

  /** When the ones after the last good ones are due. */
  get due(): BackupsDue {
    return backupsDue(this.#status, this.#parts.config.every)
  }

  /** The upload that is under way. */
  get uploading(): Promise<void> {
    return this.#uploading ?? Promise.resolve()
  }

  /**
   * Makes a backup when one is due, and then begins to upload the newest when the bucket lacks it, for which it does
   * not wait. Never throws; a second call waits for the first.
   */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #run(): Promise<void> {
    const { dir } = this.#parts.config
    if (dir === null || this.#isStopped) return
    if (this.#isDue(this.#newest(dir)?.at ?? null)) await this.#make(dir)
    this.#uploading ??= this.#upload(dir).finally(() => {
      this.#uploading = undefined
    })
  }

  /** Ends a backup that is being made, and an upload. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#threads].map(thread => thread.stop()))
  }

  /**
   * Ignores files dated in the future, after a clock was set back: they must neither stop all backups nor make one due.
   */
  #newest(dir: string): BackupName | undefined {
    const now = this.#parts.clock.now()
    return backupsIn(dir).find(({ at }) => at <= now)
  }

  /** @param last when the newest backup was made; null when there is none */
  #isDue(last: EpochMs | null): boolean {
    const { clock, config } = this.#parts
    if (clock.steady() - this.#triedAt < retryMs) return false
    const now = clock.now()
    // The clock was set back: its first time is one step away from now.
    this.#startedAt = Math.min(this.#startedAt, now)
    if (last !== null) return nextTime(config.every, last) <= now
    // With a pattern the first backup is made at its time; with an interval, at once.
    return 'everyMs' in config.every || nextTime(config.every, this.#startedAt) <= now
  }

  async #make(dir: string): Promise<void> {
    const { clock, log, databasePath, config } = this.#parts
    const at = clock.now()
    this.#triedAt = clock.steady()
    try {
      const startedAt = systemClock.steady()
      const made = await this.#inThread(({ makeBackup }) => makeBackup({ databasePath, dir, keep: config.keep, at }))
      this.#triedAt = Number.NEGATIVE_INFINITY
      const seconds = Math.round((systemClock.steady() - startedAt) / 100) / 10
      log.info({ ...made, seconds }, 'made a backup')
      await this.#note({ lastBackup: { ...made, at, seconds }, makeFailure: null })
    } catch (error) {
      await this.#fail('the backup could not be made', 'makeFailure', error)
    }
  }

  async #upload(dir: string): Promise<void> {
    const { clock, log, config } = this.#parts
    const { bucket, keep } = config
    const name = this.#newest(dir)?.name
    if (bucket === null || name === undefined || this.#status.lastUpload?.name === name || this.#isStopped) return
    if (clock.steady() - this.#uploadTriedAt < retryMs) return
    this.#uploadTriedAt = clock.steady()
    try {
      const url = await this.#inThread(({ uploadBackup }) => uploadBackup({ bucket, dir, name, keep }))
      this.#uploadTriedAt = Number.NEGATIVE_INFINITY
      log.info({ url }, 'uploaded a backup')
      await this.#note({ lastUpload: { name, url, at: clock.now() }, uploadFailure: null })
    } catch (error) {
      await this.#fail('the backup could not be uploaded', 'uploadFailure', error)
    }
  }

  /** Opens a thread for one piece of work, and ends it afterwards. */
  async #inThread<Result>(work: (verbs: BackupVerbs) => Promise<Result>): Promise<Result> {
    const { log } = this.#parts
    // In real time, also where a test moves the other clock: the work is real.
    const thread = await Mailbox.open<BackupVerbs>({
      worker: 'backup',
      options: null,
      clock: systemClock,
      log,
      stopMsMax,
      onCrash: () => {},
    })
    this.#threads.add(thread)
    const cancelLimit = systemClock.setTimer(takesMsMax, () => void thread.stop())
    try {
      if (this.#isStopped) throw new Error('the gateway is stopping')
      return await work(thread.verbs())
    } finally {
      cancelLimit()
      await thread.stop()
      this.#threads.delete(thread)
    }
  }

  async #fail(what: string, step: 'makeFailure' | 'uploadFailure', error: unknown): Promise<void> {
    if (this.#isStopped) return
    const { clock, log } = this.#parts
    const reason = messageOf(error)
    log.error({ reason, retryMinutes: retryMs / minuteMs }, what)
    const at = clock.now()
    await this.#note({ [step]: { since: this.#status[step]?.since ?? at, at, reason } })
  }

  /** For `doctor`, which is another process. If it cannot be stored, the log has it. */
  async #note(change: Partial<BackupStatus>): Promise<void> {
    const { store } = this.#parts
    this.#status = { ...this.#status, ...change }
    await store.write.putProperty({ name: statusProperty, value: JSON.stringify(this.#status) }).catch(() => {})
  }
}
