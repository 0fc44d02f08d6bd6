import { bareNumber } from '../../base/phone.ts'
import type { TemplateButton, TemplateComponent } from '../../graph/wire.ts'
import { fillText } from '../markers.ts'
import { valueIn } from '../values.ts'
import { type BodyDraft, type ButtonDraft, type HeaderDraft, isMedia, type TemplateDraft } from './draft.ts'
import { variablesIn } from './texts.ts'

type Format = TemplateDraft['parameterFormat']

/** A component of a creation; fields that a listing lacks are added here. */
export type NewComponent = TemplateComponent & { readonly [more: string]: unknown }
type NewButton = TemplateButton & { readonly [more: string]: unknown }

/** @returns the components of a creation or an edit (docs/upstream.md#template-creation) */
export function componentsOf(draft: TemplateDraft): NewComponent[] {
  const { category, parameterFormat, header, body, footer, buttons, cards, offer } = draft
  if (category === 'AUTHENTICATION') return authenticationOf(draft)
  return [
    ...headerOf(header, parameterFormat),
    ...(offer ? [{ type: 'LIMITED_TIME_OFFER', limited_time_offer: offerOf(offer) }] : []),
    bodyOf(body, parameterFormat),
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...buttonsOf(buttons),
    ...(cards.length === 0
      ? []
      : [
          {
            type: 'CAROUSEL',
            cards: cards.map(card => ({
              components: [
                ...headerOf(card.header, parameterFormat),
                ...(card.body === null ? [] : [bodyOf(card.body, parameterFormat)]),
                ...buttonsOf(card.buttons),
              ],
            })),
          },
        ]),
  ]
}

const offerOf = ({ text, hasExpiration }: { text: string; hasExpiration: boolean }) => ({
  text,
  has_expiration: hasExpiration,
})

function authenticationOf({ code, buttons }: TemplateDraft): NewComponent[] {
  const { securityRecommendation, expirationMinutes } = code
  return [
    { type: 'BODY', add_security_recommendation: securityRecommendation },
    ...(expirationMinutes === null ? [] : [{ type: 'FOOTER', code_expiration_minutes: expirationMinutes }]),
    ...buttonsOf(buttons),
  ]
}

function headerOf(header: HeaderDraft, format: Format): NewComponent[] {
  if (header.kind === 'none') return []
  if (isMedia(header))
    return [{ type: 'HEADER', format: header.kind.toUpperCase(), example: { header_handle: [header.handle] } }]
  if (header.kind !== 'text') return [{ type: 'HEADER', format: header.kind.toUpperCase() }]
  const { text, example } = header
  const [variable] = variablesIn(text)
  const examples =
    format === 'NAMED'
      ? { header_text_named_params: [{ param_name: variable ?? '', example }] }
      : { header_text: [example] }
  return [{ type: 'HEADER', format: 'TEXT', text, ...(variable !== undefined && { example: examples }) }]
}

function bodyOf({ text, examples }: BodyDraft, format: Format): NewComponent {
  const variables = variablesIn(text)
  if (variables.length === 0) return { type: 'BODY', text }
  const values = variables.map(key => valueIn(examples, key) ?? '')
  const example =
    format === 'NAMED'
      ? { body_text_named_params: variables.map((key, at) => ({ param_name: key, example: values[at] ?? '' })) }
      : { body_text: [values] }
  return { type: 'BODY', text, example }
}

const buttonsOf = (buttons: readonly ButtonDraft[]): NewComponent[] =>
  buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(buttonOf) }]

function buttonOf(button: ButtonDraft): NewButton {
  switch (button.kind) {
    case 'quickReply':
      return { type: 'QUICK_REPLY', text: button.text }
    case 'url': {
      const { text, url, example } = button
      const hasVariable = variablesIn(url).length > 0
      // The whole address: the upstream's samples have it, and it is clear what it is an example of.
      return { type: 'URL', text, url, ...(hasVariable && { example: [fillText(url, () => example)] }) }
    }
    case 'phone':
      return { type: 'PHONE_NUMBER', text: button.text, phone_number: bareNumber(button.phone) }
    case 'copyCode':
      return { type: 'COPY_CODE', example: button.example }
    case 'flow': {
      const { text, flowId, action, screen } = button
      const first = action === 'navigate' ? { navigate_screen: screen } : {}
      return { type: 'FLOW', text, flow_id: flowId, flow_action: action, ...first }
    }
    case 'catalog':
      return { type: 'CATALOG', text: button.text }
    case 'multiProduct':
      return { type: 'MPM', text: button.text }
    case 'singleProduct':
      return { type: 'SPM', text: button.text }
    case 'voiceCall':
      return { type: 'VOICE_CALL', text: button.text }
    case 'contactInfo':
      return { type: 'REQUEST_CONTACT_INFO', text: button.text }
    case 'oneTimeCode': {
      const { way, text, autofillText, apps, termsAccepted } = button
      return {
        type: 'OTP',
        otp_type: way,
        ...(text !== '' && { text }),
        ...(autofillText !== '' && way !== 'COPY_CODE' && { autofill_text: autofillText }),
        ...(apps.length > 0 && {
          supported_apps: apps.map(({ packageName, signatureHash }) => ({
            package_name: packageName,
            signature_hash: signatureHash,
          })),
        }),
        ...(way === 'ZERO_TAP' && { zero_tap_terms_accepted: termsAccepted }),
      }
    }
  }
}
