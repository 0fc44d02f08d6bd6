import type { Batch, BatchMoved, ItemStatus, ShownItem } from '../../db/contract/batches.ts'
import type { EpochMs } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import { type Issue, issuesIn } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { type BatchEvent, batchItemsMax, openBatchesMax } from '../message/batches.ts'
import { hasFailed } from '../message/statuses.ts'
import { fingerprint } from '../sending/fingerprint.ts'
import { type Actor, conflict, existing, ownOf, Refused, unknown, wrong, wrongField } from './act.ts'
import { stepItems } from './batchDetails.ts'
import { checkItems } from './batchItems.ts'
import { mayRetry } from './batchRetry.ts'
import { type MoreItems, type NewBatch, sendAtMsMax } from './batchSchemas.ts'
import { nameIn } from './fields.ts'
import { idempotencyKeyProblem } from './sends/sendBody.ts'

/** Who makes, starts and resumes batches: their messages go in this name. */
export interface BatchSender {
  readonly workspaceId: string
  /** Null: no key, but the operator or a member. */
  readonly keyId: string | null
  /** Of idempotency keys: that of the API key; without a key, the id of the workspace. */
  readonly scope: string
  /** Those that it sends from; null: all. It sees the batches of its own scope alone then. */
  readonly lineIds: readonly string[] | null
}

/** The batch, which the actor may see. */
export async function batchOf(
  actor: Pick<Actor, 'read' | 'workspaceId'>,
  batchId: string,
  by?: BatchSender,
): Promise<Batch | Refused> {
  const batch = ownOf(actor, await actor.read.batch(batchId), 'batch', batchId)
  if (batch instanceof Refused || by === undefined || isSeenBy(by, batch)) return batch
  return unknown('batch', batchId)
}

/** A key that is limited to lines does not see what others send. */
const isSeenBy = ({ lineIds, scope }: BatchSender, batch: Batch) => lineIds === null || batch.scope === scope

