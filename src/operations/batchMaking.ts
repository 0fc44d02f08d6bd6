import type { Batch } from '../../db/contract/batches.ts'
import { type Issue, issuesIn } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { batchItemsMax, openBatchesMax } from '../message/batches.ts'
import { fingerprint } from '../sending/fingerprint.ts'
import { type Actor, conflict, Refused, unknown, wrong, wrongField } from './act.ts'
import { type BatchSender, batchOf } from './batches.ts'
import { checkItems } from './batchItems.ts'
import type { MoreItems, NewBatch } from './batchSchemas.ts'
import { inPast, timeIssues } from './batchTimes.ts'
import { nameIn } from './fields.ts'
import { idempotencyKeyProblem } from './sends/sendBody.ts'

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
