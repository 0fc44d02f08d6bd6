import { phoneLengthMax } from '../../base/phone.ts'
import { closed, described, type TProperties, type TSchema, Type } from '../../base/schema.ts'
import { templateNameCharsMax, textCharsMax, userIdPattern } from '../../base/upstreamLimits.ts'
import { freeformFields, givenIdCharsMax } from '../../freeform/fields.ts'
import { directCategories, type FreeformType, type MessageType, messageTypes } from '../../message/words.ts'
import { ttlSecondsMax, ttlSecondsMin } from '../../sending/directSend.ts'
import { givenCardsMax, givenCharsMax, valueCharsMax } from '../../templates/limits.ts'
import { componentSchema } from './componentSchema.ts'

/** docs/partner-api.md#size-limits */
export const idempotencyKeyLengthMax = 255
/** Long enough for any number of an order; each message keeps it, and so does an index on PostgreSQL. */
export const messageReferenceLengthMax = 128
/** Language codes have at most a dozen letters; ids of ours at most 34. */
const shortLengthMax = 64
/** Well above what a template can have: ten cards with a body, a header and two buttons each. */
const variablesMax = 200

const text = (maxLength: number, description: string, examples: string[] = []) =>
  Type.String({ minLength: 1, maxLength, description, ...(examples.length > 0 && { examples }) })

/** An id of any length and form. One that is not ours is "not found", like any other. */
const id = (description: string, example: string) => Type.String({ minLength: 1, description, examples: [example] })

const common = {
  phone: Type.Optional(
    text(
      phoneLengthMax,
      'Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots, ' +
        'parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, ' +
        '`00…`, a number without its country code, and one that a spreadsheet has written with `.0`. ' +
        'Give exactly one of `phone`, `contactId` and `userId`.',
      ['+4915112345678'],
    ),
  ),
  contactId: Type.Optional(
    id(
      "Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its " +
        'user id.',
      'contact_01jd4v7m9xf5ksxj1q5y8p0c3d',
    ),
  ),
  userId: Type.Optional(
    Type.String({
      pattern: userIdPattern.source,
      description:
        "Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and " +
        '`GET /contacts` show it. One that the user has left stands for the present one. An authentication template ' +
        'goes to phone numbers alone.',
      examples: ['US.13491208655302741918'],
    }),
  ),
  phoneNumberId: Type.Optional(
    id(
      "The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the " +
        "workspace's default line, else its only active one. Required when it has several active lines and no default.",
      'line_01jd4v7m9xf5ksxj1q5y8p0c3e',
    ),
  ),
  idempotencyKey: Type.Optional(
    text(
      idempotencyKeyLengthMax,
      'The same key and body return the original message with 200; the same key and another body 409. ' +
        'May be given as the `Idempotency-Key` header instead, or in both places with the same value.',
      ['order-1001-confirmation'],
    ),
  ),
  reference: Type.Optional(
    text(
      messageReferenceLengthMax,
      "The caller's own word for the message, as the number of an order. It comes with every status, and finds the " +
        'message in the console and on the command line. Several messages may have the same.',
      ['order-1001'],
    ),
  ),
  sendAt: Type.Optional(
    Type.String({
      description:
        'When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is ' +
        '`SCHEDULED`, and can be moved or cancelled; then all is checked again. Left out: at once.',
      examples: ['2026-03-01T09:00:00+01:00'],
    }),
  ),
  revalidateFlowSession: Type.Optional(
    Type.Boolean({
      description:
        "When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the " +
        "line's when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no " +
        'effect.',
    }),
  ),
} satisfies TProperties

/** Of all types but reactions, which have their message in a field of their own. */
const reply = {
  replyTo: Type.Optional(
    text(
      givenIdCharsMax,
      'The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream ' +
        "platform's. The recipient sees it quoted above; not with a template, and not after 30 days.",
      ['inb_0000000a1f5ksxj1q5y8p0c3'],
    ),
  ),
}

/** Of all types but templates, which need no window. */
const window = {
  requireOpenWindow: Type.Optional(
    Type.Boolean({
      description:
        "When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line " +
        'is open, as far as this service knows; else such a send fails later.',
    }),
  ),
}

/** Of what may be sent directly. */
const direct = {
  category: Type.Optional(
    Type.Enum([...directCategories], {
      description:
        'Direct Send, which the line must have switched on: the message needs no template and no open window, and is ' +
        'charged as a template of this category. `utility`: a text, or a `button`, `cta_url` or `voice_call`; ' +
        '`authentication`: a text to a phone number.',
    }),
  ),
  ttlSeconds: Type.Optional(
    Type.Integer({
      minimum: ttlSecondsMin,
      maximum: ttlSecondsMax,
      description:
        'Beside `category`: the upstream platform drops the message, and tells nothing, when it could not deliver it ' +
        'in this time. What waits here for longer is not sent, and FAILED. At most 900 for `authentication`. ' +
        'Left out: 30 days, or 10 minutes for `authentication`.',
    }),
  ),
}

