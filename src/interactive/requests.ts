import type { JsonObject } from '../base/json.ts'
import { bodyCharsMax, callMinutesMax, linkTextCharsMax } from '../base/upstreamLimits.ts'
import { readFrame, readNamedAction, root } from './parts.ts'
import type { Reader } from './reader.ts'

/** Kinds that ask the user for something with a button of the upstream's own, which has no values. */
const requestNames = {
  location_request_message: 'send_location',
  request_contact_info: 'request_contact_info',
} as const

/** A text, and a button with which the user shares the place, or the number. */
export function readRequestMessage(kind: keyof typeof requestNames, payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'none', reader)
  const action = reader.object(payload.action, `${root}/action`)
  if (action) reader.oneOf(action.name, `${root}/action/name`, [requestNames[kind]])
}

/** A button that calls the business. */
export function readCallMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'text', reader)
  const parameters = readNamedAction(payload, 'voice_call', reader)
  if (!parameters) return
  const path = `${root}/action/parameters`
  reader.optionalText(parameters.display_text, `${path}/display_text`, linkTextCharsMax)
  reader.optionalText(parameters.payload, `${path}/payload`)
  reader.optionalWhole(parameters.ttl_minutes, `${path}/ttl_minutes`, 1, callMinutesMax)
}
