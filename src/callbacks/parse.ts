import type { IdentityNews, Inbound, PaymentReport } from '../../db/contract/records.ts'
import type { ToldUpdate } from '../../db/contract/updates.ts'
import { newId } from '../base/ids.ts'
import { field, list, text, upTo } from '../base/json.ts'
import type { UpstreamFault } from '../graph/answer.ts'
import { readEcho, readInbound, readPast, readUserIdUpdate } from './inbound.ts'
import { readPayment } from './payment.ts'
import { faultOf, readStatusUpdate, type StatusRead, type StatusReading, subjectOf } from './status.ts'
import { readTemplateUpdate, type TemplateUpdate } from './templateUpdate.ts'
import { errorUpdates, isUpdateField, namedUpdate, readUpdates, unknownStatus } from './updates.ts'

export interface CallbackContent {
  readonly statuses: StatusRead[]
  readonly payments: PaymentReport[]
  readonly inbound: Inbound[]
  /** Users who have another user id, and what statuses say of their recipients. */
  readonly identities: IdentityNews[]
  readonly templateUpdates: TemplateUpdate[]
  /** About the account, a line, a template or a contact. */
  readonly updates: ToldUpdate[]
  /** Errors of the line or the account, not of a message. */
  readonly faults: UpstreamFault[]
  /** Entries that could not be read. */
  skipped: number
}

/**
 * The deepest callback that the upstream documents has some ten levels. What is deeper is left out of the change that
 * has it, which is read all the same. The limit is far below what JSON can write: stored parts are serialised again,
 * between threads and on disk.
 */
const levelsMax = 100

const templateFields = [
  'message_template_status_update',
  'message_template_components_update',
  'template_category_update',
]

/** Their messages, statuses and errors are read (docs/upstream.md#inbound-messages). */
const messageFields = ['messages', 'smb_message_echoes', 'message_echoes', 'history', 'user_id_update']

/**
 * What a user says while the platform's own agent answers. As a message that came, a bot would answer it too, and take
 * the conversation from the agent (docs/upstream.md#inbound-messages).
 */
const overheardField = 'standby'

/** Of one callback: whoever writes it may invent names. */
const namedMax = 10

/**
 * Reads the envelope of a callback (docs/upstream.md#status-updates). Every entry is judged by itself: a
 * malformed one is counted and skipped, and the others are still read.
 * @param reading as `readStatusUpdate` has it
 */
export function readCallback(payload: unknown, receivedAt: number, reading: StatusReading): CallbackContent {
  const { secrets } = reading
  const content: CallbackContent = {
    statuses: [],
    payments: [],
    inbound: [],
    identities: [],
    templateUpdates: [],
    updates: [],
    faults: [],
    skipped: 0,
  }
  const named = new Map<string, ToldUpdate>()
  /** @returns false when there are too many: the update is left out */
  const tell = (update: ToldUpdate) => {
    const key = JSON.stringify([update.accountId, update.about, update.kind])
    if (!named.has(key) && named.size >= namedMax) return false
    named.set(key, update)
    return true
  }
  const keep = <T>(into: T[], part: unknown, read: (part: unknown) => T | null) => {
    const known = read(part)
    if (known === null) content.skipped += 1
    else into.push(known)
  }
  for (const entry of list(field(payload, 'entry'))) {
    for (const change of list(field(entry, 'changes'))) {
      const value = upTo(field(change, 'value'), levelsMax)
      const name = text(field(change, 'field')) ?? 'messages'
      if (templateFields.includes(name)) {
        keep(content.templateUpdates, value, update => readTemplateUpdate(entry, update, receivedAt))
        // The reason of a refusal is kept too; the listing has no sentence for it.
        if (!isUpdateField(name)) continue
      }
      if (isUpdateField(name)) {
        content.updates.push(...readUpdates(name, entry, value, receivedAt))
        continue
      }
      if (!messageFields.includes(name)) tell(namedUpdate(name, entry, value, receivedAt))
      if (name === overheardField) continue
      const reported = content.statuses.length
      for (const status of list(field(value, 'statuses'))) {
        switch (subjectOf(status)) {
          case 'message':
            keep(content.statuses, status, part => readStatusUpdate(part, value, receivedAt, reading))
            break
          case 'payment':
            keep(content.payments, status, part => readPayment(part, entry, value, receivedAt))
            break
          case 'unknown':
            // The name of an unknown field was told above.
            if (!messageFields.includes(name) || !tell(unknownStatus(status, entry, value, receivedAt)))
              content.skipped += 1
        }
      }
      content.identities.push(...toldBy(content.statuses.slice(reported)))
      for (const message of list(field(value, 'messages')))
        keep(content.inbound, message, part => readInbound(part, value, receivedAt))
      for (const update of list(field(value, 'user_id_update')))
        keep(content.identities, update, part => readUserIdUpdate(part, value, receivedAt))
      for (const echo of list(field(value, 'message_echoes')))
        keep(content.inbound, echo, part => readEcho(part, value, receivedAt))
      for (const past of list(field(value, 'history'))) {
        for (const message of list(field(past, 'threads')).flatMap(thread => list(field(thread, 'messages'))))
          keep(content.inbound, message, part => readPast(part, value, receivedAt))
        for (const error of list(field(past, 'errors')))
          keep(content.faults, error, part => faultOf(part, value, secrets))
      }
      const known = content.faults.length
      for (const error of list(field(value, 'errors')))
        keep(content.faults, error, part => faultOf(part, value, secrets))
      const failures = content.statuses.slice(reported).map(({ fault }) => fault)
      content.updates.push(...errorUpdates(entry, value, content.faults.slice(known), failures, receivedAt))
    }
  }
  content.updates.push(...named.values())
  return content
}

/** @returns what statuses say of their recipients beside their one number or user id */
const toldBy = (statuses: readonly StatusRead[]): IdentityNews[] =>
  statuses.flatMap(({ report: { event, to }, recipient }) => {
    const { phone, userId, name, username } = recipient
    const isNamed = phone !== null || userId !== null
    if (!isNamed || ((phone === null || userId === null) && name === null && !username)) return []
    const from = { ...recipient, newContactId: newId('contact') }
    return [{ at: event.at, from, identityChange: null, upstreamPhoneId: to?.upstreamPhoneId ?? null }]
  })
