import type { Issue } from '../base/errors.ts'
import { fileNameProblem } from '../base/fileName.ts'
import { isObject, type JsonObject } from '../base/json.ts'
import { type Checked, type Checker, checkCounted, closed } from '../base/schema.ts'
import { inOurNames, inUpstreamNames, writtenPath } from '../graph/fieldNames.ts'
import type { Content } from '../graph/request.ts'
import { type FileType, type FreeformType, fileTypes, freeformTypes } from '../message/words.ts'
import { fileIdProblem, isWebAddress } from '../templates/values.ts'
import { type Freeform, freeformFields } from './fields.ts'

/** One with a file. */
export type FreeformFile = Extract<Freeform, { readonly type: FileType }>

export const isFreeform = (type: unknown): type is FreeformType => freeformTypes.some(known => known === type)
const isFileType = (type: FreeformType): type is FileType => fileTypes.some(known => known === type)
export const hasFile = (asked: Freeform): asked is FreeformFile => isFileType(asked.type)

/**
 * The rules of a free-form message that a schema cannot express.
 * @param body the send's body; it may be malformed otherwise
 */
export function freeformIssues(type: FreeformType, body: JsonObject): Issue[] {
  const issues: Issue[] = []
  const { link, mediaId, caption, fileName, emoji } = body
  if (isFileType(type)) {
    if (link === undefined && mediaId === undefined)
      issues.push({ path: '/link', message: 'is required, unless mediaId is given' })
    if (link !== undefined && mediaId !== undefined)
      issues.push({ path: '/mediaId', message: 'must not be given together with link: one message, one file' })
    if (typeof link === 'string' && !isWebAddress(link))
      issues.push({ path: '/link', message: 'must be a public http or https URL' })
    const idProblem = typeof mediaId === 'string' ? fileIdProblem(mediaId) : undefined
    if (idProblem !== undefined) issues.push({ path: '/mediaId', message: idProblem })
    const nameProblem = typeof fileName === 'string' ? fileNameProblem(fileName) : undefined
    if (nameProblem !== undefined) issues.push({ path: '/fileName', message: nameProblem })
    if (typeof caption === 'string' && caption !== '' && caption.trim() === '')
      issues.push({ path: '/caption', message: 'must not be white space alone' })
  }
  if (typeof emoji === 'string' && !isEmoji(emoji))
    issues.push({ path: '/emoji', message: 'must be one emoji, or empty to take a reaction back' })
  return issues
}

const graphemes = new Intl.Segmenter()
const pictures = /\p{RGI_Emoji}|\p{Extended_Pictographic}/v

/** Segments are counted up to the second: a body may have tens of thousands. */
const isEmoji = (text: string) =>
  text === '' || (pictures.test(text) && graphemes.segment(text)[Symbol.iterator]().take(2).toArray().length === 1)

/** @returns what is asked for, of a body that has been checked and has the fields of all sends too */
export function freeformIn(body: Freeform): Freeform {
  const names = ['type', ...Object.keys(freeformFields[body.type])]
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name))) as unknown as Freeform
}

/** The fields that the upstream's request has in another form. */
const ownFields: readonly string[] = ['type', 'link', 'mediaId', 'messageId']

/** The upstream's ids in a free-form message; null where it has none. */
export interface UpstreamIds {
  /** Of its file. */
  readonly id?: string | null
  /** Of the message that it reacts to. */
  readonly message_id?: string | null
}

/** Writes the content of the upstream's request (docs/upstream.md#free-form-messages). */
export function freeformContent(asked: Freeform, ids: UpstreamIds): Content {
  const { type } = asked
  if (type === 'contacts') return { type, contacts: inUpstreamNames(asked.contacts) }
  const given = Object.entries(asked).filter(([name]) => !ownFields.includes(name))
  const known = Object.entries(ids).filter(([, id]) => id !== null)
  return {
    type,
    [type]: { ...Object.fromEntries(known), ...(inUpstreamNames(Object.fromEntries(given)) as JsonObject) },
  } as Content
}

/**
 * Reads what was asked for from the upstream's request.
 * @param sent the request
 * @returns its problems are named as it names its fields
 */
export function readFreeform(type: FreeformType, sent: JsonObject): Checked<Freeform> {
  const content = inOurNames(type === 'contacts' ? { contacts: sent[type] } : sent[type])
  if (!isObject(content)) return { ok: false, issues: [{ path: `/${type}`, message: 'must be an object' }] }
  const { id, ...given } = content
  const asked = { ...given, ...(id !== undefined && { mediaId: id }) }
  const checked = checks[type](asked)
  if (checked.ok) return { ok: true, value: { type, ...asked } as Freeform }
  const written = (path: string) => `${type === 'contacts' ? '' : `/${type}`}${path.replace(/^\/mediaId/, '/id')}`
  return {
    ok: false,
    issues: checked.issues.map(({ path, message }) => ({ path: writtenPath(sent, written(path)), message })),
  }
}

const checks = Object.fromEntries(
  freeformTypes.map(type => [type, checkCounted(closed(freeformFields[type]))]),
) as Readonly<Record<FreeformType, Checker<unknown>>>
