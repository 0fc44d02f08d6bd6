import { dayMs } from '../base/durations.ts'
import { uploadedFileMs } from '../base/upstreamLimits.ts'
import type { FileType } from './words.ts'

/** The kinds of header files that a template can show (docs/upstream.md#media). */
export type MediaFormat = Extract<FileType, 'image' | 'video' | 'document'>

/** A day less than an uploaded file's id lives, so that none expires between the check and the send. */
export const mediaIdMs = uploadedFileMs - dayMs
