import type { Clock } from '../base/clock.ts'
import { invalid, type Refusal } from '../base/errors.ts'
import { closed, type Static, Type } from '../base/schema.ts'
import { mediaBytesMax } from '../base/upstreamLimits.ts'
import { type FormFile, readFormFile } from '../http/formFile.ts'
import { uploadMsMax, uploadsMax } from '../http/limits.ts'
import type { Body } from '../http/requestHead.ts'
import { UnderWay } from '../http/underWay.ts'
import type { FileKeeper } from '../media/incoming/keeper.ts'
import { givenType, mediaType, sendableType, wrongType } from '../media/outgoing/types.ts'
import type { FileStorage } from '../media/storage.ts'
import type { FileType } from '../message/words.ts'

export const uploadedSchema = closed(
  {
    id: Type.String({ description: 'The file (`media_…`), for `mediaId` of a send.' }),
    type: Type.Enum(['image', 'video', 'document', 'audio', 'sticker'] satisfies FileType[], {
      description: 'The type of message that shows it, as its bytes say.',
    }),
    mimeType: Type.String({ description: 'As its bytes say.' }),
    size: Type.Integer({ description: 'In bytes.' }),
    fileName: Type.Union([Type.String(), Type.Null()], { description: 'As the form says; null: it does not.' }),
  },
  { title: 'UploadedMedia', description: 'A file that is kept to be sent.' },
)
export interface FileReceiverParts {
  readonly files: Pick<FileKeeper, 'keepGiven' | 'storageBytesMax'>
  readonly fileStorage: FileStorage
  readonly clock: Clock
}

type Received =
  | { readonly ok: true; readonly file: Static<typeof uploadedSchema> }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * Receives a file that is to be sent, from a form, and keeps it. Callers of the API and people in the console share it,
 * and so the bound of what is received at once.
 */
export type FileReceiver = (workspaceId: string, body: Body) => Promise<Received>

export function fileReceiver({ files, fileStorage, clock }: FileReceiverParts): FileReceiver {
  const underWay = new UnderWay(uploadsMax, 'Too many files are being received.')

  async function receive(workspaceId: string, body: Body): Promise<Received> {
    const bytesMax = Math.min(mediaBytesMax.document, files.storageBytesMax)
    let type: FileType | undefined
    const kept = await files.keepGiven<Refusal>(workspaceId, fileStorage, async path => {
      const given = await body((request, room) =>
        readFormFile(request, clock, { path, bytesMax, msMax: uploadMsMax, room }),
      )
      const mimeType = givenType(given.head, given.mimeType)
      type = sendableType(mimeType)
      const problem = type === undefined ? 'is of no type that can be sent' : problemOf(type, given)
      return problem ? { refused: invalid([{ path: '/file', message: problem }]) } : { ...given, mimeType }
    })
    if ('refused' in kept) return { ok: false, refusal: kept.refused }
    const { id, mimeType, bytes, fileName } = kept
    if (type === undefined || mimeType === null || bytes === null) throw new Error('a file was kept without its type')
    return { ok: true, file: { id, type, mimeType, size: bytes, fileName } }
  }

  return async (workspaceId, body) => {
    const received = await underWay.run(workspaceId, () => receive(workspaceId, body))
    return 'reason' in received ? { ok: false, refusal: received } : received
  }
}

function problemOf(type: FileType, { bytes, head, mimeType }: FormFile): string | null {
  if (mediaType(type, [head], mimeType) === null) return wrongType(type, [head])
  const bytesMax = mediaBytesMax[type]
  return bytes > bytesMax ? `has more than ${bytesMax} bytes, the most of the type ${type}` : null
}
