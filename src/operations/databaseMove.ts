import { dirname } from 'node:path'
import {
  absence,
  countStarts,
  type DatabaseSettings,
  isAbsent,
  keepGatewaysOut,
  makeFolder,
} from '../../db/database.ts'
import { checkSource, type MovedRows, moveTables } from '../../db/move/move.ts'
import { openServerTarget, withServerSource } from '../../db/move/postgres.ts'
import { moveAside, openFileSource, openFileTarget } from '../../db/move/sqlite.ts'
import { systemClock } from '../base/clock.ts'
import type { DatabaseUrl } from '../config/databaseUrl.ts'

type Tell = (text: string) => Promise<void>

/** What was moved, and is the same on both sides. */
export interface Moved {
  readonly tables: readonly MovedRows[]
  /** The new path of the file that was where the copy is now; null when none was. */
  readonly movedAside: string | null
}

/**
 * Copies a database to the other engine and compares both. The source stays as it is; a database that is in the file of
 * the target is kept under another name.
 * @throws Error with a sentence for the operator: also while a gateway runs on one of both
 */
export async function moveDatabase(options: {
  from: DatabaseSettings
  to: DatabaseUrl | { readonly path: string }
  tell: Tell
}): Promise<Moved> {
  const { from, to, tell } = options
  if (await isAbsent(from)) throw new Error(absence(from))
  // Held until this function ends: it awaits its own result.
  await using locks = new AsyncDisposableStack()
  if ('path' in to) {
    const { databaseUrl } = from
    if (databaseUrl === null) {
      throw new Error('The database is a file already. To copy it, use waypost backup and waypost restore')
    }
    const startsBefore = await countStarts(databaseUrl)
    makeFolder(dirname(to.path), 'another path for --to')
    locks.defer(await keepGatewaysOut({ databaseUrl: null, databasePath: to.path }))
    // A gateway can start on the server meanwhile. The copy then lacks what that gateway stores, even if it has ended
    // since.
    const check = async () => {
      if ((await countStarts(databaseUrl)) === startsBefore) return
      throw new Error(
        `A gateway was started on ${databaseUrl.place} since the move began: the copy lacks what it has stored. ` +
          `Keep gateways from starting, remove ${to.path}, and move again.`,
      )
    }
    return await moveToFile(databaseUrl, to.path, { tell, check })
  }
  if (from.databaseUrl !== null) {
    throw new Error('The database is on a server already. To copy it, use pg_dump and pg_restore')
  }
  locks.defer(await keepGatewaysOut(from))
  locks.defer(await keepGatewaysOut({ ...from, databaseUrl: to }))
  return { tables: await moveToServer(from.databasePath, to.driverOptions.url, tell), movedAside: null }
}

const moveToFile = (
  from: DatabaseUrl,
  path: string,
  parts: { tell: Tell; check: () => Promise<unknown> },
): Promise<Moved> =>
  withServerSource({ url: from.driverOptions.url, place: from.place }, async source => {
    // A refused move leaves the file where it is.
    await checkSource(source)
    const movedAside = moveAside(path, systemClock)
    if (movedAside !== null) await parts.tell(`The database that was at ${path} is kept as ${movedAside}`)
    const target = openFileTarget(path, systemClock)
    try {
      return { tables: await moveTables({ source, target, ...parts }), movedAside }
    } finally {
      target.close()
    }
  })

async function moveToServer(path: string, url: string, tell: Tell): Promise<MovedRows[]> {
  const source = openFileSource(path)
  try {
    const target = openServerTarget(url, systemClock)
    try {
      return await moveTables({ source, target, tell })
    } finally {
      await target.close()
    }
  } finally {
    source.close()
  }
}
