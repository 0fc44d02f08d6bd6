import { type Clock, type EpochMs, moment, type SteadyMs } from '../src/base/clock.ts'
import type { Logger } from '../src/telemetry/log.ts'
import type { MigrationNews, Upgrade } from './migrations.ts'

/** An operator who looks at the log sees soon that it goes on. */
const reportMs = 5_000
const bytesPerMegabyte = 1_048_576

/**
 * Tells of a migration while it runs: in the log, and to who supervises this process. What it takes comes from who
 * migrates, which may be a thread that is busy; the report itself is on the main thread.
 */
export class MigrationReport {
  readonly #log: Logger
  readonly #clock: Clock
  readonly #tell: (status: string) => void
  #running: { startedAt: EpochMs; startedSteady: SteadyMs; step: string } | null = null
  #cancelTimer = () => {}

  /** @param parts.tell for the supervisor: called at the beginning and every few seconds, until the migration ends */
  constructor(parts: { log: Logger; clock: Clock; tell?: (status: string) => void }) {
    this.#log = parts.log
    this.#clock = parts.clock
    this.#tell = parts.tell ?? (() => {})
  }

  /** Whether a migration has begun and not ended. */
  get isRunning(): boolean {
    return this.#running !== null
  }

  readonly take = (news: MigrationNews): void => {
    switch (news.kind) {
      case 'begins':
        this.#begin(news.upgrade)
        break
      case 'step':
        if (this.#running) this.#running.step = news.step
        break
      case 'ended':
        if (this.#running) this.#log.info({ seconds: this.#seconds() }, 'the database is migrated')
        this.close()
        break
    }
  }

  /** Ends the report, also of a migration that was not finished. */
  close(): void {
    this.#cancelTimer()
    this.#running = null
  }

  #begin({ from, to, migrations, bytes, copy }: Upgrade): void {
    // A transaction that collided with another one begins again.
    this.#cancelTimer()
    const startedAt = this.#clock.now()
    this.#running = { startedAt, startedSteady: this.#clock.steady(), step: 'beginning' }
    const megabytes = Math.ceil(bytes / bytesPerMegabyte)
    this.#log.info(
      { from, to, migrations, megabytes, ...(copy !== null && { copy }) },
      'the database is of an older version and is migrated; the gateway is not ready until then',
    )
    this.#repeat()
  }

  #repeat(): void {
    if (this.#running === null) return
    const { startedAt, step } = this.#running
    this.#tell(`Migrating the database since ${moment(startedAt)} UTC: ${step}`)
    this.#cancelTimer = this.#clock.setTimer(reportMs, () => {
      this.#log.info({ step: this.#running?.step, seconds: this.#seconds() }, 'the database is being migrated')
      this.#repeat()
    })
  }

  #seconds(): number {
    return this.#running === null ? 0 : Math.round((this.#clock.steady() - this.#running.startedSteady) / 1_000)
  }
}
