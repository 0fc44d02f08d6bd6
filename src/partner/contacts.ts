import { Elysia } from 'elysia'
import type { Clock } from '../base/clock.ts'
import { invalid } from '../base/errors.ts'
import { phoneLengthMax, readPhone } from '../base/phone.ts'
import { closed, Type } from '../base/schema.ts'
import { userIdPattern } from '../base/upstreamLimits.ts'
import { partnerPrefix } from '../http/calls.ts'
import type { UnderWay } from '../http/underWay.ts'
import { Refused } from '../operations/act.ts'
import { type BlockingParts, setBlocked } from '../operations/blocking.ts'
import { addContact, newContactFields } from '../operations/contacts.ts'
import { setWish, wishField } from '../operations/optOuts.ts'
import { bodyReader } from './body.ts'
import { contactDocument, contactIdParameter, shownContact } from './contactAnswers.ts'
import { jsonBody, queryParameters } from './docs/operation.ts'
import type { Endpoint, EndpointContext, Outcome } from './endpoint.ts'
import { strictQuery } from './query.ts'

const newSchema = closed(newContactFields, { title: 'NewContact', description: 'Who is added.' })
const readNew = bodyReader(newSchema)

const blockSchema = closed(
  { blocked: Type.Boolean({ description: 'Whether the person is to be blocked; else it is unblocked.' }) },
  { title: 'Block', description: 'What is to be so.' },
)
const readBlock = bodyReader(blockSchema)

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

/** Contacts: found, shown, added, opted out and blocked (docs/partner-api.md#contacts). */
export function contactRoutes(
  { clock, blocks, ...blocking }: BlockingParts & { readonly clock: Clock; readonly blocks: UnderWay },
  endpoint: Endpoint,
) {
  const answerById = endpoint<ContactContext>(
    'GET /contacts/:contactId',
    async ({ workspaceId, read }, { params: { contactId } }) => {
      const contact = await read.contact({ workspaceId, contactId })
      return contact ? shownContact({ read, clock }, contact) : notFound('id')
    },
  )
  const answerWish = endpoint<ContactContext>(
    'PUT /contacts/:contactId/preferences',
    async (caller, { params: { contactId } }) => {
      const { value } = await readWish(caller, clock)
      const source = { kind: 'key', word: null, by: caller.keyId } as const
      const contact = await setWish(caller.actor, contactId, value, source)
      return contact instanceof Refused ? notFound('id') : shownContact({ ...caller, clock }, contact)
    },
  )
  const answerNew = endpoint('POST /contacts', async caller => {
    const { workspaceId, actor, read } = caller
    const added = await addContact(actor, workspaceId, await readNew(caller, clock))
    if (added instanceof Refused) return { ok: false, refusal: added }
    return shownContact({ read, clock }, added.contact, added.isNew ? 201 : 200)
  })
  const answerBlock = endpoint<ContactContext>(
    'PUT /contacts/:contactId/blocked',
    async (caller, { params: { contactId } }) => {
      const { blocked } = await readBlock(caller, clock)
      const { workspaceId, actor, read } = caller
      const block = () => setBlocked(actor, { ...blocking, key: caller }, contactId, blocked)
      const done = await blocks.run(workspaceId, block)
      if ('reason' in done) return { ok: false, refusal: done }
      const contact = await read.contact({ workspaceId, contactId })
      return contact ? shownContact({ read, clock }, contact) : notFound('id')
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
    return contact ? shownContact({ read, clock }, contact) : notFound(phone ? 'number' : 'user id')
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
          responses: { 200: contactDocument() },
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
          responses: { 200: contactDocument() },
        },
      },
    )
    .put(
      `${partnerPrefix}/contacts/:contactId/blocked`,
      ({ request, server, params }) => answerBlock({ request, server, params }),
      {
        parse: 'none',
        detail: {
          operationId: 'setBlocked',
          summary: 'Block a person at the platform, or unblock it',
          tags: ['Contacts'],
          description:
            'At the upstream platform, of the lines that the key may use on the one that the person wrote to last ' +
            'and on each other one to which it wrote within 24 hours: it takes no others. It is unblocked where it ' +
            'is blocked. When a line does not take it, the call is refused although the others are done: the same ' +
            'again asks for all.',
          parameters: [contactIdParameter],
          requestBody: jsonBody(blockSchema, { block: { summary: 'No message any more', value: { blocked: true } } }),
          responses: { 200: contactDocument() },
        },
      },
    )
    .post(`${partnerPrefix}/contacts`, ({ request, server }) => answerNew({ request, server }), {
      parse: 'none',
      detail: {
        operationId: 'addContact',
        summary: 'Add a contact',
        tags: ['Contacts'],
        description:
          'By its number. Nobody is sent anything. No send needs it: a person who writes becomes a contact by that, ' +
          'and one who is sent a message by its number need not be one. One that has the number already stays as ' +
          'it is, and is answered 200.',
        requestBody: jsonBody(newSchema, {
          add: { summary: 'A customer', value: { phone: '+15550150100', name: 'Ada Lovelace' } },
        }),
        responses: {
          200: contactDocument('One that was there already.'),
          201: contactDocument('It was added.'),
        },
      },
    })
    .get(`${partnerPrefix}/contacts`, ({ request, server }) => answerByAddress({ request, server }), {
      detail: {
        operationId: 'findContact',
        summary: 'Find a contact by its number or its user id',
        tags: ['Contacts'],
        description: 'The contact that has the number, or the user id, now.',
        parameters: queryParameters(querySchema),
        responses: { 200: contactDocument() },
      },
    })
}
