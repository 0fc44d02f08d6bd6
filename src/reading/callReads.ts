import type { KeyReads } from './keyReads.ts'
import { readerOfKey, type Turns } from './turns.ts'

type Query<Verb extends keyof KeyReads> = Parameters<KeyReads[Verb]>[0]

/**
 * What one call of an API key reads. What costs the more, the more its workspace has, takes a turn by itself, so that
 * no call can read it without one; what is found by an id or an address does not. A turn has each such read once: a
 * second page takes the next turn. What the database let us wait for is worked on in a turn, too.
 */
export class CallReads implements KeyReads {
  readonly #read: KeyReads
  readonly #turns: Turns
  readonly #reader
  #hasBegun = false
  /** What was read in the turn that the call has now; null: it has none. */
  #done: Set<keyof KeyReads> | null = null

  constructor(read: KeyReads, turns: Turns, key: Parameters<typeof readerOfKey>[0]) {
    this.#read = read
    this.#turns = turns
    this.#reader = readerOfKey(key)
  }

  /**
   * Resolves in a turn in which nothing was read yet.
   * @throws GatewayError RATE_LIMIT_EXCEEDED when the call has had none, and too many of its key wait
   */
  async turn(): Promise<void> {
    if (this.#done?.size === 0) return
    await (this.#hasBegun ? this.#turns.take(this.#reader) : this.#turns.begin(this.#reader))
    this.#hasBegun = true
    const done = new Set<keyof KeyReads>()
    this.#done = done
    setImmediate(() => {
      if (this.#done === done) this.#done = null
    })
  }

  async #inTurn<Found>(verb: keyof KeyReads, find: () => Promise<Found>): Promise<Found> {
    if (!this.#done || this.#done.has(verb)) await this.turn()
    const done = this.#done
    done?.add(verb)
    const found = await find()
    if (this.#done !== done) await this.turn()
    return found
  }

  contact(query: Query<'contact'>) {
    return this.#read.contact(query)
  }
  contactsAt(query: Query<'contactsAt'>) {
    return this.#read.contactsAt(query)
  }
  events(query: Query<'events'>) {
    return this.#inTurn('events', () => this.#read.events(query))
  }
  file(query: Query<'file'>) {
    return this.#read.file(query)
  }
  formerUserIds(query: Query<'formerUserIds'>) {
    return this.#read.formerUserIds(query)
  }
  inboundMessage(query: Query<'inboundMessage'>) {
    return this.#read.inboundMessage(query)
  }
  inboundMessages(query: Query<'inboundMessages'>) {
    return this.#inTurn('inboundMessages', () => this.#read.inboundMessages(query))
  }
  inboundTimes(query: Query<'inboundTimes'>) {
    return this.#inTurn('inboundTimes', () => this.#read.inboundTimes(query))
  }
  lastEvent(query: Query<'lastEvent'>) {
    return this.#read.lastEvent(query)
  }
  lastNumber(query: Query<'lastNumber'>) {
    return this.#read.lastNumber(query)
  }
  lines(query: Query<'lines'>) {
    return this.#inTurn('lines', () => this.#read.lines(query))
  }
  message(query: Query<'message'>) {
    return this.#read.message(query)
  }
  namedMessages(query: Query<'namedMessages'>) {
    return this.#read.namedMessages(query)
  }
  searchContacts(query: Query<'searchContacts'>) {
    return this.#inTurn('searchContacts', () => this.#read.searchContacts(query))
  }
  spellings(query: Query<'spellings'>) {
    return this.#read.spellings(query)
  }
  searchMessages(query: Query<'searchMessages'>) {
    return this.#inTurn('searchMessages', () => this.#read.searchMessages(query))
  }
  statusView(query: Query<'statusView'>) {
    return this.#read.statusView(query)
  }
  templateGenerations(query: Query<'templateGenerations'>) {
    return this.#read.templateGenerations(query)
  }
  templateListed(query: Query<'templateListed'>) {
    return this.#read.templateListed(query)
  }
  templateStep(query: Query<'templateStep'>) {
    return this.#inTurn('templateStep', () => this.#read.templateStep(query))
  }
  templates(query: Query<'templates'>) {
    return this.#inTurn('templates', () => this.#read.templates(query))
  }
  templatesNamed(query: Query<'templatesNamed'>) {
    return this.#read.templatesNamed(query)
  }
  updates(query: Query<'updates'>) {
    return this.#read.updates(query)
  }
}
