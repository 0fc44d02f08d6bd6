import { Elysia } from 'elysia'
import { sha256 } from '../../base/crypto.ts'
import { GatewayError } from '../../base/errors.ts'
import { Type, wire } from '../../base/schema.ts'
import { cardsMax, mediaBytesMax } from '../../base/upstreamLimits.ts'
import { isKnown } from '../../http/conditional.ts'
import { UnderWay } from '../../http/underWay.ts'
import { fetchMedia } from '../../media/outgoing/fetch.ts'
import { templateOf } from '../../operations/templates.ts'
import { headerExamples } from '../../templates/headerExamples.ts'
import { templateRecord } from '../../templates/record.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done, notFound } from '../refusals.ts'

const mib = 1_048_576
/** What is fetched at once, each counted as the largest of its kind: it is held in memory. */
const fetchedMibMax = { workspace: 32, all: 128 } as const

const query = wire(
  Type.Object({
    place: Type.Integer({ minimum: 0, maximum: cardsMax, description: '0: the header of the message; else the card.' }),
  }),
  'text',
)

/**
 * Shows the example of a header: a page cannot load it from the platform's own address. That stands in the listing; no
 * caller names one. A part of `exampleRoutes`.
 */
export function shownExampleRoute(parts: ConsoleParts) {
  const { examples, clock } = parts
  const underWay = new UnderWay(fetchedMibMax, 'Too many examples are being fetched.')
  // Bounded by `underWay`.
  const hold = async () => true
  return new Elysia({ name: 'console-shown-example' }).use(guard(parts)).get(
    '/templates/:templateId/example',
    async ({ member, params, query: { place }, request }) => {
      const { template } = done(await templateOf(member, params.templateId))
      const example = headerExamples(templateRecord(template))[place]
      if (!example || example.kind === 'document') throw notFound('No picture or video is the example of this header.')
      const { link } = example
      const format = example.kind === 'image' ? 'image' : 'video'
      // Who may see it is asked each time. Another file has another address.
      const entityTag = `"${sha256(link)}"`
      const headers = { etag: entityTag, 'cache-control': 'private, no-cache' }
      if (isKnown(request, entityTag)) return new Response(null, { status: 304, headers })
      const fetching = () => fetchMedia({ ...examples, clock, hold }, link, format)
      const fetched = await underWay.run(member.workspaceId, fetching, mediaBytesMax[format] / mib)
      if ('reason' in fetched) throw new GatewayError(fetched)
      if (fetched.kind !== 'fetched') throw notFound('The example cannot be fetched.')
      return new Response(Buffer.concat(fetched.file), {
        headers: { ...headers, 'content-type': fetched.mime, 'content-disposition': 'attachment' },
      })
    },
    {
      role: 'viewer',
      query,
      summary: 'Get the example of a header',
      description: 'A picture or video, as its bytes show. 404 when there is none, or its server does not give it.',
    },
  )
}
