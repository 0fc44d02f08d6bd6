import { charCount } from '../../base/chars.ts'
import { isObject, isText } from '../../base/json.ts'
import { couponCharsMax, productSectionsMax, productsMax, urlCharsMax } from '../../base/upstreamLimits.ts'
import { type ButtonPlan, fill } from '../state/records.ts'
import { checkNames, checkText, parameterText, type SentButton, type SentParameter } from './parts.ts'
import { PROBLEMS } from './problems.ts'
import { firstRefusal, type Refusal } from './refusals.ts'

/** Which `sub_type` fills a button of which type; the others are static. */
const subTypes: Readonly<Record<string, string>> = {
  QUICK_REPLY: 'QUICK_REPLY',
  URL: 'URL',
  OTP: 'URL',
  COPY_CODE: 'COPY_CODE',
  CATALOG: 'CATALOG',
  MPM: 'MPM',
  FLOW: 'FLOW',
}

/** The place of buttons, and how their template names its variables. */
interface Surroundings {
  readonly inCard: boolean
  readonly named: boolean
}

/** Buttons of a message or a card: each component at a button of its type, and none missing that must be filled. */
export function checkButtons(
  plans: readonly ButtonPlan[],
  sent: readonly SentButton[],
  around: Surroundings,
): Refusal | undefined {
  const seen = new Map<number, SentButton>()
  for (const button of sent) {
    const plan = plans[button.index]
    if (!plan) return PROBLEMS.buttonUnknown(button.index)
    if (seen.has(button.index)) return PROBLEMS.componentTwice(`button ${button.index}`)
    seen.set(button.index, button)
    const expected = subTypes[plan.type]
    if (expected === undefined || (plan.type === 'URL' && plan.variables.length === 0))
      return PROBLEMS.buttonStatic(button.index, plan.type)
    if (expected !== button.subType) return PROBLEMS.buttonKind(button.index, plan.type, button.subType)
  }
  return firstRefusal(plans.entries(), ([index, plan]) => checkButton(index, plan, seen.get(index), around))
}

function checkButton(
  index: number,
  plan: ButtonPlan,
  sent: SentButton | undefined,
  { inCard, named }: Surroundings,
): Refusal | undefined {
  const [parameter, second] = sent?.parameters ?? []
  if (plan.type === 'URL' || plan.type === 'OTP') {
    if (plan.type === 'URL' && plan.variables.length === 0) return undefined
    if (!parameter) return inCard ? PROBLEMS.cardUrlMissing() : PROBLEMS.urlParameterMissing(index)
    return (
      expectOne(index, parameter.type, 'text', second) ??
      checkUrlName(index, parameter, plan, named) ??
      checkText(`button ${index}`, [parameter]) ??
      // A code is copied or filled in, so the rules of the body apply and not those of addresses.
      (plan.type === 'URL' ? checkUrl(index, parameter, plan) : undefined)
    )
  }
  if (plan.type === 'COPY_CODE' || plan.type === 'MPM') {
    if (!parameter) return PROBLEMS.buttonParameterMissing(index, plan.type === 'MPM' ? 'Mpm' : 'CopyCode')
  }
  if (!parameter) return undefined
  if (plan.type === 'COPY_CODE') {
    const wrong = expectOne(index, parameter.type, 'coupon_code', second)
    if (wrong) return wrong
    const coupon = parameterText(parameter) ?? ''
    if (coupon.trim() === '') return PROBLEMS.emptyText('coupon_code')
    return charCount(coupon) > couponCharsMax
      ? PROBLEMS.invalid(`coupon_code: at most ${couponCharsMax} characters`)
      : undefined
  }
  if (plan.type === 'QUICK_REPLY') {
    return expectOne(index, parameter.type, 'payload', second)
  }
  const wrong = expectOne(index, parameter.type, 'action', second)
  if (wrong) return wrong
  return plan.type === 'MPM' ? checkSections(index, parameter.value.action) : undefined
}

function expectOne(index: number, received: string, expected: string, second: unknown): Refusal | undefined {
  if (received !== expected) return PROBLEMS.buttonKind(index, `parameter ${expected}`, `parameter ${received}`)
  return second === undefined ? undefined : PROBLEMS.parameterCount(`button ${index}`, 2, 1)
}

/**
 * A number in the address of a named template is seen in listings; it has no name that its value could carry, and
 * neither has the code of an authentication template.
 */
function checkUrlName(
  index: number,
  parameter: SentParameter,
  { variables }: ButtonPlan,
  named: boolean,
): Refusal | undefined {
  const isNumbered = variables.every(variable => /^\d+$/.test(variable))
  if (named && isNumbered && parameter.value.parameter_name === undefined) return undefined
  return checkNames(`button ${index}`, [parameter], variables, named)
}

function checkUrl(index: number, parameter: SentParameter, { url, variables }: ButtonPlan): Refusal | undefined {
  const suffix = parameterText(parameter) ?? ''
  if (/[\s"<>\\^`{|}]/.test(suffix) || /%(?![0-9a-fA-F]{2})/.test(suffix)) return PROBLEMS.urlNotEncoded(index)
  const values = new Map(variables.map(variable => [variable, suffix]))
  return charCount(fill(url, values)) > urlCharsMax ? PROBLEMS.textTooLong(`button ${index}`, urlCharsMax) : undefined
}

function checkSections(index: number, action: unknown): Refusal | undefined {
  const sections = isObject(action) && Array.isArray(action.sections) ? action.sections : []
  if (sections.length === 0) return PROBLEMS.buttonParameterMissing(index, 'Mpm')
  if (sections.length > productSectionsMax) return PROBLEMS.invalid(`sections: at most ${productSectionsMax}`)
  let products = 0
  for (const section of sections) {
    const items: unknown[] = isObject(section) && Array.isArray(section.product_items) ? section.product_items : []
    for (const item of items)
      if (!isObject(item) || !isText(item.product_retailer_id))
        return PROBLEMS.missing('product_retailer_id is required')
    products += items.length
  }
  return products < 1 || products > productsMax ? PROBLEMS.invalid(`products: 1 to ${productsMax}`) : undefined
}