/**
 * The keys of a map. Written as a pattern, because a plain string as key means `.*` here, and a key with a line break
 * would not be checked at all.
 */
export const mapKeyPattern = '^[\\s\\S]+$'
const mapKey = Type.String({ pattern: mapKeyPattern })

const values = (description: string, example?: Record<string, string>) =>
  Type.Record(mapKey, Type.String({ maxLength: givenCharsMax }), {
    additionalProperties: false,
    maxProperties: variablesMax,
    description,
    ...(example && { examples: [example] }),
  })

const buttonValueSchema = described('CardButtonValue', 'The value of a variable button on a card.', {
  index: Type.Integer({ minimum: 0, maximum: givenCardsMax, description: 'The button on the card, 0-based.' }),
  sub_type: text(shortLengthMax, 'The kind of button: `url` or `quick_reply`.', ['url']),
  parameters: described('CardButtonParameters', 'The value of the button.', {
    type: text(shortLengthMax, '`text` for a URL button, `payload` for a quick reply.', ['text']),
    text: Type.Optional(
      Type.String({
        maxLength: givenCharsMax,
        description: 'URL button: only the suffix that replaces `{{1}}`, percent-encoded where necessary.',
      }),
    ),
    payload: Type.Optional(
      Type.String({ maxLength: givenCharsMax, description: 'Quick reply: what comes back when it is tapped.' }),
    ),
  }),
})

const headerSchema = described('CardHeader', 'The media of a card: either `link` or `id`.', {
  format: text(shortLengthMax, '`image` or `video`, as the template says.', ['image']),
  link: Type.Optional(
    text(givenCharsMax, 'A public http or https address; the service uploads the file to the channel before sending.', [
      'https://shop.example/tulip.jpg',
    ]),
  ),
  id: Type.Optional(
    text(shortLengthMax, 'A file here (`media_…`), or the channel media id of an earlier upload: digits only.', [
      '1558081531',
    ]),
  ),
})

const cardSchema = described('CarouselCard', 'The values of one card of a carousel template.', {
  index: Type.Integer({ minimum: 0, maximum: givenCardsMax, description: 'The card in the template, 0-based.' }),
  bodyValues: Type.Optional(
    values(
      "The slots of the card's body: numbered keys match `{{n}}`; named keys fill the slots in their JSON order.",
      { '1': 'Tulip' },
    ),
  ),
  buttonValues: Type.Optional(
    Type.Array(buttonValueSchema, { maxItems: givenCardsMax, description: 'Buttons that take a value.' }),
  ),
  header: Type.Optional(headerSchema),
})

export const textSendSchema = described(
  'TextSend',
  "Free text; only while the recipient's 24-hour window is open, or with `category`.",
  {
    type: Type.Literal('text', { description: 'Plain text.' }),
    content: text(textCharsMax, 'The text of the message.', ['Your parcel is on its way.']),
    previewUrl: Type.Optional(
      Type.Boolean({ description: 'When true, the first address in the text is shown with a preview of its page.' }),
    ),
    ...direct,
    ...reply,
    ...window,
    ...common,
  },
)

export const templateSendSchema = described(
  'TemplateSend',
  'An approved template, with at least one of `templateVariables`, `templateComponents`, `bodyParameters`, ' +
    '`carousel`: `"templateVariables": {}` when the template has no variables.',
  {
    type: Type.Literal('template', { description: 'An approved template.' }),
    templateName: text(templateNameCharsMax, 'The name of an approved template.', ['order_confirmation']),
    templateLanguage: Type.Optional(
      text(
        shortLengthMax,
        'Language code, short (`en`) or locale form (`en_US`); needed when the template exists in several. With ' +
          '`templateComponents` it is passed on unchanged and must equal the approved language exactly.',
        ['en_US'],
      ),
    ),
    templateVariables: Type.Optional(
      values(
        `The values of the template by key, at most ${valueCharsMax} characters each, without line breaks and tabs: ` +
          '`"1"` for `{{1}}` (body, header text and URL buttons alike), `copy_code`, `catalog_product_retailer_id` ' +
          '(the product of a catalog or multi-product button; required for the latter), `header_link` or `header` ' +
          'with `header_filename` of a document, and for carousel cards `c0_1`, `c0_header_link` or `c0_header`. A ' +
          'flow button takes `flow_token` and `flow_action_data` (JSON text of an object), both optional and longer ' +
          'if need be. The template list names the keys of each template, and which of them fill several places.',
        { '1': 'Ada', '2': '1001' },
      ),
    ),
    templateComponents: Type.Optional(
      Type.Array(componentSchema, {
        description:
          "The upstream platform's component format, forwarded untouched: at most 20 components. The " +
          'other values are not used then.',
      }),
    ),
    bodyParameters: Type.Optional(
      values(
        'Values of the main body by slot number, applied after `templateVariables`: they override its numbered keys ' +
          'there, and nothing else.',
        { '1': 'Ada' },
      ),
    ),
    carousel: Type.Optional(
      described('Carousel', "A carousel template's cards. What a card leaves out is taken from its `c0_…` keys.", {
        cards: Type.Array(cardSchema, { maxItems: givenCardsMax, description: 'As many cards as the template has.' }),
      }),
    ),
    ...reply,
    ...common,
  },
)

