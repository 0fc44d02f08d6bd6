import type { Clock } from '../base/clock.ts'
import { CountTable, callersMax, others } from '../base/countTable.ts'
import { FixedWindow } from '../base/rateLimits.ts'
import { callbackBytesMax } from '../base/upstreamLimits.ts'
import { BodyBudget } from '../http/bodyBudget.ts'

const limits = {
  totalBytesMax: 64 * 1_048_576,
  /** Five of the largest bodies, or a hundred usual ones. Only four callers together can fill it all. */
  callerBytesMax: 16 * 1_048_576,
  /** The upstream itself gives up after seconds. */
  bodyMsMax: 30_000,
} as const

/**
 * Wrong signatures that one caller may send in a window. After that only its small bodies are read, which are cheap to
 * check. It is not blocked, because the upstream may come through the same proxy.
 */
const refusalsMax = 20
const smallBytesMax = 65_536

/** Reads the bodies of callbacks before their signature is checked. */
export class UnverifiedBodies {
  readonly #budget: BodyBudget
  readonly #refusals = new CountTable(callersMax)
  readonly #window: FixedWindow

  constructor(clock: Clock) {
    this.#window = new FixedWindow(clock, () => this.#refusals.clear())
    this.#budget = new BodyBudget(clock, limits)
  }

  /** Bytes that are held at this moment. */
  get bytes(): number {
    return this.#budget.bytes
  }

  /**
   * @param networks of the caller, the narrowest first
   * @throws GatewayError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, or VALIDATION_ERROR when it does not end in time
   */
  read(request: Request, networks: readonly string[]): Promise<Uint8Array> {
    return this.#budget.read(request, networks, this.#isSuspect(networks) ? smallBytesMax : callbackBytesMax)
  }

  /** Counts a wrong signature. */
  countRefusal(networks: readonly string[]): void {
    this.#window.advance()
    for (const network of networks) this.#refusals.add(this.#refusals.countedAs(network), 1)
  }

  #isSuspect(networks: readonly string[]): boolean {
    this.#window.advance()
    return networks.some(network => this.#refusals.count(this.#refusals.has(network) ? network : others) >= refusalsMax)
  }
}
