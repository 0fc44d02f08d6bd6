import {
  bodyCharsMax,
  callMinutesMax,
  callPayloadCharsMax,
  cardBodyCharsMax,
  cardBreaksMax,
  cardsMax,
  cardsMin,
  flowButtonCharsMax,
  footerCharsMax,
  headerCharsMax,
  linkTextCharsMax,
  listBodyCharsMax,
  listButtonCharsMax,
  listSectionsMax,
  mixedButtonsMax,
  productSectionsMax,
  productsMax,
  replyButtonsMax,
  replyIdCharsMax,
  replyTitleCharsMax,
  rowDescriptionCharsMax,
  rowIdCharsMax,
  rowsMax,
  rowTitleCharsMax,
  sectionTitleCharsMax,
} from '../base/upstreamLimits.ts'
import type { ChoiceForm, Fields, FileForm, Form, ListForm, NoneForm, ObjectForm, TextForm, WordForm } from './form.ts'

// docs/upstream.md#interactive-messages and docs/upstream.md#flows have these rules, with their sources.

const text = (charsMax?: number, more: Partial<TextForm> = {}): TextForm => ({
  is: 'text',
  ...(charsMax !== undefined && { charsMax }),
  ...more,
})
const word = (...of: readonly string[]): WordForm => ({ is: 'word', of })
const object = (fields: Fields): ObjectForm => ({ is: 'object', fields })
const file = (kind: string): FileForm => ({ is: 'file', kind })
const optional = <One extends Form>(form: One): One => ({ ...form, optional: true })

const headerText: Fields = { text: text(headerCharsMax) }
const textHeader: ChoiceForm = { is: 'choice', of: { text: headerText } }
const anyHeader: ChoiceForm = {
  is: 'choice',
  of: {
    text: headerText,
    image: { image: file('image') },
    video: { video: file('video') },
    document: { document: file('document') },
  },
}
const none: NoneForm = { is: 'none', optional: true }
const footer = optional(object({ text: text(footerCharsMax) }))
const body = (charsMax = bodyCharsMax) => object({ text: text(charsMax) })

/** Beside the action: a body that is required, and a header and a footer that are not. */
const frame = { header: optional(anyHeader), body: body(), footer }
/** A sentence above a button of the app. No source says whether it may have a footer. */
const request = { header: none, body: body(), footer: { ...none, unsure: footer } }

const link: Fields = { display_text: text(linkTextCharsMax), url: text(undefined, { isAddress: true }) }
const openLink: Fields = { name: word('cta_url'), parameters: object(link) }
const product: Fields = { catalog_id: text(), product_retailer_id: text() }

/** Titled sections; one that stands alone needs no title. */
const sections = (max: number, of: string, elements: ListForm, what: string): ListForm => ({
  is: 'list',
  min: 1,
  max,
  of: object({ title: text(sectionTitleCharsMax, { optional: 'alone' }), [of]: elements }),
  inAll: { of, what, max: elements.max },
})

const row = object({
  id: text(rowIdCharsMax, { unique: true }),
  title: text(rowTitleCharsMax),
  description: text(rowDescriptionCharsMax, { optional: true, mayBeEmpty: true }),
})

const buttons: ListForm = {
  is: 'list',
  min: 1,
  max: replyButtonsMax,
  of: {
    is: 'choice',
    of: {
      reply: {
        reply: object({
          id: text(replyIdCharsMax, { unique: true }),
          title: text(replyTitleCharsMax, { unique: true }),
        }),
      },
      cta_url: { cta_url: object(link) },
    },
    otherwise: 'reply',
  },
  first: { type: 'cta_url', max: mixedButtonsMax.url, listMax: mixedButtonsMax.all },
}

