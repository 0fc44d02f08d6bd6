import { monthOf } from '../../src/message/plan.ts'
import type { Acceptance, MessageDraft } from '../contract/records.ts'
import { acceptedColumns, typeOf } from './functions/columns.ts'
import { type OfferedColumn, offering } from './functions/offered.ts'
import { functions } from './functions/versions.ts'
import { LeaseLost, leaseMs } from './instances.ts'
import { type Connection, jsonText, storableText } from './open.ts'
import { heldFor } from './pace.ts'
import { limitingLocks } from './transaction.ts'

/**
 * The draft cannot be decided yet, for example because it has the key of another one. It has to be offered once more.
 */
export const offerAgain = Symbol('offer again')
export type DraftOutcome = Acceptance | typeof offerAgain

/** A draft, as a function has decided on it. */
interface Decided {
  /** Null: it is accepted. */
  readonly outcome:
    | 'otherSettings'
    | 'replayed'
    | 'conflict'
    | 'lineRemoved'
    | 'outdated'
    | 'planExhausted'
    | 'again'
    | null
  readonly limit: number | null
  readonly used: number
  /** Of the message that has its key. */
  readonly messageId: string
  /** Null: it did not ask to leave. */
  readonly isHandedOver: boolean | null
  /** Null on a line without a limit. */
  readonly validMs: number | null
  readonly waitMs: number
}

/** What is stored of a draft as it is: a column of a message that a draft lacks is a type error. */
type StoredField = keyof Pick<MessageDraft, keyof typeof acceptedColumns>
const stored = Object.keys(acceptedColumns) as StoredField[]

/** The names are those that the functions read. */
const offered: readonly OfferedColumn<MessageDraft>[] = [
  ...stored.map(field => {
    const column = acceptedColumns[field]
    return { name: column.name, type: typeOf(column), of: (draft: MessageDraft) => draft[field] }
  }),
  { name: 'line_id', type: 'text', of: ({ lineId }) => lineId },
  { name: 'api_key_id', type: 'text', of: ({ apiKeyId }) => apiKeyId },
  { name: 'payload', type: 'text', of: ({ payload }) => payload },
  { name: 'dispatched_at', type: 'bigint', of: ({ dispatchedAt }) => dispatchedAt },
  { name: 'month', type: 'text', of: ({ createdAt }) => monthOf(createdAt) },
  { name: 'scope', type: 'text', of: ({ idempotency }) => idempotency?.scope ?? null },
  { name: 'key', type: 'text', of: ({ idempotency }) => idempotency?.key ?? null },
  { name: 'fingerprint', type: 'text', of: ({ idempotency }) => idempotency?.fingerprint ?? null },
  { name: 'expires_at', type: 'bigint', of: ({ idempotency }) => idempotency?.expiresAt ?? null },
  { name: 'opens_flow', type: 'text', of: ({ opensFlow }) => opensFlow && jsonText(opensFlow) },
  { name: 'closes_flows', type: 'text', of: ({ closesFlows }) => closesFlows && jsonText(closesFlows) },
  { name: 'generation', type: 'bigint', of: ({ generation }) => generation ?? null },
]
const offer = offering(offered, 3)

const deciding = (
  accept: string,
) => `SELECT outcome, plan_limit::float8 AS "limit", plan_used::float8 AS used, message_id AS "messageId",
    is_cleared AS "isHandedOver", valid_for::float8 AS "validMs", ${heldFor} AS "waitMs"
  FROM ${accept}(${limitingLocks('$1::bigint')}, $2::bigint, ${offer.arguments})`
const decide = deciding(functions.accept)
const decideAndTell = deciding(functions.acceptAndTell)

/**
 * Decides on several drafts, and stores the accepted ones, in one statement.
 * @param storing `instanceSeq`: the instance that sends them. `validMs`: how long departures are given for.
 *   `mayBeAsked`: whether a webhook may ask for the acceptance
 * @returns the outcomes, in the order of the drafts
 * @throws LeaseLost when the instance has lost its lease: nothing was stored
 */
export async function acceptDrafts(
  { query }: Pick<Connection, 'query'>,
  drafts: readonly MessageDraft[],
  storing: { readonly instanceSeq: number; readonly validMs: number; readonly mayBeAsked: boolean },
): Promise<DraftOutcome[]> {
  const firsts = [...firstOfKeys(drafts)]
  const { instanceSeq, validMs, mayBeAsked } = storing
  const statement = mayBeAsked ? decideAndTell : decide
  const decided = await query<Decided>(statement, [instanceSeq, validMs, ...offer.parameters(firsts)])
  if (decided.length === 0) throw new LeaseLost()
  const outcomes = new Map(firsts.map((draft, at) => [draft, outcomeOf(draft, decided[at])] as const))
  return drafts.map((draft): DraftOutcome => outcomes.get(draft) ?? offerAgain)
}

/** Among drafts with the same key, the outcome of the first decides that of the others. */
function firstOfKeys(drafts: readonly MessageDraft[]): ReadonlySet<MessageDraft> {
  const firsts = new Map<unknown, MessageDraft>()
  for (const draft of drafts) {
    const { idempotency } = draft
    // In the form that the database stores: two keys that it considers equal must not be in one statement.
    const key = idempotency ? JSON.stringify([idempotency.scope, storableText(idempotency.key)]) : draft
    if (!firsts.has(key)) firsts.set(key, draft)
  }
  return new Set(firsts.values())
}

/**
 * What is undefined would be stored as null.
 * @throws Error for a draft that lacks a field
 */
export function checkComplete(draft: MessageDraft): void {
  const missing = offered.find(({ of }) => of(draft) === undefined)
  if (missing) throw new Error(`acceptMessage: ${fieldOf(missing.name)} is missing`)
}

/** @returns the field of a draft that a name of an offer is of: `requestId` for `request_id` */
const fieldOf = (name: string) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())

function outcomeOf({ dispatchedAt }: MessageDraft, decided: Decided | undefined): DraftOutcome {
  if (!decided) return offerAgain
  const { outcome, limit, used, messageId, isHandedOver, validMs, waitMs } = decided
  switch (outcome) {
    case 'again':
      return offerAgain
    case 'replayed':
      return { outcome, messageId }
    case 'planExhausted':
      return { outcome, limit: limit ?? used, used }
    case 'conflict':
    case 'lineRemoved':
    case 'outdated':
      return { outcome }
    case 'otherSettings':
      return { outcome: 'outdated' }
    case null:
      if (dispatchedAt === null) return { outcome: 'accepted', handOver: null }
      return {
        outcome: 'accepted',
        handOver: isHandedOver ? { state: 'handedOver', validMs: validMs ?? leaseMs } : { state: 'held', waitMs },
      }
  }
}
