import { isLongerThan } from '../base/chars.ts'
import { isObject, type JsonObject } from '../base/json.ts'
import { footerCharsMax, headerCharsMax } from '../base/upstreamLimits.ts'
import { linkCharsMax } from '../templates/limits.ts'
import { isWebAddress, mediaIdProblem } from '../templates/values.ts'
import type { Reader } from './reader.ts'

// docs/upstream.md#interactive-messages: the parts that the kinds share.

/** The root of every pointer: the payload stands in the send body's `content`. */
export const root = '/content'

const mediaKinds = ['image', 'video', 'document'] as const
const headerKinds = ['text', ...mediaKinds] as const

/** Header, body and footer. Only a list is restricted to text headers. */
export function readFrame(payload: JsonObject, bodyCharsMax: number, headers: 'any' | 'text', reader: Reader): void {
  if (payload.header !== undefined) readHeader(payload.header, headers, reader)
  const body = reader.object(payload.body, `${root}/body`)
  if (body) reader.text(body.text, `${root}/body/text`, bodyCharsMax)
  if (payload.footer === undefined) return
  const footer = reader.object(payload.footer, `${root}/footer`)
  if (footer) reader.text(footer.text, `${root}/footer/text`, footerCharsMax)
}

function readHeader(value: unknown, headers: 'any' | 'text', reader: Reader): void {
  const path = `${root}/header`
  const header = reader.object(value, path)
  if (!header) return
  const kind = reader.oneOf(header.type, `${path}/type`, headers === 'text' ? ['text'] : headerKinds)
  if (kind === 'text') reader.text(header.text, `${path}/text`, headerCharsMax)
  else if (kind) readMedia(header[kind], `${path}/${kind}`, reader)
}

function readMedia(value: unknown, path: string, reader: Reader): void {
  const media = reader.object(value, path)
  if (!media) return
  if ((media.id === undefined) === (media.link === undefined)) reader.note(path, 'must have either id or link')
  const id = reader.optionalText(media.id, `${path}/id`)
  const idProblem = id ? mediaIdProblem(id) : undefined
  if (idProblem !== undefined) reader.note(`${path}/id`, idProblem)
  if (media.link !== undefined) readUrl(media.link, `${path}/link`, reader)
}

/** A required http or https URL. A longer one is not parsed: a host of 40,000 labels takes tens of milliseconds. */
export function readUrl(value: unknown, path: string, reader: Reader): void {
  const url = reader.text(value, path, linkCharsMax)
  if (url && !isLongerThan(url, linkCharsMax) && !isWebAddress(url)) reader.note(path, 'must be an http or https URL')
}

/** `action.name` and `action.parameters`, as `cta_url` and `flow` have them. */
export function readNamedAction(payload: JsonObject, name: string, reader: Reader): JsonObject | undefined {
  const path = `${root}/action`
  const action = reader.object(payload.action, path)
  if (!action) return undefined
  reader.oneOf(action.name, `${path}/name`, [name])
  return reader.object(action.parameters, `${path}/parameters`)
}

/** Every other kind: only the common parts are checked; the upstream judges the rest. */
export function readUnknownKind(payload: JsonObject, reader: Reader): void {
  for (const part of ['header', 'body', 'footer', 'action'])
    if (payload[part] !== undefined) reader.object(payload[part], `${root}/${part}`)
  for (const part of ['body', 'footer']) {
    const fields = payload[part]
    if (isObject(fields) && fields.text !== undefined) reader.text(fields.text, `${root}/${part}/text`)
  }
}
