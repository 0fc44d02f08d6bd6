import { monthOf } from '../../src/message/plan.ts'
import type { Acceptance, Clearance, MessageDraft } from '../records.ts'
import { type KeyOwner, keyOwners, releaseKeys, takeKeys } from './callerKeys.ts'
import { moveFlows, putMessages } from './newMessages.ts'
import { type Connection, jsonRows, storableText } from './open.ts'
import { loadPaces } from './pace.ts'

/** A draft, with what it is decided by. */
interface Candidate {
  readonly draft: MessageDraft
  readonly month: string
  /** The number that its message gets. */
  readonly seq: number
  readonly lineSeq: number
  readonly isLineRemoved: boolean
  readonly apiKeySeq: number | null
  readonly limit: number | null
  readonly used: number
}

type Fact = Omit<Candidate, 'draft' | 'month' | 'lineSeq'> & {
  readonly lineSeq: number | null
  readonly hasWorkspace: boolean
}

/**
 * The draft has the key of another one of this transaction, whose outcome says nothing about it. It has to be offered once
 * more.
 */
export const offerAgain = Symbol('offer again')
export type DraftOutcome = Acceptance | typeof offerAgain

/**
 * Decides on drafts that are offered at once, and stores those that are accepted, with one statement for each table. Rows are
 * locked in the order of all hot verbs: lines, keys of callers, counts of months, paces, messages.
 * @param storing `instanceSeq`: the instance that sends them. `validMs`: how long departures are given for
 * @returns the outcomes, in the order of the drafts
 */
export async function acceptDrafts(
  connection: Connection,
  drafts: readonly MessageDraft[],
  storing: { readonly instanceSeq: number; readonly validMs: number },
): Promise<DraftOutcome[]> {
  const candidates = await candidatesOf(connection, drafts)
  const { repeats, holderOf } = await takeCallerKeys(connection, candidates)
  const outcomes = new Map<Candidate, DraftOutcome>(repeats)
  const wanting: Candidate[] = []
  const followers: { candidate: Candidate; holder: Candidate }[] = []
  for (const candidate of candidates) {
    const holder = holderOf(candidate)
    if (outcomes.has(candidate)) continue
    if (holder && holder !== candidate) followers.push({ candidate, holder })
    else if (!isOpen(candidate)) outcomes.set(candidate, refusalOf(candidate))
    else if (holder || !candidate.draft.idempotency) wanting.push(candidate)
    else outcomes.set(candidate, offerAgain)
  }
  const exhausted = await countMessages(connection, wanting)
  for (const [candidate, outcome] of exhausted) outcomes.set(candidate, outcome)
  await releaseKeys(
    connection,
    [...exhausted.keys()].filter(({ draft }) => draft.idempotency).map(({ seq }) => seq),
  )
  const stored = await storeMessages(
    connection,
    wanting.filter(candidate => !exhausted.has(candidate)),
    storing,
  )
  for (const [candidate, clearance] of stored) outcomes.set(candidate, { outcome: 'accepted', clearance })
  for (const { candidate, holder } of followers)
    outcomes.set(candidate, afterHolder(candidate, holder, outcomes.get(holder)))
  return candidates.map(candidate => outcomes.get(candidate) ?? offerAgain)
}

