import { isLongerThan } from '../../base/chars.ts'
import type { Issue } from '../../base/errors.ts'
import { bareNumber } from '../../base/phone.ts'
import {
  appsMax,
  buttonsMax,
  buttonsOfKindMax,
  couponCharsMax,
  packageNameCharsMax,
  phoneCharsMax,
  signatureHashChars,
  urlCharsMax,
} from '../../base/upstreamLimits.ts'
import { areTogether, packageNamePattern, signatureHashPattern } from '../../forms/templates.ts'
import { flowIdCharsMax, screenCharsMax } from '../limits.ts'
import { textProblem } from '../values.ts'
import type { AppDraft, ButtonDraft, FlowDraft, HeaderDraft, OneTimeCodeDraft } from './draft.ts'
import { exampleProblem, labelProblem, variablesIn } from './texts.ts'

/** How many buttons of one kind a message may have; the others have no bound of their own. */
export const countMax: Partial<Readonly<Record<ButtonDraft['kind'], number>>> = buttonsOfKindMax

/** These stand alone. */
const soleKinds: readonly ButtonDraft['kind'][] = ['catalog', 'multiProduct', 'singleProduct']

/** In words, as in "at most 2 address buttons". */
const kindWords: Readonly<Record<ButtonDraft['kind'], string>> = {
  quickReply: 'quick reply buttons',
  url: 'address buttons',
  phone: 'phone buttons',
  copyCode: 'code buttons',
  flow: 'flow buttons',
  catalog: 'catalog buttons',
  multiProduct: 'multi-product buttons',
  singleProduct: 'product buttons',
  voiceCall: 'call buttons',
  contactInfo: 'contact buttons',
  oneTimeCode: 'one-time code buttons',
}

/** @returns what is wrong with the buttons of a message or a card: each one, then their number and order. */
export function buttonIssues(buttons: readonly ButtonDraft[], header: HeaderDraft, path: string): Issue[] {
  const issues = buttons.flatMap((button, at) => buttonProblems(button, `${path}/${at}`))
  const together = mixProblem(buttons, header)
  return together === undefined ? issues : [...issues, { path, message: together }]
}

function mixProblem(buttons: readonly ButtonDraft[], header: HeaderDraft): string | undefined {
  if (buttons.length > buttonsMax) return `must be at most ${buttonsMax}`
  const kinds = buttons.map(({ kind }) => kind)
  for (const kind of new Set(kinds)) {
    const max = countMax[kind] ?? buttonsMax
    if (kinds.filter(one => one === kind).length > max) return `must have at most ${max} ${kindWords[kind]}`
  }
  const sole = soleKinds.find(kind => kinds.includes(kind))
  if (sole !== undefined && kinds.length > 1 && header.kind !== 'product')
    return `must have no other button beside a ${kindWords[sole].replace(/s$/, '')}`
  if (kinds.includes('singleProduct') && header.kind !== 'product')
    return 'must have a product header for a product button'
  return areTogether(kinds.map(kind => kind === 'quickReply'))
    ? undefined
    : 'must have all quick replies together, first or last'
}

function buttonProblems(button: ButtonDraft, path: string): Issue[] {
  const issues: Issue[] = []
  const note = (field: string, message: string | undefined) => {
    if (message !== undefined) issues.push({ path: `${path}/${field}`, message })
  }
  if (button.kind !== 'copyCode' && button.kind !== 'oneTimeCode') note('text', labelProblem(button.text))
  switch (button.kind) {
    case 'url':
      note('url', urlProblem(button.url))
      if (variablesIn(button.url).length > 0) note('example', exampleProblem(button.example))
      break
    case 'phone':
      note('phone', phoneProblem(button.phone))
      break
    case 'copyCode':
      note('example', couponProblem(button.example))
      break
    case 'flow':
      noteFlow(button, note)
      break
    case 'oneTimeCode':
      noteOneTimeCode(button, note)
      break
  }
  return issues
}

type Note = (field: string, message: string | undefined) => void

/** docs/partner-api.md#template-values: https, no spaces, and one variable at most: `{{1}}`, at the end. */
function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty'
  if (url !== url.trim()) return 'must not begin or end with a space'
  if (/\s/.test(url)) return 'must not have a space'
  if (!url.startsWith('https://')) return 'must begin with https://'
  if (isLongerThan(url, urlCharsMax)) return `must be at most ${urlCharsMax} characters long`
  const braces = url.match(/\{\{|\}\}/g)?.length ?? 0
  if (braces > 0 && !(braces === 2 && url.endsWith('{{1}}')))
    return 'must have at most one variable, which is {{1}} and stands at the end'
  return URL.canParse(url.replace('{{1}}', 'x')) ? undefined : 'must be a web address, as in https://example.com/orders'
}

function phoneProblem(phone: string): string | undefined {
  if (phone.trim() === '') return 'must not be empty'
  const number = bareNumber(phone)
  if (number.length > phoneCharsMax) return `must be at most ${phoneCharsMax} characters long`
  return /^\+?\d+$/.test(number) ? undefined : 'must be a phone number with its country code, as in +4930123456'
}

function couponProblem(code: string): string | undefined {
  return code.trim() === '' ? 'needs an example' : textProblem(code, couponCharsMax)
}

function noteFlow({ flowId, action, screen }: FlowDraft, note: Note): void {
  const isId = /^\d+$/.test(flowId) && flowId.length <= flowIdCharsMax
  note('flowId', isId ? undefined : "must be the flow's id: digits only")
  if (action === 'navigate')
    note(
      'screen',
      screen.trim() === '' ? 'must name the first screen of the flow' : textProblem(screen, screenCharsMax),
    )
}

function noteOneTimeCode(button: OneTimeCodeDraft, note: Note): void {
  const { way, text, autofillText, apps, termsAccepted } = button
  if (text !== '') note('text', labelProblem(text))
  if (autofillText !== '') note('autofillText', labelProblem(autofillText))
  if (way === 'COPY_CODE') {
    if (apps.length > 0) note('apps', 'must be empty: only one tap and zero tap name apps')
    return
  }
  if (apps.length === 0 || apps.length > appsMax) note('apps', `must name 1 to ${appsMax} apps`)
  apps.forEach((app, at) => {
    noteApp(app, `apps/${at}`, note)
  })
  if (way === 'ZERO_TAP' && !termsAccepted) note('termsAccepted', 'must be accepted for zero tap')
}

function noteApp({ packageName, signatureHash }: AppDraft, path: string, note: Note): void {
  const isPackage = packageNamePattern.test(packageName) && packageName.length <= packageNameCharsMax
  note(`${path}/packageName`, isPackage ? undefined : 'must be the name of a package, as in com.example.app')
  const isHash = signatureHash.length === signatureHashChars && signatureHashPattern.test(signatureHash)
  note(
    `${path}/signatureHash`,
    isHash ? undefined : `must have exactly ${signatureHashChars} characters: A-Z a-z 0-9 + / =`,
  )
}
