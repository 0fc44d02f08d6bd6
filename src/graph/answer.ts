import type { IncomingHttpHeaders } from 'node:http'
import { dayMs, hourMs, minuteMs } from '../base/durations.ts'
import type { Issue } from '../base/errors.ts'
import { isObject, parseAnswer, parseObject, text } from '../base/json.ts'
import type { Exchange } from '../transport/transport.ts'
import { classify, spamCode } from './codes.ts'
import { ERROR_CLASSES, type ErrorClass } from './codeTable.ts'
import { redactError } from './redact.ts'
import { whyUnreached } from './unreached.ts'

/** The fields of an upstream error that a caller gets as `details`, and that the upstream's support asks for. */
export interface UpstreamFault {
  /** `expired`: it waited here for longer than it was of use. */
  readonly errorClass: ErrorClass | 'unreachable' | 'expired'
  /** Decides our HTTP status: 400 when the request is at fault, 502 when the upstream is. */
  readonly fault: 'request' | 'upstream'
  readonly retryable: boolean
  readonly code: number | null
  readonly subcode: number | null
  readonly title: string
  readonly details: string | null
  readonly traceId: string | null
  readonly requestId?: string
  /** Ours: what of the send does not fit into its template. */
  readonly issues?: readonly Issue[]
  /** Only for the operator: addresses and system errors of our side. */
  readonly diagnosis?: string
}

/** @returns the sentence that a caller reads as `failureReason`: the code, then the upstream's most exact words. */
export function failureReason(fault: UpstreamFault): string {
  const code = fault.code === null ? '' : `${fault.code}: `
  return `${code}${fault.details ?? fault.title}`
}

/** The ids that the upstream's support asks for, from the headers of its answer (docs/upstream.md#acceptance). */
export interface Trace {
  readonly traceId?: string
  readonly requestId?: string
}

/** How a send ended. Threads send it to each other in this form. */
export type SendAnswer =
  | {
      readonly kind: 'accepted'
      readonly channelMessageId: string
      readonly waId: string | null
      /** `held_for_quality_assessment` or `paused`, where the upstream says so. */
      readonly messageStatus: string | null
      readonly trace?: Trace
    }
  | { readonly kind: 'refused'; readonly fault: UpstreamFault }
  | { readonly kind: 'lost'; readonly why: string; readonly trace?: Trace }

/** The result of one attempt: the end of the send, or a definite "not now", after which the send may be tried again. */
export type Attempt =
  | SendAnswer
  | {
      readonly kind: 'notNow'
      readonly scope: 'app' | 'line' | 'pair' | 'message'
      /** What the upstream asks for; null when it does not say. */
      readonly retryAfterMs: number | null
      readonly fault: UpstreamFault
    }

const record = (value: unknown) => (isObject(value) ? value : null)
const whole = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

/**
 * Reads an error object of an answer or a callback. Both change between versions, so every field may be absent.
 * @param httpStatus null for a callback's, which has none
 * @param secrets what no field of it may repeat
 */
export function readFault(
  value: unknown,
  httpStatus: number | null,
  secrets: readonly string[],
  lineId: string | null = null,
): UpstreamFault | null {
  const error = record(redactError(value, secrets))
  const code = whole(error?.code)
  const subcode = whole(error?.error_subcode)
  const errorClass = classify(
    httpStatus,
    error && { code, subcode, isTransient: error.is_transient === true, message: text(error.message) },
    lineId,
  )
  if (errorClass === null) return null
  const data = error?.error_data
  const { fault, retryable } = ERROR_CLASSES[errorClass]
  return {
    errorClass,
    fault,
    retryable,
    code,
    subcode,
    title:
      text(error?.title) ??
      text(error?.message) ??
      text(error?.error_user_title) ??
      (httpStatus === null ? 'The upstream platform gave no reason' : `HTTP ${httpStatus}`),
    details: text(record(data)?.details) ?? text(data) ?? text(error?.error_user_msg),
    traceId: text(error?.fbtrace_id),
  }
}

/**
 * Reads the answer to `POST /messages` (docs/upstream.md#acceptance, docs/upstream.md#refusals). Anything not
 * understood is a lost answer.
 */
