import { charCount } from '../../base/chars.ts'
import type { EpochMs } from '../../base/clock.ts'
import { isObject, isText, type JsonObject } from '../../base/json.ts'
import {
  bodyCharsMax,
  codeCharsMax,
  headerCharsMax,
  offerBodyCharsMax,
  templateNameCharsMax,
} from '../../base/upstreamLimits.ts'
import { headerFileKinds, type Media } from '../state/media.ts'
import type { Plan, Templates } from '../state/records.ts'
import { checkButtons } from './buttons.ts'
import { checkCarousel, checkCarouselMedia, checkCarouselTexts } from './carousel.ts'
import { coordinates, isCoordinate } from './messages.ts'
import {
  checkCounts,
  checkFilled,
  checkNames,
  checkText,
  parameterText,
  readSentComponents,
  type SentParameter,
  type SentParts,
} from './parts.ts'
import { PROBLEMS } from './problems.ts'
import type { Refusal } from './refusals.ts'

const templateKeys: ReadonlySet<string> = new Set(['name', 'language', 'components'])
const languageKeys: ReadonlySet<string> = new Set(['code', 'policy'])

export interface TemplateChecks {
  readonly templates: Templates
  readonly media: Media
  readonly lineId: string
  readonly now: EpochMs
}

export type TemplateResult = { readonly plan: Plan; readonly sent: SentParts } | { readonly refusal: Refusal }

/**
 * Checks the `template` object of a send in the upstream's order: types, required fields, existence, status, counts,
 * header kind, names, texts, buttons, cards, media, lengths. The first mistake decides the answer.
 */
export function checkTemplate(input: unknown, checks: TemplateChecks): TemplateResult {
  if (!isObject(input)) return { refusal: PROBLEMS.notAnObject('template') }
  const { name, language } = input
  if (name !== undefined && !isText(name)) return { refusal: PROBLEMS.wrongType("template['name']", 'a string') }
  if (language !== undefined && !isObject(language)) return { refusal: PROBLEMS.notAnObject("template['language']") }
  const unknownKey =
    unexpected(input, 'template', templateKeys) ?? unexpected(language ?? {}, "template['language']", languageKeys)
  if (unknownKey) return { refusal: unknownKey }
  if (language?.policy !== undefined && language.policy !== 'deterministic')
    return { refusal: PROBLEMS.notOneOf("template['language']['policy']", ['deterministic']) }
  const code = language?.code
  if (code !== undefined && !isText(code))
    return { refusal: PROBLEMS.wrongType("template['language']['code']", 'a string') }
  const read = readSentComponents(input.components, "template['components']")
  if (!read.ok) return { refusal: read.refusal }
  if (!name) return { refusal: PROBLEMS.missing("The parameter template['name'] is required.") }
  if (!code) return { refusal: PROBLEMS.missing("The parameter template['language']['code'] is required.") }
  if (charCount(name) > templateNameCharsMax)
    return { refusal: PROBLEMS.tooLong("template['name']", templateNameCharsMax) }

  const plan = checks.templates.plan(name, code)
  if (!plan) return { refusal: PROBLEMS.templateMissing(name, code) }
  const sent = read.value
  const refusal =
    checkStatus(plan) ??
    checkCounts(plan.parts, sent) ??
    checkHeaderKind(plan, sent) ??
    checkNamesAndTexts(plan, sent) ??
    checkButtons(plan.parts.buttons, sent.buttons, { inCard: false, named: plan.named }) ??
    checkAuthentication(plan, sent) ??
    checkOffer(plan, sent, checks.now) ??
    checkCarousel(plan, sent.cards) ??
    checkHeaderMedia(sent, checks) ??
    checkCarouselMedia(plan, sent.cards, checks) ??
    checkTexts(plan, sent) ??
    checkCarouselTexts(plan, sent.cards)
  return refusal ? { refusal } : { plan, sent }
}

function unexpected(input: JsonObject, path: string, known: ReadonlySet<string>): Refusal | undefined {
  const key = Object.keys(input).find(name => !known.has(name))
  return key === undefined ? undefined : PROBLEMS.unexpectedKey(path, key)
}

function checkStatus({ template }: Plan): Refusal | undefined {
  switch (template.status) {
    case 'APPROVED':
      return undefined
    case 'PAUSED':
      return PROBLEMS.templatePaused()
    case 'DISABLED':
      return PROBLEMS.templateDisabled()
    default:
      return PROBLEMS.templateMissing(template.name, template.language)
  }
}

