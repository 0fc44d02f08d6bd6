import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileReads } from '../../db/contract/files.ts'
import type { Clock } from '../base/clock.ts'
import { syncToDisk } from '../base/durable.ts'
import { restAfter } from '../base/rest.ts'
import { type Bucket, openBucket } from '../bucket/bucket.ts'
import type { BucketSettings } from '../config/bucket.ts'

/** Where the files of users are. Plain data: the thread that fetches opens its own. */
export interface StorageSettings {
  /** Files are written here first, and stay here unless there is a bucket. */
  readonly folder: string
  readonly bucket: BucketSettings | null
}

/** Files by their ids, which are all that is in their names. */
export interface FileStorage {
  /** Moves a whole file that is on disk here. It replaces one of the same id. */
  put(fileId: string, path: string, mimeType: string): Promise<void>
  /** Of what is not there, too. */
  remove(fileId: string): Promise<void>
  /**
   * @param from the first byte @param end the byte after the last
   * @returns what the answer to a request is made of; null when there is no file of this size
   */
  open(fileId: string, bytes: number, from: number, end: number): Promise<Blob | ReadableStream<Uint8Array> | null>
}

/** The folder belongs to the gateway's user alone, as the data folder. */
const folderMode = 0o700

export const makeFilesFolder = (folder: string) => mkdirSync(folder, { recursive: true, mode: folderMode })

export function openStorage({ folder, bucket }: StorageSettings, clock: Clock): FileStorage {
  return bucket ? inBucket(openBucket(bucket, clock), inFolder(folder)) : inFolder(folder)
}

const inFolder = (folder: string): FileStorage => ({
  async put(fileId, path) {
    renameSync(path, join(folder, fileId))
    syncToDisk(folder)
  },
  remove: fileId => rm(join(folder, fileId), { force: true }),
  async open(fileId, bytes, from, end) {
    const path = join(folder, fileId)
    const found = await stat(path).catch(() => null)
    // The server sends it without this thread.
    return found?.size === bytes ? Bun.file(path).slice(from, end) : null
  },
})

/** @param before where files are that came before there was a bucket */
function inBucket(bucket: Bucket, before: FileStorage): FileStorage {
  return {
    async put(fileId, path, mimeType) {
      await bucket.put(fileId, path, mimeType)
      rmSync(path)
    },
    async remove(fileId) {
      await before.remove(fileId)
      await bucket.remove(fileId)
    },
    open: async (fileId, bytes, from, end) =>
      (await bucket.has(fileId, bytes))
        ? await bucket.stream(fileId, from, end)
        : await before.open(fileId, bytes, from, end),
  }
}

/** A file that is still being written. */
const partialSuffix = '.partial'

/** @returns where a file is written before it is put in its place: no two attempts share one */
export const partialPath = (folder: string, fileId: string) =>
  join(folder, `${fileId}.${crypto.randomUUID()}${partialSuffix}`)

/** As `newId` makes them. */
const idPattern = /^media_[0-9a-z]{26}$/
/** Names that are asked for at once. */
const stepMax = 500

/**
 * Removes what a crash has left half written. Called before this process writes files: later some are under way.
 * @returns how many
 */
export function removePartial(folder: string): number {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const partial = names.filter(name => name.startsWith('media_') && name.endsWith(partialSuffix))
  for (const name of partial) rmSync(join(folder, name), { force: true })
  return partial.length
}

/**
 * Removes whole files that the database does not know from the folder: another machine has erased them, or an older
 * backup was restored. A file is known before it is whole. Other files are never touched.
 * @returns how many
 */
export async function removeOrphans(
  folder: string,
  { read, clock, isOver }: { read: Pick<FileReads, 'wantedFiles'>; clock: Clock; isOver: () => boolean },
): Promise<number> {
  const ids = (existsSync(folder) ? await readdir(folder) : []).filter(name => idPattern.test(name))
  let removed = 0
  for (let at = 0; at < ids.length && !isOver(); at += stepMax) {
    const startedAt = clock.steady()
    const step = ids.slice(at, at + stepMax)
    const wanted = new Set(await read.wantedFiles(step))
    const orphans = step.filter(id => !wanted.has(id))
    for (const id of orphans) await rm(join(folder, id), { force: true })
    removed += orphans.length
    await restAfter(clock, startedAt)
  }
  return removed
}
