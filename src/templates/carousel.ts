import type { Issue } from '../base/errors.ts'
import type { DraftComponent, SendCard } from '../graph/wire.ts'
import { type CardMedia, renderCard } from './card.ts'
import type { RenderNotes } from './notes.ts'
import type { TemplateShape } from './shape.ts'
import { type CarouselCard, checkRequired, type GivenCard, type TextMap } from './values.ts'

/**
 * Fills a carousel, card by card, from `carousel.cards` and from the `c{n}_…` keys of `templateVariables`. Where a card
 * is given both ways, each value of the structured card wins, and what it leaves out is taken from the keys.
 *
 * All cards of the template must be there, each once (docs/upstream.md#carousel); `card_index` is always written, as an
 * integer, because a send without it is refused as a duplicate (docs/upstream.md#carousel).
 * @returns undefined when the template has no carousel
 */
export function renderCarousel(
  shape: TemplateShape,
  given: readonly CarouselCard[] | undefined,
  variables: TextMap,
  found: RenderNotes,
): DraftComponent | undefined {
  if (shape.cards.length === 0) {
    if (given) found.issues.push({ path: '/carousel', message: 'is not allowed: the template has no carousel' })
    return undefined
  }
  const byIndex = sortCards(given ?? [], shape.cards.length, found.issues)
  const cards: SendCard<CardMedia>[] = []
  for (const card of shape.cards) {
    const structured = byIndex.get(card.index)
    if (given && !structured && !hasKeys(shape, card.index, variables)) {
      found.issues.push({
        path: '/carousel/cards',
        message: `must have a card with index ${card.index}: the template has ${shape.cards.length} cards`,
      })
      continue
    }
    // A structured card reports its own missing values, at its own path.
    if (!structured) checkRequired(shape.requiredByCard[card.index] ?? [], variables, () => false, found.issues)
    cards.push({ card_index: card.index, components: renderCard(card, structured, variables, found) })
  }
  return { type: 'carousel', cards }
}

function sortCards(given: readonly CarouselCard[], count: number, issues: Issue[]): Map<number, GivenCard> {
  const byIndex = new Map<number, GivenCard>()
  given.forEach((card, place) => {
    const path = `/carousel/cards/${place}/index`
    const earlier = byIndex.get(card.index)
    if (!Number.isInteger(card.index) || card.index < 0 || card.index >= count)
      issues.push({ path, message: `must be an integer from 0 to ${count - 1}: the template has ${count} cards` })
    else if (earlier) issues.push({ path, message: `repeats the index of /carousel/cards/${earlier.place}` })
    else byIndex.set(card.index, { card, place })
  })
  return byIndex
}

/** Whether any key belongs to the card. If so, its missing keys are reported one by one. */
function hasKeys(shape: TemplateShape, index: number, variables: TextMap): boolean {
  return Object.keys(variables).some(key => shape.variables.get(key)?.card === index)
}
