import { rateWindowMs } from '../../../src/base/rateLimits.ts'
import type { Key } from '../../gateway.ts'
import { forwardedFor, type Instances } from './balancer.ts'

/** Requests of one address in a window: the load never comes near it. */
export const addressLimit = 100
/** Asked at once, over all instances. */
const callers = 8
/** An address is known to be refused after so many refusals. */
const refusalsEnough = 12
const pauseMs = 3_000

interface Probe {
  readonly address: string
  /** Answered by something other than 429, by window. */
  readonly admitted: Map<number, number>
  /** Without an answer, or answered 503: counted or not. */
  unsure: number
  refused: number
}

const windowOf = (time: number) => Math.floor(time / rateWindowMs)

/** Asks all instances at once as one address after the other, until each address is refused. */
export class WindowProbes {
  readonly #instances: Instances
  readonly #key: Key
  readonly #probes: Probe[] = []

  constructor(instances: Instances, key: Key) {
    this.#instances = instances
    this.#key = key
  }

  async run(): Promise<void> {
    while (!this.#instances.isOver()) {
      const number = this.#probes.length
      const address = `198.18.${Math.floor(number / 256)}.${number % 256}`
      const probe: Probe = { address, admitted: new Map(), unsure: 0, refused: 0 }
      this.#probes.push(probe)
      const caller = async () => {
        while (!this.#instances.isOver() && probe.refused < refusalsEnough) await this.#ask(probe)
      }
      await Promise.all(Array.from({ length: callers }, caller))
      if (!this.#instances.isOver()) await Bun.sleep(pauseMs)
    }
  }

  async #ask(probe: Probe): Promise<void> {
    const url = this.#instances.address()
    const window = windowOf(Date.now())
    try {
      const response = await fetch(`${url}/api/v1/public/messages/msg_none`, {
        headers: { ...this.#key, ...forwardedFor(probe.address) },
        signal: AbortSignal.timeout(this.#instances.patienceMs),
      })
      await response.arrayBuffer()
      if (response.status === 429) probe.refused += 1
      else if (response.status === 503) probe.unsure += 1
      // Which of two windows it counted in is not known.
      else if (windowOf(Date.now()) !== window) probe.unsure += 1
      else probe.admitted.set(window, (probe.admitted.get(window) ?? 0) + 1)
    } catch {
      probe.unsure += 1
      await this.#instances.failed(url)
    }
  }

  /** How many addresses were asked about until they were refused. */
  get full(): number {
    return this.#probes.filter(({ refused }) => refused >= refusalsEnough).length
  }

  *violations() {
    for (const { address, admitted, unsure, refused } of this.#probes) {
      const counts = [...admitted.values()]
      for (const count of counts) if (count > addressLimit) yield `${address}: ${count} requests in one window`
      const total = counts.reduce((sum, count) => sum + count, 0)
      if (refused > 0 && total + unsure < addressLimit) {
        yield `${address}: was refused after ${total} requests, and ${unsure} more at most`
      }
    }
  }
}
