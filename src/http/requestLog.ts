import type { Clock } from '../clock.ts'
import { type Refusal, statusOf } from '../errors.ts'
import type { Logger } from '../log.ts'

/** What is known of a request when it is answered. */
export interface RequestEntry {
  readonly requestId: string
  /** When it came, in steady time; unknown where the answer is made far from the request. */
  readonly startedAt?: number | undefined
  /** Of a caller who was let in. */
  readonly keyId?: string | undefined
  readonly messageId?: string | undefined
}

/** Lines of a kind in a minute: enough to see that something is wrong, and no flood when it goes on. */
const linesPerMinute = {
  /** A caller of ours has its own limits. */
  caller: Number.POSITIVE_INFINITY,
  stranger: 60,
  callback: 60,
  /** Who is refused for a full queue or a full disk repeats it. */
  unavailable: 1,
} as const
type LineKind = keyof typeof linesPerMinute
const minuteMs = 60_000
/** A path holds what the caller wrote. */
const pathCharsMax = 200

/** The lines of one kind in the current minute. */
interface Minute {
  startedAt: number
  lines: number
  leftOut: number
}

/**
 * Tells the operator which requests were refused, and why: one line for each, up to a limit for what strangers can cause;
 * what is left out is counted, and the next line of its kind says how many. With `debug` it tells of every request.
 */
export class RequestLog {
  readonly #log: Logger
  readonly #clock: Clock
  readonly #minutes = new Map<LineKind, Minute>()

  constructor(log: Logger, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  startedAt(): number {
    return this.#clock.steady()
  }

  answered(request: Request, status: number, entry: RequestEntry): void {
    if (this.#log.isLevelEnabled('debug')) this.#log.debug(this.#fields(request, status, entry), 'request answered')
  }

  /** @param kind of who is refused; decides how many lines there may be */
  refused(request: Request, refusal: Refusal, entry: RequestEntry, kind: 'caller' | 'stranger' | 'callback'): void {
    const status = statusOf(refusal)
    const { reason, message: why, details } = refusal
    const messageId = entry.messageId ?? (typeof details?.messageId === 'string' ? details.messageId : undefined)
    if (reason === 'INTERNAL_ERROR') {
      const err = refusal instanceof Error ? refusal.cause : undefined
      this.#log.error({ ...this.#fields(request, status, entry), reason, messageId, err }, 'request failed')
      return
    }
    const leftOut = this.#take(reason === 'SERVICE_UNAVAILABLE' ? 'unavailable' : kind)
    if (leftOut === null) {
      this.answered(request, status, entry)
      return
    }
    const fields = {
      ...this.#fields(request, status, entry),
      reason,
      why,
      messageId,
      ...(leftOut > 0 && { leftOut }),
    }
    if (status >= 500 || kind === 'callback') this.#log.warn(fields, 'request refused')
    else this.#log.info(fields, 'request refused')
  }

  /** A 429 is logged once for each caller and window: the others are told at `debug`. */
  limited(request: Request, refusal: Refusal, entry: RequestEntry, isFirst: boolean): void {
    if (isFirst) this.refused(request, refusal, entry, 'caller')
    else this.answered(request, statusOf(refusal), entry)
  }

  #fields({ method, url }: Request, status: number, { requestId, startedAt, keyId, messageId }: RequestEntry) {
    const ms = startedAt === undefined ? undefined : Math.round((this.#clock.steady() - startedAt) * 10) / 10
    return { requestId, method, path: pathOf(url), status, ms, keyId, messageId }
  }

  /** @returns how many lines were left out since the last one; null when this one is left out too. */
  #take(kind: LineKind): number | null {
    const now = this.#clock.steady()
    const minute = this.#minutes.get(kind) ?? { startedAt: now, lines: 0, leftOut: 0 }
    this.#minutes.set(kind, minute)
    if (now - minute.startedAt >= minuteMs) {
      minute.startedAt = now
      minute.lines = 0
    }
    if (minute.lines >= linesPerMinute[kind]) {
      minute.leftOut += 1
      return null
    }
    minute.lines += 1
    const { leftOut } = minute
    minute.leftOut = 0
    return leftOut
  }
}

/** @returns the path without the query, which may hold a token. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return url.slice(start, end === -1 ? undefined : end).slice(0, pathCharsMax)
}
