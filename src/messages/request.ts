import type { FlowReference } from '../interactive/flow.ts'
import type { TemplateValues } from '../templates/values.ts'

/** A send as its body says it, checked field by field; nothing has been looked up yet. */
export interface SendRequest {
  /** `+` and digits; null when the recipient is a contact. */
  readonly phone: string | null
  readonly contactId: string | null
  readonly phoneNumberId: string | null
  readonly content: RequestedContent
  /** The contact's active flow sessions are closed before sending; only the named line's when one is named. */
  readonly revalidateFlowSession: boolean
  readonly idempotencyKey: string | null
  /** The SHA-256 of the canonical body; computed only when there is a key to keep it with. */
  readonly fingerprint: () => string
}

export type RequestedContent =
  | { readonly type: 'text'; readonly body: string }
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
    }
