import {
  type ButtonDraft,
  type CardDraft,
  emptyDraft,
  type HeaderDraft,
  type TemplateDraft,
} from '../../../src/templates/authoring/draft.ts'
import { componentsOf } from '../../../src/templates/authoring/wire.ts'

export const quickReply = (text: string): ButtonDraft => ({ kind: 'quickReply', text })
export const url = (address = 'https://shop.example/orders/{{1}}', example = '1001'): ButtonDraft => ({
  kind: 'url',
  text: 'View order',
  url: address,
  example,
})
export const copyCode: ButtonDraft = { kind: 'copyCode', example: 'SAVE20' }
export const oneTimeCode = (fields: object = {}): ButtonDraft => ({
  kind: 'oneTimeCode',
  way: 'COPY_CODE',
  text: '',
  autofillText: '',
  apps: [],
  termsAccepted: false,
  ...fields,
})
export const app = { packageName: 'com.example.app', signatureHash: 'K8a/AINcGX7' }
/** `{handle}` is replaced by the handle of an upload. */
export const image = { kind: 'image', handle: '{image}', fileName: 'a.png' } as const
const video = { kind: 'video', handle: '{video}', fileName: 'a.mp4' } as const
const document: HeaderDraft = { kind: 'document', handle: '{document}', fileName: 'a.pdf' }

export const draft = (fields: Partial<TemplateDraft> = {}): TemplateDraft => ({
  ...emptyDraft,
  name: 'order_ready',
  body: { text: 'Hello {{1}}, your order is ready.', examples: { '1': 'Ada' } },
  ...fields,
})

export const card = (fields: Partial<CardDraft> = {}): CardDraft => ({
  header: image,
  body: { text: 'Only {{1}} euros today', examples: { '1': '12' } },
  buttons: [quickReply('More'), url('https://shop.example/plants/{{1}}', 'blue-elf')],
  ...fields,
})
const marketing = (fields: Partial<TemplateDraft> = {}) => draft({ category: 'MARKETING', ...fields })
export const carousel = (cards: readonly CardDraft[] = [card(), card()], fields: Partial<TemplateDraft> = {}) =>
  marketing({ cards, ...fields })
export const offer = (fields: Partial<TemplateDraft> = {}) =>
  marketing({
    header: image,
    offer: { text: 'Ends soon!', hasExpiration: true },
    buttons: [copyCode, url()],
    ...fields,
  })
export const authentication = (fields: Partial<TemplateDraft> = {}) =>
  draft({ category: 'AUTHENTICATION', body: { text: '', examples: {} }, buttons: [oneTimeCode()], ...fields })

/** The body with which a draft is created. */
export const creationOf = (given: TemplateDraft) => {
  const { name, language, category, parameterFormat, lifetimeSeconds } = given
  return {
    ...{ name, language, category, parameter_format: parameterFormat, components: componentsOf(given) },
    ...(lifetimeSeconds !== null && { message_send_ttl_seconds: lifetimeSeconds }),
  }
}

/** One of each kind that can be made, by what is special about it. */
export const kinds: Readonly<Record<string, TemplateDraft>> = {
  'a body alone': draft({ body: { text: 'Your order is ready.', examples: {} } }),
  'a body with variables': draft({
    body: { text: 'Hello {{1}}, order {{2}} is ready for you.', examples: { '1': 'Ada', '2': '1001' } },
  }),
  'a variable that is used twice': draft({
    body: { text: 'Hello {{1}}, yes you, {{1}}, your order is ready.', examples: { '1': 'Ada' } },
  }),
  'named variables': draft({
    parameterFormat: 'NAMED',
    header: { kind: 'text', text: 'News for {{first_name}}', example: 'Ada' },
    body: {
      text: 'Your parcel {{parcel}} arrives at noon on {{day_1}}.',
      examples: { parcel: 'P-17', day_1: 'Monday' },
    },
  }),
  'a header with a variable, a footer': draft({
    header: { kind: 'text', text: 'Act fast, {{1}}!', example: 'Ada' },
    footer: 'Garden shop',
  }),
  'an image': draft({ header: image }),
  'a video': draft({ header: video }),
  'a document': draft({ header: document }),
  'a GIF': draft({ header: { ...video, kind: 'gif' } }),
  'a location': draft({ header: { kind: 'location' } }),
  'buttons in groups': draft({
    buttons: [
      quickReply('Yes'),
      quickReply('No'),
      url(),
      url('https://shop.example', ''),
      { kind: 'phone', text: 'Call us', phone: '+493023125042' },
      copyCode,
      { kind: 'voiceCall', text: 'Call here' },
    ],
  }),
  'ten quick replies': draft({ buttons: Array.from({ length: 10 }, (_, at) => quickReply(`Answer ${at}`)) }),
  'a flow that navigates': draft({
    buttons: [{ kind: 'flow', text: 'Book', flowId: '1122334455667788', action: 'navigate', screen: 'BOOK' }],
  }),
  'a flow with data exchange': draft({
    buttons: [{ kind: 'flow', text: 'Book', flowId: '1122334455667788', action: 'data_exchange', screen: '' }],
  }),
  'a catalog': marketing({ buttons: [{ kind: 'catalog', text: 'View catalog' }] }),
  'several products': marketing({
    header: { kind: 'text', text: 'For you', example: '' },
    buttons: [{ kind: 'multiProduct', text: 'View items' }],
  }),
  'one product': marketing({ header: { kind: 'product' }, buttons: [{ kind: 'singleProduct', text: 'View' }] }),
  'a contact request': draft({ buttons: [{ kind: 'contactInfo', text: 'Share number' }] }),
  'a limited-time offer': offer(),
  'a limited-time offer without a code': offer({ buttons: [url()], offer: { text: 'Today', hasExpiration: false } }),
  'a carousel of images': carousel(),
  'a carousel of ten videos without text': carousel(
    Array.from({ length: 10 }, () => card({ header: video, body: null, buttons: [quickReply('More')] })),
  ),
  'a carousel of products': carousel(
    [1, 2].map(() =>
      card({ header: { kind: 'product' }, body: null, buttons: [{ kind: 'singleProduct', text: 'View' }] }),
    ),
  ),
  'a one-time code to copy': authentication({ lifetimeSeconds: 600 }),
  'a one-time code without more': authentication({ code: { securityRecommendation: false, expirationMinutes: null } }),
  'a one-time code with one tap': authentication({
    buttons: [oneTimeCode({ way: 'ONE_TAP', text: 'Copy', autofillText: 'Fill in', apps: [app] })],
  }),
  'a one-time code with zero tap': authentication({
    buttons: [oneTimeCode({ way: 'ZERO_TAP', apps: [app], termsAccepted: true })],
  }),
  'a time to deliver': draft({ lifetimeSeconds: 43_200 }),
}
