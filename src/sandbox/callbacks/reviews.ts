import type { Clock } from '../../clock.ts'
import { BOUNDS } from '../state/defaults.ts'
import type { Template, Templates } from '../state/records.ts'
import type { Delivery } from './delivery.ts'
import { type TemplateEvent, templateUpdateOf } from './templateUpdate.ts'
import { TimerQueue } from './timerQueue.ts'

/** The result of a review by the beginning of the template's name; any other name is approved. */
const outcomes: readonly { readonly prefix: string; readonly events: readonly ReviewEvent[] }[] = [
  {
    prefix: 'rejected_',
    events: [
      {
        event: 'REJECTED',
        reason: 'INVALID_FORMAT',
        recommendation: 'Check that variables, their examples and the format follow the guidelines.',
      },
    ],
  },
  { prefix: 'paused_', events: [{ event: 'APPROVED' }, { event: 'PAUSED' }] },
]

type ReviewEvent = Omit<TemplateEvent, 'name' | 'language'>

/** Reviews created and edited templates after a delay: changes the status and posts a callback. */
export class Reviews {
  readonly #clock: Clock
  readonly #templates: Templates
  readonly #delivery: Delivery
  readonly #timers: TimerQueue

  constructor(clock: Clock, templates: Templates, delivery: Delivery) {
    this.#clock = clock
    this.#templates = templates
    this.#delivery = delivery
    this.#timers = new TimerQueue(clock, BOUNDS.templates)
  }

  plan({ id, name, language }: Template, afterMs: number): void {
    const events = outcomes.find(({ prefix }) => name.startsWith(prefix))?.events ?? [{ event: 'APPROVED' }]
    for (const [at, event] of events.entries()) {
      this.#timers.add(afterMs * (at + 1), () => {
        // It was deleted meanwhile, or created again under the same name.
        if (this.#templates.find(id)?.id !== id) return
        const template = this.#templates.setStatus(name, language, event.event)
        if (!template) return
        this.#delivery.enqueue(templateUpdateOf({ ...event, name, language }, template, this.#clock.now()))
      })
    }
  }

  clear(): void {
    this.#timers.clear()
  }
}
