import { Elysia } from 'elysia'
import type { Contact } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { GatewayError } from '../../base/errors.ts'
import { searchLengthMax } from '../../base/names.ts'
import { readPhone } from '../../base/phone.ts'
import { closed, Type } from '../../base/schema.ts'
import { windowMs } from '../../base/upstreamLimits.ts'
import { openFile } from '../../http/fileAnswer.ts'
import { preferenceSchema, preferencesOf } from '../../inbound/preferences.ts'
import { timesMax } from '../../inbound/window.ts'
import { setBlocked } from '../../operations/blocking.ts'
import {
  addContact,
  contactFields,
  contactNameField,
  contactOf,
  contactView,
  newContactFields,
  renameContact,
} from '../../operations/contacts.ts'
import { forgetContact } from '../../operations/erasure.ts'
import { setWish, wishField } from '../../operations/optOuts.ts'
import { searchedWords } from '../../reading/searchedWords.ts'
import { inSteps, pageDefault } from '../../reading/steps.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { iso, isoOrNull, moment, orNull, shape, textOrNull, wired, wiredQuery } from '../shapes.ts'

const cursorLengthMax = 100
const contactsMax = 100

const contactsQuery = wiredQuery({
  q: Type.Optional(
    Type.String({
      maxLength: searchLengthMax,
      description: 'An id, or a part of the name, the username or the phone number.',
    }),
  ),
  noMarketing: Type.Optional(Type.Literal('true', { description: 'Only who has asked for no marketing.' })),
  unread: Type.Optional(Type.Literal('true', { description: 'Only with something that nobody has read or answered.' })),
  open: Type.Optional(Type.Literal('true', { description: 'Only to whom everything may be sent, from some line.' })),
  order: Type.Optional(
    Type.Literal('heard', { description: 'Whose last message is the newest first, of those who have written.' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: cursorLengthMax, description: 'The page after this cursor, in the same order.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: contactsMax })),
})

const shownFields = {
  ...contactFields,
  blockedOn: Type.Array(Type.String(), { description: 'The lines on which the person is blocked.' }),
}
export const contactSchema = shape('Contact', shownFields)
export const shownContact = (contact: Contact) => ({ ...contactView(contact), blockedOn: [...contact.blockedOn] })

export const noMarketing = Type.Boolean({ description: 'The person has asked for no marketing.' })

const contactsAnswer = wired('ContactList', {
  contacts: Type.Array(
    closed({
      ...shownFields,
      unread: Type.Integer({ description: 'Messages that nobody has read.' }),
      heardAt: orNull(moment, { description: 'When the person wrote last; null: never, or it is not kept any more.' }),
      windowEndsAt: orNull(moment, { description: 'Until when everything may be sent; null: only templates.' }),
      noMarketing,
    }),
    { description: 'Newest first, or in the order that was asked for.' },
  ),
  next: textOrNull,
})

const addBody = wired('NewContact', newContactFields)
const addedAnswer = wired('AddedContact', {
  contact: contactSchema,
  isNew: Type.Boolean({ description: 'False: there was one with this number, which stays as it is.' }),
})

const renameBody = wired('RenameContact', { name: contactNameField })
const renamedAnswer = wired('RenamedContact', { contact: contactSchema })

const blockBody = wired('BlockContact', { isBlocked: Type.Boolean() })
const blockAnswer = wired('BlockedContact', { lineIds: Type.Array(Type.String()) })

const contactAnswer = wired('ContactDetails', {
  contact: contactSchema,
  preferences: Type.Array(preferenceSchema, { description: 'Wishes of the person, as told to the platform or here.' }),
  flows: Type.Array(
    closed({
      messageId: Type.String(),
      lineId: Type.String(),
      openedAt: Type.String(),
      closedAt: textOrNull,
      closedBy: textOrNull,
    }),
  ),
})

const wishBody = wired('ContactWish', { value: wishField })
const wishAnswer = wired('ContactOfWish', { contact: contactSchema })

const forgottenAnswer = wired('ForgottenContact', {
  messages: Type.Integer({ description: 'Messages to it.' }),
  inbound: Type.Integer({ description: 'Messages from it.' }),
  isDone: Type.Boolean({ description: 'Whether all of its history is erased. Else that follows.' }),
})

/** Nobody waits longer for the answer; the job `erase` goes on with a long history. */
const answeredMs = 2_000
/** Flows of a contact that its page shows. */
const flowsMax = 50

/** Contacts: their data, their messages, and erasing them. */
export function contactRoutes(parts: ConsoleParts) {
  const { store, clock, searches } = parts
  const { read } = store
  return new Elysia({ name: 'console-contacts', prefix: '/workspaces/:workspaceId' })
    .use(guard(parts))
    .get(
      '/contacts',
      async ({ member, query: { q = '', order, cursor, limit = pageDefault, ...only } }) => {
        const { workspaceId, turn } = member
        const opened = only.open && (await openWindows(parts, workspaceId))
        const flags = { noMarketing: only.noMarketing !== undefined, isUnread: only.unread !== undefined }
        const meant = { words: searchedWords(q), ...flags, opened, isByHeard: order === 'heard' }
        // A place in the other order is none in this one.
        const after = order === 'heard' && !Number.isSafeInteger(Number(cursor)) ? undefined : cursor
        const { rows, next } = await searches.search(member, async () => {
          const named =
            cursor === undefined && q.trim() !== '' && Object.values(only).every(value => value === undefined) && !order
              ? await namedContact(read, workspaceId, q.trim())
              : null
          if (named) return { rows: [named], next: null }
          return inSteps<Contact, string>(turn, { cursor: after, limit }, async step => {
            const { contacts, next } = await read.searchContacts({ workspaceId, ...meant, ...step })
            return { rows: contacts, next }
          })
        })
        return { contacts: await listed(parts, member, rows), next }
      },
      {
        role: 'viewer',
        query: contactsQuery,
        response: contactsAnswer,
        summary: 'Search contacts',
        description: 'By id, or by words that are parts of name, username or number; with what waits to be read.',
      },
    )
    .post(
      '/contacts',
      async ({ member, body, set }) => {
        const { contact, isNew } = done(await addContact(member, member.workspaceId, body))
        set.status = isNew ? 201 : 200
        return { contact: shownContact(contact), isNew }
      },
      {
        role: 'member',
        body: addBody,
        response: { 200: addedAnswer, 201: addedAnswer },
        summary: 'Add a contact',
        description: 'By the number. Nobody is sent anything.',
      },
    )
    .get(
      '/contacts/:contactId',
      async ({ member, params: { contactId } }) => {
        const contact = done(await contactOf(member, contactId))
        const [updates, sessions] = await Promise.all([read.updates(contact.id), read.flowSessions(contact.id)])
        const flows = sessions.slice(0, flowsMax).map(({ messageId, lineId, openedAt, closedAt, closedBy }) => ({
          ...{ messageId, lineId, openedAt: iso(openedAt), closedAt: isoOrNull(closedAt), closedBy },
        }))
        return { contact: shownContact(contact), preferences: preferencesOf(updates), flows }
      },
      {
        role: 'viewer',
        response: contactAnswer,
        summary: 'Show a contact',
        description: 'With its preferences and its flows.',
      },
    )
    .put(
      '/contacts/:contactId/marketing',
      async ({ member, params: { contactId }, body: { value } }) => {
        const source = { kind: 'member', word: null, by: member.user.name ?? member.user.email } as const
        return { contact: shownContact(done(await setWish(member, contactId, value, source))) }
      },
      {
        role: 'member',
        body: wishBody,
        response: wishAnswer,
        summary: 'Opt a contact out of marketing, or in',
        description: 'In the place of the person. What the person told the platform stays.',
      },
    )
    .get(
      '/media/:mediaId',
      async ({ member: { workspaceId }, params: { mediaId }, request, set }) => {
        const file = await read.file({ workspaceId, fileId: mediaId })
        const opened = await openFile(parts.fileStorage, file, request.headers.get('range'))
        if (!opened.ok) {
          Object.assign(set.headers, opened.headers)
          throw new GatewayError(opened.refusal)
        }
        return new Response(opened.file.content, { status: opened.status, headers: { ...opened.file.headers } })
      },
      {
        role: 'viewer',
        summary: 'Get a file that a person sent',
        description: 'As what its bytes show. 404 with the state in `details` while it is not stored.',
      },
    )
    .post(
      '/contacts/:contactId/name',
      async ({ member, params: { contactId }, body: { name } }) => ({
        contact: shownContact(done(await renameContact(member, contactId, name))),
      }),
      {
        role: 'member',
        body: renameBody,
        response: renamedAnswer,
        summary: 'Name a contact',
        description: 'For everybody, until the person writes and shows another name.',
      },
    )
    .post(
      '/contacts/:contactId/block',
      async ({ member, params: { contactId }, body: { isBlocked } }) => {
        const lines = done(await setBlocked(member, parts, contactId, isBlocked))
        return { lineIds: lines.map(({ id }) => id) }
      },
      {
        role: 'member',
        body: blockBody,
        response: blockAnswer,
        summary: 'Block a contact, or unblock it',
        description:
          'At the platform: on the line of the conversation and on each other one that it wrote to within 24 hours; ' +
          'it is unblocked everywhere. Refused when a line does not take it, although the others are done.',
      },
    )
    .post(
      '/contacts/:contactId/forget',
      async ({ member, params: { contactId } }) => {
        const startedAt = clock.steady()
        const isWaitedFor = () => clock.steady() - startedAt < answeredMs
        const { messages, inbound, state } = done(await forgetContact(member, contactId, isWaitedFor))
        return { messages, inbound, isDone: state === 'done' }
      },
      {
        role: 'admin',
        response: forgottenAnswer,
        summary: 'Forget a contact',
        description:
          'Erases its number, user id and name at once, and the contents of its messages in steps. Counts and ' +
          'statuses stay. When the answer says `isDone: false`, the gateway goes on with the history.',
      },
    )
}

/** What opens a window now, of any line that sends. */
async function openWindows({ store: { read }, clock }: ConsoleParts, workspaceId: string) {
  const lineIds = (await read.lines(workspaceId)).filter(line => line.active).map(({ id }) => id)
  return { lineIds, since: clock.now() - windowMs, scan: timesMax }
}

/** Contacts as a list shows them: with how much nobody has read, and how long everything may be sent. */
async function listed(parts: ConsoleParts, member: MemberCaller, contacts: readonly Contact[]) {
  const { workspaceId } = member
  const opened = await openWindows(parts, workspaceId)
  await member.turn()
  const contactIds = contacts.map(({ id }) => id)
  const heard = await parts.store.read.heardOfEach({ workspaceId, contactIds, ...opened })
  return contacts.map(contact => {
    const { unread = 0, openedAt = null, noMarketing = false, heardAt = null } = heard.get(contact.id) ?? {}
    const windowEndsAt = isoOrNull(openedAt && openedAt + windowMs)
    return { ...shownContact(contact), unread, heardAt: isoOrNull(heardAt), windowEndsAt, noMarketing }
  })
}

/** A contact that is named exactly: by our id, its number, or the upstream's user id. */
async function namedContact(read: StoreReads, workspaceId: string, written: string): Promise<Contact | null> {
  if (written.startsWith('contact_')) return read.contact({ workspaceId, contactId: written })
  const phone = readPhone(written)
  const by = phone.ok ? { phone: phone.number } : { userId: written }
  const { contacts } = await read.searchContacts({ workspaceId, ...by, limit: 1, scan: 1 })
  return contacts[0] ?? null
}
