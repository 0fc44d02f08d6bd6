import type { Clock } from '../clock.ts'
import { GatewayError, invalid } from '../errors.ts'
import { readChunks, tooLarge } from '../http/body.ts'
import { CountTable } from '../http/countTable.ts'
import { windowStart } from '../rateLimits.ts'

/** Bodies have up to 3 MB (docs/upstream.md#webhook-delivery). */
const bodyBytesMax = 3 * 1_048_576
/** All bodies together whose signature is not checked yet. Anybody can send them, and they are held in memory. */
const unverifiedBytesMax = 64 * 1_048_576
/**
 * The same for one caller: five of the largest bodies, or a hundred usual ones. Only four callers together can fill it
 * all.
 */
const callerBytesMax = 16 * 1_048_576
/** The upstream itself gives up after seconds. A body that takes longer only holds memory. */
const bodyMsMax = 30_000
/** `Retry-After` when there is no memory for a body. The upstream repeats a callback for days. */
const retryMs = 5_000

/**
 * Wrong signatures that one caller may send in a window. After that only its small bodies are read, which are cheap to
 * check. It is not blocked, because the upstream may come through the same proxy.
 */
const refusalsMax = 20
const smallBytesMax = 65_536
/** Callers counted in a window. All later ones share one count. */
const callersMax = 10_000
const others = 'others'

const noPlace = () =>
  new GatewayError({
    reason: 'SERVICE_UNAVAILABLE',
    message: 'Too many callbacks are being read. Send this one again later.',
    retryAfterMs: retryMs,
  })

/**
 * Reads the bodies of callbacks before their signature is checked. Bytes are bounded, for each caller and for all
 * together, and so is time. A body counts as it arrives, not by its `Content-Length`.
 */
export class UnverifiedBodies {
  readonly #clock: Clock
  /** Only callers that hold bytes at this moment: bounded by what all of them may hold. */
  readonly #bytesByCaller = new CountTable(Number.POSITIVE_INFINITY)
  readonly #refusals = new CountTable(callersMax)
  #bytes = 0
  #windowStartsAt = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Bytes that are held at this moment. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * @param networks of the caller, the narrowest first
   * @throws GatewayError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, or VALIDATION_ERROR when it does not end in time
   */
  async read(request: Request, networks: readonly string[]): Promise<Uint8Array> {
    const bytesMax = this.#isSuspect(networks) ? smallBytesMax : bodyBytesMax
    if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax)
    // The widest network: its owner has all addresses in it.
    const caller = networks.at(-1) ?? others
    const chunks: Uint8Array[] = []
    let held = 0
    const { promise: late, reject } = Promise.withResolvers<never>()
    const cancelTimer = this.#clock.setTimer(bodyMsMax, () => reject(new GatewayError(invalid([unfinished]))))
    try {
      for await (const chunk of readChunks(request, late)) {
        if (held + chunk.length > bytesMax) throw tooLarge(bytesMax)
        this.#hold(caller, chunk.length)
        held += chunk.length
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    } finally {
      cancelTimer()
      this.#bytes -= held
      this.#bytesByCaller.add(caller, -held)
    }
  }

  /** Counts a wrong signature. */
  countRefusal(networks: readonly string[]): void {
    this.#roll()
    for (const network of networks) this.#refusals.add(this.#refusals.holds([network]) ? network : others, 1)
  }

  #hold(caller: string, bytes: number): void {
    const isOver =
      this.#bytes + bytes > unverifiedBytesMax || this.#bytesByCaller.count(caller) + bytes > callerBytesMax
    if (isOver) throw noPlace()
    this.#bytes += bytes
    this.#bytesByCaller.add(caller, bytes)
  }

  #isSuspect(networks: readonly string[]): boolean {
    this.#roll()
    return networks.some(network => this.#refusals.count(this.#refusals.has(network) ? network : others) >= refusalsMax)
  }

  #roll(): void {
    const startsAt = windowStart(this.#clock.now())
    if (startsAt === this.#windowStartsAt) return
    this.#windowStartsAt = startsAt
    this.#refusals.clear()
  }
}

const unfinished = { path: '', message: `did not arrive within ${bodyMsMax / 1000} seconds` }
