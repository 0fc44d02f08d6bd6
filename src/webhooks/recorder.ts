import type { Store } from '../../db/contract/store.ts'
import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import { type Clock, type SteadyMs, wait } from '../base/clock.ts'
import { dayMs, hourMs } from '../base/durations.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import type { Logger } from '../telemetry/log.ts'
import type { EndpointQueue } from './queue.ts'

/** Outcomes of so long share a record: a write for each would be one more for each send. */
const recordMs = 100
/** After a failure. */
const againMs = 1_000
/** An endpoint that nothing has worked at for so long is switched off. */
const failingMsMax = 5 * dayMs
/**
 * After a start, none is switched off for failing: while the gateway was off for days nothing was tried, and receivers
 * on the same machine may start later than it. By steady time, because a machine may get its date only then.
 */
const graceMs = hourMs

export interface RecorderParts {
  readonly store: { readonly write: Pick<Store['write'], 'recordAttempts' | 'disableWebhook'> }
  readonly clock: Clock
  readonly log: Logger
}

/** Stores what became of attempts, and switches off endpoints for it. One record of an endpoint at a time. */
export class Recorder {
  readonly #parts: RecorderParts
  readonly #onGone: (endpointId: string) => void
  readonly #recording = new Set<EndpointQueue>()
  readonly #failures = new FailureSpell()
  readonly #startedAt: SteadyMs
  #isStopped = false

  /** @param onGone the endpoint is off, or another process has it */
  constructor(parts: RecorderParts, onGone: (endpointId: string) => void) {
    this.#parts = parts
    this.#startedAt = parts.clock.steady()
    this.#onGone = onGone
  }

  /** Soon, with what comes until then. */
  later(queue: EndpointQueue): void {
    if (this.#isStopped || this.#recording.has(queue) || !queue.hasNews) return
    this.#recording.add(queue)
    this.#parts.clock.setTimer(recordMs, async () => {
      await this.now(queue)
      this.#recording.delete(queue)
      if (queue.outcomes.length > 0) this.later(queue)
    })
  }

  /** Whether nothing of the endpoint is to be recorded, or is being. */
  isDone(queue: EndpointQueue): boolean {
    return queue.underWay === 0 && !queue.hasNews && !this.#recording.has(queue)
  }

  async now(queue: EndpointQueue): Promise<void> {
    const { store, clock, log } = this.#parts
    if (!queue.hasNews) return
    const { outcomes, position } = queue.takeOutcomes()
    const { id } = queue.webhook
    try {
      const webhook = await store.write.recordAttempts({ endpointId: id, position, outcomes })
      this.#failures.worked(failures => log.info({ failures }, 'outcomes of webhooks can be stored again'))
      // What is left is for the process that has it now. Should it be this one again, this queue must not pass over
      // what was not stored.
      if (webhook === null) return this.#onGone(id)
      queue.recorded(outcomes)
      queue.webhook = webhook
      if (webhook.disabledAt !== null) return this.#onGone(id)
      await this.#judge(webhook, queue)
    } catch (error) {
      queue.notRecorded(outcomes)
      this.#failures.failed(() => log.error({ err: error }, 'outcomes of webhooks could not be stored; trying again'))
      if (!this.#isStopped) await wait(clock, againMs)
    }
  }

  /** Only `now` from here on, once for each. */
  stop(): void {
    this.#isStopped = true
  }

  /** Switches off what is gone, and what nothing works at. */
  async #judge(webhook: WebhookEndpoint, queue: EndpointQueue): Promise<void> {
    const { store, clock, log } = this.#parts
    const { id: endpointId, workspaceId, failingSince } = webhook
    const at = clock.now()
    const failedSince = clock.ago(failingMsMax)
    const url = queue.goneFrom ?? undefined
    const isGone = url !== undefined
    const isFailing = failingSince !== null && failingSince < failedSince && clock.steady() >= this.#startedAt + graceMs
    if (!isGone && !isFailing) return
    const reason = isGone ? 'gone' : 'failing'
    const isOff = await store.write.disableWebhook({ endpointId, reason, failedSince, at, url })
    queue.goneFrom = null
    if (!isOff) return
    this.#onGone(endpointId)
    log.warn({ webhookId: endpointId, workspaceId, reason }, 'a webhook was switched off')
  }
}