function checkHeaderKind({ parts }: Plan, sent: SentParts): Refusal | undefined {
  const { header } = parts
  if (header && header.format !== 'TEXT') {
    const [first, second] = sent.header ?? []
    if (first?.type.toUpperCase() !== header.format || second)
      return PROBLEMS.headerFormat('header', header.format, first?.type.toUpperCase() ?? 'UNKNOWN')
    return checkHeaderContent(first)
  }
  const other = sent.header?.find(parameter => parameter.type !== 'text')
  return other && PROBLEMS.headerFormat('header', 'TEXT', other.type.toUpperCase())
}

function checkHeaderContent(parameter: SentParameter): Refusal | undefined {
  const content = parameter.value[parameter.type]
  if (!isObject(content)) return undefined
  if (parameter.type === 'location') {
    for (const key of coordinates) {
      if (content[key] === undefined) return PROBLEMS.missing(`header: location ${key} is required`)
      if (!isCoordinate(key, content[key])) return PROBLEMS.invalid(`header: location ${key} is invalid`)
    }
    return undefined
  }
  if (parameter.type === 'product' && !isText(content.product_retailer_id))
    return PROBLEMS.missing('header: product_retailer_id is required')
  return undefined
}

const bodyKinds = new Set(['text', 'currency', 'date_time'])

function checkNamesAndTexts(plan: Plan, sent: SentParts): Refusal | undefined {
  const { header, body } = plan.parts
  const headerTexts = header?.format === 'TEXT' ? (sent.header ?? []) : []
  const other = sent.body.find(parameter => !bodyKinds.has(parameter.type))
  if (other) return PROBLEMS.parameterKind('body', other.type)
  return (
    checkMoneyAndDates(sent.body) ??
    checkNames('header', headerTexts, header?.variables ?? [], plan.named) ??
    checkNames('body', sent.body, body.variables, plan.named) ??
    checkText('header', headerTexts) ??
    checkText('body', sent.body)
  )
}

/** Money and dates are shown as their fallback, where the upstream cannot do better. */
function checkMoneyAndDates(parameters: readonly SentParameter[]): Refusal | undefined {
  for (const { type, value } of parameters) {
    const content = value[type]
    if (type === 'text' || !isObject(content)) continue
    const missing = (type === 'currency' ? ['fallback_value', 'code'] : ['fallback_value']).find(
      key => !isText(content[key]) || content[key] === '',
    )
    if (missing !== undefined) return PROBLEMS.missing(`body: ${type} ${missing} is required`)
    if (type === 'currency' && !Number.isInteger(content.amount_1000))
      return PROBLEMS.missing('body: currency amount_1000 is required')
  }
  return undefined
}

/** The code is in the body and on the button, and both must be the same. */
function checkAuthentication(plan: Plan, sent: SentParts): Refusal | undefined {
  if (!plan.authentication) return undefined
  const [inBody] = sent.body
  const code = inBody ? (parameterText(inBody) ?? '') : ''
  if (charCount(code) > codeCharsMax) return PROBLEMS.invalid(`body: a code has at most ${codeCharsMax} characters`)
  const [onButton] = sent.buttons[0]?.parameters ?? []
  return onButton && parameterText(onButton) !== code ? PROBLEMS.codesDiffer() : undefined
}

function checkOffer(plan: Plan, sent: SentParts, now: EpochMs): Refusal | undefined {
  if (!plan.offer?.expires) return sent.offer ? PROBLEMS.componentStatic('limited_time_offer') : undefined
  if (sent.offer && sent.offer.length > 1) return PROBLEMS.parameterCount('limited_time_offer', sent.offer.length, 1)
  const offer = sent.offer?.[0]?.value.limited_time_offer
  const expiresAt = isObject(offer) ? offer.expiration_time_ms : undefined
  if (typeof expiresAt !== 'number') return PROBLEMS.offerMissing()
  // Seconds instead of milliseconds give a time in 1970: this catches the commonest mistake.
  return expiresAt > now ? undefined : PROBLEMS.offerInPast()
}

function checkHeaderMedia(sent: SentParts, { media, lineId, now }: TemplateChecks): Refusal | undefined {
  const [header] = sent.header ?? []
  if (!header || !headerFileKinds.has(header.type)) return undefined
  return media.checkReference(header.type, header.value[header.type], lineId, now)
}

function checkTexts(plan: Plan, sent: SentParts): Refusal | undefined {
  const { header, body } = plan.parts
  const headerRefusal =
    header?.format === 'TEXT'
      ? checkFilled('header', header.text, header.variables, sent.header ?? [], headerCharsMax)
      : undefined
  const bodyMax = plan.offer ? offerBodyCharsMax : bodyCharsMax
  return headerRefusal ?? checkFilled('body', body.text, body.variables, sent.body, bodyMax)
}
