import type { EpochMs } from '../../base/clock.ts'
import { isObject, isText } from '../../base/json.ts'
import { cardBodyCharsMax, cardsMax, cardsMin } from '../../base/upstreamLimits.ts'
import type { Media } from '../state/media.ts'
import type { Parts, Plan } from '../state/records.ts'
import { checkButtons } from './buttons.ts'
import { checkCounts, checkFilled, checkNames, checkText, type SentCard } from './parts.ts'
import { PROBLEMS } from './problems.ts'
import { firstRefusal, type Refusal } from './refusals.ts'

/**
 * Cards of a carousel send. A media-card carousel has exactly as many cards as its template, and `card_index` names
 * each from 0 on exactly once. Every card has its header and all that its own template card asks for.
 */
export function checkCarousel(plan: Plan, sent: readonly SentCard[] | undefined): Refusal | undefined {
  const { cards } = plan
  if (!cards) return sent && PROBLEMS.componentStatic('carousel')
  if (!sent) return PROBLEMS.carouselMissing()
  const isProducts = hasProducts(cards)
  // A product carousel is stored with two cards, and may be sent with more.
  const isCountRight = isProducts ? sent.length >= cardsMin && sent.length <= cardsMax : sent.length === cards.length
  if (!isCountRight) return PROBLEMS.cardCount()

  const seen = new Set<number>()
  for (const { cardIndex } of sent) {
    if (cardIndex !== undefined && typeof cardIndex !== 'number')
      return PROBLEMS.wrongType("template['components']['cards']['card_index']", 'an integer')
    if (cardIndex === undefined || seen.has(cardIndex)) return PROBLEMS.cardIndex()
    if (!Number.isInteger(cardIndex) || cardIndex < 0 || cardIndex >= sent.length)
      return PROBLEMS.cardIndexRange(cardIndex)
    seen.add(cardIndex)
  }
  return firstRefusal(sent, card => checkCard(cardOf(cards, card), card, plan.named))
}

const hasProducts = (cards: readonly Parts[]): boolean => cards[0]?.header?.format === 'PRODUCT'

/** All cards of a carousel have the same structure, so a product card beyond the stored ones follows the first. */
function cardOf(cards: readonly Parts[], sent: SentCard): Parts | undefined {
  return typeof sent.cardIndex === 'number' ? (cards[sent.cardIndex] ?? cards[0]) : cards[0]
}

function checkCard(card: Parts | undefined, { parts }: SentCard, named: boolean): Refusal | undefined {
  if (!card) return PROBLEMS.cardCount()
  if (parts.cards || parts.offer) return PROBLEMS.componentStatic(parts.cards ? 'carousel' : 'limited_time_offer')
  const [header, second] = parts.header ?? []
  const expected = card.header?.format ?? 'IMAGE'
  if (!header) return PROBLEMS.cardCount()
  if (header.type.toUpperCase() !== expected || second)
    return PROBLEMS.headerFormat('header', expected, header.type.toUpperCase())
  const media = header.value[header.type]
  if (expected !== 'PRODUCT' && !(isObject(media) && isText(media.id) && /^\d+$/.test(media.id)))
    return PROBLEMS.mediaNotAnId('header')
  if (expected === 'PRODUCT' && !(isObject(media) && isText(media.product_retailer_id)))
    return PROBLEMS.missing('header: product_retailer_id is required')
  const other = parts.body.find(parameter => parameter.type !== 'text')
  if (other) return PROBLEMS.parameterKind('card body', other.type)
  return (
    checkCounts(card, parts, 'card ') ??
    checkNames('card body', parts.body, card.body.variables, named) ??
    checkText('card body', parts.body) ??
    checkButtons(card.buttons, parts.buttons, { inCard: true, named })
  )
}

/** The uploaded file of every card: known, of this line, of the right kind. */
export function checkCarouselMedia(
  plan: Plan,
  sent: readonly SentCard[] | undefined,
  { media, lineId, now }: { readonly media: Media; readonly lineId: string; readonly now: EpochMs },
): Refusal | undefined {
  if (!plan.cards || hasProducts(plan.cards)) return undefined
  return firstRefusal(sent ?? [], ({ parts }) => {
    const [header] = parts.header ?? []
    return header && media.checkReference(header.type, header.value[header.type], lineId, now)
  })
}

/** The length of every card's text once its variables are filled. */
export function checkCarouselTexts(plan: Plan, sent: readonly SentCard[] | undefined): Refusal | undefined {
  return firstRefusal(sent ?? [], card => {
    const body = plan.cards && cardOf(plan.cards, card)?.body
    return body && checkFilled('card body', body.text, body.variables, card.parts.body, cardBodyCharsMax)
  })
}
