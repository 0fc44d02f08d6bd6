import type { CallbackRefusal } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** The words of the metric. */
const results = { unsigned: 'unsigned', wrongSignature: 'wrong_signature' } as const satisfies Record<
  CallbackRefusal,
  string
>

/** These times are for people: to the minute is exact enough, and a flood of callbacks costs one write a minute. */
const noteEveryMs = minuteMs

/**
 * Records when a channel's last callback was accepted, and when one was refused. A change from one to the other is
 * recorded at once, so that the disk shows which came last.
 */
export class CallbackReceipts {
  readonly #last = new Map<string, { readonly at: number; readonly refusal: CallbackRefusal | null }>()

  constructor(
    private readonly store: { readonly write: Pick<Store['write'], 'noteCallback'> },
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  accepted(channelId: string): void {
    this.#note(channelId, null)
  }

  refused(channelId: string, refusal: CallbackRefusal): void {
    this.metrics.callbacks.add(results[refusal])
    this.#note(channelId, refusal)
  }

  #note(channelId: string, refusal: CallbackRefusal | null): void {
    const at = this.clock.now()
    const last = this.#last.get(channelId)
    if (last && last.refusal === refusal && at - last.at < noteEveryMs) return
    this.#last.set(channelId, { at, refusal })
    // Nothing depends on it. A writer that cannot store has already failed the callback itself.
    this.store.write.noteCallback({ channelId, at, refusal }).catch(() => {})
  }
}
