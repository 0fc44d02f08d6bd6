import type { KeyReads } from './keyReads.ts'
import { readerOfKey, type Turn, type Turns } from './turns.ts'

/** An answer of megabytes costs the thread, and the network, after its turn: about a millisecond for so much. */
const bytesPerMs = 500_000

type Query<Verb extends keyof KeyReads> = Parameters<KeyReads[Verb]>[0]

/**
 * What one call of an API key reads. What costs the more, the more its workspace has, takes a turn by itself, so that
 * no call can read it without one; what is found by an id or an address does not. A turn has each such read once: a
 * second page takes the next turn. It goes on while the database is waited for.
 */
export class CallReads implements KeyReads {
  readonly #read: KeyReads
  readonly #turns: Turns
  readonly #reader
  /** The last one of the call; null: it has had none. */
  #turn: Turn | null = null
  /** What was read in it. */
  #done = new Set<keyof KeyReads>()

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
    if (!this.#isInTurn() || this.#done.size > 0) await this.nextTurn()
  }

  /** Resolves in another turn than that of before: what is large is worked off piece by piece. @throws as `turn` */
  async nextTurn(): Promise<void> {
    this.#turn = await (this.#turn ? this.#turns.take(this.#reader) : this.#turns.begin(this.#reader))
    this.#done = new Set()
  }

  /** Lets the answer count as work of a turn. @param bytes of it, which are written behind the turn */
  async writes(bytes: number): Promise<void> {
    if (!this.#isInTurn()) await this.turn()
    this.owes(bytes)
  }

  /** Lets bytes that came, or go, count as work of the turn of now. */
  owes(bytes: number): void {
    this.#turn?.owe(bytes / bytesPerMs)
  }

  /** @returns the same reads, for which the turn of the call goes on */
  holding<Reads extends object>(reads: Reads): Reads {
    return new Proxy(reads, {
      get: (_, name) => {
        const verb: unknown = Reflect.get(reads, name)
        return typeof verb === 'function' ? (query: unknown) => this.#held(verb(query)) : verb
      },
    })
  }

  readonly #isInTurn = () => this.#turn !== null && !this.#turn.isOver

  #held<Found>(found: Promise<Found>): Promise<Found> {
    if (this.#isInTurn()) this.#turn?.hold(found)
    return found
  }

  async #inTurn<Found>(verb: keyof KeyReads, find: () => Promise<Found>): Promise<Found> {
    if (!this.#isInTurn() || this.#done.has(verb)) await this.turn()
    this.#done.add(verb)
    const found = await this.#held(find())
    // The database took longer than a turn may.
    if (!this.#isInTurn()) await this.turn()
    return found
  }

  contact(query: Query<'contact'>) {
    return this.#held(this.#read.contact(query))
  }
  contactsAt(query: Query<'contactsAt'>) {
    return this.#held(this.#read.contactsAt(query))
  }
  events(query: Query<'events'>) {
    return this.#inTurn('events', () => this.#read.events(query))
  }
  file(query: Query<'file'>) {
    return this.#held(this.#read.file(query))
  }
  formerUserIds(query: Query<'formerUserIds'>) {
    return this.#held(this.#read.formerUserIds(query))
  }
  inboundMessage(query: Query<'inboundMessage'>) {
    return this.#held(this.#read.inboundMessage(query))
  }
  inboundMessages(query: Query<'inboundMessages'>) {
    return this.#inTurn('inboundMessages', () => this.#read.inboundMessages(query))
  }
  inboundTimes(query: Query<'inboundTimes'>) {
    return this.#inTurn('inboundTimes', () => this.#read.inboundTimes(query))
  }
  lastEvent(query: Query<'lastEvent'>) {
    return this.#held(this.#read.lastEvent(query))
  }
  lastNumber(query: Query<'lastNumber'>) {
    return this.#held(this.#read.lastNumber(query))
  }
  lines(query: Query<'lines'>) {
    return this.#inTurn('lines', () => this.#read.lines(query))
  }
  message(query: Query<'message'>) {
    return this.#held(this.#read.message(query))
  }
  namedMessages(query: Query<'namedMessages'>) {
    return this.#held(this.#read.namedMessages(query))
  }
  optedOut(query: Query<'optedOut'>) {
    return this.#held(this.#read.optedOut(query))
  }
  searchContacts(query: Query<'searchContacts'>) {
    return this.#inTurn('searchContacts', () => this.#read.searchContacts(query))
  }
  spellings(query: Query<'spellings'>) {
    return this.#held(this.#read.spellings(query))
  }
  searchMessages(query: Query<'searchMessages'>) {
    return this.#inTurn('searchMessages', () => this.#read.searchMessages(query))
  }
  statusView(query: Query<'statusView'>) {
    return this.#held(this.#read.statusView(query))
  }
  templateGenerations(query: Query<'templateGenerations'>) {
    return this.#held(this.#read.templateGenerations(query))
  }
  templateListed(query: Query<'templateListed'>) {
    return this.#held(this.#read.templateListed(query))
  }
  templateStep(query: Query<'templateStep'>) {
    return this.#inTurn('templateStep', () => this.#read.templateStep(query))
  }
  templates(query: Query<'templates'>) {
    return this.#inTurn('templates', () => this.#read.templates(query))
  }
  templatesNamed(query: Query<'templatesNamed'>) {
    return this.#held(this.#read.templatesNamed(query))
  }
  updates(query: Query<'updates'>) {
    return this.#held(this.#read.updates(query))
  }
}
