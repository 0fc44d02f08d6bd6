/*
 * The rules of a batch: many sends that are one thing. Each of its items becomes one message, at most once.
 */

/**
 * `draft`: items are still added. `scheduled`: it waits for its time. `running`: its items become messages. `paused`:
 * no further one does. `done`: all have, or were left out. `cancelled`: what was waiting never becomes one.
 */
export const batchStates = ['draft', 'scheduled', 'running', 'paused', 'done', 'cancelled'] as const
export type BatchState = (typeof batchStates)[number]

/** What is done with a batch: by people, by the time, or by its runner. */
export const batchEvents = ['schedule', 'start', 'pause', 'resume', 'cancel', 'finish', 'retry'] as const
export type BatchEvent = (typeof batchEvents)[number]

/** Which events change it, and to what. Of all others `same` says whether they ask for what it is already. */
const moves: Readonly<Record<BatchState, Readonly<Partial<Record<BatchEvent, BatchState>>>>> = {
  draft: { schedule: 'scheduled', start: 'running', cancel: 'cancelled' },
  scheduled: { start: 'running', cancel: 'cancelled' },
  running: { pause: 'paused', finish: 'done', cancel: 'cancelled' },
  // One that a restore has paused before its time.
  paused: { schedule: 'scheduled', resume: 'running', cancel: 'cancelled' },
  done: { retry: 'running' },
  cancelled: {},
}

/** What an event leads to, from wherever it may come. */
const leadsTo: Readonly<Record<BatchEvent, readonly BatchState[]>> = {
  schedule: ['scheduled'],
  // One that was paused, or is done already, was started: its start that is repeated changes nothing.
  start: ['running', 'paused', 'done'],
  pause: ['paused'],
  resume: ['running'],
  cancel: ['cancelled'],
  finish: ['done'],
  // Further items wait again in it.
  retry: ['running', 'paused'],
}

export type BatchMove =
  | { readonly outcome: 'moved'; readonly to: BatchState }
  /** It is so already: an event that is repeated is harmless. */
  | { readonly outcome: 'same' }
  | { readonly outcome: 'refused' }

/** The state machine of a batch. */
export function moveOf(state: BatchState, event: BatchEvent): BatchMove {
  const to = moves[state][event]
  if (to !== undefined) return { outcome: 'moved', to }
  return { outcome: leadsTo[event].includes(state) ? 'same' : 'refused' }
}

/** Nothing of it is sent any more, unless somebody asks for it again. */
export const hasEnded = (state: BatchState) => state === 'done' || state === 'cancelled'
export const openBatchStates: readonly BatchState[] = batchStates.filter(state => !hasEnded(state))

/**
 * How far an item is. `claimed`: it has the id of its message, which is being made, or was when the process ended.
 * `sent`: there is that message. `failed`: it was refused, and there is none.
 */
export const itemStates = ['waiting', 'claimed', 'sent', 'failed', 'skipped', 'cancelled'] as const
export type ItemState = (typeof itemStates)[number]

/** Why an item became no message, or a batch is paused: a word for programs, and a sentence. */
export interface BatchReason {
  readonly code: string
  readonly message: string
}

/** Codes of the platform about the number itself: it is the line's own; it has no account that can be reached. */
const ofBadNumber = /^(?:131021|131026): /

/**
 * An item whose number turns out to be none was skipped rather than failed: nothing can be done about it, and it says
 * nothing of the template, the line or the account. Its message has failed, and stays.
 * @param failure why the message failed, as `131026: Message undeliverable`
 * @returns why the item counts as skipped; null: it failed
 */
export const badNumberReason = (failure: string | null): BatchReason | null =>
  failure !== null && ofBadNumber.test(failure)
    ? { code: 'BAD_NUMBER', message: `The platform cannot deliver to the number. ${failure}` }
    : null

/** What becomes of an item whose recipient an earlier item of the batch names: it is left out, or sent as well. */
export const duplicateRules = ['skip', 'send'] as const
export type DuplicateRule = (typeof duplicateRules)[number]

/** Items of one batch, of one call that adds some, and batches of a workspace that have not ended. */
export const batchItemsMax = 100_000
export const itemsAtOnceMax = 1_000
export const openBatchesMax = 100

/** The idempotency key of an item's message. Its scope is the batch, which is that of no caller. */
export const keyOfItem = (batchId: string, { number, attempt }: { number: number; attempt: number }) =>
  attempt === 1 ? `${batchId}/${number}` : `${batchId}/${number}/${attempt}`

/** The same as a pattern of SQL, in which `_` is any character: so that no other key of a caller is taken for one. */
export const itemKeyPattern = `batch${'_'.repeat(27)}/%`

/** @returns the batch of a message with this idempotency key; null: it is of none */
export const batchOfKey = (key: string | null): string | null => key?.match(/^(batch_\w{26})\//)?.[1] ?? null
