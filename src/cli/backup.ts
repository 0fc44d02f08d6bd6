import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import color from 'picocolors'
import { copyDatabase } from '../../db/sqlite/backup.ts'
import { backupsAmong, backupsIn } from '../backup/files.ts'
import { messageOf } from '../base/errors.ts'
import { openBucket } from '../bucket/bucket.ts'
import type { BackupConfig } from '../config/backup.ts'
import type { Config } from '../config/config.ts'
import type { DatabaseUrl } from '../config/databaseUrl.ts'
import { keyPath } from '../operations/secretKey.ts'
import { addVerb } from './command.ts'
import { CommandError, UsageError } from './failure.ts'
import { webhooksAgain } from './forget.ts'
import { required, text, toggle } from './inputs.ts'
import { commandLine, report, shellWord, table } from './output.ts'
import { restoreDatabase } from './restore.ts'
import type { Workbench } from './session.ts'
import { keysAdvice } from './settleWaiting.ts'
import { errorOutput } from './streams.ts'

export function backupCommands(program: Command, { config }: Workbench): void {
  addVerb(program, {
    name: 'backup',
    summary: 'copy the database to a file; the gateway may be running',
    example: 'backup --to /backups/waypost-2026-01-31.db',
    inputs: { to: required(text('file'), 'the file to write; it must not exist yet') },
    async run({ to }) {
      const settings = config()
      if (settings.databaseUrl !== null)
        throw new CommandError(backUpServer(settings.databaseUrl, to), { code: 'WRONG_SETTINGS' })
      const file = resolve(to)
      backUp(settings.databasePath, file)
      const bytes = statSync(file).size
      const keyFile = settings.secretKey === null && existsSync(keyPath(settings)) ? keyPath(settings) : null
      const key = settings.secretKey === null ? keyFile : 'the value of SECRET_KEY'
      return {
        data: { file, bytes, keyFile },
        text: report(
          'Database backed up',
          { file, bytes },
          [
            ...(key === null
              ? []
              : [`keep ${key} too, in another place: without it, the access tokens in the backup cannot be read.`]),
            `files that users sent are not in it: they are in ${mediaStorage(settings)}.`,
          ].join('\n      '),
        ),
      }
    },
  })

  addVerb(program, {
    name: 'restore',
    summary: 'replace the database by a backup; stop the gateway first',
    example: 'restore --from /backups/waypost-2026-01-31.db --force',
    inputs: {
      from: required(text('file|s3://…'), 'a file made by backup, or one of the bucket of BACKUP_S3_BUCKET'),
      force: toggle('replace an existing database; it is moved aside, not deleted'),
      forgetSecrets: toggle('restore although the key is lost for good: all channels have to be connected again'),
    },
    async run({ from, force, forgetSecrets: forgetLost }) {
      const settings = config()
      if (settings.databaseUrl !== null)
        throw new CommandError(restoreServer(settings.databaseUrl), { code: 'WRONG_SETTINGS' })
      const restored = await withBackup(
        { from, to: `${settings.databasePath}.downloading`, settings: settings.backup },
        ({ path }) => restoreDatabase({ settings, from: resolve(path), force, forgetLost }),
      )
      const { database, movedAside, interrupted, batches, keysForgotten } = restored
      return {
        data: { ...restored, restoredFrom: from.startsWith('s3://') ? from : restored.restoredFrom },
        text: report(
          'Database restored',
          { database, 'the old one': movedAside, 'messages now UNKNOWN': interrupted, 'batches now paused': batches },
          `a key that was revoked since the backup is valid again: revoke it, ${commandLine('key revoke pk_…')}\n` +
            '      Then start the gateway. Messages that were waiting when the backup was made are not sent: they ' +
            [
              'may have gone out since. What is scheduled for later leaves at its time.',
              `And ${keysAdvice(keysForgotten)}`,
              ...webhooksAgain(restored),
            ].join('\n      '),
        ),
      }
    },
  })
}

const mediaStorage = ({ media, dataDir }: Config): string =>
  media.bucket ? `the bucket ${media.bucket.bucket}` : join(dataDir, 'media')

function backUp(path: string, to: string): void {
  if (!existsSync(path)) throw new CommandError(`There is no database at ${path}`, { code: 'NO_DATABASE' })
  if (existsSync(to)) throw new CommandError(`The file ${to} exists already: choose a new one`, { code: 'CONFLICT' })
  try {
    copyDatabase(path, to)
  } catch (cause) {
    throw new CommandError(`The backup could not be written to ${to}: ${messageOf(cause)}`, { cause })
  }
}

