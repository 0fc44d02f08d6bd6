import { rmSync } from 'node:fs'
import type { DueFile, InboundFile } from '../../../db/contract/files.ts'
import type { Store } from '../../../db/contract/store.ts'
import type { Clock } from '../../base/clock.ts'
import type { Credentials } from '../../base/credentials.ts'
import { dayMs, hourMs, minuteMs } from '../../base/durations.ts'
import { messageOf } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { SharedPermits } from '../../base/sharedPermits.ts'
import { mediaBytesMax, userFileMs } from '../../base/upstreamLimits.ts'
import type { Logger } from '../../telemetry/log.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { Mailbox } from '../../threads/mailbox.ts'
import { type FileStorage, makeFilesFolder, partialPath, removeOrphans } from '../storage.ts'
import type { Fetched, FetcherOptions, FetcherVerbs } from './fetcher.ts'
import { StorageQuota } from './quota.ts'

/**
 * Each has an open socket and some pieces in memory. A workspace alone gets half of them, which is enough for most
 * links: the rest is for others (src/base/sharedPermits.ts).
 */
const filesAtOnce = 8
/** Of each workspace one is looked at; those that may not have another permit must not hide the others. */
const lookedAtMax = 2 * filesAtOnce
/** 10 s, 40 s, 3 minutes, 11, 43, 3 hours, then 6 hours each. */
const retry = { firstMs: 10_000, factor: 4, lastMs: 6 * hourMs } as const
/** How long a file waits after so many attempts; after more, as after the last of them. */
export const fileWaitsMs = [0, 1, 2, 3, 4, 5, 6, 7].map(made => (made === 0 ? 0 : waitAfter(made - 1)))
/** The upstream may send a file wrong once. */
const mismatchesMax = 3
/** A slow file does not keep those waiting that come meanwhile. */
const lookMs = 1_000
/**
 * After a failure of the database: what came of an attempt cannot be stored, and the upstream would be asked in vain.
 */
const restMs = minuteMs
/** A stop does not wait for a download: a later start begins it anew. */
const stopMsMax = 100

/** @param before how many attempts there were before this one */
function waitAfter(before: number): number {
  return Math.min(retry.firstMs * retry.factor ** before, retry.lastMs)
}

/** A caller's file is in the bucket within this time, or is given up. No upload takes longer. */
const announcedMs = hourMs

/** A file that a caller gave, on disk. */
export interface GivenFile {
  readonly bytes: number
  readonly sha256: string
  readonly mimeType: string
  readonly fileName: string | null
}

interface KeeperParts {
  readonly store: Pick<Store, 'read' | 'write' | 'shared'>
  readonly credentials: Pick<Credentials, 'open'>
  readonly clock: Clock
  /** The machine's: the network is real, also where a test moves the other clock. */
  readonly watch: Clock
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'files'>
  readonly options: FetcherOptions
  /** Of all workspaces; 0: no file is kept. */
  readonly storageBytesMax: number
}

/**
 * Fetches files that users sent, keeps as many as there is room for, and removes those that are not kept any more. What
 * is to be done is in the database: a file comes with its message, and a crash leaves it as it was.
 */
export class FileKeeper {
  readonly #parts: KeeperParts
  readonly #quota: StorageQuota
  #thread: Promise<Mailbox<FetcherVerbs>> | undefined
  #turn: Promise<void> = Promise.resolve()
  #swept: Promise<void> = Promise.resolve()
  #isStopped = false
  #restsUntil = Number.NEGATIVE_INFINITY

  constructor(parts: KeeperParts) {
    this.#parts = parts
    this.#quota = new StorageQuota(parts, parts.storageBytesMax)
  }

  /**
   * Does all that is due, some files at once, as long as this instance leads. A second call begins after the first.
   * @throws Error when the database fails
   */
  run(): Promise<void> {
    const done = this.#turn.then(() => this.#run())
    this.#turn = done.catch(() => {})
    return done
  }

