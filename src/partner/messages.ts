import { Elysia } from 'elysia'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/crypto.ts'
import { type Issue, invalid } from '../base/errors.ts'
import { phoneLengthMax, readPhone } from '../base/phone.ts'
import { closed, described, orNull, type Static, Type } from '../base/schema.ts'
import { templateNameCharsMax } from '../base/upstreamLimits.ts'
import { partnerPrefix } from '../http/calls.ts'
import { messageStatuses } from '../message/statuses.ts'
import { messageTypes, withoutOne } from '../message/words.ts'
import { messageReferenceLengthMax } from '../operations/sends/sendSchema.ts'
import { addressesOf, numbersOf } from '../reading/bothSides.ts'
import { noPosition } from '../reading/cursor.ts'
import { searcherOf, type WholeFilter } from '../reading/messages.ts'
import { sentPage } from '../reading/sentPage.ts'
import { pageDefault, pageMax } from '../reading/steps.ts'
import { exampleMessage, messageSchema, shownMessage } from '../sending/messageSchema.ts'
import { answer, queryParameters } from './docs/operation.ts'
import type { Endpoint, Outcome } from './endpoint.ts'
import { idLengthMax } from './inbound.ts'
import { strictQuery } from './query.ts'

/** A page is answered with what it has found until then: the next one goes on from there. */
const pageMs = 10
const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))
const querySchema = closed({
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: messageReferenceLengthMax,
      description: 'Only those with this `reference`.',
    }),
  ),
  phone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: phoneLengthMax,
      description: 'Only those to this number. A `+` in an address has to be written `%2B`, or left out.',
    }),
  ),
  contactId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: idLengthMax,
      description: 'Only those to this contact: to its number and its user ids, also those that it has had.',
    }),
  ),
  status: Type.Optional(Type.Enum([...messageStatuses], { type: 'string', description: 'Only those in this state.' })),
  type: Type.Optional(Type.Enum([...messageTypes], { type: 'string', description: 'Only those of this type.' })),
  templateName: Type.Optional(
    Type.String({ minLength: 1, maxLength: templateNameCharsMax, description: 'Only those of this template.' }),
  ),
  since: moment('Only those that were accepted at this time or later.'),
  until: moment('Only those that were accepted before this time.'),
  order: Type.Optional(
    Type.Enum(['desc', 'asc'], {
      type: 'string',
      description: '`desc`: newest first, the default. `asc`: oldest first.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: idLengthMax,
      description: 'The `next` of the page before, with the same filters and order.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageMax, description: `Messages of a page. Default: ${pageDefault}.` }),
  ),
})
const checkQuery = strictQuery(querySchema)
type Query = Static<typeof querySchema>

const listEnvelope = described('MessageList', 'A page of messages.', {
  success: Type.Literal(true),
  data: Type.Array(messageSchema, { description: 'As each stands now.' }),
  next: orNull(Type.String(), {
    description:
      'Give it as `after` for what comes next. It is a position, also where a page is short, or empty, because what ' +
      'was looked at was left out. You are at the end when it equals the `after` that you gave; null while there is ' +
      'no message at all.',
  }),
})

/**
 * Positions are those of one list: of a workspace, with its filters, in one order. The sum tells one from all others;
 * it keeps no secret, as a list shows nothing but what its key may see.
 */
function positionsOf(workspaceId: string, { after: _after, limit: _limit, ...list }: Query) {
  const named = Object.entries(list).sort(([one], [other]) => (one < other ? -1 : 1))
  const sumOf = (position: string) => sha256(JSON.stringify([workspaceId, named, position])).slice(0, 16)
  return {
    told: (position: string) => `pos_${position.replace(/\W/, '-')}-${sumOf(position)}`,
    /** @returns null for what is none of this list */
    read(given: string): string | null {
      const [, written = '', sum] = /^pos_(\w+(?:-\d+)?)-([0-9a-f]{16})$/.exec(given) ?? []
      const position = written.replace('-', '.')
      return sum === sumOf(position) ? position : null
    },
  }
}

