import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Command } from 'commander'
import color from 'picocolors'
import type { Environment } from '../config.ts'
import { messageOf } from '../errors.ts'
import { misnamedSettings } from '../settings.ts'
import { CommandError } from './failure.ts'
import { errorOutput } from './streams.ts'

/** Adds the options that say where the settings come from; each command takes them, before or after its name. */
export const addEnvironmentOptions = (program: Command): Command =>
  program
    .option('--data-dir <folder>', 'the folder of the database and of the key file, as the setting DATA_DIR')
    .option('--env-file <file>', 'a file of settings, a line NAME=value each; what the environment sets counts more')

/**
 * The settings of a command, read once its options are known. Options come first, then the environment, then the file.
 * Warns of names that are similar to a setting's.
 * @throws CommandError
 */
export function environmentOf(program: Command, environment: Environment): () => Environment {
  let read: Environment | null = null
  return () => {
    read ??= readEnvironment(program.opts(), environment)
    return read
  }
}

interface EnvironmentOptions {
  readonly dataDir?: string
  readonly envFile?: string
}

function readEnvironment({ dataDir, envFile }: EnvironmentOptions, environment: Environment): Environment {
  const given = {
    ...(envFile !== undefined && readEnvFile(envFile)),
    // An empty value counts as not set.
    ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim())),
    ...(dataDir !== undefined && { DATA_DIR: dataDir }),
  }
  for (const { given: name, meant } of misnamedSettings(given)) {
    const warning = `Warning: there is no setting ${name}, so it is ignored. Is ${meant} meant?`
    errorOutput.write(`${color.yellow(warning)}\n`).catch(() => {})
  }
  return given
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new CommandError(`The file of --env-file cannot be read: ${messageOf(cause)}`, { cause })
  }
}