  async #run(): Promise<void> {
    const { store, clock } = this.#parts
    if (clock.steady() < this.#restsUntil) return
    const underWay = new Map<string, Promise<void>>()
    const permits = new SharedPermits(filesAtOnce)
    const failures: unknown[] = []
    const isOver = async () =>
      this.#isStopped || failures.length > 0 || (store.shared !== null && !(await store.shared.leads()))
    const look = async (except: readonly string[]) =>
      (await isOver()) ? [] : await store.read.dueFiles({ at: clock.now(), except, limit: lookedAtMax })
    try {
      for (;;) {
        // Those that are under way are waited for: the end of their thread would leave what they have written.
        const due = await look([...underWay.keys()]).catch((error: unknown) => {
          failures.push(error)
          return []
        })
        let hasBegun = false
        for (const file of due) {
          if (!permits.hasFor(file.workspaceId)) continue
          hasBegun = true
          permits.take(file.workspaceId)
          const work = this.#do(file)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => {
              underWay.delete(file.id)
              permits.giveBack(file.workspaceId)
            })
          underWay.set(file.id, work)
        }
        if (underWay.size === 0) break
        // A workspace may have more.
        if (!hasBegun) await this.#nextLook(underWay.values())
      }
    } finally {
      await this.#close()
    }
    if (failures.length === 0) return
    this.#restsUntil = clock.steady() + restMs
    throw failures[0]
  }

  /** Until one has ended; not longer than `lookMs`, as others may have come. */
  async #nextLook(underWay: Iterable<Promise<void>>): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = this.#parts.watch.setTimer(lookMs, resolve)
    await Promise.race([...underWay, late])
    cancel()
  }

  /**
   * Keeps a file that a caller gave, as those of users.
   * @param receive writes it to a path, and says what it is
   * @returns the row, once all of it is on disk; what `receive` refuses, and then nothing is left
   */
  async keepGiven<Refused>(
    workspaceId: string,
    storage: FileStorage,
    receive: (path: string) => Promise<GivenFile | { readonly refused: Refused }>,
  ): Promise<InboundFile | { readonly refused: Refused }> {
    const { store, clock, options } = this.#parts
    const { folder } = options.storage
    const id = newId('media')
    makeFilesFolder(folder)
    const path = partialPath(folder, id)
    try {
      const given = await receive(path)
      if ('refused' in given) return given
      const { bytes, sha256, mimeType, fileName } = given
      const recordedAt = clock.now()
      const announced = { id, workspaceId, sha256, mimeType, fileName, recordedAt, dueAt: recordedAt + announcedMs }
      await store.write.announceFile(announced)
      await storage.put(id, path, mimeType)
      if (!(await store.write.keepFile({ fileId: id, bytes, mimeType })))
        throw new Error('a file was given up too early')
      this.#parts.metrics.files.add('stored')
      await this.#quota.add(workspaceId, bytes)
      return { id, state: 'stored', mimeType, fileName, bytes }
    } finally {
      rmSync(path, { force: true })
    }
  }

  /**
   * Removes files that no message has from the folder of this machine: the instance that erases them removes them from
   * its own, and from the bucket.
   */
  sweep(): Promise<void> {
    this.#swept = this.#swept.then(() => this.#sweep())
    return this.#swept
  }

  async #sweep(): Promise<void> {
    const { store, clock, log, options } = this.#parts
    const given = { read: store.read, clock, isOver: () => this.#isStopped }
    try {
      const files = await removeOrphans(options.storage.folder, given)
      if (files > 0) log.info({ files }, 'removed files of users that no message has')
    } catch (error) {
      log.warn({ err: error }, 'files of users that no message has could not be removed')
    }
  }

  /** What is stored, in bytes; null before it is measured: another instance may do this work. */
  get storedBytes(): number | null {
    return this.#quota.bytes
  }

  /** What may be stored, in bytes. */
  get storageBytesMax(): number {
    return this.#parts.storageBytesMax
  }

  /** Measures what is stored. */
  measure(): Promise<void> {
    return this.#quota.measure()
  }

  /** Ends what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#close()
    await Promise.all([this.#turn, this.#swept])
  }

  async #do(file: DueFile): Promise<void> {
    if (file.state === 'pending') await this.#download(file)
    else await this.#remove(file)
  }

  async #download(file: DueFile): Promise<void> {
    const { store, clock, credentials, storageBytesMax } = this.#parts
    const { id: fileId, recordedAt, upstreamId, sha256, mimeType } = file
    if (storageBytesMax === 0) return this.#giveUp(file, 'expired', 'MEDIA_STORAGE_MAX is 0: no file is kept')
    if (recordedAt <= clock.ago(userFileMs))
      return this.#giveUp(file, 'expired', `it could not be fetched in ${userFileMs / dayMs} days`)
    const channel = await store.read.channel(file.channelId)
    if (!channel) return this.#giveUp(file, 'expired', 'its channel was disconnected')
    const bytesMax = Math.min(mediaBytesMax.document, storageBytesMax)
    const fetched = await this.#inThread(thread => {
      // A token that cannot be opened is this file's problem alone.
      const accessToken = credentials.open(channel, 'accessToken')
      return thread.fetchFile({ fileId, upstreamId, accessToken, sha256, mimeType, bytesMax })
    })
    switch (fetched.kind) {
      case 'stored': {
        const { bytes, mimeType } = fetched
        if (!(await store.write.keepFile({ fileId, bytes, mimeType }))) return this.#removeUnwanted(fileId)
        this.#parts.metrics.files.add('stored')
        return this.#quota.add(file.workspaceId, bytes)
      }
      case 'refused':
        return this.#giveUp(file, 'failed', fetched.why)
      case 'mismatch':
        if (file.mismatches + 1 >= mismatchesMax) return this.#giveUp(file, 'failed', fetched.why)
        return this.#postpone(file, fetched)
      case 'notNow':
        return this.#postpone(file, fetched)
    }
  }

  /** It was erased or given up meanwhile, perhaps so long ago that nothing says any more that it is to be removed. */
  async #removeUnwanted(fileId: string): Promise<void> {
    if ((await this.#parts.store.read.wantedFiles([fileId])).length > 0) return
    await this.#inThread(thread => thread.removeFile(fileId))
  }

  async #remove(file: DueFile): Promise<void> {
    const removed = await this.#inThread(async thread => {
      await thread.removeFile(file.id)
      return { kind: 'removed' } as const
    })
    if (removed.kind === 'removed') await this.#parts.store.write.dropFile({ fileId: file.id })
    else await this.#postpone(file, removed)
  }

  async #postpone(file: DueFile, { kind, why }: Exclude<Fetched, { kind: 'stored' | 'refused' }>): Promise<void> {
    if (this.#isStopped) return
    const { store, clock, log } = this.#parts
    const { id: fileId, channelId, state, attempts } = file
    const dueAt = clock.now() + waitAfter(attempts)
    const what = state === 'pending' ? 'a file of a user could not be fetched' : 'a file of a user could not be removed'
    log.warn({ fileId, channelId, attempts: attempts + 1, why, retryAt: new Date(dueAt).toISOString() }, what)
    this.#parts.metrics.files.add('retried')
    await store.write.postponeFile({ fileId, dueAt, isMismatch: kind === 'mismatch' })
  }

  async #giveUp({ id: fileId, channelId }: DueFile, state: 'failed' | 'expired', why: string): Promise<void> {
    this.#parts.log.warn({ fileId, channelId, state, why }, 'a file of a user was given up')
    this.#parts.metrics.files.add(state)
    await this.#parts.store.write.giveUpFile({ fileId, state })
  }

  /** @returns what the thread answers; that it is not possible now, when it was not asked or does not answer */
  async #inThread<Result>(
    work: (verbs: FetcherVerbs) => Promise<Result>,
  ): Promise<Result | Extract<Fetched, { kind: 'notNow' }>> {
    try {
      if (this.#isStopped) throw new Error('the gateway is stopping')
      this.#thread ??= this.#open()
      return await work((await this.#thread).verbs())
    } catch (error) {
      return { kind: 'notNow', why: messageOf(error) }
    }
  }

  #open(): Promise<Mailbox<FetcherVerbs>> {
    const { options, watch, log } = this.#parts
    return Mailbox.open<FetcherVerbs>({
      worker: 'files',
      options,
      clock: watch,
      log,
      stopMsMax,
      onCrash: () => {},
    })
  }

  async #close(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    // One that could not start has nothing to stop.
    const mailbox = await thread?.catch(() => null)
    await mailbox?.stop()
  }
}
