import { Elysia } from 'elysia'
import type { Clock } from '../base/clock.ts'
import { CountTable } from '../base/countTable.ts'
import { minuteMs } from '../base/durations.ts'
import { invalid, type Refusal } from '../base/errors.ts'
import { closed, type Static, Type } from '../base/schema.ts'
import { mediaBytesMax } from '../base/upstreamLimits.ts'
import { readFormFile } from '../http/formFile.ts'
import type { FileKeeper } from '../media/incoming/keeper.ts'
import { givenType, sendableType } from '../media/outgoing/types.ts'
import type { FileStorage } from '../media/storage.ts'
import type { FileType } from '../message/words.ts'
import { busy } from '../sending/refusals.ts'
import { answer } from './docs/operation.ts'
import { type Endpoint, type Outcome, partnerPrefix } from './endpoint.ts'

/** Files at once, of a workspace and in all: each has an open connection, and a file on the disk. */
const uploadsMax = { workspace: 4, all: 16 } as const
/** The largest file at 2.8 Mbit a second. */
const uploadMsMax = 5 * minuteMs

const uploadedSchema = closed(
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
const uploadedEnvelope = closed(
  { success: Type.Literal(true), data: uploadedSchema },
  { title: 'UploadedMediaAnswer', description: 'The file, once all of it is on disk.' },
)

export interface MediaUploadParts {
  readonly files: Pick<FileKeeper, 'keepGiven' | 'storageBytesMax'>
  readonly fileStorage: FileStorage
  readonly clock: Clock
}

const tooMany = busy('Too many files are being received.')

/** `POST /media` (docs/partner-api.md#files). */
export function mediaUploadRoute({ files, fileStorage, clock }: MediaUploadParts, endpoint: Endpoint) {
  const underWay = new CountTable(Number.POSITIVE_INFINITY)
  const all = 'all'

  async function receive(workspaceId: string, request: Request): Promise<Outcome> {
    const bytesMax = Math.min(mediaBytesMax.document, files.storageBytesMax)
    let type: FileType | undefined
    const kept = await files.keepGiven<Refusal>(workspaceId, fileStorage, async path => {
      const given = await readFormFile(request, clock, { path, bytesMax, msMax: uploadMsMax })
      const mimeType = givenType(given.head, given.mimeType)
      type = sendableType(mimeType)
      const problem = type === undefined ? 'is of no type that can be sent' : sizeProblem(type, given.bytes)
      return problem ? { refused: invalid([{ path: '/file', message: problem }]) } : { ...given, mimeType }
    })
    if ('refused' in kept) return { ok: false, refusal: kept.refused }
    const { id, mimeType, bytes, fileName } = kept
    if (type === undefined || mimeType === null || bytes === null) throw new Error('a file was kept without its type')
    const data: Static<typeof uploadedSchema> = { id, type, mimeType, size: bytes, fileName }
    return { ok: true, status: 201, body: { success: true, data } }
  }

  const answerUpload = endpoint('POST /media', async ({ workspaceId }, { request }) => {
    if (underWay.count(workspaceId) >= uploadsMax.workspace || underWay.count(all) >= uploadsMax.all)
      return { ok: false, refusal: tooMany }
    for (const subject of [workspaceId, all]) underWay.add(subject, 1)
    try {
      return await receive(workspaceId, request)
    } finally {
      for (const subject of [workspaceId, all]) underWay.add(subject, -1)
    }
  })

  return new Elysia({ name: 'partner-media-upload' }).post(
    `${partnerPrefix}/media`,
    ({ request, server }) => answerUpload({ request, server }),
    {
      // The endpoint reads the body itself, and only for an authenticated caller.
      parse: 'none',
      detail: {
        operationId: 'uploadMedia',
        summary: 'Upload a file to send',
        tags: ['Messages'],
        description:
          'Keeps a file for sends, which name it in `mediaId`. It is recognised by its bytes, uploaded to each line ' +
          'when a send first needs it there, and again once it has expired there. It is kept as long as files that ' +
          'users send, and `GET /media/{mediaId}` gives it back.',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                title: 'MediaForm',
                type: 'object',
                properties: { file: { type: 'string', format: 'binary', description: 'The file.' } },
                required: ['file'],
              },
            },
          },
        },
        responses: {
          201: answer('The file is kept.', uploadedEnvelope, {
            picture: {
              summary: 'A picture',
              value: {
                success: true,
                data: {
                  id: 'media_01jd4v7m9xf5ksxj1q5y8p0c3f',
                  type: 'image',
                  mimeType: 'image/png',
                  size: 48_213,
                  fileName: 'parcel.png',
                },
              },
            },
          }),
        },
      },
    },
  )
}

const sizeProblem = (type: FileType, bytes: number): string | null =>
  bytes > mediaBytesMax[type] ? `has more than ${mediaBytesMax[type]} bytes, the most of the type ${type}` : null
