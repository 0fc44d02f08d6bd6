import { Elysia } from 'elysia'
import { closed, Type } from '../base/schema.ts'
import { partnerPrefix } from '../http/calls.ts'
import { type FileReceiver, uploadedSchema } from '../operations/fileReceiver.ts'
import { answer } from './docs/operation.ts'
import type { Endpoint } from './endpoint.ts'

const uploadedEnvelope = closed(
  { success: Type.Literal(true), data: uploadedSchema },
  { title: 'UploadedMediaAnswer', description: 'The file, once all of it is on disk.' },
)

/** `POST /media` (docs/partner-api.md#files). */
export function mediaUploadRoute(receive: FileReceiver, endpoint: Endpoint) {
  const answerUpload = endpoint('POST /media', async ({ workspaceId, body }) => {
    const received = await receive(workspaceId, body)
    return received.ok ? { ok: true, status: 201, body: { success: true, data: received.file } } : received
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
