import type { Clock } from '../../base/clock.ts'
import { BOUNDS } from '../state/defaults.ts'
import type { SandboxTemplate, Templates } from '../state/records.ts'
import type { CallbackSender } from './delivery.ts'
import { type TemplateEvent, templateUpdateOf } from './templateUpdate.ts'
import { TimerQueue } from './timerQueue.ts'

const rejected = (reason: string, recommendation: string): readonly ReviewEvent[] => [
  { event: 'REJECTED', reason, recommendation },
]

/** The result of a review by the prefix of the template's name, first match; any other name is approved. */
export const outcomes: readonly {
  readonly prefix: string
  readonly what: string
  readonly events: readonly ReviewEvent[]
}[] = [
  {
    prefix: 'rejected_promotional_',
    what: 'rejected as PROMOTIONAL',
    events: rejected('PROMOTIONAL', 'The text offers something for sale: choose the category MARKETING.'),
  },
  {
    prefix: 'rejected_category_',
    what: 'rejected as INCORRECT_CATEGORY',
    events: rejected('INCORRECT_CATEGORY', 'The category does not fit what the template says. Choose another one.'),
  },
  {
    prefix: 'rejected_',
    what: 'rejected as INVALID_FORMAT',
    events: rejected('INVALID_FORMAT', 'Check that variables, their examples and the format follow the guidelines.'),
  },
  { prefix: 'paused_', what: 'approved, then paused', events: [{ event: 'APPROVED' }, { event: 'PAUSED' }] },
  { prefix: 'disabled_', what: 'approved, then disabled', events: [{ event: 'APPROVED' }, { event: 'DISABLED' }] },
  { prefix: 'pending_', what: 'never reviewed', events: [] },
]

type ReviewEvent = Omit<TemplateEvent, 'name' | 'language'>

/** Reviews created and edited templates after a delay: changes the status and posts a callback. */
export class Reviews {
  readonly #clock: Clock
  readonly #templates: Templates
  readonly #delivery: CallbackSender
  readonly #timers: TimerQueue

  constructor(clock: Clock, templates: Templates, delivery: CallbackSender) {
    this.#clock = clock
    this.#templates = templates
    this.#delivery = delivery
    this.#timers = new TimerQueue(clock, BOUNDS.templates)
  }

  plan({ id, name, language }: SandboxTemplate, afterMs: number): void {
    const events = outcomes.find(({ prefix }) => name.startsWith(prefix))?.events ?? [{ event: 'APPROVED' }]
    for (const [at, event] of events.entries()) {
      this.#timers.add(afterMs * (at + 1), () => {
        // It was deleted meanwhile, or created again under the same name.
        if (this.#templates.find(id)?.id !== id) return
        const template = this.#templates.setStatus(name, language, event.event, event.reason)
        if (!template) return
        this.#delivery.enqueue(templateUpdateOf({ ...event, name, language }, template, this.#clock.now()))
      })
    }
  }

  clear(): void {
    this.#timers.clear()
  }
}
