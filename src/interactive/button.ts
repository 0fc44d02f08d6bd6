import type { JsonObject } from '../text/json.ts'
import { readFrame, root } from './parts.ts'
import type { Reader } from './reader.ts'

// docs/upstream.md#interactive-messages
const bodyCharsMax = 1024
const buttonsMax = 3
const idCharsMax = 256
const titleCharsMax = 20

/** Up to three reply buttons, whose ids and titles are unique. */
export function readButtonMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'any', reader)
  const action = reader.object(payload.action, `${root}/action`)
  if (!action) return
  const ids = new Map<string, string>()
  const titles = new Map<string, string>()
  const buttons = reader.list(action.buttons, `${root}/action/buttons`, 1, buttonsMax)
  buttons.forEach((value, at) => {
    const path = `${root}/action/buttons/${at}`
    const button = reader.object(value, path)
    if (!button) return
    reader.oneOf(button.type, `${path}/type`, ['reply'])
    const reply = reader.object(button.reply, `${path}/reply`)
    if (!reply) return
    reader.unique(reader.text(reply.id, `${path}/reply/id`, idCharsMax), `${path}/reply/id`, ids)
    reader.unique(reader.text(reply.title, `${path}/reply/title`, titleCharsMax), `${path}/reply/title`, titles)
  })
}
