import { isObject, isText, type JsonObject } from '../../base/json.ts'
import {
  bodyCharsMax,
  flowButtonCharsMax,
  footerCharsMax,
  headerCharsMax,
  listBodyCharsMax,
  listButtonCharsMax,
  listSectionsMax,
  mixedButtonsMax,
  replyButtonsMax,
  replyIdCharsMax,
  replyTitleCharsMax,
  rowDescriptionCharsMax,
  rowIdCharsMax,
  rowsMax,
  rowTitleCharsMax,
  sectionTitleCharsMax,
} from '../../base/upstreamLimits.ts'
import {
  type CheckReference,
  checkAddress,
  checkOtherKind,
  type OtherKind,
  otherKinds,
  text,
} from './interactiveKinds.ts'
import { PROBLEMS } from './problems.ts'
import type { Refusal } from './refusals.ts'

const isOtherKind = (kind: string): kind is OtherKind => Object.hasOwn(otherKinds, kind)
const kinds = ['button', 'list', 'cta_url', 'flow', ...Object.keys(otherKinds)] as const

/** Checks an `interactive` object: types first, then required fields, then values and lengths. */
export function checkSentInteractive(input: unknown, checkMedia: CheckReference): Refusal | undefined {
  if (!isObject(input)) return PROBLEMS.notAnObject('interactive')
  const { type } = input
  if (!isText(type) || !kinds.some(kind => kind === type)) return PROBLEMS.notOneOf("interactive['type']", kinds)
  if (input.body !== undefined && !isObject(input.body)) return PROBLEMS.notAnObject("interactive['body']")
  if (!isObject(input.action)) return PROBLEMS.missing("The parameter interactive['action'] is required.")
  if (isOtherKind(type)) return checkOtherKind(type, input, checkMedia)
  const bodyMax = type === 'list' ? listBodyCharsMax : bodyCharsMax
  return (
    text(input.body, "interactive['body']['text']", 'text', bodyMax) ??
    (input.footer === undefined
      ? undefined
      : text(input.footer, "interactive['footer']['text']", 'text', footerCharsMax)) ??
    checkHeader(input.header, type, checkMedia) ??
    checkAction(type, input.action)
  )
}

function checkHeader(header: unknown, type: string, checkMedia: CheckReference): Refusal | undefined {
  if (header === undefined) return undefined
  if (!isObject(header)) return PROBLEMS.notAnObject("interactive['header']")
  const kind = header.type
  if (kind === 'text') return text(header, "interactive['header']['text']", 'text', headerCharsMax)
  if (kind !== 'image' && kind !== 'video' && kind !== 'document')
    return PROBLEMS.notOneOf("interactive['header']['type']", ['text', 'image', 'video', 'document'])
  if (type === 'list') return PROBLEMS.invalid('interactive: a list takes a text header only')
  return checkMedia(kind, header[kind])
}

function checkAction(type: string, action: JsonObject): Refusal | undefined {
  switch (type) {
    case 'button':
      return checkButtons(action)
    case 'list':
      return checkList(action)
    case 'cta_url':
      return checkLink(action)
    default:
      return checkFlow(action)
  }
}

/** Replies alone, or addresses before them. */
function checkButtons(action: JsonObject): Refusal | undefined {
  const { buttons } = action
  if (!Array.isArray(buttons)) return PROBLEMS.missing("The parameter interactive['action']['buttons'] is required.")
  const isAddress = (button: unknown) => isObject(button) && button.type === 'cta_url'
  const addresses = buttons.filter(isAddress).length
  const max = addresses > 0 ? mixedButtonsMax.all : replyButtonsMax
  if (buttons.length < 1 || buttons.length > max)
    return PROBLEMS.invalid(`Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: ${max}`)
  if (addresses > mixedButtonsMax.url || !buttons.slice(0, addresses).every(isAddress))
    return PROBLEMS.invalid(`buttons: at most ${mixedButtonsMax.url} addresses, before the replies`)
  const ids = new Set<unknown>()
  const titles = new Set<unknown>()
  for (const [at, button] of buttons.entries()) {
    const path = `interactive['action']['buttons'][${at}]`
    if (!isObject(button) || (button.type !== 'reply' && button.type !== 'cta_url'))
      return PROBLEMS.notOneOf(`${path}['type']`, ['reply', 'cta_url'])
    const { reply, cta_url: address } = button
    const wrong = isAddress(button)
      ? checkAddress(address, `${path}['cta_url']`)
      : (text(reply, `${path}['reply']['id']`, 'id', replyIdCharsMax) ??
        text(reply, `${path}['reply']['title']`, 'title', replyTitleCharsMax))
    if (wrong) return wrong
    // An address has no id that comes back.
    ids.add(isAddress(button) ? at : isObject(reply) ? reply.id : undefined)
    titles.add(isObject(address) ? address.display_text : isObject(reply) ? reply.title : undefined)
  }
  return ids.size < buttons.length || titles.size < buttons.length
    ? PROBLEMS.invalid('Duplicate button id or title')
    : undefined
}

