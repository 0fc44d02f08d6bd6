import type { Line, Template } from '../../db/contract/records.ts'
import type { StoreReads, UsedKey } from '../../db/contract/store.ts'
import { type Issue, invalid, type Refusal } from '../base/errors.ts'
import { OutcomeUnknown, Unavailable } from '../base/unavailable.ts'
import { freeformContent, hasFile, type UpstreamIds } from '../freeform/content.ts'
import type { Freeform } from '../freeform/fields.ts'
import { failureReason, type UpstreamFault } from '../graph/answer.ts'
import type { Content } from '../graph/request.ts'
import type { FlowReference } from '../interactive/flow.ts'
import type { FileSource } from '../media/outgoing/fetch.ts'
import { type MediaLibrary, nameOf } from '../media/outgoing/library.ts'
import type { Upload } from '../media/outgoing/upload.ts'
import type { FileType } from '../message/words.ts'
import { checkForwardedAddresses } from '../templates/components.ts'
import { matchTemplate, type TemplateMatch } from '../templates/match.ts'
import { placeMedia } from '../templates/media.ts'
import type { MediaSlot } from '../templates/notes.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import { renderTemplate } from '../templates/render.ts'
import type { TemplateCache } from '../templates/shape.ts'
import { mediaIdProblem, type TemplateValues } from '../templates/values.ts'
import { type DirectSend, directFields } from './directSend.ts'
import { busy, fileRefused } from './refusals.ts'

/** What a send asks for, checked field by field. */
export type RequestedContent =
  | Freeform
  | {
      readonly type: 'text'
      readonly body: string
      readonly previewUrl: boolean
      readonly direct: DirectSend | null
    }
  | {
      readonly type: 'template'
      readonly name: string
      readonly language: string | undefined
      /** Forwarded to the upstream untouched; the other values are not used then (docs/partner-api.md#templates). */
      readonly components: readonly unknown[] | undefined
      readonly values: TemplateValues
    }
  | {
      readonly type: 'interactive'
      /** Forwarded as it is. */
      readonly payload: Readonly<Record<string, unknown>>
      /** Set when it opens a flow. */
      readonly flow: FlowReference | null
      readonly direct: DirectSend | null
    }

export type Composition =
  /** `mediaIds`: the uploaded files that the content shows. */
  | { readonly ok: true; readonly content: Content; readonly mediaIds: readonly string[] }
  | { readonly ok: false; readonly refusal: Refusal }
  /** What `usedKey` has found, and the upstream was asked for nothing. */
  | { readonly ok: false; readonly used: UsedKey | 'outdated' }

export interface ComposeParts {
  readonly read: Pick<StoreReads, 'file' | 'templatesNamed'>
  readonly templates: TemplateCache
  readonly media: MediaLibrary
  readonly templateRefresher: Pick<TemplateRefresher, 'renew'>
  /**
   * Asked before the upstream is asked for something: what has the key of the request, or `outdated` when the settings
   * that have led here hold no more.
   */
  readonly usedKey: () => Promise<UsedKey | 'outdated' | null>
}

/** A content, with where it comes from and goes to. */
export interface ToCompose {
  readonly line: Line
  /** `+` and digits, or the upstream's user id. */
  readonly recipient: string
  readonly content: RequestedContent
  /** The upstream's id of the message that it answers or reacts to. */
  readonly quotedId: string | null
}

/**
 * Turns a request into the content of the upstream's request, and makes every check that is possible before sending.
 */
export async function compose(
  parts: ComposeParts,
  accessToken: string,
  { line, recipient, content: asked, quotedId }: ToCompose,
): Promise<Composition> {
  switch (asked.type) {
    case 'text':
      return { ok: true, content: textContent(asked), mediaIds: [] }
    case 'interactive': {
      const content = { type: 'interactive', interactive: asked.payload, ...directFields(asked.direct) } as const
      return { ok: true, content, mediaIds: [] }
    }
    case 'template':
      return composeTemplate(parts, line, accessToken, asked, recipient)
    default:
      return composeFreeform(parts, line, accessToken, asked, quotedId)
  }
}

const textContent = ({ body, previewUrl, direct }: Extract<RequestedContent, { type: 'text' }>): Content => ({
  type: 'text',
  text: { body, ...(previewUrl && { preview_url: true }) },
  ...directFields(direct),
})

