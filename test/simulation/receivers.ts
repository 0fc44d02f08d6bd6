import type { WebhookRequest } from '../../src/webhooks/attempt.ts'
import type { History, Tenant } from './history.ts'
import type { Delivered } from './log.ts'
import type { World } from './world.ts'

/** Programs of the workspaces that get events: slow ones, and such that refuse or hang. */
export class Receivers {
  readonly #world: World
  readonly #receivers: History['receivers']
  readonly #attempts = [0, 0]
  readonly delivered: Delivered[] = []
  /** All is answered at once and well from now on. */
  isCalm = false

  constructor(world: World, receivers: History['receivers']) {
    this.#world = world
    this.#receivers = receivers
  }

  /** @returns how an attempt ends, and when */
  receive({ url, id, body }: WebhookRequest) {
    const at = Number(url.at(-1)) as Tenant
    const answers = this.#receivers[at]?.answers ?? []
    const nth = this.#attempts[at] ?? 0
    this.#attempts[at] = nth + 1
    const planned = this.isCalm ? undefined : answers[nth % Math.max(1, answers.length)]
    const { status, afterMs } = planned ?? { status: 200, afterMs: 1 }
    const now = this.#world.steady()
    this.delivered.push({ at: now, answeredAt: now + afterMs, url, id, body, status, hasWorked: status === 200 })
    const error = status === null ? 'no answer' : null
    return { afterMs, answer: { durationMs: afterMs, status, error, answer: null, retryAfter: null } }
  }
}