function checkList(action: JsonObject): Refusal | undefined {
  const label = text(action, "interactive['action']['button']", 'button', listButtonCharsMax)
  if (label) return label
  const { sections } = action
  if (!Array.isArray(sections)) return PROBLEMS.missing("The parameter interactive['action']['sections'] is required.")
  if (sections.length < 1 || sections.length > listSectionsMax)
    return PROBLEMS.invalid(`sections: 1 to ${listSectionsMax}`)
  const ids = new Set<unknown>()
  let rowCount = 0
  for (const [at, section] of sections.entries()) {
    const path = `interactive['action']['sections'][${at}]`
    // A single section needs no title.
    const isUntitled = sections.length === 1 && isObject(section) && section.title === undefined
    const title = isUntitled ? undefined : text(section, `${path}['title']`, 'title', sectionTitleCharsMax)
    if (title) return title
    const rows = isObject(section) ? section.rows : undefined
    if (!Array.isArray(rows) || rows.length < 1) return PROBLEMS.missing(`The parameter ${path}['rows'] is required.`)
    for (const [rowAt, row] of rows.entries()) {
      const rowPath = `${path}['rows'][${rowAt}]`
      const wrong =
        text(row, `${rowPath}['id']`, 'id', rowIdCharsMax) ??
        text(row, `${rowPath}['title']`, 'title', rowTitleCharsMax) ??
        // An empty description is none.
        (isObject(row) && row.description !== undefined && row.description !== ''
          ? text(row, `${rowPath}['description']`, 'description', rowDescriptionCharsMax)
          : undefined)
      if (wrong) return wrong
      if (isObject(row)) ids.add(row.id)
    }
    rowCount += rows.length
  }
  if (rowCount > rowsMax) return PROBLEMS.invalid(`Total row count exceed max allowed count: ${rowsMax}`)
  return ids.size < rowCount ? PROBLEMS.invalid('Duplicate row id') : undefined
}

function checkLink(action: JsonObject): Refusal | undefined {
  if (action.name !== 'cta_url') return PROBLEMS.notOneOf("interactive['action']['name']", ['cta_url'])
  return checkAddress(action.parameters, "interactive['action']['parameters']")
}

/**
 * Pictures, with or without the sign that colours them; flags; keycaps. Digits and `#` count as emoji in Unicode's
 * widest sense, © ® ™ as pictures, and all of these are ordinary text.
 */
const emoji = /\p{Emoji_Presentation}|(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u

function checkFlow(action: JsonObject): Refusal | undefined {
  if (action.name !== 'flow') return PROBLEMS.notOneOf("interactive['action']['name']", ['flow'])
  const path = "interactive['action']['parameters']"
  const { parameters } = action
  if (!isObject(parameters)) return PROBLEMS.missing(`The parameter ${path} is required.`)
  if (parameters.flow_message_version !== '3') return PROBLEMS.notOneOf(`${path}['flow_message_version']`, ['3'])
  const { flow_id: id, flow_name: name, flow_cta: cta, mode, flow_action: flowAction, flow_token: token } = parameters
  if ((id === undefined) === (name === undefined)) return PROBLEMS.invalid(`${path}: give either flow_id or flow_name`)
  const idKey = id === undefined ? 'flow_name' : 'flow_id'
  const label =
    text(parameters, `${path}['${idKey}']`, idKey) ??
    text(parameters, `${path}['flow_cta']`, 'flow_cta', flowButtonCharsMax)
  if (label) return label
  if (isText(cta) && emoji.test(cta)) return PROBLEMS.invalid(`${path}['flow_cta'] cannot contain emoji`)
  if (token !== undefined && !isText(token)) return PROBLEMS.wrongType(`${path}['flow_token']`, 'a string')
  if (mode !== undefined && mode !== 'draft' && mode !== 'published')
    return PROBLEMS.notOneOf(`${path}['mode']`, ['draft', 'published'])
  if (flowAction !== undefined && flowAction !== 'navigate' && flowAction !== 'data_exchange')
    return PROBLEMS.notOneOf(`${path}['flow_action']`, ['navigate', 'data_exchange'])
  return checkFlowPayload(parameters.flow_action_payload, `${path}['flow_action_payload']`)
}

function checkFlowPayload(payload: unknown, path: string): Refusal | undefined {
  if (payload === undefined) return undefined
  if (!isObject(payload)) return PROBLEMS.notAnObject(path)
  const screen = text(payload, `${path}['screen']`, 'screen')
  if (screen) return screen
  const { data } = payload
  // One sample of the upstream passes the data as JSON text.
  if (data === undefined || isText(data)) return undefined
  return isObject(data) && Object.keys(data).length > 0
    ? undefined
    : PROBLEMS.invalid(`${path}['data'] must be a non-empty object`)
}
