import type { EpochMs } from '../../src/base/clock.ts'
import { dayMs } from '../../src/base/durations.ts'
import type { Issue, Reason } from '../../src/base/errors.ts'

/** Calls that were refused are kept apart: however many others come, they push none of them out. */
export const requestOutcomes = ['answered', 'refused'] as const
export type RequestOutcome = (typeof requestOutcomes)[number]

/** Calls of each outcome that are kept of a workspace. Older ones are not shown, and are deleted soon. */
export const requestsKept = 10_000
/** And for how long: what is older is a matter of the caller's own log. */
export const requestsKeptMs = dayMs
/** Calls of one row: a page of the console reads a few rows. */
export const blockMax = 250
/** What is no longer among the last is deleted each time that so many more have come: not with each write. */
const trimmedAfter = 1_000

/** @returns the number up to which calls may be deleted now that a block ends with `seq`; null: not this time */
export function trimmedTo({ seq, count }: { readonly seq: number; readonly count: number }): number | null {
  const isDue = Math.floor(seq / trimmedAfter) !== Math.floor((seq - count) / trimmedAfter)
  return isDue && seq > requestsKept ? seq - requestsKept : null
}

/** What was wrong with a refused call. Nothing in it is what the caller sent, but for names of fields. */
export interface KeptRefusal {
  readonly reason: Reason
  readonly message: string
  /** Of the upstream, whose own words are not kept. */
  readonly code: number | null
  readonly issues: readonly Issue[]
  /** Problems that were answered and are not in the list. */
  readonly issuesLeftOut: number
}

/** A call of an API key, as it was answered. */
export interface ApiRequest {
  /** When it was answered. */
  readonly at: EpochMs
  readonly keyId: string
  /** Method and route: `POST /messages/send`. */
  readonly call: string
  readonly status: number
  /** From its first byte to its answer. */
  readonly ms: number
  readonly requestId: string
  /** The message that it made, or asked for. */
  readonly messageId: string | null
  /** Null: it was answered. */
  readonly refusal: KeptRefusal | null
}

/** With its number among those of its outcome in the workspace; numbers grow. */
export interface NumberedRequest extends ApiRequest {
  readonly outcome: RequestOutcome
  readonly number: number
}

/** Calls of one workspace and outcome, as they are stored. */
export interface RequestBlock {
  readonly workspaceId: string
  readonly outcome: RequestOutcome
  readonly count: number
  /** When its last call was answered. */
  readonly at: EpochMs
  readonly calls: string
}

/** A bounded step through the calls of an outcome, newest first. */
export interface RequestQuery {
  readonly workspaceId: string
  readonly outcome: RequestOutcome
  /** Calls with smaller numbers; null: from the newest on. */
  readonly before: number | null
  /** Calls that were answered earlier are left out. */
  readonly since: EpochMs
  /** What a wanted call has: its ids, its call or its reason. Others may be left out, without a closer look. */
  readonly having?: readonly string[]
  /** So many calls are looked at. */
  readonly scan: number
}

export interface RequestStep {
  readonly requests: readonly NumberedRequest[]
  /** Continues with smaller numbers; null at the end. */
  readonly before: number | null
}

export interface ApiRequestReads {
  apiRequests(query: RequestQuery): Promise<RequestStep>
}

export interface ApiRequestWrites {
  /**
   * Keeps calls of API keys behind those that are there, in batches, so that no call waits for it. Those of a workspace
   * that is gone are left out. Deletes what is no longer among the last, from time to time.
   */
  recordApiRequests(change: { blocks: readonly RequestBlock[] }): Promise<void>
  /** The oldest of each workspace. */
  pruneApiRequests(prune: { answeredBefore: EpochMs; limit: number }): Promise<number>
}

/** Without names of fields, which would be half of it: it is written for each send. */
type Packed = readonly [
  at: EpochMs,
  keyId: string,
  call: string,
  status: number,
  ms: number,
  requestId: string,
  messageId: string | null,
  refusal?: KeptRefusal,
]

/** @returns calls of a workspace and an outcome, as they are stored */
export const blocksOf = (
  of: Pick<RequestBlock, 'workspaceId' | 'outcome'>,
  requests: readonly ApiRequest[],
): RequestBlock[] =>
  Array.from({ length: Math.ceil(requests.length / blockMax) }, (_, at) => {
    const calls = requests.slice(at * blockMax, (at + 1) * blockMax)
    return { ...of, count: calls.length, at: calls.at(-1)?.at ?? 0, calls: JSON.stringify(calls.map(packed)) }
  })

function packed({ at, keyId, call, status, ms, requestId, messageId, refusal }: ApiRequest): Packed {
  const fields = [at, keyId, call, status, ms, requestId, messageId] as const
  return refusal ? [...fields, refusal] : fields
}

/** @returns the calls of a block, oldest first */
export const unpacked = (calls: string): ApiRequest[] =>
  // Only `blocksOf` makes it.
  (JSON.parse(calls) as Packed[]).map(
    ([at, keyId, call, status, ms, requestId, messageId, refusal = null]): ApiRequest => ({
      ...{ at, keyId, call, status, ms, requestId, messageId, refusal },
    }),
  )
