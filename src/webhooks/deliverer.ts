import type { EventPage, EventQuery } from '../../db/contract/events.ts'
import type { Shared } from '../../db/contract/shared.ts'
import type { Store } from '../../db/contract/store.ts'
import { concerns, eventsFor, type OpenWebhook } from '../../db/contract/webhookDelivery.ts'
import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import { type Clock, type EpochMs, type SteadyMs, wait } from '../base/clock.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import { SharedPermits } from '../base/sharedPermits.ts'
import type { Announcements } from '../reading/announcements.ts'
import type { WebhookAnswer, WebhookRequest } from './attempt.ts'
import { neverMade, type OutcomeParts, outcomeOf } from './outcome.ts'
import { EndpointQueue, type Item } from './queue.ts'
import { Recorder, type RecorderParts } from './recorder.ts'
import { eventRequest, type RequestParts } from './request.ts'

/** How often it looks for what nobody announces here: other processes, changed endpoints, attempts that are due. */
const lookMs = 1_000
/** After an announcement: the events of a busy moment are read together. */
const debounceMs = 50
/** Read at once: a few milliseconds of the thread that sends. */
const readMax = 100
/** A page is read again after this time: meanwhile a contact may have been erased, or a read may have failed. */
const sharedPageMs = 20
/** Under way to all endpoints: sockets, and memory of the thread. One workspace alone gets half of it. */
const underWayAllMax = 400
/** Events in memory, of all endpoints: some 20 MB. Beyond it, an endpoint that has none still reads a page. */
const heldAllMax = 10_000
/**
 * Where few of many events concern an endpoint, page after page is read and nothing is delivered. A rest three times as
 * long as the page leaves three quarters of the thread to sends.
 */
const restShare = 3
/** A machine that was suspended within a page must not wait as long. */
const restMsMax = 250
/** At a stop: what is under way by then is made again by the next start. */
const stopMsMax = 3_000

export interface DelivererParts extends RecorderParts, RequestParts, OutcomeParts {
  readonly store: Store
  readonly shared: Pick<Shared, 'claimWebhooks' | 'releaseWebhooks'> | null
  /** Whether this process is ready. Of several, one that is not leaves its endpoints to the others. */
  readonly isReady: () => boolean
  readonly announcements: Announcements
  readonly attempt: (request: WebhookRequest) => Promise<WebhookAnswer>
  /** Always real time, for a stop. */
  readonly watch: Clock
}

/**
 * Delivers events to the endpoints of webhooks, each at least once. What it knows is in memory, and follows from the
 * disk: the events behind the position of an endpoint, and the deliveries that are due. An outcome is recorded after
 * the attempt, so that a kill between both repeats the attempt.
 */
export class WebhookDeliverer {
  readonly #parts: DelivererParts
  /** The endpoints that are on and that this process has. The first is served next. */
  readonly #queues = new Map<string, EndpointQueue>()
  readonly #recorder: Recorder
  /** Workspaces in which something has happened since events were read. */
  readonly #announced = new Set<string>()
  readonly #looks = new FailureSpell()
  readonly #reads = new FailureSpell()
  readonly #permits = new SharedPermits(underWayAllMax)
  /** The page that was read last. */
  #page: { readonly asked: string; readonly until: SteadyMs; readonly page: Promise<EventPage> } | null = null
  #reading: Promise<void> | null = null
  #isStopping = false
  /** What is still under way is made again by the next start. */
  #isOver = false
  #isPumpDue = false
  #cancelLook = () => {}
  #cancelPump: (() => void) | null = null
  #endWatch: (() => void) | null = null
  #looking: Promise<void> = Promise.resolve()
  #onIdle = () => {}

  constructor(parts: DelivererParts) {
    this.#parts = parts
    this.#recorder = new Recorder(parts, endpointId => this.#queues.delete(endpointId))
  }

