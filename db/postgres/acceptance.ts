import { type Clock, wait } from '../../src/clock.ts'
import { WorkerLost, WorkerUnavailable } from '../../src/queue/mailbox.ts'
import type { Acceptance, MessageDraft } from '../records.ts'
import type { StoreWrites } from '../store.ts'
import { gathered } from './batch.ts'
import { acceptDrafts, type DraftOutcome, offerAgain } from './drafts.ts'
import type { Instance } from './instances.ts'
import type { Pool } from './open.ts'
import { type Orphans, storedAmong } from './orphans.ts'
import type { Validity } from './pace.ts'

/** After a lost answer, the server is asked this often whether it has stored the messages, */
const askEveryMs = 200
/** and for so long at most: the callers wait. */
const askMsMax = 10_000

export interface AcceptanceParts {
  readonly pool: Pool
  readonly instance: Instance
  readonly orphans: Orphans
  readonly validity: Validity
  readonly clock: Clock
}

/**
 * The hot path: accepted sends. The drafts of a turn are one transaction.
 *
 * When the answer of its commit is lost, the server is asked whether it has stored them, until it answers: a restart takes
 * seconds. So a caller is told an error only while the server cannot be reached for long. Then it is not known whether the
 * message is stored, and nobody in this process has it: it is an orphan. As soon as the server answers again, what is stored
 * of them is taken up: a message that waits is claimed and sent, and one that asked to leave becomes UNKNOWN, although it has
 * not left: its caller was told an error, and may have sent it again in another way. With an idempotency key the caller's
 * retry finds the message and counts nothing. If this process ends before, its lease is over soon, and another instance does
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
  const { instance, validity } = parts
  for (;;) {
    let outcomes: DraftOutcome[] = []
    try {
      return await instance.fenced(async (connection, instanceSeq) => {
        outcomes = await acceptDrafts(connection, drafts, { instanceSeq, validMs: validity.ms })
        return outcomes
      }, drafts.length)
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error
      const ids = drafts.filter((_, at) => isAccepted(outcomes[at])).map(({ id }) => id)
      // What was not accepted did not depend on the commit.
      if (ids.length === 0 || (await areStored(parts, ids))) return outcomes
    }
  }
}

const isAccepted = (outcome: DraftOutcome | undefined) =>
  outcome !== undefined && outcome !== offerAgain && outcome.outcome === 'accepted'

/**
 * @param ids of messages of one transaction: all of them are stored, or none
 * @throws WorkerLost when the server does not answer: they are orphans then
 */
async function areStored({ pool, orphans, clock }: AcceptanceParts, ids: readonly string[]): Promise<boolean> {
  const giveUpAt = clock.steady() + askMsMax
  for (;;) {
    try {
      return (await storedAmong(pool, ids)).size > 0
    } catch (error) {
      if (error instanceof WorkerUnavailable && clock.steady() < giveUpAt) {
        await wait(clock, askEveryMs)
        continue
      }
      orphans.add(ids)
      throw new WorkerLost('PostgreSQL does not say whether it has stored the messages', { cause: error })
    }
  }
}

/** All fields of a draft. */
const draftFields = Object.keys({
  id: true,
  workspaceId: true,
  channelId: true,
  lineId: true,
  contactId: true,
  recipient: true,
  type: true,
  templateName: true,
  payload: true,
  createdAt: true,
  dispatchedAt: true,
  apiKeyId: true,
  requestId: true,
  idempotency: true,
  opensFlow: true,
  closesFlows: true,
} satisfies Record<keyof MessageDraft, true>) as (keyof MessageDraft)[]

/** JSON leaves out what is undefined, and PostgreSQL would read it as null. */
function checkComplete(draft: MessageDraft): void {
  const missing = draftFields.find(field => draft[field] === undefined)
  if (missing) throw new Error(`acceptMessage: ${missing} is missing`)
}
