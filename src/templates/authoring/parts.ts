import { lifetimeSeconds } from '../../base/upstreamLimits.ts'
import {
  type ButtonDraft,
  type CardDraft,
  type Category,
  emptyBody,
  type HeaderDraft,
  type TemplateDraft,
} from './draft.ts'
import { variablesIn } from './texts.ts'

/** What a draft may be made of, and what it becomes when its category or kind is changed. Shared with the page. */

export const headerKinds: readonly HeaderDraft['kind'][] = [
  'none',
  'text',
  'image',
  'video',
  'document',
  'gif',
  'location',
  'product',
]
export const offerHeaderKinds: readonly HeaderDraft['kind'][] = ['none', 'image', 'video']
export const cardHeaderKinds: readonly HeaderDraft['kind'][] = ['image', 'video', 'product']

export const buttonKinds: readonly ButtonDraft['kind'][] = [
  'quickReply',
  'url',
  'phone',
  'copyCode',
  'flow',
  'voiceCall',
  'contactInfo',
  'catalog',
  'multiProduct',
  'singleProduct',
]
export const offerButtonKinds: readonly ButtonDraft['kind'][] = ['copyCode', 'url']
export const cardButtonKinds: readonly ButtonDraft['kind'][] = ['quickReply', 'url', 'phone']
export const productButtonKinds: readonly ButtonDraft['kind'][] = ['singleProduct', 'url']

/** @returns an empty header of this kind; what was written stays where it fits */
export function headerOf(kind: HeaderDraft['kind'], before: HeaderDraft = { kind: 'none' }): HeaderDraft {
  if (before.kind === kind) return before
  switch (kind) {
    case 'none':
    case 'location':
    case 'product':
      return { kind }
    case 'text':
      return { kind, text: '', example: '' }
    default:
      return { kind, handle: '', fileName: '' }
  }
}

/** The labels that a new button begins with; the others begin empty. */
const labels: Partial<Readonly<Record<ButtonDraft['kind'], string>>> = {
  catalog: 'View catalog',
  multiProduct: 'View items',
  singleProduct: 'View',
  voiceCall: 'Call now',
  contactInfo: 'Share number',
}

export function buttonOf(kind: ButtonDraft['kind']): ButtonDraft {
  const text = labels[kind] ?? ''
  switch (kind) {
    case 'url':
      return { kind, text, url: 'https://', example: '' }
    case 'phone':
      return { kind, text, phone: '' }
    case 'copyCode':
      return { kind, example: '' }
    case 'flow':
      return { kind, text, flowId: '', action: 'navigate', screen: '' }
    case 'oneTimeCode':
      return { kind, way: 'COPY_CODE', text, autofillText: '', apps: [], termsAccepted: false }
    default:
      return { kind, text }
  }
}

export const emptyCard: CardDraft = { header: headerOf('image'), body: emptyBody, buttons: [buttonOf('quickReply')] }

/** @returns a card of the same structure, without words and file */
export const emptyLike = ({ header, body, buttons }: CardDraft): CardDraft => ({
  header: headerOf(header.kind),
  body: body && emptyBody,
  buttons,
})

/** Other buttons fit a product than a file. */
export const withHeader = (card: CardDraft, kind: HeaderDraft['kind']): CardDraft => {
  const isOther = (kind === 'product') !== (card.header.kind === 'product')
  const buttons = isOther ? [buttonOf(kind === 'product' ? 'singleProduct' : 'quickReply')] : card.buttons
  return { ...card, header: headerOf(kind, card.header), buttons }
}

export type Kind = 'message' | 'carousel' | 'offer'
export const kindOf = ({ cards, offer }: TemplateDraft): Kind =>
  cards.length > 0 ? 'carousel' : offer ? 'offer' : 'message'

/** @returns what changes in the draft with its category, which decides what a template may have */
export function ofCategory(draft: TemplateDraft, category: Category): Partial<TemplateDraft> {
  if (category === draft.category) return {}
  if (category === 'AUTHENTICATION') {
    return {
      category,
      header: { kind: 'none' },
      body: emptyBody,
      footer: '',
      buttons: [buttonOf('oneTimeCode')],
      cards: [],
      offer: null,
    }
  }
  const lifetime = lifetimeSeconds[category] ? {} : { lifetimeSeconds: null }
  const wasCode = draft.category === 'AUTHENTICATION' ? { buttons: [] } : {}
  const plain = category === 'UTILITY' ? { cards: [], offer: null } : {}
  return { category, ...wasCode, ...plain, ...lifetime }
}

/** @returns what changes in the draft with its kind */
export function ofKind(draft: TemplateDraft, kind: string | null): Partial<TemplateDraft> {
  if (kind === kindOf(draft)) return {}
  if (kind === 'carousel')
    return { cards: [emptyCard, emptyCard], offer: null, header: { kind: 'none' }, footer: '', buttons: [] }
  if (kind === 'offer') {
    const header = draft.header.kind === 'video' ? draft.header : headerOf('image', draft.header)
    const buttons = offerButtonKinds.map(buttonOf)
    return { offer: { text: '', hasExpiration: true }, cards: [], header, footer: '', buttons }
  }
  return { cards: [], offer: null }
}

/** @returns the text with the next variable at its end */
export function withVariable(text: string, format: TemplateDraft['parameterFormat']): string {
  const count = variablesIn(text).length + 1
  const gap = text === '' || /\s$/.test(text) ? '' : ' '
  return `${text}${gap}{{${format === 'NAMED' ? `name_${count}` : count}}}`
}
