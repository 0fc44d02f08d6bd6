import type { FileReads } from '../../../db/contract/files.ts'
import type { Store } from '../../../db/contract/store.ts'
import { wait } from '../../base/clock.ts'
import { openFile } from '../../http/fileAnswer.ts'
import { hasScope } from '../../http/scopes.ts'
import { UnderWay } from '../../http/underWay.ts'
import type { MediaLibrary, UploadedFile } from '../../media/outgoing/library.ts'
import type { FileStorage } from '../../media/storage.ts'
import type { FileReceiver } from '../../operations/fileReceiver.ts'
import { placeKept } from '../../sending/media.ts'
import type { PartnerCaller } from '../caller.ts'
import type { Outcome } from '../endpoint.ts'
import { addressOf } from './address.ts'
import { linkTo } from './credentials.ts'
import { lineNamed, linesOf } from './lines.ts'
import { type Asked, type PassingParts, pass } from './passing.ts'
import { isUnknownObject, missing, no } from './refusals.ts'
import type { PathContext } from './work.ts'

export interface GraphMediaParts extends PassingParts {
  readonly store: Pick<Store, 'write'>
  readonly media: MediaLibrary
  readonly receiveFile: FileReceiver
  readonly fileStorage: FileStorage
}

/** A file that a caller may see. */
export interface NamedFile {
  readonly file: NonNullable<Awaited<ReturnType<FileReads['file']>>>
  /** Where the id that names it is the platform's; null: it is ours. */
  readonly uploaded: UploadedFile | null
}

/** Files that users sent, or that were given by the partner API, have our ids. */
const ownIdPattern = /^media_[0-9a-z]{1,100}$/
/** Longer than any id of the platform. */
const idPattern = /^\d{1,40}$/

const isKept = ({ state }: NamedFile['file']) => state === 'pending' || state === 'stored'

/** A client asks for a file as soon as it is told of it, and not again. Some give up after ten seconds. */
const arrivalMsMax = 8_000
const lookMs = 200
/** Files that are waited for at once: each costs some reads a second. */
const arrivalsMax = { workspace: 20, all: 100 } as const

/** What follows the id of a file in the address of its bytes. */
const contentEdge = 'content'

export type GraphMedia = ReturnType<typeof graphMedia>

/** The calls of files (docs/drop-in.md#files). */
export function graphMedia(parts: GraphMediaParts) {
  const { read, store, media, credentials, receiveFile, fileStorage, clock, links, publicUrl, calls } = parts

  const arrivals = new UnderWay(arrivalsMax, 'Too many files are waited for.')

  /** @returns the file, once its bytes are here; as it is, when that takes long, or too many are waited for */
  async function arrived({ caller, request }: Asked, fileId: string): Promise<NamedFile['file'] | null> {
    const look = () => caller.read.file({ workspaceId: caller.workspaceId, fileId })
    const first = await look()
    const isAwaited = request.method === 'GET' && hasScope(caller.scopes, 'media')
    if (first?.state !== 'pending' || !isAwaited) return first
    const until = clock.steady() + arrivalMsMax
    const waited = await arrivals.run(caller.workspaceId, async () => {
      let file: NamedFile['file'] | null = first
      while (file?.state === 'pending' && clock.steady() < until && !request.signal.aborted) {
        await wait(clock, lookMs)
        file = await look()
      }
      await caller.renew()
      return { file }
    })
    return 'file' in waited ? waited.file : first
  }

  /** It is kept here, and uploaded to the line at once, so that its id is the platform's in each message. */
  async function keep(caller: PartnerCaller, id: string): Promise<Outcome> {
    const line = await lineNamed(caller, id)
    const channel = line && (await read.channel(line.channelId))
    if (!line || !channel) return missing
    const accessToken = credentials.open(channel, 'accessToken')
    const received = await receiveFile(caller.workspaceId, caller.body)
    if (!received.ok) return received
    const { id: fileId, size: bytes, ...described } = received.file
    const kept = { id: fileId, bytes, ...described }
    let isTold = false
    try {
      const placed = await calls.run(caller.workspaceId, () => placeKept(media, { line, accessToken }, kept))
      if ('reason' in placed) return no(placed)
      if (!placed.ok) return placed
      await caller.renew()
      await media.rememberId(placed.mediaId, { line, fileId })
      isTold = true
      return { ok: true, status: 200, body: { id: placed.mediaId } }
    } finally {
      // Nobody knows it: the client has no id.
      if (!isTold) await store.write.expireFile({ fileId })
    }
  }

  /** @returns null: the caller may see none. Ids of the platform are known of uploads by this API alone */
  async function named(asked: Asked, id: string): Promise<NamedFile | null> {
    const { caller, request } = asked
    let uploaded: UploadedFile | null = null
    if (!ownIdPattern.test(id)) {
      const lineId = addressOf(request).searchParams.get('phone_number_id')
      const lines = idPattern.test(id) ? await linesOf(caller) : []
      const uploadedTo = lines.filter(({ upstreamPhoneId }) => lineId === null || upstreamPhoneId === lineId)
      uploaded = await media.fileOf(id, uploadedTo)
      if (!uploaded) return null
    }
    const file = await arrived(asked, uploaded?.fileId ?? id)
    return file && { file, uploaded }
  }

  return {
    named,

    uploadMedia: (caller: PartnerCaller, { id }: PathContext) => keep(caller, id),

    describe({ request, id }: PathContext, { file }: NamedFile): Outcome {
      if (!isKept(file)) return missing
      const { mimeType, bytes, sha256 } = file
      const url = linkTo(links, request, publicUrl, `${addressOf(request).pathname}/${contentEdge}`)
      const known = { url, mime_type: mimeType, ...(sha256 !== null && { sha256 }), file_size: bytes }
      return { ok: true, status: 200, body: { messaging_product: 'whatsapp', ...known, id } }
    },

    fetchMedia: async (caller: PartnerCaller, { request, id }: PathContext) =>
      openFile(fileStorage, (await named({ caller, request }, id))?.file ?? null, request.headers.get('range')),

    /** What the platform has of it goes first: when that fails, nothing has changed. */
    async remove(asked: Asked, id: string, { file, uploaded }: NamedFile): Promise<Outcome> {
      const { caller } = asked
      if (uploaded) {
        const deleted = await pass(parts, asked, { channelId: uploaded.line.channelId, path: id, of: 'file' })
        if (!deleted.ok && !isUnknownObject(deleted.refusal)) return deleted
        await caller.renew()
        await media.forgetId(id, uploaded)
      } else if (!isKept(file)) return missing
      await caller.actor.write.expireFile({ fileId: file.id })
      return { ok: true, status: 200, body: { success: true } }
    },
  }
}
