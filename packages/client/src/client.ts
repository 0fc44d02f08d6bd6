import {
  type EventPage,
  type InboundPage,
  type MessagePage,
  readCheck,
  readContact,
  readEvents,
  readInbound,
  readInboundMessage,
  readLines,
  readMark,
  readMessage,
  readMessages,
  readTemplates,
  readUploaded,
} from './answers.ts'
import { address, type Credentials, credentialHeaders, fromEnvironment } from './credentials.ts'
import { GatewayRefusal } from './errors.ts'
import type { Hooks } from './hooks.ts'
import { attemptLimit, timeLimit } from './limits.ts'
import { type ByteRange, type MediaFile, openedMedia, rangeHeader } from './media.ts'
import { type Call, type Connection, callGateway, realSurroundings, type Surroundings } from './transport.ts'
import type {
  Contact,
  ContactFilter,
  Event,
  FilterOf,
  InboundMessage,
  Line,
  Message,
  MessageCheck,
  ReadMark,
  SendBody,
  Template,
  UploadedMedia,
} from './types.ts'
import {
  type FinalMessage,
  hasReached,
  isFinal,
  type ReachedMessage,
  type WaitedStatus,
  type WaitOptions,
  waitMsDefault,
  watch,
} from './wait.ts'

export interface Settings extends Hooks {
  /** Of one attempt with its whole answer. Default: 30 seconds, at most 24 days; a gateway answers a send in 10. */
  readonly timeoutMs?: number | undefined
  /** Attempts of one call, the first included. Default: 4, at most 1,000. */
  readonly attemptsMax?: number | undefined
  /** For tests, and for a fetch that goes through a proxy. */
  readonly surroundings?: Partial<Surroundings> | undefined
}

export type ClientOptions = Settings &
  Credentials & {
    /** Where the gateway is: `https://gateway.example.com`, with a path below it if need be. */
    readonly url: string
  }

/** Options of one call. Omitted ones are those of the client; an invalid limit is refused with a TypeError. */
export interface CallOptions {
  /** Of one attempt: with `attemptsMax: 1`, of the whole call. */
  readonly timeoutMs?: number | undefined
  readonly attemptsMax?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type StatusOptions = CallOptions & FilterOf<'/messages/{messageId}'>
export type TemplateFilter = CallOptions & FilterOf<'/templates'>
export type InboundFilter = CallOptions & FilterOf<'/inbound'>
/** Options of one message of a user. */
export type InboundOptions = CallOptions & FilterOf<'/inbound/{inboundId}'>
export type MessageFilter = CallOptions & FilterOf<'/messages'>
export type EventFilter = CallOptions &
  Omit<FilterOf<'/events'>, 'type'> & {
    /** Only these types. */
    readonly type?: Event['type'] | readonly Event['type'][] | undefined
  }

/** A client with a shorter time limit waits half of it. */
const waitSecondsDefault = 20
const timeoutMsDefault = 30_000
const attemptsMaxDefault = 4
/** As long as the gateway takes for a file. */
const uploadMsDefault = 300_000

/**
 * Talks to a Waypost gateway. Calls that get no whole answer, or a temporary refusal, are repeated: that never sends
 * twice, because each send has an idempotency key. Keep the secret on a server: a web page uses `withoutKey`.
 */
export class WaypostClient {
  readonly #connection: Connection
  readonly #headers: Readonly<Record<string, string>>
  readonly #limits: { readonly timeoutMs: number; readonly attemptsMax: number }

  /**
   * @throws TypeError for what can be no address of a gateway, no key, no time limit or no number of attempts, and for
   *   a secret in a web page
   */
  constructor(options: ClientOptions) {
    const { url, timeoutMs, attemptsMax, beforeAttempt, afterAttempt, surroundings } = options
    const base = `${address(url)}/api/v1/public`
    const hooks = { beforeAttempt, afterAttempt }
    this.#connection = { base, hooks, surroundings: { ...realSurroundings, ...surroundings } }
    this.#headers = credentialHeaders(options)
    this.#limits = {
      timeoutMs: timeLimit(timeoutMs ?? timeoutMsDefault),
      attemptsMax: attemptLimit(attemptsMax ?? attemptsMaxDefault),
    }
  }

  /**
   * Makes a client of the environment's `WAYPOST_URL`, `WAYPOST_API_KEY` and `WAYPOST_API_SECRET`.
   * @throws TypeError that names those which are missing, and as the constructor
   */
  static fromEnvironment(settings: Settings = {}): WaypostClient {
    return new WaypostClient({ ...settings, ...fromEnvironment() })
  }

