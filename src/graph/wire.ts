/**
 * The upstream platform's JSON, as types only: the components of a send, and what a template record holds. Records
 * change between versions, so all that is read is optional here, and unknown fields and enum values are accepted
 * (docs/upstream.md#template-messages, docs/upstream.md#templates).
 */

/** One value of a component. Text is the common case; every other kind is sent unchanged. */
export type ComponentParameter<M = MediaReference> =
  | { readonly type: 'text'; readonly text: string; readonly parameter_name?: string }
  | { readonly type: 'coupon_code'; readonly coupon_code: string }
  | { readonly type: 'action'; readonly action: ButtonAction }
  | { readonly type: 'payload'; readonly payload: string }
  | { readonly type: 'image'; readonly image: M }
  | { readonly type: 'video'; readonly video: M }
  | { readonly type: 'document'; readonly document: M }

export type ButtonAction =
  | { readonly thumbnail_product_retailer_id: string; readonly sections?: readonly ProductSection[] }
  | { readonly flow_token: string; readonly flow_action_data?: Readonly<Record<string, unknown>> }

/** Of a multi-product button. */
export interface ProductSection {
  readonly title: string
  readonly product_items: readonly { readonly product_retailer_id: string }[]
}

export interface MediaReference {
  readonly id: string
  /** Of a document: the name that the user sees. */
  readonly filename?: string
}

/** Media that is still to be uploaded: behind a public address, or a file that is kept here, by its id. */
export interface PendingMedia {
  readonly link: string
  readonly filename?: string
}

/** A component of a template send: only the values of its variables are sent. Order: header, body, buttons. */
export type SendComponent<M = MediaReference> =
  | { readonly type: 'header'; readonly parameters: readonly ComponentParameter<M>[] }
  | { readonly type: 'body'; readonly parameters: readonly ComponentParameter<M>[] }
  | {
      readonly type: 'button'
      readonly sub_type: string
      /** The button's place in the template, static buttons counted; a string on the wire. */
      readonly index: string
      readonly parameters: readonly ComponentParameter<M>[]
    }
  | { readonly type: 'carousel'; readonly cards: readonly SendCard<M>[] }

export interface SendCard<M = MediaReference> {
  readonly card_index: number
  readonly components: readonly SendComponent<M>[]
}

/** A component whose media links are still to be uploaded; none is stored or sent. */
export type DraftComponent = SendComponent<MediaReference | PendingMedia>

/** A component as the template listing shows it. Compare without case: listings and creation differ in it. */
export interface TemplateComponent {
  readonly type: string
  readonly format?: string
  readonly text?: string
  readonly example?: TemplateExample
  readonly buttons?: readonly TemplateButton[]
  readonly cards?: readonly { readonly components: readonly TemplateComponent[] }[]
  readonly add_security_recommendation?: boolean
  readonly code_expiration_minutes?: number
  readonly limited_time_offer?: { readonly text?: string; readonly has_expiration?: boolean }
}

export interface TemplateButton {
  readonly type: string
  readonly text?: string
  readonly url?: string
  readonly phone_number?: string
  readonly otp_type?: string
  readonly example?: string | readonly string[]
}

export interface TemplateExample {
  readonly header_text?: readonly string[]
  /** A list of rows; a bare string was seen where there is one variable. */
  readonly body_text?: string | readonly (string | readonly string[])[]
  readonly header_handle?: readonly string[]
  readonly body_text_named_params?: readonly { readonly param_name: string; readonly example: string }[]
  readonly header_text_named_params?: readonly { readonly param_name: string; readonly example: string }[]
}

/** A creation (docs/upstream.md#template-creation): names and values of components as the upstream wants them. */
export interface NewTemplateBody {
  readonly name: string
  readonly language: string
  readonly category: string
  readonly parameter_format: 'POSITIONAL' | 'NAMED'
  readonly components: readonly object[]
  readonly message_send_ttl_seconds?: number
}

/** One record of the template listing: one name in one language. */
export interface TemplateRecord {
  /** Decimal digits, possibly beyond a safe integer: always text. */
  readonly id: string
  readonly name: string
  readonly language: string
  readonly category: string
  readonly status: string
  readonly parameter_format?: string
  readonly rejected_reason?: string
  readonly components: readonly TemplateComponent[]
}