/** Well above the largest valid payload, even with every character escaped. */
const interactiveLengthMax = 131_072

export const interactiveSendSchema = described(
  'InteractiveSend',
  "Buttons, lists, links and flows; only while the recipient's 24-hour window is open, or with `category`.",
  {
    type: Type.Literal('interactive', { description: 'Buttons, a list, a link or a flow.' }),
    content: text(
      interactiveLengthMax,
      'A JSON **string** that holds the interactive payload: an object with `type` (`button`, `list`, `cta_url`, ' +
        '`flow`, or another kind that the channel knows), `header`, `body`, `footer` and `action`. Limits: see the ' +
        'operation.',
      [
        '{"type":"button","body":{"text":"Confirm your appointment?"},' +
          '"action":{"buttons":[{"type":"reply","reply":{"id":"yes","title":"Yes"}}]}}',
      ],
    ),
    ...direct,
    ...reply,
    ...window,
    ...common,
  },
)

const needsWindow = "only while the recipient's 24-hour window is open"

const freeform = <Name extends FreeformType, Fields extends TProperties>(
  type: Name,
  title: string,
  description: string,
  fields: Fields,
) =>
  described(title, `${description}; ${needsWindow}.`, {
    type: Type.Literal(type, { description }),
    ...freeformFields[type],
    ...fields,
    ...window,
    ...common,
  })

/** The schema of each type of send. */
export const sendSchemas = {
  text: textSendSchema,
  template: templateSendSchema,
  interactive: interactiveSendSchema,
  image: freeform('image', 'ImageSend', 'A picture', reply),
  video: freeform('video', 'VideoSend', 'A video', reply),
  document: freeform('document', 'DocumentSend', 'A document', reply),
  audio: freeform('audio', 'AudioSend', 'A sound, or a voice message', reply),
  sticker: freeform('sticker', 'StickerSend', 'A sticker', reply),
  location: freeform('location', 'LocationSend', 'A place', reply),
  contacts: freeform('contacts', 'ContactsSend', 'Contact cards', reply),
  reaction: freeform('reaction', 'ReactionSend', 'An emoji at an earlier message', {}),
} satisfies Record<MessageType, TSchema>

/** A body has exactly one of them. */
export const recipientFields = ['phone', 'contactId', 'userId'] as const satisfies readonly (keyof typeof common)[]

/** The field and any others. Linters want a required field to be listed, and other fields to be allowed. */
const withField = (name: string) => ({
  properties: { [name]: {} },
  required: [name],
  additionalProperties: true,
})

/**
 * Exactly one of these fields. Written as conditions, which code generators ignore: with alternatives, most of them
 * make several types for each kind of send.
 */
function exactlyOne([first = '', ...others]: readonly string[]): object {
  if (others.length === 0) return withField(first)
  const without = others.map(other => ({ not: withField(other) }))
  return {
    if: withField(first),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nobody awaits a schema
    then: without.length === 1 ? without[0] : { allOf: without },
    else: exactlyOne(others),
  }
}

/**
 * The schema of the document. The validating schema lacks the rule, because `checkSendBody` reports it in better words.
 */
const toOneRecipient = (schema: TSchema): TSchema => ({ ...schema, ...exactlyOne(recipientFields) })

/** For the API document. Validation checks only the branch that `type` names, so that a problem is reported once. */
export const sendBodySchema = Type.Union(Object.values(sendSchemas).map(toOneRecipient), {
  title: 'SendBody',
  description: 'What to send, and to whom. `type` decides which fields belong; others are refused.',
})

const anything = Type.Optional(Type.Unknown())
const fieldsOfAnyType = Object.values(sendSchemas).flatMap(schema => Object.keys(schema.properties))

/** For a body whose `type` is missing or unknown: finds fields that no type has, and checks the common rules. */
export const untypedSendSchema = closed({
  ...Object.fromEntries(fieldsOfAnyType.map(name => [name, anything])),
  ...common,
  type: Type.Enum([...messageTypes]),
})
