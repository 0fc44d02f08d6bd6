import { pointer } from '../base/issues.ts'
import type { DraftComponent } from '../graph/wire.ts'
import { valueCharsMax } from './limits.ts'
import { noteProblem, type RenderNotes } from './notes.ts'
import { flowButton, quickReplyButton, subTypeOf, urlButton } from './parameters.ts'
import type { ButtonShape, CardShape } from './structure.ts'
import { type CardButtonValue, type GivenCard, suffixProblem, type TextMap, textProblem, valueIn } from './values.ts'

/**
 * Fills the buttons of a card: a URL button from `buttonValues`, else from the key `c{n}_{slot}`. A quick reply needs
 * nothing; its text, if given, becomes the payload that comes back with the tap (docs/upstream.md#template-messages).
 */
export function cardButtons(
  shape: CardShape,
  given: GivenCard | undefined,
  variables: TextMap,
  found: RenderNotes,
): DraftComponent[] {
  const texts = structuredTexts(shape, given, found)
  const components: DraftComponent[] = []
  for (const button of shape.buttons) {
    const text = texts?.get(button.index)
    if (button.kind === 'url') {
      const value = text ?? valueIn(variables, button.slot.variable)
      if (given && value === undefined) {
        const why = `is required: URL button ${button.index} of card ${shape.index} has {{${button.slot.key}}}`
        noteProblem(found, why, () => `/carousel/cards/${given.place}/buttonValues`)
      }
      if (text === undefined && value !== undefined)
        noteProblem(found, suffixProblem(button.base, value), () => pointer('templateVariables', button.slot.variable))
      components.push(urlButton(button.index, button.slot, value ?? ''))
    }
    if (button.kind === 'quickReply' && text !== undefined) components.push(quickReplyButton(button.index, text))
    if (button.kind === 'flow') components.push(flowButton(button.index))
  }
  return components
}

function structuredTexts(
  shape: CardShape,
  given: GivenCard | undefined,
  found: RenderNotes,
): ReadonlyMap<string, string> | undefined {
  const values = given?.card.buttonValues
  if (!given || !values) return undefined
  const texts = new Map<string, string>()
  values.forEach((value, at) => {
    const path = (rest: string) => () => `/carousel/cards/${given.place}/buttonValues/${at}${rest}`
    const button = shape.buttons[value.index]
    if (!button) {
      noteProblem(found, `is not a button of card ${shape.index}; it has ${shape.buttons.length}`, path('/index'))
      return
    }
    const subType = valueSubType(button)
    if (!subType) {
      noteProblem(found, `is a button of card ${shape.index} that takes no value`, path('/index'))
      return
    }
    if (value.sub_type.toLowerCase() !== subType) noteProblem(found, `must be ${subType}`, path('/sub_type'))
    if (texts.has(button.index)) noteProblem(found, 'repeats the index of another button value', path('/index'))
    const text = textOf(value, subType, path, found)
    if (button.kind === 'url') noteProblem(found, suffixProblem(button.base, text), path('/parameters/text'))
    texts.set(button.index, text)
  })
  return texts
}

/** Of the buttons that a value fills. */
const valueSubType = (button: ButtonShape) =>
  button.kind === 'url' || button.kind === 'quickReply' ? subTypeOf(button) : undefined

type Path = (rest: string) => () => string

/** The one text of a button value; `payload` is the upstream's own word for a quick reply's. */
function textOf({ parameters }: CardButtonValue, subType: string, path: Path, found: RenderNotes): string {
  const isPayload = subType === 'quick_reply' && parameters.type === 'payload'
  if (!isPayload && parameters.type !== 'text') noteProblem(found, 'must be text', path('/parameters/type'))
  const field = isPayload ? 'payload' : 'text'
  const text = parameters[field]
  const problem = text === undefined ? 'is required' : textProblem(text, valueCharsMax)
  noteProblem(found, problem, path(`/parameters/${field}`))
  return text ?? ''
}
