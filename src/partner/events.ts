import { Elysia } from 'elysia'
import type { EventPage } from '../../db/contract/events.ts'
import { type Issue, invalid } from '../base/errors.ts'
import { type EventType, eventTypes } from '../base/eventTypes.ts'
import { type TObject, Type } from '../base/schema.ts'
import { partnerPrefix } from '../http/calls.ts'
import type { RequestHead } from '../http/requestHead.ts'
import type { Subject } from '../reading/announcements.ts'
import { nextMeaning, nextOf, noPosition, positionAfter } from '../reading/cursor.ts'
import type { KeyReads } from '../reading/keyReads.ts'
import { pageMax } from '../reading/steps.ts'
import { eventSchema, exampleEvent } from '../webhooks/eventSchema.ts'
import { eventView } from '../webhooks/eventView.ts'
import { answer, queryParameters } from './docs/operation.ts'
import type { Endpoint } from './endpoint.ts'
import { strictQuery } from './query.ts'
import { type Waiting, waitParameter } from './waiting.ts'

const limitDefault = 20

const querySchema = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        description:
          'The `next` of the page before. Left out: from the oldest event that is kept. `latest`: what happens from ' +
          'now on.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: pageMax, description: `How many at most; ${limitDefault} by default.` }),
    ),
    type: Type.Optional(
      Type.String({ description: 'Only these types: several with a comma, or the parameter several times.' }),
    ),
    wait: waitParameter('an event'),
  },
  { additionalProperties: false },
)
const checkQuery = strictQuery(querySchema, ['type'])

const listEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Array(eventSchema),
    next: Type.Union([Type.String(), Type.Null()], {
      description: nextMeaning,
    }),
  },
  { additionalProperties: false, title: 'EventList', description: 'Events in the order in which they were stored.' },
)

/** What is announced when an event of this type may have come: src/reading/observed.ts. */
const subjectOf: Readonly<Record<EventType, Subject>> = {
  'message.scheduled': 'messages',
  'message.released': 'messages',
  'message.cancelled': 'messages',
  'message.queued': 'messages',
  'message.sent': 'messages',
  'message.delivered': 'messages',
  'message.read': 'messages',
  'message.failed': 'messages',
  'message.unknown': 'messages',
  'message.received': 'contacts',
  'payment.pending': 'messages',
  'payment.captured': 'messages',
  'payment.failed': 'messages',
  'contact.updated': 'contacts',
  'contact.preference_changed': 'health',
  'template.updated': 'templates',
  'template.quality_changed': 'health',
  'template.reported': 'health',
  'channel.alert': 'health',
  'webhook.disabled': 'health',
  'batch.started': 'batches',
  'batch.paused': 'batches',
  'batch.done': 'batches',
}

interface EventQuery {
  readonly after: number
  readonly limit: number
  readonly types: readonly EventType[] | undefined
  readonly waitMs: number
}

type CheckedQuery = { readonly ok: true; readonly value: EventQuery } | { readonly ok: false; readonly issues: Issue[] }

/** In place of a cursor: after the last event. */
const latest = 'latest'

async function readQuery(read: KeyReads, request: RequestHead, workspaceId: string): Promise<CheckedQuery> {
  const checked = checkQuery(request)
  if (!checked.ok) return checked
  const { after, limit = limitDefault, type, wait = 0 } = checked.value
  const issues: Issue[] = []
  const from =
    after === latest ? await read.lastEvent(workspaceId) : await positionAfter(read, 'evt', workspaceId, after)
  if (from === null) issues.push(noPosition)
  const named = type?.split(',').map(name => name.trim())
  const types = named?.flatMap(name => eventTypes.find(known => known === name) ?? [])
  if (types?.length !== named?.length)
    issues.push({ path: '/type', message: `must be one of ${eventTypes.join(', ')}` })
  if (from === null || issues.length > 0) return { ok: false, issues }
  return { ok: true, value: { after: from, limit, types, waitMs: wait * 1_000 } }
}

/** `GET /events` (docs/partner-api.md#events). */
export function eventsRoute(endpoint: Endpoint, waiting: Waiting) {
  const answerList = endpoint('GET /events', async (caller, { request }) => {
    const { workspaceId, keyId, read, renew } = caller
    const checked = await readQuery(read, request, workspaceId)
    if (!checked.ok) return { ok: false, refusal: invalid(checked.issues) }
    const { waitMs, after, ...query } = checked.value
    let page: EventPage = { events: [], upTo: after, hasMore: false }
    /**
     * @returns null at the end of the list, from where the next look goes on; before it, there is nothing to wait for.
     */
    const look = async () => {
      await read.turn()
      // Who is gone needs no page: a read for nobody would only delay the others.
      if (request.signal.aborted) return page
      page = await read.events({ workspaceId, ...query, after: page.upTo })
      return page.events.length > 0 || page.hasMore ? page : null
    }
    if (waitMs === 0) await look()
    else {
      const subjects = [...new Set((query.types ?? eventTypes).map(type => subjectOf[type]))]
      const wish = { keyId, workspaceId, subjects, messageId: null, waitMs, signal: request.signal, renew }
      const waited = await waiting.for(wish, look)
      if (!waited.ok) return waited
    }
    const next = nextOf('evt', workspaceId, page.upTo)
    const data = page.events.map(event => eventView(workspaceId, event))
    return { ok: true, status: 200, body: { success: true, data, next } }
  })
  return new Elysia({ name: 'partner-events' }).get(
    `${partnerPrefix}/events`,
    ({ request, server }) => answerList({ request, server }),
    {
      detail: {
        operationId: 'listEvents',
        summary: 'List events, and wait for them',
        tags: ['Events'],
        description:
          'What happened in the workspace, each thing once, in the order in which it was stored: ask again with ' +
          '`next` as `after`, and nothing is missed. With `wait`, the answer comes as soon as there is an event, at ' +
          'the latest after so many seconds.',
        parameters: queryParameters(querySchema as TObject),
        responses: {
          200: answer('A page of events.', listEnvelope, {
            events: {
              summary: 'A message was delivered',
              value: {
                success: true,
                data: [exampleEvent('message.delivered')],
                next: exampleEvent('message.delivered').id,
              },
            },
          }),
        },
      },
    },
  )
}
