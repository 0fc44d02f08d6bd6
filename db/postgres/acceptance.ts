import { type Clock, wait } from '../../src/base/clock.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import { mayLeave } from '../../src/message/statuses.ts'
import type { Acceptance, HandOver, MessageDraft } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import { statusText } from '../schema/statuses.ts'
import { gathered } from './batch.ts'
import { acceptDrafts, checkComplete, type DraftOutcome, offerAgain } from './drafts.ts'
import { type Instance, leaseMs } from './instances.ts'
import type { Pool } from './open.ts'
import { type Orphans, storedAmong } from './orphans.ts'
import type { Validity } from './pace.ts'
import { inStatement, reading } from './transaction.ts'

/** After a lost answer, the server is asked this often whether it has stored the messages, */
const askEveryMs = 200
/** and for at most this long: the callers wait. */
const askMsMax = 10_000

export interface AcceptanceParts {
  readonly pool: Pool
  readonly instance: Instance
  readonly orphans: Orphans
  readonly validity: Validity
  readonly clock: Clock
}

/**
 * The hot path: accepted sends. The drafts of a turn are one statement.
 *
 * When its answer is lost, the server is asked whether it has stored them, until it answers: a restart takes seconds.
 * So a caller gets an error only when the server cannot be reached for long. Then it is unknown whether the message is
 * stored, and nothing in this process has it: it is an orphan. As soon as the server answers again, stored orphans are
 * recovered: a waiting message is claimed and sent, and one that asked to leave becomes UNKNOWN, although it has not
 * left: its caller got an error, and may have sent it again in another way. With an idempotency key the caller's retry
 * finds the message and counts nothing. If this process ends before, its lease expires soon, and another instance does
 * the same.
 */
export function acceptanceVerbs(parts: AcceptanceParts): Pick<StoreWrites, 'acceptMessage'> {
  const { clock, validity } = parts
  const offer = gathered<MessageDraft, DraftOutcome>(drafts => acceptAll(parts, drafts))

  return {
    async acceptMessage(draft): Promise<Acceptance> {
      checkComplete(draft)
      for (;;) {
        const askedAt = clock.steady()
        const outcome = await offer(draft)
        const answeredAt = clock.steady()
        validity.observe(answeredAt - askedAt, answeredAt)
        if (outcome !== offerAgain) return outcome
      }
    },
  }
}

async function acceptAll(parts: AcceptanceParts, drafts: readonly MessageDraft[]): Promise<DraftOutcome[]> {
  const { pool, instance, validity } = parts
  for (;;) {
    const validMs = validity.ms
    let usedSeq = instance.seq
    const accept = (instanceSeq: number) => {
      usedSeq = instanceSeq
      const storing = { instanceSeq, validMs, mayBeAsked: instance.mayBeAsked }
      return inStatement(pool, connection => acceptDrafts(connection, drafts, storing), drafts.length)
    }
    try {
      return await instance.owning(accept)
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
      const stored = await storedOf(parts, drafts, { validMs, usedSeq })
      // A draft that is not stored was refused, and will be again; or nothing is stored.
      if (stored.size > 0) return drafts.map(({ id }) => stored.get(id) ?? offerAgain)
    }
  }
}

/**
 * The statement may still run, or reach the server later. So its instance number is given up first: that waits for
 * transactions that have begun under it, and later ones store nothing.
 * @param drafts of one statement
 * @returns those that are stored, by their ids
 * @throws OutcomeUnknown when the server does not answer: they are orphans then
 */
async function storedOf(
  { pool, instance, orphans, clock }: AcceptanceParts,
  drafts: readonly MessageDraft[],
  { validMs, usedSeq }: { readonly validMs: number; readonly usedSeq: number },
): Promise<ReadonlyMap<string, Acceptance>> {
  const giveUpAt = clock.steady() + askMsMax
  const ids = drafts.map(({ id }) => id)
  for (;;) {
    try {
      await instance.renew(usedSeq)
      const stored = await storedAmong(pool, ids)
      const asked = [[...stored], instance.seq]
      const rows = await reading(pool, () => pool.query<StoredDraft>(selectStored, asked))
      const byId = new Map(rows.map(row => [row.id, row]))
      return new Map(
        drafts.flatMap(({ id, dispatchedAt }) => {
          const row = byId.get(id)
          const handOver = row && dispatchedAt !== null ? handOverOf(row, validMs) : null
          return row ? [[id, { outcome: 'accepted', handOver }] as const] : []
        }),
      )
    } catch (error) {
      if (error instanceof Unavailable && clock.steady() < giveUpAt) {
        await wait(clock, askEveryMs)
        continue
      }
      orphans.add(ids)
      throw new OutcomeUnknown('PostgreSQL did not answer whether it has stored the messages', { cause: error })
    }
  }
}

interface StoredDraft {
  readonly id: string
  readonly isHandedOver: boolean
  readonly isLimited: boolean
}

/** A message that another instance has taken meanwhile is not handed over by this one. */
const selectStored = `SELECT messages.id, per_second > 0 AS "isLimited",
    dispatched_at IS NOT NULL AND ${statusText(mayLeave)} AND instance_seq = $2 AS "isHandedOver"
  FROM messages JOIN lines ON lines.seq = line_seq WHERE messages.id = ANY($1::text[])`

/** The lost answer had the time of a held message's departure: its line asks again soon. */
const handOverOf = ({ isHandedOver, isLimited }: StoredDraft, validMs: number): HandOver =>
  isHandedOver ? { state: 'handedOver', validMs: isLimited ? validMs : leaseMs } : { state: 'held', waitMs: askEveryMs }
