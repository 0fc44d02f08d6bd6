import type { Line, MessageStatusView } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import { type Clock, type EpochMs, type SteadyMs, wait } from '../clock.ts'
import { type Details, messageOf } from '../errors.ts'
import type { SendAnswer } from '../graph/answer.ts'
import type { Logger } from '../log.ts'
import type { MessageEvent } from '../message/state.ts'
import { WorkerClosed, WorkerUnavailable } from '../queue/mailbox.ts'
import { alertOperator, warnOfPause } from './alert.ts'
import { eventOf } from './answerEvent.ts'
import { Forecast } from './forecast.ts'
import type { SendJob } from './job.ts'
import { Load } from './load.ts'
import type { SenderFact } from './sender.ts'
import type { SenderFor } from './senders.ts'

/** How a send ended: what the upstream said, and the message as it stood on disk right after. */
export interface Settled {
  readonly message: MessageStatusView
  readonly answer: SendAnswer
}

/** A settled answer that the disk refuses is offered again this often until it takes it. */
const storeRetryMs = 1_000
/** While stopping, for no longer than this from the first time on: a full disk must not keep the process for ever. */
const stopRetryMsMax = 10_000
/** A message that never left is offered to the thread that replaces a dead one this often. */
const senderRetryMs = 200

export interface DispatcherParts {
  readonly store: Store
  readonly senderFor: SenderFor
  /** @returns the access token that the channel has now. */
  readonly accessToken: (channelId: string) => Promise<string>
  readonly clock: Clock
  readonly log: Logger
  /** Messages under way on one line. Each line has a queue of its own: a dead one must not take the others' places. */
  readonly queueMax: number
}

interface Flight {
  readonly lineId: string
  /** Of what is sent. */
  readonly chars: number
  /** Null until the message is accepted. */
  job: SendJob | null
  isDispatched: boolean
  /** The announcement that still holds: a later one, or a deferral, voids those before it. */
  turn: string | null
  /** The last thing that was asked of the disk. A flight's events are stored one after another, in their order. */
  stored: Promise<unknown> | null
  /** Told the end; made for whoever asks for it besides the one who submitted the message, which few do. */
  watched: PromiseWithResolvers<Settled> | null
}

