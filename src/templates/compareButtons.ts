import { pointer } from '../base/issues.ts'
import { field, isText, list, text } from '../base/json.ts'
import { urlCharsMax } from '../base/upstreamLimits.ts'
import { compareTexts, kindOf, type Place, textSlots } from './compareTexts.ts'
import { filledProblem } from './filled.ts'
import { slot } from './markers.ts'
import { subTypeOf } from './parameters.ts'
import type { ButtonShape } from './structure.ts'
import { valueProblem } from './values.ts'

/** Compares the button components of a message or a card with its buttons, by their index. */
export function compareButtons(place: Place): void {
  const { components, parts, path, whose, issues } = place
  const seen = new Set<number>()
  components.forEach((component, at) => {
    if (kindOf(component) !== 'button') return
    const here = path + pointer(at)
    const index = Number(field(component, 'index') ?? Number.NaN)
    const button = parts.buttons[index]
    if (!button) {
      issues.push({
        path: `${here}/index`,
        message: `names no button: ${whose} has ${parts.buttons.length}, from 0 on`,
      })
      return
    }
    if (seen.has(index)) issues.push({ path: `${here}/index`, message: 'repeats the index of another button' })
    seen.add(index)
    compareButton(place, component, here, button)
  })
  for (const button of parts.buttons) {
    const why = requiredBy(button)
    if (why === null || seen.has(Number(button.index))) continue
    const what = `a button component with sub_type ${subTypeOf(button)} and index "${button.index}"`
    issues.push({ path, message: `must have ${what}: button ${button.index} of ${whose} ${why}` })
  }
}

/** @returns why a send without the button is refused, behind its name; null: it may be left out */
function requiredBy(button: ButtonShape): string | null {
  switch (button.kind) {
    case 'url':
      return `has ${textSlots([button.slot])} in its address`
    case 'code':
      return 'takes the same code as the body'
    case 'copyCode':
      return 'copies a code'
    case 'multiProduct':
      return 'shows products'
    // Seen in the field with 131009.
    case 'flow':
      return 'opens a flow'
    case 'catalog':
    case 'quickReply':
    case 'fixed':
    case 'other':
      return null
  }
}

function compareButton(place: Place, component: unknown, here: string, button: ButtonShape): void {
  const { issues, whose } = place
  const name = `button ${button.index} of ${whose}`
  const subType = text(field(component, 'sub_type'))?.toLowerCase()
  const parameters = list(field(component, 'parameters'))
  const note = (below: string, message: string) => issues.push({ path: here + below, message })
  if (button.kind === 'fixed') {
    // An address is named rightly, but has no variable; no sub_type names a phone number.
    const isAddress = subType === 'url' && button.subType === 'url' && parameters.length > 0
    const below = isAddress ? '/parameters/0/text' : '/sub_type'
    note(below, `must be left out with its component: ${name} takes nothing (${fixedWords(button.subType)})`)
    return
  }
  if (subType !== subTypeOf(button)) {
    note('/sub_type', `must be ${subTypeOf(button)}: so is ${name}`)
    return
  }
  const path = `${here}/parameters`
  const only = (type: string) => {
    const [parameter, second] = parameters
    if (parameter === undefined) issues.push({ path, message: `must have one parameter, of the type ${type}` })
    else if (field(parameter, 'type') !== type) note('/parameters/0/type', `must be ${type}`)
    if (second !== undefined) note('/parameters/1', `is one too many: ${name} takes one`)
    return parameter !== undefined && field(parameter, 'type') === type ? parameter : null
  }
  switch (button.kind) {
    case 'url': {
      const { slot: urlSlot, fixedChars } = button
      const slots = [urlSlot]
      const what = `the address of ${name}`
      const texts = compareTexts({ ...place, kind: 'text' }, { parameters, path, what, slots, types: ['text'] })
      const problem = texts && filledProblem(what, { slots, fixedChars }, key => texts.get(key) ?? '', urlCharsMax)
      if (problem) issues.push({ path, message: problem })
      return
    }
    case 'code': {
      const texts = compareTexts(place, { parameters, path, what: name, slots: codeSlots, types: ['text'] })
      if (texts && texts.get('1') !== codeOf(place)) note('/parameters/0/text', "must be the body's code")
      return
    }
    case 'copyCode': {
      const coupon = only('coupon_code')
      if (coupon === null) return
      const given = field(coupon, 'coupon_code')
      const problem = isText(given) ? valueProblem('coupon', given) : 'must be a text'
      if (problem) note('/parameters/0/coupon_code', problem)
      return
    }
    case 'multiProduct': {
      const action = only('action')
      if (action && list(field(field(action, 'action'), 'sections')).length === 0)
        note('/parameters/0/action/sections', 'is required')
      return
    }
    case 'catalog':
    case 'flow':
      if (parameters.length > 0) only('action')
      return
    case 'quickReply':
      if (parameters.length > 0) only('payload')
      return
    case 'other':
      return
  }
}

const codeSlots = [slot('1')]

/** @returns the code in the body */
function codeOf({ components }: Place): unknown {
  const body = components.find(component => kindOf(component) === 'body')
  return field(list(field(body, 'parameters'))[0], 'text')
}

const fixedWords = (subType: string) => (subType === 'url' ? 'its address has no variable' : 'it is a phone number')
