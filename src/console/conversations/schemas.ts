import { searchLengthMax } from '../../base/names.ts'
import { closed, type Static, Type } from '../../base/schema.ts'
import { saidTypes } from '../../inbound/said.ts'
import { messageStatuses } from '../../message/statuses.ts'
import { messageTypes } from '../../message/words.ts'
import { contactFields } from '../../operations/contacts.ts'
import { idField } from '../../operations/fields.ts'
import { onOptOutField } from '../../operations/optOuts.ts'
import { contactSchema, noMarketing } from '../contacts/routes.ts'
import { bubble, said } from '../messages/schemas.ts'
import { senderSchema } from '../messages/senders.ts'
import { moment, orNull, shape, textOrNull, wired, wiredQuery } from '../shapes.ts'

const conversationsMax = 50
/** More are told as "99+". */
export const countMax = 99
const counted = Type.Integer({ minimum: 0, maximum: countMax + 1, description: `${countMax + 1}: there may be more.` })
/** Two positions, each of a time and a number. */
const cursorLengthMax = 64
/** The number of a message in its workspace. */
const number = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const listShows = ['open', 'mine', 'free', 'done'] as const

const sorted = {
  isDone: Type.Boolean({ description: 'Until the person writes again.' }),
  takenBy: orNull(closed({ userId: Type.String(), name: Type.String() }), {
    description: 'The member who takes care of it.',
  }),
}

export const conversationsQuery = wiredQuery({
  q: Type.Optional(
    Type.String({ maxLength: searchLengthMax, description: 'A part of the name, the username or the number.' }),
  ),
  show: Type.Optional(
    Type.Enum([...listShows], {
      description: 'Open ones; of them those that the user has taken, or nobody; or those that are done. Else all.',
    }),
  ),
  line: Type.Optional({ ...idField, description: 'Only those in which the person wrote to this line last.' }),
  unread: Type.Optional(Type.Literal('true', { description: 'Only those with something unread.' })),
  cursor: Type.Optional(number),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: conversationsMax })),
})

const hitsMax = 50
const { createdAt: _, updatedAt: __, ...who } = contactFields
/** The cursors of both sides. */
const hitsCursorLengthMax = 700
export const hitsQuery = wiredQuery({
  q: Type.String({ minLength: 1, maxLength: searchLengthMax, description: 'Words, in any order.' }),
  contactId: Type.Optional({ ...idField, description: 'Only in the conversation with this contact.' }),
  cursor: Type.Optional(Type.String({ maxLength: hitsCursorLengthMax })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: hitsMax })),
})
export const hitsAnswer = wired('ConversationHits', {
  hits: Type.Array(
    closed({
      contact: closed(who),
      id: Type.String({ description: 'As the conversation has it.' }),
      at: moment,
      isOurs: Type.Boolean(),
      words: Type.String({ description: 'The part of its text with the first of the words.' }),
    }),
    { description: 'Newest first. A later page may have newer ones of the other side.' },
  ),
  next: textOrNull,
  searchedTo: orNull(moment, { description: 'How far back all was looked at; null: to the beginning.' }),
})

const failure = orNull(Type.String({ description: 'Why it failed, in a few words.' }))
const status = Type.Enum([...messageStatuses])
const type = Type.Enum([...messageTypes])

/** One of `sent` and `said` is there. */
const entrySchema = shape('ConversationEntry', {
  id: Type.String({ description: "Our id of a message that was sent; the channel's of any other." }),
  isOurs: Type.Boolean({ description: 'The business sent it: through the gateway, or in the app.' }),
  at: moment,
  lineId: orNull(Type.String(), { description: 'From or to which line. Null: not known.' }),
  channelMessageId: textOrNull,
  sent: orNull(
    closed({
      ...{
        status,
        type,
        templateName: textOrNull,
        words: textOrNull,
        failure,
        bubble,
        said: orNull(said),
        by: senderSchema,
      },
      idempotencyKey: textOrNull,
      sendAt: orNull(moment, { description: 'When it is to leave, or was; null: at once.' }),
    }),
  ),
  said: orNull(said),
  edited: orNull(closed({ at: moment, text: textOrNull }), { description: 'The last edit: the text as it is now.' }),
  number: orNull(number, {
    description: 'Of what the person wrote, or of its last edit: what it wrote later has a higher one.',
  }),
  deletedAt: orNull(moment, {
    description: 'When the person deleted it. Its content is there, or not, as the workspace says (`deletedMessages`).',
  }),
  quoted: orNull(
    closed({
      channelMessageId: Type.String(),
      isOurs: orNull(Type.Boolean()),
      words: textOrNull,
      isDeleted: Type.Boolean(),
    }),
    { description: 'The message that it answers; without words when it is not known, or was deleted.' },
  ),
})
export type Entry = Static<typeof entrySchema>

