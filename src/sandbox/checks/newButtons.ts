import { charCount } from '../../chars.ts'
import { isObject, isText, type JsonObject } from '../../json.ts'
import { variablesOf } from '../state/records.ts'
import { PROBLEMS } from './problems.ts'
import type { Refusal } from './refusals.ts'

// docs/upstream.md#template-creation
const buttonsMax = 10
/** How many buttons of one type a template may have; the others have no bound of their own. */
const countMax: Readonly<Record<string, number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, VOICE_CALL: 1, OTP: 1 }
const labelLengthMax = 25
const urlLengthMax = 2_000
const phoneLengthMax = 20
/** Their labels are the upstream's own, or may be left out. */
const withoutLabel = ['COPY_CODE', 'OTP']

/** Checks the buttons of a template that is created or edited. */
export function checkNewButtons(buttons: readonly unknown[]): Refusal | undefined {
  if (buttons.length === 0 || buttons.length > buttonsMax)
    return PROBLEMS.templateRule(2388050, `A template has 1 to ${buttonsMax} buttons.`)
  const types: string[] = []
  for (const button of buttons) {
    if (!isObject(button) || !isText(button.type)) return PROBLEMS.required("buttons['type']")
    const type = button.type.toUpperCase()
    types.push(type)
    const refusal = checkButton(type, button)
    if (refusal) return refusal
  }
  for (const [type, most] of Object.entries(countMax))
    if (types.filter(one => one === type).length > most)
      return PROBLEMS.templateRule(2388050, `A template has at most ${most} buttons of type ${type}.`)
  return isGrouped(types) ? undefined : PROBLEMS.templateRule(2388050, 'Quick replies stand together, first or last.')
}

function checkButton(type: string, { text, url, phone_number: phone, example }: JsonObject): Refusal | undefined {
  if (!withoutLabel.includes(type)) {
    if (!isText(text) || text === '') return PROBLEMS.templateRule(2388050, 'A button needs a text.')
    if (charCount(text) > labelLengthMax || variablesOf(text).length > 0)
      return PROBLEMS.templateRule(2388050, `A button's text has at most ${labelLengthMax} characters, no variable.`)
  }
  switch (type) {
    case 'URL':
      return checkUrl(url, example)
    case 'PHONE_NUMBER':
      return isText(phone) && phone !== '' && phone.length <= phoneLengthMax
        ? undefined
        : PROBLEMS.templateRule(2388050, `A phone button needs a number of at most ${phoneLengthMax} characters.`)
    case 'COPY_CODE':
      return example === undefined ? PROBLEMS.templateRule(2388043, 'A copy code button needs an example.') : undefined
    default:
      return undefined
  }
}

function checkUrl(url: unknown, example: unknown): Refusal | undefined {
  if (!isText(url) || !/^https:\/\/\S+$/.test(url) || url.length > urlLengthMax)
    return PROBLEMS.templateRule(2388050, `A URL begins with https://, without spaces, at most ${urlLengthMax} long.`)
  const names = variablesOf(url)
  if (names.length === 0) return undefined
  if (names.length > 1 || !/\{\{[^{}]+\}\}$/.test(url))
    return PROBLEMS.templateRule(2388050, 'A URL has one variable at most, at its end.')
  return Array.isArray(example) && example.length > 0
    ? undefined
    : PROBLEMS.templateRule(2388043, 'A URL with a variable needs an example.')
}

/** Quick replies are one unbroken group, before or behind all others. */
function isGrouped(types: readonly string[]): boolean {
  const kinds = types.map(type => (type === 'QUICK_REPLY' ? 'Q' : 'o')).join('')
  return /^Q*o*$|^o*Q*$/.test(kinds)
}
