import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import color from 'picocolors'
import { messageOf } from '../base/errors.ts'
import { type Environment, loadConfig } from '../config/config.ts'
import { parseEnvironmentFile } from '../config/environmentFile.ts'
import { misnamedSettings, type SettingName } from '../config/settings.ts'
import { CommandError, UsageError } from './failure.ts'
import { errorOutput } from './streams.ts'

/** Adds the options that say where the settings come from; each command takes them, before or after its name. */
export const addEnvironmentOptions = (program: Command): Command =>
  program
    .option('--data-dir <folder>', 'the folder of the database and of the key file; overrides DATA_DIR')
    .option('--env-file <file>', 'a file of settings, one NAME=value a line; environment variables take precedence')

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
   * Where a service is installed, a command without its settings is usually meant for that service, and nobody would
   * find a second database in the current folder.
   * @throws CommandError when the command would make one; UsageError when there is one, and the service's could be
   *   meant
   */
  checkPlace(): void
}

/**
 * The settings of a command, read once its options are known. Options come first, then the environment, then the file.
 * Where nothing names a folder, a file or a database, the settings of an installed service are used, if this user may
 * read them. Warns of names that are similar to a setting's.
 */
export function surroundingsOf(program: Command, environment: Environment, service = packaged): Surroundings {
  let read: Settings | null = null
  const readOnce = () => {
    read ??= readSettings(program.opts(), environment, service)
    return read
  }
  return {
    environment: () => readOnce().environment,
    checkPlace() {
      const { environment, of } = readOnce()
      if (of === 'named') return
      // In the folder where the command runs.
      const own = loadConfig({}).databasePath
      const isOwnThere = existsSync(own)
      if (of === 'service') {
        const { databaseUrl, databasePath } = loadConfig(environment)
        if (!isOwnThere || (databaseUrl === null && databasePath === own)) return
        throw new UsageError(
          `Two databases could be meant: that of the installed service, ${databaseUrl?.place ?? databasePath}, and ` +
            `${own} in this folder. Name one: --env-file ${service.settingsFile} is the service's, ` +
            `--data-dir ${dirname(own)} is the one here`,
        )
      }
      if (isOwnThere || !existsSync(service.settingsFile)) return
      throw new CommandError(
        `Waypost is installed as a service here, and this user cannot read its settings, ${service.settingsFile}. ` +
          'Run the command as the user of the service, sudo -u waypost waypost …; for a database of your own, name ' +
          'its folder with --data-dir',
        { code: 'NO_DATABASE' },
      )
    },
  }
}

interface Settings {
  readonly environment: Environment
  /** Their source: the named deployment, the installed service, or the current folder. */
  readonly of: 'named' | 'service' | 'folder'
}

const namesPlace = (environment: Environment) =>
  (['DATA_DIR', 'DATABASE_PATH', 'DATABASE_URL'] satisfies SettingName[]).some(name => environment[name] !== undefined)

interface EnvironmentOptions {
  readonly dataDir?: string
  readonly envFile?: string
}

/** @throws CommandError */
function readSettings({ dataDir, envFile }: EnvironmentOptions, environment: Environment, service: Service): Settings {
  const named = {
    ...(envFile !== undefined && settingsOfOption(envFile, service)),
    ...withoutEmpty(environment),
    ...(dataDir !== undefined && { DATA_DIR: dataDir }),
  }
  const isNamed = envFile !== undefined || namesPlace(named)
  const ofService = isNamed ? null : settingsOfService(service)
  const settings: Settings = {
    environment: { ...ofService, ...named },
    of: isNamed ? 'named' : ofService === null ? 'folder' : 'service',
  }
  for (const { given: name, meant } of misnamedSettings(settings.environment)) {
    const warning = `Warning: ${name} is not a setting and is ignored. Did you mean ${meant}?`
    errorOutput.write(`${color.yellow(warning)}\n`).catch(() => {})
  }
  return settings
}

/** An empty value counts as not set: it does not override another one. */
const withoutEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))

const settingsIn = (path: string) => withoutEmpty(parseEnvironmentFile(readFileSync(path, 'utf8')))

/** @returns null where no service is installed, or where this user may not read its settings */
function settingsOfService({ settingsFile, unit }: Service): Environment | null {
  try {
    return { ...unit, ...settingsIn(settingsFile) }
  } catch {
    return null
  }
}

/** Naming the service's file selects the service, with the settings of its unit. @throws CommandError */
function settingsOfOption(path: string, { settingsFile, unit }: Service): Environment {
  try {
    return { ...(resolve(path) === settingsFile && unit), ...settingsIn(path) }
  } catch (cause) {
    throw new CommandError(`The file of --env-file cannot be read: ${messageOf(cause)}`, {
      code: 'WRONG_SETTINGS',
      cause,
    })
  }
}
