import type { Removal } from '../../db/records.ts'

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

/** @returns the removed thing. @throws CommandError when no such id exists, or messages wait on it */
export function removedThing<Thing>(removal: Removal<Thing>, noun: string, id: string): Thing {
  switch (removal.outcome) {
    case 'removed':
      return removal.removed
    case 'unknown':
      throw new CommandError(`No ${noun} with the id ${id}`, { code: 'NOT_FOUND' })
    case 'waiting': {
      const messages = removal.waiting === 1 ? '1 message waits' : `${removal.waiting} messages wait`
      const relation = noun === 'contact' ? 'to' : 'from'
      throw new CommandError(
        `Nothing was removed: ${messages} to be sent ${relation} the ${noun} ${id}. Stop new ones ` +
          '(waypost line deactivate), let the gateway send these, and try again',
        { code: 'CONFLICT' },
      )
    }
  }
}

/** @returns the thing. @throws CommandError when no such id exists. */
export function found<Thing>(thing: Thing | null, noun: string, id: string): Thing {
  if (thing === null) throw new CommandError(`No ${noun} with the id ${id}`, { code: 'NOT_FOUND' })
  return thing
}
