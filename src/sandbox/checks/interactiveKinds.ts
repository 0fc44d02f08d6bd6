import { charCount } from '../../base/chars.ts'
import { isObject, isText, type JsonObject } from '../../base/json.ts'
import {
  bodyCharsMax,
  callMinutesMax,
  cardBodyCharsMax,
  cardLineBreaksMax,
  cardsMax,
  cardsMin,
  footerCharsMax,
  headerCharsMax,
  linkTextCharsMax,
  productSectionsMax,
  productsMax,
  sectionTitleCharsMax,
} from '../../base/upstreamLimits.ts'
import { isHttpAddress } from '../state/media.ts'
import { PROBLEMS } from './problems.ts'
import { firstRefusal, type Refusal } from './refusals.ts'

export type CheckReference = (kind: string, reference: unknown) => Refusal | undefined

/** There is no limit where the upstream names none. */
const unlimited = Number.POSITIVE_INFINITY

/** A required text within an object: there, a string, not empty, not too long. */
export function text(holder: unknown, path: string, key: string, max = unlimited): Refusal | undefined {
  const value = isObject(holder) ? holder[key] : undefined
  if (value === undefined) return PROBLEMS.missing(`The parameter ${path} is required.`)
  if (!isText(value)) return PROBLEMS.wrongType(path, 'a string')
  if (value.trim() === '') return PROBLEMS.invalid(`${path} cannot be empty`)
  return charCount(value) > max ? PROBLEMS.invalid(`${path}: length should be at most ${max}`) : undefined
}

/** A label and an address, of a button that opens it. */
export const checkAddress = (holder: unknown, path: string): Refusal | undefined =>
  text(holder, `${path}['display_text']`, 'display_text', linkTextCharsMax) ??
  text(holder, `${path}['url']`, 'url') ??
  (isObject(holder) && isText(holder.url) && isHttpAddress(holder.url)
    ? undefined
    : PROBLEMS.invalid(`${path}['url'] is not a valid address`))

/** What a kind of interactive message has around its action, and how that is checked. */
interface Kind {
  readonly header: 'none' | 'text' | 'required text' | 'unchecked'
  readonly body: 'required' | 'optional' | 'unchecked'
  readonly footer: boolean
  /** Of `action`; left out: it has none. */
  readonly name?: string
  readonly check?: (action: JsonObject, checkMedia: CheckReference) => Refusal | undefined
}

/** Nothing of it but its action is checked. */
const unchecked: Kind = { header: 'unchecked', body: 'unchecked', footer: true }
/** A sentence with a button of the app. */
const request: Kind = { header: 'none', body: 'required', footer: false }
const action = "interactive['action']"

/** The kinds besides those with buttons, lists, links and flows (docs/upstream.md#interactive-messages). */
export const otherKinds = {
  location_request_message: { ...request, name: 'send_location' },
  request_contact_info: { ...request, name: 'request_contact_info' },
  call_permission_request: { ...request, body: 'optional', name: 'call_permission_request' },
  voice_call: { ...request, header: 'text', name: 'voice_call', check: checkCall },
  address_message: {
    ...request,
    name: 'address_message',
    check: ({ parameters }) => text(parameters, `${action}['parameters']['country']`, 'country'),
  },
  product: { header: 'none', body: 'optional', footer: true, check: given => checkProduct(given, action) },
  product_list: { header: 'required text', body: 'required', footer: true, check: checkProducts },
  catalog_message: { header: 'none', body: 'required', footer: true, name: 'catalog_message' },
  carousel: { header: 'none', body: 'required', footer: false, check: checkCards },
  order_details: unchecked,
  order_status: unchecked,
} as const satisfies Readonly<Record<string, Kind>>

export type OtherKind = keyof typeof otherKinds

export function checkOtherKind(kind: OtherKind, given: JsonObject, checkMedia: CheckReference): Refusal | undefined {
  const { header, body, footer, name, check }: Kind = otherKinds[kind]
  const sent = isObject(given.action) ? given.action : {}
  const isBodyLeftOut = body === 'unchecked' || (body === 'optional' && given.body === undefined)
  return (
    (isBodyLeftOut ? undefined : text(given.body, "interactive['body']['text']", 'text', bodyCharsMax)) ??
    checkFooter(given.footer, footer) ??
    checkHeader(given.header, header) ??
    (name !== undefined && sent.name !== name ? PROBLEMS.notOneOf(`${action}['name']`, [name]) : undefined) ??
    check?.(sent, checkMedia)
  )
}

function checkFooter(footer: unknown, isTaken: boolean): Refusal | undefined {
  if (footer === undefined) return undefined
  return isTaken
    ? text(footer, "interactive['footer']['text']", 'text', footerCharsMax)
    : PROBLEMS.unexpectedKey('interactive', 'footer')
}