  /**
   * Sends a message. Without an `idempotencyKey` it gets a new one; give your own (an order's number, say) when the
   * same send may be asked for again by another process or after a restart.
   * @returns the message; `idempotentReplay` is true when it had been sent before. `UNKNOWN` means that the upstream's
   *   answer was lost: do not send it again, its status settles later
   * @throws GatewayRefusal, NoAnswer
   */
  async send(body: SendBody, options: CallOptions = {}): Promise<Message> {
    const idempotencyKey = body.idempotencyKey ?? crypto.randomUUID()
    return this.#ask('POST', '/messages/send', { ...body, idempotencyKey }, idempotencyKey, readMessage, options)
  }

  /** @returns what would become of a send: nothing is sent, and no file uploaded. @throws GatewayRefusal, NoAnswer */
  async check(body: SendBody, options: CallOptions = {}): Promise<MessageCheck> {
    return this.#ask('POST', '/messages/check', body, null, readCheck, options)
  }

  /**
   * @returns the message as it stands now; with `wait`, as soon as it has the status `for`, or as it stands after so many
   *   seconds. @throws GatewayRefusal (`NOT_FOUND`), NoAnswer
   */
  async status(messageId: string, options: StatusOptions = {}): Promise<Message> {
    return this.#get(`/messages/${idOf(messageId)}`, readMessage, options)
  }

  /**
   * Takes back a message that waits for its time (`sendAt`): it is never sent.
   * @returns the message, which is `CANCELLED`. @throws GatewayRefusal (`CONFLICT`: it does not wait any more), NoAnswer
   */
  async cancel(messageId: string, options: CallOptions = {}): Promise<Message> {
    try {
      return await this.#ask('DELETE', `/messages/${idOf(messageId)}`, null, null, readMessage, options)
    } catch (error) {
      // The answer to an earlier attempt may have been lost.
      const message =
        error instanceof GatewayRefusal && error.code === 'CONFLICT' && (await this.status(messageId, options))
      if (message && message.status === 'CANCELLED') return message
      throw error
    }
  }

  /**
   * Moves a message that waits for its time to another one.
   * @param sendAt with its offset from UTC, 1 minute to 35 days ahead; a Date has it
   * @throws GatewayRefusal (`CONFLICT`: it does not wait any more), NoAnswer, RangeError for a Date that is none
   */
  async reschedule(messageId: string, sendAt: string | Date, options: CallOptions = {}): Promise<Message> {
    const body = { sendAt: typeof sendAt === 'string' ? sendAt : sendAt.toISOString() }
    return this.#ask('PATCH', `/messages/${idOf(messageId)}`, body, null, readMessage, options)
  }

  /**
   * @returns every approved template, or those of a name and language; there are no pages. @throws GatewayRefusal,
   *   NoAnswer
   */
  async templates(filter: TemplateFilter = {}): Promise<readonly Template[]> {
    return this.#get('/templates', readTemplates, filter)
  }

  /**
   * What happened in the workspace, each event once, in the order in which it was stored. Keep `next` when you have done
   * what a page asks for, and give it as `after`: nothing is missed, also after a restart. With `wait`, the answer comes
   * as soon as there is an event. @throws GatewayRefusal, NoAnswer
   */
  async eventPage(filter: EventFilter = {}): Promise<EventPage> {
    return this.#get('/events', readEvents, filter)
  }

  /**
   * Follows the events for good, and waits for further ones, also while the limit of requests is reached; a `signal`
   * ends it. It begins after `after`, else with the oldest that is kept: keep the id of the last event that you are done
   * with. @throws GatewayRefusal, NoAnswer, and the signal's reason
   */
  async *events(filter: Omit<EventFilter, 'wait'> = {}): AsyncGenerator<Event, void> {
    const timeoutMs = filter.timeoutMs ?? this.#limits.timeoutMs
    const wait = Math.max(1, Math.min(waitSecondsDefault, Math.floor(timeoutMs / 2_000)))
    for (let after = filter.after; ; ) {
      const page = await this.eventPage({ ...filter, after, wait }).catch(error => {
        if (error instanceof GatewayRefusal && error.retryAfterMs !== null) return error.retryAfterMs
        throw error
      })
      if (typeof page === 'number') await this.#connection.surroundings.sleep(page, filter.signal)
      else {
        yield* page.events
        after = page.next
      }
    }
  }

  /** @returns the lines of the workspace. @throws GatewayRefusal, NoAnswer */
  async lines(options: CallOptions = {}): Promise<readonly Line[]> {
    return this.#get('/lines', readLines, options)
  }

