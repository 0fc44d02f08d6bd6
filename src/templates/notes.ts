import type { Issue } from '../base/errors.ts'
import type { MediaFormat } from '../message/media.ts'

/** A file to be uploaded before the components can be sent, and the field of the send body that gave it. */
export interface MediaSlot {
  readonly format: MediaFormat
  /** Its address, or the id of a file that is kept here. */
  readonly link: string
  /** Named in the answer when it cannot be fetched. */
  readonly path: string
}

/** What rendering collects from the message and its cards. */
export interface RenderNotes {
  readonly issues: Issue[]
  readonly media: MediaSlot[]
}

/** Notes a problem, if there is one. The path is only put together when it is needed. */
export function noteProblem(found: RenderNotes, problem: string | undefined, path: () => string): void {
  if (problem !== undefined) found.issues.push({ path: path(), message: problem })
}

/** Notes a file for uploading, only once even when several cards show it. */
export function noteMedia(found: RenderNotes, slot: MediaSlot): void {
  if (!found.media.some(({ link }) => link === slot.link)) found.media.push(slot)
}
