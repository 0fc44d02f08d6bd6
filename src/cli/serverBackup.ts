import type { DatabaseUrl } from '../config/databaseUrl.ts'
import { commandLine, shellWord } from './output.ts'

/*
 * PostgreSQL has its own backup tools. They ask for the password, or read it from ~/.pgpass: on a command line every
 * user of the machine could read it.
 */

/** What to do instead of a copy of a file. @param file to write */
export const backUpServer = (url: DatabaseUrl, file = 'waypost.dump') =>
  `Waypost copies files of SQLite. Back up ${url.place} with the tools of PostgreSQL: ` +
  `pg_dump --format=custom --file=${shellWord(file)} ${reach(url)} ${shellWord(url.database)}`

/** What to do instead of restoring a file. */
export const restoreServer = (url: DatabaseUrl) =>
  `Waypost restores files of SQLite. Stop all gateways, restore ${url.place} with the tools of PostgreSQL, ` +
  `pg_restore --clean --if-exists --no-owner --single-transaction ${reach(url)} --dbname=${shellWord(url.database)} ` +
  'waypost.dump, and then, so that no message that was sent since is sent again: ' +
  `${commandLine('message settle-waiting --force')}`

const reach = ({ host, port, socketFolder }: DatabaseUrl) =>
  `--host=${shellWord(socketFolder ?? host)} --port=${port} --username=…`
