import { newTraceId, type Random } from '../state/random.ts'

interface RefusalRow {
  /** Older tables of the upstream and observation; its current code page names no statuses. */
  readonly status: number
  readonly title: string
  readonly details?: string
  readonly subcode?: number
  readonly transient?: boolean
}

const permission = 'Permission is either not granted or has been removed.'

/** Every code that the stand-in can give, as an answer, as a `failed` callback, or both. */
export const REFUSALS: Readonly<Record<number, RefusalRow>> = {
  0: { status: 401, title: 'AuthException', details: 'We were unable to authenticate the app user.' },
  1: { status: 400, title: 'API Unknown', details: 'Invalid request or possible server error.' },
  2: {
    status: 503,
    title: 'API Service',
    details: 'Temporary due to downtime or due to being overloaded.',
    transient: true,
  },
  3: { status: 500, title: 'API Method', details: 'Capability or permissions issue.' },
  4: { status: 400, title: 'API Too Many Calls', details: 'The app has reached its API call rate limit.' },
  10: { status: 403, title: 'API Permission Denied', details: permission },
  33: { status: 400, title: 'Parameter value is not valid', details: 'The business phone number has been deleted.' },
  100: { status: 400, title: 'Invalid parameter' },
  104: { status: 401, title: 'An access token is required to request this resource.' },
  190: { status: 401, title: 'Error validating access token: the access token has expired or is invalid.' },
  200: { status: 403, title: 'API Permission', details: permission },
  368: { status: 403, title: 'Temporarily blocked for policies violations' },
  613: { status: 400, title: 'Calls to this api have exceeded the rate limit.' },
  803: { status: 404, title: 'Some of the aliases you requested do not exist' },
  2200: { status: 422, title: 'The callback URL is not reachable or invalid' },
  2500: { status: 404, title: 'Unknown path components' },
  80007: { status: 400, title: 'Rate limit issues', details: 'The account has reached its rate limit.' },
  80008: { status: 400, title: 'There have been too many calls to this account. Wait a bit and try again.' },
  130403: {
    status: 400,
    title: 'User blocked by the business',
    details: 'Unable to deliver the message. This business has blocked the end user.',
  },
  130429: { status: 429, title: 'Rate limit hit', details: 'Message failed to send because of too many messages.' },
  130472: { status: 400, title: "User's number is part of an experiment" },
  130497: { status: 403, title: 'Business account is restricted from messaging users in this country.' },
  131000: { status: 500, title: 'Something went wrong', details: 'Message failed to send due to an unknown error.' },
  131005: { status: 403, title: 'Access denied', details: permission },
  131008: { status: 400, title: 'Required parameter is missing' },
  131009: { status: 400, title: 'Parameter value is not valid' },
  131016: { status: 500, title: 'Service unavailable', details: 'A service is temporarily unavailable.' },
  131021: { status: 400, title: 'Recipient cannot be sender', details: 'Sender and recipient number is the same.' },
  131026: { status: 400, title: 'Message undeliverable', details: 'Unable to deliver the message.' },
  131030: { status: 400, title: 'Recipient phone number not in allowed list' },
  131031: { status: 403, title: 'Business Account locked' },
  131037: { status: 400, title: 'Display name approval is needed before a message can be sent' },
  131042: { status: 400, title: 'Business eligibility payment issue' },
  131044: { status: 400, title: 'Business eligibility payment issue (calls)' },
  131045: { status: 500, title: 'Incorrect certificate', details: 'The phone number is not registered.' },
  131047: {
    status: 400,
    title: 'Re-engagement message',
    details: 'More than 24 hours have passed since the recipient last replied to the sender number.',
  },
  131048: { status: 429, title: 'Spam rate limit hit', details: 'Too many earlier messages were blocked or flagged.' },
  131049: {
    status: 400,
    title: 'This message was not delivered to maintain healthy ecosystem engagement.',
    details: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  },
  131050: { status: 400, title: 'User has stopped marketing messages from this business' },
  131051: { status: 400, title: 'Unsupported message type', details: 'Message type is currently not supported.' },
  131052: { status: 400, title: 'Media download error' },
  131053: { status: 400, title: 'Media upload error' },
  131055: { status: 400, title: 'Method not allowed' },
  131056: {
    status: 429,
    title: '(Business Account, Consumer Account) pair rate limit hit',
    details: 'Too many messages sent from this phone number to the same recipient in a short period of time.',
  },
  131057: { status: 500, title: 'Account in maintenance mode' },
  131062: { status: 400, title: 'Business-scoped user ids are not supported for this message' },
  131063: { status: 400, title: 'Marketing templates are switched off for this API' },
  131064: { status: 400, title: 'Account limited after template misclassification' },
  132000: { status: 400, title: 'Number of parameters does not match the expected number of params' },
  132001: { status: 404, title: 'Template name does not exist in the translation' },
  132005: { status: 400, title: 'Translated text too long' },
  132007: { status: 400, title: 'Template character policy violated' },
  132008: { status: 400, title: 'Template parameter value mismatch' },
  132012: { status: 400, title: 'Parameter format does not match format in the created template' },
  132015: { status: 400, title: 'Template is paused', details: 'Template is paused due to low quality.' },
  132016: { status: 400, title: 'Template is disabled', details: 'Template was paused too often and is disabled.' },
  132018: { status: 400, title: 'There is an issue with the parameters of the template' },
  132068: { status: 400, title: 'Flow is in blocked state' },
  132069: { status: 400, title: 'Flow is in throttled state' },
  133000: { status: 500, title: 'Incomplete deregistration' },
  133004: { status: 503, title: 'Server temporarily unavailable' },
  133005: { status: 400, title: 'Two-step verification PIN mismatch' },
  133006: { status: 400, title: 'Phone number needs to be verified before registering' },
  133008: { status: 400, title: 'Too many two-step verification PIN guesses' },
  133009: { status: 400, title: 'Two-step verification PIN guessed too fast' },
  133010: { status: 400, title: 'Phone number not registered' },
  133015: { status: 400, title: 'Please wait a few minutes before attempting to register this phone number' },
  133016: { status: 400, title: 'Account register or deregister rate limit exceeded' },
  134011: { status: 400, title: 'Payments terms of service have not been accepted' },
  134100: { status: 400, title: 'Only marketing messages are supported' },
  134101: { status: 400, title: 'Template is still syncing' },
  134102: { status: 500, title: 'Not eligible for the marketing messages endpoint' },
  135000: { status: 400, title: 'Generic user error', details: 'Unknown error with your request parameters.' },
  137000: { status: 400, title: "Recipient's identity key has changed" },
  138000: { status: 400, title: 'Calling is not enabled for this phone number' },
  139100: {
    status: 400,
    title: 'Failed to block/unblock users',
    details: 'Failed to block some users, see the block_users response list for details',
  },
}

