import { envelopeOf, httpStatusOf, type Refusal } from '../base/errors.ts'
import { headingOf } from '../graph/codes.ts'

/** The headers of an answer, with lower-case names. */
export type AnswerHeaders = Record<string, string>

export const jsonType = 'application/json; charset=utf-8'

/** @returns an answer with a JSON body. */
export const jsonAnswer = (status: number, body: unknown, headers: AnswerHeaders): Response =>
  writtenAnswer(status, JSON.stringify(body), headers)

/** @returns an answer whose JSON is written already */
export function writtenAnswer(status: number, json: string, headers: AnswerHeaders): Response {
  headers['content-type'] = jsonType
  // RFC 9111 3.5 stops shared caches only for requests with Authorization, and our key has other headers.
  headers['cache-control'] = 'no-store'
  return new Response(json, { status, headers })
}

/** @returns a refusal with the contract's error body. */
export function refusalAnswer(refusal: Refusal, headers: AnswerHeaders): Response {
  const { retryAfterMs } = refusal
  // RFC 9110 10.2.3: whole seconds, so round up; rounding down invites a second refusal.
  if (retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterMs / 1000))
  return jsonAnswer(httpStatusOf(refusal), envelopeOf(refusal), headers)
}

/** @returns the path below which a proxy serves the gateway, `/waypost`; empty when it is the root. */
export const publicPath = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '')

/** Makes the answer of a refusal: the contract's error body, with links to its explanation. */
export type RefusalAnswer = (refusal: Refusal, headers: AnswerHeaders) => Response

/** @param publicUrl the address that callers use: the guides are below its path */
export function createRefusalAnswer(publicUrl: string | null): RefusalAnswer {
  const page = `${publicPath(publicUrl)}/docs/errors`
  return (refusal, headers) => {
    // RFC 8288: `help` is the registered relation of a link to help for its context.
    headers.link = headingsOf(refusal)
      .map(heading => `<${page}#${heading}>; rel="help"`)
      .join(', ')
    return refusalAnswer(refusal, headers)
  }
}

/** The headings of docs/errors.md for a refusal: its code, and the upstream's code where that is the reason. */
function headingsOf({ reason, details }: Refusal): readonly string[] {
  const code = reason === 'CHANNEL_GRAPH_ERROR' ? details?.code : null
  const heading = typeof code === 'number' ? headingOf(code) : null
  return heading === null ? [reason] : [reason, heading]
}
