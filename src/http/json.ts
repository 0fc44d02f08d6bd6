import { envelopeOf, httpStatusOf, type Refusal } from '../base/errors.ts'

/** The headers of an answer, with lower-case names. */
export type AnswerHeaders = Record<string, string>

/** @returns an answer with a JSON body. */
export function jsonAnswer(status: number, body: unknown, headers: AnswerHeaders): Response {
  headers['content-type'] = 'application/json; charset=utf-8'
  // RFC 9111 3.5 stops shared caches only for requests with Authorization, and our key has other headers.
  headers['cache-control'] = 'no-store'
  return new Response(JSON.stringify(body), { status, headers })
}

/** @returns a refusal with the contract's error body. */
export function refusalAnswer(refusal: Refusal, headers: AnswerHeaders): Response {
  const { retryAfterMs } = refusal
  // RFC 9110 10.2.3: whole seconds, so round up; rounding down invites a second refusal.
  if (retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterMs / 1000))
  return jsonAnswer(httpStatusOf(refusal), envelopeOf(refusal), headers)
}
