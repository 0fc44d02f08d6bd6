import type { Issue } from '../base/errors.ts'
import type { MediaLink } from './media.ts'

/** A link to be uploaded, and the field of the send body that gave it, for the answer when it cannot be fetched. */
export interface MediaSlot extends MediaLink {
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

/** Notes a link for uploading, only once even when several cards show it. */
export function noteMedia(found: RenderNotes, slot: MediaSlot): void {
  if (!found.media.some(({ link }) => link === slot.link)) found.media.push(slot)
}
