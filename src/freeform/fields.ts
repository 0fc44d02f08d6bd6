import { closed, type Static, type TObject, type TProperties, Type } from '../base/schema.ts'
import {
  captionCharsMax,
  contactCardsMax,
  degreesMax,
  mediaBytesMax,
  stillStickerBytesMax,
  voiceIconBytesMax,
} from '../base/upstreamLimits.ts'
import type { FreeformType } from '../message/words.ts'
import { linkCharsMax } from '../templates/limits.ts'

/*
 * What a caller gives of each free-form type (docs/partner-api.md#free-form-messages). The schemas check it, type it
 * and describe it in the API document. Fields are named as the upstream's, in camelCase, so that what goes out and what
 * is read of it follow from the names (content.ts).
 */

/** Ours: the upstream states none. It bounds what is stored for a message, and is more than a phone shows. */
const nameCharsMax = 240
const wordsCharsMax = 1_000
/** Ours: entries of one kind on a contact card. */
const entriesMax = 20
/** Ours: one emoji may be a family of several, joined. */
const emojiCharsMax = 64
/** Ours: an id of ours has 32, one of the upstream's for a message some 60, and for a file some 16. */
export const givenIdCharsMax = 256

const text = (maxLength: number, description: string, examples: string[] = []) =>
  Type.String({ minLength: 1, maxLength, description, ...(examples.length > 0 && { examples }) })
const optional = (maxLength: number, description: string, examples?: string[]) =>
  Type.Optional(text(maxLength, description, examples))

const kilobytes = (bytes: number) => `${bytes / 1_024} KB`
const megabytes = (bytes: number) => `${bytes / 1_048_576} MB`
const file = (what: string) => ({
  link: optional(
    linkCharsMax,
    `A public http or https address of ${what}; the service uploads the file to the channel before sending. Give ` +
      'either `link` or `mediaId`.',
  ),
  mediaId: optional(
    givenIdCharsMax,
    'In place of `link`: a file that this service keeps, of `POST /media` or of a user (`media_…`), or the ' +
      "channel's id of an earlier upload, digits only.",
    ['media_01jd4v7m9xf5ksxj1q5y8p0c3f'],
  ),
})
const caption = optional(captionCharsMax, 'What stands below it.', ['Your order, packed.'])

const kind = optional(nameCharsMax, '`HOME`, `WORK`, or another word.', ['WORK'])
const word = (description: string, examples?: string[]) => optional(nameCharsMax, description, examples)
const entries = <Fields extends TProperties>(fields: Fields, description: string) =>
  Type.Optional(Type.Array(closed(fields), { maxItems: entriesMax, description }))

const card = closed(
  {
    name: closed(
      {
        formattedName: text(nameCharsMax, 'The whole name, as it is shown.', ['Ada Lovelace']),
        firstName: word('The first name.', ['Ada']),
        lastName: word('The last name.', ['Lovelace']),
        middleName: word('The middle name.'),
        prefix: word('Before the name.'),
        suffix: word('After the name.'),
      },
      { title: 'SentCardName', description: 'The name. The upstream platform asks for one part beside the whole.' },
    ),
    phones: entries(
      {
        phone: word('As it is shown.', ['+4915112345678']),
        waId: word('Its digits: with them the card offers a chat, without them an invitation.', ['4915112345678']),
        type: kind,
      },
      'The numbers.',
    ),
    emails: entries({ email: word('The address.', ['ada@example.com']), type: kind }, 'The addresses of e-mail.'),
    addresses: entries(
      {
        street: word('Street and number.'),
        city: word('The city.'),
        state: word('The state.'),
        zip: word('The postal code.'),
        country: word('The country.'),
        countryCode: word('Its two letters.'),
        type: kind,
      },
      'Where it is.',
    ),
    urls: entries({ url: word('The address.'), type: kind }, 'The pages.'),
    org: Type.Optional(
      closed(
        { company: word('The company.', ['Acme']), department: word('The department.'), title: word('The position.') },
        { description: 'Where the person works.' },
      ),
    ),
    birthday: Type.Optional(
      Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: '`YYYY-MM-DD`.', examples: ['1815-12-10'] }),
    ),
  },
  { title: 'SentCard', description: 'A contact card, as one that a user sends.' },
)

const degrees = (max: number, example: number) =>
  Type.Number({ minimum: -max, maximum: max, description: 'Decimal degrees.', examples: [example] })

/** The fields of each type, without those that all types have. */
export const freeformFields = {
  image: { ...file(`a JPEG or PNG picture, at most ${megabytes(mediaBytesMax.image)}`), caption },
  video: { ...file(`an MP4 or 3GPP video, at most ${megabytes(mediaBytesMax.video)}`), caption },
  document: {
    ...file(`a document, at most ${megabytes(mediaBytesMax.document)}`),
    caption,
    fileName: optional(
      nameCharsMax,
      'The name that the recipient sees and saves it under. Without it: that of the file here, or the last part of ' +
        'the link.',
      ['invoice-1001.pdf'],
    ),
  },
  audio: {
    ...file(`a sound, at most ${megabytes(mediaBytesMax.audio)}: AAC, AMR, MP3, MP4 or OGG with Opus`),
    voice: Type.Optional(
      Type.Boolean({
        description:
          'Shown as a voice message: only OGG with Opus in mono; another sound is refused. A larger one than ' +
          `${kilobytes(voiceIconBytesMax)} is shown to be downloaded first.`,
      }),
    ),
  },
  sticker: file(
    `a WebP picture, at most ${kilobytes(stillStickerBytesMax)}, or ${kilobytes(mediaBytesMax.sticker)} when it moves`,
  ),
  location: {
    latitude: degrees(degreesMax.latitude, 52.5163),
    longitude: degrees(degreesMax.longitude, 13.3777),
    name: optional(wordsCharsMax, 'What the place is called.', ['Brandenburg Gate']),
    address: optional(wordsCharsMax, 'Its address.', ['Pariser Platz, 10117 Berlin']),
  },
  contacts: {
    contacts: Type.Array(card, { minItems: 1, maxItems: contactCardsMax, description: 'The contact cards.' }),
  },
  reaction: {
    messageId: text(
      givenIdCharsMax,
      "The message that is reacted to, of at most 30 days ago: our id (`inb_…`, `msg_…`) or the upstream platform's.",
      ['inb_0000000a1f5ksxj1q5y8p0c3'],
    ),
    emoji: Type.String({
      maxLength: emojiCharsMax,
      description: 'One emoji; an empty text takes an earlier reaction back.',
      examples: ['👍'],
    }),
  },
} as const satisfies Record<FreeformType, TProperties>

type Fields = typeof freeformFields

/** What is asked of one free-form message: its type, and its fields as the caller gave them. */
export type Freeform = {
  readonly [Type in FreeformType]: { readonly type: Type } & Readonly<Static<TObject<Fields[Type]>>>
}[FreeformType]
