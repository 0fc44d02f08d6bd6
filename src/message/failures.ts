import type { EpochMs } from '../clock.ts'

/**
 * The failures that the upstream reported of one message, one for each attempt, as JSON text: a message keeps them in
 * one column. The upstream's ids name the attempts. The same reports make the same text, in any order and however often
 * they come.
 */
export type Failures = string

export interface Failure {
  /** The upstream's id of the attempt. */
  readonly id: string
  readonly at: EpochMs
  readonly reason: string | null
}

/**
 * How many attempts' failures a message keeps, the last ones. Few messages have more than one attempt that the upstream
 * gave an id and refused all the same; the timeline keeps every failure.
 */
const failuresMax = 16

/** @returns the failures with this one; of several of one attempt the last counts. */
export function withFailure(failures: Failures | null, { id, at, reason }: Failure): Failures {
  const known = read(failures)
  const same = known.find(failure => failure.id === id)
  const last = same && !isLater({ id, at, reason }, same) ? same : { id, at, reason }
  const all = [...known.filter(failure => failure !== same), last]
  return JSON.stringify(all.sort((one, other) => (isLater(one, other) ? 1 : -1)).slice(-failuresMax))
}

/** @returns undefined when no failure of this attempt is known. */
export const failureOf = (failures: Failures | null, id: string | null): Failure | undefined =>
  read(failures).find(failure => failure.id === id)

/** @returns undefined when none is known. */
export const lastFailure = (failures: Failures | null): Failure | undefined => read(failures).at(-1)

const read = (failures: Failures | null): readonly Failure[] => (failures === null ? [] : JSON.parse(failures))

/** Equal times fall back on the id and then on the text, so that order never decides. */
function isLater(one: Failure, other: Failure): boolean {
  if (one.at !== other.at) return one.at > other.at
  if (one.id !== other.id) return one.id > other.id
  return rank(one.reason) > rank(other.reason)
}

/** No reason comes before any reason, an empty one included. */
const rank = (reason: string | null) => (reason === null ? '' : `:${reason}`)
