import type { Store, StoreWrites } from '../../db/contract/store.ts'
import type { Clock, EpochMs } from '../base/clock.ts'
import { secondMs } from '../base/durations.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import { batchOfKey } from '../message/batches.ts'
import type { Logger } from '../telemetry/log.ts'

/** A conversation moves at most this late: no send waits for it, and those of that time share one write. */
const notedEveryMs = secondMs
/**
 * So many conversations move in that time: some 3 ms of the writer on SQLite. A program that answers more people is
 * read in no list, and the earliest of them keep their places until the next word.
 */
const notedMax = 200

interface Answer {
  readonly workspaceId: string
  readonly recipient: string
  readonly messageId: string
  readonly at: EpochMs
}

type Parts = { readonly store: Store; readonly clock: Clock; readonly log: Logger }

/**
 * Moves the conversations in which keys answer: what they write freely, and no template of theirs. A crash loses a
 * second of it.
 */
export class AnswersOfKeys {
  /** The same one, which tells of what it accepts. */
  readonly store: Store
  readonly #parts: Parts
  readonly #unwritten = new FailureSpell()
  /** By recipient, in the order in which they were last written to. */
  readonly #waiting = new Map<string, Answer>()
  #isDue = false
  #isStopped = false

  constructor(parts: Parts) {
    this.#parts = parts
    const { write } = parts.store
    const acceptMessage: StoreWrites['acceptMessage'] = draft => {
      const accepted = write.acceptMessage(draft)
      const { apiKeyId, type, idempotency } = draft
      if (apiKeyId === null || type === 'template' || batchOfKey(idempotency?.key ?? null) !== null) return accepted
      return accepted.then(acceptance => {
        const { workspaceId, recipient, id: messageId, createdAt: at } = draft
        if (acceptance.outcome === 'accepted') this.#note([{ workspaceId, recipient, messageId, at }])
        return acceptance
      })
    }
    this.store = { ...parts.store, write: { ...write, acceptMessage } }
  }

  /** Writes what is left, at the end of the process. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.save()
  }

  #note(answers: readonly Answer[]): void {
    for (const answer of answers) {
      const to = `${answer.workspaceId} ${answer.recipient}`
      this.#waiting.delete(to)
      this.#waiting.set(to, answer)
      const [earliest = ''] = this.#waiting.size > notedMax ? this.#waiting.keys() : []
      this.#waiting.delete(earliest)
    }
    if (this.#isDue || this.#isStopped) return
    this.#isDue = true
    this.#parts.clock.setTimer(notedEveryMs, () => void this.save())
  }

  /** Moves the conversations that are still to be moved, and does not wait for its time. */
  async save(): Promise<void> {
    const { store, log } = this.#parts
    const noted = Map.groupBy([...this.#waiting.values()], ({ workspaceId }) => workspaceId)
    this.#waiting.clear()
    this.#isDue = false
    for (const [workspaceId, answers] of noted) {
      try {
        const messageIds = answers.map(({ messageId }) => messageId)
        await store.write.noteSpoken({ workspaceId, messageIds, begins: false, at: answers.at(-1)?.at ?? 0 })
        this.#unwritten.worked(failures => log.info({ failures }, 'answers of keys move conversations again'))
      } catch (err) {
        this.#unwritten.failed(() => log.error({ err }, 'answers of keys have moved no conversation; trying again'))
        const later = [...this.#waiting.values()]
        this.#note([...answers, ...later])
      }
    }
  }
}
