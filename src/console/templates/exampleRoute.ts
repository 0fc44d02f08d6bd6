import { Elysia } from 'elysia'
import { GatewayError } from '../../errors.ts'
import { readInTime } from '../../http/body.ts'
import { Type, wire } from '../../schema.ts'
import { mediaKinds } from '../../templates/authoring/draft.ts'
import { TemplateChanges } from '../../templates/changes.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { channelOfLine, done } from './templateRoutes.ts'

/** The largest video that the upstream takes. An example need not be larger, whatever its kind. */
const exampleBytesMax = 16 * 1_048_576
/** The largest file at 140 KB a second. */
const exampleMsMax = 120_000
/** Uploads at once, of all users: each holds its file in memory. */
const uploadsMax = 4
const retryMs = 10_000

const query = wire(
  Type.Object({
    phoneNumberId: Type.String({ maxLength: 100 }),
    kind: Type.Enum([...mediaKinds]),
    fileName: Type.String({ minLength: 1, maxLength: 200 }),
  }),
  'text',
)
const answer = wire(
  Type.Object(
    { handle: Type.String({ description: 'For `handle` of a header.' }) },
    { additionalProperties: false, title: 'UploadedExample' },
  ),
)

/** Uploads the example file of a header: the body is the file itself. */
export function exampleRoute(parts: ConsoleParts) {
  const { read } = parts.store
  const changes = new TemplateChanges({ ...parts, read })
  let uploads = 0

  /** @throws GatewayError SERVICE_UNAVAILABLE when too many files are being uploaded */
  async function withPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    if (uploads >= uploadsMax) throw busy()
    uploads += 1
    try {
      return await work()
    } finally {
      uploads -= 1
    }
  }

  return new Elysia({ name: 'console-template-example', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).post(
    '/template-examples',
    async ({ member: { workspaceId, write }, query, request }) => {
      const channel = await channelOfLine(read, workspaceId, query.phoneNumberId)
      const uploaded = await withPlace(async () => {
        const bytes = await readInTime(request, parts.clock, { bytesMax: exampleBytesMax, msMax: exampleMsMax })
        return done(await changes.uploadExample(channel, query.kind, { fileName: query.fileName, bytes }))
      })
      await write.noteAction({ action: 'template.upload-example', subject: channel.id })
      return uploaded
    },
    {
      fileOf: 'member',
      query,
      response: answer,
      detail: {
        summary: 'Upload an example file',
        description: 'The example of a header, which the review sees. The body is the file.',
      },
    },
  )
}

const busy = () =>
  new GatewayError({
    reason: 'SERVICE_UNAVAILABLE',
    message: 'Too many files are being uploaded. Try again after Retry-After seconds.',
    retryAfterMs: retryMs,
  })
