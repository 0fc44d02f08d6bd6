import { closed, orNull, type Static, Type } from '../base/schema.ts'
import { contentSchemas, referralSchema, replyToSchema } from './schemas.ts'

const text = (description: string) => Type.String({ description })
const moment = (description: string) => Type.String({ format: 'date-time', description })

const mediaStates = ['pending', 'stored', 'failed', 'expired'] as const

const mediaSchema = closed(
  {
    id: text('The service id of the file (`media_…`): `GET /media/{id}` answers it once it is stored.'),
    state: Type.Enum([...mediaStates], {
      type: 'string',
      description:
        '`pending`: still to be fetched, within minutes as a rule. `stored`. `failed`: the upstream platform refuses ' +
        'it, or it is too large, or not what it should be. `expired`: it could not be fetched in seven days, or is ' +
        'not kept any more.',
    }),
    mimeType: orNull(Type.String(), {
      description: 'As its bytes show, once it is stored; before, as the upstream platform says.',
    }),
    size: orNull(Type.Integer(), { description: 'In bytes. Null until it is stored.' }),
    fileName: orNull(Type.String(), { description: 'That of a document, as the user named it.' }),
  },
  { title: 'InboundMedia', description: 'A file that a user sent.' },
)

const contents = Object.fromEntries(
  Object.entries(contentSchemas).map(([type, schema]) => [type, Type.Optional(schema)]),
) as { [Of in keyof typeof contentSchemas]: ReturnType<typeof Type.Optional<(typeof contentSchemas)[Of]>> }

/** Of each schema that names a user. */
export const usernameMeaning =
  'Without its `@`. Null when the user has none, or is not known by one. Users change it, and others may take it ' +
  'then: nothing can be sent to it.'

/** docs/partner-api.md#inbound-messages */
const change = {
  id: text('The message by which the user did it.'),
  sentAt: moment('When the user did it, by the upstream platform.'),
}

export const inboundSchema = closed(
  {
    id: text('The service id of the message (`inb_…`), for `after` and for marking it as read.'),
    contactId: orNull(Type.String(), { description: 'Who wrote. Null when the message names nobody.' }),
    phone: orNull(Type.String(), { description: 'The number of the contact as it is now: `+` and digits.' }),
    userId: orNull(Type.String(), { description: "The upstream platform's id of the contact's user, as it is now." }),
    name: orNull(Type.String(), { description: 'The name of the contact as it is now.' }),
    username: orNull(Type.String(), { description: usernameMeaning }),
    lineId: orNull(Type.String(), { description: 'The line that it came to.' }),
    groupId: orNull(Type.String(), {
      description:
        "The upstream platform's id of the group that it was written in, which others read too. Null: it was written " +
        'to you alone.',
    }),
    type: text(
      '`text`, or the field that has the content: `image`, `interactive` … The list is open: be ready for further ' +
        'values. A type that this service does not know has `text` alone, and the original.',
    ),
    text: orNull(Type.String(), {
      description:
        'What was written, else what came, in short words. Its wording may change. Null when the content is not kept ' +
        'any more.',
    }),
    ...contents,
    media: orNull(mediaSchema, {
      description: 'The file that it brought. Null when it brought none, or when it was erased.',
    }),
    replyTo: orNull(replyToSchema, { description: 'Null when it answers nothing.' }),
    forwarded: Type.Boolean({ description: 'The user forwarded it.' }),
    frequentlyForwarded: Type.Boolean({ description: 'It was forwarded, and had been many times before.' }),
    edited: orNull(closed({ ...change, text: orNull(Type.String({ description: 'As it is now.' })) }), {
      description:
        'The last edit, where the user changed this message later: `text` above is as it was written first. Null ' +
        'when it was not changed, or when the edit is not kept any more.',
    }),
    deleted: orNull(closed(change), { description: 'Set when the user deleted this message later.' }),
    referral: orNull(referralSchema, { description: 'Null unless the user came through an ad.' }),
    contentState: Type.Enum(['whole', 'cut', 'dropped'], {
      type: 'string',
      description:
        '`whole`. `cut`: too long to be kept; the original has its beginning. `dropped`: not kept any more, ' +
        'or deleted by the user where the workspace hides that. `type` stays; `text` is null, and there is no content.',
    }),
    channelMessageId: text("The upstream platform's id of the message. A digest when it had none, or was erased."),
    sentAt: moment('When the user sent it, by the upstream platform, in whole seconds.'),
    receivedAt: moment('When this service got it.'),
    raw: Type.Optional(
      orNull(Type.Object({}, { additionalProperties: true }), {
        description:
          'With `raw=true`: the message as the upstream platform sent it. Null when it is not kept any more.',
      }),
    ),
  },
  { title: 'InboundMessage', description: 'A message that a user sent.' },
)

type Shown = Static<typeof inboundSchema>

/** Of the API document. */
export const exampleInbound: Shown = {
  id: 'inb_000000001aq5ksxj1q5y8p0c3g',
  contactId: 'contact_01jd4v7m9xf5ksxj1q5y8p0c3k',
  phone: '+15550150100',
  userId: null,
  name: 'Ada Lovelace',
  username: null,
  lineId: 'line_01jd4v7m9xf5ksxj1q5y8p0c3e',
  groupId: null,
  type: 'text',
  text: 'Is my parcel on its way?',
  media: null,
  replyTo: {
    channelMessageId: 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYEjQzRkIxRjA0',
    author: '493012345678',
    product: null,
  },
  forwarded: false,
  frequentlyForwarded: false,
  edited: null,
  deleted: null,
  referral: null,
  contentState: 'whole',
  channelMessageId: 'wamid.HBgLMTU1NTAxNTAxMDAVAgASGBQzQTdCNTVGNzk2',
  sentAt: '2026-03-01T09:31:40.000Z',
  receivedAt: '2026-03-01T09:31:41.204Z',
}

/** One with content. */
export const exampleImage: Shown = {
  ...exampleInbound,
  id: 'inb_000000001bq5ksxj1q5y8p0c3g',
  type: 'image',
  text: '(image) The box is open.',
  image: {
    id: '2754859441498128',
    mimeType: 'image/jpeg',
    sha256: 'wPXl0kTfT3mZQ5yI8uWgZJp1h6vXh3t2yqCTaCZuJgo=',
    caption: 'The box is open.',
    fileName: null,
    voice: false,
    animated: false,
  },
  media: {
    id: 'media_01jd4v7m9xf5ksxj1q5y8p0c3m',
    state: 'stored',
    mimeType: 'image/jpeg',
    size: 68_204,
    fileName: null,
  },
  replyTo: null,
  channelMessageId: 'wamid.HBgLMTU1NTAxNTAxMDAVAgASGBQzQTdCNTVGNzk3',
}