  /** Begins to deliver. */
  start(): void {
    this.#looking = this.#look().then(() => {
      if (!this.#isStopping) this.#cancelLook = this.#parts.clock.setTimer(lookMs, () => this.start())
    })
  }

  /** Begins nothing more, waits a moment for what is under way, and records it. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#cancelLook()
    this.#cancelPump?.()
    this.#endWatch?.()
    await this.#looking
    await this.#reading
    await new Promise<void>(resolve => {
      const cancelTimer = this.#parts.watch.setTimer(stopMsMax, resolve)
      this.#onIdle = () => {
        cancelTimer()
        resolve()
      }
      if (this.#permits.taken === 0) this.#onIdle()
    })
    this.#isOver = true
    this.#recorder.stop()
    await Promise.all([...this.#queues.values()].map(queue => this.#recorder.now(queue)))
  }

  /** Looks which endpoints there are, and what waits for them. */
  async #look(): Promise<void> {
    const { shared, store, clock, log, isReady } = this.#parts
    try {
      const claimed = await shared?.claimWebhooks({ isReady: isReady() })
      const endpointIds = claimed?.ids ?? null
      const open = endpointIds?.length === 0 ? [] : await store.read.openWebhooks({ endpointIds })
      this.#looks.worked(failures => log.info({ failures }, 'webhooks can be looked at again'))
      if (this.#isStopping) return
      const now = clock.now()
      for (const one of open) this.#note(one, now)
      const ids = new Set(open.map(({ webhook }) => webhook.id))
      for (const id of this.#queues.keys()) if (!ids.has(id)) this.#queues.delete(id)
      const done = this.#leave(claimed?.surplus ?? 0)
      this.#watch()
      this.#pump()
      for (const queue of this.#queues.values()) this.#recorder.later(queue)
      if (done.length > 0) await shared?.releaseWebhooks({ endpointIds: done })
    } catch (error) {
      this.#looks.failed(() => log.error({ err: error }, 'webhooks could not be looked at; trying again'))
    }
  }

  /**
   * Leaves endpoints to others, those first of which the least is under way. Nothing of them is tried any more, so that
   * they are done soon.
   * @returns those that are
   */
  #leave(surplus: number): string[] {
    const queues = [...this.#queues].toSorted(([, one], [, other]) => one.underWay - other.underWay)
    for (const [at, [, queue]] of queues.entries()) queue.isLeaving = at < surplus
    const done = queues.filter(([, queue]) => queue.isLeaving && this.#recorder.isDone(queue)).map(([id]) => id)
    for (const id of done) this.#queues.delete(id)
    return done
  }

  #note({ webhook, lastEvent, nextAt }: OpenWebhook, now: EpochMs): void {
    const queue = this.#queues.get(webhook.id) ?? new EndpointQueue(webhook)
    this.#queues.set(webhook.id, queue)
    queue.webhook = webhook
    this.#page = null
    queue.hasMore ||= lastEvent > queue.readUpTo
    queue.hasDue ||= nextAt !== null && nextAt <= now
  }

  /** Only while there are endpoints: announcing costs each send something. */
  #watch(): void {
    if (this.#queues.size === 0) {
      this.#endWatch?.()
      this.#endWatch = null
      return
    }
    const queues = this.#queues
    this.#endWatch ??= this.#parts.announcements.watchHere({
      get workspaceIds() {
        return new Set([...queues.values()].map(({ webhook }) => webhook.workspaceId))
      },
      note: workspaceId => {
        this.#announced.add(workspaceId)
        this.#pumpLater()
      },
    })
  }

  #pumpLater(): void {
    this.#cancelPump ??= this.#parts.clock.setTimer(debounceMs, () => {
      this.#cancelPump = null
      for (const queue of this.#queues.values())
        if (this.#announced.has(queue.webhook.workspaceId)) queue.hasMore = true
      this.#announced.clear()
      this.#page = null
      this.#pump()
    })
  }

  /** Hands out what can be tried, and reads on where it is needed. */
  #pump(): void {
    this.#handOut()
    if (this.#isStopping) return
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null
    })
  }

  /** One event of each endpoint in turn, so that none takes the permits of another. */
  #handOut(): void {
    const { clock } = this.#parts
    if (this.#isStopping) return
    const now = clock.now()
    let isShort = false
    let served = [...this.#queues.values()]
    while (served.length > 0) {
      served = served.filter(queue => {
        const hasPermit = this.#permits.hasFor(queue.webhook.workspaceId)
        isShort ||= !hasPermit
        const item = hasPermit ? queue.take(now) : null
        if (item) void this.#attempt(queue, item, now)
        return item !== null
      })
    }
    // Who came last comes first the next time, when there were not enough permits.
    const [first] = this.#queues
    if (first && isShort) this.#toEnd(...first)
  }

  #toEnd(id: string, queue: EndpointQueue): void {
    this.#queues.delete(id)
    this.#queues.set(id, queue)
  }

  /** One page at a time, and the endpoints take turns. Between two pages the thread does other work. */
  async #readAll(): Promise<void> {
    const { log, watch } = this.#parts
    try {
      for (let queue = this.#wanting(); queue && !this.#isStopping; queue = this.#wanting()) {
        if (this.#queues.has(queue.webhook.id)) this.#toEnd(queue.webhook.id, queue)
        const startedAt = watch.steady()
        const sizeBefore = queue.size
        if (queue.wantsDue) await this.#readDue(queue)
        if (queue.wantsEvents) await this.#readEvents(queue)
        const isInVain = queue.size <= sizeBefore
        this.#handOut()
        await new Promise(resolve => setImmediate(resolve))
        if (isInVain && queue.hasMore) await wait(watch, Math.min(restShare * (watch.steady() - startedAt), restMsMax))
      }
      this.#reads.worked(failures => log.info({ failures }, 'events can be read for webhooks again'))
    } catch (error) {
      // The next look begins again.
      this.#reads.failed(() => log.error({ err: error }, 'events could not be read for webhooks; trying again'))
    }
  }

  #wanting(): EndpointQueue | undefined {
    const queues = [...this.#queues.values()]
    const now = this.#parts.clock.now()
    for (const queue of queues) queue.forgetOld(now)
    const isFull = queues.reduce((sum, { size }) => sum + size, 0) >= heldAllMax
    return queues.find(queue => (queue.wantsEvents || queue.wantsDue) && (!isFull || queue.size === 0))
  }

  /** Endpoints that are told the same share a page, when they read it at once. */
  #pageOf(query: EventQuery): Promise<EventPage> {
    const { store, watch } = this.#parts
    const asked = JSON.stringify(query)
    const now = watch.steady()
    if (this.#page === null || this.#page.asked !== asked || now >= this.#page.until) {
      this.#page = { asked, until: now + sharedPageMs, page: store.read.events(query) }
    }
    return this.#page.page
  }

  async #readEvents(queue: EndpointQueue): Promise<void> {
    const { read } = this.#parts.store
    const { webhook, readUpTo: after } = queue
    queue.hasMore = false
    const { events, upTo, hasMore } = await this.#pageOf(eventsFor(webhook, { after, limit: readMax }))
    if (upTo === after) return
    // Looked at after the events: what it was told to take before one of them was recorded holds for that one.
    const present = await read.webhook(webhook.id)
    if (present && asksOf(present) !== asksOf(webhook)) {
      queue.webhook = present
      queue.hasMore = true
      this.#page = null
      return
    }
    const wanted = events.filter(event => concerns(webhook, event))
    const messageSeqs = [...new Set(wanted.flatMap(({ messageSeq }) => (messageSeq === null ? [] : [messageSeq])))]
    const { seqs, open } = await read.knownDeliveries({ endpointId: webhook.id, after, upTo, messageSeqs })
    const known = new Set(seqs)
    queue.addEvents(
      wanted.filter(({ seq }) => !known.has(seq)),
      open,
    )
    queue.readUpTo = upTo
    queue.hasMore ||= hasMore
  }

  async #readDue(queue: EndpointQueue): Promise<void> {
    const { store, clock } = this.#parts
    const { webhook } = queue
    // What is not recorded is still due on the disk.
    const limit = readMax + queue.unrecorded
    queue.hasDue = false
    const due = await store.read.dueDeliveries({ webhook, at: clock.now(), limit })
    queue.addDue(due)
    queue.hasDue ||= due.length === limit
  }

  async #attempt(queue: EndpointQueue, item: Item, at: EpochMs): Promise<void> {
    const { attempt, log } = this.#parts
    const { workspaceId, url } = queue.webhook
    this.#permits.take(workspaceId)
    try {
      const request = await eventRequest(this.#parts, queue.webhook, item.event, at)
      const answer = request && (await attempt(request))
      if (this.#isOver) return
      if (answer?.status === 410) queue.goneFrom = url
      queue.ended(item, answer ? outcomeOf(this.#parts, item, at, answer) : neverMade(item))
    } catch (error) {
      if (this.#isOver) return
      // The thread died: whether the event has arrived is not known, and it is sent again.
      log.warn({ err: error, webhookId: queue.webhook.id }, 'an attempt to deliver an event was lost; it is made again')
      await wait(this.#parts.clock, lookMs)
      queue.lost(item, at)
    } finally {
      this.#permits.giveBack(workspaceId)
      if (this.#permits.taken === 0) this.#onIdle()
    }
    this.#recorder.later(queue)
    this.#pumpSoon()
  }

  /** Answers come together. */
  #pumpSoon(): void {
    if (this.#isPumpDue) return
    this.#isPumpDue = true
    setImmediate(() => {
      this.#isPumpDue = false
      this.#pump()
    })
  }
}

/** @returns which events an endpoint takes, to be compared */
const asksOf = ({ types, lineIds }: WebhookEndpoint) => JSON.stringify([types, lineIds])
