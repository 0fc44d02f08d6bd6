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
  readonly file: ChosenFile | null
  readonly template: { readonly id: string; readonly values: SendValues } | null
}
export const noDraft: Draft = { lineId: null, text: '', quote: null, file: null, template: null }

export type Message = { readonly type: ChosenFile['type'] | 'text' | 'template' } & Readonly<Record<string, unknown>>

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
  const isWhole = (one: Partial<Outgoing> | null) =>
    typeof one?.key === 'string' && typeof one.message?.type === 'string'
  return {
    draft: { ...noDraft, ...(typeof draft?.text === 'string' && draft) },
    outgoing: Array.isArray(outgoing) ? outgoing.filter(isWhole) : [],
  }
}

const isNothing = ({ text, quote, file, template }: Draft) => text === '' && !quote && !file && !template
export const isEmpty = ({ draft, outgoing }: Composition) => outgoing.length === 0 && isNothing(draft)

/** @returns the draft on this line: on another one than before, without its template and without what it answers */
export const onLine = (draft: Draft, lineId: string | null): Draft =>
  draft.lineId === null || draft.lineId === lineId
    ? { ...draft, lineId }
    : { ...draft, lineId, quote: null, template: null }

/** @returns what is kept of a draft: one of which nothing is left has no line either */
export const asKept = (draft: Draft): Draft => (isNothing(draft) ? noDraft : draft)

/** A sound or a sticker has no words. */
export const hasWords = (file: ChosenFile | null) => file?.type !== 'audio' && file?.type !== 'sticker'

/** @returns what a draft is sent as, and what stays to be written on; null: there is nothing to send */
export function written(draft: Draft): { message: Message; rest: Draft } | null {
  const { lineId, text, quote, file } = draft
  const replyTo = quote && { replyTo: quote.channelMessageId }
  if (!file) return text.trim() === '' ? null : { message: { type: 'text', content: text, ...replyTo }, rest: noDraft }
  const { id: mediaId, type, name, isVoice } = file
  const isWithWords = hasWords(file)
  const message = {
    ...{ type, mediaId, ...replyTo },
    ...(isWithWords && text.trim() !== '' && { caption: text }),
    ...(type === 'document' && { fileName: name }),
    ...(type === 'audio' && isVoice && { voice: true }),
  }
  return { message, rest: isWithWords ? noDraft : asKept({ ...noDraft, lineId, text }) }
}
