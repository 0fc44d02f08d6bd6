import { randomBase62 } from '../ids.ts'
import { UsageError } from './failure.ts'
import { readFrom } from './secretInput.ts'

/** 24 base62 characters hold 142 bits: nobody guesses it, and it can still be typed. */
const generatedLength = 24

/** Short enough to be a sentence of a few words, long enough not to be one word of a list. */
const lengthMin = 12
/** A longer text is probably another file. */
const lengthMax = 1_024

/** A password together with what may be stored of it. */
export interface Password {
  /** Shown once. Set only for a password that was made here. */
  readonly generated: string | null
  /** Argon2id with a salt of its own. */
  readonly hash: string
}

/**
 * Takes the password from the file's only line, else makes one. No error repeats it.
 * @param file `-` is standard input
 * @throws CommandError when the file cannot be read, UsageError when it holds no password of the right length
 */
export async function choosePassword(file: string | undefined): Promise<Password> {
  if (file !== undefined) return { generated: null, hash: await hashOf(await passwordIn(file)) }
  const generated = randomBase62(generatedLength)
  return { generated, hash: await hashOf(generated) }
}

/** Slow on purpose (about 67 ms), unlike the hash of a key's secret: people's passwords can be guessed. */
const hashOf = (password: string) => Bun.password.hash(password, 'argon2id')

async function passwordIn(file: string): Promise<string> {
  const content = await readFrom(file, 'password')
  const password = content.replace(/\r?\n$/, '')
  if (password.length < lengthMin || password.length > lengthMax || /[\r\n]/.test(password)) {
    throw new UsageError(
      `The file for --password-file must hold a password of ${lengthMin} to ${lengthMax} characters on one line`,
    )
  }
  return password
}
