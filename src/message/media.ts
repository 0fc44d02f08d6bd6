import { dayMs } from '../time/durations.ts'

/** The kinds of header files that a template can show (docs/upstream.md#media). */
export type MediaFormat = 'image' | 'video' | 'document'

/** An uploaded file's id lives 30 days upstream. One day less, so that none expires between the check and the send. */
export const mediaIdMs = 29 * dayMs
