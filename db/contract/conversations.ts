import type { EpochMs } from '../../src/base/clock.ts'
import type { RelatedEntry } from './inbound.ts'
import type { SearchedWord } from './queries.ts'
import type { Contact, Message } from './records.ts'

/** A person who wrote, or to whom a member did, with the last words of both sides. */
export interface Conversation {
  readonly contact: Contact
  /** How many messages of the person nobody has read, as `Heard` has it. */
  readonly unread: number
  readonly sorted: Sorted
  /** The number of the message of the person that came last. */
  readonly upTo: number
  /**
   * What the person said last, or the business in the app, whatever came after it: a change or a deletion only where
   * there is nothing else. Null: nothing is kept, and something that was sent is.
   */
  readonly lastReceived: RelatedEntry | null
  /**
   * The last message to any number or user id of the person that is an answer, and no template of a key and of no
   * campaign: of the `answerScan` newest, by `sentAt`. Null: none is.
   */
  readonly lastSent: Message | null
}

/** How the workspace has sorted a conversation. */
export interface Sorted {
  /** Nobody has to do anything until the person writes again. */
  readonly isDone: boolean
  /** The member who takes care of it; null: nobody, as of all that are done. */
  readonly takenBy: { readonly userId: string; readonly name: string } | null
}

/** Which conversations a list has: open ones, of them those of a user or of nobody, or those that are done. */
export type ConversationState = 'open' | 'free' | 'done' | { readonly takenBy: string }

/** One step through the conversations of a workspace. */
export interface ConversationSearch {
  readonly workspaceId: string
  /** Without it, all. */
  readonly state?: ConversationState | undefined
  /** Only those with something unread. */
  readonly isUnread?: boolean | undefined
  /** Only those in which the person wrote to this line last. */
  readonly lineId?: string | undefined
  /** Of the person, as a search for contacts takes them. */
  readonly words?: readonly SearchedWord[] | undefined
  /** The `next` of the step before. */
  readonly cursor?: number | undefined
  readonly limit: number
  /** At most this many are looked at. */
  readonly scan: number
}

export interface FoundConversations {
  /**
   * The last word comes first: of the person, or of a member to the person. What a key sends moves no conversation.
   */
  readonly conversations: readonly Conversation[]
  /** Null at the end. */
  readonly next: number | null
}

/** What the workspace has of a person's words. */
export interface Heard {
  /** The number of the last message of the person; 0: none. */
  readonly upTo: number
  /** How many nobody has read or answered: `unreadMax` are counted at most. A template of a key answers nothing. */
  readonly unread: number
  /** The lowest number of those that are counted, and the earliest time of one; null: there is none. */
  readonly unreadFrom: InboundPosition | null
  readonly sorted: Sorted
}

/** What a list shows of a contact. */
export interface HeardOfContact extends Pick<Heard, 'unread'> {
  readonly openedAt: EpochMs | null
  /** When the person wrote last; null when that is not kept any more. */
  readonly heardAt: EpochMs | null
  /** The person has asked for no marketing. */
  readonly noMarketing: boolean
}

/** Beyond this a list says "and more". */
export const unreadMax = 100

/**
 * Among so many of the newest messages to each number or user id of a person the last answer is looked for: no index
 * tells a template of a key from an answer, and a key may send any number of them. Who was sent more since the answer
 * counts as not answered.
 */
export const answerScan = 50

/** A position in the messages of a contact: its time by the upstream's clock, and its number. */
export interface InboundPosition {
  readonly at: number
  readonly seq: number
}

export interface ConversationCounts {
  readonly unread: number
  /** More than `scan` may be unread, of which the others were not looked at. */
  readonly isUnreadMore: boolean
  readonly open: number
  /** Taken by the user. */
  readonly mine: number
  /** Open, and taken by nobody. */
  readonly free: number
  readonly done: number
}

export interface ConversationReads {
  /**
   * A bounded step. Who was forgotten, and whose messages are all pruned, has no conversation; a person whom only keys
   * and campaigns sent something has none either.
   */
  conversations(search: ConversationSearch): Promise<FoundConversations>
  /** How many conversations are in each list: at most `max` are counted, for `unread` of the last `scan`. */
  conversationCounts(query: {
    workspaceId: string
    userId: string
    max: number
    scan: number
  }): Promise<ConversationCounts>
  heard(query: { workspaceId: string; contactId: string }): Promise<Heard>
  /**
   * What a list shows of contacts, by their ids. `openedAt` is when a message opened a window of one of these lines
   * last, by either clock: looked for in the last `scan` messages after `since`; null when none did.
   */
  heardOfEach(query: {
    workspaceId: string
    contactIds: readonly string[]
    lineIds: readonly string[]
    since: EpochMs
    scan: number
  }): Promise<ReadonlyMap<string, HeardOfContact>>
  /** What a person wrote, and what the business wrote it in the app: newest first; behind `after`, oldest first. */
  inbound(query: {
    contactId: string
    limit: number
    before?: InboundPosition | undefined
    after?: InboundPosition | undefined
  }): Promise<RelatedEntry[]>
}

export interface ConversationWrites {
  /**
   * Notes that somebody has answered by these messages: their conversations come first.
   * @param said.begins where there is none yet, it is the beginning of one: open, and read
   * @returns whether there is any
   */
  noteSpoken(said: {
    workspaceId: string
    messageIds: readonly string[]
    begins: boolean
    at: EpochMs
  }): Promise<boolean>
  /**
   * Notes that somebody of the workspace has read what a person wrote, up to a number. It never goes back.
   * @returns whether anything was unread
   */
  readConversation(change: { workspaceId: string; contactId: string; upTo: number }): Promise<boolean>
  /**
   * Makes the last message of an open conversation unread, also when it was answered; unless something is unread, which
   * stays so, or the person wrote after the number.
   * @returns whether it was read and is marked
   */
  unreadConversation(change: { workspaceId: string; contactId: string; upTo: number; at: EpochMs }): Promise<boolean>
}

/** How people sort conversations. */
export interface ConversationStateWrites {
  /**
   * Makes a conversation done, read, and nobody's: up to a number, so that what was said meanwhile leaves it as it is.
   * @returns whether it is done now and was not
   */
  finishConversation(change: { workspaceId: string; contactId: string; upTo: number }): Promise<boolean>
  /** @returns whether it was done */
  reopenConversation(change: { workspaceId: string; contactId: string }): Promise<boolean>
  /**
   * Gives a conversation to a member who may answer, which opens it, or to nobody: unless somebody else has it than the
   * one who asks knows of.
   */
  takeConversation(change: {
    workspaceId: string
    contactId: string
    /** Who asks. */
    byUserId: string
    takenBy: string | null
    insteadOf: string | null
  }): Promise<'changed' | 'unchanged' | 'othersMeanwhile' | 'mayNotAnswer'>
}
