import type { StoreReads } from '../../../db/contract/store.ts'
import type { Credentials } from '../../base/credentials.ts'
import { openFile } from '../../http/fileAnswer.ts'
import type { MediaLibrary } from '../../media/outgoing/library.ts'
import type { FileStorage } from '../../media/storage.ts'
import { placeKept } from '../../sending/compose.ts'
import { dropInOperations } from '../calls.ts'
import type { Endpoint } from '../endpoint.ts'
import type { FileReceiver } from '../fileReceiver.ts'
import { addressOf } from './address.ts'
import { type LinkTokens, linkTo } from './credentials.ts'
import { lineNamed } from './lines.ts'
import { missing } from './refusals.ts'
import type { NamedContext } from './send.ts'

export interface GraphMediaParts {
  readonly read: Pick<StoreReads, 'channel'>
  readonly media: MediaLibrary
  readonly credentials: Credentials
  readonly receiveFile: FileReceiver
  readonly fileStorage: FileStorage
  readonly links: LinkTokens
  /** The address that callers use; null: that of their request. */
  readonly publicUrl: string | null
}

/** Files of users have our ids, `media_…`: what they are and where they are, and their bytes. */
export const isFileId = (id: string): boolean => id.startsWith('media_')

/** What follows the id of a file in the address of its bytes. */
export const contentEdge = 'content'

/** The calls of files (docs/drop-in.md#files). */
export function graphMedia(parts: GraphMediaParts, endpoint: Endpoint) {
  const { read, media, credentials, receiveFile, fileStorage, links, publicUrl } = parts

  /** It is kept here, and uploaded to the line at once, so that its id is the platform's in each message. */
  const upload = endpoint<NamedContext>(dropInOperations.uploadMedia.call, async (caller, { request, id }) => {
    const line = await lineNamed(caller, id)
    const channel = line && (await read.channel(line.channelId))
    if (!line || !channel) return missing(id)
    const received = await receiveFile(caller.workspaceId, request)
    if (!received.ok) return received
    const { id: fileId, type, mimeType, size: bytes } = received.file
    const kept = { id: fileId, type, mimeType, bytes }
    const placed = await placeKept(media, line, credentials.open(channel, 'accessToken'), kept)
    return placed.ok ? { ok: true, status: 200, body: { id: placed.mediaId } } : placed
  })

  const describe = endpoint<NamedContext>(dropInOperations.describeMedia.call, async (caller, { request, id }) => {
    const file = await caller.read.file({ workspaceId: caller.workspaceId, fileId: id })
    if (!file) return missing(id)
    const url = linkTo(links, request, publicUrl, `${addressOf(request).pathname}/${contentEdge}`)
    const { mimeType, bytes } = file
    const body = { messaging_product: 'whatsapp', url, mime_type: mimeType, file_size: bytes, id }
    return { ok: true, status: 200, body }
  })

  const fetch = endpoint<NamedContext>(dropInOperations.fetchMedia.call, async (caller, { request, id }) =>
    openFile(
      fileStorage,
      await caller.read.file({ workspaceId: caller.workspaceId, fileId: id }),
      request.headers.get('range'),
    ),
  )

  return { upload, describe, fetch }
}
