import type { Contact } from '../../db/contract/records.ts'
import { type Clock, expiredBy } from '../base/clock.ts'
import { closed, orNull, type Static, Type } from '../base/schema.ts'
import { windowMs } from '../base/upstreamLimits.ts'
import { preferenceSchema, preferencesOf } from '../inbound/preferences.ts'
import { windowOf } from '../inbound/window.ts'
import { platformSource } from '../message/optOut.ts'
import { contactFields, contactView } from '../operations/contacts.ts'
import type { KeyReads } from '../reading/keyReads.ts'
import { answer } from './docs/operation.ts'
import type { Outcome } from './endpoint.ts'

const { createdAt, updatedAt, ...who } = contactFields
const windowFields = {
  open: Type.Boolean({ description: 'Whether everything may be sent; else templates alone.' }),
  expiresAt: orNull(Type.String({ format: 'date-time' }), { description: 'Until when; null when it is not open.' }),
}

const contactSchema = closed(
  {
    ...who,
    blockedOn: Type.Array(Type.String(), {
      description:
        'Lines on which the upstream platform blocks the person: nothing comes from it, and no send arrives.',
    }),
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

/**
 * Messages of one contact in a day that are looked at, the newest first. Nobody writes that many; a machine that does
 * may hide that another line has a window too.
 */
const timesOfDayMax = 1_000

/**
 * @param status 201: it was made just now
 * @returns the answer with a contact: of a key that is limited to lines, it says nothing of others
 */
export async function shownContact(
  { read, clock }: { readonly read: KeyReads; readonly clock: Clock },
  contact: Contact,
  status: 200 | 201 = 200,
): Promise<Outcome> {
  const [updates, times, lines] = await Promise.all([
    read.updates(contact.id),
    read.inboundTimes({ contactId: contact.id, since: clock.ago(windowMs), limit: timesOfDayMax }),
    read.lines(contact.workspaceId),
  ])
  const data: Static<typeof contactSchema> = {
    ...contactView(contact),
    blockedOn: contact.blockedOn.filter(lineId => lines.some(({ id }) => id === lineId)),
    preferences: preferencesOf(updates),
    window: windowOf(
      times,
      lines.filter(({ active }) => active),
      expiredBy(clock, windowMs),
    ),
  }
  return { ok: true, status, body: { success: true, data } }
}

/** Of the API document. */
const exampleContact: Static<typeof contactSchema> = {
  id: 'contact_01jd4v7m9xf5ksxj1q5y8p0c3k',
  phone: '+15550150100',
  name: 'Ada Lovelace',
  username: 'ada.lovelace',
  userId: 'US.13491208655302741918',
  blockedOn: [],
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

export const contactIdParameter = {
  name: 'contactId',
  in: 'path',
  required: true,
  description: 'The contact, as messages of users name it.',
  schema: { type: 'string' },
  example: exampleContact.id,
} as const

/** @returns the answer with a contact, for the API document */
export const contactDocument = (description = 'The contact as it is known now.') =>
  answer(description, contactEnvelope, {
    contact: {
      summary: 'One who wrote within the last day and wants no marketing',
      value: { success: true, data: exampleContact },
    },
  })
