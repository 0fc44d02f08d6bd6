import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileReads } from '../../db/contract/files.ts'
import type { Clock } from '../base/clock.ts'
import { syncToDisk } from '../base/durable.ts'
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
 * Removes from the folder what a crash has left there, and files that the database does not know, as after a restore of
 * an older backup. Other files are never touched.
 * @returns how many
 */
export async function removeOrphans(folder: string, read: Pick<FileReads, 'wantedFiles'>): Promise<number> {
  // It is made with the first file.
  const names = existsSync(folder) ? await readdir(folder) : []
  const orphans = names.filter(name => name.startsWith('media_') && name.endsWith(partialSuffix))
  const ids = names.filter(name => idPattern.test(name))
  for (let at = 0; at < ids.length; at += stepMax) {
    const step = ids.slice(at, at + stepMax)
    const wanted = new Set(await read.wantedFiles(step))
    orphans.push(...step.filter(id => !wanted.has(id)))
  }
  for (const name of orphans) await rm(join(folder, name), { force: true })
  return orphans.length
}
