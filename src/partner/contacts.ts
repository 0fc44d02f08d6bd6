import { Elysia } from 'elysia'
import type { Contact } from '../../db/contract/records.ts'
import { type Clock, expiredBy } from '../base/clock.ts'
import { invalid } from '../base/errors.ts'
import { phoneLengthMax, readPhone } from '../base/phone.ts'
import { closed, orNull, type Static, Type } from '../base/schema.ts'
import { userIdPattern, windowMs } from '../base/upstreamLimits.ts'
import { partnerPrefix } from '../http/calls.ts'
import { preferenceSchema, preferencesOf } from '../inbound/preferences.ts'
import { windowOf } from '../inbound/window.ts'
import { platformSource } from '../message/optOut.ts'
import { Refused } from '../operations/act.ts'
import { contactFields, contactView } from '../operations/contacts.ts'
import { setWish, wishField } from '../operations/optOuts.ts'
import type { KeyReads } from '../reading/keyReads.ts'
import { bodyReader } from './body.ts'
import { answer, jsonBody, queryParameters } from './docs/operation.ts'
import type { Endpoint, EndpointContext, Outcome } from './endpoint.ts'
import { strictQuery } from './query.ts'

const { createdAt, updatedAt, ...who } = contactFields
const windowFields = {
  open: Type.Boolean({ description: 'Whether everything may be sent; else templates alone.' }),
  expiresAt: orNull(Type.String({ format: 'date-time' }), { description: 'Until when; null when it is not open.' }),
}

const contactSchema = closed(
  {
    ...who,
    preferences: Type.Array(preferenceSchema, {
      description:
        'Which messages the user wants, as it told the upstream platform, or this workspace. None: it never said.',
    }),
    window: closed(
      {
        ...windowFields,
        lines: Type.Array(closed({ lineId: Type.String(), ...windowFields }), {
          description: 'The same for each active line: a window is open between one line and one user.',
        }),
      },
      {
        title: 'ContactWindow',
        description:
          'An estimate: 24 hours from the last message of the user that this service got, on the line whose window ' +
          'is open for longest. The upstream platform decides.',
      },
    ),
    ...{ createdAt, updatedAt },
  },
  { title: 'Contact', description: 'A user of the channel, as the workspace knows it.' },
)

const contactEnvelope = closed(
  { success: Type.Literal(true), data: contactSchema },
  { title: 'ContactAnswer', description: 'The contact as it is known now.' },
)

const wishSchema = closed(
  {
    category: Type.Literal('marketing_messages', { description: 'Of messages; there is one so far.' }),
    value: wishField,
  },
  { title: 'PreferenceChange', description: 'What the user wishes.' },
)
const readWish = bodyReader(wishSchema)

const querySchema = closed({
  phone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: phoneLengthMax,
      description:
        'The number, written as for a send. A `+` in an address has to be written `%2B`, or left out. Give either ' +
        '`phone` or `userId`.',
    }),
  ),
  userId: Type.Optional(
    Type.String({
      pattern: userIdPattern.source,
      description: "In place of `phone`: the upstream platform's id of the user.",
    }),
  ),
})
const checkQuery = strictQuery(querySchema)

/**
 * Messages of one contact in a day that are looked at, the newest first. Nobody writes that many; a machine that does
 * may hide that another line has a window too.
 */
const timesMax = 1_000

const notFound = (what: string): Outcome => ({
  ok: false,
  refusal: { reason: 'NOT_FOUND', message: `No contact has this ${what}.` },
})

const neither: Outcome = {
  ok: false,
  refusal: invalid([{ path: '/phone', message: 'is required, unless userId is given; give one of them' }]),
}

interface ContactContext extends EndpointContext {
  readonly params: { readonly contactId: string }
}

