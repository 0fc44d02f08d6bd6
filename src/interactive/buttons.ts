import { field, type JsonObject, list } from '../base/json.ts'
import {
  bodyCharsMax,
  linkTextCharsMax,
  mixedButtonsMax,
  replyButtonsMax,
  replyIdCharsMax,
  replyTitleCharsMax,
} from '../base/upstreamLimits.ts'
import { readFrame, readUrl, root } from './parts.ts'
import type { Reader } from './reader.ts'

/**
 * Up to three reply buttons, whose ids and titles are unique; or up to ten, of which the first or the first two open
 * addresses.
 */
export function readButtonMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'any', reader)
  const action = reader.object(payload.action, `${root}/action`)
  if (!action) return
  const path = `${root}/action/buttons`
  const links = list(action.buttons).filter(isLinkButton).length
  const buttons = reader.list(action.buttons, path, 1, links === 0 ? replyButtonsMax : mixedButtonsMax.all)
  if (links > mixedButtonsMax.url) reader.note(path, `must have at most ${mixedButtonsMax.url} buttons with an address`)
  const seen = { ids: new Map<string, string>(), titles: new Map<string, string>() }
  buttons.forEach((value, at) => {
    const button = reader.object(value, `${path}/${at}`)
    if (!button) return
    reader.oneOf(button.type, `${path}/${at}/type`, ['reply', 'cta_url'])
    if (!isLinkButton(button)) readReply(button, `${path}/${at}/reply`, seen, reader)
    else {
      if (at >= links) reader.note(`${path}/${at}`, 'must stand before the reply buttons')
      const link = reader.object(button.cta_url, `${path}/${at}/cta_url`)
      if (link) readLinkParameters(link, `${path}/${at}/cta_url`, reader)
    }
  })
}

const isLinkButton = (button: unknown): boolean => field(button, 'type') === 'cta_url'

interface Seen {
  readonly ids: Map<string, string>
  readonly titles: Map<string, string>
}

function readReply(button: JsonObject, path: string, { ids, titles }: Seen, reader: Reader): void {
  const reply = reader.object(button.reply, path)
  if (!reply) return
  reader.unique(reader.text(reply.id, `${path}/id`, replyIdCharsMax), `${path}/id`, ids)
  reader.unique(reader.text(reply.title, `${path}/title`, replyTitleCharsMax), `${path}/title`, titles)
}

/** `cta_url`: one button that opens an address. */
export function readLinkMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'any', reader)
  const action = reader.object(payload.action, `${root}/action`)
  if (action) readLink(action, `${root}/action`, reader)
}

/** The action of a message, or of a card, that opens an address. */
export function readLink(action: JsonObject, path: string, reader: Reader): void {
  reader.oneOf(action.name, `${path}/name`, ['cta_url'])
  const parameters = reader.object(action.parameters, `${path}/parameters`)
  if (parameters) readLinkParameters(parameters, `${path}/parameters`, reader)
}

function readLinkParameters(parameters: JsonObject, path: string, reader: Reader): void {
  reader.text(parameters.display_text, `${path}/display_text`, linkTextCharsMax)
  readUrl(parameters.url, `${path}/url`, reader)
}
