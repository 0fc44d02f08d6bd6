import { Database } from 'bun:sqlite'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../db/contract/store.ts'
import { Backups } from '../../src/backup/backups.ts'
import { type Environment, loadConfig } from '../../src/config/config.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { makeFolder, seedStore, type TestFolder } from '../db/fixtures.ts'
import { openFile } from '../openFile.ts'

const log = createLogger({ level: 'silent', format: 'json' })

/** 2026-01-31T04:00:00Z */
export const fourInTheMorning = Date.UTC(2026, 0, 31, 4)

/** A database of its own, and the backups that are made of it by a clock that a test moves. */
export class BackupScene {
  readonly folder: TestFolder
  readonly clock = new ManualClock(fourInTheMorning)
  readonly store: Store
  readonly dir: string
  #opened: Backups[] = []

  private constructor(folder: TestFolder, store: Store) {
    this.folder = folder
    this.store = store
    this.dir = join(folder.path, 'backups')
  }

  static async make(): Promise<BackupScene> {
    const folder = makeFolder()
    const clock = new ManualClock(fourInTheMorning)
    const store = await openFile(folder.file, clock)
    await seedStore(store)
    return new BackupScene(folder, store)
  }

  /** The backups as a gateway with these settings has them; each call is another start of it. */
  async open(env: Environment = {}): Promise<Backups> {
    const { backup: config } = loadConfig({ BACKUP_DIR: this.dir, ...env })
    const { clock, store } = this
    const backups = await Backups.open({ store, clock, log, databasePath: this.folder.file, config })
    this.#opened.push(backups)
    return backups
  }

  /** Waits for the upload, too. */
  async runAll(backups: Backups): Promise<void> {
    await backups.run()
    await backups.uploading
  }

  files(): string[] {
    return existsSync(this.dir) ? readdirSync(this.dir).sort() : []
  }

  async remove(): Promise<void> {
    for (const backups of this.#opened) await backups.stop()
    await this.store.close()
    this.folder.remove()
  }
}

/** @returns the names of the workspaces in a backup: it is read as any database. */
export function workspacesIn(file: string): unknown[] {
  using client = new Database(file, { readonly: true })
  return client.query('SELECT name FROM workspaces ORDER BY name').values().flat()
}