  /** @returns one page of what was sent, newest first unless `order` says otherwise. @throws GatewayRefusal, NoAnswer */
  async messagePage(filter: MessageFilter = {}): Promise<MessagePage> {
    return this.#get('/messages', readMessages, filter)
  }

  /** Gives what was sent until there is no more, page by page. @throws GatewayRefusal, NoAnswer */
  async *messages(filter: MessageFilter = {}): AsyncGenerator<Message, void> {
    for (let after = filter.after; ; ) {
      const { messages, next } = await this.messagePage({ ...filter, after })
      yield* messages
      if (next === null || next === after) return
      after = next
    }
  }

  /** @returns one page of what users sent, in the order in which it came. @throws GatewayRefusal, NoAnswer */
  async inboundPage(filter: InboundFilter = {}): Promise<InboundPage> {
    return this.#get('/inbound', readInbound, filter)
  }

  /** Gives what users sent until there is no more, page by page. @throws GatewayRefusal, NoAnswer */
  async *inbound(filter: InboundFilter = {}): AsyncGenerator<InboundMessage, void> {
    for (let after = filter.after; ; ) {
      const { messages, next } = await this.inboundPage({ ...filter, after })
      yield* messages
      if (next === null || next === after) return
      after = next
    }
  }

  /** @returns a message that a user sent. @throws GatewayRefusal (`NOT_FOUND`), NoAnswer */
  async inboundMessage(inboundId: string, options: InboundOptions = {}): Promise<InboundMessage> {
    return this.#get(`/inbound/${idOf(inboundId)}`, readInboundMessage, options)
  }

  /**
   * Marks a message of a user as read, with every earlier one of the conversation; `typing` also shows that an answer is
   * being written. Repeating it does no harm.
   * @returns what the upstream platform has done. @throws GatewayRefusal, NoAnswer
   */
  async markRead(
    inboundId: string,
    { typing = false, ...options }: CallOptions & { readonly typing?: boolean | undefined } = {},
  ): Promise<ReadMark> {
    return this.#ask('POST', `/inbound/${idOf(inboundId)}/read`, { typing }, null, readMark, options)
  }

