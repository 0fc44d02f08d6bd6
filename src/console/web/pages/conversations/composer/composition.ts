import type { SendValues } from '../../../../../templates/authoring/values.ts'
import type { ConversationEntry } from '../queries.ts'

/** A file that the gateway keeps, to be sent. */
export interface ChosenFile {
  readonly id: string
  readonly type: 'image' | 'video' | 'document' | 'audio' | 'sticker'
  readonly name: string
  readonly isVoice: boolean
}
export type Quote = NonNullable<ConversationEntry['quoted']>

export interface Draft {
  /** It leaves from it, whatever the person writes to meanwhile; null: nothing is written yet. */
  readonly lineId: string | null
  readonly text: string
  readonly quote: Quote | null
  /** Each becomes a message of its own, in this order. */
  readonly files: readonly ChosenFile[]
  readonly template: { readonly id: string; readonly values: SendValues } | null
}
export const noDraft: Draft = { lineId: null, text: '', quote: null, files: [], template: null }

export type Message = { readonly type: ChosenFile['type'] | 'text' | 'template' | 'location' } & Readonly<
  Record<string, unknown>
>

/** What was sent, until an answer says what became of it. Its key is that of one draft: it is sent once. */
export interface Outgoing {
  readonly key: string
  readonly at: number
  readonly phoneNumberId: string
  readonly message: Message
  /** What it was, to write on. */
  readonly draft: Draft
  /** Its words, or what it is. */
  readonly words: string
  /** Why it was refused; null: no answer yet. */
  readonly problem: string | null
}

/** What somebody writes in a conversation, and has sent without an answer so far. */
export interface Composition {
  readonly draft: Draft
  readonly outgoing: readonly Outgoing[]
}
export const noComposition: Composition = { draft: noDraft, outgoing: [] }

/** Another version of the console may have kept other fields. */
export function compositionIn(kept: unknown): Composition {
  const { draft, outgoing } = Object(kept) as Partial<Composition>
  const draftIn = (of: Partial<Draft> | undefined): Draft => ({
    ...noDraft,
    ...(typeof of?.text === 'string' && of),
    files: Array.isArray(of?.files) ? of.files : [],
  })
  const isWhole = (one: Partial<Outgoing> | null) =>
    typeof one?.key === 'string' && typeof one.message?.type === 'string'
  return {
    draft: draftIn(draft),
    outgoing: Array.isArray(outgoing)
      ? outgoing.filter(isWhole).map(one => ({ ...one, draft: draftIn(one.draft) }))
      : [],
  }
}

const isNothing = ({ text, quote, files, template }: Draft) => text === '' && !quote && files.length === 0 && !template
export const isEmpty = ({ draft, outgoing }: Composition) => outgoing.length === 0 && isNothing(draft)

/** @returns the draft on this line: on another one than before, without its template and without what it answers */
export const onLine = (draft: Draft, lineId: string | null): Draft =>
  draft.lineId === null || draft.lineId === lineId
    ? { ...draft, lineId }
    : { ...draft, lineId, quote: null, template: null }

/** @returns what is kept of a draft: one of which nothing is left has no line either */
export const asKept = (draft: Draft): Draft => (isNothing(draft) ? noDraft : draft)

/** A sound or a sticker has no words. */
const hasWords = ({ type }: ChosenFile) => type !== 'audio' && type !== 'sticker'

/** @returns whether what is written goes with one of the files, or by itself */
export const takesWords = (files: readonly ChosenFile[]) => files.length === 0 || files.some(hasWords)

/** A message, and what it was written as. */
export interface Written {
  readonly message: Message
  readonly draft: Draft
}

/**
 * @returns what a draft is sent as, in this order, and what stays to be written on: the first message answers, the last
 *   one that may has the words
 */
export function written(draft: Draft): { messages: readonly Written[]; rest: Draft } {
  const { lineId, text, quote, files } = draft
  const worded = files.findLast(hasWords)
  const own = files.map((file, at): Draft => {
    return { ...noDraft, lineId, files: [file], text: file === worded ? text : '', quote: at === 0 ? quote : null }
  })
  const rest = takesWords(files) ? noDraft : asKept({ ...noDraft, lineId, text })
  const drafts = files.length > 0 ? own : text.trim() === '' ? [] : [draft]
  return { messages: drafts.map(one => ({ message: messageOf(one), draft: one })), rest }
}

/** @param draft with one file at most */
function messageOf({ text, quote, files: [file] }: Draft): Message {
  const replyTo = quote && { replyTo: quote.channelMessageId }
  if (!file) return { type: 'text', content: text, ...replyTo }
  const { id: mediaId, type, name, isVoice } = file
  return {
    ...{ type, mediaId, ...replyTo },
    ...(text.trim() !== '' && { caption: text }),
    ...(type === 'document' && { fileName: name }),
    ...(type === 'audio' && isVoice && { voice: true }),
  }
}
