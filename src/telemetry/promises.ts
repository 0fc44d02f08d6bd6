import type { Details } from '../base/errors.ts'

/**
 * What must hold whatever happens, and would break without a word: each with what it means, as
 * docs/operate.md#waypostbrokenpromise has it. What a constraint of the database keeps is not here.
 */
export const promises = {
  statusOfRecord: 'The status of a message is the one that what has happened to it gives.',
  endsStay: 'A message that has an end never waits to be sent again, and what arrived stays so.',
  answerOfAttempt: 'An answer of the upstream is about a message that was handed over.',
  oneMessageMoves: 'What happens to a message changes its row, and no other.',
  daysNotNegative: 'No count of a day falls below zero.',
  plansNotNegative: 'Of a month, no more messages are taken back than were counted.',
  planRemembered: 'The count of a month that the writer remembers is the one on disk.',
  planKept: 'No acceptance takes a month beyond its limit.',
  lineOfWorkspace: 'A message leaves by a line of its own workspace.',
  keyOfWorkspace: 'A message is sent by a key of its own workspace.',
  replayOfWorkspace: 'A repeated key is answered with a message of the own workspace.',
  waitsWhenTaken: 'What is queued to be sent waits, and was not handed over before.',
  stepFollows: 'A message goes from one step of its send to one that may follow.',
  leavesInTime: 'No message leaves later than its hand-over allows.',
  handOverAnswered: 'The database says of each message, once, whether it was handed over.',
  endStored: 'A message whose end was stored has one.',
  answerOfCall: 'A thread answers what it was asked, once.',
  contentThere: 'A message that is still to be sent has its content.',
  batchCounts: 'The counts of a batch are those of its items.',
  itemsHaveMessages: 'An item of a batch that was sent has a message.',
  positionKnown: 'The position of a webhook is not beyond the events of its workspace.',
  eventOfWorkspace: 'A webhook gets events of its own workspace, each behind the one before.',
} as const

export type PromiseName = keyof typeof promises

/** A promise that does not hold, and the ids of what it is about: nobody's content. */
export interface Broken {
  readonly promise: PromiseName
  readonly about: Details
}

/** The step that would break a promise, or that met a broken one, is refused. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise'
  readonly promise: PromiseName

  constructor(promise: PromiseName) {
    super(`A promise is broken (${promise}): ${promises[promise]}`)
    this.promise = promise
  }
}

const listeners = new Set<(broken: Broken) => void>()

/**
 * Of this thread: a worker posts it to the main thread. What is checked lies in pure rules as well, which nobody hands
 * a log.
 * @returns a function that ends it
 */
export function onBroken(listen: (broken: Broken) => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

/** Tells that a promise is broken. A step that is repeated tells it again. @returns the refusal of the step */
export function brokenPromise(promise: PromiseName, about: Details): BrokenPromise {
  for (const listen of listeners) listen({ promise, about })
  return new BrokenPromise(promise)
}

/** @throws BrokenPromise unless it holds. Nothing may be stored before: or the whole step is undone */
export function keep(promise: PromiseName, holds: boolean, about: () => Details): void {
  if (!holds) throw brokenPromise(promise, about())
}

/** For what has to go on. @returns whether it holds */
export function holds(promise: PromiseName, isSo: boolean, about: () => Details): boolean {
  if (!isSo) brokenPromise(promise, about())
  return isSo
}
