import type { Channel, NewTemplate, Template } from '../../db/contract/records.ts'
import type { Credentials } from '../base/credentials.ts'
import { invalid } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { ChannelClient } from '../graph/client.ts'
import type { CreatedTemplate, TemplateCalls, TemplateChange } from '../graph/templateCalls.ts'
import { refusalSentence } from '../graph/templateRefusals.ts'
import { mediaType } from '../media/outgoing/types.ts'
import { isSameLanguage } from '../message/language.ts'
import { checkDraft } from '../templates/authoring/check.ts'
import type { MediaKind, TemplateDraft } from '../templates/authoring/draft.ts'
import { deleteProblem, editProblem, isCategoryFixed } from '../templates/authoring/lifecycle.ts'
import { componentsOf } from '../templates/authoring/wire.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import { type Sync, syncTemplates } from '../templates/sync.ts'
import { type Actor, ownOf, Refused, unknown, wrong, wrongField } from './act.ts'

/*
 * Templates are created, edited and deleted at the upstream, and what it answers is stored, so that the change counts
 * before the next listing. Each change is one call, never repeated. When its answer is lost, the listing is read.
 */

export interface TemplateParts {
  readonly client: Pick<ChannelClient, 'listTemplates' | keyof TemplateCalls>
  readonly credentials: Pick<Credentials, 'open'>
  readonly templateRefresher: Pick<TemplateRefresher, 'request' | 'renew'>
}

/** @returns the channel whose templates a line sends */
export async function channelOfLine(actor: Pick<Actor, 'read' | 'workspaceId'>, lineId: string) {
  const line = ownOf(actor, await actor.read.line(lineId), 'line', lineId)
  if (line instanceof Refused) return line
  return (await actor.read.channel(line.channelId)) ?? unknown('line', lineId)
}

/** @returns the template, and its channel */
export async function templateOf(
  actor: Pick<Actor, 'read' | 'workspaceId'>,
  templateId: string,
): Promise<{ readonly channel: Channel; readonly template: Template } | Refused> {
  const template = await actor.read.template(templateId)
  if (template === null || template.status === 'DELETED') return unknown('template', templateId)
  const channel = ownOf(actor, await actor.read.channel(template.channelId), 'template', templateId)
  return channel instanceof Refused ? channel : { channel, template }
}

/** Submits a template for review, to be sent by the lines of a line's channel. */
export async function createTemplate(
  actor: Actor,
  parts: TemplateParts,
  lineId: string,
  draft: TemplateDraft,
): Promise<Template | Refused> {
  const channel = await channelOfLine(actor, lineId)
  if (channel instanceof Refused) return channel
  const issues = checkDraft(draft)
  if (issues.length > 0) return wrong(issues)
  const { name, language, category, parameterFormat } = draft
  const components = componentsOf(draft)
  const asked = { name, language, parameterFormat, components }
  const created = await parts.client.createTemplate({
    accountId: channel.accountId,
    accessToken: parts.credentials.open(channel, 'accessToken'),
    template: { name, language, category, parameter_format: parameterFormat, components, ...lifetimeOf(draft) },
  })
  if (created.kind !== 'done') {
    const isRead = await readAfterLoss(parts, channel, created)
    return (isRead && (await find(actor, channel, name, language))) || refusalOf(created, 'created')
  }
  return recorded(parts, channel, await recordCreated(actor, channel.id, asked, created))
}

/** What a creation asked for, as far as it is stored. */
type AskedTemplate = Pick<NewTemplate, 'name' | 'language' | 'parameterFormat'> & {
  readonly components: readonly unknown[]
}

/** Stores a template that the upstream has just created: it can be read and changed before the next listing. */
export const recordCreated = (
  { write, clock }: Pick<Actor, 'write' | 'clock'>,
  channelId: string,
  { components, ...asked }: AskedTemplate,
  { id: upstreamId, status, category }: CreatedTemplate,
): Promise<Template | null> => {
  const told = { upstreamId, status, category, components: JSON.stringify(components) }
  const template = { id: newId('tpl'), channelId, ...asked, ...told, updatedAt: clock.now(), lastUpdateAt: null }
  return write.recordTemplate({ action: 'create', template })
}

