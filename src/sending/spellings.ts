import type { StoreReads, StoreWrites } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import type { SendAnswer } from '../graph/answer.ts'
import type { Logger } from '../telemetry/log.ts'
import type { OutboxMessage } from './outboxMessage.ts'

interface SpellingParts {
  readonly store: {
    readonly read: Pick<StoreReads, 'spelling'>
    readonly write: Pick<StoreWrites, 'keepSpelling'>
  }
  readonly clock: Clock
  readonly log: Logger
}

/** What is known is kept again only after so long: it has to outlive nothing but the messages to it. */
const keptAgainMs = dayMs

/** @returns the number as the upstream writes it, where that is another one than was asked for; null for nearly all */
export function writtenOtherwise(answer: SendAnswer, recipient: string): string | null {
  if (answer.kind !== 'accepted' || answer.waId === null || !recipient.startsWith('+')) return null
  const number = `+${answer.waId}`
  return number === recipient || !/^\+\d{5,17}$/.test(number) ? null : number
}

/**
 * Keeps that the upstream writes the number of a message in another way (docs/upstream.md#sending): what the person
 * writes comes from there. When it fails, the message is sent all the same, and the next one tells it again.
 */
export async function keepSpelling(
  { store, clock, log }: SpellingParts,
  { id: messageId, recipient: spelling, workspaceId }: OutboxMessage,
  number: string,
): Promise<void> {
  try {
    const at = clock.now()
    const known = await store.read.spelling({ workspaceId, spelling })
    if (known?.number === number && at - known.recordedAt < keptAgainMs) return
    await store.write.keepSpelling({ workspaceId, spelling, number, at, recordedAt: at })
  } catch (error) {
    log.warn({ err: error, messageId }, 'how the platform writes the number of a message could not be stored')
  }
}
