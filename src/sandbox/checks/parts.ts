import { charCount } from '../../base/chars.ts'
import { isObject, isText, type JsonObject } from '../../base/json.ts'
import { refusedSpace } from '../../forms/templates.ts'
import type { Parts } from '../state/records.ts'
import { fill } from '../state/records.ts'
import { PROBLEMS } from './problems.ts'
import type { Refusal } from './refusals.ts'

/** One parameter of a component, its type already known to be text. */
export interface SentParameter {
  readonly type: string
  readonly value: JsonObject
}

export interface SentButton {
  readonly index: number
  readonly subType: string
  readonly parameters: readonly SentParameter[]
}

/** The components of a send, sorted by kind. */
export interface SentParts {
  readonly header: readonly SentParameter[] | undefined
  readonly body: readonly SentParameter[]
  readonly buttons: readonly SentButton[]
  readonly offer: readonly SentParameter[] | undefined
  readonly cards: readonly SentCard[] | undefined
}

export interface SentCard {
  readonly cardIndex: unknown
  readonly parts: SentParts
}

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal }

/** What a button component may be called; a phone number and an address without a variable have no component. */
const subTypes = [
  'BOOKING_CONFIRMATION',
  'CATALOG',
  'COPY_CODE',
  'FLOW',
  'MPM',
  'ORDER_DETAILS',
  'QUICK_REPLY',
  'REMINDER',
  'URL',
  'VOICE_CALL',
]
const componentTypes = ['HEADER', 'BODY', 'FOOTER', 'BUTTON', 'CAROUSEL', 'LIMITED_TIME_OFFER'] as const
const refused = (refusal: Refusal) => ({ ok: false, refusal }) as const
const componentKeys = new Set(['type', 'sub_type', 'index', 'parameters', 'cards'])
/** The property that holds a parameter's content has the parameter's name; these two are further properties. */
const parameterKeys = new Set(['type', 'parameter_name'])

/** Reads `components` as far as JSON types go (100); what the template says about them comes later. */
export function readSentComponents(input: unknown, path: string): Read<SentParts> {
  if (input === undefined)
    return { ok: true, value: { header: undefined, body: [], buttons: [], offer: undefined, cards: undefined } }
  if (!Array.isArray(input)) return refused(PROBLEMS.wrongType(path, 'an array'))
  const parameters = new Map<string, readonly SentParameter[]>()
  const buttons: SentButton[] = []
  let cards: readonly SentCard[] | undefined
  for (const [at, component] of input.entries()) {
    const here = `${path}[${at}]`
    if (!isObject(component)) return refused(PROBLEMS.notAnObject(here))
    const type = isText(component.type) ? component.type.toUpperCase() : ''
    if (!componentTypes.some(known => known === type))
      return refused(PROBLEMS.notOneOf(`${here}['type']`, componentTypes))
    for (const key of Object.keys(component))
      if (!componentKeys.has(key)) return refused(PROBLEMS.unexpectedKey(here, key))
    if (type === 'FOOTER') return refused(PROBLEMS.componentStatic('footer'))
    if (type === 'CAROUSEL') {
      if (cards) return refused(PROBLEMS.componentTwice('carousel'))
      const read = readCards(component.cards, `${here}['cards']`)
      if (!read.ok) return read
      cards = read.value
      continue
    }
    const read = readParameters(component.parameters, `${here}['parameters']`)
    if (!read.ok) return read
    if (type === 'BUTTON') {
      const button = readButton(component, read.value, here)
      if (!button.ok) return button
      buttons.push(button.value)
      continue
    }
    if (parameters.has(type)) return refused(PROBLEMS.componentTwice(type.toLowerCase()))
    parameters.set(type, read.value)
  }
  const header = parameters.get('HEADER')
  const offer = parameters.get('LIMITED_TIME_OFFER')
  return { ok: true, value: { header, body: parameters.get('BODY') ?? [], buttons, offer, cards } }
}

function readCards(input: unknown, path: string): Read<readonly SentCard[]> {
  if (!Array.isArray(input)) return refused(PROBLEMS.wrongType(path, 'an array'))
  const cards: SentCard[] = []
  for (const [at, card] of input.entries()) {
    if (!isObject(card)) return refused(PROBLEMS.notAnObject(`${path}[${at}]`))
    const read = readSentComponents(card.components, `${path}[${at}]['components']`)
    if (!read.ok) return read
    cards.push({ cardIndex: card.card_index, parts: read.value })
  }
  return { ok: true, value: cards }
}

