import { messageOf } from '../base/errors.ts'

/**
 * One check of the doctor. @returns a sentence when all is well. An error's message says what is wrong and what to do.
 */
export type Check = () => string | Promise<string>

/** What a check has found, for the command and the console. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly message: string
}

export async function look(name: string, check: Check): Promise<Finding> {
  try {
    return { name, ok: true, message: await check() }
  } catch (cause) {
    return { name, ok: false, message: messageOf(cause) }
  }
}
