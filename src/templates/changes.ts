import type { Channel, Template } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { TemplateWrites } from '../../db/contract/templates.ts'
import type { Clock } from '../base/clock.ts'
import type { Credentials } from '../base/credentials.ts'
import { invalid, type Refusal } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { ChannelClient } from '../graph/client.ts'
import type { TemplateCalls, TemplateChange } from '../graph/templateCalls.ts'
import { refusalSentence } from '../graph/templateRefusals.ts'
import { mediaType } from '../media/outgoing/types.ts'
import { isSameLanguage } from '../message/language.ts'
import { checkDraft } from './authoring/check.ts'
import type { MediaKind, TemplateDraft } from './authoring/draft.ts'
import { deleteProblem, editProblem, isCategoryFixed } from './authoring/lifecycle.ts'
import { componentsOf } from './authoring/wire.ts'
import type { TemplateRefresher } from './refresh.ts'
import { type Sync, syncTemplates } from './sync.ts'

export interface TemplateChangesParts {
  readonly read: Pick<StoreReads, 'templatesNamed'>
  readonly client: Pick<ChannelClient, 'listTemplates' | keyof TemplateCalls>
  readonly credentials: Pick<Credentials, 'open'>
  readonly clock: Pick<Clock, 'now'>
  readonly templateRefresher: Pick<TemplateRefresher, 'request' | 'renew'>
}

/** Writes on behalf of the signed-in person. */
type Write = TemplateWrites

export type Changed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal }

const refused = (refusal: Refusal): Changed<never> => ({ ok: false, refusal })

/**
 * Creates, edits and deletes templates at the upstream, and stores what it answers, so that the change counts before
 * the next listing. Each change is one call, never repeated. When its answer is lost, the listing is read.
 */
export class TemplateChanges {
  readonly #parts: TemplateChangesParts

  constructor(parts: TemplateChangesParts) {
    this.#parts = parts
  }

  async create(channel: Channel, draft: TemplateDraft, write: Write): Promise<Changed<Template>> {
    const issues = checkDraft(draft)
    if (issues.length > 0) return refused(invalid(issues))
    const { client, clock } = this.#parts
    const { name, language, category, parameterFormat } = draft
    const components = componentsOf(draft)
    const created = await client.createTemplate({
      accountId: channel.accountId,
      accessToken: this.#token(channel),
      template: { name, language, category, parameter_format: parameterFormat, components, ...lifetimeOf(draft) },
    })
    if (created.kind !== 'done') {
      const found = await this.#afterLoss(channel, created, () => this.#find(channel, name, language))
      return found ? { ok: true, value: found } : refused(refusalOf(created, 'created'))
    }
    const template = {
      id: newId('tpl'),
      channelId: channel.id,
      upstreamId: created.id,
      name,
      language,
      category: created.category,
      status: created.status,
      parameterFormat,
      components: JSON.stringify(components),
      updatedAt: clock.now(),
      lastUpdateAt: null,
    }
    return this.#recorded(channel, await write.recordTemplate({ action: 'create', template }))
  }

  /** Replaces everything except name, language and the format of its variables. */
  async edit(channel: Channel, stored: Template, draft: TemplateDraft, write: Write): Promise<Changed<Template>> {
    const problem = editProblem(stored.status) ?? fixedProblem(stored, draft)
    if (problem !== undefined) return refused(invalid([{ path: '', message: problem }]))
    const issues = checkDraft(draft)
    if (issues.length > 0) return refused(invalid(issues))
    const { client, clock } = this.#parts
    const components = componentsOf(draft)
    const edited = await client.editTemplate({
      upstreamId: stored.upstreamId,
      accessToken: this.#token(channel),
      change: {
        // An approved template keeps its category: the upstream refuses one that is named.
        ...(!isCategoryFixed(stored.status) && { category: draft.category }),
        components,
        ...lifetimeOf(draft),
      },
    })
    if (edited.kind !== 'done') {
      // Only the listing shows the current state.
      await this.#afterLoss(channel, edited, async () => undefined)
      return refused(refusalOf(edited, 'changed'))
    }
    const template = {
      ...stored,
      category: draft.category,
      // Whether an approved template shows PENDING meanwhile is not documented: the listing says it.
      status: stored.status === 'APPROVED' ? 'APPROVED' : 'PENDING',
      rejectedReason: null,
      components: JSON.stringify(components),
      updatedAt: clock.now(),
      lastUpdateAt: null,
    }
    return this.#recorded(channel, await write.recordTemplate({ action: 'edit', template }))
  }

