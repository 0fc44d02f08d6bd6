import { type ButtonDraft, isMedia, type MediaKind, type TemplateDraft } from '../../../../templates/authoring/draft.ts'
import { segmentsOf } from '../../../../templates/authoring/texts.ts'
import { addressKey, type SendValues, sharedAddresses } from '../../../../templates/authoring/values.ts'
import { templates as words } from '../../texts/en/templates.ts'
import type { TemplateDetail } from './queries.ts'

type Variable = TemplateDetail['variables'][number]

type Fillable = Pick<TemplateDetail, 'variables'> & {
  readonly template: Pick<TemplateDetail['template'], 'draft'>
}

/** What of a send fills a template, and where the problems of each value point to. */
export type ValuePart = keyof SendValues

/** One value that a send gives. */
export interface ValueField {
  readonly part: ValuePart
  readonly key: string
  readonly label: string
  /** The words around it, with {@link gap} where it stands; null: there are none. */
  readonly place: string | null
  readonly hint: string | null
  readonly example: string
  readonly isRequired: boolean
  /** Of the address of a file: which files fit, and the key of one that is uploaded in its place. */
  readonly file: { readonly accept: string; readonly key: string } | null
}

/** Where a value stands. */
export const gap = '▢'

/** Of the words on each side of a value: more does not fit above a field of a telephone. */
const sideCharsMax = 24
/** Between what somebody reads as one after the other. */
const sentenceEnd = /(?<=[.!?])\s+|\n+/
const markup = /[*~`]|(?<!\w)_|_(?!\w)/g

/**
 * @param key of a value
 * @returns its place in the text, by the words around it: “Order ▢ is confirmed”; null: there are none
 */
export function placeIn(text: string, key: string): string | null {
  const pieces = segmentsOf(text.replaceAll(markup, ''), () => undefined)
  const at = pieces.findIndex(({ variable }) => variable === key)
  const wordsAt = (place: number) => (pieces[place]?.variable === null ? pieces[place].text : '')
  const sentencesBefore = wordsAt(at - 1).split(sentenceEnd)
  const [after = '', ...sentencesAfter] = wordsAt(at + 1).split(sentenceEnd)
  const before = sentencesBefore.at(-1) ?? ''
  if (at < 0 || (before + after).trim() === '') return null
  const isBegun = sentencesBefore.length > 1 || at < 2
  const isEnded = sentencesAfter.length > 0 || at + 2 >= pieces.length
  const start = lastWords(before)
  const end = firstWords(after)
  const left = isBegun && start === before ? start : `… ${start.replace(/^[\s.,;:!]+/, '')}`
  const right = isEnded && end === after ? end.replace(/[\s.,;:!]+$/, '') : `${end.trimEnd()} …`
  return `${left}${gap}${right}`.trim()
}

/** @returns the beginning of a text, to a whole word */
function firstWords(text: string): string {
  const letters = [...text]
  const start = letters.slice(0, sideCharsMax).join('')
  return letters.length <= sideCharsMax || !start.includes(' ') ? start : start.slice(0, start.lastIndexOf(' '))
}

/** @returns the end of a text, from a whole word on */
function lastWords(text: string): string {
  const letters = [...text]
  const end = letters.slice(-sideCharsMax).join('')
  return letters.length <= sideCharsMax ? end : end.slice(Math.max(0, end.indexOf(' ')))
}

interface NamedPlace {
  readonly place: string
  readonly example: string
}

/** The place of a value in an address: the end of it, which tells it from others. */
function addressPlace(button: ButtonDraft | undefined): NamedPlace | null {
  if (button?.kind !== 'url') return null
  const { text, url, example } = button
  const fixed = url.slice(0, url.indexOf('{{')).replace(/^https?:\/\//, '')
  const end = fixed.slice(-sideCharsMax)
  const shown = end === fixed ? fixed : `…${end.slice(Math.max(0, end.indexOf('/')))}`
  return { place: `${text}: ${shown}${gap}`, example }
}

/** The files that the platform takes in a header. */
export const acceptedTypes: Readonly<Record<MediaKind, string>> = {
  image: 'image/jpeg,image/png',
  video: 'video/mp4',
  gif: 'video/mp4',
  document: 'application/pdf',
}

/** The values that a send gives, each with the words around it. */
export function valueFieldsOf({ template: { draft }, variables }: Fillable): ValueField[] {
  const asked = variables.filter(({ kind, isRequired }) => kind !== 'mediaId' && (kind !== 'code' || isRequired))
  // One key fills several places: the text may need another value than header and address.
  const isShared = ({ card, places }: Variable) => card === null && places.length > 1 && places.includes('body')
  const optional = { isRequired: false, file: null }
  return [
    ...asked.toSorted(inOrderOf(draft.body.text)).flatMap((variable): ValueField[] => {
      const { key, places, isRequired } = variable
      const label = nameOf(variable)
      const inText = placeOf(draft, variable, 'body')
      const named = inText ?? places.map(place => placeOf(draft, variable, place)).find(place => place !== null)
      const { place, example } = named ?? { place: null, example: exampleOf(draft, variable) }
      const hint =
        places.length > 1 ? words.inPlaces(places.map(place => placeWords(draft, variable, place)).join(', ')) : null
      const of = { key, place, example }
      const field = { ...of, part: 'variables', label, hint, isRequired, file: fileOf(draft, variable) } as const
      if (!inText || !isShared(variable)) return [field]
      return [field, { ...of, part: 'body', label: words.bodyValue(label), hint: words.bodyValueHint, ...optional }]
    }),
    ...sharedAddresses(draft).map(({ card, index }): ValueField => {
      const button = draft.cards[card]?.buttons[index]
      const { place = null, example = '' } = addressPlace(button) ?? {}
      const label = ofCard(card, button?.kind === 'url' ? button.text : '')
      const key = addressKey(card, index)
      return { part: 'addresses', key, label, place, hint: words.addressValueHint, example, ...optional }
    }),
  ]
}

/** As they stand in the text, then the others. */
const inOrderOf = (text: string) => {
  const placeOf = ({ key, card }: Variable) => {
    const at = card === null ? segmentsOf(text, () => undefined).findIndex(({ variable }) => variable === key) : -1
    return at < 0 ? Number.POSITIVE_INFINITY : at
  }
  return (one: Variable, other: Variable) => {
    const [at, otherAt] = [placeOf(one), placeOf(other)]
    return at === otherAt ? 0 : at - otherAt
  }
}

function fileOf(draft: TemplateDraft, { key, kind, card }: Variable): ValueField['file'] {
  const header = card === null ? draft.header : draft.cards[card]?.header
  if (kind !== 'link' || !header || !isMedia(header)) return null
  return { accept: acceptedTypes[header.kind], key: key.replace(/_link$/, '') }
}

const ofCard = (card: number | null, name: string) => (card === null ? name : `${words.card(card + 1)}: ${name}`)

function nameOf({ key, card, kind }: Variable): string {
  const own = card === null ? key : key.slice(`c${card}_`.length)
  const name = kind === 'code' ? words.codeValue : (words.keyNames[own] ?? words.variableLabel(own))
  return ofCard(card, name)
}

/** What is known of a value that stands in no text. */
const exampleOf = ({ buttons }: TemplateDraft, { kind }: Variable): string => {
  const button = kind === 'coupon' ? buttons.find(one => one.kind === 'copyCode') : undefined
  return button?.kind === 'copyCode' ? button.example : ''
}

/** Places as the gateway names them. */
const buttonPlace = 'URL button '

const buttonAt = ({ buttons }: Pick<TemplateDraft, 'buttons'>, place: string) =>
  place.startsWith(buttonPlace) ? buttons[Number(place.slice(buttonPlace.length))] : undefined

function placeOf(draft: TemplateDraft, { key, kind, card }: Variable, place: string): NamedPlace | null {
  const part = card === null ? draft : draft.cards[card]
  if (kind !== 'text' || !part) return null
  const own = card === null ? key : key.slice(`c${card}_`.length)
  const named = (text: string, example = ''): NamedPlace | null => {
    const place = placeIn(text, own)
    return place === null ? null : { place, example }
  }
  const { header, body } = part
  return (
    (place === 'body'
      ? body && named(body.text, body.examples[own])
      : place === 'header'
        ? header.kind === 'text' && named(header.text, header.example)
        : addressPlace(buttonAt(part, place))) || null
  )
}

function placeWords(draft: TemplateDraft, { card }: Variable, place: string): string {
  const button = buttonAt((card === null ? null : draft.cards[card]) ?? draft, place)
  if (button) return button.kind === 'url' ? button.text : place
  return place === 'body' ? words.editor.body : words.editor.header
}

/** @returns whether all that the template needs is there */
export const isFilled = (
  { variables, unsupported }: Pick<TemplateDetail, 'variables' | 'unsupported'>,
  values: SendValues,
): boolean =>
  unsupported.length === 0 &&
  variables.every(({ key, kind, isRequired }) => {
    const given = (name: string) => (values.variables[name] ?? '').trim() !== ''
    return !isRequired || given(key) || (kind === 'link' && given(key.replace(/_link$/, '')))
  })
