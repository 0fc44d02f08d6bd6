import { charCount } from '../../chars.ts'
import { isObject, isText, type JsonObject, list } from '../../json.ts'
import { type Component, variablesOf } from '../state/records.ts'
import { checkNewButtons } from './newButtons.ts'
import { PROBLEMS } from './problems.ts'
import type { Refusal } from './refusals.ts'

// docs/upstream.md#template-creation has the rules; where the upstream names no code, the choice is ours.

const nameLengthMax = 512
const namePattern = /^[a-z0-9_]+$/
const languagePattern = /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/
export const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
const componentTypes = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER'] as const
const headerLengthMax = 60
const bodyLengthMax = 1_024
const footerLengthMax = 60
const cardBodyLengthMax = 160
const cardsMin = 2
const cardsMax = 10
const mediaFormats = ['IMAGE', 'VIDEO', 'DOCUMENT', 'GIF']

/** What a creation and an edit are checked alike for. */
export interface NewTemplate {
  readonly category: string
  readonly isNamed: boolean
  readonly components: readonly Component[]
}

/** Checks name, language and category: the fields that an edit cannot change. */
export function checkIdentity({ name, language }: JsonObject): Refusal | undefined {
  if (!isText(name)) return PROBLEMS.required('name')
  if (!namePattern.test(name) || name.length > nameLengthMax)
    return PROBLEMS.templateRule(2388046, 'A name has lower-case letters, digits and underscores, at most 512.')
  if (!isText(language)) return PROBLEMS.required('language')
  return languagePattern.test(language) ? undefined : PROBLEMS.notOneOf('language', ['the supported languages'])
}

/** Checks what a template is made of, types first, then each component, then how they go together. */
export function checkNewTemplate(body: JsonObject): NewTemplate | Refusal {
  const category = isText(body.category) ? body.category.toUpperCase() : undefined
  if (!categories.some(known => known === category)) return PROBLEMS.notOneOf('category', categories)
  const isNamed = isText(body.parameter_format) && body.parameter_format.toUpperCase() === 'NAMED'
  if (!Array.isArray(body.components) || body.components.length === 0) return PROBLEMS.required('components')
  if (!body.components.every(isComponent)) return PROBLEMS.wrongType('components', 'an array of objects with a type')
  const components: readonly Component[] = body.components
  const checked = { category: category ?? '', isNamed, components }
  return checkParts(checked) ?? checkTogether(checked) ?? checked
}

const isComponent = (value: unknown): value is Component => isObject(value) && isText(value.type)

const typeOf = (component: Component) => component.type.toUpperCase()

function checkParts(template: NewTemplate): Refusal | undefined {
  for (const component of template.components) {
    const refusal = checkPart(component, template, bodyLengthMax)
    if (refusal) return refusal
  }
  return undefined
}

function checkPart(component: Component, template: NewTemplate, bodyMax: number): Refusal | undefined {
  switch (typeOf(component)) {
    case 'HEADER':
      return checkHeader(component)
    case 'BODY':
      return template.category === 'AUTHENTICATION' ? undefined : checkBody(component, template.isNamed, bodyMax)
    case 'FOOTER':
      return template.category === 'AUTHENTICATION' ? undefined : checkFooter(component)
    case 'BUTTONS':
      return checkNewButtons(list(component.buttons))
    case 'CAROUSEL':
      return checkCards(component, template)
    case 'LIMITED_TIME_OFFER':
      return undefined
    default:
      return PROBLEMS.notOneOf("components['type']", componentTypes)
  }
}

function checkHeader({ format = 'TEXT', text = '', example }: Component): Refusal | undefined {
  const kind = format.toUpperCase()
  if (mediaFormats.includes(kind)) {
    const handles = isObject(example) ? list(example.header_handle) : []
    return handles.length > 0
      ? undefined
      : PROBLEMS.templateRule(2388043, 'A media header needs example.header_handle.')
  }
  if (kind !== 'TEXT') return undefined
  const count = variablesOf(text).length
  if (text === '' || charCount(text) > headerLengthMax || count > 1 || /[\n*_~`]|\p{Extended_Pictographic}/u.test(text))
    return PROBLEMS.templateRule(
      2388047,
      `A header has 1 to ${headerLengthMax} characters, one variable at most, no line break, emoji or markup.`,
    )
  return count === 0 || isObject(example) ? undefined : PROBLEMS.templateRule(2388043, 'The header needs an example.')
}

function checkBody({ text = '', example }: Component, isNamed: boolean, lengthMax: number): Refusal | undefined {
  if (text === '') return PROBLEMS.required("components['body']['text']")
  if (charCount(text) > lengthMax) return PROBLEMS.templateRule(2388040, `A body has at most ${lengthMax} characters.`)
  const names = variablesOf(text)
  if (names.length === 0) return undefined
  if (!isNamed && names.some((name, at) => name !== String(at + 1)))
    return PROBLEMS.templateRule(2388072, 'Variables count from {{1}} without gaps.')
  if (isNamed && names.some(name => !/^[a-z_][a-z0-9_]*$/.test(name)))
    return PROBLEMS.templateRule(2388072, 'Named variables have lower-case letters, digits and underscores.')
  if (/^\s*\{\{|\}\}\s*$/.test(text))
    return PROBLEMS.templateRule(2388299, 'A body neither begins nor ends with a variable.')
  const words = text.replaceAll(/\{\{[^}]*\}\}/g, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  if (words < 2 * names.length + 1)
    return PROBLEMS.templateRule(2388293, 'The body has too many variables for its length.')
  const examples = isObject(example) ? (example.body_text ?? example.body_text_named_params) : undefined
  return list(examples).length > 0
    ? undefined
    : PROBLEMS.templateRule(2388043, 'A body with variables needs an example for each.')
}

function checkFooter({ text = '' }: Component): Refusal | undefined {
  if (text !== '' && charCount(text) <= footerLengthMax && variablesOf(text).length === 0) return undefined
  return PROBLEMS.templateRule(2388073, `A footer has 1 to ${footerLengthMax} characters and no variable.`)
}

function checkCards({ cards = [] }: Component, template: NewTemplate): Refusal | undefined {
  if (cards.length < cardsMin || cards.length > cardsMax)
    return PROBLEMS.templateRule(2388043, `A carousel has ${cardsMin} to ${cardsMax} cards.`)
  const shapes = new Set(cards.map(card => card.components.map(typeOf).sort().join(' ')))
  if (shapes.size > 1) return PROBLEMS.templateRule(2388043, 'All cards of a carousel have the same components.')
  for (const component of cards.flatMap(card => card.components)) {
    const refusal = checkPart(component, template, cardBodyLengthMax)
    if (refusal) return refusal
  }
  return undefined
}

function checkTogether({ category, components }: NewTemplate): Refusal | undefined {
  const types = components.map(typeOf)
  if (!types.includes('BODY')) return PROBLEMS.required("components['body']")
  if (new Set(types).size !== types.length)
    return PROBLEMS.invalidParameter('A template has at most one component of each type.')
  const isMarketing = types.includes('CAROUSEL') || types.includes('LIMITED_TIME_OFFER')
  if (isMarketing && category !== 'MARKETING') return PROBLEMS.notOneOf('category', ['MARKETING'])
  const buttons = components.flatMap(({ buttons = [] }) => buttons)
  if (category === 'AUTHENTICATION' && !buttons.some(({ type }) => type.toUpperCase() === 'OTP'))
    return PROBLEMS.templateRule(2388050, 'An authentication template has one OTP button.')
  return undefined
}