/**
 * Every accepted message that has no end yet, from the accepting write to the settling one. The disk is always told
 * first: `dispatched` before a byte leaves, the answer before the caller hears of it.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #flights = new Map<string, Flight>()
  readonly #load: Load
  readonly #forecast: Forecast
  #isStopping = false
  /** Messages whose accepting write, and events whose recording, is not finished. */
  #unfinished = 0
  #onFinished = () => {}

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#load = new Load(parts.queueMax)
    this.#forecast = new Forecast(parts.clock)
  }

  get size(): number {
    return this.#flights.size
  }

  /** No further message may be accepted for that line: what is accepted must also fit here. */
  isFull(lineId: string): boolean {
    return this.#isStopping || this.#load.isFull(lineId)
  }

  /** @returns the time to accept a message with as `dispatchedAt`; null when it has to wait its turn */
  foretell(line: Pick<Line, 'id' | 'perSecond'>): EpochMs | null {
    return this.#forecast.departure(line)
  }

  /** @returns the end of a message that is under way; undefined when it is not. */
  find(messageId: string): Promise<Settled> | undefined {
    const flight = this.#flights.get(messageId)
    if (!flight) return undefined
    flight.watched ??= unheard(Promise.withResolvers<Settled>())
    return flight.watched.promise
  }

  /**
   * Makes room for a message that is about to be accepted. Before the accepting write, not after it: whoever finds its
   * idempotency key on disk must also find it here, and wait.
   */
  expect(messageId: string, lineId: string, payload: string): void {
    const chars = payload.length
    this.#flights.set(messageId, {
      lineId,
      chars,
      job: null,
      isDispatched: true,
      turn: null,
      stored: null,
      watched: null,
    })
    this.#load.add(lineId, chars)
    this.#unfinished += 1
  }

  /** The expected message was not accepted. */
  forget(messageId: string): void {
    this.#land(messageId)
    this.#finish()
  }

  /** Hands an expected message over, now that it is accepted. Resolves once its end is on disk, however long it takes. */
  submit(job: SendJob): Promise<Settled> {
    const flight = this.#flights.get(job.messageId)
    if (!flight || flight.job) throw new Error('only an expected message can be submitted, and only once')
    flight.job = job
    this.#setDispatched(flight, job.isDispatched)
    const end = this.#fly(flight, job)
    end.then(
      settled => flight.watched?.resolve(settled),
      // Nobody may be waiting for it any more; a failure was logged where it happened.
      error => flight.watched?.reject(error),
    )
    this.#finish()
    return end
  }

  /** News from a sender thread. */
  onFact(fact: SenderFact): void {
    if (fact.kind === 'paused') {
      warnOfPause(this.#parts.log, fact)
      return
    }
    const flight = this.#flights.get(fact.messageId)
    if (!flight?.job) return
    switch (fact.kind) {
      case 'deferred':
        this.#defer(flight, flight.job)
        break
      case 'due':
        // Nothing new leaves while stopping: the next start finds it as it is.
        if (this.#isStopping) break
        void this.#proceed(flight, flight.job, fact.turn).catch(() => {})
        break
    }
  }

  /** From now on nothing is accepted, and what a sender drops unsent stays on disk for the next start. */
  stop(): void {
    this.#isStopping = true
  }

  /** Resolves once everything that was begun is on disk. What waits for its turn is not begun. */
  async finished(): Promise<void> {
    for (;;) {
      // What ended in this turn may begin something: a message that a thread gave back has to be deferred on disk.
      await new Promise(resolve => setImmediate(resolve))
      if (this.#unfinished === 0) return
      await new Promise<void>(resolve => (this.#onFinished = resolve))
    }
  }

  #land(messageId: string): void {
    const flight = this.#flights.get(messageId)
    if (!flight) return
    this.#flights.delete(messageId)
    this.#load.remove(flight.lineId, flight.chars)
  }

  #finish(): void {
    this.#unfinished -= 1
    if (this.#unfinished === 0) this.#onFinished()
  }

  async #proceed(flight: Flight, job: SendJob, turn: string): Promise<void> {
    flight.turn = turn
    const event: MessageEvent = { kind: 'dispatched', at: this.#parts.clock.now() }
    const view = await this.#store(flight, job.messageId, event, null)
    // A callback may have shown meanwhile that an attempt which the upstream had put off went out all the same.
    const accessToken = view?.status === 'QUEUED' ? await this.#tokenFor(job) : null
    // The disk was slow, and the message was deferred or announced anew meanwhile. Were it let go for this turn as well, it
    // could leave while the disk says that it never did.
    if (flight.turn !== turn) return
    // Nothing is awaited from here on: a thread that dies before it is asked has sent nothing.
    this.#setDispatched(flight, true)
    try {
      await this.#parts.senderFor(job.channelId).proceed({ turn, accessToken })
    } catch (error) {
      // The thread was not told, so nothing leaves. One that died had been told or not: the flight's own end says so.
      if (error instanceof WorkerUnavailable) this.#defer(flight, job)
    }
  }

  async #tokenFor({ messageId, channelId, accessToken }: SendJob): Promise<string> {
    try {
      return await this.#parts.accessToken(channelId)
    } catch (error) {
      this.#parts.log.error(
        { err: error, messageId },
        'a token could not be read anew; sending with the one from before',
      )
      return accessToken
    }
  }

  async #fly(flight: Flight, job: SendJob): Promise<Settled> {
    const answer = await this.#send(flight, job)
    if (answer.kind === 'refused') alertOperator(this.#parts.log, job, answer.fault)
    const message = await this.#store(flight, job.messageId, ...eventOf(answer, this.#parts.clock.now()))
    this.#setDispatched(flight, true)
    this.#land(job.messageId)
    if (!message) throw new Error('an accepted message is not in the database')
    return { message, answer }
  }

  async #send(flight: Flight, job: SendJob): Promise<SendAnswer> {
    for (;;) {
      try {
        return await this.#parts.senderFor(job.channelId).sendMessage({ ...job, isDispatched: flight.isDispatched })
      } catch (error) {
        const isWithThread = !(error instanceof WorkerUnavailable)
        if (flight.isDispatched && isWithThread) {
          return { kind: 'lost', why: messageOf(error) }
        }
        // It never left, and the disk may say so, also after an announcement that this thread did not live to see answered.
        // While stopping it stays there for the next start; otherwise the thread that follows gets it.
        if (flight.isDispatched || flight.turn !== null) this.#defer(flight, job)
        if (this.#isStopping) return new Promise(() => {})
        await wait(this.#parts.clock, senderRetryMs)
      }
    }
  }

  #defer(flight: Flight, { messageId }: SendJob): void {
    flight.turn = null
    this.#setDispatched(flight, false)
    void this.#store(flight, messageId, { kind: 'deferred' }, null).catch(() => {})
  }

  /** An event that had to be tried again must not be overtaken: a late `deferred` would undo the `dispatched` after it. */
  #store(
    flight: Flight,
    messageId: string,
    event: MessageEvent,
    detail: Details | null,
  ): Promise<MessageStatusView | null> {
    this.#unfinished += 1
    const { stored } = flight
    const record = () => this.#record(messageId, event, detail)
    // What could not be stored before is no reason not to store this.
    const storing = stored === null ? record() : stored.then(record, record)
    flight.stored = storing
    const finish = () => this.#finish()
    storing.then(finish, finish)
    return storing
  }

  /** The disk may be full for a while. What the upstream has answered is not given up for that. */
  async #record(messageId: string, event: MessageEvent, detail: Details | null): Promise<MessageStatusView | null> {
    const { store, clock, log } = this.#parts
    let until: SteadyMs | null = null
    for (;;) {
      try {
        return await store.write.recordEvent({ messageId, event, detail, recordedAt: clock.now() })
      } catch (error) {
        // The next start finds the message as the disk has it.
        if (this.#isStopping) until ??= clock.steady() + stopRetryMsMax
        if (error instanceof WorkerClosed || (until !== null && clock.steady() >= until)) throw error
        log.error({ err: error, messageId, event: event.kind }, 'an event could not be stored; trying again')
        await wait(clock, storeRetryMs)
      }
    }
  }

  #setDispatched(flight: Flight, isDispatched: boolean): void {
    if (!flight.job || flight.isDispatched === isDispatched) return
    flight.isDispatched = isDispatched
    if (isDispatched) this.#forecast.left(flight.lineId)
    else this.#forecast.waits(flight.lineId)
  }
}

/** @returns the same, for ends that may come when nobody waits for them any more. */
function unheard<End>(resolvers: PromiseWithResolvers<End>): PromiseWithResolvers<End> {
  resolvers.promise.catch(() => {})
  return resolvers
}
