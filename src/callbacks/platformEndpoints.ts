import type { Channel } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { Clock, SteadyMs } from '../base/clock.ts'

/** Who delivers looks as often for new endpoints. Statuses come every few milliseconds. */
const lookMs = 1_000

/** Knows, within a second, which channels have an endpoint of the platform's format in their workspace. */
export class PlatformEndpoints {
  /** By channel. */
  readonly #looks = new Map<string, { readonly at: SteadyMs; readonly has: Promise<boolean> }>()

  constructor(
    private readonly read: Pick<StoreReads, 'webhooks'>,
    private readonly clock: Clock,
  ) {}

  has({ id, workspaceId }: Pick<Channel, 'id' | 'workspaceId'>): Promise<boolean> {
    const at = this.clock.steady()
    const last = this.#looks.get(id)
    if (last && at - last.at < lookMs) return last.has
    const has = this.read.webhooks(workspaceId).then(
      webhooks => webhooks.some(({ format }) => format === 'platform'),
      () => false,
    )
    this.#looks.set(id, { at, has })
    return has
  }
}
