import { charCount } from '../base/chars.ts'
import type { JsonObject } from '../base/json.ts'
import { bodyCharsMax, cardBodyCharsMax, cardBreaksMax, cardsMax, cardsMin } from '../base/upstreamLimits.ts'
import { readLink } from './buttons.ts'
import { readHeader, readOnlyBody, root } from './parts.ts'
import { readProduct } from './products.ts'
import type { Reader } from './reader.ts'

/**
 * Two to ten cards of one kind, each with a picture or a video and a link, or with a product of one catalog. There is a
 * text above them, and nothing else outside of the cards.
 */
export function readCarouselMessage(payload: JsonObject, reader: Reader): void {
  readOnlyBody(payload, bodyCharsMax, reader)
  const action = reader.object(payload.action, `${root}/action`)
  if (!action) return
  const path = `${root}/action/cards`
  const cards = reader.list(action.cards, path, cardsMin, cardsMax)
  const first = { kind: undefined, header: undefined, catalog: undefined } as Shared
  const places = new Map<string, string>()
  cards.forEach((value, at) => {
    const card = reader.object(value, `${path}/${at}`)
    if (card) readCard(card, `${path}/${at}`, { first, places, count: cards.length, reader })
  })
}

/** What all cards share: as the first one has it. */
interface Shared {
  kind: string | undefined
  header: string | undefined
  catalog: unknown
}

interface CardContext {
  readonly first: Shared
  readonly places: Map<string, string>
  readonly count: number
  readonly reader: Reader
}

function readCard(card: JsonObject, path: string, { first, places, count, reader }: CardContext): void {
  const index = reader.whole(card.card_index, `${path}/card_index`, 0, count - 1)
  if (index !== undefined) reader.unique(String(index), `${path}/card_index`, places)
  const kind = reader.oneOf(card.type, `${path}/type`, ['cta_url', 'product'])
  first.kind ??= kind
  if (kind !== undefined && kind !== first.kind) reader.note(`${path}/type`, 'must be the same for all cards')
  const action = reader.object(card.action, `${path}/action`)
  if (kind === 'product') {
    if (!action) return
    readProduct(action, `${path}/action`, reader)
    first.catalog ??= action.catalog_id
    if (action.catalog_id !== first.catalog) reader.note(`${path}/action/catalog_id`, 'must be the same for all cards')
    return
  }
  if (action) readLink(action, `${path}/action`, reader)
  const header = readHeader(card.header, `${path}/header`, ['image', 'video'], reader)
  first.header ??= header
  if (header !== first.header) reader.note(`${path}/header/type`, 'must be the same for all cards')
  if (card.body === undefined) return
  const body = reader.object(card.body, `${path}/body`)
  const text = body && reader.text(body.text, `${path}/body/text`, cardBodyCharsMax)
  if (text && charCount(text.replace(/[^\n]/g, '')) > cardBreaksMax)
    reader.note(`${path}/body/text`, `must have at most ${cardBreaksMax} line breaks`)
}
