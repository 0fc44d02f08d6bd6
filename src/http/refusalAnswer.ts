import type { Refusal } from '../base/errors.ts'
import { headingOf } from '../graph/codes.ts'
import { type AnswerHeaders, refusalAnswer } from './json.ts'
import { publicPath } from './publicPath.ts'

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
