import { closed, type Static, Type } from '../../base/schema.ts'
import { mediaBytesMax, textCharsMax } from '../../base/upstreamLimits.ts'

const short = Type.String({ maxLength: 1_024 })

/** Kinds of messages that are files. */
export const fileKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const
/** One byte more than a file of a user may have, so that a test can send one that is too large. */
const fileBytesMax = mediaBytesMax.document + 1
/** Some megabytes of a file of one's own; larger ones are made by `size`. */
const base64Max = 8 * 1024 * 1024

/** Kinds of inbound messages; `nfm_*` are replies to a flow, three of them broken in their own way. */
const inboundKinds = [
  'text',
  'button',
  'button_reply',
  'list_reply',
  'nfm_reply',
  'nfm_reply_without_token',
  'nfm_reply_not_an_object',
  'nfm_reply_not_json',
  'address',
  'call_permission_reply',
  ...fileKinds,
  'location',
  'contacts',
  'contact_request',
  'reaction',
  'order',
  'edit',
  'revoke',
  'system',
  'unsupported',
] as const

/** Digits, with or without `+`. */
const userNumber = Type.String({ pattern: '^\\+?\\d{7,15}$' })

/** What a user writes. Without a line the first one; without `contextId` the youngest message to this user. */
export const inboundInput = closed({
  kind: Type.Enum([...inboundKinds]),
  from: userNumber,
  name: Type.Optional(short),
  line: Type.Optional(Type.String({ pattern: '^\\d{1,32}$' })),
  text: Type.Optional(Type.String({ maxLength: textCharsMax })),
  /** Of a tapped button or a chosen row. */
  id: Type.Optional(short),
  title: Type.Optional(short),
  payload: Type.Optional(short),
  /** Of a flow's reply: its fields, and the token if not the one that was sent. */
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  flowToken: Type.Optional(short),
  contextId: Type.Optional(short),
  /** A file of one's own in place of the sample of the kind; `size` appends zeros up to so many bytes. */
  file: Type.Optional(
    closed({
      name: Type.Optional(short),
      mimeType: Type.Optional(short),
      base64: Type.Optional(Type.String({ minLength: 4, maxLength: base64Max, pattern: '^[A-Za-z0-9+/]+={0,2}$' })),
      size: Type.Optional(Type.Integer({ minimum: 1, maximum: fileBytesMax })),
    }),
  ),
  /** Of a reaction; empty: the user takes it back. */
  emoji: Type.Optional(Type.String({ maxLength: 32 })),
  forwarded: Type.Optional(Type.Enum(['once', 'often'])),
  /** The user came from an ad, or asks about a product. */
  fromAd: Type.Optional(Type.Boolean()),
  aboutProduct: Type.Optional(Type.Boolean()),
  /** Of `system`: the number that the user has from now on; else the change names the same one. */
  newNumber: Type.Optional(userNumber),
  /** From then on the user has it, and is shown with it and with the user id. */
  username: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._]{3,35}$' })),
  /** Leaves out `from` and `wa_id`, as for users with a username. */
  withoutNumber: Type.Optional(Type.Boolean()),
})
export type InboundInput = Readonly<Static<typeof inboundInput>>
