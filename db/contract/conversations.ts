import type { Contact, InboundEntry, Message } from './records.ts'

/** A person who wrote, with the last words of both sides. */
export interface Conversation {
  readonly contact: Contact
  /** How many messages of the person nobody has read, as `Heard` has it. */
  readonly unread: number
  /** When the person wrote last: the order of the list. */
  readonly heardAt: number
  /** The last message of the person, or of the business in the app. */
  readonly lastReceived: InboundEntry
  /** The last message to the number or user id that the person has now; null: none is kept. */
  readonly lastSent: Message | null
}

/** One step through the conversations of a workspace. */
export interface ConversationSearch {
  readonly workspaceId: string
  /** Only those with something unread. */
  readonly isUnread?: boolean | undefined
  /** A part of the name, in any case. With `digits`, either is enough. */
  readonly name?: string | undefined
  /** A part of the number. */
  readonly digits?: string | undefined
  /** The `next` of the step before. */
  readonly cursor?: number | undefined
  readonly limit: number
  /** At most this many are looked at. */
  readonly scan: number
}

export interface FoundConversations {
  /** Who wrote last comes first. */
  readonly conversations: readonly Conversation[]
  /** Null at the end. */
  readonly next: number | null
}

/** What the workspace has of a person's words. */
export interface Heard {
  /** The number of the last message of the person; 0: none. */
  readonly upTo: number
  /** How many nobody has read: `unreadMax` are counted at most. */
  readonly unread: number
}

/** Beyond this a list says "and more". */
export const unreadMax = 100

/** A position in the messages of a contact: its time and its number. */
export interface InboundPosition {
  readonly at: number
  readonly seq: number
}

export interface ConversationReads {
  /**
   * A bounded step. Who was forgotten, and whose messages are all pruned, has no conversation; a person who was only
   * sent messages has none either.
   */
  conversations(search: ConversationSearch): Promise<FoundConversations>
  /** How many conversations have something unread: at most `max` are counted. */
  unreadConversations(query: { workspaceId: string; max: number }): Promise<number>
  heard(query: { contactId: string }): Promise<Heard>
  /** What a person wrote, and what the business wrote it in the app: newest first. */
  inbound(query: { contactId: string; limit: number; before?: InboundPosition | undefined }): Promise<InboundEntry[]>
}

export interface ConversationWrites {
  /**
   * Notes that somebody of the workspace has read what a person wrote, up to a number. It never goes back.
   * @returns whether anything was unread
   */
  readConversation(change: { workspaceId: string; contactId: string; upTo: number }): Promise<boolean>
}
