import type { TemplateRecord } from '../graph/wire.ts'
import { exampleComponents } from './exampleComponents.ts'
import { type PlaceExamples, readExamples, standIns } from './examples.ts'
import { parseTemplate, type TemplateShape } from './shape.ts'
import type { CardShape } from './structure.ts'
import type { CardButtonValue, CarouselCard, TextMap } from './values.ts'

/**
 * The fields of a send that fill a template with its own examples. Only keys where that is possible: one key has one
 * value in header, body and URL. A main body with an example of its own gets it by `bodyParameters`, a card's URL
 * button by `carousel`. When a header and a URL button, or two URL buttons, need different values for one key, or a
 * part has no key at all, `templateComponents` is used alone.
 */
export type ExampleValues =
  | {
      readonly templateVariables: TextMap
      readonly bodyParameters?: TextMap
      readonly carousel?: { readonly cards: readonly CarouselCard[] }
    }
  | { readonly templateComponents: readonly object[] }

/** A body for `POST /messages/send`, ready to be copied. */
export type ExampleSend = {
  readonly type: 'template'
  readonly phone: string
  readonly templateName: string
  readonly templateLanguage: string
} & ExampleValues

/**
 * A number reserved for fiction (North American 555-0100 to 555-0199): if it is copied unchanged, it reaches nobody.
 */
const examplePhone = '+12025550123'

/** The send body that fills this template with its own examples; only the phone number has to be replaced. */
export function exampleSend(template: TemplateRecord): ExampleSend | null {
  const values = exampleValues(template)
  return (
    values && {
      type: 'template',
      phone: examplePhone,
      templateName: template.name,
      templateLanguage: template.language,
      ...values,
    }
  )
}

/** @returns null when a part of the template is of a kind that we have no example of */
export function exampleValues(template: TemplateRecord): ExampleValues | null {
  const shape = parseTemplate(template)
  const message = messageExamples(shape, template)
  const cards = cardExamples(shape, template)
  const own = messageTexts(shape, message)
  const filled = new Map<string, string>()
  for (const { key, kind, card, requiredBy } of shape.variables.values()) {
    if (requiredBy === null) continue
    const texts = card === null ? own.texts : cards[card]?.texts
    const link = card === null ? message.headerLink : cards[card]?.link
    const example = kind === 'link' ? link : kind === 'coupon' ? message.coupon : texts?.get(key)
    filled.set(key, example ?? standIns[kind])
  }
  const values = {
    templateVariables: Object.fromEntries(filled),
    ...(own.bodyParameters.size > 0 && { bodyParameters: Object.fromEntries(own.bodyParameters) }),
    ...(cards.some(({ buttonValues }) => buttonValues.length > 0) && { carousel: { cards: cards.map(structured) } }),
  }
  if (own.isExpressible && shape.unsupported.length === 0) return values
  const templateComponents = exampleComponents(shape, message, values)
  return templateComponents && { templateComponents }
}

/** Of the message itself, without its cards. */
export const messageExamples = (shape: TemplateShape, template: TemplateRecord): PlaceExamples =>
  readExamples(shape, template.components ?? [], shape.isAuthentication ? 'code' : 'text')

interface MessageTexts {
  /** By key: what header and URL buttons show, else the body. */
  readonly texts: ReadonlyMap<string, string>
  /** What the body shows instead. */
  readonly bodyParameters: ReadonlyMap<string, string>
  /** False where header and URL buttons differ among themselves. */
  readonly isExpressible: boolean
}

function messageTexts({ header, body, buttons }: TemplateShape, examples: PlaceExamples): MessageTexts {
  const texts = new Map<string, string>()
  let isExpressible = true
  const note = (key: string, text: string) => {
    if ((texts.get(key) ?? text) !== text) isExpressible = false
    else texts.set(key, text)
  }
  if (header.kind === 'text') note(header.slot.key, examples.header)
  for (const button of buttons) {
    if (button.kind === 'url') note(button.slot.key, examples.urls.get(button.index) ?? '')
  }
  const bodyParameters = new Map<string, string>()
  for (const { key } of body.slots) {
    const text = examples.body.get(key) ?? ''
    if (!texts.has(key)) texts.set(key, text)
    else if (texts.get(key) !== text) bodyParameters.set(key, text)
  }
  return { texts, bodyParameters, isExpressible }
}

interface CardTexts {
  readonly index: number
  /** By key, `c0_1`: what the body shows, else the first URL button. */
  readonly texts: ReadonlyMap<string, string>
  readonly link: string
  /** The URL buttons that show something else. */
  readonly buttonValues: readonly CardButtonValue[]
}

const structured = ({ index, buttonValues }: CardTexts): CarouselCard => ({
  index,
  ...(buttonValues.length > 0 && { buttonValues }),
})

const cardExamples = (shape: TemplateShape, template: TemplateRecord): CardTexts[] =>
  shape.cards.map((card, at) => cardTexts(card, exampleCards(template)[at]?.components ?? []))

export const exampleCards = ({ components }: TemplateRecord) =>
  components?.find(({ type }) => type.toUpperCase() === 'CAROUSEL')?.cards ?? []

function cardTexts(card: CardShape, components: TemplateRecord['components']): CardTexts {
  const { body, urls, headerLink } = readExamples(card, components, 'text')
  const texts = new Map(card.body.slots.map(({ key, variable }) => [variable, body.get(key) ?? '']))
  const buttonValues: CardButtonValue[] = []
  for (const button of card.buttons) {
    if (button.kind !== 'url') continue
    const text = urls.get(button.index) ?? ''
    const known = texts.get(button.slot.variable)
    if (known === undefined) texts.set(button.slot.variable, text)
    else if (known !== text) {
      const index = Number(button.index)
      buttonValues.push({ index, sub_type: 'url', parameters: { type: 'text', text } })
    }
  }
  return { index: card.index, texts, link: headerLink, buttonValues }
}
