import type { Clock } from '../base/clock.ts'
import { CountTable } from '../base/countTable.ts'
import { GatewayError } from '../base/errors.ts'
import { inTime, readChunks, tooLarge } from './body.ts'

export interface BudgetLimits {
  /** All bodies together that are held at one moment. */
  readonly totalBytesMax: number
  /** Those of one caller. */
  readonly callerBytesMax: number
  /** A body that takes longer only holds memory. */
  readonly bodyMsMax: number
}

/** `Retry-After` when there is no memory for a body. */
const retryMs = 5_000

const noRoom = () =>
  new GatewayError({
    reason: 'SERVICE_UNAVAILABLE',
    message: 'Too many requests are being read. Send this one again later.',
    retryAfterMs: retryMs,
  })

/**
 * Reads bodies of callers that are not authenticated yet: anybody can send them, and they are held in memory. Their
 * bytes are bounded, per caller and in all, and so is the time. A body counts as it arrives, not by its
 * `Content-Length`.
 */
export class BodyBudget {
  readonly #clock: Clock
  readonly #limits: BudgetLimits
  /** Only callers that hold bytes at this moment: bounded by what all of them may hold. */
  readonly #bytesByCaller = new CountTable(Number.POSITIVE_INFINITY)
  #bytes = 0

  constructor(clock: Clock, limits: BudgetLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Bytes that are held at this moment. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * @param networks of the caller, the narrowest first
   * @throws GatewayError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, or VALIDATION_ERROR when it does not end in time
   */
  async read(request: Request, networks: readonly string[], bytesMax: number): Promise<Uint8Array> {
    if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax)
    // The widest network: its owner has all addresses in it.
    const caller = networks.at(-1) ?? ''
    let held = 0
    try {
      const chunk = (bytes: number) => {
        this.#hold(caller, bytes)
        held += bytes
      }
      const { bodyMsMax } = this.#limits
      const pieces = await inTime(this.#clock, bodyMsMax, late => readChunks(request, bytesMax, { late, chunk }))
      return pieces.joined()
    } finally {
      this.#bytes -= held
      this.#bytesByCaller.add(caller, -held)
    }
  }

  #hold(caller: string, bytes: number): void {
    const { totalBytesMax, callerBytesMax } = this.#limits
    const isOver = this.#bytes + bytes > totalBytesMax || this.#bytesByCaller.count(caller) + bytes > callerBytesMax
    if (isOver) throw noRoom()
    this.#bytes += bytes
    this.#bytesByCaller.add(caller, bytes)
  }
}
