import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Command } from 'commander'
import color from 'picocolors'
import type { Environment } from '../config.ts'
import { messageOf } from '../errors.ts'
import { misnamedSettings, type SettingName } from '../settings.ts'
import { CommandError } from './failure.ts'
import { errorOutput } from './streams.ts'

/** Adds the options that say where the settings come from; each command takes them, before or after its name. */
export const addEnvironmentOptions = (program: Command): Command =>
  program
    .option('--data-dir <folder>', 'the folder of the database and of the key file, as the setting DATA_DIR')
    .option('--env-file <file>', 'a file of settings, a line NAME=value each; what the environment sets counts more')

/** A service that a package has installed (packaging/files). */
export interface Service {
  /** Its settings. They may hold secrets: its user and root alone may read them. */
  readonly settingsFile: string
  /** What its unit sets, and what its file of settings may change. */
  readonly unit: Environment
}

const packaged: Service = { settingsFile: '/etc/waypost/waypost.env', unit: { DATA_DIR: '/var/lib/waypost' } }

/** Where the settings of a command come from. */
export interface Surroundings {
  environment(): Environment
  /**
   * Beside an installed service, a command without its settings is mostly meant for the service all the same, and a
   * second database in the folder where somebody is would be found by nobody.
   * @throws CommandError when the command would make one
   */
  checkPlace(): void
}

/**
 * The settings of a command, read once its options are known. Options come first, then the environment, then the file.
 * Where nothing names a folder, a file or a database, the settings of an installed service are used, if this user may
 * read them. Warns of names that are similar to a setting's.
 */
export function surroundingsOf(program: Command, environment: Environment, service = packaged): Surroundings {
  let read: Environment | null = null
  const readOnce = () => {
    read ??= readEnvironment(program.opts(), environment, service)
    return read
  }
  return {
    environment: readOnce,
    checkPlace() {
      if (namesPlace(readOnce()) || !existsSync(service.settingsFile) || existsSync(defaultDatabase)) return
      throw new CommandError(
        `Waypost is installed as a service here, and this user cannot read its settings, ${service.settingsFile}. ` +
          'Run the command as the user of the service, sudo -u waypost waypost …; for a database of your own, name its folder with --data-dir',
        { code: 'NO_DATABASE' },
      )
    },
  }
}

/** In the folder where the command runs. */
const defaultDatabase = join('data', 'waypost.db')

const namesPlace = (environment: Environment) =>
  (['DATA_DIR', 'DATABASE_PATH', 'DATABASE_URL'] satisfies SettingName[]).some(name => environment[name] !== undefined)

interface EnvironmentOptions {
  readonly dataDir?: string
  readonly envFile?: string
}

/** @throws CommandError */
function readEnvironment(options: EnvironmentOptions, environment: Environment, service: Service): Environment {
  const { dataDir, envFile } = options
  const named = {
    ...(envFile !== undefined && readEnvFile(envFile)),
    // An empty value counts as not set.
    ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim())),
    ...(dataDir !== undefined && { DATA_DIR: dataDir }),
  }
  const isElsewhere = envFile !== undefined || namesPlace(named)
  const given = isElsewhere ? named : { ...settingsOfService(service), ...named }
  for (const { given: name, meant } of misnamedSettings(given)) {
    const warning = `Warning: there is no setting ${name}, so it is ignored. Is ${meant} meant?`
    errorOutput.write(`${color.yellow(warning)}\n`).catch(() => {})
  }
  return given
}

/** @returns nothing where no service is installed, or where this user may not read its settings */
function settingsOfService({ settingsFile, unit }: Service): Environment {
  try {
    return { ...unit, ...parseEnv(readFileSync(settingsFile, 'utf8')) }
  } catch {
    return {}
  }
}

/** @throws CommandError */
function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new CommandError(`The file of --env-file cannot be read: ${messageOf(cause)}`, {
      code: 'WRONG_SETTINGS',
      cause,
    })
  }
}
