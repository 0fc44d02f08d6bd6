import type { Static } from '../../base/schema.ts'
import type { draftSchema } from './draftSchema.ts'
import { mediaKinds } from './kinds.ts'

/** Shared by the server and the page: nothing here needs the runtime. */

/** A template as a person writes it. `componentsOf` converts it to the upstream's format. */
export type TemplateDraft = Static<typeof draftSchema>
export type Category = TemplateDraft['category']
export type HeaderDraft = TemplateDraft['header']
export type BodyDraft = TemplateDraft['body']
export type ButtonDraft = TemplateDraft['buttons'][number]
export type CardDraft = TemplateDraft['cards'][number]
export type FlowDraft = Extract<ButtonDraft, { kind: 'flow' }>
export type OneTimeCodeDraft = Extract<ButtonDraft, { kind: 'oneTimeCode' }>
export type AppDraft = OneTimeCodeDraft['apps'][number]
export type MediaKind = (typeof mediaKinds)[number]

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