  /**
   * Fetches a file that a user sent, by the `media.id` of its message, or a part of it. It is there once `media.state` is
   * `stored`. `timeoutMs` is that of the beginning, and of each wait for further bytes. What breaks off is not repeated:
   * ask for the rest by `range`.
   * @throws GatewayRefusal (`NOT_FOUND`, `RANGE_NOT_SATISFIABLE`), NoAnswer, and TypeError for what can be no part
   */
  async media(
    mediaId: string,
    { range, ...options }: CallOptions & { readonly range?: ByteRange | undefined } = {},
  ): Promise<MediaFile> {
    const headers = { ...this.#headers, ...(range && { range: rangeHeader(range) }) }
    const path = `/media/${idOf(mediaId)}`
    const request = { method: 'GET' as const, path, headers, body: null, idempotencyKey: null, read: () => null }
    const limits = this.#for(options)
    const open = (response: Response, end: AbortController) => openedMedia(response, end, limits)
    return callGateway<MediaFile>({ ...request, open, ...limits }, this.#connection)
  }

  /**
   * Gives the gateway a file to be sent: its `id` goes into `mediaId` of a send, as often as it is wanted. Of a file on
   * the disk, `Bun.file(path)` or `openAsBlob(path)` of Node reads no more than a piece at a time. `timeoutMs` is that of
   * the whole upload, 5 minutes by default. An upload that is repeated may be kept twice; nothing is sent by it.
   * @param fileName of a document, as the recipient sees it; left out: that of the File
   * @throws GatewayRefusal (`VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`), NoAnswer
   */
  async uploadMedia(
    file: Blob,
    { fileName, ...options }: CallOptions & { readonly fileName?: string | undefined } = {},
  ): Promise<UploadedMedia> {
    if (!(file instanceof Blob)) throw new TypeError('file: pass a Blob; of bytes, new Blob([bytes])')
    const body = new FormData()
    if (fileName === undefined) body.set('file', file)
    else body.set('file', file, fileName)
    const request = { method: 'POST' as const, path: '/media', headers: this.#headers, body, idempotencyKey: null }
    const limits = this.#for({ ...options, timeoutMs: options.timeoutMs ?? uploadMsDefault })
    return callGateway({ ...request, read: readUploaded, ...limits }, this.#connection)
  }

  /** @returns who a contact is, and whether everything may be sent to it. @throws GatewayRefusal (`NOT_FOUND`), NoAnswer */
  async contact(contactId: string, options: CallOptions = {}): Promise<Contact> {
    return this.#get(`/contacts/${idOf(contactId)}`, readContact, options)
  }

  /** @returns the contact that has the number or the user id now. @throws GatewayRefusal (`NOT_FOUND`), NoAnswer */
  async findContact(by: ContactFilter, options: CallOptions = {}): Promise<Contact> {
    return this.#get('/contacts', readContact, { ...by, ...options })
  }

  /** @returns the contact that has the user id of the upstream now. @throws as `findContact` */
  async contactByUserId(userId: string, options: CallOptions = {}): Promise<Contact> {
    return this.findContact({ userId }, options)
  }

  /** @returns the contact that has the number now. @throws as `findContact` */
  async contactByPhone(phone: string, options: CallOptions = {}): Promise<Contact> {
    return this.findContact({ phone }, options)
  }

  /**
   * Waits until a message has the status, or a later one: `READ` fulfils `DELIVERED`, and every status but `SCHEDULED`
   * `QUEUED`.
   * @throws TypeError for a status that cannot be waited for
   * @throws MessageFailed, WaitTimeout, GatewayRefusal, NoAnswer
   */
  async waitFor<Status extends WaitedStatus>(
    messageId: string,
    status: Status,
    options: WaitOptions = {},
  ): Promise<ReachedMessage<Status>> {
    return only(this.#watch([messageId], hasReached(status), options))
  }

  /**
   * Waits until a message is `DELIVERED`, `READ`, `FAILED` or `CANCELLED`.
   * @throws WaitTimeout, GatewayRefusal, NoAnswer
   */
  async waitUntilFinal(messageId: string, options: WaitOptions = {}): Promise<FinalMessage> {
    return only(this.#watch([messageId], isFinal, options))
  }

  /**
   * Waits for many messages, and yields each when it is `DELIVERED`, `READ`, `FAILED` or `CANCELLED`. They are polled
   * one after the other, and each poll counts as a request.
   * @throws WaitTimeout, GatewayRefusal, NoAnswer
   */
  eachFinal(messageIds: Iterable<string>, options: WaitOptions = {}): AsyncGenerator<FinalMessage, void> {
    return this.#watch(messageIds, isFinal, options)
  }

  #watch<Done extends Message>(
    messageIds: Iterable<string>,
    isDone: (message: Message) => message is Done,
    { timeoutMs, signal }: WaitOptions,
  ) {
    const look = (messageId: string) => this.status(messageId, { signal })
    const until = { timeoutMs: timeLimit(timeoutMs ?? waitMsDefault), signal }
    return watch(look, messageIds, isDone, until, this.#connection.surroundings)
  }

  /** @param options beside those of each call, parameters of the address: one for each value of a list */
  #get<Data>(path: string, read: Call<Data>['read'], options: CallOptions): Promise<Data> {
    const { timeoutMs, attemptsMax, signal, ...filter } = options
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries<unknown>(filter)) {
      for (const each of Array.isArray(value) ? value : [value]) if (each != null) query.append(name, String(each))
    }
    const asked = query.size === 0 ? path : `${path}?${query}`
    const request = { method: 'GET' as const, path: asked, headers: this.#headers, body: null, idempotencyKey: null }
    return callGateway({ ...request, read, ...this.#for({ timeoutMs, attemptsMax, signal }) }, this.#connection)
  }

  #ask<Data>(
    method: Call<Data>['method'],
    path: string,
    json: object | null,
    idempotencyKey: string | null,
    read: Call<Data>['read'],
    options: CallOptions,
  ): Promise<Data> {
    const headers = { ...this.#headers, ...(json && { 'content-type': 'application/json' }) }
    const request = { method, path, headers, body: json && JSON.stringify(json), idempotencyKey }
    return callGateway({ ...request, read, ...this.#for(options) }, this.#connection)
  }

  #for({ timeoutMs, attemptsMax, signal }: CallOptions) {
    const ofAll = this.#limits
    return {
      timeoutMs: timeLimit(timeoutMs ?? ofAll.timeoutMs),
      attemptsMax: attemptLimit(attemptsMax ?? ofAll.attemptsMax),
      signal,
    }
  }
}

/** @returns an id for a path: without it, the path would be that of a list. @throws TypeError */
function idOf(id: unknown): string {
  if (typeof id === 'string' && id !== '') return encodeURIComponent(id)
  throw new TypeError('id: pass the id of what is meant, as the gateway gave it; it is empty, or no text')
}

/** @returns the message that a watch of one message ends with */
async function only<Done>(watched: AsyncGenerator<Done, void>): Promise<Done> {
  for await (const message of watched) return message
  throw new Error('The wait for a message ended without it.')
}
