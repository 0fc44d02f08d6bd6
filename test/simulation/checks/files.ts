import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentOf, pictureOf } from '../platformFiles.ts'
import { fileElsewhere } from '../requests.ts'
import { tenants } from '../tenants.ts'
import { type Found, mayBeLost } from './found.ts'

/*
 * Files: what is stored of them, what lies on the disk, and what was shown.
 */

interface FileRow {
  readonly id: string
  readonly workspaceId: string
  readonly state: string
  readonly bytes: number | null
  readonly dueAt: number | null
  readonly mismatches: number
  /** Of the message that brought it; null: a caller gave it. */
  readonly wamid: string | null
}

const filesQuery = `
  SELECT f.id, f.workspace_id AS workspaceId, f.state, f.bytes, f.due_at AS dueAt, f.mismatches,
    i.channel_message_id AS wamid
  FROM inbound_files f LEFT JOIN inbound_messages i ON i.file_id = f.id`

/** A file that was answered for is there, whole, as that of its workspace. */
export function* answeredIsKept(found: Found) {
  const { log, rows, filesFolder } = found
  if (log.uploaded.length === 0) return
  const files = new Map(rows<FileRow>(filesQuery).map(file => [file.id, file]))
  for (const { id, at, tenant, content } of log.uploaded) {
    if (mayBeLost(found, at)) continue
    const file = files.get(id)
    const path = join(filesFolder, id)
    if (file?.state !== 'stored') yield `${id} was answered for, and is ${file?.state ?? 'not stored'}`
    else if (file.workspaceId !== tenants[tenant].workspaceId) yield `${id} is in another workspace`
    if (!existsSync(path) || readFileSync(path, 'utf8') !== content) yield `${id} was answered for, and is not whole`
  }
}

/** A message that the platform took shows its own file, which was uploaded to its line. */
export function* showsItsFile({ log }: Found) {
  for (const { wamid, text, messageId, file } of log.platform.arrivals)
    if (wamid !== null && file !== null && file.id !== fileElsewhere && file.content !== documentOf(text))
      yield `${text}: arrived as ${messageId} with ${file.content === null ? 'no file' : 'another file'}`
}

/** A file of a user is whole, or not there; and nothing lies on the disk that is nobody's. */
export function* fetchedIsWhole({ log, rows, filesFolder }: Found) {
  const files = rows<FileRow>(filesQuery)
  const lying = new Set(existsSync(filesFolder) ? readdirSync(filesFolder) : [])
  for (const { id, state, bytes, dueAt, wamid, mismatches } of files) {
    if (state === 'stored' && wamid !== null) {
      const path = join(filesFolder, id)
      const content = lying.has(id) ? readFileSync(path) : null
      // Of one whose message was changed since, the bytes are those of another id.
      if (content === null || content.length !== bytes) yield `${id} is stored, and not whole on the disk`
      else if (wamid.startsWith('wamid.of-user') && !content.equals(pictureOf(wamid))) yield `${id} has other bytes`
    }
    if (['failed', 'expired'].includes(state) && dueAt === null && lying.has(id))
      yield `${id} is ${state}, and lies there`
    if (state === 'expired' && wamid !== null) yield `${id} was given up, and had room and time`
    if (state === 'failed' && mismatches < 2 && !log.gone.has(wamid ?? ''))
      yield `${id} has failed, and nobody refused it`
  }
  // A sweep removes what a backup does not know; none runs here.
  if (log.restores.length > 0) return
  const known = new Set(files.map(({ id }) => id))
  for (const name of lying)
    if (!name.endsWith('.partial') && !known.has(name)) yield `${name} lies there, and is nobody's`
}
