import type { EpochMs } from '../../src/base/clock.ts'
import type { NewTemplate, Template } from './records.ts'

/** The verbs of the store for templates. */
export interface TemplateWrites {
  /**
   * Makes the channel's templates equal to the listing. Templates that are no longer listed become `DELETED`, unless
   * the listing is partial, because a partial listing may lack existing templates.
   */
  replaceTemplates(listing: {
    channelId: string
    templates: readonly NewTemplate[]
    at: EpochMs
    isPartial?: boolean
    /** When the listing was read. */
    recordedAt: EpochMs
  }): Promise<void>
  /**
   * Stores the upstream's answer to a creation or an edit, so that it takes effect before the next listing. A record of
   * that name and language keeps its id. @returns null when there is no such channel
   */
  recordTemplate(change: { action: 'create' | 'edit'; template: NewTemplate }): Promise<Template | null>
  /**
   * Marks templates as deleted that the upstream has deleted: one language, or with `language` null all of the name.
   * @param templateId the one that was chosen, for the audit
   */
  recordDeletion(change: {
    channelId: string
    templateId: string
    name: string
    language: string | null
    at: EpochMs
  }): Promise<void>
  /**
   * Applies an update of a template to the account's channels in the workspace of the channel that received it. An
   * update older than the record, or than another update of it, changes nothing.
   * @returns the ids of the channels whose listing should be read again
   */
  applyTemplateUpdate(update: {
    channelId: string
    accountId: string
    name: string
    language: string
    /** Null: the event does not say whether it can be sent. */
    status: string | null
    /** Why, in the upstream's word and sentence: told with the change, and not stored with the template. */
    reason: string | null
    recommendation: string | null
    /** The upstream's time, which may differ from ours. */
    at: EpochMs
    recordedAt: EpochMs
  }): Promise<string[]>
}
