/**
 * What an upstream error means for us (docs/upstream.md#error-classes).
 *
 *   throttle app|line|pair   wait, then send again; the scope says what has to wait
 *   retry                    a definite "not now": up to three tries
 *   maintenance              the line is moved to other hardware: as retry, after a minute
 *   vague                    an explicit refusal that does not promise that nothing was sent: never repeated
 *   permanent                never again with this body
 *   hold                     not before something changes; `request`: in the message's own template or recipient
 *   accountStop              the line or account cannot send until its owner acts
 *   token                    the access token is no longer good
 */
export type ErrorClass =
  | 'throttleApp'
  | 'throttleLine'
  | 'throttlePair'
  | 'retry'
  | 'maintenance'
  | 'vague'
  | 'permanent'
  | 'holdRequest'
  | 'holdAccount'
  | 'accountStop'
  | 'token'

interface ClassRow {
  /** Decides our HTTP status: 400 when the request is at fault, 502 when the upstream or its credentials are. */
  readonly fault: 'request' | 'upstream'
  /** Whether the caller may try the same send again later. */
  readonly retryable: boolean
}

export const ERROR_CLASSES: Readonly<Record<ErrorClass, ClassRow>> = {
  throttleApp: { fault: 'upstream', retryable: true },
  throttleLine: { fault: 'upstream', retryable: true },
  throttlePair: { fault: 'upstream', retryable: true },
  retry: { fault: 'upstream', retryable: true },
  maintenance: { fault: 'upstream', retryable: true },
  vague: { fault: 'upstream', retryable: true },
  permanent: { fault: 'request', retryable: false },
  holdRequest: { fault: 'request', retryable: false },
  holdAccount: { fault: 'upstream', retryable: false },
  accountStop: { fault: 'upstream', retryable: false },
  token: { fault: 'upstream', retryable: false },
}

/** Classes that stop a line, an account or all that use a token until the operator acts. */
const operatorClasses: ReadonlySet<string> = new Set<ErrorClass>(['holdAccount', 'accountStop', 'token'])
/** The line is restricted for spam, for hours (docs/upstream.md#error-codes). */
export const spamCode = 131048

/** @returns whether the operator has to act (docs/upstream.md#error-classes). */
export const needsOperator = ({ errorClass, code }: { readonly errorClass: string; readonly code: number | null }) =>
  operatorClasses.has(errorClass) || code === spamCode

/** The upstream's codes by class (docs/upstream.md#error-codes). 200-299 are handled as a range below. */
const codesByClass: Readonly<Record<ErrorClass, readonly number[]>> = {
  token: [0, 104, 190],
  accountStop: [
    3, 10, 131005, 368, 131031, 131042, 131044, 134011, 33, 131037, 131045, 133010, 133000, 133005, 133006, 133008,
    133009, 133015, 133016, 131063, 134102, 803,
  ],
  throttleApp: [4, 613, 80007, 80008],
  throttleLine: [130429, 131048],
  throttlePair: [131056],
  vague: [1, 131000],
  retry: [2, 131016, 133004],
  maintenance: [131057],
  holdAccount: [131064],
  holdRequest: [131049, 132015, 132069, 134101],
  permanent: [
    100, 130497, 130403, 130472, 131021, 131030, 131008, 131009, 131026, 131047, 131050, 131051, 131052, 131053, 131062,
    132000, 132001, 132005, 132007, 132008, 132012, 132018, 132016, 132068, 135000, 137000, 131055, 134100,
  ],
}

/** The codes that stop sends until the operator acts. The alert in packaging/prometheus names the same. */
export const operatorCodes: readonly number[] = [
  ...codesByClass.token,
  ...codesByClass.accountStop,
  ...codesByClass.holdAccount,
  spamCode,
]

/** @returns whether a code says that the access token is no longer good */
export const isTokenCode = (code: number): boolean => codesByClass.token.includes(code)

const classOfCode: ReadonlyMap<number, ErrorClass> = new Map(
  (Object.keys(codesByClass) as ErrorClass[]).flatMap(name => codesByClass[name].map(code => [code, name] as const)),
)

/** @returns the code as a metric's label. Labels have few values: codes that we do not know share one. */
export function codeLabel(code: number | null): string {
  if (code === null) return 'none'
  return classOfCode.has(code) ? String(code) : 'other'
}

/** Codes 200-299: a permission is missing. One heading of docs/errors.md explains them all. */
const isPermissionCode = (code: number) => code >= 200 && code <= 299

/** @returns the heading of docs/errors.md that explains a code; null for a code that we do not know. */
export function headingOf(code: number): string | null {
  if (isPermissionCode(code)) return '200'
  return classOfCode.has(code) ? String(code) : null
}

/** The fields of a fault besides its class, in answers and callbacks. */
interface CodedFault {
  readonly fault: 'request' | 'upstream'
  readonly code: number | null
  readonly subcode: number | null
}

/** "Object with ID '…' does not exist or lacks permissions": our line or account, or media that the request names. */
const missingObjectSubcode = 33
const namedObject = /'(\d+)'/

/** @returns whether the upstream no longer knows a media id of the request, or cannot use its file. */
export const isMediaGone = ({ fault, code, subcode }: CodedFault) =>
  // The same code and subcode may name our own line: that is not the request's fault.
  fault === 'request' && (code === 131053 || (code === 100 && subcode === missingObjectSubcode))

/** Does not exist or is not approved; paused; disabled (docs/upstream.md#error-codes). */
const templateGoneCodes: readonly (number | null)[] = [132001, 132015, 132016]

/** @returns whether the template cannot be sent, though its stored record may say that it can. */
export const isTemplateGone = ({ code }: Pick<CodedFault, 'code'>) => templateGoneCodes.includes(code)

export interface UpstreamError {
  readonly code: number | null
  readonly subcode: number | null
  readonly isTransient: boolean
  readonly message: string | null
}

/**
 * Classes an answer that is not an acceptance. Order (docs/upstream.md#error-classes): the code in the table;
 * `is_transient`; the HTTP status; a readable 5xx with an unknown code counts as the vague code 131000.
 * @param httpStatus null for an error that came as a callback
 * @param error null when the body held no readable error
 * @param lineId the upstream's id of the line that was used: the one object that is not the caller's choice
 * @returns null when the outcome is unknown: the message may be on its way
 */
export function classify(
  httpStatus: number | null,
  error: UpstreamError | null,
  lineId: string | null = null,
): ErrorClass | null {
  if (error?.code === 100 && error.subcode === missingObjectSubcode) {
    const named = namedObject.exec(error.message ?? '')?.[1]
    return named === undefined || lineId === null || named === lineId ? 'accountStop' : 'permanent'
  }
  // The only permission code of 200-299 that means a request without a token.
  if (error?.code === 200 && error.message?.includes('valid app ID')) return 'token'
  const known = error?.code == null ? undefined : classOfCode.get(error.code)
  if (known) return known
  if (error?.code != null && isPermissionCode(error.code)) return 'accountStop'
  if (error?.isTransient) return 'retry'
  // A failure in a callback is final, whatever its code.
  if (httpStatus === null) return 'permanent'
  if (httpStatus === 401) return 'token'
  if (httpStatus === 403) return 'accountStop'
  if (httpStatus === 429) return 'throttleLine'
  if (httpStatus >= 500 && error) return 'vague'
  if (httpStatus >= 400 && httpStatus < 500) return 'permanent'
  return null
}
