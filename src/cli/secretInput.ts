import { readFileSync } from 'node:fs'
import { messageOf } from '../base/errors.ts'
import { secretIn, secretRule } from '../operations/fields.ts'
import { CommandError, UsageError } from './failure.ts'
import { shellWord } from './output.ts'

/** The source of a secret: the option itself, or a file. */
export interface SecretSource {
  /** As the option is called: `access-token`. */
  readonly option: string
  readonly value: string | undefined
  /** `-` is standard input. */
  readonly file: string | undefined
}

const standardInput = '-'

/**
 * Reads secrets from their options or files; null for one that is not given. No error repeats a secret.
 * @throws UsageError when one is given twice, or two of them come from standard input
 */
export async function readSecrets<Name extends string>(
  sources: Readonly<Record<Name, SecretSource>>,
): Promise<Record<Name, string | null>> {
  const entries = Object.entries<SecretSource>(sources)
  for (const [, { option, value, file }] of entries) {
    if (value !== undefined && file !== undefined) {
      throw new UsageError(`Give either --${option} or --${option}-file, not both`)
    }
  }
  if (entries.filter(([, { file }]) => file === standardInput).length > 1) {
    throw new UsageError('Only one secret can come from standard input')
  }
  const secrets: [string, string | null][] = []
  for (const [name, source] of entries) secrets.push([name, await readSecret(source)])
  return Object.fromEntries(secrets) as Record<Name, string | null>
}

async function readSecret({ option, value, file }: SecretSource): Promise<string | null> {
  const given = value ?? (file === undefined ? null : await readFrom(file, option))
  if (given === null) return null
  const secret = secretIn(given)
  if (secret === null) throw new UsageError(`The value for --${option} ${secretRule}`)
  return secret
}

/**
 * Reads what `--<option>-file` names. @param file `-` is standard input
 * @throws CommandError when it cannot be read
 */
export async function readFrom(file: string, option: string): Promise<string> {
  try {
    return file === standardInput ? await Bun.stdin.text() : readFileSync(file, 'utf8')
  } catch (cause) {
    // Commands run as the gateway's user, who cannot read the files of whoever starts them. A shell can.
    const isForeign = (cause as NodeJS.ErrnoException).code === 'EACCES'
    const advice = isForeign ? `. Have your shell read it: --${option}-file - < ${shellWord(file)}` : ''
    throw new CommandError(`The file for --${option}-file cannot be read: ${messageOf(cause)}${advice}`, { cause })
  }
}

/** @returns the secret. @throws UsageError when it was not given */
export function given(secret: string | null, option: string): string {
  if (secret === null)
    throw new UsageError(`Give --${option} <secret> or --${option}-file <path> (- is standard input)`)
  return secret
}
