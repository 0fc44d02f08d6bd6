import { Elysia } from 'elysia'
import { CountTable } from '../../base/countTable.ts'
import { minuteMs } from '../../base/durations.ts'
import { GatewayError } from '../../base/errors.ts'
import { Type, wire } from '../../base/schema.ts'
import { readInTime } from '../../http/body.ts'
import { idField } from '../../operations/fields.ts'
import { channelOfLine, uploadExample } from '../../operations/templates.ts'
import { mediaKinds } from '../../templates/authoring/kinds.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { wired } from '../shapes.ts'
import { shownExampleRoute } from './shownExampleRoute.ts'

/** The largest video that the upstream takes. An example need not be larger, whatever its kind. */
const exampleBytesMax = 16 * 1_048_576
/** The largest file at 140 KB a second. */
const exampleMsMax = 2 * minuteMs
/** Simultaneous uploads: each holds its file in memory. One user or workspace gets at most half of them. */
const uploadsMax = { user: 2, workspace: 2, all: 4 } as const
const retryMs = 10_000

/** A longer name is cut by the browser that gives it. */
const fileNameLengthMax = 200

const query = wire(
  Type.Object({
    phoneNumberId: idField,
    kind: Type.Enum([...mediaKinds]),
    fileName: Type.String({ minLength: 1, maxLength: fileNameLengthMax }),
  }),
  'text',
)
const answer = wired('UploadedExample', { handle: Type.String({ description: 'For `handle` of a header.' }) })

/** Examples of headers: shows that of a template, and uploads one, where the body is the file itself. */
export function exampleRoutes(parts: ConsoleParts) {
  const uploads = new CountTable(Number.POSITIVE_INFINITY)

  /** @throws GatewayError SERVICE_UNAVAILABLE when too many files are being uploaded */
  async function withPermit<Result>({ user, workspaceId }: MemberCaller, work: () => Promise<Result>): Promise<Result> {
    const bounds = [
      [user.id, uploadsMax.user],
      [workspaceId, uploadsMax.workspace],
      ['all', uploadsMax.all],
    ] as const
    if (bounds.some(([subject, max]) => uploads.count(subject) >= max)) throw busy()
    for (const [subject] of bounds) uploads.add(subject, 1)
    try {
      return await work()
    } finally {
      for (const [subject] of bounds) uploads.add(subject, -1)
    }
  }

  return new Elysia({ name: 'console-template-example', prefix: '/workspaces/:workspaceId' })
    .use(guard(parts))
    .use(shownExampleRoute(parts))
    .post(
      '/template-examples',
      async ({ member, query, file }) => {
        const channel = done(await channelOfLine(member, query.phoneNumberId))
        const uploaded = await withPermit(member, async () => {
          const bounds = { bytesMax: exampleBytesMax, msMax: exampleMsMax }
          const bytes = await file(request => readInTime(request, parts.clock, bounds))
          return done(await uploadExample(parts, channel, query.kind, { fileName: query.fileName, bytes }))
        })
        await member.write.noteAction({ action: 'template.upload-example', subject: channel.id })
        return uploaded
      },
      {
        fileOf: 'member',
        query,
        response: answer,
        summary: 'Upload an example file',
        description: 'The example of a header, which the review sees. The body is the file.',
      },
    )
}

const busy = () =>
  new GatewayError({
    reason: 'SERVICE_UNAVAILABLE',
    message: 'Too many files are being uploaded. Try again after Retry-After seconds.',
    retryAfterMs: retryMs,
  })
