import { charCount } from '../../base/chars.ts'
import { isObject, isText, type JsonObject, list } from '../../base/json.ts'
import {
  appsMax,
  cardButtonsMax,
  cardsMax,
  cardsMin,
  expirationMinutesMax,
  labelCharsMax,
  offerTextCharsMax,
  packageNameCharsMax,
  signatureHashChars,
} from '../../base/upstreamLimits.ts'
import { codeWays, packageNamePattern, signatureHashPattern } from '../../forms/templates.ts'
import type { Button, Component } from '../state/records.ts'
import { checkNewButtons } from './newButtons.ts'
import { type CheckedTemplate, componentType } from './newParts.ts'
import { PROBLEMS } from './problems.ts'
import { firstRefusal, type Refusal } from './refusals.ts'

// docs/upstream.md#template-creation: the kinds of template with rules of their own.

const rule = (subcode: number, text: string) => PROBLEMS.templateRule(subcode, text)
const kindsOf = (components: readonly Component[]) =>
  components.find(one => componentType(one) === 'BUTTONS')?.buttons?.map(({ type }) => type.toUpperCase()) ?? []
const headerOf = (components: readonly Component[]) => {
  const header = components.find(one => componentType(one) === 'HEADER')
  return header && (header.format ?? 'TEXT').toUpperCase()
}

/** An authentication template has a fixed text, and one button with the code. */
export function checkAuthentication({ category, components }: CheckedTemplate): Refusal | undefined {
  const buttons = components.flatMap(({ buttons = [] }) => buttons)
  const codes = buttons.filter(({ type }) => type.toUpperCase() === 'OTP')
  if (category !== 'AUTHENTICATION')
    return codes.length > 0 ? PROBLEMS.notOneOf('category', ['AUTHENTICATION']) : undefined
  const [button] = codes
  if (!button || buttons.length > 1) return rule(2388050, 'An authentication template has one OTP button.')
  for (const component of components) {
    const type = componentType(component)
    if (!['BODY', 'FOOTER', 'BUTTONS'].includes(type))
      return PROBLEMS.invalidParameter(`An authentication template has no ${type}.`)
    if (type !== 'BUTTONS' && component.text !== undefined)
      return PROBLEMS.invalidParameter(`The text of the ${type} of an authentication template is fixed.`)
    const { code_expiration_minutes: minutes } = component
    if (
      type === 'FOOTER' &&
      !(Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= expirationMinutesMax)
    )
      return rule(2388073, `code_expiration_minutes must be from 1 to ${expirationMinutesMax}.`)
  }
  return checkCode(button)
}

function checkCode({ otp_type: kind, text, autofill_text: autofill, ...button }: Button): Refusal | undefined {
  if (!isText(kind) || !codeWays.some(way => way === kind.toUpperCase())) return PROBLEMS.notOneOf('otp_type', codeWays)
  for (const label of [text, autofill])
    if (label !== undefined && (!isText(label) || label === '' || charCount(label) > labelCharsMax))
      return rule(2388050, `A button's text has at most ${labelCharsMax} characters.`)
  if (kind.toUpperCase() === 'COPY_CODE') return undefined
  if (kind.toUpperCase() === 'ZERO_TAP' && button.zero_tap_terms_accepted !== true)
    return rule(2388050, 'A zero-tap button needs zero_tap_terms_accepted.')
  // Up to v20, and in samples since, the one app stands in the button itself.
  const apps = button.supported_apps === undefined && isApp(button) ? [button] : list(button.supported_apps)
  if (apps.length === 0 || apps.length > appsMax) return rule(2388050, `A tap button names 1 to ${appsMax} apps.`)
  return apps.every(app => isObject(app) && isApp(app))
    ? undefined
    : rule(2388050, `An app has a package of two parts or more, and a hash of ${signatureHashChars} characters.`)
}

const isApp = ({ package_name: name, signature_hash: hash }: JsonObject): boolean =>
  isText(name) &&
  name.length <= packageNameCharsMax &&
  packageNamePattern.test(name) &&
  isText(hash) &&
  hash.length === signatureHashChars &&
  signatureHashPattern.test(hash)

/** A limited-time offer: its text, an image or a video, no footer, and the code before the address. */
export function checkOffer({ components }: CheckedTemplate): Refusal | undefined {
  const offer = components.find(one => componentType(one) === 'LIMITED_TIME_OFFER')
  if (!offer) return undefined
  const { text } = offer.limited_time_offer ?? {}
  if (!isText(text) || text === '' || charCount(text) > offerTextCharsMax)
    return rule(2388043, `A limited-time offer has a text of 1 to ${offerTextCharsMax} characters.`)
  if (components.some(one => componentType(one) === 'FOOTER'))
    return PROBLEMS.invalidParameter('A limited-time offer has no footer.')
  const header = headerOf(components)
  if (header !== undefined && header !== 'IMAGE' && header !== 'VIDEO')
    return rule(2388047, 'The header of a limited-time offer is an image or a video.')
  return /^(COPY_CODE )?URL$/.test(kindsOf(components).join(' '))
    ? undefined
    : rule(2388050, 'A limited-time offer has a URL button, and before it at most a copy code button.')
}

/** All cards are alike; the message itself has a body and nothing else. */
export function checkNewCarousel({ components }: CheckedTemplate): Refusal | undefined {
  const carousel = components.find(one => componentType(one) === 'CAROUSEL')
  if (!carousel) return undefined
  if (components.some(one => !['BODY', 'CAROUSEL'].includes(componentType(one))))
    return PROBLEMS.invalidParameter('A carousel template has a body and cards, nothing else.')
  const cards = list(carousel.cards).filter((card): card is { components: Component[] } => isObject(card))
  if (cards.length < cardsMin || cards.length > cardsMax)
    return rule(2388043, `A carousel has ${cardsMin} to ${cardsMax} cards.`)
  const shapes = new Set(cards.map(card => shapeOf(card.components)))
  if (shapes.size > 1) return rule(2388043, 'All cards of a carousel have the same components.')
  return firstRefusal(cards, card => checkCard(card.components))
}

const shapeOf = (parts: readonly Component[]) =>
  [...parts.map(componentType).sort(), headerOf(parts), ...kindsOf(parts)].join(' ')

function checkCard(parts: readonly Component[]): Refusal | undefined {
  const header = headerOf(parts)
  if (header !== 'IMAGE' && header !== 'VIDEO' && header !== 'PRODUCT')
    return rule(2388047, 'The header of a card is an image, a video or a product.')
  if (parts.some(one => !['HEADER', 'BODY', 'BUTTONS'].includes(componentType(one))))
    return PROBLEMS.invalidParameter('A card has a header, a body and buttons.')
  const buttons = parts.find(one => componentType(one) === 'BUTTONS')?.buttons ?? []
  const kinds = kindsOf(parts)
  if (kinds.length === 0 || kinds.length > cardButtonsMax)
    return rule(2388050, `A card has 1 to ${cardButtonsMax} buttons.`)
  const allowed = header === 'PRODUCT' ? ['SPM', 'URL'] : ['QUICK_REPLY', 'URL', 'PHONE_NUMBER']
  if (kinds.some(kind => !allowed.includes(kind)))
    return rule(2388050, `The buttons of such a card are of the types ${allowed.join(', ')}.`)
  return checkNewButtons(buttons, header)
}