/** `waypost backups`: the automatic backups of the gateway, in the form that `restore` takes. */
export function backupsCommand(program: Command, { config }: Workbench): void {
  addVerb(program, {
    name: 'backups',
    summary: 'list the backups in BACKUP_DIR and in the bucket, newest first',
    example: 'backups',
    inputs: {},
    async run() {
      const { backup, databaseUrl } = config()
      if (databaseUrl !== null) throw new CommandError(backUpServer(databaseUrl), { code: 'WRONG_SETTINGS' })
      const { found, failure } = await findBackups(backup)
      // On stderr: a script reads the list alone, which is that of the folder then.
      if (failure !== null) await errorOutput.write(`${color.red(failure)}\n`)
      return {
        failed: failure !== null,
        data: found,
        text: table(
          {
            'made (UTC)': 'at',
            'to restore, with the gateway stopped': ({ from }) => `waypost restore --from ${shellWord(from)} --force`,
          },
          found,
          failure === null
            ? 'There is no backup yet: the gateway makes the first when it is due.'
            : `There is no backup in ${backup.dir}.`,
        ),
      }
    },
  })
}

/** The answer comes within ten seconds: without a bucket the backups of the folder are needed most. */
const bucketMsMax = 8_000

/** @returns the backups, newest first, and why those of the bucket are missing */
async function findBackups({ dir, bucket: settings }: BackupConfig) {
  if (dir === null)
    throw new CommandError('BACKUP_DIR is not set: there are no automatic backups', { code: 'WRONG_SETTINGS' })
  const inFolder = backupsIn(dir).map(({ name, at }) => ({ at, from: `${dir}/${name}` }))
  if (settings === null) return { found: inFolder, failure: null }
  try {
    const bucket = openBucket(settings)
    const names = await bucket.list(bucketMsMax)
    const inBucket = backupsAmong(names).map(({ name, at }) => ({ at, from: bucket.urlOf(name) }))
    return { found: [...inFolder, ...inBucket].sort((one, other) => other.at - one.at), failure: null }
  } catch (cause) {
    return { found: inFolder, failure: messageOf(cause) }
  }
}

/** A backup as a file of this machine. */
interface LocalBackup {
  readonly path: string
}

const scheme = 's3://'

/**
 * Downloads a backup of a bucket, `s3://bucket/folder/name`; another path is taken as it is.
 * @param to where it is downloaded to; removed again by `withBackup`
 * @throws CommandError
 */
async function withBackup<Result>(
  options: { readonly from: string; readonly to: string; readonly settings: BackupConfig },
  work: (backup: LocalBackup) => Promise<Result>,
): Promise<Result> {
  const { from, to, settings } = options
  if (!from.startsWith(scheme)) return work({ path: from })
  if (settings.bucket === null) {
    throw new CommandError(`To read ${from}, set the BACKUP_S3_… settings that it was written with`, {
      code: 'WRONG_SETTINGS',
    })
  }
  const [bucket = '', ...path] = from.slice(scheme.length).split('/')
  const name = path.pop() ?? ''
  // A bucket answers its own name with a listing, which would be taken for a damaged backup.
  if (name === '') throw new UsageError(`${from} names no backup: waypost backups lists those of the bucket`)
  const place = openBucket({ ...settings.bucket, bucket, prefix: path.map(folder => `${folder}/`).join('') })
  try {
    await place.download(name, to).catch(cause => {
      throw new CommandError(`Nothing was restored. ${cause instanceof Error ? cause.message : cause}`, { cause })
    })
    return await work({ path: to })
  } finally {
    await Bun.file(to)
      .unlink()
      .catch(() => {})
  }
}

/*
 * PostgreSQL has its own backup tools. They ask for the password, or read it from ~/.pgpass: on a command line every
 * user of the machine could read it.
 */

/** Who gets their connection after them would find no table. */
const noPooler = 'on the server itself and through no pooler'

/** What to do instead of a copy of a file. @param file to write */
const backUpServer = (url: DatabaseUrl, file = 'waypost.dump') =>
  `Waypost copies files of SQLite. Back up ${url.place} with the tools of PostgreSQL, ${noPooler}: ` +
  `pg_dump --format=custom --file=${shellWord(file)} ${reach(url)} ${shellWord(url.database)}`

/** What to do instead of restoring a file. */
const restoreServer = (url: DatabaseUrl) =>
  `Waypost restores files of SQLite. Stop all gateways, restore ${url.place} with the tools of PostgreSQL, ` +
  `${noPooler}, ` +
  `pg_restore --clean --if-exists --no-owner --single-transaction ${reach(url)} --dbname=${shellWord(url.database)} ` +
  'waypost.dump, and then, so that no message that was sent since is sent again: ' +
  `${commandLine('message settle-waiting --force')}`

const reach = ({ host, port, socketFolder }: DatabaseUrl) =>
  `--host=${shellWord(socketFolder ?? host)} --port=${port} --username=…`
