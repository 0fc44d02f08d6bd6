import type { KeptRefusal } from '../../db/apiRequests.ts'
import { type Issue, malformed, type Refusal } from '../errors.ts'
import { fileRefused } from '../sending/refusals.ts'

/** Problems of one call that are kept: who mends twenty has understood the rest. */
const issuesMax = 20
/** Sentences of ours are shorter, but for those that list what is allowed. */
const messageCharsMax = 400

/** Names of fields, and places in lists. Anything else in a path is a text or a number of the caller. */
const harmlessSegment = /^(?:[A-Za-z_][A-Za-z0-9_]{0,49}|\d{1,4})?$/
/** What the upstream says after its code may repeat what it was sent. */
const upstreamWords = new RegExp(`^(${fileRefused}(?:: \\d{1,9})?).*$`, 's')

/**
 * @returns what may be kept of a refusal: what was wrong and where, and nothing of what the caller sent. Our own
 *   sentences never repeat a value; names that no field would have, and the upstream's words, are left out
 */
export function keptRefusal({ reason, message, details }: Refusal): KeptRefusal {
  const answered = (details?.issues ?? []) as readonly Issue[]
  const issues = answered.slice(0, issuesMax).map(({ path, message: problem }) => ({
    path: path.split('/').map(keptSegment).join('/'),
    message: problem.replace(upstreamWords, '$1').slice(0, messageCharsMax),
  }))
  const isUpstreams = reason === 'CHANNEL_GRAPH_ERROR'
  // The message of a malformed request names its first problem.
  const sentence = issues.length > 0 ? malformed : isUpstreams ? (message.split(':', 1)[0] ?? '') : message
  return {
    reason,
    message: sentence.slice(0, messageCharsMax),
    code: isUpstreams && typeof details?.code === 'number' ? details.code : null,
    issues,
    issuesLeftOut: answered.length - issues.length,
  }
}

const keptSegment = (segment: string) => (harmlessSegment.test(segment) ? segment : '…')
