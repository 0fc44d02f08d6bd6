import { charCount } from '../../base/chars.ts'
import { isObject, isText, list } from '../../base/json.ts'
import {
  bodyCharsMax,
  cardBodyCharsMax,
  footerCharsMax,
  headerCharsMax,
  offerBodyCharsMax,
} from '../../base/upstreamLimits.ts'
import {
  blankLines,
  fixedWordsMin,
  headerMarkup,
  headerPicture,
  sideBySide,
  variableNamePattern,
  wordsIn,
} from '../../forms/templates.ts'
import { type Component, variablesOf } from '../state/records.ts'
import { PROBLEMS } from './problems.ts'
import { firstRefusal, type Refusal } from './refusals.ts'

// docs/upstream.md#template-creation

/** The context of the checks that a creation and an edit share. */
export interface CheckedTemplate {
  readonly category: string
  readonly isNamed: boolean
  readonly components: readonly Component[]
  /** Seconds within which a message must be delivered. */
  readonly lifetime?: number
}

/** The files behind the handles of examples; `stored` for the address of an example that was taken before. */
export interface Handles {
  find(handle: string): { readonly type: string } | 'stored' | undefined
}

const componentTypes = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER'] as const
const headerFormats = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'GIF', 'LOCATION', 'PRODUCT'] as const
/** The types of file that the example of a header has. */
const mediaTypes: Readonly<Record<string, readonly string[]>> = {
  IMAGE: ['image/jpeg', 'image/png'],
  VIDEO: ['video/mp4'],
  GIF: ['video/mp4'],
  DOCUMENT: ['application/pdf'],
}

export const componentType = (component: Component) => component.type.toUpperCase()

/** Checks one component of a template by itself, cards included. */
export function checkNewPart(component: Component, template: CheckedTemplate, handles: Handles): Refusal | undefined {
  if (componentType(component) === 'CAROUSEL') {
    const parts = (component.cards ?? []).flatMap(card => card.components)
    return firstRefusal(parts, part => checkPart(part, template, handles, cardBodyCharsMax))
  }
  const isOffer = template.components.some(one => componentType(one) === 'LIMITED_TIME_OFFER')
  return checkPart(component, template, handles, isOffer ? offerBodyCharsMax : bodyCharsMax)
}

function checkPart(part: Component, template: CheckedTemplate, handles: Handles, bodyMax: number): Refusal | undefined {
  const isAuthentication = template.category === 'AUTHENTICATION'
  switch (componentType(part)) {
    case 'HEADER':
      return checkHeader(part, template, handles)
    case 'BODY':
      return isAuthentication ? undefined : checkBody(part, template.isNamed, bodyMax)
    case 'FOOTER':
      return isAuthentication ? undefined : checkFooter(part)
    // They are checked together with the rest.
    case 'BUTTONS':
    case 'LIMITED_TIME_OFFER':
      return undefined
    default:
      return PROBLEMS.notOneOf("components['type']", componentTypes)
  }
}

