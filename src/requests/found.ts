import {
  type ApiRequestReads,
  type NumberedRequest,
  type RequestOutcome,
  requestOutcomes,
} from '../../db/contract/apiRequests.ts'
import type { EpochMs } from '../base/clock.ts'

/**
 * Calls looked at in one step: some two milliseconds in which nothing else is served. All that is kept takes twenty.
 * The first step looks at no more than fill a page.
 */
const stepCalls = 1_000

export interface RequestFilter {
  readonly outcome?: RequestOutcome | undefined
  readonly keyId?: string | undefined
  readonly call?: string | undefined
  readonly reason?: string | undefined
  readonly requestId?: string | undefined
  readonly messageId?: string | undefined
  readonly since: EpochMs
  readonly until?: EpochMs | undefined
}

export interface RequestSearch {
  readonly workspaceId: string
  readonly filter: RequestFilter
  /** The number of each outcome before which it continues, `7.3`; absent: the newest. */
  readonly cursor?: string | undefined
  readonly limit: number
}

/** The calls of one outcome, read as they are needed. */
interface Stream {
  readonly outcome: RequestOutcome
  /** Those that fit and were not taken yet, newest first. */
  found: NumberedRequest[]
  /** The next step looks at smaller numbers; null: from the newest on. */
  before: number | null
  scan: number
}

const isAtEnd = ({ before }: Stream) => before !== null && before <= 1

/**
 * One page, newest first: both outcomes in the order of their times.
 * @param turn waits until a step may run
 */
export async function findRequests(
  { read, turn }: { read: ApiRequestReads; turn: () => Promise<void> },
  { workspaceId, filter, cursor, limit }: RequestSearch,
): Promise<{ requests: NumberedRequest[]; older: string | null }> {
  const { keyId, call, reason, requestId, messageId } = filter
  const having = [keyId, call, reason, requestId, messageId].filter(text => text !== undefined)
  // Only refused calls have a reason.
  const only = reason === undefined ? filter.outcome : 'refused'
  const numbers = cursor?.split('.').map(Number)
  const streams = requestOutcomes.map((outcome, at): Stream => {
    const isLeftOut = only !== undefined && only !== outcome
    return { outcome, found: [], before: isLeftOut ? 0 : (numbers?.[at] ?? null), scan: limit }
  })
  const requests: NumberedRequest[] = []
  for (;;) {
    for (const stream of streams) {
      while (stream.found.length === 0 && !isAtEnd(stream)) {
        await turn()
        const { outcome, before, scan } = stream
        const step = await read.apiRequests({ workspaceId, outcome, before, since: filter.since, having, scan })
        stream.scan = stepCalls
        stream.found = step.requests.filter(request => fits(request, filter))
        stream.before = step.before ?? 0
      }
    }
    const [next] = streams
      .filter(({ found }) => found.length > 0)
      .sort((one, other) => (other.found[0]?.at ?? 0) - (one.found[0]?.at ?? 0))
    const request = requests.length < limit ? next?.found.shift() : undefined
    if (request) requests.push(request)
    else return { requests, older: next ? streams.map(positionOf).join('.') : null }
  }
}

/** Before which number the next page begins: after the last call that was taken. */
const positionOf = ({ found, before }: Stream) => (found[0] ? found[0].number + 1 : (before ?? 0))

function fits(request: NumberedRequest, { keyId, call, reason, requestId, messageId, until }: RequestFilter): boolean {
  return (
    (keyId === undefined || request.keyId === keyId) &&
    (call === undefined || request.call === call) &&
    (reason === undefined || request.refusal?.reason === reason) &&
    (requestId === undefined || request.requestId === requestId) &&
    (messageId === undefined || request.messageId === messageId) &&
    (until === undefined || request.at < until)
  )
}