/** Replaces everything except name, language and the format of its variables. */
export async function editTemplate(
  actor: Actor,
  parts: TemplateParts,
  templateId: string,
  draft: TemplateDraft,
): Promise<Template | Refused> {
  const own = await templateOf(actor, templateId)
  if (own instanceof Refused) return own
  const { channel, template: stored } = own
  const problem = editProblem(stored.status) ?? fixedProblem(stored, draft)
  if (problem !== undefined) return wrongField('', problem)
  const issues = checkDraft(draft)
  if (issues.length > 0) return wrong(issues)
  const components = componentsOf(draft)
  const edited = await parts.client.editTemplate({
    upstreamId: stored.upstreamId,
    accessToken: parts.credentials.open(channel, 'accessToken'),
    change: {
      // An approved template keeps its category: the upstream refuses one that is named.
      ...(!isCategoryFixed(stored.status) && { category: draft.category }),
      components,
      ...lifetimeOf(draft),
    },
  })
  if (edited.kind !== 'done') {
    // Only the listing shows the current state.
    await readAfterLoss(parts, channel, edited)
    return refusalOf(edited, 'changed')
  }
  const template = {
    ...stored,
    category: draft.category,
    // Whether an approved template shows PENDING meanwhile is not documented: the listing says it.
    status: stored.status === 'APPROVED' ? 'APPROVED' : 'PENDING',
    rejectedReason: null,
    components: JSON.stringify(components),
    updatedAt: actor.clock.now(),
    lastUpdateAt: null,
  }
  return recorded(parts, channel, await actor.write.recordTemplate({ action: 'edit', template }))
}

/** @param isWholeName all languages of the name, not only this one. @returns what was deleted */
export async function deleteTemplate(
  actor: Actor,
  parts: TemplateParts,
  templateId: string,
  isWholeName: boolean,
): Promise<{ readonly name: string; readonly language: string | null } | Refused> {
  const own = await templateOf(actor, templateId)
  if (own instanceof Refused) return own
  const { channel, template } = own
  const problem = deleteProblem(template.status)
  if (problem !== undefined) return wrongField('', problem)
  const { name, upstreamId } = template
  const deletion = { name, language: isWholeName ? null : template.language }
  const deleted = await parts.client.deleteTemplate({
    accountId: channel.accountId,
    accessToken: parts.credentials.open(channel, 'accessToken'),
    name,
    upstreamId: isWholeName ? null : upstreamId,
  })
  if (deleted.kind !== 'done') {
    const isRead = await readAfterLoss(parts, channel, deleted)
    const isGone = isRead && !(await find(actor, channel, name, template.language))
    return isGone ? deletion : refusalOf(deleted, 'deleted')
  }
  await actor.write.recordDeletion({ channelId: channel.id, templateId, ...deletion, at: actor.clock.now() })
  parts.templateRefresher.request(channel.id)
  return deletion
}

/** Uploads the example of a header. @returns the handle that a creation names */
export async function uploadExample(
  { client, credentials }: Pick<TemplateParts, 'client' | 'credentials'>,
  channel: Channel,
  kind: MediaKind,
  file: { readonly fileName: string; readonly bytes: Uint8Array },
): Promise<{ readonly handle: string } | Refused> {
  if (channel.appId === null) return noApp
  const format = kind === 'gif' ? 'video' : kind
  const mime = mediaType(format, [file.bytes], null)
  if (mime === null || !exampleTypes.includes(mime))
    return wrongField('/file', `must be ${exampleWords[kind]}: the file begins with something else`)
  const accessToken = credentials.open(channel, 'accessToken')
  const uploaded = await client.uploadExample({ appId: channel.appId, accessToken, mime, ...file })
  return uploaded.kind === 'done' ? { handle: uploaded.handle } : refusalOf(uploaded, 'uploaded')
}

