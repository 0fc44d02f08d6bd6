/** What the program ends with. */
export const exitCodes = { done: 0, failed: 1, wrongUse: 2 } as const

/** The command could not be done. The message is one sentence for the operator; the program ends with `failed`. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The command was called wrongly, in a way that its options alone do not show; the program ends with `wrongUse`. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @returns the thing. @throws CommandError when there is none of that id. */
export function found<Thing>(thing: Thing | null, noun: string, id: string): Thing {
  if (thing === null) throw new CommandError(`No ${noun} with the id ${id}`)
  return thing
}
