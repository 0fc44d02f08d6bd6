import { closed, orNull, type Static, Type } from '../base/schema.ts'

/*
 * What a message of a user holds, by its type (docs/upstream.md#inbound-messages). The schemas describe it in the API
 * document, type it, and say how it is read (shaped.ts): fields are named as the upstream's, in camelCase. Its messages
 * change between versions, so every text and number may be null; a flag that is not there is false.
 */

const described = (description?: string) => (description === undefined ? {} : { description })
const word = (description?: string) => orNull(Type.String(), described(description))
const number = (description?: string) => orNull(Type.Number(), described(description))
/** The upstream's Unix seconds. */
const moment = (description: string) => orNull(Type.String({ format: 'date-time' }), { description })
const kind = word()

const file = closed(
  {
    id: word("The upstream platform's id of the file: 7 days."),
    mimeType: word('May have parameters: `audio/ogg; codecs=opus`.'),
    sha256: word('In base64 or hexadecimal, as the upstream platform gives it.'),
    caption: word('What the user wrote below it.'),
    fileName: word('Of a document.'),
    voice: Type.Boolean({ description: 'A voice message, recorded in the app.' }),
    animated: Type.Boolean({ description: 'A sticker that moves.' }),
  },
  { title: 'InboundFile', description: 'A file that a user sent, as the upstream platform describes it.' },
)

const location = closed(
  {
    latitude: number('Decimal degrees.'),
    longitude: number('Decimal degrees.'),
    name: word(),
    address: word(),
    url: word(),
  },
  { title: 'InboundLocation', description: 'A place.' },
)

const card = closed(
  {
    name: orNull(
      closed({
        formattedName: word(),
        firstName: word(),
        middleName: word(),
        lastName: word(),
        prefix: word(),
        suffix: word(),
      }),
    ),
    phones: Type.Array(closed({ phone: word(), waId: word('Its digits, if the channel has it.'), type: kind })),
    emails: Type.Array(closed({ email: word(), type: kind })),
    addresses: Type.Array(
      closed({
        street: word(),
        city: word(),
        state: word(),
        zip: word(),
        country: word(),
        countryCode: word(),
        type: kind,
      }),
    ),
    urls: Type.Array(closed({ url: word(), type: kind })),
    org: orNull(closed({ company: word(), department: word(), title: word() })),
    birthday: word('`YYYY-MM-DD`.'),
    vcard: word(),
    origin: word('How it was shared.'),
  },
  { title: 'InboundCard', description: 'A contact card; also the answer to a request for the number.' },
)

const reaction = closed(
  {
    messageId: word("The upstream platform's id of the message that it is for."),
    emoji: word('Null: the user took the reaction back.'),
  },
  { title: 'InboundReaction', description: 'A reaction to a message.' },
)

const product = { catalogId: word(), productRetailerId: word() }

const order = closed(
  {
    catalogId: product.catalogId,
    text: word('What the user wrote with it.'),
    productItems: Type.Array(
      closed({
        productRetailerId: product.productRetailerId,
        quantity: number(),
        itemPrice: number(),
        currency: word(),
      }),
    ),
  },
  { title: 'InboundOrder', description: 'Products that the user wants to buy.' },
)

const button = closed(
  { payload: word('What the send gave the button.'), text: word('Its label.') },
  { title: 'InboundButton', description: "A tap on a template's quick reply." },
)

