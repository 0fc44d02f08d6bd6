import type { JsonObject } from '../base/json.ts'
import { bodyCharsMax, linkTextCharsMax } from '../base/upstreamLimits.ts'
import { readFrame, readNamedAction, readUrl, root } from './parts.ts'
import type { Reader } from './reader.ts'

/** `cta_url`: one button that opens an address. */
export function readLinkMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'any', reader)
  const parameters = readNamedAction(payload, 'cta_url', reader)
  if (!parameters) return
  const path = `${root}/action/parameters`
  reader.text(parameters.display_text, `${path}/display_text`, linkTextCharsMax)
  readUrl(parameters.url, `${path}/url`, reader)
}
