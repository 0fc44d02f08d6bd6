import type { StoreWrites } from '../../db/contract/store.ts'
import type { ReplayPlace } from '../../db/contract/webhooks.ts'
import { type Clock, type EpochMs, wait } from '../base/clock.ts'
import { Unavailable } from '../base/unavailable.ts'

/** Which events are delivered again: see `replayWebhook` of the store. */
export type Replay = Parameters<StoreWrites['replayWebhook']>[0]['what']

/**
 * After a step comes a rest nine times as long: all replays together take a tenth of the writer, and sends have the
 * rest. A hundred thousand events take some 40 seconds.
 */
const restShare = 9
/** A step that waited for a slow disk must not make the next one wait for minutes. */
const restMsMax = 500

type Step = () => Promise<void>

/**
 * Replays of all workspaces in this process. Each is made in bounded steps; one step runs at a time, the replays take
 * turns, and a workspace has one at a time: so who replays a long history in a loop slows no sends of others.
 */
export class Replays {
  readonly #clock: Clock
  readonly #workspaces = new Set<string>()
  /** Steps that wait for their turn, by workspace; first the one whose turn it is. */
  readonly #waiting = new Map<string, Step[]>()
  #isBusy = false
  #isStopped = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * @returns how many events became due; null when the workspace has a replay under way: nothing was changed. One event
   *   is a single step, and does not wait for that
   * @throws Error when the database fails, or the gateway stops: what became due until then stays due
   */
  async run(
    write: Pick<StoreWrites, 'replayWebhook'>,
    { id: endpointId, workspaceId }: { readonly id: string; readonly workspaceId: string },
    what: Replay,
    at: EpochMs,
  ): Promise<number | null> {
    const step = (after: ReplayPlace | null) =>
      this.#inTurn(workspaceId, () => write.replayWebhook({ endpointId, what, after, at }))
    if (what.kind === 'event') return (await step(null)).due
    if (this.#workspaces.has(workspaceId)) return null
    this.#workspaces.add(workspaceId)
    try {
      let { due, next } = await step(null)
      while (next !== null) {
        const more = await step(next)
        due += more.due
        next = more.next
      }
      return due
    } finally {
      this.#workspaces.delete(workspaceId)
    }
  }

  /** Ends what is under way after its step. */
  stop(): void {
    this.#isStopped = true
  }

  #inTurn<Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const step = async () => {
        if (this.#isStopped) reject(new Unavailable('the gateway is stopping'))
        else await work().then(resolve, reject)
      }
      this.#waiting.set(workspaceId, [...(this.#waiting.get(workspaceId) ?? []), step])
      if (!this.#isBusy) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (let step = this.#next(); step; step = this.#next()) {
      const startedAt = this.#clock.steady()
      await step()
      await wait(this.#clock, Math.min(restShare * (this.#clock.steady() - startedAt), restMsMax))
    }
    this.#isBusy = false
  }

  /** Of each workspace one: many single events of one workspace, each asked for by itself, hold up no other. */
  #next(): Step | undefined {
    for (const [workspaceId, [step, ...others]] of this.#waiting) {
      this.#waiting.delete(workspaceId)
      if (others.length > 0) this.#waiting.set(workspaceId, others)
      return step
    }
    return undefined
  }
}
