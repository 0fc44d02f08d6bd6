import type { Issue } from '../base/errors.ts'
import { field, isDeeperThan, isObject, type JsonObject, parseJson, text } from '../base/json.ts'
import type { Fields } from '../forms/form.ts'
import { interactiveForms } from '../forms/interactive.ts'
import { mismatchesIn } from '../forms/mismatches.ts'
import { inexactNumber, inexactNumbers } from '../templates/exactness.ts'
import { issuesOf, isTold, root } from './issues.ts'

export type CheckedInteractive =
  | {
      readonly ok: true
      /** As the caller wrote it; it is forwarded untouched. */
      readonly payload: JsonObject
      /** Only for the kind `flow`: the key of its session. */
      readonly flow?: FlowReference
    }
  | { readonly ok: false; readonly issues: Issue[] }

/** The key of a flow session. */
export interface FlowReference {
  /** Comes back with the user's answer; null when the sender leaves it to the upstream's default. */
  readonly token: string | null
  readonly id: string | null
  readonly name: string | null
}

/**
 * Ours: the kinds need 7 levels, a flow's data some more. It prevents a stack overflow in walks over the
 * payload.
 */
const depthMax = 32

const words = { is: 'text', optional: true } as const
/** Every other kind: only the common parts are checked; the upstream judges the rest. */
const unknownForm: Fields = {
  type: { is: 'text' },
  header: { is: 'object', fields: {}, optional: true },
  action: { is: 'object', fields: {}, optional: true },
  body: { is: 'object', fields: { text: words }, optional: true },
  footer: { is: 'object', fields: { text: words }, optional: true },
}

/**
 * Checks the `content` of an interactive send: a JSON string with the interactive payload
 * (docs/partner-api.md#interactive). The kinds of `interactiveForms` are checked against every limit of the upstream;
 * fields it may have added since pass, and so do other kinds. All problems come at once, as pointers into the payload
 * after `/content`, without the values.
 */
export function checkInteractive(content: string): CheckedInteractive {
  const payload = parseJson(content)
  if (payload === undefined) return refused(root, 'must be a JSON string')
  if (!isObject(payload)) return refused(root, 'must be the JSON of an object')
  if (isDeeperThan(payload, depthMax)) return refused(root, `must not be nested deeper than ${depthMax} levels`)

  const kind = text(payload.type) ?? ''
  const form = Object.hasOwn(interactiveForms, kind) ? interactiveForms[kind] : undefined
  const mismatches = mismatchesIn(form ?? unknownForm, payload)
  const issues = mismatches.filter(isTold).flatMap(issuesOf)
  for (const path of inexactNumbers(payload, root)) issues.push({ path, message: inexactNumber })
  if (issues.length > 0) return { ok: false, issues }
  return { ok: true, payload, ...(kind === 'flow' && { flow: flowOf(payload) }) }
}

const refused = (path: string, message: string): CheckedInteractive => ({ ok: false, issues: [{ path, message }] })

function flowOf({ action }: JsonObject): FlowReference {
  const of = (name: string) => text(field(field(action, 'parameters'), name))
  return { token: of('flow_token'), id: of('flow_id'), name: of('flow_name') }
}