const interactive = closed(
  {
    type: word('`button_reply`, `list_reply`, `nfm_reply`, `call_permission_reply`; be ready for more.'),
    buttonReply: orNull(closed({ id: word(), title: word() }), { description: 'The button that was tapped.' }),
    listReply: orNull(closed({ id: word(), title: word(), description: word() }), {
      description: 'The row that was chosen.',
    }),
    nfmReply: orNull(
      closed({
        name: word('`flow`, `address_message`; be ready for more.'),
        body: word(),
        responseJson: word("The answers in the upstream platform's JSON text. It may be no object, or not readable."),
        fields: orNull(Type.Object({}, { additionalProperties: true }), {
          description:
            'The answers, read from `responseJson`; null when that is no object, or nested very deeply. Each file ' +
            "that the user sent with the form has our id in `mediaId`, beside the upstream platform's.",
        }),
      }),
      { description: 'The form that was filled in.' },
    ),
    callPermissionReply: orNull(
      closed({
        response: word('`accept` or `reject`.'),
        isPermanent: Type.Boolean(),
        expirationTimestamp: moment('Until when calls are allowed.'),
        responseSource: word(),
      }),
      { description: 'Whether the user may be called.' },
    ),
  },
  { title: 'InboundReply', description: 'The answer to an interactive message: one of the replies, as `type` says.' },
)

const system = closed(
  {
    type: word('`user_changed_number`, `user_changed_user_id`, `customer_identity_changed`; be ready for more.'),
    body: word(),
    waId: word('The digits of the new number.'),
    newWaId: word('The same, of some versions.'),
    userId: word('The new user id.'),
    previousUserId: word(),
  },
  { title: 'InboundChange', description: 'A change of the user.' },
)

const revoke = closed(
  { originalMessageId: word("The upstream platform's id of the message that the user deleted.") },
  { title: 'InboundDeletion', description: 'The user deleted an earlier message.' },
)

/** What is read as its schema says. */
export const plainContents = {
  image: file,
  video: file,
  audio: file,
  document: file,
  sticker: file,
  location,
  contacts: Type.Array(card, { description: 'The contact cards.' }),
  reaction,
  order,
  button,
  interactive,
  system,
  revoke,
}

/** An error that stands in the place of what cannot be delivered, or beside it. */
export const inboundErrorSchema = closed({ code: number(), title: word(), message: word(), details: word() })

const unsupported = closed(
  { type: word('What it was: `edit`, `poll` …'), errors: Type.Array(inboundErrorSchema) },
  { title: 'InboundUnsupported', description: 'What the upstream platform does not deliver. No failure of a send.' },
)

const { image, video, document } = plainContents
/** Texts and captions can be edited. */
export const editableContents = { image, video, document }

const edit = closed(
  {
    originalMessageId: word("The upstream platform's id of the message that the user changed."),
    message: orNull(
      closed({
        type: Type.String(),
        text: Type.String(),
        image: Type.Optional(image),
        video: Type.Optional(video),
        document: Type.Optional(document),
      }),
      { description: 'The message as it is now.' },
    ),
  },
  { title: 'InboundEdit', description: 'The user changed an earlier message.' },
)

/** What a message holds, by its type; a text is in `text`. */
export const contentSchemas = { ...plainContents, unsupported, edit }

/** At most one of them is there in an answer: that of the type. */
export type InboundContents = {
  -readonly [Type in keyof typeof contentSchemas]?: Static<(typeof contentSchemas)[Type]>
}

export const referralSchema = closed(
  {
    sourceUrl: word(),
    sourceId: word(),
    sourceType: word('`ad` or `post`.'),
    headline: word(),
    body: word(),
    mediaType: word(),
    imageUrl: word(),
    videoUrl: word(),
    thumbnailUrl: word(),
    ctwaClid: word('The id of the click. Ads in a status have none.'),
    welcomeMessage: orNull(closed({ text: word() })),
  },
  { title: 'InboundReferral', description: 'The ad that the user came from.' },
)

export const replyToSchema = closed(
  {
    channelMessageId: word("The upstream platform's id of the message that is answered: that of a send, say."),
    author: word('Who wrote that, by the upstream platform: the digits of a number, that of the line for a send.'),
    product: orNull(closed(product), { description: 'The product that the user asks about.' }),
  },
  { title: 'InboundReplyTo', description: 'What the message answers.' },
)

/** What stands in a message, whatever its type says. */
export interface ReadMessage {
  readonly type: string | null
  /** The words of a text. */
  readonly body: string | null
  readonly contents: InboundContents
  /** Also those beside what can be read. */
  readonly errors: readonly Static<typeof inboundErrorSchema>[]
}
