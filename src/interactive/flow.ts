import { isObject, type JsonObject } from '../base/json.ts'
import { bodyCharsMax, flowButtonCharsMax } from '../base/upstreamLimits.ts'
import { readFrame, readNamedAction, root } from './parts.ts'
import type { Reader } from './reader.ts'

/**
 * Pictures only, in whatever form they are written: digits and `#` count as emoji in Unicode's widest sense and are
 * fine here, and so are the signs for copyright and trade marks. U+20E3 makes a key of a digit.
 */
const emoji = /(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Presentation}|\u20E3/u

/** The key of a flow session. */
export interface FlowReference {
  /** Comes back with the user's answer; null when the sender leaves it to the upstream's default. */
  readonly token: string | null
  readonly id: string | null
  readonly name: string | null
}

/** @returns how the flow is identified, for its session */
export function readFlowMessage(payload: JsonObject, reader: Reader): FlowReference {
  readFrame(payload, bodyCharsMax, 'any', reader)
  const parameters = readNamedAction(payload, 'flow', reader)
  if (!parameters) return { token: null, id: null, name: null }
  const path = `${root}/action/parameters`

  reader.text(parameters.flow_message_version, `${path}/flow_message_version`)
  if ((parameters.flow_id === undefined) === (parameters.flow_name === undefined))
    reader.note(path, 'must have either flow_id or flow_name')
  const id = reader.optionalText(parameters.flow_id, `${path}/flow_id`)
  const name = reader.optionalText(parameters.flow_name, `${path}/flow_name`)
  const cta = reader.text(parameters.flow_cta, `${path}/flow_cta`, flowButtonCharsMax)
  if (cta && emoji.test(cta)) reader.note(`${path}/flow_cta`, 'must not contain emoji')
  const token = reader.optionalText(parameters.flow_token, `${path}/flow_token`)
  if (parameters.mode !== undefined) reader.oneOf(parameters.mode, `${path}/mode`, ['draft', 'published'])
  if (parameters.flow_action !== undefined)
    reader.oneOf(parameters.flow_action, `${path}/flow_action`, ['navigate', 'data_exchange'])
  if (parameters.flow_action_payload !== undefined)
    readActionPayload(parameters.flow_action_payload, `${path}/flow_action_payload`, reader)
  return { token: token ?? null, id: id ?? null, name: name ?? null }
}

function readActionPayload(value: unknown, path: string, reader: Reader): void {
  const payload = reader.object(value, path)
  if (!payload) return
  reader.text(payload.screen, `${path}/screen`)
  const { data } = payload
  if (data === undefined) return
  if (!isObject(data) || Object.keys(data).length === 0)
    reader.note(`${path}/data`, 'must be an object that is not empty')
}