/** `GET /messages` (docs/partner-api.md#message-list). */
export function messagesRoute(clock: Clock, endpoint: Endpoint) {
  const answerList = endpoint('GET /messages', async (caller, { request }): Promise<Outcome> => {
    const { workspaceId, read } = caller
    const checked = checkQuery(request)
    if (!checked.ok) return refusedBy(checked.issues)
    const query = checked.value
    const phone = query.phone === undefined ? null : readPhone(query.phone)
    const positions = positionsOf(workspaceId, query)
    const cursor = query.after === undefined ? undefined : positions.read(query.after)
    const issues: Issue[] = [
      ...(phone?.ok === false ? [{ path: '/phone', message: phone.problem }] : []),
      ...(query.phone !== undefined && query.contactId !== undefined
        ? [{ path: '/phone', message: 'cannot stand beside contactId' }]
        : []),
      // The console's word for messages without a template, which is no name of one.
      ...(query.templateName === withoutOne ? [{ path: '/templateName', message: 'is no name of a template' }] : []),
      ...(cursor === null ? [noPosition] : []),
    ]
    if (cursor === null || issues.length > 0) return refusedBy(issues)
    const contact =
      query.contactId === undefined ? null : await read.contact({ workspaceId, contactId: query.contactId })
    if (query.contactId !== undefined && !contact) return noContact
    const recipients = contact
      ? await addressesOf(read, contact)
      : phone?.ok
        ? await numbersOf(read, workspaceId, phone.number)
        : null
    const page = {
      filter: filterOf(workspaceId, query),
      direction: query.order === 'asc' ? ('newer' as const) : ('older' as const),
      cursor,
      limit: query.limit ?? pageDefault,
    }
    const { found, next } = await sentPage(
      searcherOf(read, clock, () => read.turn(), pageMs),
      page,
      recipients,
    )
    const reached = next ?? found.at(-1)?.cursor ?? cursor
    const body: Static<typeof listEnvelope> = {
      success: true,
      data: found.map(({ message }) => shownMessage(message, false)),
      next: reached === undefined ? null : positions.told(reached),
    }
    return { ok: true, status: 200, body }
  })
  return new Elysia({ name: 'partner-messages' }).get(
    `${partnerPrefix}/messages`,
    ({ request, server }) => answerList({ request, server }),
    {
      detail: {
        operationId: 'listMessages',
        summary: 'List what was sent',
        tags: ['Messages'],
        description:
          "The workspace's messages, newest first, of all of its keys and of its console. Filters go together: each " +
          'narrows the list. Where few of many messages fit, a page may be short or empty: go on with `next` until ' +
          'it stays the same.',
        parameters: queryParameters(querySchema),
        responses: {
          200: answer('A page of messages.', listEnvelope, {
            page: {
              summary: 'One message; further ones may follow',
              value: { success: true, data: [exampleMessage], next: 'pos_1772357400120-1001-5f4dcc3b5aa765d6' },
            },
          }),
        },
      },
    },
  )
}

const filterOf = (workspaceId: string, query: Query): WholeFilter => ({
  workspaceId,
  status: query.status && [query.status],
  type: query.type,
  template: query.templateName,
  reference: query.reference,
  since: query.since === undefined ? undefined : Date.parse(query.since),
  until: query.until === undefined ? undefined : Date.parse(query.until),
  // Each recipient of `phone` and `contactId` has a walk of its own (reading/sentPage.ts).
  recipient: undefined,
  // The lines of the key (reading/keyReads.ts).
  lineIds: undefined,
  // Not offered: callers know their lines and keys, and find what failed by its events.
  language: undefined,
  line: undefined,
  key: undefined,
  cause: undefined,
  meant: undefined,
  ids: undefined,
})

const refusedBy = (issues: Issue[]): Outcome => ({ ok: false, refusal: invalid(issues) })
const noContact: Outcome = {
  ok: false,
  refusal: { reason: 'NOT_FOUND', message: 'contactId names no contact of this workspace.' },
}
