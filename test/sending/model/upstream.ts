import { type Clock, wait } from '../../../src/base/clock.ts'
import type { Attempt, UpstreamFault } from '../../../src/graph/answer.ts'
import { accepted, notNow } from '../simulation.ts'
import type { Disk } from './disk.ts'
import type { Reply } from './schedule.ts'
import type { Witness } from './witness.ts'

const fault: UpstreamFault = {
  errorClass: 'permanent',
  fault: 'request',
  retryable: false,
  code: 132000,
  subcode: null,
  title: 'Number of parameters does not match',
  details: null,
  traceId: null,
}

/** What comes after the planned replies. */
const lastReply: Reply = { afterMs: 1, says: 'accepted', retryAfterMs: null }

/** Where messages go: it answers as it was planned. */
export class Upstream {
  readonly #disk: Disk
  readonly #witness: Witness
  /** Messages whose answer was lost. */
  readonly lost = new Set<string>()
  /** What it will answer to the next attempts for each message. */
  readonly #replies = new Map<string, Reply[]>()

  constructor(disk: Disk, witness: Witness) {
    this.#disk = disk
    this.#witness = witness
  }

  plan(messageId: string, replies: readonly Reply[]): void {
    this.#replies.set(messageId, [...replies])
  }

  /**
   * A message leaves.
   * @param clock of the thread that it leaves: once that is dead, nobody hears the answer
   */
  async take(messageId: string, clock: Clock): Promise<Attempt> {
    this.#witness.left(messageId, this.#disk.messages.get(messageId), clock.steady())
    const reply = this.#replies.get(messageId)?.shift() ?? lastReply
    await wait(clock, reply.afterMs)
    const attempt = attemptOf(reply)
    if (attempt.kind === 'lost') this.lost.add(messageId)
    if (attempt.kind === 'notNow' || attempt.kind === 'refused') this.#witness.declined(messageId)
    return attempt
  }
}

function attemptOf({ says, retryAfterMs }: Reply): Attempt {
  switch (says) {
    case 'accepted':
      return accepted
    case 'refused':
      return { kind: 'refused', fault }
    case 'mediaGone':
      return { kind: 'refused', fault: { ...fault, code: 131053 } }
    case 'lost':
      return { kind: 'lost', why: 'reset' }
    default:
      return notNow(says, retryAfterMs)
  }
}
