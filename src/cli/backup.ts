import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { copyDatabase } from '../../db/sqlite/backup.ts'
import { messageOf } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import { keyPath } from '../operations/secretKey.ts'
import { withBackup } from './backups.ts'
import { addVerb } from './command.ts'
import { CommandError } from './failure.ts'
import { required, text, toggle } from './inputs.ts'
import { commandLine, report } from './output.ts'
import { restoreDatabase } from './restore.ts'
import { backUpServer, restoreServer } from './serverBackup.ts'
import type { Workbench } from './session.ts'

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
            `files that users sent are not in it: they are in ${mediaPlace(settings)}.`,
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
      const { database, movedAside, interrupted } = restored
      return {
        data: { ...restored, restoredFrom: from.startsWith('s3://') ? from : restored.restoredFrom },
        text: report(
          'Database restored',
          { database, 'the old one': movedAside, 'messages now UNKNOWN': interrupted },
          `a key that was revoked since the backup is valid again: revoke it, ${commandLine('key revoke pk_…')}\n` +
            '      Then start the gateway. Messages that were waiting when the backup was made are not sent: they ' +
            'may have gone out since.',
        ),
      }
    },
  })
}

const mediaPlace = ({ media, dataDir }: Config): string =>
  media.bucket ? `the bucket ${media.bucket.bucket}` : join(dataDir, 'media')

function backUp(path: string, to: string): void {
  if (!existsSync(path)) throw new CommandError(`There is no database at ${path}`, { code: 'NO_DATABASE' })
  if (existsSync(to)) throw new CommandError(`${to} exists already: choose a new file`, { code: 'CONFLICT' })
  try {
    copyDatabase(path, to)
  } catch (cause) {
    throw new CommandError(`The backup could not be written to ${to}: ${messageOf(cause)}`, { cause })
  }
}