/** Why a request is refused: a code of the table, and what differs from its row. */
export interface Refusal {
  readonly code: number
  readonly details?: string
  readonly subcode?: number
  readonly title?: string
  /** What a person reads in the answer: `error_user_msg`. */
  readonly userMessage?: string
  readonly status?: number
  readonly transient?: boolean
  /** `error_data` as a plain string, as it was seen in the field. */
  readonly errorDataAsText?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** Checks one after the other. @returns the first refusal */
export function firstRefusal<Thing>(
  things: Iterable<Thing>,
  check: (thing: Thing) => Refusal | undefined,
): Refusal | undefined {
  for (const thing of things) {
    const refusal = check(thing)
    if (refusal) return refusal
  }
  return undefined
}

/** The HTTP answer. */
export interface SandboxAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

const jsonHeaders = { 'content-type': 'application/json; charset=UTF-8' } as const

export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): SandboxAnswer {
  return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(value) }
}

const fallbackRow: RefusalRow = { status: 500, title: 'An unknown error has occurred.' }

/** @returns the Graph-shaped body of a refusal, with a fresh trace id. Codes outside the table work as well. */
export function refusalBody(refusal: Refusal, random: Random): { error: Record<string, unknown> } {
  const row = REFUSALS[refusal.code] ?? fallbackRow
  const title = refusal.title ?? row.title
  const details = refusal.details ?? row.details
  const subcode = refusal.subcode ?? row.subcode
  const transient = refusal.transient ?? row.transient
  const data = details === undefined ? undefined : { messaging_product: 'whatsapp', details }
  return {
    error: {
      message: `(#${refusal.code}) ${title}`,
      type: refusal.code === 100 && subcode === 33 ? 'GraphMethodException' : 'OAuthException',
      code: refusal.code,
      ...(data && { error_data: refusal.errorDataAsText ? details : data }),
      ...(subcode !== undefined && { error_subcode: subcode }),
      ...(transient && { is_transient: true }),
      ...(refusal.userMessage !== undefined && { error_user_title: title, error_user_msg: refusal.userMessage }),
      fbtrace_id: newTraceId(random),
    },
  }
}

/** @returns the whole HTTP answer of a refusal. */
export function refusalReply(refusal: Refusal, random: Random): SandboxAnswer {
  const row = REFUSALS[refusal.code] ?? fallbackRow
  return jsonReply(refusal.status ?? row.status, refusalBody(refusal, random), refusal.headers)
}