function checkHeader(header: Component, { category, isNamed }: CheckedTemplate, handles: Handles): Refusal | undefined {
  const { format = 'TEXT', text = '', example } = header
  const kind = format.toUpperCase()
  if (!headerFormats.some(known => known === kind)) return PROBLEMS.notOneOf("header['format']", headerFormats)
  if (kind === 'LOCATION')
    return category === 'AUTHENTICATION' ? PROBLEMS.notOneOf('category', ['UTILITY', 'MARKETING']) : undefined
  if (kind === 'PRODUCT') return undefined
  const types = mediaTypes[kind]
  if (types) {
    const [handle] = isObject(example) ? list(example.header_handle) : []
    if (!isText(handle)) return PROBLEMS.templateRule(2388043, 'A media header needs example.header_handle.')
    const file = handles.find(handle)
    // A listing's address is no handle either.
    if (!file) return PROBLEMS.templateRule(2388047, 'The handle of the example is unknown: upload the file first.')
    if (file === 'stored') return undefined
    const type = file.type.replace('image/jpg', 'image/jpeg')
    return types.includes(type)
      ? undefined
      : PROBLEMS.templateRule(2388047, `The example of this header cannot be of the type ${file.type}.`)
  }
  const names = variablesOf(text)
  const isWrong =
    text.trim() === '' ||
    charCount(text) > headerCharsMax ||
    names.length > 1 ||
    hasMarker(text) ||
    text.includes('\n') ||
    [headerMarkup, headerPicture].some(pattern => pattern.test(withoutVariables(text)))
  if (isWrong)
    return PROBLEMS.templateRule(
      2388047,
      `A header has 1 to ${headerCharsMax} characters, one variable at most, no line break, emoji or markup.`,
    )
  const naming = checkNames(names, isNamed, 2388047)
  if (naming || names.length === 0) return naming
  const [given] = isObject(example) ? list(example.header_text ?? example.header_text_named_params) : []
  return given === undefined ? PROBLEMS.templateRule(2388043, 'The header needs an example.') : undefined
}

function checkNames(names: readonly string[], isNamed: boolean, subcode: number): Refusal | undefined {
  if (!isNamed && names.some((name, at) => name !== String(at + 1)))
    return PROBLEMS.templateRule(subcode, 'Variables count from {{1}} without gaps.')
  return isNamed && names.some(name => !variableNamePattern.test(name))
    ? PROBLEMS.templateRule(subcode, 'Named variables have lower-case letters, digits and underscores.')
    : undefined
}

const withoutVariables = (text: string) => text.replaceAll(/\{\{[^{}]+\}\}/g, ' ')
/** Braces that are left over: a variable that is not closed, or has no name. */
const hasMarker = (text: string) => /\{\{|\}\}/.test(withoutVariables(text))

function checkBody({ text = '', example }: Component, isNamed: boolean, lengthMax: number): Refusal | undefined {
  if (text.trim() === '') return PROBLEMS.required("components['body']['text']")
  if (charCount(text) > lengthMax) return PROBLEMS.templateRule(2388040, `A body has at most ${lengthMax} characters.`)
  if (hasMarker(text)) return PROBLEMS.templateRule(2388072, 'A variable is not closed, or has no name.')
  if (blankLines.test(text)) return PROBLEMS.templateRule(2388072, 'A body has at most two line breaks in a row.')
  const names = variablesOf(text)
  if (names.length === 0) return undefined
  const naming = checkNames(names, isNamed, 2388072)
  if (naming) return naming
  if (/^\s*\{\{|\}\}\s*$/.test(text))
    return PROBLEMS.templateRule(2388299, 'A body neither begins nor ends with a variable.')
  if (sideBySide.test(text)) return PROBLEMS.templateRule(2388072, 'Two variables need words between them.')
  if (wordsIn(withoutVariables(text)) < fixedWordsMin(names.length))
    return PROBLEMS.templateRule(2388293, 'The body has too many variables for its length.')
  return hasExamples(example, names, isNamed)
    ? undefined
    : PROBLEMS.templateRule(2388043, 'A body with variables needs an example for each.')
}

function hasExamples(example: unknown, names: readonly string[], isNamed: boolean): boolean {
  if (!isObject(example)) return false
  if (isNamed) {
    const given = list(example.body_text_named_params).map(one => (isObject(one) ? one.param_name : undefined))
    return names.every(name => given.includes(name))
  }
  const [row] = list(example.body_text)
  return list(row).filter(text => isText(text) && text !== '').length === names.length
}

function checkFooter({ text = '' }: Component): Refusal | undefined {
  const isGood = text.trim() !== '' && charCount(text) <= footerCharsMax && !/\{\{|\}\}/.test(text)
  return isGood
    ? undefined
    : PROBLEMS.templateRule(2388073, `A footer has 1 to ${footerCharsMax} characters and no variable.`)
}
