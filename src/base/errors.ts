import { issuesMax, pathCharsMax } from './issues.ts'

/** One row of the table: the HTTP statuses a code is answered with, and what it means for the caller. */
interface ErrorRow {
  readonly status: readonly [number, ...number[]]
  readonly retryable: boolean
  readonly meaning: string
}

/**
 * Every code that a caller of the partner API can meet (docs/partner-api.md#errors).
 * The API document and the tests are made from this table. The first status is the usual one.
 */
export const PARTNER_ERRORS = {
  VALIDATION_ERROR: {
    status: [400],
    retryable: false,
    meaning: 'The request is malformed; `details.issues` names every problem. Nothing was accepted.',
  },
  PHONE_NUMBER_REQUIRED: {
    status: [400],
    retryable: false,
    meaning: 'The workspace has several active lines and no default: say which one in `phoneNumberId`.',
  },
  PHONE_NUMBER_NOT_FOUND: {
    status: [400],
    retryable: false,
    meaning: '`phoneNumberId`, or `lineId`, names no line of this workspace.',
  },
  PHONE_NUMBER_INACTIVE: { status: [400], retryable: false, meaning: 'The requested line is inactive.' },
  NO_PHONE_NUMBER: { status: [400], retryable: false, meaning: 'The workspace has no active line.' },
  TEMPLATE_NOT_APPROVED: {
    status: [400],
    retryable: false,
    meaning: 'The template exists, but the upstream platform has not approved it.',
  },
  UNAUTHORIZED: {
    status: [401],
    retryable: false,
    meaning: 'The credentials are missing, invalid or revoked.',
  },
  PLAN_LIMIT_EXCEEDED: {
    status: [402],
    retryable: false,
    meaning: 'The monthly message limit is reached; `details.resetsAt` says when counting starts again.',
  },
  FORBIDDEN: {
    status: [403],
    retryable: false,
    meaning:
      'The API key may not do this: `details.scope` is the scope that it lacks, or `details.phoneNumberIds` are the ' +
      'only lines that it sends from.',
  },
  NOT_FOUND: {
    status: [404],
    retryable: false,
    meaning: 'No such route, template, contact, message or file; or the file is not stored.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: [409],
    retryable: false,
    meaning: 'This idempotency key was used before with a different body.',
  },
  WINDOW_CLOSED: {
    status: [409],
    retryable: false,
    meaning:
      'The send asked for an open window, and the recipient has none: a template may be sent. Nothing was accepted.',
  },
  DIRECT_SEND_OFF: {
    status: [409],
    retryable: false,
    meaning: 'The send has a `category`, and Direct Send is switched off for the line. Nothing was accepted.',
  },
  OPTED_OUT: {
    status: [409],
    retryable: false,
    meaning:
      'A marketing template to who wants no marketing messages, and the workspace or the key refuses those. Nothing ' +
      'was accepted.',
  },
  CONFLICT: { status: [409], retryable: false, meaning: 'The state of what should be changed does not allow it.' },
  PAYLOAD_TOO_LARGE: {
    status: [413],
    retryable: false,
    meaning: 'The body is larger than 128 KiB, or a file than 100 MB or MEDIA_STORAGE_MAX.',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: [415], retryable: false, meaning: 'The body is not `application/json`.' },
  RANGE_NOT_SATISFIABLE: {
    status: [416],
    retryable: false,
    meaning: 'The file ends before the range; `details.size` is its size.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: [429],
    retryable: true,
    meaning: 'Too many requests; try again after `Retry-After` seconds.',
  },
  CHANNEL_GRAPH_ERROR: {
    status: [502, 400],
    retryable: false,
    meaning:
      'The upstream platform refused it (400: the request is at fault; 502: the platform or its credentials are).',
  },
  INTERNAL_ERROR: {
    status: [500],
    retryable: true,
    meaning: 'Unexpected error on our side; the log has its cause under the request id.',
  },
  SERVICE_UNAVAILABLE: {
    status: [503],
    retryable: true,
    meaning: 'Not able to accept right now; nothing was accepted. Try again after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ErrorRow>

/** The codes that only the internal routes answer; they answer those of the partner API too. */
export const CONSOLE_ERRORS = {
  SECOND_FACTOR_REQUIRED: {
    status: [401],
    retryable: false,
    meaning: 'The password is right. Send it again with a code of the authenticator app, or a recovery code.',
  },
} as const satisfies Record<string, ErrorRow>

/** All codes (docs/errors.md). */
export const ERRORS = { ...PARTNER_ERRORS, ...CONSOLE_ERRORS }

export type PartnerReason = keyof typeof PARTNER_ERRORS
export type Reason = keyof typeof ERRORS
export type Details = Readonly<Record<string, unknown>>

/** One problem of a request: a JSON Pointer into the body (or a parameter's name), and what to do about it. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** An expected "no", as services return it. `message` and `details` are public: no message text, numbers or keys. */
export interface Refusal {
  readonly reason: Reason
  readonly message: string
  readonly details?: Details
  /** Only where the reason's row lists more than one status. */
  readonly status?: number
  readonly retryAfterMs?: number
}

/** A refusal on its way to the caller. What is private goes in `cause`, for the log. */
export class GatewayError extends Error implements Refusal {
  override readonly name = 'GatewayError'
  /** Not `code`: Elysia uses an error's `code` itself. */
  readonly reason: Reason
  readonly details?: Details
  /** Always set, also where the row of the reason has only one status. */
  readonly status: number
  readonly retryAfterMs?: number

  constructor(refusal: Refusal, options?: { cause?: unknown }) {
    super(refusal.message, options)
    this.reason = refusal.reason
    this.status = httpStatusOf(refusal)
    if (refusal.details) this.details = refusal.details
    if (refusal.retryAfterMs !== undefined) this.retryAfterMs = refusal.retryAfterMs
  }
}

/** @returns the HTTP status of a refusal. */
export const httpStatusOf = ({ reason, status }: Refusal): number => status ?? ERRORS[reason].status[0]

/** @returns the contract's error body, and nothing else. */
export const envelopeOf = ({ reason, message, details }: Refusal) => ({
  error: reason,
  message,
  ...(details && { details }),
})

export const malformed = 'The request is malformed.'

/** @returns the refusal of a malformed request, with all its problems. */
export function invalid(found: readonly Issue[]): Refusal {
  const issues = found.slice(0, issuesMax).map(({ path, message }) => ({ path: shortened(path), message }))
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  const named = first ? `${first.path || 'The body'}: ${first.message}${more}` : 'Malformed.'
  return { reason: 'VALIDATION_ERROR', message: `${malformed} ${named}`, details: { issues } }
}

/**
 * @param path of a refusal that is about one field, or about none
 * @returns the problems of a refusal: those that it names, else itself
 */
export function issuesIn({ reason, message, details }: Refusal, path = ''): Issue[] {
  const named = reason === 'VALIDATION_ERROR' ? details?.issues : null
  return Array.isArray(named) ? (named as Issue[]) : [{ path, message }]
}

const shortened = (path: string) => (path.length > pathCharsMax ? `${path.slice(0, pathCharsMax)}…` : path)

/** @returns the message of anything thrown. For operators and logs, never for a caller of the API. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
