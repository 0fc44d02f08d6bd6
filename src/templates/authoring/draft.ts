/** Shared by the server and the page: nothing here needs the runtime. */

export const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
export type Category = (typeof categories)[number]

export const parameterFormats = ['POSITIONAL', 'NAMED'] as const

/** A template as a person writes it. `componentsOf` converts it to the upstream's format. */
export interface TemplateDraft {
  readonly name: string
  readonly language: string
  readonly category: Category
  readonly parameterFormat: (typeof parameterFormats)[number]
  readonly header: HeaderDraft
  readonly body: BodyDraft
  /** Empty: no footer. */
  readonly footer: string
  readonly buttons: readonly ButtonDraft[]
  /** Empty: no carousel. */
  readonly cards: readonly CardDraft[]
  readonly offer: OfferDraft | null
  /** Of an authentication template, whose texts are the upstream's own. */
  readonly code: CodeDraft
  /** Seconds within which a message must be delivered; null: the upstream's own time. */
  readonly lifetimeSeconds: number | null
}

export const mediaKinds = ['image', 'video', 'document', 'gif'] as const
export type MediaKind = (typeof mediaKinds)[number]

export type HeaderDraft =
  | { readonly kind: 'none' | 'location' | 'product' }
  | { readonly kind: 'text'; readonly text: string; readonly example: string }
  /** `handle`: what the upload of the example gave; empty before. */
  | { readonly kind: MediaKind; readonly handle: string; readonly fileName: string }

export interface BodyDraft {
  readonly text: string
  /** A value for each variable, by what stands between its braces. */
  readonly examples: Readonly<Record<string, string>>
}

export type ButtonDraft =
  | { readonly kind: 'quickReply' | 'catalog' | 'multiProduct' | 'singleProduct' | 'voiceCall'; readonly text: string }
  | { readonly kind: 'contactInfo'; readonly text: string }
  /** `example`: what replaces the variable at the end of the address; empty without one. */
  | { readonly kind: 'url'; readonly text: string; readonly url: string; readonly example: string }
  | { readonly kind: 'phone'; readonly text: string; readonly phone: string }
  | { readonly kind: 'copyCode'; readonly example: string }
  | FlowDraft
  | OneTimeCodeDraft

export interface FlowDraft {
  readonly kind: 'flow'
  readonly text: string
  readonly flowId: string
  readonly action: 'navigate' | 'data_exchange'
  /** The first screen; empty with `data_exchange`. */
  readonly screen: string
}

export interface OneTimeCodeDraft {
  readonly kind: 'oneTimeCode'
  readonly way: (typeof codeWays)[number]
  /** Labels; empty: the upstream's own, in the language of the template. */
  readonly text: string
  readonly autofillText: string
  /** The apps that take the code, for one tap and zero tap. */
  readonly apps: readonly AppDraft[]
  /** Zero tap only. */
  readonly termsAccepted: boolean
}

export const codeWays = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'] as const

export interface AppDraft {
  readonly packageName: string
  readonly signatureHash: string
}

export interface CardDraft {
  readonly header: HeaderDraft
  /** Null: the card has no text. */
  readonly body: BodyDraft | null
  readonly buttons: readonly ButtonDraft[]
}

export interface OfferDraft {
  readonly text: string
  /** A send gives the end of the offer. */
  readonly hasExpiration: boolean
}

export interface CodeDraft {
  readonly securityRecommendation: boolean
  /** Null: nothing is said. */
  readonly expirationMinutes: number | null
}

export const emptyBody: BodyDraft = { text: '', examples: {} }

export const emptyDraft: TemplateDraft = {
  name: '',
  language: 'en_US',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  header: { kind: 'none' },
  body: emptyBody,
  footer: '',
  buttons: [],
  cards: [],
  offer: null,
  code: { securityRecommendation: true, expirationMinutes: 10 },
  lifetimeSeconds: null,
}

export const isMedia = (header: HeaderDraft): header is Extract<HeaderDraft, { kind: MediaKind }> =>
  mediaKinds.some(kind => kind === header.kind)
