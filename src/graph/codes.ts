import { CODES, ERROR_CLASSES, type ErrorClass } from './codeTable.ts'
import type { Explanation } from './codeWords.ts'

/** The line is restricted for spam, for hours (docs/upstream.md#error-codes). */
export const spamCode = 131048

/** For the upstream, the person has not written within 24 hours. */
export const closedWindowCode = 131047
/** docs/upstream.md#profile-blocked-users-and-qr-codes */
export const blockListFullCode = 139101

/** For the upstream, the person wants no marketing from the business. */
export const stoppedMarketingCode = 131050

/** @returns whether the operator has to act (docs/upstream.md#error-classes). */
export const needsOperator = ({ errorClass, code }: { readonly errorClass: string; readonly code: number | null }) =>
  (ERROR_CLASSES[errorClass as ErrorClass]?.needsOperator ?? false) || code === spamCode

/** @returns whether a code says that the access token is no longer good */
export const isTokenCode = (code: number): boolean => CODES.get(code)?.errorClass === 'token'

/** @returns whether a code says that the line or the account may not send until its owner acts */
export const isStopCode = (code: number): boolean =>
  (CODES.get(code)?.errorClass ?? (isPermissionCode(code) ? 'accountStop' : null)) === 'accountStop'

/** @returns the code as a metric's label. Labels have few values: codes that we do not know share one. */
export function codeLabel(code: number | null): string {
  if (code === null) return 'none'
  return CODES.has(code) ? String(code) : 'other'
}

/** Codes 200-299: a permission is missing. One heading of docs/errors.md explains them all. */
export const isPermissionCode = (code: number) => code >= 200 && code <= 299

/** @returns the heading of docs/errors.md that explains a code; null for a code that we do not know. */
export function headingOf(code: number): string | null {
  if (isPermissionCode(code)) return '200'
  return CODES.has(code) ? String(code) : null
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

/** The values that a template was filled with: too many or too few, too long, of another kind. */
const valueCodes: readonly (number | null)[] = [132000, 132005, 132008, 132012, 132018]

/** @returns whether a message fails again as long as it has the values that it has */
export const isOfValues = (code: number | null): boolean => valueCodes.includes(code)

/**
 * A part of a template that is missing, too many or of another kind; its language. Which of these codes a mistake has
 * differs between versions, and 100, 131008 and 131009 have other causes too (docs/upstream.md#unsure).
 */
const misfitCodes: readonly (number | null)[] = [100, 131008, 131009, 132001, ...valueCodes]

/** @returns whether the values of a template may be at fault, or the name and language by which it was sent. */
export const mayBeMisfit = (fault: CodedFault) =>
  fault.fault === 'request' && misfitCodes.includes(fault.code) && !isMediaGone(fault)

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
  const known = error?.code == null ? undefined : CODES.get(error.code)
  if (known) return known.errorClass
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

/** @returns the meaning of a code of the upstream; null for an unknown one: then the upstream's own words are shown */
export function explain(code: number): Explanation | null {
  const row = CODES.get(code) ?? (isPermissionCode(code) ? ERROR_CLASSES.accountStop : null)
  return row && { short: row.short, meaning: row.meaning, remedy: row.remedy }
}