/** The newest first. `next`: null at the end. */
export async function batchPage(
  { read }: Pick<Actor, 'read'>,
  by: BatchSender,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<{ readonly batches: readonly Batch[]; readonly next: string | null }> {
  const found = await read.batches({ workspaceId: by.workspaceId, after, limit })
  const next = found.length < limit ? null : (found.at(-1)?.id ?? null)
  return { batches: found.filter(batch => isSeenBy(by, batch)), next }
}

export interface MadeBatch {
  readonly batch: Batch
  /** It was made before, by the same key and body. */
  readonly isReplay: boolean
}

/**
 * Makes a batch, and starts it, unless it is a draft or has a time.
 * @param headerKey the `Idempotency-Key` header, which can replace that of the body
 * @param rest as for `checkItems`
 */
export async function createBatch(
  actor: Actor,
  sender: BatchSender,
  given: NewBatch,
  headerKey: string | null,
  rest: () => Promise<unknown> = async () => {},
): Promise<MadeBatch | Refused> {
  const at = actor.clock.now()
  const { defaults = {}, sendAt, state, duplicates = 'skip' } = given
  const keyProblem = idempotencyKeyProblem(given.idempotencyKey, headerKey)
  const idempotencyKey = given.idempotencyKey ?? headerKey
  const name = nameIn(given.name ?? null, '/name')
  const startsAt = sendAt === undefined ? null : Date.parse(sendAt)
  const times = { now: at, startsAt }
  const checked = await checkItems(defaults as JsonObject, given.items as readonly JsonObject[], times, rest)
  const late = startsAt !== null && startsAt <= at ? inPast : null
  const issues: Issue[] = [
    ...(keyProblem === null ? [] : [{ path: '/idempotencyKey', message: keyProblem }]),
    ...(idempotencyKey === null ? [{ path: '/idempotencyKey', message: keyNeeded }] : []),
    ...(name instanceof Refused ? issuesIn(name) : []),
    ...(late ? [late] : timeIssues(startsAt, at)),
    ...(given.items.length === 0 && state !== 'draft' ? [{ path: '/items', message: 'must have an item' }] : []),
    ...(checked.ok ? [] : checked.issues),
  ]
  // A request that is repeated after its time is answered with the batch that it has made.
  if (issues.some(issue => issue !== late) || name instanceof Refused || !checked.ok) return wrong(issues)
  const created = await actor.write.createBatch({
    batch: {
      ...{ id: newId('batch'), workspaceId: sender.workspaceId, name, duplicates, idempotencyKey },
      ...{ keyId: sender.keyId, scope: sender.scope, defaults: defaults as JsonObject, sendAt: startsAt },
      state: state ?? (startsAt === null ? 'running' : 'scheduled'),
      fingerprint: fingerprint(given),
      createdAt: at,
    },
    items: checked.value,
    isLate: late !== null || checked.late.length > 0,
  })
  switch (created.outcome) {
    case 'created':
    case 'replayed':
      return { batch: created.batch, isReplay: created.outcome === 'replayed' }
    case 'conflict':
      return new Refused({
        reason: 'IDEMPOTENCY_CONFLICT',
        message: 'This idempotency key was used before with a different batch. Use a new key for a new batch.',
      })
    case 'late':
      return wrong([...issues, ...checked.late])
    case 'tooMany':
      return conflict(`The workspace has ${openBatchesMax} batches that have not ended: cancel some, or wait.`)
    case 'unknownWorkspace':
      return unknown('workspace', sender.workspaceId)
  }
}

const keyNeeded = 'is required, here or as the Idempotency-Key header: a request that is repeated makes one batch by it'

const inPast: Issue = { path: '/sendAt', message: 'must be in the future; leave it out to start at once' }

function timeIssues(startsAt: EpochMs | null, now: EpochMs): Issue[] {
  if (startsAt === null || startsAt <= now + sendAtMsMax) return []
  return [{ path: '/sendAt', message: `must be at most ${sendAtMsMax / dayMs} days ahead` }]
}

/** Adds items to a draft. */
export async function addItems(
  actor: Actor,
  by: BatchSender | undefined,
  batchId: string,
  { offset, items }: MoreItems,
  rest: () => Promise<unknown> = async () => {},
): Promise<MadeBatch | Refused> {
  const batch = await batchOf(actor, batchId, by)
  if (batch instanceof Refused) return batch
  const times = { now: actor.clock.now(), startsAt: batch.sendAt }
  const checked = await checkItems(batch.defaults, items as readonly JsonObject[], times, rest)
  if (!checked.ok) return wrong(checked.issues)
  const { value, late } = checked
  const isLate = late.length > 0
  const answer = await actor.write.addBatchItems({ batchId, offset, items: value, isLate })
  return answer.outcome === 'late' ? wrong(late) : added(answer, batchId)
}

function added(
  answer: Exclude<Awaited<ReturnType<Actor['write']['addBatchItems']>>, { readonly outcome: 'late' }>,
  batchId: string,
): MadeBatch | Refused {
  switch (answer.outcome) {
    case 'added':
    case 'replayed':
      return { batch: answer.batch, isReplay: answer.outcome === 'replayed' }
    case 'conflict': {
      const { total } = answer.batch
      return wrongField(
        '/offset',
        `the batch has ${total} items, and not these behind them: go on with offset ${total}`,
      )
    }
    case 'tooMany':
      return wrongField('/items', `would be more than ${batchItemsMax} in all`)
    case 'notDraft':
      return conflict(`Only a draft takes further items; this batch is ${answer.batch.state}.`)
    case 'unknown':
      return unknown('batch', batchId)
  }
}

/** What people do with a batch. */
export type BatchAct = 'start' | 'pause' | 'resume' | 'cancel'

/** Why an act is refused in a state. */
export const batchRefusals: Readonly<Record<BatchAct, string>> = {
  start: 'Only a draft or a scheduled batch can be started',
  pause: 'Only a running batch can be paused',
  resume: 'Only a paused batch can be resumed',
  cancel: 'A batch that is done cannot be cancelled',
}

/** When a start lets a batch begin: at a time, now, or (null) at the time that it has, and now where it has none. */
export type BatchStart = EpochMs | 'now' | null

/** @returns the time that a request's start names; `now` and a time at once are refused */
export function batchStart({ now = false, sendAt }: { now?: boolean; sendAt?: string }): BatchStart | Refused {
  if (now && sendAt !== undefined) return wrongField('/now', 'says that it starts now: leave out sendAt, or this')
  if (now) return 'now'
  return sendAt === undefined ? null : Date.parse(sendAt)
}

/**
 * Starts, pauses, resumes or cancels a batch. What is so already stays so: a start whose answer was lost may be
 * repeated, and sends no earlier for it.
 * @param begins of a start
 */
export async function moveBatch(
  actor: Actor,
  by: BatchSender | undefined,
  batchId: string,
  act: BatchAct,
  begins: BatchStart = null,
): Promise<Batch | Refused> {
  const batch = await batchOf(actor, batchId, by)
  if (batch instanceof Refused) return batch
  const at = actor.clock.now()
  const sendAt = begins === 'now' ? null : begins
  if (act === 'start') {
    if (batch.total === 0) return conflict('The batch has no item yet.')
    if (isStartOf(batch, begins)) return batch
    const issues = sendAt === null ? [] : sendAt <= at ? [inPast] : timeIssues(sendAt, at)
    if (issues.length > 0) return wrong(issues)
    if (sendAt !== null && batch.state !== 'draft' && batch.state !== 'scheduled')
      return conflict(`Only a draft or a scheduled batch gets another time; this batch is ${batch.state}.`)
  }
  const waits = begins !== 'now' && waitsForTime({ ...batch, sendAt: sendAt ?? batch.sendAt }, act, at)
  const event: BatchEvent = waits ? 'schedule' : act
  const keyId = act === 'start' || act === 'resume' ? (by?.keyId ?? null) : undefined
  const moved: BatchMoved = await actor.write.moveBatch({
    ...{ batchId, event, at },
    ...(keyId !== undefined && { keyId }),
    ...(event === 'schedule' && sendAt !== null && { sendAt }),
  })
  switch (moved.outcome) {
    case 'moved':
    case 'same':
      return moved.batch
    case 'refused':
      return conflict(`${batchRefusals[act]}; this one is ${moved.batch.state}.`)
    case 'unknown':
      return unknown('batch', batchId)
  }
}

export const lateItem =
  'Only what still waits can be left out; this item is becoming a message, is one, or never will be.'

/**
 * Leaves an item out that waits. What is so already stays so.
 * @param given its number, also as a path has it
 */
export async function leaveOut(
  actor: Actor,
  by: BatchSender | undefined,
  batchId: string,
  given: number | string,
): Promise<Batch | Refused> {
  const batch = await batchOf(actor, batchId, by)
  if (batch instanceof Refused) return batch
  const number = /^\d{1,9}$/.test(`${given}`) ? Number(given) : noItem
  switch (await actor.write.cancelBatchItem({ batchId, number })) {
    case 'cancelled':
    case 'same':
      return batch
    case 'late':
      return conflict(lateItem)
    case 'unknown':
      return new Refused({ reason: 'NOT_FOUND', message: 'The batch has no item with this number.' })
  }
}

/** What is no number of an item. */
const noItem = -1

/** @returns whether such a start was made before, by which it waits for its time, or has begun at that */
function isStartOf({ state, sendAt }: Batch, begins: BatchStart): boolean {
  if (begins === 'now' || state === 'draft' || state === 'cancelled') return false
  return begins === null ? state === 'scheduled' : begins === sendAt
}

/** @returns whether it is to start at its time, and not now; also when one that a restore has paused is resumed */
function waitsForTime({ state, sendAt, startedAt }: Batch, act: BatchAct, now: EpochMs): boolean {
  if (sendAt === null || sendAt <= now || startedAt !== null) return false
  if (act === 'start') return state === 'draft' || state === 'scheduled'
  return act === 'resume' && (state === 'paused' || state === 'scheduled')
}

export interface Retried {
  readonly batch: Batch
  /** Items that wait again; of a dry run: that would. */
  readonly retried: number
  /** Items whose message failed for good, or may have arrived. */
  readonly leftOut: number
}

/** Sends the items again whose message failed for a reason that can pass: never what may have arrived. */
export async function retryBatch(
  actor: Actor,
  by: BatchSender | undefined,
  batchId: string,
  { isDry = false, rest = async () => {} }: { isDry?: boolean; rest?: () => Promise<unknown> } = {},
): Promise<Retried | Refused> {
  const found = await batchOf(actor, batchId, by)
  if (found instanceof Refused) return found
  if (!['running', 'paused', 'done'].includes(found.state))
    return conflict(`Only a batch that was started can be retried; this one is ${found.state}.`)
  let [retried, leftOut] = [0, 0]
  const { read, write, clock } = actor
  for await (const found of stepsOf(actor, batchId, hasFailed.statuses, rest)) {
    // What was erased, or is older than contents are kept, cannot be sent again.
    const items = found.filter(({ hasContent }) => hasContent)
    const messages = await Promise.all(
      items.flatMap(item => (item.messageId === null ? [] : read.message(item.messageId))),
    )
    const numberOf = new Map(items.map(item => [item.messageId, item.number]))
    const again: { number: number; messageId: string }[] = []
    for (const message of messages) {
      const number = message ? numberOf.get(message.id) : undefined
      if (message && number !== undefined && (await mayRetry(message, clock.now(), id => read.timeline(id))))
        again.push({ number, messageId: message.id })
    }
    const count =
      isDry || again.length === 0
        ? again.length
        : await write.retryBatchItems({ batchId, items: again, at: clock.now(), isFirst: retried === 0 })
    retried += count
    leftOut += found.length - count
  }
  const batch = existing(await read.batch(batchId), 'batch', batchId)
  return batch instanceof Refused ? batch : { batch, retried, leftOut }
}

/** All items of a batch that have one of these statuses, a step at a time. */
export async function* stepsOf(
  { read }: Pick<Actor, 'read'>,
  batchId: string,
  statuses: readonly ItemStatus[] | null,
  rest: () => Promise<unknown>,
): AsyncGenerator<readonly ShownItem[]> {
  for (let after: number | null = -1; after !== null; ) {
    await rest()
    const step: Awaited<ReturnType<typeof read.batchItems>> = await read.batchItems({
      ...{ batchId, after, limit: stepItems, statuses },
    })
    if (step.items.length > 0) yield step.items
    after = step.next
  }
}

/** A page of a batch's items. `next`: null at the end. */
export async function itemPage(
  { read }: Pick<Actor, 'read'>,
  batchId: string,
  {
    status,
    after,
    limit,
  }: { readonly status?: ItemStatus | undefined; readonly after: number; readonly limit: number },
): Promise<{ readonly items: readonly ShownItem[]; readonly next: number | null }> {
  const statuses = status === undefined ? null : [status]
  const step = await read.batchItems({ batchId, after, limit: statuses ? stepItems : limit, statuses })
  const items = step.items.slice(0, limit)
  return { items, next: items.length < step.items.length ? (items.at(-1)?.number ?? null) : step.next }
}
