import { randomBase62 } from '../base/ids.ts'
import { hashPassword, passwordFileRule, passwordIn } from '../operations/passwords.ts'
import { UsageError } from './failure.ts'
import { readFrom } from './secretInput.ts'

/** 24 base62 characters hold 142 bits: nobody guesses it, and it can still be typed. */
const generatedLength = 24

/** A password with its hash, which is what may be stored. */
export interface Password {
  /** Shown once. Set only for a generated password. */
  readonly generated: string | null
  /** Argon2id with a salt of its own. */
  readonly hash: string
}

/**
 * Reads the password from the file's only line, else generates one. No error repeats it.
 * @param file `-` is standard input
 * @throws CommandError when the file cannot be read, UsageError when it holds no password of the right length
 */
export async function choosePassword(file: string | undefined): Promise<Password> {
  if (file !== undefined) return { generated: null, hash: await hashPassword(await passwordFrom(file)) }
  const generated = randomBase62(generatedLength)
  return { generated, hash: await hashPassword(generated) }
}

async function passwordFrom(file: string): Promise<string> {
  const password = passwordIn(await readFrom(file, 'password'))
  if (password === null) throw new UsageError(`The file for --password-file ${passwordFileRule}`)
  return password
}
