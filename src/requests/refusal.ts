import type { KeptRefusal } from '../../db/contract/apiRequests.ts'
import { type Issue, malformed, type Refusal } from '../base/errors.ts'
import { unknownField } from '../base/issueWords.ts'
import { fileRefused } from '../sending/refusals.ts'
import { inexactNumber } from '../templates/exactness.ts'

/** Problems of one call that are kept: who mends twenty has understood the rest. */
const issuesMax = 20
/** Sentences of ours are shorter, but for those that list what is allowed. */
const messageCharsMax = 400

/** Places in lists, and numbered variables. A longer number may be a code, or part of a telephone number. */
const index = /^\d{0,3}$/
/** What a field of a request, or a variable of a template, is called. Anything else is a text of the caller. */
const fieldName = /^(?!.*\d{4})[A-Za-z_]\w{0,49}$/
/** Fields whose own fields the caller names. */
const mapNames: ReadonlySet<string> = new Set(['templateVariables', 'bodyParameters', 'bodyValues'])
/** The names that are ours among them (src/templates/variables.ts). */
const ourVariable = /^(c\d{1,2}_)?(header(_link|_filename)?|copy_code|catalog_product_retailer_id|flow_\w+|\d{1,3})$/
/** Problems of fields that nobody but the caller knows. */
const foreign: readonly string[] = [unknownField, inexactNumber]
/** Where in a flow's data a number is. */
const flowPlace = new RegExp(` at .* that ${inexactNumber}$`, 's')
/** What the upstream says after its code may repeat what it was sent. */
const upstreamWords = new RegExp(`^(${fileRefused}(?:: \\d{1,9})?).*$`, 's')

/**
 * @returns what may be kept of a refusal: what was wrong and where, and nothing of what the caller sent. Our own
 *   sentences never repeat a value; names that no field would have, and the upstream's words, are left out
 */
export function keptRefusal({ reason, message, details }: Refusal): KeptRefusal {
  const answered = (details?.issues ?? []) as readonly Issue[]
  const issues = answered.slice(0, issuesMax).map(issue => ({ path: keptPath(issue), message: keptProblem(issue) }))
  const isUpstreams = reason === 'CHANNEL_GRAPH_ERROR'
  // The message of a malformed request names its first problem.
  const sentence = issues.length > 0 ? malformed : isUpstreams ? (message.split(':', 1)[0] ?? '') : message
  return {
    reason,
    message: sentence.slice(0, messageCharsMax),
    code: isUpstreams && typeof details?.code === 'number' ? details.code : null,
    issues,
    issuesLeftOut: answered.length - issues.length,
  }
}

const keptProblem = ({ message }: Issue) =>
  message.replace(upstreamWords, '$1').replace(flowPlace, ` that ${inexactNumber}`).slice(0, messageCharsMax)

/** The fields of a request itself keep their names, also misspelled ones: they are those of a program. */
function keptPath({ path, message }: Issue): string {
  const isOfTemplate = message.startsWith('is required')
  const isKept = (name: string, at: number, names: readonly string[]) => {
    if (index.test(name)) return true
    if (at > 1 && foreign.includes(message)) return false
    const isChosen = mapNames.has(names[at - 1] ?? '') && !isOfTemplate && !ourVariable.test(name)
    return fieldName.test(name) && !isChosen
  }
  return path
    .split('/')
    .map((name, at, names) => (isKept(name, at, names) ? name : '…'))
    .join('/')
}