/** Locks the lines, so that none of them is removed before its messages are stored. */
async function candidatesOf({ query }: Connection, drafts: readonly MessageDraft[]): Promise<Candidate[]> {
  const asked = drafts.map(({ lineId, apiKeyId, workspaceId, createdAt }, at) => ({
    at,
    lineId,
    apiKeyId,
    workspaceId,
    month: monthOf(createdAt),
  }))
  const facts = await query<Fact>(
    `WITH asked AS (
       SELECT * FROM json_to_recordset($1::text::json)
         AS asked (at int, "lineId" text, "apiKeyId" text, "workspaceId" text, month text)
     ), locked AS (
       SELECT id, seq, removed_at FROM lines WHERE id IN (SELECT "lineId" FROM asked) ORDER BY id FOR KEY SHARE
     )
     SELECT nextval('messages_seq_seq')::float8 AS seq, locked.seq::float8 AS "lineSeq",
       locked.removed_at IS NOT NULL AS "isLineRemoved", api_keys.seq::float8 AS "apiKeySeq",
       workspaces.id IS NOT NULL AS "hasWorkspace", monthly_message_limit::float8 AS "limit",
       coalesce(plan_usage.used, 0)::float8 AS used
     FROM asked
     LEFT JOIN locked ON locked.id = "lineId"
     LEFT JOIN api_keys ON api_keys.id = "apiKeyId"
     LEFT JOIN workspaces ON workspaces.id = asked."workspaceId"
     LEFT JOIN plan_usage ON plan_usage.workspace_id = asked."workspaceId" AND plan_usage.month = asked.month
     ORDER BY at`,
    [jsonRows(asked)],
  )
  return drafts.map((draft, at) => {
    const { hasWorkspace = false, lineSeq = null, ...fact } = facts[at] ?? {}
    if (!hasWorkspace) throw new Error('acceptMessage: the workspace does not exist')
    if (lineSeq === null) throw new Error('acceptMessage: the line does not exist')
    const found = { ...(fact as Omit<Fact, 'hasWorkspace' | 'lineSeq'>), lineSeq }
    if (draft.apiKeyId !== null && found.apiKeySeq === null) throw new Error('acceptMessage: the key does not exist')
    return { draft, month: monthOf(draft.createdAt), ...found }
  })
}

/** Otherwise nothing new is accepted. What was accepted before is still replayed. */
const isOpen = ({ isLineRemoved, limit, used }: Candidate) => !isLineRemoved && (limit === null || used < limit)

const refusalOf = ({ isLineRemoved, limit, used }: Candidate): Acceptance =>
  isLineRemoved ? { outcome: 'lineRemoved' } : { outcome: 'planExhausted', limit: limit ?? used, used }

const repeatOf = ({ draft }: Candidate, { fingerprint, messageId }: KeyOwner): Acceptance =>
  draft.idempotency?.fingerprint === fingerprint ? { outcome: 'replayed', messageId } : { outcome: 'conflict' }

const keyTextOf = ({ draft: { idempotency } }: Candidate) =>
  // As the database keeps it: two keys that it takes for one must not be asked for in one statement.
  idempotency && JSON.stringify([idempotency.scope, storableText(idempotency.key)])

/**
 * Takes the keys of open drafts: the first one with a key holds it until the end of the transaction.
 * @returns the drafts whose key another message has; and of the other keys, who holds them
 */
async function takeCallerKeys(
  connection: Connection,
  candidates: readonly Candidate[],
): Promise<{
  repeats: ReadonlyMap<Candidate, Acceptance>
  holderOf(candidate: Candidate): Candidate | undefined
}> {
  const holders = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const key = keyTextOf(candidate)
    if (key !== null && isOpen(candidate) && !holders.has(key)) holders.set(key, candidate)
  }
  const taken = await takeKeys(connection, [...holders.values()].flatMap(keyedDraftOf))
  for (const [key, { seq }] of holders) if (!taken.has(seq)) holders.delete(key)
  const holderOf = (candidate: Candidate) => holders.get(keyTextOf(candidate) ?? '')

  const others = candidates.filter(candidate => holderOf(candidate) === undefined)
  const owners = await keyOwners(connection, others.flatMap(keyedDraftOf))
  const repeats = new Map<Candidate, Acceptance>()
  for (const candidate of others) {
    const owner = owners.get(candidate.seq)
    if (owner) repeats.set(candidate, repeatOf(candidate, owner))
  }
  return { repeats, holderOf }
}

const keyedDraftOf = ({ seq, draft: { createdAt, idempotency } }: Candidate) =>
  idempotency ? [{ seq, createdAt, idempotency }] : []

/** @returns the outcome of a draft whose key another draft of this transaction held */
function afterHolder(candidate: Candidate, holder: Candidate, outcome: DraftOutcome | undefined): DraftOutcome {
  if (outcome === undefined || outcome === offerAgain) return offerAgain
  if (outcome.outcome === 'accepted') {
    return repeatOf(candidate, {
      fingerprint: holder.draft.idempotency?.fingerprint ?? '',
      messageId: holder.draft.id,
    })
  }
  if (candidate.isLineRemoved) return { outcome: 'lineRemoved' }
  const isSamePlan = holder.draft.workspaceId === candidate.draft.workspaceId && holder.month === candidate.month
  return isSamePlan ? outcome : offerAgain
}

