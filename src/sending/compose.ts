import type { Channel, Template } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { Credentials } from '../base/credentials.ts'
import { invalid, type Refusal } from '../base/errors.ts'
import { didYouMean } from '../base/nearName.ts'
import { freeformContent, hasFile } from '../freeform/content.ts'
import type { Freeform } from '../freeform/fields.ts'
import { type Content, sendRequest } from '../graph/request.ts'
import { checkForwardedAddresses } from '../templates/forwardedComponents.ts'
import { matchTemplate, type TemplateMatch } from '../templates/match.ts'
import { placeMedia } from '../templates/media.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import { renderTemplate } from '../templates/renderComponents.ts'
import type { TemplateCache } from '../templates/shape.ts'
import { directFields } from './directSend.ts'
import { type LineAccess, type PlaceParts, placeFile, placeMentioned } from './media.ts'
import type { RequestedContent } from './request.ts'
import type { Stopped } from './sendKey.ts'

export type Composition =
  | {
      readonly ok: true
      readonly content: Content
      /** The uploaded files that it shows. */
      readonly mediaIds: readonly string[]
      /** That of its template, as the platform lists it. */
      readonly category?: string
    }
  | { readonly ok: false; readonly refusal: Refusal }
  | { readonly ok: false; readonly stopped: Stopped }

export interface ComposeParts extends PlaceParts {
  readonly read: PlaceParts['read'] & Pick<StoreReads, 'templatesNamed' | 'templateStep'>
  readonly templates: TemplateCache
  readonly templateRefresher: Pick<TemplateRefresher, 'renew'>
}

/** A content, with where it comes from and goes to. */
export interface ToCompose extends LineAccess {
  /** `+` and digits, or the upstream's user id. */
  readonly recipient: string
  readonly content: RequestedContent
  /** The upstream's id of the message that it answers or reacts to. */
  readonly quotedId: string | null
}

/** A content with the id of its message, and who sends it. */
export interface Addressed extends Omit<ToCompose, 'accessToken'> {
  readonly id: string
  readonly channel: Channel | null | undefined
  /** What its caller sees. */
  readonly read: ComposeParts['read']
}

export interface WriteParts extends Omit<ComposeParts, 'read' | 'beforeAsking'> {
  readonly credentials: Credentials
}

/** Writes the upstream's request of a message. */
export async function write(
  { credentials, templates, media, templateRefresher }: WriteParts,
  { id, channel, read, ...asked }: Addressed,
  beforeAsking: ComposeParts['beforeAsking'],
) {
  if (!channel) throw new Error('a line without its channel')
  const accessToken = credentials.open(channel, 'accessToken')
  const composeParts = { read, templates, media, templateRefresher, beforeAsking }
  const composition = await compose(composeParts, { ...asked, accessToken })
  if (!composition.ok) return composition
  const { content, mediaIds, category = null } = composition
  const language = content.type === 'template' ? content.template.language.code : null
  const payload = sendRequest(asked.recipient, content, id, asked.quotedId)
  return { ok: true, payload, language, category, mediaIds, accessToken } as const
}

/** The upstream's request of a message. */
export type Written = Extract<Awaited<ReturnType<typeof write>>, { ok: true }>

/**
 * Turns a request into the content of the upstream's request, and makes every check that is possible before sending.
 */
export async function compose(parts: ComposeParts, to: ToCompose): Promise<Composition> {
  const { content: asked } = to
  switch (asked.type) {
    case 'text':
      return { ok: true, content: textContent(asked), mediaIds: [] }
    case 'interactive': {
      const content = { type: 'interactive', interactive: asked.payload, ...directFields(asked.direct) } as const
      return { ok: true, content, mediaIds: [] }
    }
    case 'template':
      return composeTemplate(parts, to, asked)
    default:
      return composeFreeform(parts, to, asked)
  }
}

const textContent = ({ body, previewUrl, direct }: Extract<RequestedContent, { type: 'text' }>): Content => ({
  type: 'text',
  text: { body, preview_url: previewUrl || undefined },
  ...directFields(direct),
})

async function composeFreeform(parts: PlaceParts, to: ToCompose, asked: Freeform): Promise<Composition> {
  if (!hasFile(asked)) {
    const ids = asked.type === 'reaction' ? { message_id: to.quotedId } : {}
    return { ok: true, content: freeformContent(asked, ids), mediaIds: [] }
  }
  const file = await placeFile(parts, to, asked)
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

async function composeTemplate(parts: ComposeParts, to: ToCompose, asked: TemplateContent): Promise<Composition> {
  const { read, templates } = parts
  const { line, recipient } = to
  let match = await findTemplate(read, line.channelId, asked)
  // The stored template may be old: approvals are not sent to the callback address of an account.
  if (isRefusedByAge(match)) {
    const stopped = await parts.beforeAsking()
    if (stopped) return { ok: false, stopped }
    if ((await parts.templateRefresher.renew(line.channelId)) === 'read')
      match = await findTemplate(read, line.channelId, asked)
  }
  if (match.kind === 'unknownName')
    return { ok: false, refusal: await noSuchTemplate(read, line.channelId, asked.name) }
  if (match.kind !== 'found') return { ok: false, refusal: noTemplate(match) }
  const { template } = match
  const { category } = template
  if (category === 'AUTHENTICATION' && !recipient.startsWith('+')) return { ok: false, refusal: toPhoneAlone }
  if (asked.components) {
    const issues = checkForwardedAddresses(asked.components, templates.shape(template))
    if (issues.length > 0) return { ok: false, refusal: invalid(issues) }
    // Unchanged, as is the language: it must equal the approved one exactly, and the upstream checks that.
    const code = asked.language ?? template.language
    return { ok: true, content: templateContent(template, code, asked.components), mediaIds: [], category }
  }
  const rendered = renderTemplate(templates.shape(template), asked.values)
  if (!rendered.ok) return { ok: false, refusal: invalid(rendered.issues) }
  const placed = await placeMentioned(parts, to, rendered)
  if (!placed.ok) return placed
  const components = placeMedia(rendered.components, placed.files)
  const content = templateContent(template, template.language, components)
  return { ok: true, content, mediaIds: placed.mediaIds, category }
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

const templateContent = (template: Template, code: string, components: readonly unknown[]): Content => ({
  type: 'template',
  template: { name: template.name, language: { code }, components: components.length > 0 ? components : undefined },
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
