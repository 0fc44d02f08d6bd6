import { isLongerThan } from '../base/chars.ts'
import type { Issue } from '../base/errors.ts'
import { pointer } from '../base/issues.ts'
import { field, isDeeperThan, isObject, list, text } from '../base/json.ts'
import { inexactNumber, inexactNumbers } from './exactness.ts'
import { givenCardsMax, valueCharsMax } from './limits.ts'
import type { CardShape, TemplateStructure } from './structure.ts'
import { suffixProblem } from './values.ts'

/** Ours: a template has a header, a body, ten buttons and a carousel at the very most (docs/upstream.md#templates). */
const componentsMax = 20
/** Ours: the longest body, 1,024 characters, can hold 205 placeholders of five characters. */
const parametersMax = 250

/**
 * Ours: the deepest form of the upstream's format, a multi-product button on a card, has 13 levels; a flow button's own
 * data may add some. Code that walks or prints the value later cannot run out of stack.
 */
const depthMax = 24

/**
 * Checks `templateComponents`, which is forwarded to the upstream untouched (docs/partner-api.md#templates): only what
 * the contract says about every send, and bounds that protect the gateway. The upstream judges the rest, so unknown
 * fields and kinds pass.
 */
export function checkForwardedComponents(value: unknown): Issue[] {
  const root = '/templateComponents'
  if (!Array.isArray(value)) return [{ path: root, message: 'must be an array of component objects' }]
  if (isDeeperThan(value, depthMax))
    return [{ path: root, message: `must not be nested deeper than ${depthMax} levels` }]
  const issues: Issue[] = inexactNumbers(value, root).map(path => ({ path, message: inexactNumber }))
  checkComponents(value, root, issues)
  return issues
}

function checkComponents(components: readonly unknown[], path: string, issues: Issue[]): void {
  if (components.length > componentsMax) {
    issues.push({ path, message: `must not have more than ${componentsMax} components` })
    return
  }
  components.forEach((component, at) => {
    const here = path + pointer(at)
    if (!isObject(component)) {
      issues.push({ path: here, message: 'must be a component object' })
      return
    }
    const { type } = component
    if (typeof type !== 'string' || type === '') {
      issues.push({ path: `${here}/type`, message: type === undefined ? 'is required' : 'must be a component type' })
      return
    }
    const kind = type.toLowerCase()
    if (kind === 'carousel') checkCards(component.cards, `${here}/cards`, issues)
    if (kind === 'body' || kind === 'button') checkTexts(component.parameters, `${here}/parameters`, issues)
  })
}

/**
 * A card without `card_index` is forwarded, and the upstream rejects the send (docs/partner-api.md#carousel), because
 * components are forwarded unchanged. A wrong `card_index` is reported here, as everywhere else.
 */
function checkCards(cards: unknown, path: string, issues: Issue[]): void {
  if (!Array.isArray(cards)) {
    issues.push({ path, message: cards === undefined ? 'is required' : 'must be an array of cards' })
    return
  }
  if (cards.length > givenCardsMax) {
    issues.push({ path, message: `must not have more than ${givenCardsMax} cards` })
    return
  }
  const places = new Map<unknown, number>()
  cards.forEach((card: unknown, at) => {
    const here = path + pointer(at)
    if (!isObject(card)) {
      issues.push({ path: here, message: 'must be a card object' })
      return
    }
    const index = card.card_index
    const earlier = places.get(index)
    if (index !== undefined && (!Number.isInteger(index) || Number(index) < 0))
      issues.push({ path: `${here}/card_index`, message: 'must be an integer from 0' })
    else if (earlier !== undefined)
      issues.push({ path: `${here}/card_index`, message: `repeats the index of ${path}/${earlier}` })
    else if (index !== undefined) places.set(index, at)
    if (Array.isArray(card.components)) checkComponents(card.components, `${here}/components`, issues)
  })
}

/** At most 160 characters for a body text parameter, URL buttons included (docs/partner-api.md#size-limits). */
function checkTexts(parameters: unknown, path: string, issues: Issue[]): void {
  if (!Array.isArray(parameters)) return
  if (parameters.length > parametersMax) {
    issues.push({ path, message: `must not have more than ${parametersMax} parameters` })
    return
  }
  parameters.forEach((parameter: unknown, at) => {
    if (!isObject(parameter) || typeof parameter.text !== 'string') return
    if (isLongerThan(parameter.text, valueCharsMax))
      issues.push({ path: `${path}/${at}/text`, message: `must be at most ${valueCharsMax} characters long` })
  })
}

/**
 * Checks what the upstream would accept but the user could not open: a whole address as the value of a URL button
 * (docs/partner-api.md#template-values).
 * @param components as `checkForwardedComponents` lets them pass
 */
export function checkForwardedAddresses(
  components: readonly unknown[],
  { buttons, cards }: Pick<TemplateStructure, 'buttons' | 'cards'>,
): Issue[] {
  const check = (component: unknown, at: number, path: string, of: Pick<CardShape, 'buttons'> | undefined): Issue[] => {
    const here = path + pointer(at)
    const button = kindIs(component, 'button') ? of?.buttons[Number(field(component, 'index'))] : undefined
    if (button?.kind === 'url')
      return list(field(component, 'parameters')).flatMap((parameter, place) => {
        const problem = suffixProblem(button.base, text(field(parameter, 'text')) ?? '')
        return problem ? [{ path: `${here}/parameters/${place}/text`, message: problem }] : []
      })
    if (!kindIs(component, 'carousel')) return []
    return list(field(component, 'cards')).flatMap((card, place) =>
      list(field(card, 'components')).flatMap((part, inner) =>
        check(part, inner, `${here}/cards/${place}/components`, cards[Number(field(card, 'card_index'))]),
      ),
    )
  }
  return components.flatMap((component, at) => check(component, at, '/templateComponents', { buttons }))
}

const kindIs = (component: unknown, kind: string) => text(field(component, 'type'))?.toLowerCase() === kind
