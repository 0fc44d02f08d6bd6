import type { EpochMs } from '../../src/base/clock.ts'
import type { FileState } from '../schema/files.ts'
import type { Row } from '../schema/tables.ts'

export type { FileState }

/** A file as its message brings it. */
export type NewFile = Pick<Row<'inboundFiles'>, 'id' | 'upstreamId' | 'sha256' | 'mimeType' | 'fileName'>

/** A file as callers see it. */
export type InboundFile = Pick<Row<'inboundFiles'>, 'id' | 'mimeType' | 'fileName' | 'bytes'> & {
  readonly state: FileState
}

/** A file with something to do: to fetch one that is `pending`, to remove any other. */
export type DueFile = Omit<Row<'inboundFiles'>, 'fileName' | 'dueAt' | 'bytes'>

export interface StoredBytes {
  readonly workspaces: readonly { readonly workspaceId: string; readonly bytes: number }[]
  readonly after: string | null
}

/** What an id of the upstream's stands for on a line: a file that is kept here, or what was behind a link. */
export interface SentFile {
  readonly lineId: string
  readonly mediaId: string
  readonly link: string | null
  readonly file: InboundFile | null
}

export interface FileReads {
  /**
   * @param query `lineIds`: a file that a user sent to another line is not found; one that a caller gave is of no line,
   *   and found
   * @returns null for one of another workspace, too
   */
  file(query: {
    workspaceId: string
    fileId: string
    lineIds?: readonly string[] | undefined
  }): Promise<(InboundFile & Pick<Row<'inboundFiles'>, 'sha256'>) | null>
  /**
   * Of each workspace the file that is due the longest, so that one with many does not hide those of others; among them
   * the longest due first. Erased files, which are nobody's, are as of one workspace. `except`: these are left out.
   */
  dueFiles(query: { at: EpochMs; except: readonly string[]; limit: number }): Promise<DueFile[]>
  /** @returns those of the ids whose files are stored, or are still to be */
  wantedFiles(fileIds: readonly string[]): Promise<string[]>
  /**
   * Adds up the stored files of each workspace, at most `limit` in a step, after the id `after`.
   * @returns `after`: where the next step begins; null at the end
   */
  storedBytes(query: { after: string; limit: number }): Promise<StoredBytes>
}

/** The uploaded files of lines. */
interface UploadWrites {
  rememberMedia(upload: Row<'mediaUploads'>): Promise<void>
  /** Deletes media ids that the upstream no longer knows. */
  forgetMedia(uploads: { lineId: string; mediaIds: readonly string[] }): Promise<void>
  pruneMedia(prune: { expiredBefore: EpochMs; limit: number }): Promise<number>
}

export interface FileWrites extends UploadWrites {
  /**
   * Announces a file that a caller gives, before it is put where files are kept. Unless `keepFile` follows, it is given
   * up at `dueAt`.
   */
  announceFile(
    file: Pick<Row<'inboundFiles'>, 'id' | 'workspaceId' | 'sha256' | 'mimeType' | 'fileName' | 'recordedAt' | 'dueAt'>,
  ): Promise<void>
  /** The file is stored under its id. Changes nothing when it is not `pending` any more. @returns whether it was */
  keepFile(change: { fileId: string; bytes: number; mimeType: string }): Promise<boolean>
  /** It is tried again later. */
  postponeFile(change: { fileId: string; dueAt: EpochMs; isMismatch: boolean }): Promise<void>
  /** A `pending` file is given up, and what may be there of it becomes due to be removed. */
  giveUpFile(change: { fileId: string; state: 'failed' | 'expired' }): Promise<void>
  /** A file is not kept any longer: what is there of it becomes due to be removed. */
  expireFile(change: { fileId: string }): Promise<void>
  /** A file that was due to be removed is gone. The row of one that was erased goes, too. */
  dropFile(change: { fileId: string }): Promise<void>
  /**
   * Stored files that came before `recordedBefore`, or of channels that were disconnected, become `expired` and due to
   * be removed. @returns how many
   */
  expireFiles(prune: { recordedBefore: EpochMs; limit: number }): Promise<number>
  /**
   * The oldest stored files of a workspace become `expired`, until they have as many bytes.
   * @returns how many they had
   */
  expireOldestFiles(prune: { workspaceId: string; bytes: number; limit: number }): Promise<number>
  /** Files whose messages came before `recordedBefore` are erased. @returns how many */
  eraseOldFiles(prune: { recordedBefore: EpochMs; limit: number }): Promise<number>
}