  /** @param isWholeName all languages of the name, not only this one */
  async delete(channel: Channel, stored: Template, isWholeName: boolean, write: Write): Promise<Changed<null>> {
    const problem = deleteProblem(stored.status)
    if (problem !== undefined) return refused(invalid([{ path: '', message: problem }]))
    const { client, clock } = this.#parts
    const { id: templateId, name, language, upstreamId } = stored
    const deleted = await client.deleteTemplate({
      accountId: channel.accountId,
      accessToken: this.#token(channel),
      name,
      upstreamId: isWholeName ? null : upstreamId,
    })
    if (deleted.kind !== 'done') {
      const isGone = async () => ((await this.#find(channel, name, language)) ? undefined : true)
      return (await this.#afterLoss(channel, deleted, isGone))
        ? { ok: true, value: null }
        : refused(refusalOf(deleted, 'deleted'))
    }
    await write.recordDeletion({
      channelId: channel.id,
      templateId,
      name,
      language: isWholeName ? null : language,
      at: clock.now(),
    })
    this.#parts.templateRefresher.request(channel.id)
    return { ok: true, value: null }
  }

  /** Uploads the example of a header. @returns the handle that a creation names */
  async uploadExample(
    channel: Channel,
    kind: MediaKind,
    file: { fileName: string; bytes: Uint8Array },
  ): Promise<Changed<{ handle: string }>> {
    if (channel.appId === null) return refused(noApp)
    const format = kind === 'gif' ? 'video' : kind
    const mime = mediaType(format, [file.bytes], null)
    if (mime === null || !exampleTypes.includes(mime)) {
      const message = `must be ${exampleWords[kind]}: the file begins with something else`
      return refused(invalid([{ path: '/file', message }]))
    }
    const accessToken = this.#token(channel)
    const uploaded = await this.#parts.client.uploadExample({ appId: channel.appId, accessToken, mime, ...file })
    return uploaded.kind === 'done'
      ? { ok: true, value: { handle: uploaded.handle } }
      : refused(refusalOf(uploaded, 'uploaded'))
  }

  /** Reads the listing now, even if it was read recently: somebody asked for it. */
  sync(channel: Channel, write: TemplateWrites): Promise<Sync> {
    return syncTemplates({ ...this.#parts, store: { write }, channel })
  }

  #token(channel: Channel): string {
    return this.#parts.credentials.open(channel, 'accessToken')
  }

  async #find(channel: Channel, name: string, language: string): Promise<Template | undefined> {
    const named = await this.#parts.read.templatesNamed({ channelId: channel.id, name })
    return named.find(one => isSameLanguage(one.language, language) && one.status !== 'DELETED')
  }

  /** After a lost answer the listing is read and checked. */
  async #afterLoss<Value>(
    channel: Channel,
    change: TemplateChange<object>,
    look: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    if (change.kind !== 'unreachable' || !change.mayHaveHappened) return undefined
    const isRead = await this.#parts.templateRefresher.renew(channel.id)
    if (!isRead) this.#parts.templateRefresher.request(channel.id)
    return isRead ? look() : undefined
  }

  #recorded(channel: Channel, template: Template | null): Changed<Template> {
    this.#parts.templateRefresher.request(channel.id)
    return template ? { ok: true, value: template } : refused({ reason: 'NOT_FOUND', message: 'The channel is gone.' })
  }
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

const noApp: Refusal = {
  reason: 'VALIDATION_ERROR',
  message: 'An example is uploaded with the app id of the channel, and it has none. Set it: channel set-app-id.',
  details: { issues: [{ path: '/appId', message: 'is not set for the channel' }] },
}

/** The retry time when the upstream cannot be reached. */
const retryMs = 10_000

/** @param what "created", for the sentence */
function refusalOf(change: Exclude<TemplateChange<object>, { kind: 'done' }>, what: string): Refusal {
  if (change.kind === 'unreachable')
    return change.mayHaveHappened
      ? {
          reason: 'CHANNEL_GRAPH_ERROR',
          status: 502,
          message: `The answer of the upstream platform was lost: it may have been ${what}. Read the list again before you repeat it.`,
        }
      : {
          reason: 'SERVICE_UNAVAILABLE',
          message: `The upstream platform could not be reached: nothing was ${what}. Try again shortly.`,
          retryAfterMs: retryMs,
        }
  const { fault, title, words, meaning, fields } = change.refusal
  const { code, subcode, traceId, retryable } = fault
  return {
    reason: 'CHANNEL_GRAPH_ERROR',
    status: fault.fault === 'request' ? 400 : 502,
    message: refusalSentence(change.refusal),
    details: { code, subcode, title, words, meaning, fields, traceId, retryable },
  }
}
