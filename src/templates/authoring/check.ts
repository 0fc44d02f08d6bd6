import { isLongerThan } from '../../base/chars.ts'
import type { Issue } from '../../base/errors.ts'
import {
  bodyCharsMax,
  cardBodyCharsMax,
  cardButtonsMax,
  cardsMax,
  cardsMin,
  expirationMinutesMax,
  lifetimeSeconds,
  offerBodyCharsMax,
  offerTextCharsMax,
  templateNameCharsMax,
} from '../../base/upstreamLimits.ts'
import { languagePattern, templateNamePattern } from '../../forms/templates.ts'
import { buttonIssues } from './buttons.ts'
import { type CardDraft, type HeaderDraft, isMedia, type TemplateDraft } from './draft.ts'
import { cardButtonKinds, cardHeaderKinds, offerHeaderKinds, productButtonKinds } from './parts.ts'
import { bodyIssues, exampleProblem, footerProblem, headerTextProblem, variablesIn } from './texts.ts'

/**
 * Checks a template by the rules of the upstream (docs/upstream.md#template-creation) and of the contract
 * (docs/partner-api.md#template-values). @returns every problem, with a JSON Pointer to the field and what to do
 */
export function checkDraft(draft: TemplateDraft): Issue[] {
  const { category, name, language } = draft
  return [
    ...problem('/name', nameProblem(name)),
    ...problem('/language', languageProblem(language)),
    ...problem('/lifetimeSeconds', lifetimeProblem(draft)),
    ...(category === 'AUTHENTICATION' ? authenticationIssues(draft) : messageIssues(draft)),
  ]
}

const problem = (path: string, message: string | undefined | false): Issue[] => (message ? [{ path, message }] : [])

function nameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty'
  if (name.length > templateNameCharsMax) return `must be at most ${templateNameCharsMax} characters long`
  return templateNamePattern.test(name) ? undefined : 'must have only lower-case letters, digits and _'
}

const languageProblem = (language: string): string | undefined =>
  languagePattern.test(language) ? undefined : 'must be a language code, as in en or en_US'

function lifetimeProblem({ category, lifetimeSeconds: seconds }: TemplateDraft): string | undefined {
  if (seconds === null) return undefined
  const bounds = lifetimeSeconds[category]
  if (bounds === null) return 'cannot be set for a marketing template'
  const { min, max } = bounds
  return Number.isInteger(seconds) && seconds >= min && seconds <= max ? undefined : `must be from ${min} to ${max}`
}

/** The texts are the upstream's own: only the button and the two sentences beside the code are chosen. */
function authenticationIssues({ header, body, footer, buttons, cards, offer, code }: TemplateDraft): Issue[] {
  const none = 'must be empty: the text of an authentication template is fixed'
  const { expirationMinutes: minutes } = code
  const isRight = minutes === null || (Number.isInteger(minutes) && minutes >= 1 && minutes <= expirationMinutesMax)
  const isOne = buttons.length === 1 && buttons[0]?.kind === 'oneTimeCode'
  return [
    ...problem('/header', header.kind !== 'none' && 'must be none: an authentication template has no header'),
    ...problem('/body/text', body.text !== '' && none),
    ...problem('/footer', footer !== '' && none),
    ...problem('/cards', cards.length > 0 && 'must be empty: an authentication template has no cards'),
    ...problem('/offer', offer !== null && 'must be none: an authentication template has no offer'),
    ...problem('/code/expirationMinutes', !isRight && `must be from 1 to ${expirationMinutesMax}`),
    ...problem('/buttons', !isOne && 'must be one button with the one-time code'),
    ...(isOne ? buttonIssues(buttons, header, '/buttons') : []),
  ]
}

function messageIssues(draft: TemplateDraft): Issue[] {
  const { category, header, body, footer, buttons, cards, offer, parameterFormat } = draft
  const hasCode = buttons.some(({ kind }) => kind === 'oneTimeCode')
  const isMarketing = category === 'MARKETING'
  return [
    ...headerIssues(header, parameterFormat, '/header'),
    ...bodyIssues(body, parameterFormat, offer ? offerBodyCharsMax : bodyCharsMax, '/body'),
    ...problem('/footer', footerProblem(footer)),
    ...buttonIssues(buttons, header, '/buttons'),
    ...problem('/buttons', hasCode && 'must not have a one-time code: only an authentication template has one'),
    ...problem('/cards', cards.length > 0 && !isMarketing && 'need the category marketing'),
    ...problem('/offer', offer !== null && !isMarketing && 'needs the category marketing'),
    ...offerIssues(draft),
    ...carouselIssues(draft),
  ]
}