function checkHeader(header: unknown, kind: Kind['header']): Refusal | undefined {
  if (kind === 'unchecked') return undefined
  if (header === undefined)
    return kind === 'required text' ? PROBLEMS.missing("The parameter interactive['header'] is required.") : undefined
  if (kind === 'none') return PROBLEMS.unexpectedKey('interactive', 'header')
  if (!isObject(header) || header.type !== 'text') return PROBLEMS.notOneOf("interactive['header']['type']", ['text'])
  return text(header, "interactive['header']['text']", 'text', headerCharsMax)
}

function checkCall({ parameters = {} }: JsonObject): Refusal | undefined {
  const path = `${action}['parameters']`
  if (!isObject(parameters)) return PROBLEMS.notAnObject(path)
  const { display_text: label, ttl_minutes: minutes, payload } = parameters
  if (
    minutes !== undefined &&
    !(Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= callMinutesMax)
  )
    return PROBLEMS.invalid(`${path}['ttl_minutes']: 1 to ${callMinutesMax}`)
  if (payload !== undefined && !isText(payload)) return PROBLEMS.wrongType(`${path}['payload']`, 'a string')
  return label === undefined ? undefined : text(parameters, `${path}['display_text']`, 'display_text', linkTextCharsMax)
}

const checkProduct = (holder: unknown, path: string): Refusal | undefined =>
  text(holder, `${path}['catalog_id']`, 'catalog_id') ??
  text(holder, `${path}['product_retailer_id']`, 'product_retailer_id')

function checkProducts(given: JsonObject): Refusal | undefined {
  const catalog = text(given, `${action}['catalog_id']`, 'catalog_id')
  if (catalog) return catalog
  const { sections } = given
  if (!Array.isArray(sections) || sections.length < 1 || sections.length > productSectionsMax)
    return PROBLEMS.invalid(`sections: 1 to ${productSectionsMax}`)
  let products = 0
  const wrong = firstRefusal(sections.entries(), ([at, section]) => {
    const path = `${action}['sections'][${at}]`
    const isUntitled = sections.length === 1 && isObject(section) && section.title === undefined
    const title = isUntitled ? undefined : text(section, `${path}['title']`, 'title', sectionTitleCharsMax)
    const items: unknown[] = isObject(section) && Array.isArray(section.product_items) ? section.product_items : []
    products += items.length
    const of = `${path}['product_items']`
    return title ?? firstRefusal(items, item => text(item, `${of}['product_retailer_id']`, 'product_retailer_id'))
  })
  if (wrong) return wrong
  return products < 1 || products > productsMax ? PROBLEMS.invalid(`products: 1 to ${productsMax}`) : undefined
}

function checkCards({ cards, ...others }: JsonObject, checkMedia: CheckReference): Refusal | undefined {
  const [other] = Object.keys(others)
  if (other !== undefined) return PROBLEMS.unexpectedKey(action, other)
  if (!Array.isArray(cards) || cards.length < cardsMin || cards.length > cardsMax)
    return PROBLEMS.invalid(`cards: ${cardsMin} to ${cardsMax}`)
  const of = (read: (card: JsonObject) => unknown) => new Set(cards.map(card => (isObject(card) ? read(card) : null)))
  const indexes = of(card => card.card_index)
  if (cards.some((_, at) => !indexes.has(at))) return PROBLEMS.invalid('carousel: card indexes count from 0')
  const headers = of(({ header }) => (isObject(header) ? header.type : undefined))
  const catalogs = of(({ action: inCard }) => (isObject(inCard) ? inCard.catalog_id : undefined))
  if (of(card => card.type).size > 1 || headers.size > 1 || catalogs.size > 1)
    return PROBLEMS.invalid('carousel: all cards have the same type, kind of header and catalog')
  return firstRefusal(cards.entries(), ([at, card]) => checkCard(card, `${action}['cards'][${at}]`, checkMedia))
}

function checkCard(card: unknown, path: string, checkMedia: CheckReference): Refusal | undefined {
  if (!isObject(card)) return PROBLEMS.notAnObject(path)
  const inCard = card.action
  if (card.type === 'product') return checkProduct(inCard, `${path}['action']`)
  if (card.type !== 'cta_url') return PROBLEMS.notOneOf(`${path}['type']`, ['cta_url', 'product'])
  const { header, body } = card
  const kind = isObject(header) ? header.type : undefined
  if (!isObject(header) || (kind !== 'image' && kind !== 'video'))
    return PROBLEMS.notOneOf(`${path}['header']['type']`, ['image', 'video'])
  const wrong =
    checkMedia(kind, header[kind]) ??
    (body === undefined ? undefined : text(body, `${path}['body']['text']`, 'text', cardBodyCharsMax))
  if (wrong) return wrong
  if (isObject(body) && isText(body.text) && body.text.split('\n').length > cardLineBreaksMax + 1)
    return PROBLEMS.invalid(`${path}['body']['text']: at most ${cardLineBreaksMax} line breaks`)
  if (!isObject(inCard) || inCard.name !== 'cta_url') return PROBLEMS.notOneOf(`${path}['action']['name']`, ['cta_url'])
  return checkAddress(inCard.parameters, `${path}['action']['parameters']`)
}