async function composeFreeform(
  parts: Pick<ComposeParts, 'read' | 'media' | 'usedKey'>,
  line: Line,
  accessToken: string,
  asked: Freeform,
  quotedId: string | null,
): Promise<Composition> {
  const composed = (ids: UpstreamIds, mediaIds: readonly string[] = []) =>
    ({ ok: true, content: freeformContent(asked, ids), mediaIds }) as const
  if (asked.type === 'reaction') return composed({ message_id: quotedId })
  if (!hasFile(asked)) return composed({})
  const { type: format, link, mediaId } = asked
  if (link === undefined && mediaId !== undefined && mediaIdProblem(mediaId) === undefined)
    return composed({ id: mediaId })
  const found = link === undefined ? await keptFile(parts.read, line.workspaceId, mediaId) : linkSource(link)
  if (!found.ok) return found
  const placed = await placeAll(parts, line, accessToken, [{ ...found, format }])
  if (!placed.ok) return placed
  const ids = [...placed.idBySource.values()]
  return composed({ id: ids[0] ?? null }, ids)
}

const linkSource = (link: string) => ({ ok: true, path: '/link', source: { kind: 'link', link } }) as const

/** @param mediaId none is left out: either is given */
async function keptFile(read: Pick<StoreReads, 'file'>, workspaceId: string, mediaId = '') {
  const file = await read.file({ workspaceId, fileId: mediaId })
  if (!file) {
    const refusal: Refusal = { reason: 'NOT_FOUND', message: 'mediaId names no file of this workspace.' }
    return { ok: false, refusal } as const
  }
  const { id, state, bytes, mimeType } = file
  if (state === 'stored' && bytes !== null)
    return { ok: true, path: '/mediaId', source: { kind: 'kept', id, bytes, mimeType } } as const
  return {
    ok: false,
    refusal: invalid([{ path: '/mediaId', message: `names a file that is not stored: ${state}` }]),
  } as const
}

const linkSlot = ({ path, link, format }: MediaSlot): FileSlot => ({ path, source: { kind: 'link', link }, format })

type TemplateContent = Extract<RequestedContent, { type: 'template' }>

/** @returns the template that a send names, among those that the listing has */
export async function findTemplate(
  read: Pick<StoreReads, 'templatesNamed'>,
  channelId: string,
  asked: Pick<TemplateContent, 'name' | 'language'>,
) {
  const records = await read.templatesNamed({ channelId, name: asked.name })
  const listed = records.filter(record => record.status !== 'DELETED')
  return matchTemplate(listed, asked.name, asked.language)
}

async function composeTemplate(
  { read, templates, media, templateRefresher, usedKey }: ComposeParts,
  line: Line,
  accessToken: string,
  asked: TemplateContent,
  recipient: string,
): Promise<Composition> {
  let match = await findTemplate(read, line.channelId, asked)
  // The stored template may be old: approvals are not sent to the callback address of an account.
  if (isRefusedByAge(match)) {
    const used = await usedKey()
    if (used) return { ok: false, used }
    if (await templateRefresher.renew(line.channelId)) match = await findTemplate(read, line.channelId, asked)
  }
  if (match.kind !== 'found') return { ok: false, refusal: noTemplate(match) }
  const { template } = match
  if (template.category === 'AUTHENTICATION' && !recipient.startsWith('+')) return { ok: false, refusal: toPhoneAlone }
  if (asked.components) {
    const issues = checkForwardedAddresses(asked.components, templates.shape(template))
    if (issues.length > 0) return { ok: false, refusal: invalid(issues) }
    // Unchanged, as is the language: it must equal the approved one exactly, and the upstream checks that.
    const code = asked.language ?? template.language
    return { ok: true, content: templateContent(template, code, asked.components), mediaIds: [] }
  }
  const rendered = renderTemplate(templates.shape(template), asked.values)
  if (!rendered.ok) return { ok: false, refusal: invalid(rendered.issues) }
  const placed =
    rendered.media.length === 0
      ? nothingToPlace
      : await placeAll({ media, usedKey }, line, accessToken, rendered.media.map(linkSlot))
  if (!placed.ok) return placed
  const components = placeMedia(rendered.components, placed.idBySource)
  return {
    ok: true,
    content: templateContent(template, template.language, components),
    mediaIds: [...placed.idBySource.values()],
  }
}

/** @returns whether a newer listing may change the result. */
const isRefusedByAge = ({ kind }: TemplateMatch<Template>) =>
  kind === 'unknownName' || kind === 'unknownLanguage' || kind === 'notApproved'

type Placement =
  | { readonly ok: true; readonly idBySource: ReadonlyMap<string, string> }
  | Exclude<Composition, { ok: true }>

const nothingToPlace: Placement = { ok: true, idBySource: new Map() }

/** A file, what it must be, and the field of the send body that gave it. */
interface FileSlot {
  readonly path: string
  readonly source: FileSource
  readonly format: FileType
}

