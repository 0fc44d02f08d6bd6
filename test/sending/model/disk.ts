import type {
  Acceptance,
  Deferral,
  HandOvers,
  MessageDraft,
  MessageState,
  Recorded,
} from '../../../db/contract/records.ts'
import type { StoreWrites } from '../../../db/contract/store.ts'
import type { Clock } from '../../../src/base/clock.ts'
import { Unavailable } from '../../../src/base/unavailable.ts'
import { apply, type MessageEvent, type MessageRecord, statusOf } from '../../../src/message/state.ts'
import { ThreadClosed } from '../../../src/threads/mailbox.ts'
import { acceptedToWait, handOvers } from '../../db/fixtures.ts'
import { newRecord } from '../newRecord.ts'
import type { Grant, Schedule } from './schedule.ts'
import type { Witness } from './witness.ts'

const workspaceId = 'ws_1'

/**
 * The writer thread and its file. What is asked while it commits waits for the next commit; while the disk is full, a
 * commit fails as a whole.
 */
export class Disk
  implements Pick<StoreWrites, 'acceptMessage' | 'handOverMessages' | 'deferMessages' | 'recordEvent' | 'forgetMedia'>
{
  /** Every message that was accepted, as it stands. */
  readonly messages = new Map<string, MessageRecord>()
  /** The kinds of the events that it took. */
  readonly stored: string[] = []
  readonly #clock: Clock
  readonly #witness: Witness
  readonly #commitMs: readonly number[]
  readonly #grants: readonly Grant[]
  #writes: (() => void)[] = []
  /** How many reasons there are now for which it is full: they may overlap. */
  #full = 0
  #commits = 0
  #asked = 0
  #isBusy = false
  #isClosed = false

  constructor(clock: Clock, witness: Witness, { commitMs, grants }: Pick<Schedule, 'commitMs' | 'grants'>) {
    this.#clock = clock
    this.#witness = witness
    this.#commitMs = commitMs
    this.#grants = grants
  }

  acceptMessage({ id, dispatchedAt }: Pick<MessageDraft, 'id' | 'dispatchedAt'>): Promise<Acceptance> {
    const askedAt = this.#clock.steady()
    return this.#write(() => {
      const grant = dispatchedAt === null ? null : this.#grant()
      const isHeld = grant !== null && 'heldMs' in grant
      this.#put(id, newRecord(this.#clock.now(), isHeld ? null : dispatchedAt))
      if (isHeld) return { outcome: 'accepted', handOver: { state: 'held', waitMs: grant.heldMs } }
      if (dispatchedAt === null) return acceptedToWait
      const validMs = grant?.validMs ?? null
      this.#witness.mayLeave(id, askedAt, validMs)
      return { outcome: 'accepted', handOver: { state: 'handedOver', validMs } }
    })
  }

  handOverMessages({ messageIds, at }: { messageIds: readonly string[]; at: number }): Promise<HandOvers> {
    const askedAt = this.#clock.steady()
    return this.#write(() => {
      const grant = this.#grant()
      // As many as the time of a hold has, so that some are held and some are not.
      const heldFrom = grant !== null && 'heldMs' in grant ? grant.heldMs % messageIds.length : messageIds.length
      const validMs = grant !== null && 'validMs' in grant ? grant.validMs : null
      const mayLeave = (messageId: string) => this.#apply(messageId, { kind: 'dispatched', at })?.status === 'QUEUED'
      const asking = messageIds.slice(0, heldFrom)
      const { true: handedOver = [], false: overtaken = [] } = Object.groupBy(asking, id => `${mayLeave(id)}`)
      for (const id of handedOver) this.#witness.mayLeave(id, askedAt, validMs)
      const waitMs = grant !== null && 'heldMs' in grant ? grant.heldMs : 0
      return handOvers({ handedOver, validMs, held: messageIds.slice(heldFrom), waitMs, overtaken })
    })
  }

  deferMessages({ messages }: { messages: readonly Deferral[] }): Promise<readonly string[]> {
    return this.#write(() => {
      for (const { messageId } of messages) this.#apply(messageId, { kind: 'deferred' })
      return []
    })
  }

  recordEvent({ messageId, event }: Recorded): Promise<MessageState | null> {
    return this.#write(() => this.#apply(messageId, event))
  }

  forgetMedia(): Promise<void> {
    return this.#write(() => {})
  }

  fill(): void {
    this.#full += 1
  }

  clear(): void {
    this.#full -= 1
  }

  close(): void {
    this.#isClosed = true
  }

  #grant(): Grant {
    const grant = this.#grants[this.#asked % this.#grants.length] ?? null
    this.#asked += 1
    return grant
  }

  #apply(messageId: string, event: MessageEvent): MessageState | null {
    const record = this.messages.get(messageId)
    if (!record) return null
    this.stored.push(event.kind)
    return this.#put(messageId, apply(record, event))
  }

  #put(messageId: string, record: MessageRecord): MessageState {
    this.messages.set(messageId, record)
    this.#witness.stored(messageId, record)
    return { ...record, id: messageId, workspaceId, status: statusOf(record) }
  }

  #write<Value>(change: () => Value): Promise<Value> {
    if (this.#isClosed) return Promise.reject(new ThreadClosed('the writer is stopping'))
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    this.#writes.push(() => {
      if (this.#full > 0) reject(new Unavailable('SQLITE_FULL database or disk is full'))
      else resolve(change())
    })
    this.#commit()
    return promise
  }

  #commit(): void {
    if (this.#isBusy || this.#writes.length === 0) return
    this.#isBusy = true
    const changes = this.#writes.splice(0)
    const takesMs = this.#commitMs[this.#commits % this.#commitMs.length] ?? 0
    this.#commits += 1
    this.#clock.setTimer(takesMs, () => {
      this.#isBusy = false
      for (const change of changes) change()
      this.#commit()
    })
  }
}