export const conversationQuery = wiredQuery({
  before: Type.Optional(Type.String({ maxLength: cursorLengthMax, description: 'The page before this cursor.' })),
  after: Type.Optional(Type.String({ maxLength: cursorLengthMax, description: 'The page after this cursor.' })),
  around: Type.Optional({ ...moment, description: 'The page with what was said then, and some of what came after.' }),
})
/** A line that can be written from, or was. */
const lineSchema = shape('ConversationLine', {
  id: Type.String(),
  number: Type.String(),
  label: textOrNull,
  active: Type.Boolean(),
  windowEndsAt: orNull(moment, {
    description:
      'Until when everything may be sent from it; past: since when only templates. Null: none of the last messages ' +
      'opened it.',
  }),
  isWindowKnown: Type.Boolean({ description: 'False: an earlier message may have opened it.' }),
})

export const conversationAnswer = wired('Conversation', {
  contact: contactSchema,
  entries: Type.Array(entrySchema, {
    description: 'Oldest first; an edit or a deletion has one only where its message is not known.',
  }),
  older: textOrNull,
  newer: orNull(Type.String(), {
    description: 'For `after`; null at the end, and where neither it nor `around` was asked.',
  }),
  upTo: Type.Integer({ description: 'What to mark as read once all that is unread was shown.' }),
  unread: Type.Integer(),
  unreadFrom: orNull(closed({ number, at: moment }), {
    description: 'The lowest number of what is unread, and the earliest time of it. Null: nothing is.',
  }),
  phoneNumberId: orNull(Type.String(), {
    description: 'The line to answer from: the person wrote to it last, else the default. Null: none is active.',
  }),
  ...sorted,
  lines: Type.Array(lineSchema, { description: 'Those of the workspace. Only active ones send.' }),
  noMarketing,
  onOptOut: onOptOutField,
})

export const conversationsAnswer = wired('ConversationList', {
  conversations: Type.Array(
    closed({
      contact: contactSchema,
      unread: Type.Integer(),
      upTo: Type.Integer({ description: 'The number of the last message of the person: later ones have higher ones.' }),
      ...sorted,
      last: closed(
        {
          at: moment,
          isOurs: Type.Boolean(),
          type: Type.Enum([...new Set([...saidTypes, ...messageTypes])]),
          words: textOrNull,
          status: orNull(status),
          by: orNull(senderSchema, { description: 'Null: the person, or the business in the app.' }),
        },
        { description: 'The newest of either side; but nothing of a campaign, and no template of a key.' },
      ),
    }),
    { description: 'The last word of the person or of a member comes first.' },
  ),
  next: orNull(Type.Integer()),
})

export const countsAnswer = wired('ConversationCounts', {
  unread: Type.Integer(),
  isMore: Type.Boolean({ description: 'More are unread, which were not counted.' }),
  ...{ open: counted, mine: counted, free: counted, done: counted },
})

export const stateBody = wired('ConversationState', {
  doneUpTo: orNull(number, { description: '`upTo` of what was shown when it was done. Null opens it again.' }),
})
export const takeBody = wired('TakeConversation', {
  takenBy: orNull(idField, { description: 'The member who has it from now on; null: nobody.' }),
  insteadOf: orNull(Type.String({ maxLength: cursorLengthMax }), { description: 'Who has it, as the page shows.' }),
})
export const toldAnswer = wired('ToldOthers', { isTold: Type.Boolean() })
export const changedAnswer = wired('ChangedConversation', { wasChanged: Type.Boolean() })

export const readBody = wired('ReadUpTo', { upTo: number })
export const readAnswer = wired('ReadConversation', { wasUnread: Type.Boolean() })
