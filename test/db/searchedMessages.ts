import type { MessageSearch } from '../../db/contract/queries.ts'
import type { Message, MessageDraft, MessageFilter, Recorded, Report } from '../../db/contract/records.ts'
import { messageStatuses } from '../../src/message/statuses.ts'
import { withoutOne } from '../../src/message/words.ts'
import { messageOf } from './drafts.ts'
import {
  accepted,
  addOther,
  apiKey,
  draft,
  line,
  ofOther,
  recorded,
  report,
  seed,
  t0,
  type Writer,
} from './fixtures.ts'

export const messagesMade = 90

const languageOf = (n: number) => (n % 4 === 0 ? 'de' : 'en_US')

const ofOurs = '100 % "lost"'

/** The upstream's request of the nth message: of templates, every second one in German. */
function payloadOf(n: number): string {
  const bodies: Readonly<Record<number, string>> = { 1: 'Grüße\nfrom "München"', 4: 'KİLİM' }
  if (n % 3 !== 0) return JSON.stringify({ type: 'text', text: { body: bodies[n % 9] ?? 'Hello' } })
  const parameters = [{ type: 'text', text: n % 9 === 0 ? 'Hamburg' : 'Rome' }]
  const name = n % 2 === 0 ? 'order' : 'sale'
  const language = { code: languageOf(n) }
  return JSON.stringify({ type: 'template', template: { name, language, components: [{ type: 'body', parameters }] } })
}

/** The nth message as it is offered. What it may have is in some of them, and not in others. */
const draftOf = (n: number): MessageDraft =>
  draft({
    id: `msg_${String(n).padStart(3, '0')}`,
    lineId: n % 4 === 0 ? 'line_2' : 'line_1',
    recipient: `+49301234${n % 7}`,
    type: n % 3 === 0 ? 'template' : 'text',
    templateName: n % 3 === 0 ? (n % 2 === 0 ? 'order' : 'sale') : null,
    templateLanguage: n % 3 === 0 ? languageOf(n) : null,
    apiKeyId: n % 7 === 3 ? null : n % 2 === 0 ? 'pk_a' : 'pk_b',
    payload: payloadOf(n),
    requestId: `request ${n % 8}`,
    reference: n % 4 === 1 ? null : `order ${n % 3}`,
    createdAt: t0 + Math.floor(n / 3) * 1_000,
    ...(n % 5 === 0 && { ...ofOther, apiKeyId: null }),
  })

/** What happened to it. */
function eventOf(n: number, id: string): Recorded | Report | null {
  switch (n % 6) {
    case 0:
      return null
    case 1:
      return accepted(id)
    case 2:
      return recorded(id, { kind: 'refused', at: t0 + 100, reason: n % 4 === 0 ? ofOurs : '131026: undeliverable' })
    case 3:
      return recorded(id, { kind: 'lost', at: t0 })
    default:
      return report('delivered', { messageId: id, channelMessageId: `wamid.${id}` })
  }
}

/** Some wait for their time, and some of those were cancelled. */
const isLater = (n: number) => n % 12 === 6
const later = { dueAt: t0 + 1_000_000 }
const cancelled = { kind: 'cancelled', at: t0 + 50_000 } as const
const isCancelled = (n: number) => n % 24 === 6

const offered = Array.from({ length: messagesMade }, (_, n) => {
  const draft = draftOf(n)
  return { draft, happened: eventOf(n, draft.id) }
})

/** What there is to find, newest first, by what was offered: whatever a store lost of it, it does not find. */
export const searched: readonly Message[] = offered
  .map(({ draft, happened }, n): Message => {
    if (!isLater(n)) return messageOf(draft, ...(happened ? [happened.event] : []))
    const message = { ...messageOf({ ...draft, dispatchedAt: null }), ...later }
    return isCancelled(n)
      ? { ...message, cancelledAt: cancelled.at, status: 'CANCELLED' }
      : { ...message, status: 'SCHEDULED' }
  })
  .reverse()

/** Of two workspaces, two lines, keys and templates, in every status; three of each moment. */
export async function fillMessages(db: Writer): Promise<void> {
  await seed(db)
  await addOther(db)
  await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
  for (const id of ['pk_a', 'pk_b']) await db.write('createKey', apiKey({ id }))
  const person = { id: 'contact_1', workspaceId: 'ws_1', userId: null, createdAt: t0, updatedAt: t0 }
  await db.write('saveContact', { ...person, phone: '+493012342', name: 'Zoë Chen' })
  await db.write('saveContact', { ...person, id: 'contact_2', workspaceId: 'ws_2', phone: '+493012341', name: 'Chen' })
  for (const [n, { draft, happened }] of offered.entries()) {
    if (isLater(n)) {
      await db.write('scheduleMessage', { ...draft, ...later })
      const gone = { messageId: draft.id, event: cancelled, detail: null, recordedAt: t0 }
      if (isCancelled(n)) await db.write('recordEvent', gone)
      continue
    }
    await db.write('acceptMessage', draft)
    if (happened === null) continue
    if ('recordedAt' in happened) await db.write('recordEvent', happened)
    else await db.write('applyReports', { channelId: draft.channelId, reports: [happened], recordedAt: t0 })
  }
}

export type Filter = Omit<MessageSearch, 'workspaceId' | 'direction' | 'cursor' | 'limit' | 'scan'>

/**
 * Values of each field: the first one finds some messages of `ws_1` and leaves out others. A field of the filter without
 * a value is a type error.
 */
export const filterValues: { readonly [Field in keyof MessageFilter]: readonly MessageFilter[Field][] } = {
  recipient: ['+493012343'],
  line: ['line_2', 'line_none'],
  key: ['pk_a', withoutOne],
  type: ['template'],
  // `none` was never sent.
  template: ['sale', 'none', withoutOne],
  language: ['de'],
  reference: ['order 1', 'none'],
  cause: ['131026', ofOurs, '13102'],
  status: [...messageStatuses.map(status => [status]), ['DELIVERED', 'READ'], ['UNKNOWN', 'QUEUED', 'FAILED']],
}

export const filters: [by: string, filter: Filter][] = [
  ['nothing', {}],
  ...Object.entries(filterValues).flatMap(([field, values]) =>
    values.map((value): [string, Filter] => [`${field} ${value}`, { [field]: value }]),
  ),
  ['cause, dates and template', { since: t0 + 5_000, cause: '131026', template: 'order' }],
  ['cause of a recipient', { recipient: '+493012341', cause: '131026' }],
  ['dates', { since: t0 + 5_000, until: t0 + 20_000 }],
  ['dates and status', { since: t0 + 5_000, until: t0 + 20_000, status: ['FAILED'] }],
  ['dates of what is open', { since: t0 + 5_000, until: t0 + 20_000, status: ['UNKNOWN'] }],
  ['reference and status', { reference: 'order 1', status: ['FAILED'] }],
  ['reference of a recipient', { recipient: '+493012341', reference: 'order 1' }],
  ['dates of a reference', { since: t0 + 5_000, until: t0 + 20_000, reference: 'order 2' }],
  ['recipient, status and key', { recipient: '+493012341', status: ['QUEUED'], key: 'pk_a' }],
  ['line, key and template', { line: 'line_1', key: 'pk_b', template: 'sale' }],
]