/** `GET /contacts/:contactId`, `GET /contacts?phone=` and `?userId=` (docs/partner-api.md#contacts). */
export function contactRoutes(clock: Clock, endpoint: Endpoint) {
  async function shown(read: KeyReads, contact: Contact): Promise<Outcome> {
    const [updates, times, lines] = await Promise.all([
      read.updates(contact.id),
      read.inboundTimes({ contactId: contact.id, since: clock.ago(windowMs), limit: timesMax }),
      read.lines(contact.workspaceId),
    ])
    const data: Static<typeof contactSchema> = {
      ...contactView(contact),
      preferences: preferencesOf(updates),
      window: windowOf(
        times,
        lines.filter(({ active }) => active),
        expiredBy(clock, windowMs),
      ),
    }
    return { ok: true, status: 200, body: { success: true, data } }
  }
  const answerById = endpoint<ContactContext>(
    'GET /contacts/:contactId',
    async ({ workspaceId, read }, { params: { contactId } }) => {
      const contact = await read.contact({ workspaceId, contactId })
      return contact ? shown(read, contact) : notFound('id')
    },
  )
  const answerWish = endpoint<ContactContext>(
    'PUT /contacts/:contactId/preferences',
    async (caller, { params: { contactId } }) => {
      const { value } = await readWish(caller, clock)
      const source = { kind: 'key', word: null, by: caller.keyId } as const
      const contact = await setWish(caller.actor, contactId, value, source)
      return contact instanceof Refused ? notFound('id') : shown(caller.read, contact)
    },
  )
  const answerByAddress = endpoint('GET /contacts', async ({ workspaceId, read }, { request }) => {
    const query = checkQuery(request)
    if (!query.ok) return { ok: false, refusal: invalid(query.issues) }
    const { phone: written, userId } = query.value
    if ((written === undefined) === (userId === undefined)) return neither
    const phone = written === undefined ? null : readPhone(written)
    if (phone?.ok === false) return { ok: false, refusal: invalid([{ path: '/phone', message: phone.problem }]) }
    const { contacts } = await read.searchContacts({ workspaceId, phone: phone?.number, userId, limit: 1, scan: 1 })
    const [contact] = contacts
    return contact ? shown(read, contact) : notFound(phone ? 'number' : 'user id')
  })
  return new Elysia({ name: 'partner-contacts' })
    .get(
      `${partnerPrefix}/contacts/:contactId`,
      ({ request, server, params }) => answerById({ request, server, params }),
      {
        detail: {
          operationId: 'getContact',
          summary: 'Get a contact',
          tags: ['Contacts'],
          description:
            'Who a contact is, which messages it wants, and whether everything may be sent to it now. The id of a ' +
            'contact that turned out to be another finds that one.',
          parameters: [contactIdParameter],
          responses: { 200: contactDocument },
        },
      },
    )
    .put(
      `${partnerPrefix}/contacts/:contactId/preferences`,
      ({ request, server, params }) => answerWish({ request, server, params }),
      {
        parse: 'none',
        detail: {
          operationId: 'setPreference',
          summary: 'Opt a contact out, or in',
          tags: ['Contacts'],
          description:
            'Says in the place of the user whether it wants marketing messages, as after a call or on a web page. ' +
            'What the user told the upstream platform is another entry, which stays: while either says `stop`, the ' +
            'user wants none. The same again changes nothing.',
          parameters: [contactIdParameter],
          requestBody: jsonBody(wishSchema, {
            optOut: { summary: 'No marketing any more', value: { category: 'marketing_messages', value: 'stop' } },
          }),
          responses: { 200: contactDocument },
        },
      },
    )
    .get(`${partnerPrefix}/contacts`, ({ request, server }) => answerByAddress({ request, server }), {
      detail: {
        operationId: 'findContact',
        summary: 'Find a contact by its number or its user id',
        tags: ['Contacts'],
        description: 'The contact that has the number, or the user id, now.',
        parameters: queryParameters(querySchema),
        responses: { 200: contactDocument },
      },
    })
}

/** Of the API document. */
const exampleContact: Static<typeof contactSchema> = {
  id: 'contact_01jd4v7m9xf5ksxj1q5y8p0c3k',
  phone: '+15550150100',
  name: 'Ada Lovelace',
  username: 'ada.lovelace',
  userId: 'US.13491208655302741918',
  preferences: [
    {
      category: 'marketing_messages',
      value: 'stop',
      detail: 'User requested to stop marketing messages',
      source: platformSource,
      at: '2026-02-27T18:00:00.000Z',
    },
  ],
  window: {
    open: true,
    expiresAt: '2026-03-02T09:29:12.000Z',
    lines: [{ lineId: 'line_01jd4v7m9xf5ksxj1q5y8p0c3e', open: true, expiresAt: '2026-03-02T09:29:12.000Z' }],
  },
  createdAt: '2026-01-12T08:00:00.000Z',
  updatedAt: '2026-02-20T10:15:00.000Z',
}

const contactIdParameter = {
  name: 'contactId',
  in: 'path',
  required: true,
  description: 'The contact, as messages of users name it.',
  schema: { type: 'string' },
  example: exampleContact.id,
} as const

const contactDocument = answer('The contact as it is known now.', contactEnvelope, {
  contact: {
    summary: 'One who wrote within the last day and wants no marketing',
    value: { success: true, data: exampleContact },
  },
})
