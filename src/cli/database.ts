import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { MigrationNews, Upgrade } from '../../db/migrations.ts'
import type { Config } from '../config/config.ts'
import { DatabaseUrl, DatabaseUrlError } from '../config/databaseUrl.ts'
import { weakConnection } from '../config/weaknesses.ts'
import { moveDatabase } from '../operations/databaseMove.ts'
import { addNoun, addVerb } from './command.ts'
import { UsageError } from './failure.ts'
import { optional, text, toggle } from './inputs.ts'
import { report } from './output.ts'
import { readFrom } from './secretInput.ts'
import { sentenced, type Workbench } from './session.ts'

export function databaseCommands(program: Command, { config, withStore }: Workbench): void {
  const database = addNoun(program, 'database', 'database: bring it to this version, and from one engine to the other')

  addVerb(database, {
    name: 'migrate',
    summary: 'bring the database to this version without starting a gateway, which would do it too',
    example: 'database migrate',
    inputs: {
      force: toggle('also while gateways run on it: those of an older version fail until they are replaced'),
    },
    async run({ force }, { tell }) {
      const upgrades: Upgrade[] = []
      const onMigration = (news: MigrationNews) => {
        if (news.kind === 'begins') upgrades.push(news.upgrade)
        // A line that cannot be written is no reason to end.
        if (news.kind === 'step') tell(news.step).catch(() => {})
      }
      await withStore(async () => {}, { withoutGateways: !force, besideGateways: force, onMigration })
      const [upgrade] = upgrades
      if (!upgrade)
        return { data: { migrations: [] }, text: 'The database is of this version: there was nothing to do.' }
      const { from, to, migrations, copy } = upgrade
      return {
        data: { from, to, migrations, copy },
        text: report('The database is migrated', { from, to, migrations: migrations.length, copy }),
      }
    },
  })

  addVerb(database, {
    name: 'move',
    summary: 'copy the whole database to the other engine and compare both; stop all gateways first',
    example: 'database move --to-file /etc/waypost/database-url',
    inputs: {
      to: optional(
        text('where'),
        'a file for the database (an existing one is kept), or postgres://user@host/database without its password',
      ),
      toFile: optional(text('path'), 'a file that holds the postgres:// URL with its password, - is standard input'),
    },
    oneOf: [['to', 'toFile']],
    async run({ to, toFile }, { tell }) {
      if (to !== undefined && toFile !== undefined) throw new UsageError('Give either --to or --to-file, not both')
      const target =
        toFile === undefined ? targetOf(to ?? '') : urlOf((await readFrom(toFile, 'to')).trim(), '--to-file')
      const from = config()
      const weakness = target instanceof DatabaseUrl ? weakConnection(target) : null
      if (weakness !== null) await tell(weakness)
      const { tables, movedAside } = await sentenced(() => moveDatabase({ from, to: target, tell }))
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      return {
        data: { rows, tables, movedAside },
        text: report(
          'The database is moved, and both sides are the same',
          { tables: tables.length, rows, to: target instanceof DatabaseUrl ? target.place : target.path },
          `${target instanceof DatabaseUrl ? settingsOfServer : settingsOfFile(target, from)}, and start the gateway ` +
            'with the same SECRET_KEY or key file as before.',
        ),
      }
    },
  })
}

const settingsOfServer =
  'set DATABASE_URL to that URL, leave out DATABASE_PATH and all of BACKUP_ (they belong to the file)'

/** @param config of the gateway until now */
const settingsOfFile = ({ path }: { path: string }, { databasePath }: Config) =>
  `leave DATABASE_URL out${path === databasePath ? '' : `, set DATABASE_PATH=${path}`}`

const isUrl = (text: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)

/** @throws UsageError which repeats nothing of what was given */
function targetOf(to: string): DatabaseUrl | { path: string } {
  if (!isUrl(to)) {
    if (to === '') throw new UsageError('--to is empty')
    return { path: resolve(to) }
  }
  if (hasPassword(to)) {
    throw new UsageError(
      'Every user of this machine could read the password in --to. Put the URL in a file, and name the file with ' +
        '--to-file (- is standard input)',
    )
  }
  return urlOf(to, '--to')
}

const hasPassword = (url: string) => /:[^@]*@/.test(url.replace(/^[^:]*:\/\//, ''))

function urlOf(text: string, option: string): DatabaseUrl {
  try {
    return new DatabaseUrl(text)
  } catch (cause) {
    if (!(cause instanceof DatabaseUrlError)) throw cause
    throw new UsageError(`The URL of ${option} ${cause.message}`, { cause })
  }
}
