import type { JsonObject } from '../base/json.ts'
import {
  bodyCharsMax,
  linkTextCharsMax,
  replyButtonsMax,
  replyIdCharsMax,
  replyTitleCharsMax,
} from '../base/upstreamLimits.ts'
import { readFrame, readNamedAction, readUrl, root } from './parts.ts'
import type { Reader } from './reader.ts'

/** Up to three reply buttons, whose ids and titles are unique. */
export function readButtonMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'any', reader)
  const action = reader.object(payload.action, `${root}/action`)
  if (!action) return
  const ids = new Map<string, string>()
  const titles = new Map<string, string>()
  const buttons = reader.list(action.buttons, `${root}/action/buttons`, 1, replyButtonsMax)
  buttons.forEach((value, at) => {
    const path = `${root}/action/buttons/${at}`
    const button = reader.object(value, path)
    if (!button) return
    reader.oneOf(button.type, `${path}/type`, ['reply'])
    const reply = reader.object(button.reply, `${path}/reply`)
    if (!reply) return
    reader.unique(reader.text(reply.id, `${path}/reply/id`, replyIdCharsMax), `${path}/reply/id`, ids)
    reader.unique(reader.text(reply.title, `${path}/reply/title`, replyTitleCharsMax), `${path}/reply/title`, titles)
  })
}

/** `cta_url`: one button that opens an address. */
export function readLinkMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'any', reader)
  const parameters = readNamedAction(payload, 'cta_url', reader)
  if (!parameters) return
  const path = `${root}/action/parameters`
  reader.text(parameters.display_text, `${path}/display_text`, linkTextCharsMax)
  readUrl(parameters.url, `${path}/url`, reader)
}
