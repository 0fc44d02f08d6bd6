import type { Command } from 'commander'
import color from 'picocolors'
import { backupsAmong, backupsIn } from '../backup/files.ts'
import { messageOf } from '../base/errors.ts'
import { openBucket } from '../bucket/bucket.ts'
import type { BackupConfig } from '../config/backup.ts'
import { addVerb } from './command.ts'
import { CommandError } from './failure.ts'
import { shellWord, table } from './output.ts'
import { backUpServer } from './serverBackup.ts'
import type { Workbench } from './session.ts'
import { errorOutput } from './streams.ts'

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
export async function withBackup<Result>(
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