/** Reads the listing now, even if it was read recently: somebody asked for it. @returns what it brought */
export async function readTemplates(
  { write, clock }: Pick<Actor, 'write' | 'clock'>,
  parts: Pick<TemplateParts, 'credentials'> & { readonly client: Pick<ChannelClient, 'listTemplates'> },
  channel: Channel,
): Promise<Extract<Sync, { kind: 'synced' }> | Refused> {
  const { client, credentials } = parts
  const sync = await syncTemplates({ store: { write }, client, credentials, clock, channel })
  if (sync.kind === 'synced') return sync
  const message = `The templates of ${channel.id} could not be read: ${sync.message}`
  return new Refused({ reason: 'CHANNEL_GRAPH_ERROR', status: 502, message })
}

async function find({ read }: Pick<Actor, 'read'>, { id: channelId }: Channel, name: string, language: string) {
  const named = await read.templatesNamed({ channelId, name })
  return named.find(one => isSameLanguage(one.language, language) && one.status !== 'DELETED')
}

/** @returns whether the change may have happened, and the listing was read to see it */
async function readAfterLoss(
  { templateRefresher }: TemplateParts,
  { id }: Channel,
  change: TemplateChange<object>,
): Promise<boolean> {
  if (change.kind !== 'unreachable' || !change.mayHaveHappened) return false
  const isRead = (await templateRefresher.renew(id)) === 'read'
  if (!isRead) templateRefresher.request(id)
  return isRead
}

function recorded({ templateRefresher }: TemplateParts, { id }: Channel, template: Template | null) {
  templateRefresher.request(id)
  return template ?? unknown('channel', id)
}

const lifetimeOf = ({ lifetimeSeconds }: TemplateDraft) =>
  lifetimeSeconds === null ? {} : { message_send_ttl_seconds: lifetimeSeconds }

function fixedProblem(stored: Template, draft: TemplateDraft): string | undefined {
  if (draft.name !== stored.name || !isSameLanguage(draft.language, stored.language))
    return 'Name and language of a template cannot change: duplicate it instead'
  if (isCategoryFixed(stored.status) && draft.category !== stored.category)
    return 'The category of an approved template cannot change'
  const isNamed = stored.parameterFormat.toUpperCase() === 'NAMED'
  if (isNamed !== (draft.parameterFormat === 'NAMED'))
    return 'An edit cannot change between numbered and named variables: duplicate the template instead'
  return undefined
}

/** docs/upstream.md#template-creation */
const exampleTypes = ['application/pdf', 'image/jpeg', 'image/png', 'video/mp4']
const exampleWords: Readonly<Record<MediaKind, string>> = {
  image: 'a JPEG or PNG image',
  video: 'an MP4 video',
  gif: 'an MP4 video',
  document: 'a PDF',
}

const noApp = new Refused({
  ...invalid([{ path: '/appId', message: 'is not set for the channel' }]),
  message: 'An example is uploaded with the app id of the channel, and it has none. Set it: channel set-app-id.',
})

/** The retry time when the upstream cannot be reached. */
const retryMs = 10_000

/** @param what "created", for the sentence */
function refusalOf(change: Exclude<TemplateChange<object>, { kind: 'done' }>, what: string): Refused {
  if (change.kind === 'unreachable')
    return change.mayHaveHappened
      ? new Refused({
          reason: 'CHANNEL_GRAPH_ERROR',
          status: 502,
          message:
            `The answer of the upstream platform was lost: it may have been ${what}. Read the list again ` +
            `before you repeat it.`,
        })
      : new Refused({
          reason: 'SERVICE_UNAVAILABLE',
          message: `The upstream platform could not be reached: nothing was ${what}. Try again shortly.`,
          retryAfterMs: retryMs,
        })
  const { fault, title, words, meaning, fields } = change.refusal
  const { code, subcode, traceId, retryable } = fault
  return new Refused({
    reason: 'CHANNEL_GRAPH_ERROR',
    status: fault.fault === 'request' ? 400 : 502,
    message: refusalSentence(change.refusal),
    details: { code, subcode, title, words, meaning, fields, traceId, retryable },
  })
}
