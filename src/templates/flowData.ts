import { isDeeperThan, isObject, type JsonObject, parseJson } from '../base/json.ts'
import { inexactNumber, inexactNumbers } from './exactness.ts'
import { flowDataDepthMax } from './limits.ts'

export type FlowData =
  | { readonly ok: true; readonly data: JsonObject }
  /** The message, after the name of the key. */
  | { readonly ok: false; readonly problem: string }

const refused = (problem: string): FlowData => ({ ok: false, problem })

/**
 * Reads `flow_action_data`: the data of a flow's first screen, as JSON text, because the values of `templateVariables`
 * are strings. The upstream refuses an empty object (docs/upstream.md#flows).
 */
export function readFlowData(text: string): FlowData {
  const data = parseJson(text)
  if (!isObject(data) || Object.keys(data).length === 0)
    return refused('must be the JSON text of an object that is not empty')
  if (isDeeperThan(data, flowDataDepthMax)) return refused(`must not be nested deeper than ${flowDataDepthMax} levels`)
  const [inexact] = inexactNumbers(data, '')
  if (inexact !== undefined) return refused(`has a number at ${inexact} that ${inexactNumber}`)
  return { ok: true, data }
}
