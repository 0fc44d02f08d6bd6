import type { Clock } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import { httpStatusOf, type Refusal } from '../base/errors.ts'
import { withoutTokens } from '../base/graphToken.ts'
import type { Logger } from '../telemetry/log.ts'

/** The fields of a request for its log line. */
export interface RequestEntry {
  readonly requestId: string
  /** When it came, in steady time; absent where that is not known. */
  readonly startedAt?: number | undefined
  /** Of an authenticated caller. */
  readonly keyId?: string | undefined
  readonly messageId?: string | undefined
}

/** Lines of each kind in a minute: enough to see that something is wrong, without a flood. */
const linesPerMinute = {
  /** Authenticated callers have their own limits. */
  caller: Number.POSITIVE_INFINITY,
  stranger: 60,
  callback: 60,
  /** Callers retry requests that a full queue or a full disk refused. */
  unavailable: 1,
} as const
type LineKind = keyof typeof linesPerMinute
/** The caller chooses the path. */
const pathCharsMax = 200

/** The lines of one kind in the current minute. */
interface Minute {
  startedAt: number
  lines: number
  leftOut: number
}

/**
 * Logs each refused request and why. Kinds that callers without a key can cause have a limit; further lines are
 * counted, and the next line of the kind says how many were left out. With `debug` it logs every request.
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

  /** @param kind of the caller; decides the limit of lines */
  refused(request: Request, refusal: Refusal, entry: RequestEntry, kind: 'caller' | 'stranger' | 'callback'): void {
    const status = httpStatusOf(refusal)
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

  /** A 429 is logged once for each caller and window; the others only at `debug`. */
  limited(request: Request, refusal: Refusal, entry: RequestEntry, isFirst: boolean): void {
    if (isFirst) this.refused(request, refusal, entry, 'caller')
    else this.answered(request, httpStatusOf(refusal), entry)
  }

  #fields({ method, url }: Request, status: number, { requestId, startedAt, keyId, messageId }: RequestEntry) {
    const ms = startedAt === undefined ? undefined : Math.round((this.#clock.steady() - startedAt) * 10) / 10
    return { requestId, method, path: withoutTokens(pathOf(url)), status, ms, keyId, messageId }
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
