import {
  type ApiRequest,
  blocksOf,
  type RequestBlock,
  requestOutcomes,
  requestsKept,
} from '../../db/contract/apiRequests.ts'
import type { StoreWrites } from '../../db/contract/store.ts'
import type { Clock, SteadyMs } from '../base/clock.ts'
import { httpStatusOf, type Refusal } from '../base/errors.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import type { KeyCaller } from '../http/keys.ts'
import type { Logger } from '../telemetry/log.ts'
import { keptRefusal } from './refusal.ts'

/** A call is shown at most this late, and a crash loses no earlier one. One write in that time costs a send little. */
const persistMs = 1_000
/**
 * Calls of each outcome in memory, of all workspaces: more could not be kept of one, and come only while writes wait.
 */
const waitingMax = requestsKept
/** Beyond it, so many of the oldest go at once: cheaper than one at each call. */
const droppedAtOnce = 1_000

/** How a call of a key has ended. */
export interface EndedCall {
  readonly call: string
  readonly startedAt: SteadyMs
  readonly requestId: string
  readonly status: number
  readonly messageId?: string | undefined
}

interface Waiting extends ApiRequest {
  readonly workspaceId: string
}

/**
 * Keeps the last calls of API keys for the console, in batches, so that none waits for it. What cannot be stored is
 * dropped with a line in the log: the calls themselves were answered.
 */
export class KeptRequests {
  readonly #parts: { write: Pick<StoreWrites, 'recordApiRequests'>; clock: Clock; log: Logger }
  readonly #waiting = { answered: [] as Waiting[], refused: [] as Waiting[] }
  readonly #unwritten = new FailureSpell()
  #dropped = 0
  /** Whether a timer is set or a write is under way. */
  #isDue = false
  #isStopped = false
  #saving: Promise<void> | null = null

  constructor(parts: { write: Pick<StoreWrites, 'recordApiRequests'>; clock: Clock; log: Logger }) {
    this.#parts = parts
  }

  answered(caller: KeyCaller, ended: EndedCall): void {
    this.#add(caller, ended, null)
  }

  refused(caller: KeyCaller, ended: Omit<EndedCall, 'status'>, refusal: Refusal): void {
    this.#add(caller, { ...ended, status: httpStatusOf(refusal) }, refusal)
  }

  /** Stores what is left, at the end of the process. A call that ends later has no caller any more, and is not kept. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#saving
    while (this.#hasWaiting()) await this.#save()
  }

  #add(
    { workspaceId, keyId }: KeyCaller,
    { startedAt, messageId, ...ended }: EndedCall,
    refusal: Refusal | null,
  ): void {
    const { clock } = this.#parts
    const named = messageId ?? refusal?.details?.messageId
    const waiting = this.#waiting[refusal ? 'refused' : 'answered']
    waiting.push({
      ...ended,
      ...{ workspaceId, keyId, at: clock.now(), ms: Math.round((clock.steady() - startedAt) * 10) / 10 },
      messageId: typeof named === 'string' ? named : null,
      refusal: refusal && keptRefusal(refusal),
    })
    if (waiting.length > waitingMax) this.#dropped += waiting.splice(0, droppedAtOnce).length
    this.#saveLater()
  }

  #saveLater(): void {
    if (this.#isDue || this.#isStopped) return
    this.#isDue = true
    this.#parts.clock.setTimer(persistMs, () => {
      this.#saving = this.#save()
    })
  }

  /** One write at a time: while storage is slow, calls wait here, and the oldest go. */
  async #save(): Promise<void> {
    const { write, log } = this.#parts
    const blocks = this.#takeBlocks()
    const calls = blocks.reduce((sum, { count }) => sum + count, 0)
    if (calls > 0) {
      try {
        await write.recordApiRequests({ blocks })
        this.#unwritten.worked(failures => log.info({ failures }, 'calls of API keys are kept again'))
      } catch (err) {
        this.#unwritten.failed(() => log.error({ err, calls }, 'calls of API keys could not be kept for the console'))
      }
    }
    if (this.#dropped > 0)
      log.warn({ calls: this.#dropped }, 'the database is slow: calls of API keys were not kept for the console')
    this.#dropped = 0
    this.#isDue = false
    if (this.#hasWaiting()) this.#saveLater()
  }

  #hasWaiting(): boolean {
    return requestOutcomes.some(outcome => this.#waiting[outcome].length > 0)
  }

  #takeBlocks(): RequestBlock[] {
    return requestOutcomes.flatMap(outcome => {
      const ofWorkspaces = Map.groupBy(this.#waiting[outcome].splice(0), ({ workspaceId }) => workspaceId)
      return [...ofWorkspaces].flatMap(([workspaceId, requests]) => blocksOf({ workspaceId, outcome }, requests))
    })
  }
}
