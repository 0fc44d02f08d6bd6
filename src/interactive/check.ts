import type { Issue } from '../base/errors.ts'
import { isDeeperThan, isObject, type JsonObject, parseJson } from '../base/json.ts'
import { inexactNumber, inexactNumbers } from '../templates/exactness.ts'
import { readButtonMessage, readLinkMessage } from './buttons.ts'
import { readCarouselMessage } from './carousel.ts'
import { type FlowReference, readFlowMessage } from './flow.ts'
import { readListMessage } from './list.ts'
import { readUnknownKind, root } from './parts.ts'
import { readCatalogMessage, readProductListMessage, readProductMessage } from './products.ts'
import { Reader } from './reader.ts'
import { readCallMessage, readRequestMessage } from './requests.ts'

export type CheckedInteractive =
  | {
      readonly ok: true
      /** As the caller wrote it; it is forwarded untouched. */
      readonly payload: JsonObject
      /** Only for the kind `flow`: the key of its session. */
      readonly flow?: FlowReference
    }
  | { readonly ok: false; readonly issues: Issue[] }

/**
 * Ours: the kinds need 7 levels, a flow's data some more. It prevents a stack overflow in walks over the
 * payload.
 */
const depthMax = 32

/**
 * Checks the `content` of an interactive send: a JSON string with the interactive payload
 * (docs/partner-api.md#interactive). The kinds of `readers` and `flow` are checked against every limit of the upstream
 * (docs/upstream.md#interactive-messages); fields it may have added since pass, and so do other kinds, of which only
 * the common parts are looked at. All problems come at once, as pointers into the payload after
 * `/content`, without the values.
 */
export function checkInteractive(content: string): CheckedInteractive {
  const payload = parseJson(content)
  if (payload === undefined) return refused(root, 'must be a JSON string')
  if (!isObject(payload)) return refused(root, 'must be the JSON of an object')
  if (isDeeperThan(payload, depthMax)) return refused(root, `must not be nested deeper than ${depthMax} levels`)

  const reader = new Reader()
  const flow = readKind(payload, reader)
  for (const path of inexactNumbers(payload, root)) reader.issues.push({ path, message: inexactNumber })
  if (reader.issues.length > 0) return { ok: false, issues: reader.issues }
  return { ok: true, payload, ...(flow && { flow }) }
}

/** How the kinds are read that open no session. */
const readers: Readonly<Record<string, (payload: JsonObject, reader: Reader) => void>> = {
  button: readButtonMessage,
  list: readListMessage,
  cta_url: readLinkMessage,
  location_request_message: (payload, reader) => readRequestMessage('location_request_message', payload, reader),
  request_contact_info: (payload, reader) => readRequestMessage('request_contact_info', payload, reader),
  voice_call: readCallMessage,
  product: readProductMessage,
  product_list: readProductListMessage,
  catalog_message: readCatalogMessage,
  carousel: readCarouselMessage,
}

function readKind(payload: JsonObject, reader: Reader): FlowReference | undefined {
  const kind = reader.text(payload.type, `${root}/type`) ?? ''
  if (kind === 'flow') return readFlowMessage(payload, reader)
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (read) read(payload, reader)
  else readUnknownKind(payload, reader)
  return undefined
}

const refused = (path: string, message: string): CheckedInteractive => ({ ok: false, issues: [{ path, message }] })
