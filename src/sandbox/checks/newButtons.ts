import { charCount } from '../../base/chars.ts'
import { isObject, isText, type JsonObject, list } from '../../base/json.ts'
import {
  buttonsMax,
  buttonsOfKindMax,
  couponCharsMax,
  labelCharsMax,
  phoneCharsMax,
  urlCharsMax,
} from '../../base/upstreamLimits.ts'
import { areTogether } from '../../forms/templates.ts'
import { variablesOf } from '../state/records.ts'
import { PROBLEMS } from './problems.ts'
import type { Refusal } from './refusals.ts'

// docs/upstream.md#template-creation
/** How many buttons of one type a template may have; the others have no bound of their own. */
const countMax: Readonly<Record<string, number>> = {
  URL: buttonsOfKindMax.url,
  PHONE_NUMBER: buttonsOfKindMax.phone,
  COPY_CODE: buttonsOfKindMax.copyCode,
  VOICE_CALL: buttonsOfKindMax.voiceCall,
  OTP: buttonsOfKindMax.oneTimeCode,
}
/** They stand alone. */
const soleTypes = ['CATALOG', 'MPM', 'SPM']
const knownTypes = [
  'URL',
  'PHONE_NUMBER',
  'QUICK_REPLY',
  'COPY_CODE',
  'FLOW',
  'OTP',
  'VOICE_CALL',
  'REQUEST_CONTACT_INFO',
  ...soleTypes,
]
/** Their labels are the upstream's own, or may be left out. */
const withoutLabel = ['COPY_CODE', 'OTP']

/** Checks the buttons of a template that is created or edited, or of one of its cards. */
export function checkNewButtons(buttons: readonly unknown[], header: string | undefined): Refusal | undefined {
  if (buttons.length === 0 || buttons.length > buttonsMax)
    return PROBLEMS.templateRule(2388050, `A template has 1 to ${buttonsMax} buttons.`)
  const types: string[] = []
  for (const button of buttons) {
    if (!isObject(button) || !isText(button.type)) return PROBLEMS.required("buttons['type']")
    const type = button.type.toUpperCase()
    if (!knownTypes.includes(type)) return PROBLEMS.notOneOf("buttons['type']", knownTypes)
    types.push(type)
    const refusal = checkButton(type, button)
    if (refusal) return refusal
  }
  for (const [type, most] of Object.entries(countMax))
    if (types.filter(one => one === type).length > most)
      return PROBLEMS.templateRule(2388050, `A template has at most ${most} buttons of type ${type}.`)
  if (header !== 'PRODUCT' && types.length > 1 && types.some(type => soleTypes.includes(type)))
    return PROBLEMS.templateRule(2388050, 'A catalog or product button is the only one.')
  if (types.includes('SPM') && header !== 'PRODUCT')
    return PROBLEMS.templateRule(2388050, 'A product button needs a header of the format PRODUCT.')
  return areTogether(types.map(type => type === 'QUICK_REPLY'))
    ? undefined
    : PROBLEMS.templateRule(2388050, 'Quick replies stand together, first or last.')
}

function checkButton(type: string, button: JsonObject): Refusal | undefined {
  const { text, url, phone_number: phone, example } = button
  if (!withoutLabel.includes(type)) {
    if (!isText(text) || text.trim() === '') return PROBLEMS.templateRule(2388050, 'A button needs a text.')
    if (charCount(text) > labelCharsMax || /\{\{|\}\}/.test(text))
      return PROBLEMS.templateRule(2388050, `A button's text has at most ${labelCharsMax} characters, no variable.`)
  }
  switch (type) {
    case 'URL':
      return checkUrl(url, example)
    case 'PHONE_NUMBER':
      return isText(phone) && phone.length <= phoneCharsMax && /^\+?[\d ().-]*\d[\d ().-]*$/.test(phone)
        ? undefined
        : PROBLEMS.templateRule(2388050, `A phone button needs a number of at most ${phoneCharsMax} characters.`)
    case 'COPY_CODE':
      return checkCoupon(example)
    case 'FLOW':
      return checkFlow(button)
    default:
      return undefined
  }
}

function checkUrl(url: unknown, example: unknown): Refusal | undefined {
  if (!isText(url) || !/^https:\/\/\S+$/.test(url) || url.length > urlCharsMax)
    return PROBLEMS.templateRule(2388050, `A URL begins with https://, without spaces, at most ${urlCharsMax} long.`)
  const names = variablesOf(url)
  if (!URL.canParse(url.replaceAll(/\{\{[^{}]+\}\}/g, 'x')))
    return PROBLEMS.templateRule(2388050, 'A URL must be a valid address.')
  if (names.length === 0)
    return /\{\{|\}\}/.test(url) ? PROBLEMS.templateRule(2388050, 'A variable has no name.') : undefined
  if (names.length > 1 || !/^[^{}]+\{\{[^{}]+\}\}$/.test(url))
    return PROBLEMS.templateRule(2388050, 'A URL has one variable at most, at its end.')
  return Array.isArray(example) && isText(example[0]) && example[0] !== ''
    ? undefined
    : PROBLEMS.templateRule(2388043, 'A URL with a variable needs an example.')
}

function checkCoupon(example: unknown): Refusal | undefined {
  const code = isText(example) ? example : list(example)[0]
  if (!isText(code) || code === '') return PROBLEMS.templateRule(2388043, 'A copy code button needs an example.')
  return charCount(code) <= couponCharsMax
    ? undefined
    : PROBLEMS.templateRule(2388040, `A code has at most ${couponCharsMax} characters.`)
}

function checkFlow({ flow_id: id, flow_name: name, flow_json: json, ...button }: JsonObject): Refusal | undefined {
  if (![id, name, json].some(isText))
    return PROBLEMS.templateRule(2388050, 'A flow button needs flow_id, flow_name or flow_json.')
  const action = isText(button.flow_action) ? button.flow_action.toLowerCase() : 'navigate'
  if (action !== 'navigate' && action !== 'data_exchange')
    return PROBLEMS.notOneOf('flow_action', ['navigate', 'data_exchange'])
  const { navigate_screen: screen } = button
  return action === 'data_exchange' || (isText(screen) && screen !== '')
    ? undefined
    : PROBLEMS.templateRule(2388050, 'A flow button that navigates needs navigate_screen.')
}
