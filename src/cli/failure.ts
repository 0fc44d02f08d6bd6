import type { Issue, Reason } from '../base/errors.ts'
import { existing, Refused } from '../operations/act.ts'

/** The exit codes of the program. */
export const exitCodes = { done: 0, failed: 1, wrongUse: 2 } as const

/** The `error` of `--json` when a command fails (docs/commands.md#failures). */
export type FailureCode =
  | 'NOT_FOUND'
  | 'NO_DATABASE'
  | 'CONFLICT'
  | 'NOT_CONFIRMED'
  | 'WRONG_SETTINGS'
  | 'UPSTREAM_ERROR'
  | 'FAILED'

/** The command failed. The message is one sentence for the operator; the program ends with `failed`. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: FailureCode

  constructor(message: string, { code = 'FAILED', ...options }: ErrorOptions & { code?: FailureCode } = {}) {
    super(message, options)
    this.code = code
  }
}

/** The command was called wrongly in a way that its option parser cannot find; the program ends with `wrongUse`. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What a command adds to a refusal: what to type next, by the reason. */
type Advice = { readonly [Of in Reason]?: string }

/** @returns what an act has done. @throws CommandError with what it refused; UsageError when the input was wrong */
export function done<Outcome>(outcome: Outcome, advice: Advice = {}): Exclude<Outcome, Refused> {
  if (outcome instanceof Refused) throw failureOf(outcome, advice[outcome.reason])
  return outcome as Exclude<Outcome, Refused>
}

/** @returns the thing. @throws CommandError when no such id exists. */
export const found = <Thing>(thing: Thing | null, noun: string, id: string): Thing =>
  done(existing(thing, noun, id)) as Thing

function failureOf(refused: Refused, advice: string | undefined): CommandError | UsageError {
  const { reason, details, id } = refused
  if (reason === 'VALIDATION_ERROR') {
    const issues = (details?.issues ?? []) as readonly Issue[]
    return new UsageError(issues.map(({ message }) => message).join('; '))
  }
  // A sentence of a command ends without a full stop: what it ends with can be copied.
  const sentence = refused.message.replace(/\.$/, '')
  const named = id === undefined ? sentence : `${sentence}: ${id}`
  const code = details?.setting === undefined ? codeOf(reason) : 'WRONG_SETTINGS'
  return new CommandError(advice === undefined ? named : `${named}. ${advice}`, { code })
}

function codeOf(reason: Reason): FailureCode {
  if (reason === 'CHANNEL_GRAPH_ERROR') return 'UPSTREAM_ERROR'
  return reason === 'NOT_FOUND' || reason === 'CONFLICT' ? reason : 'FAILED'
}
