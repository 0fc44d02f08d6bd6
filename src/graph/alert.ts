import type { Logger } from '../telemetry/log.ts'
import type { UpstreamFault } from './answer.ts'
import { needsOperator } from './codes.ts'

/** What was refused: a message, a file for a message that does not exist yet, or what a callback reports. */
interface Concerned {
  readonly channelId: string
  readonly lineId?: string
  readonly messageId?: string
}

/**
 * Logs a refusal that concerns more than its message (docs/upstream.md#error-classes). The caller may have been
 * answered long before.
 */
export function alertOperator(log: Logger, concerned: Concerned, fault: UpstreamFault): void {
  if (!needsOperator(fault)) return
  const { code, traceId } = fault
  const { messageId, channelId, lineId } = concerned
  const entry = { messageId, channelId, lineId, code, traceId }
  log.error(entry, 'the upstream platform refuses the token, the account or the line: action needed')
}

/** The upstream throttled a line, or all lines of the channel: nothing leaves there until the pause ends. */
interface Pause {
  readonly channelId: string
  /** Null when all lines are paused. */
  readonly lineId: string | null
  readonly until: number
  readonly code: number | null
}

/** Logs why no message leaves for a while: messages wait and callers get `QUEUED`, although nothing is wrong. */
export function warnOfPause(log: Logger, { channelId, lineId, until, code }: Pause): void {
  const entry = { channelId, lineId, until: new Date(until).toISOString(), code }
  log.warn(entry, 'throttled by the upstream platform: sending pauses')
}