/** Uploads all files to the line, in parallel. All files that fail are named in one refusal. */
async function placeAll(
  { media, usedKey }: Pick<ComposeParts, 'media' | 'usedKey'>,
  line: Line,
  accessToken: string,
  slots: readonly FileSlot[],
): Promise<Placement> {
  const used = await usedKey()
  if (used) return { ok: false, used }
  const upload = (slot: FileSlot) => media.place(line, accessToken, slot.source, slot.format)
  let uploads: readonly { readonly slot: FileSlot; readonly upload: Upload }[]
  try {
    uploads = await Promise.all(slots.map(async slot => ({ slot, upload: await upload(slot) })))
  } catch (error) {
    // The sender thread stops or has died. No message exists yet.
    if (!(error instanceof Unavailable || error instanceof OutcomeUnknown)) throw error
    return { ok: false, refusal: busy('The file could not be uploaded.') }
  }
  const idBySource = new Map<string, string>()
  const issues: Issue[] = []
  for (const { slot, upload } of uploads) {
    switch (upload.kind) {
      case 'uploaded':
        idBySource.set(nameOf(slot.source), upload.mediaId)
        break
      case 'unavailable':
        issues.push({ path: slot.path, message: `the file ${upload.why}` })
        break
      case 'refused':
        if (upload.fault.fault === 'upstream') return { ok: false, refusal: uploadRefusal(upload.fault) }
        issues.push({
          path: slot.path,
          message: `${fileRefused}: ${failureReason(upload.fault)}`,
        })
        break
      case 'unreachable':
        return { ok: false, refusal: uploadRefusal(null) }
      case 'busy':
        return { ok: false, refusal: busy('Too many files are being uploaded at the same time.') }
    }
  }
  return issues.length > 0 ? { ok: false, refusal: invalid(issues) } : { ok: true, idBySource }
}

/** Uploads a file that is kept here to a line. @returns the upstream's id of it there, or why there is none */
export async function placeKept(
  media: ComposeParts['media'],
  line: Line,
  accessToken: string,
  { type: format, ...file }: Omit<Extract<FileSource, { kind: 'kept' }>, 'kind'> & { readonly type: FileType },
): Promise<{ readonly ok: true; readonly mediaId: string } | { readonly ok: false; readonly refusal: Refusal }> {
  const source = { kind: 'kept', ...file } as const
  const parts = { media, usedKey: async () => null }
  const placed = await placeAll(parts, line, accessToken, [{ path: '/file', source, format }])
  if (placed.ok) return { ok: true, mediaId: placed.idBySource.get(nameOf(source)) ?? '' }
  // No idempotency key was looked for, so none was found to be used.
  return { ok: false, refusal: 'refusal' in placed ? placed.refusal : busy('The file could not be uploaded.') }
}

/** The upstream or its credentials are at fault. Nothing was sent and no message exists. */
function uploadRefusal(fault: UpstreamFault | null): Refusal {
  const why = fault ? failureReason(fault) : 'it could not be reached'
  return {
    reason: 'CHANNEL_GRAPH_ERROR',
    status: 502,
    message: `The upstream platform did not take the file: ${why}`,
    details: {
      code: fault?.code ?? null,
      subcode: fault?.subcode ?? null,
      title: fault?.title ?? null,
      details: fault?.details ?? null,
      traceId: fault?.traceId ?? null,
      retryable: fault?.retryable ?? true,
    },
  }
}

const toPhoneAlone = invalid([
  {
    path: '/templateName',
    message: 'names an authentication template, which the upstream platform sends to phone numbers alone',
  },
])

/** `components` is left out when the template has no variables. */
const templateContent = (template: Template, code: string, components: readonly unknown[]): Content => ({
  type: 'template',
  template: { name: template.name, language: { code }, ...(components.length > 0 && { components }) },
})

/** @returns why a send of a template that was not found is refused */
export function noTemplate(match: Exclude<TemplateMatch<Template>, { kind: 'found' }>): Refusal {
  switch (match.kind) {
    case 'unknownName':
      return { reason: 'NOT_FOUND', message: 'The chosen line has no template named like templateName.' }
    case 'unknownLanguage':
      return {
        reason: 'NOT_FOUND',
        message: `The template does not exist in templateLanguage; it exists in ${match.languages.join(', ')}.`,
        details: { languages: match.languages },
      }
    case 'notApproved':
      return {
        reason: 'TEMPLATE_NOT_APPROVED',
        message: `The template is not approved: its status is ${match.status}.`,
        details: { status: match.status },
      }
    case 'ambiguousLanguage':
      return {
        ...invalid([
          {
            path: '/templateLanguage',
            message: `must name one of the template's languages: ${match.languages.join(', ')}`,
          },
        ]),
      }
  }
}
