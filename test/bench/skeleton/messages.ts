/** What the writer stores. */
export type Stored =
  | {
      readonly kind: 'accepted'
      readonly id: string
      readonly recipient: string
      readonly payload: string
      readonly at: number
    }
  | { readonly kind: 'sent'; readonly id: string; readonly channelMessageId: string; readonly at: number }

/** What the sender sends. */
export interface Job {
  readonly payload: string
}

/** Calls or answers, as they are posted. */
export type Numbered<Value> = readonly (readonly [id: number, value: Value])[]
