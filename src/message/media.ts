import { dayMs } from '../base/durations.ts'
import { field, isObject, text } from '../base/json.ts'
import { uploadedFileMs } from '../base/upstreamLimits.ts'
import { type FileType, fileTypes } from './words.ts'

/** The kinds of header files that a template can show (docs/upstream.md#media). */
export type MediaFormat = Extract<FileType, 'image' | 'video' | 'document'>

/** A day less than an uploaded file's id lives, so that none expires between the check and the send. */
export const mediaIdMs = uploadedFileMs - dayMs

/**
 * A file that a client knows by the upstream's id alone is remembered by that as well: in place of link and format
 * stand the id and this word, and in place of the upstream's id that of the file here.
 */
export const idFormat = 'id'

/** @returns the upstream's ids of the files that a part of its request shows */
export function* mediaIdsIn(part: unknown): Generator<string> {
  if (Array.isArray(part)) for (const item of part) yield* mediaIdsIn(item)
  if (!isObject(part)) return
  for (const [name, value] of Object.entries(part)) {
    const id = fileTypes.some(type => type === name) ? text(field(value, 'id')) : null
    if (id !== null) yield id
    else yield* mediaIdsIn(value)
  }
}
