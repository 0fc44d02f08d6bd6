import { Elysia } from 'elysia'
import { partnerPrefix } from '../http/calls.ts'
import { openFile } from '../http/fileAnswer.ts'
import { exampleImage } from '../inbound/inboundSchema.ts'
import type { FileStorage } from '../media/storage.ts'
import type { Responses } from './docs/operation.ts'
import type { Endpoint, EndpointContext } from './endpoint.ts'

/** The id is part of the path. */
interface MediaContext extends EndpointContext {
  readonly params: { readonly mediaId: string }
}

/** `GET /media/:mediaId` (docs/partner-api.md#media). */
export function mediaRoute(storage: FileStorage, endpoint: Endpoint) {
  const answerFile = endpoint<MediaContext>(
    'GET /media/:mediaId',
    async ({ workspaceId, read }, { request, params: { mediaId } }) =>
      openFile(storage, await read.file({ workspaceId, fileId: mediaId }), request.headers.get('range')),
  )
  return new Elysia({ name: 'partner-media' }).get(
    `${partnerPrefix}/media/:mediaId`,
    ({ request, server, params }) => answerFile({ request, server, params }),
    {
      detail: {
        operationId: 'getMedia',
        summary: 'Get a file that is kept',
        tags: ['Inbound'],
        description:
          'The bytes of a file that a user sent, as soon as its `media.state` is `stored`; before, and when it is ' +
          'not kept any more, 404 with the state in `details`. `Content-Type` is what the bytes show, and ' +
          '`Content-Disposition` says to save it. A range of bytes can be asked for with `Range`.',
        parameters: [
          {
            name: 'mediaId',
            in: 'path',
            required: true,
            description:
              'The `media.id` of a message that a user sent, or the id of a file that was uploaded to be sent.',
            schema: { type: 'string' },
            example: exampleImage.media?.id,
          },
          {
            name: 'Range',
            in: 'header',
            required: false,
            description: 'One range, as in `bytes=0-1023`. Several are answered with the whole file.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          200: fileContent('The file.', {}),
          206: fileContent('The part of the file that `Content-Range` names.', {
            'Content-Range': header('Which bytes of how many.', 'bytes 0-1023/68204'),
          }),
        },
      },
    },
  )
}

const header = (description: string, example: string) => ({
  description,
  schema: { type: 'string' } as const,
  example,
})

/** Its type is that of the file. */
const fileContent = (description: string, headers: Readonly<Record<string, object>>): Responses[string] => ({
  description,
  headers: {
    'Content-Disposition': header('A name to save it under (RFC 6266).', 'attachment; filename="box.jpg"'),
    'Accept-Ranges': header('Parts can be asked for.', 'bytes'),
    ...headers,
  },
  content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
})