export function readSendAnswer(
  exchange: Exchange,
  secrets: readonly string[] = [],
  lineId: string | null = null,
): Attempt {
  if (exchange.kind === 'lost') return exchange
  if (exchange.kind === 'notSent') {
    return { kind: 'notNow', scope: 'message', retryAfterMs: null, fault: unreachable(whyUnreached(exchange)) }
  }
  const { status, headers } = exchange
  const body = parseAnswer(exchange.body)
  const trace = traceOf(headers, secrets)
  const isBelieved = (status >= 400 && status < 500) || isGraphError(body?.error)
  const fault = isBelieved ? readFault(body?.error, status, secrets, lineId) : null
  if (fault) {
    const traced = { ...fault, ...trace, traceId: fault.traceId ?? trace?.traceId ?? null }
    return endOrRetry(traced, headers)
  }
  const messages = body?.messages
  const message = record(Array.isArray(messages) ? messages[0] : null)
  const channelMessageId = text(message?.id)
  if (status !== 200 || channelMessageId === null) {
    return { kind: 'lost', why: `HTTP ${status} without a message id or a readable error`, ...(trace && { trace }) }
  }
  const contacts = body?.contacts
  const contact = record(Array.isArray(contacts) ? contacts[0] : null)
  return {
    kind: 'accepted',
    channelMessageId,
    waId: text(contact?.wa_id),
    messageStatus: text(message?.message_status),
    ...(trace && { trace }),
  }
}

const graphErrorTypes: readonly unknown[] = ['OAuthException', 'GraphMethodException']

/**
 * Whether an error is the upstream's own, and not that of a proxy in front of it. A proxy may also answer JSON, and say
 * "timeout" although it passed the request on (docs/upstream.md#refusals). Believing it would send the message twice.
 */
function isGraphError(value: unknown): boolean {
  const error = record(value)
  return text(error?.fbtrace_id) !== null || graphErrorTypes.includes(error?.type)
}

/** @returns null when the headers name neither, as those of a stand-in do */
function traceOf(headers: IncomingHttpHeaders, secrets: readonly string[]): Trace | null {
  const [traceId, requestId] = [headers['x-fb-trace-id'], headers['x-fb-request-id']].map(value =>
    value === undefined ? null : text(redactError(value, secrets)),
  )
  if (traceId === null && requestId === null) return null
  return { ...(traceId !== null && { traceId }), ...(requestId !== null && { requestId }) }
}

/** The upstream moves a line to other hardware within about a minute (code 131057). */
const maintenanceMs = minuteMs
/** A line stays restricted for spam for hours. Asking sooner makes it longer (code 131048). */
export const spamPauseMs = hourMs

function endOrRetry(fault: UpstreamFault, headers: IncomingHttpHeaders): Attempt {
  const retryAfterMs = retryAfter(headers)
  // The account's own time counts only when the account's limits refused the message.
  const throttledMs = retryAfterMs ?? regainsAfter(headers)
  switch (fault.errorClass) {
    case 'throttleApp':
      return { kind: 'notNow', scope: 'app', retryAfterMs: throttledMs, fault }
    case 'throttleLine':
      return {
        kind: 'notNow',
        scope: 'line',
        retryAfterMs: fault.code === spamCode ? Math.max(throttledMs ?? 0, spamPauseMs) : throttledMs,
        fault,
      }
    case 'throttlePair':
      return { kind: 'notNow', scope: 'pair', retryAfterMs, fault }
    case 'maintenance':
      return { kind: 'notNow', scope: 'line', retryAfterMs: Math.max(retryAfterMs ?? 0, maintenanceMs), fault }
    case 'retry':
    case 'unreachable':
      return { kind: 'notNow', scope: 'message', retryAfterMs, fault }
    case 'vague':
    case 'permanent':
    case 'holdRequest':
    case 'holdAccount':
    case 'accountStop':
    case 'token':
    case 'expired':
      return { kind: 'refused', fault }
  }
}

const notSent = {
  fault: 'upstream',
  retryable: true,
  code: null,
  subcode: null,
  details: null,
  traceId: null,
} as const

/** @param why only for the operator */
export const unreachable = (why: string, title = 'The upstream platform could not be reached'): UpstreamFault => ({
  ...notSent,
  errorClass: 'unreachable',
  title,
  diagnosis: why,
})

export const expired: UpstreamFault = {
  ...notSent,
  errorClass: 'expired',
  title: 'It waited to be sent for longer than its ttlSeconds',
}

/** Longer than any wait that the upstream documents. A mistake of the upstream must not stop a line for years. */
const retryAfterMsMax = dayMs

/** @returns `Retry-After`, which is in seconds. */
function retryAfter(headers: IncomingHttpHeaders): number | null {
  const seconds = whole(headers['retry-after'])
  return seconds === null ? null : Math.min(seconds * 1000, retryAfterMsMax)
}

/** @returns the account's `estimated_time_to_regain_access`, which is in minutes. */
function regainsAfter(headers: IncomingHttpHeaders): number | null {
  const usage = text(headers['x-business-use-case-usage'])
  const accounts = usage === null ? null : parseObject(usage)
  if (!accounts) return null
  const minutes = Object.values(accounts)
    .flatMap(rows => (Array.isArray(rows) ? rows : []))
    .map(row => whole(record(row)?.estimated_time_to_regain_access) ?? 0)
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? Math.min(longest * minuteMs, retryAfterMsMax) : null
}