function headerIssues(header: HeaderDraft, format: TemplateDraft['parameterFormat'], path: string): Issue[] {
  if (isMedia(header)) return problem(`${path}/handle`, header.handle === '' && 'needs an example file')
  if (header.kind !== 'text') return []
  const needsExample = variablesIn(header.text).length > 0
  return [
    ...problem(`${path}/text`, headerTextProblem(header.text, format)),
    ...(needsExample ? problem(`${path}/example`, exampleProblem(header.example)) : []),
  ]
}

function offerIssues({ offer, header, footer, buttons, cards }: TemplateDraft): Issue[] {
  if (offer === null) return []
  const { text } = offer
  const isLong = isLongerThan(text, offerTextCharsMax)
  const kinds = buttons.map(({ kind }) => kind).join(' ')
  const canHead = offerHeaderKinds.includes(header.kind)
  return [
    ...problem('/offer/text', text.trim() === '' && 'must not be empty'),
    ...problem('/offer/text', isLong && `must be at most ${offerTextCharsMax} characters long`),
    ...problem('/header', !canHead && 'must be an image or a video, or none, beside a limited-time offer'),
    ...problem('/footer', footer !== '' && 'must be empty: a limited-time offer has no footer'),
    ...problem('/cards', cards.length > 0 && 'must be empty: a limited-time offer has no cards'),
    ...problem(
      '/buttons',
      !/^(copyCode )?url$/.test(kinds) && 'must be an address button, with at most a code button before it',
    ),
  ]
}

function carouselIssues({ cards, header, footer, buttons, parameterFormat }: TemplateDraft): Issue[] {
  const [first] = cards
  if (!first) return []
  const shape = shapeOf(first)
  const different = cards.findIndex(card => shapeOf(card) !== shape)
  return [
    ...problem('/cards', (cards.length < cardsMin || cards.length > cardsMax) && `must be ${cardsMin} to ${cardsMax}`),
    ...problem('/header', header.kind !== 'none' && 'must be none: the cards of a carousel have their own headers'),
    ...problem('/footer', footer !== '' && 'must be empty: a carousel has no footer'),
    ...problem('/buttons', buttons.length > 0 && 'must be empty: the cards of a carousel have their own buttons'),
    ...problem(
      `/cards/${different}`,
      different !== -1 && 'must have the same header, text and buttons, in the same order, as the first card',
    ),
    ...cards.flatMap((card, at) => cardIssues(card, parameterFormat, `/cards/${at}`)),
  ]
}

/** The structure that all cards share; their words differ. */
const shapeOf = ({ header, body, buttons }: CardDraft) =>
  [header.kind, body === null ? 'no text' : 'text', ...buttons.map(({ kind }) => kind)].join(' ')

function cardIssues(card: CardDraft, format: TemplateDraft['parameterFormat'], path: string): Issue[] {
  const { header, body, buttons } = card
  const isProduct = header.kind === 'product'
  const allowed = isProduct ? productButtonKinds : cardButtonKinds
  const words = isProduct ? 'a product or an address button' : 'quick reply, address and phone buttons'
  return [
    ...problem(`${path}/header`, !cardHeaderKinds.includes(header.kind) && 'must be an image, a video or a product'),
    ...headerIssues(header, format, `${path}/header`),
    ...(body === null ? [] : bodyIssues(body, format, cardBodyCharsMax, `${path}/body`)),
    ...problem(
      `${path}/buttons`,
      (buttons.length === 0 || buttons.length > cardButtonsMax) && `must be 1 to ${cardButtonsMax}`,
    ),
    ...problem(`${path}/buttons`, !buttons.every(({ kind }) => allowed.includes(kind)) && `must be only ${words}`),
    ...buttonIssues(buttons, header, `${path}/buttons`),
  ]
}
