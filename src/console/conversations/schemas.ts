import { searchLengthMax } from '../../base/names.ts'
import { closed, type Static, Type } from '../../base/schema.ts'
import { saidTypes } from '../../inbound/said.ts'
import { messageStatuses, messageTypes } from '../../message/words.ts'
import { contactSchema } from '../contacts/schemas.ts'
import { bubble, said } from '../messages/schemas.ts'
import { moment, orNull, shape, textOrNull, wired, wiredQuery } from '../shapes.ts'

const conversationsMax = 50
/** Two positions, each of a time and a number. */
const cursorLengthMax = 64
/** The number of a message in its workspace. */
const number = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const conversationsQuery = wiredQuery({
  q: Type.Optional(
    Type.String({ maxLength: searchLengthMax, description: 'A part of the name, the username or the number.' }),
  ),
  unread: Type.Optional(Type.Literal('true', { description: 'Only those with something unread.' })),
  cursor: Type.Optional(number),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: conversationsMax })),
})

const failure = orNull(Type.String({ description: 'Why it failed, in a few words.' }))
const status = Type.Enum([...messageStatuses])
const type = Type.Enum([...messageTypes])

const by = orNull(Type.String({ description: 'Who sent it in the console; null: it was sent otherwise.' }))

/** One of `sent` and `said` is there. */
const entrySchema = shape('ConversationEntry', {
  id: Type.String({ description: "Our id of a message that was sent; the channel's of any other." }),
  isOurs: Type.Boolean({ description: 'The business sent it: through the gateway, or in the app.' }),
  at: moment,
  channelMessageId: textOrNull,
  sent: orNull(
    closed({ status, type, templateName: textOrNull, words: textOrNull, failure, bubble, said: orNull(said), by }),
  ),
  said: orNull(said),
  quoted: orNull(closed({ channelMessageId: Type.String(), isOurs: orNull(Type.Boolean()), words: textOrNull }), {
    description: 'The message that it answers; without words when it is not known.',
  }),
})
export type Entry = Static<typeof entrySchema>

export const conversationQuery = wiredQuery({
  before: Type.Optional(Type.String({ maxLength: cursorLengthMax, description: 'The page before this cursor.' })),
})
export const conversationAnswer = wired('Conversation', {
  contact: contactSchema,
  entries: Type.Array(entrySchema, { description: 'Oldest first.' }),
  older: textOrNull,
  upTo: Type.Integer({ description: 'What to mark as read once this page was shown.' }),
  unread: Type.Integer(),
  phoneNumberId: orNull(Type.String(), {
    description: 'The line to answer from: the person wrote to it last, else the default. Null: none is active.',
  }),
  windowEndsAt: orNull(moment, {
    description: 'Until when everything may be sent; past: since when only templates. Null: the person never wrote.',
  }),
})

export const conversationsAnswer = wired('ConversationList', {
  conversations: Type.Array(
    closed({
      contact: contactSchema,
      unread: Type.Integer(),
      heardAt: moment,
      last: closed({
        isOurs: Type.Boolean(),
        type: Type.Enum([...new Set([...saidTypes, ...messageTypes])]),
        words: textOrNull,
        status: orNull(status),
      }),
    }),
    { description: 'Who wrote last comes first.' },
  ),
  next: orNull(Type.Integer()),
})

export const unreadAnswer = wired('UnreadConversations', {
  unread: Type.Integer(),
  isMore: Type.Boolean({ description: 'There are more, which were not counted.' }),
})

export const readBody = wired('ReadUpTo', { upTo: number })
export const readAnswer = wired('ReadConversation', { wasUnread: Type.Boolean() })