/**
 * Counts drafts against the plans, exactly: the rows stay locked until the end of the transaction.
 * @returns those that are beyond their plan's limit, and are not counted
 */
async function countMessages(
  { query }: Connection,
  wanting: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, Acceptance>> {
  const groups = Map.groupBy(wanting, ({ draft, month }) => JSON.stringify([draft.workspaceId, month]))
  const exhausted = new Map<Candidate, Acceptance>()
  if (groups.size === 0) return exhausted
  const plans = [...groups.values()].flatMap(group =>
    group.slice(0, 1).map(({ draft, month }) => ({ workspaceId: draft.workspaceId, month, count: group.length })),
  )
  const counted = await query<{ workspaceId: string; month: string; used: number }>(
    `INSERT INTO plan_usage (workspace_id, month, used)
     SELECT "workspaceId", month, count
     FROM json_to_recordset($1::text::json) AS counted ("workspaceId" text, month text, count bigint)
     ORDER BY "workspaceId" COLLATE "C", month COLLATE "C"
     ON CONFLICT (workspace_id, month) DO UPDATE SET used = plan_usage.used + excluded.used
     RETURNING workspace_id AS "workspaceId", month, used::float8 AS used`,
    [jsonRows(plans)],
  )
  const beyond: { workspaceId: string; month: string; count: number }[] = []
  for (const { workspaceId, month, used } of counted) {
    const group = groups.get(JSON.stringify([workspaceId, month])) ?? []
    const limit = group[0]?.limit ?? null
    const count = limit === null ? 0 : Math.min(group.length, Math.max(0, used - limit))
    if (limit === null || count === 0) continue
    beyond.push({ workspaceId, month, count })
    for (const candidate of group.slice(group.length - count))
      exhausted.set(candidate, { outcome: 'planExhausted', limit, used: used - count })
  }
  if (beyond.length > 0) {
    await query(
      `UPDATE plan_usage SET used = used - count
       FROM json_to_recordset($1::text::json) AS beyond ("workspaceId" text, "inMonth" text, count bigint)
       WHERE workspace_id = "workspaceId" AND month = "inMonth"`,
      [jsonRows(beyond.map(({ month, ...rest }) => ({ ...rest, inMonth: month })))],
    )
  }
  return exhausted
}

/** @returns the stored ones, and whether those that asked to leave may do so */
async function storeMessages(
  connection: Connection,
  accepted: readonly Candidate[],
  { instanceSeq, validMs }: { readonly instanceSeq: number; readonly validMs: number },
): Promise<ReadonlyMap<Candidate, Clearance | null>> {
  const clearances = await clear(connection, accepted, validMs)
  if (accepted.length === 0) return clearances
  await putMessages(
    connection,
    accepted.map(candidate => {
      const { draft, seq, lineSeq, apiKeySeq } = candidate
      const { idempotency, payload, lineId, channelId, apiKeyId, opensFlow, closesFlows, ...fields } = draft
      const dispatchedAt = clearances.get(candidate)?.state === 'cleared' ? draft.dispatchedAt : null
      const idempotencyKey = idempotency?.key ?? null
      const message = { ...fields, seq, lineSeq, apiKeySeq, idempotencyKey, dispatchedAt, instanceSeq }
      return { message: { ...message, status: 'QUEUED' }, payload }
    }),
  )
  await moveFlows(
    connection,
    accepted.map(({ draft }) => draft),
  )
  return clearances
}

async function clear(
  connection: Connection,
  accepted: readonly Candidate[],
  validMs: number,
): Promise<ReadonlyMap<Candidate, Clearance | null>> {
  const clearances = new Map<Candidate, Clearance | null>(accepted.map(candidate => [candidate, null]))
  const asking = accepted.filter(({ draft }) => draft.dispatchedAt !== null)
  const byLine = Map.groupBy(asking, ({ draft }) => draft.lineId)
  if (byLine.size === 0) return clearances
  const paces = await loadPaces(connection, [...byLine.keys()].sort(), validMs)
  for (const [lineId, group] of byLine) {
    const share = paces.take(lineId, group.length)
    group.forEach((candidate, at) => {
      const isCleared = at < share.granted
      clearances.set(
        candidate,
        isCleared ? { state: 'cleared', validMs: share.validMs } : { state: 'held', waitMs: share.waitMs },
      )
    })
  }
  await paces.write()
  return clearances
}
