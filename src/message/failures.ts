import type { EpochMs } from '../base/clock.ts'
import { isSameMessage } from './sameMessage.ts'

/**
 * The failures that the upstream reported for one message, one for each attempt. A message keeps them in one column, as
 * JSON text. The upstream's ids identify the attempts, whatever text they have. The same reports give the same text, in
 * whatever order and however often they arrive.
 */
export type Failures = string

export interface Failure {
  /** The upstream's id of the attempt. */
  readonly id: string
  readonly at: EpochMs
  readonly reason: string | null
}

/**
 * A message keeps the failures of its last attempts. Few messages have more than one attempt that got an id from the
 * upstream and failed. The timeline keeps every failure.
 */
const failuresMax = 16

/** @returns the failures with this one added. Of several failures of one attempt the latest counts. */
export function withFailure(failures: Failures | null, { id, at, reason }: Failure): Failures {
  const known = read(failures)
  const same = known.find(failure => isSameMessage(failure.id, id))
  const last = same && !isLater({ id, at, reason }, same) ? same : { id, at, reason }
  return write([...known.filter(failure => failure !== same), last].sort(byTime).slice(-failuresMax))
}

/** @returns the failures with other ids of their attempts */
export const withAttempts = (failures: Failures, idOf: (id: string) => string): Failures =>
  write(
    read(failures)
      .map(failure => ({ ...failure, id: idOf(failure.id) }))
      .sort(byTime),
  )

/** @returns undefined when no failure of this attempt is known. */
export const failureOf = (failures: Failures | null, id: string | null): Failure | undefined =>
  id === null ? undefined : read(failures).find(failure => isSameMessage(failure.id, id))

/** @returns undefined when none is known. */
export const lastFailure = (failures: Failures | null): Failure | undefined => read(failures).at(-1)

/** @returns how many are kept */
export const numberOf = (failures: Failures | null): number => read(failures).length

/** @returns the first of them; null when there are none */
export function failuresFirst(failures: Failures | null, count: number): Failures | null {
  const first = read(failures).slice(0, count)
  return first.length === 0 ? null : write(first)
}

/** @returns the upstream's ids of the attempts that failed */
export const failedAttempts = (failures: Failures | null): readonly string[] => read(failures).map(({ id }) => id)

const read = (failures: Failures | null): readonly Failure[] => (failures === null ? [] : JSON.parse(failures))
const write = (failures: readonly Failure[]): Failures => JSON.stringify(failures)

const byTime = (one: Failure, other: Failure) => (isLater(one, other) ? 1 : -1)

/** Equal times are ordered by id and then by text, so that the order of arrival never decides. */
function isLater(one: Failure, other: Failure): boolean {
  if (one.at !== other.at) return one.at > other.at
  if (one.id !== other.id) return one.id > other.id
  return rank(one.reason) > rank(other.reason)
}

/** No reason sorts before any reason, even an empty one. */
const rank = (reason: string | null) => (reason === null ? '' : `:${reason}`)
