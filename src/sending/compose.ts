import type { Line, Template } from '../../db/contract/records.ts'
import type { StoreReads, UsedKey } from '../../db/contract/store.ts'
import { invalid, type Refusal } from '../base/errors.ts'
import { didYouMean } from '../base/nearName.ts'
import { freeformContent, hasFile } from '../freeform/content.ts'
import type { Freeform } from '../freeform/fields.ts'
import type { Content } from '../graph/request.ts'
import type { FlowReference } from '../interactive/flow.ts'
import type { MediaLibrary } from '../media/outgoing/library.ts'
import { checkForwardedAddresses } from '../templates/forwardedComponents.ts'
import { matchTemplate, type TemplateMatch } from '../templates/match.ts'
import { placeMedia } from '../templates/media.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import { renderTemplate } from '../templates/renderComponents.ts'
import type { TemplateCache } from '../templates/shape.ts'
import type { TemplateValues } from '../templates/values.ts'
import { type DirectSend, directFields } from './directSend.ts'
import { placeFile, placeMentioned } from './media.ts'

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
  readonly read: Pick<StoreReads, 'file' | 'templatesNamed' | 'templateStep'>
  readonly templates: TemplateCache
  readonly media: Pick<MediaLibrary, 'place' | 'fileOf'>
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
  if (!hasFile(asked)) {
    const ids = asked.type === 'reaction' ? { message_id: quotedId } : {}
    return { ok: true, content: freeformContent(asked, ids), mediaIds: [] }
  }
  const file = await placeFile(parts, line, accessToken, asked)
  if (!file.ok) return file
  const { id, name, mediaIds } = file
  const isNamed = asked.type === 'document' && asked.fileName === undefined && name !== null
  const content = freeformContent(isNamed ? { ...asked, fileName: name } : asked, { id })
  return { ok: true, content, mediaIds }
}

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
    if ((await templateRefresher.renew(line.channelId)) === 'read')
      match = await findTemplate(read, line.channelId, asked)
  }
  if (match.kind === 'unknownName')
    return { ok: false, refusal: await noSuchTemplate(read, line.channelId, asked.name) }
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
  const placed = await placeMentioned({ read, media, usedKey }, line, accessToken, rendered)
  if (!placed.ok) return placed
  const components = placeMedia(rendered.components, placed.files)
  return {
    ok: true,
    content: templateContent(template, template.language, components),
    mediaIds: placed.mediaIds,
  }
}

/** @returns whether a newer listing may change the result. */
const isRefusedByAge = ({ kind }: TemplateMatch<Template>) =>
  kind === 'unknownName' || kind === 'unknownLanguage' || kind === 'notApproved'

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

const unknownTemplate = 'The chosen line has no template named like templateName'
const whereToLook = 'GET /templates lists all that can be sent.'

/** Names that are looked at for one that is near: those that begin with the same letters. */
const nearNamesMax = 50
const sameLetters = 2

/** @returns why a template of this name is not sent, with the name that was probably meant */
async function noSuchTemplate(
  read: Pick<StoreReads, 'templateStep'>,
  channelId: string,
  name: string,
): Promise<Refusal> {
  const after = { name: name.slice(0, sameLetters), language: '' }
  const named = await read.templateStep({ channelId, after, limit: nearNamesMax })
  const listed = named.filter(({ status }) => status !== 'DELETED')
  const near = didYouMean(
    name,
    listed.map(template => template.name),
  )
  return { reason: 'NOT_FOUND', message: `${unknownTemplate}${near === '' ? '.' : near} ${whereToLook}` }
}

/** @returns why a send of a template that was not found is refused */
export function noTemplate(match: Exclude<TemplateMatch<Template>, { kind: 'found' }>): Refusal {
  switch (match.kind) {
    case 'unknownName':
      return { reason: 'NOT_FOUND', message: `${unknownTemplate}. ${whereToLook}` }
    case 'unknownLanguage':
      return {
        reason: 'NOT_FOUND',
        message: `The template does not exist in templateLanguage; it exists in ${match.languages.join(', ')}.`,
        details: { languages: match.languages },
      }
    case 'notApproved': {
      const { status, rejectedReason: why, lastUpdateAt, updatedAt } = match.template
      const since = new Date(lastUpdateAt ?? updatedAt).toISOString()
      const because = why === null ? '' : ` (${why})`
      return {
        reason: 'TEMPLATE_NOT_APPROVED',
        message: `The template is not approved: its status is ${status}${because}, since ${since.slice(0, 10)}.`,
        details: { status, ...(why !== null && { reason: why }), since },
      }
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
