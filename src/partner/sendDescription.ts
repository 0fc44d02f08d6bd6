import { cardBodyCharsMax, codeCharsMax, couponCharsMax, rowsMax } from '../base/upstreamLimits.ts'
import { flowDataDepthMax, flowTokenCharsMax, givenCharsMax, linkCharsMax, valueCharsMax } from '../templates/limits.ts'
import { filled, markdownTable } from './docs/markdown.ts'
import { interactiveLimits } from './interactiveLimits.ts'
import text from './sendDescription.md' with { type: 'text' }

/** Markdown for the send operation: what the fields alone cannot say. */
export const sendDescription = filled(text, {
  cardBodyCharsMax,
  codeCharsMax,
  couponCharsMax,
  flowDataDepthMax,
  flowTokenCharsMax,
  givenCharsMax,
  linkCharsMax,
  rowsMax,
  valueCharsMax,
  limits: markdownTable(
    ['Kind', 'Field', 'At most'],
    interactiveLimits.map(({ kind, field, max, unit }) => [kind ?? 'all', `\`${field}\``, `${max} ${unit}`]),
  ),
})
