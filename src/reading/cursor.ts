import type { EventReads } from '../../db/contract/events.ts'
import type { Issue } from '../base/errors.ts'
import { type NumberedPrefix, numberedId, numberIn } from '../base/ids.ts'

/** What `next` of each list says. */
export const nextMeaning =
  'Give it as `after` for what comes next. It is a position, also where a page is empty because what was looked at ' +
  'was left out. You are at the end when it equals the `after` that you gave; null while there is no position to go ' +
  'on from: begin without `after` again.'

/** @param upTo the number up to which all was looked at. @returns the `next` of a page */
export const nextOf = (prefix: NumberedPrefix, workspaceId: string, upTo: number): string | null =>
  upTo === 0 ? null : numberedId(prefix, workspaceId, upTo)

/**
 * @param after the position that the caller gave
 * @returns the number after which a page begins; null for what was never given out, as after a restore from a backup
 */
export async function positionAfter(
  read: Pick<EventReads, 'lastNumber'>,
  prefix: NumberedPrefix,
  workspaceId: string,
  after: string | undefined,
): Promise<number | null> {
  if (after === undefined) return 0
  const number = numberIn(prefix, workspaceId, after)
  return number !== null && number <= (await read.lastNumber(workspaceId)) ? number : null
}

/** Of a position that is null. */
export const noPosition: Issue = {
  path: '/after',
  message: 'is no position in the list of this workspace: it is of another one, of another list, or lies in the future',
}