function readButton(component: JsonObject, parameters: readonly SentParameter[], path: string): Read<SentButton> {
  if (!isText(component.sub_type)) return refused(PROBLEMS.wrongType(`${path}['sub_type']`, 'a string'))
  const subType = component.sub_type.toUpperCase()
  if (!subTypes.includes(subType)) return refused(PROBLEMS.notOneOf(`${path}['sub_type']`, subTypes))
  const { index } = component
  if (index === undefined) return refused(PROBLEMS.missing('buttons: index is required'))
  const digits = isText(index) && /^\d$/.test(index) ? Number(index) : index
  if (typeof digits !== 'number' || !Number.isInteger(digits) || digits < 0)
    return refused(PROBLEMS.wrongType(`${path}['index']`, 'an integer'))
  return { ok: true, value: { index: digits, subType, parameters } }
}

function readParameters(input: unknown, path: string): Read<readonly SentParameter[]> {
  if (input === undefined) return { ok: true, value: [] }
  if (!Array.isArray(input)) return refused(PROBLEMS.wrongType(path, 'an array'))
  const parameters: SentParameter[] = []
  for (const [at, value] of input.entries()) {
    const here = `${path}[${at}]`
    if (!isObject(value)) return refused(PROBLEMS.notAnObject(here))
    if (!isText(value.type)) return refused(PROBLEMS.wrongType(`${here}['type']`, 'a string'))
    const content = value[value.type]
    const plain = value.type === 'text' || value.type === 'payload' || value.type === 'coupon_code'
    if (plain && content === undefined) return refused(PROBLEMS.required(`${here}['${value.type}']`))
    if (plain && !isText(content)) return refused(PROBLEMS.wrongType(`${here}['${value.type}']`, 'a string'))
    if (!plain && !isObject(content)) return refused(PROBLEMS.notAnObject(`${here}['${value.type}']`))
    if (value.parameter_name !== undefined && !isText(value.parameter_name))
      return refused(PROBLEMS.wrongType(`${here}['parameter_name']`, 'a string'))
    for (const key of Object.keys(value))
      if (key !== value.type && !parameterKeys.has(key)) return refused(PROBLEMS.unexpectedKey(here, key))
    parameters.push({ type: value.type, value })
  }
  return { ok: true, value: parameters }
}

/** The text of a parameter; money and dates are shown as their fallback. */
export function parameterText(parameter: SentParameter): string | undefined {
  const content = parameter.value[parameter.type]
  if (isText(content)) return content
  if (isObject(content) && isText(content.fallback_value)) return content.fallback_value
  return undefined
}

/** Newlines, tabs, five spaces in a row or nothing at all: no text parameter may hold these. */
export function checkText(part: string, parameters: readonly SentParameter[]): Refusal | undefined {
  for (const parameter of parameters) {
    const text = parameterText(parameter)
    if (text === undefined) continue
    if (text.trim() === '') return PROBLEMS.emptyText(part)
    if (refusedSpace.test(text)) return PROBLEMS.lineBreaks()
  }
  return undefined
}

/** Named templates want each variable once by its name; positional ones want no names. */
export function checkNames(
  part: string,
  parameters: readonly SentParameter[],
  variables: readonly string[],
  named: boolean,
): Refusal | undefined {
  const seen = new Set<string>()
  for (const { value } of parameters) {
    const name = isText(value.parameter_name) ? value.parameter_name : ''
    if (!named) {
      if (value.parameter_name !== undefined) return PROBLEMS.nameUnexpected(part)
      continue
    }
    if (name === '') return PROBLEMS.nameMissing(part)
    if (!variables.includes(name) || seen.has(name)) return PROBLEMS.nameUnknown(part, name)
    seen.add(name)
  }
  return undefined
}

/** @returns the part's text with its variables filled, or nothing where it is too long. */
export function checkFilled(
  part: string,
  text: string,
  variables: readonly string[],
  parameters: readonly SentParameter[],
  max: number,
): Refusal | undefined {
  const values = new Map<string, string>()
  for (const [at, parameter] of parameters.entries()) {
    const { parameter_name: name } = parameter.value
    values.set(isText(name) ? name : (variables[at] ?? ''), parameterText(parameter) ?? '')
  }
  return charCount(fill(text, values)) > max ? PROBLEMS.textTooLong(part, max) : undefined
}

/** Counts of header text and body (132000). A media header's count is checked with its kind (132012). */
export function checkCounts(parts: Parts, sent: SentParts, prefix = ''): Refusal | undefined {
  const header = parts.header
  const given = sent.header?.length ?? 0
  const expected = header?.format === 'TEXT' ? header.variables.length : 0
  if ((!header || header.format === 'TEXT') && given !== expected)
    return PROBLEMS.parameterCount(`${prefix}header`, given, expected)
  if (sent.body.length !== parts.body.variables.length)
    return PROBLEMS.parameterCount(`${prefix}body`, sent.body.length, parts.body.variables.length)
  return undefined
}