const flow: Fields = {
  flow_message_version: { is: 'word', of: ['3'], open: true },
  flow_id: text(undefined, { optional: true, or: 'flow_name' }),
  flow_name: text(undefined, { optional: true }),
  flow_cta: text(flowButtonCharsMax, { noEmoji: true }),
  flow_token: text(undefined, { optional: true }),
  mode: optional(word('draft', 'published')),
  flow_action: optional(word('navigate', 'data_exchange')),
  flow_action_payload: optional(object({ screen: text(), data: { is: 'data', optional: true } })),
}

/** Ours: the page says "one or more". */
const cardRepliesMax = 10
/** Labels are the same on many cards. */
const cardReplies: ListForm = {
  is: 'list',
  min: 1,
  max: cardRepliesMax,
  of: {
    is: 'choice',
    of: { quick_reply: { quick_reply: object({ id: text(replyIdCharsMax), title: text(replyTitleCharsMax) }) } },
    otherwise: 'quick_reply',
  },
}

const cards: ListForm = {
  is: 'list',
  min: cardsMin,
  max: cardsMax,
  of: {
    is: 'choice',
    before: { card_index: { is: 'whole', min: 0, max: 'last', unique: true } },
    of: {
      cta_url: {
        header: { is: 'choice', of: { image: { image: file('image') }, video: { video: file('video') } } },
        body: optional(object({ text: text(cardBodyCharsMax, { breaksMax: cardBreaksMax }) })),
        action: { ...object(openLink), instead: { name: 'buttons', form: cardReplies } },
      },
      product: { action: object(product) },
    },
    otherwise: 'cta_url',
  },
  same: [['type'], ['header', 'type'], ['action', 'catalog_id'], ['action', 'buttons']],
}

/** The kinds that are checked, each with the fields of its message. */
export const interactiveForms: Readonly<Record<string, Fields>> = {
  button: { ...frame, action: object({ buttons }) },
  list: {
    header: optional(textHeader),
    body: body(listBodyCharsMax),
    footer,
    action: object({
      button: text(listButtonCharsMax),
      sections: sections(listSectionsMax, 'rows', { is: 'list', min: 1, max: rowsMax, of: row }, 'rows'),
    }),
  },
  cta_url: { ...frame, action: object(openLink) },
  flow: { ...frame, action: object({ name: word('flow'), parameters: object(flow) }) },
  location_request_message: { ...request, action: object({ name: word('send_location') }) },
  request_contact_info: { ...request, action: object({ name: word('request_contact_info') }) },
  voice_call: {
    ...request,
    header: optional(textHeader),
    action: object({
      name: word('voice_call'),
      parameters: optional(
        object({
          display_text: text(linkTextCharsMax, { optional: true }),
          payload: text(callPayloadCharsMax, { optional: true }),
          ttl_minutes: { is: 'whole', min: 1, max: callMinutesMax, optional: true },
        }),
      ),
    }),
  },
  product: { header: none, body: optional(body()), footer, action: object(product) },
  product_list: {
    header: textHeader,
    body: body(),
    footer,
    action: object({
      catalog_id: text(),
      sections: sections(
        productSectionsMax,
        'product_items',
        { is: 'list', min: 1, max: productsMax, of: object({ product_retailer_id: text() }) },
        'products',
      ),
    }),
  },
  catalog_message: {
    header: none,
    body: body(),
    footer,
    action: object({
      name: word('catalog_message'),
      parameters: optional(object({ thumbnail_product_retailer_id: text(undefined, { optional: true }) })),
    }),
  },
  carousel: { header: none, body: body(), footer: none, action: object({ cards }) },
}

/** Kinds whose content the gateway leaves to the upstream: of the last two, little is known. */
export const furtherForms: Readonly<Record<string, Fields>> = {
  call_permission_request: {
    ...request,
    body: optional(body()),
    action: object({ name: word('call_permission_request') }),
  },
  address_message: {
    ...request,
    action: object({ name: word('address_message'), parameters: object({ country: text() }) }),
  },
  order_details: { footer },
  order_status: { footer },
}

/** The kinds that Direct Send takes as `utility` (docs/upstream.md#direct-send). */
export const directSendKinds = ['button', 'cta_url', 'voice_call'] as const
