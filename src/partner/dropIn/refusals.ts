import { type Details, httpStatusOf, type PartnerReason, type Refusal } from '../../base/errors.ts'
import { field, list, text } from '../../base/json.ts'
import { passScope } from '../../base/keyScopes.ts'
import { closedWindowCode, stoppedMarketingCode } from '../../graph/codes.ts'
import { type AnswerHeaders, jsonAnswer } from '../../http/answers.ts'
import type { Outcome } from '../endpoint.ts'

/** What clients of the upstream platform read: they choose what to do by `code` (docs/drop-in.md#errors). */
interface GraphCode {
  readonly code: number
  readonly subcode?: number
  /** Where the platform has another one than ours. */
  readonly status?: number
  /** The platform's words, which people see; ours are the details. */
  readonly title?: string
}

const badParameter: GraphCode = { code: 100 }
/** "Unsupported request: the object does not exist, or you may not see it". */
const noObject: GraphCode = { code: 100, subcode: 33, status: 400 }

const stoppedMarketing = 'User has stopped marketing messages from this business'

const codes = {
  VALIDATION_ERROR: badParameter,
  PHONE_NUMBER_REQUIRED: noObject,
  PHONE_NUMBER_NOT_FOUND: noObject,
  PHONE_NUMBER_INACTIVE: noObject,
  NO_PHONE_NUMBER: noObject,
  TEMPLATE_NOT_APPROVED: { code: 132001, status: 404, title: 'Template name does not exist in the translation' },
  UNAUTHORIZED: { code: 190 },
  PLAN_LIMIT_EXCEEDED: { code: 4, status: 429 },
  FORBIDDEN: { code: 10 },
  NOT_FOUND: noObject,
  IDEMPOTENCY_CONFLICT: badParameter,
  WINDOW_CLOSED: { code: closedWindowCode, status: 400 },
  DIRECT_SEND_OFF: { code: 100, status: 400 },
  OPTED_OUT: { code: stoppedMarketingCode, status: 400, title: stoppedMarketing },
  CONFLICT: badParameter,
  PAYLOAD_TOO_LARGE: badParameter,
  UNSUPPORTED_MEDIA_TYPE: { code: 100, status: 400 },
  RANGE_NOT_SATISFIABLE: badParameter,
  RATE_LIMIT_EXCEEDED: { code: 130429 },
  CHANNEL_GRAPH_ERROR: { code: 131016 },
  INTERNAL_ERROR: { code: 131000 },
  SERVICE_UNAVAILABLE: { code: 131016 },
} as const satisfies Record<PartnerReason, GraphCode>

/** As the platform says it of what its own tokens lack. */
const notPassed: GraphCode = { code: 200 }

/** Of the platform, about our token for the account: a client would take them for its own, and give it up. */
const aboutOurToken: readonly (number | null)[] = [3, 10, 190, 200]
export const isAboutOurToken = (code: number | null): boolean => aboutOurToken.includes(code)

/** What makes an id one that names nothing, most often. */
const idsHint =
  'Lines and accounts have the ids of the platform (not line_…), and files of users those of this gateway (media_…). ' +
  'Or the version in the path is none that is answered here, or the key is limited to other lines.'

const wrongToken = 'Invalid OAuth access token: send the token of an API key that has the scope graph.'

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** @returns a refusal as the upstream platform words it; an error of its own keeps its code, words and trace */
export function graphRefusalAnswer(refusal: Refusal, headers: AnswerHeaders): Response {
  const { reason, retryAfterMs, details = {} } = refusal
  const known = codeOf(reason, details)
  const upstream = reason === 'CHANNEL_GRAPH_ERROR' ? details : {}
  const given = numberOf(upstream.code)
  const code = given === null || isAboutOurToken(given) ? known.code : given
  const subcode = numberOf(upstream.subcode) ?? known.subcode
  const problems = problemsOf(refusal)
  const message = reason === 'UNAUTHORIZED' ? wrongToken : (problems ?? refusal.message)
  const said = text(upstream.details) ?? text(details.hint)
  const title = text(upstream.title) ?? known.title ?? message
  // Whole seconds (RFC 9110 10.2.3), rounded up: rounding down invites a second refusal.
  if (retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterMs / 1_000))
  const error = {
    message: title.startsWith('(#') ? title : `(#${code}) ${title}`,
    type: 'OAuthException',
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    error_data: {
      messaging_product: 'whatsapp',
      // Beside the platform's own words, what we have found.
      details: said === null ? message : problems === null ? said : `${said} (${problems})`,
    },
    fbtrace_id: text(upstream.traceId) ?? headers['x-request-id'],
  }
  return jsonAnswer(known.status ?? httpStatusOf(refusal), { error }, headers)
}

function codeOf(reason: Refusal['reason'], details: Details): GraphCode {
  if (reason === 'FORBIDDEN' && details.scope === passScope) return notPassed
  return Object.hasOwn(codes, reason) ? codes[reason as PartnerReason] : badParameter
}

/** @returns all problems of a malformed request, or of a template, in one text; null: none is named */
function problemsOf({ details }: Refusal): string | null {
  const problems = list(details?.issues).map(
    issue => `${nameOf(text(field(issue, 'path')))}: ${field(issue, 'message')}`,
  )
  return problems.length === 0 ? null : problems.join('; ')
}

/** @param path `/template/components` @returns `template.components`, as the platform names a field */
const nameOf = (path: string | null): string => path?.replace(/^\//, '').replaceAll('/', '.') ?? 'body'

/** @returns whether the platform has no object of the id */
export const isUnknownObject = ({ reason, details }: Refusal): boolean =>
  reason === 'CHANNEL_GRAPH_ERROR' && details?.code === noObject.code && details.subcode === noObject.subcode

/** The id in the path names nothing that the key may see. It is not repeated: some clients write a token there. */
export const noSuchObject: Refusal = {
  reason: 'NOT_FOUND',
  message:
    'Unsupported request. The object does not exist, cannot be loaded due to missing permissions, or does not ' +
    'support this operation.',
  details: { hint: idsHint },
}

export const no = (refusal: Refusal): Outcome => ({ ok: false, refusal })

/** The outcome of a call for such an id. */
export const missing: Outcome = no(noSuchObject)
