import type { SendSettings } from '../../db/contract/store.ts'
import type { EpochMs } from '../base/clock.ts'
import type { Freeform } from '../freeform/fields.ts'
import type { FlowReference } from '../interactive/check.ts'
import type { OnOptOut } from '../message/optOut.ts'
import type { TemplateValues } from '../templates/values.ts'
import type { DirectSend } from './directSend.ts'

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

/** A send as its body says it, checked field by field; nothing has been looked up yet. */
export interface SendRequest {
  /** `+` and digits; null when the recipient is a contact, or named by its user id. */
  readonly phone: string | null
  readonly contactId: string | null
  /** The upstream's id of the recipient. */
  readonly userId: string | null
  readonly phoneNumberId: string | null
  readonly content: RequestedContent
  /** The message that it answers: our id of it, or the upstream's. */
  readonly replyTo: string | null
  /** Refused unless the upstream's window for everything is open. */
  readonly requireOpenWindow: boolean
  /** The contact's active flow sessions are closed before sending; only the named line's when one is named. */
  readonly revalidateFlowSession: boolean
  readonly idempotencyKey: string | null
  /** The caller's own word for the message. */
  readonly reference: string | null
  /** The id that its message gets: that of an item of a batch was chosen, and stored, before. Null: a new one. */
  readonly messageId: string | null
  /** The id of the message that it repeats. */
  readonly againOf: string | null
  /** When it is to be sent, as its caller asks; null: now. */
  readonly sendAt: EpochMs | null
  /** The caller's body without key and time, of which it can be made anew later; null: it cannot wait. */
  readonly body: (() => object) | null
  /** The SHA-256 of the canonical body; computed only when there is a key to keep it with. */
  readonly fingerprint: () => string
}

/** The caller of a send, and its request. */
export interface SendCaller {
  readonly workspaceId: string
  /** Null for somebody in the console. */
  readonly keyId: string | null
  /** The lines that it sends from and sees; null: all of the workspace. */
  readonly lineIds: readonly string[] | null
  /** Of its API key: marketing to who wants none. Null: as the workspace has it. */
  readonly onOptOut: OnOptOut | null
  /** The scope of idempotency keys: that of the API key; without a key, the id of the workspace. */
  readonly scope: string
  /** The caller's `X-Request-Id`; null when it gave none. */
  readonly requestId: string | null
  /** The caller's `traceparent`; null when it gave none. */
  readonly traceparent: string | null
  /** What decides on it, as it was read with the key; null: not read yet. */
  readonly settings: SendSettings | null
  /**
   * Reads the caller anew, where its settings were read with the key and no acceptance has shown that they hold, and
   * behind what a stranger was asked. It throws when this is no caller any more.
   */
  readonly renew: () => Promise<SendCaller>
}
