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

type HeaderKind = (typeof headerKinds)[number]

/** The headers that a kind of message takes. */
const headersOf = { any: headerKinds, text: ['text'], none: [] } as const satisfies Record<
  string,
  readonly HeaderKind[]
>

/** Header, body and footer. @param body whether the text may be left out, as that of a product */
export function readFrame(
  payload: JsonObject,
  bodyCharsMax: number,
  headers: keyof typeof headersOf,
  reader: Reader,
  body: 'required' | 'optional' = 'required',
): void {
  if (headers === 'none') readNone(payload, 'header', reader)
  else if (payload.header !== undefined) readHeader(payload.header, `${root}/header`, headersOf[headers], reader)
  if (body === 'required' || payload.body !== undefined) readBody(payload, bodyCharsMax, reader)
  if (payload.footer === undefined) return
  const footer = reader.object(payload.footer, `${root}/footer`)
  if (footer) reader.text(footer.text, `${root}/footer/text`, footerCharsMax)
}

/** A text without header and footer. */
export function readOnlyBody(payload: JsonObject, bodyCharsMax: number, reader: Reader): void {
  for (const part of ['header', 'footer'] as const) readNone(payload, part, reader)
  readBody(payload, bodyCharsMax, reader)
}

function readBody(payload: JsonObject, bodyCharsMax: number, reader: Reader): void {
  const body = reader.object(payload.body, `${root}/body`)
  if (body) reader.text(body.text, `${root}/body/text`, bodyCharsMax)
}

function readNone(payload: JsonObject, part: 'header' | 'footer', reader: Reader): void {
  if (payload[part] !== undefined) reader.note(`${root}/${part}`, 'does not belong to this kind')
}

/** @returns its kind */
export function readHeader<Kind extends HeaderKind>(
  value: unknown,
  path: string,
  kinds: readonly Kind[],
  reader: Reader,
): Kind | undefined {
  const header = reader.object(value, path)
  const kind = header && reader.oneOf(header.type, `${path}/type`, kinds)
  if (kind === 'text') reader.text(header?.text, `${path}/text`, headerCharsMax)
  else if (header && kind) readMedia(header[kind], `${path}/${kind}`, reader)
  return kind
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
