import type { HandOvers, Message } from '../../db/contract/records.ts'
import type { Shared } from '../../db/contract/shared.ts'
import type { Store, StoreWrites } from '../../db/contract/store.ts'
import { type Clock, wait } from '../../src/base/clock.ts'
import { Unavailable } from '../../src/base/unavailable.ts'
import { channel, handOvers, line, openDatabase, type TestDatabase, t0 } from '../db/fixtures.ts'

type Throttle = readonly ['slowDown', string] | readonly ['pause', string, string, number]

/**
 * A store on a real SQLite file that answers as the database of several instances does: other instances use up the pace
 * of lines and take messages, as a test says.
 */
export class SharedStore {
  readonly db: TestDatabase
  readonly #clock: Clock
  /** How many more messages may leave before others are held. */
  room = Number.POSITIVE_INFINITY
  /** When a held message may ask again. */
  waitMs = 100
  /** How long a message that is handed over may take to leave. */
  validMs: number | null = null
  /** How long each write takes. */
  writeMs = 0
  /** How many of the next writes fail: the database cannot be reached. */
  failing = 0
  /** What another instance has. */
  readonly taken = new Set<string>()
  /** The messages of each write that asked whether they may leave, `m1 m2`; an acceptance that did not is left out. */
  readonly asked: string[] = []
  readonly throttles: Throttle[] = []
  /** Why a throttle cannot be stored; null when it can. */
  throttleError: Error | null = null

  private constructor(clock: Clock) {
    this.#clock = clock
    this.db = openDatabase()
  }

  static async open(clock: Clock): Promise<SharedStore> {
    const opened = new SharedStore(clock)
    const { db } = opened
    await db.write('createWorkspace', { id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
    await db.write('connectChannel', channel())
    await db.write('addLine', line())
    return opened
  }

  readonly shared = {
    slowDown: async ({ lineId }) => this.#tell(['slowDown', lineId]),
    pause: async ({ scope, id, ms }) => this.#tell(['pause', scope, id, ms]),
  } satisfies Partial<Shared> as unknown as Shared

  get store(): Pick<Store, 'read' | 'write' | 'shared'> {
    return { read: this.db.read, write: this.#writes() as StoreWrites, shared: this.shared }
  }

  /** Adds a line of its own for a test. */
  async addLine(fields: { id: string; perSecond: number; pairSeconds?: number }) {
    const added = line({ pairSeconds: 0, upstreamPhoneId: fields.id, ...fields })
    await this.db.write('addLine', added)
    return added
  }

  async message(id: string): Promise<Message> {
    const message = await this.db.read.message(id)
    if (!message) throw new Error(`there is no message ${id}`)
    return message
  }

  /** Whether the disk says that nothing of it has left. */
  async waits(id: string): Promise<boolean> {
    const { status, dispatchedAt } = await this.message(id)
    return status === 'QUEUED' && dispatchedAt === null
  }

  #tell(throttle: Throttle): void {
    if (this.throttleError) throw this.throttleError
    this.throttles.push(throttle)
  }

  #writes(): Partial<StoreWrites> {
    const { db, taken } = this
    const written = async <Value>(write: () => Promise<Value>): Promise<Value> => {
      if (this.failing > 0) {
        this.failing -= 1
        throw new Unavailable('the database cannot be reached')
      }
      const value = await write()
      if (this.writeMs > 0) await wait(this.#clock, this.writeMs)
      return value
    }
    return {
      acceptMessage: draft =>
        written(async () => {
          if (draft.dispatchedAt === null) return db.write('acceptMessage', draft)
          this.asked.push(draft.id)
          const [mayLeave] = this.#leaving([draft.id])
          if (mayLeave === undefined) {
            await db.write('acceptMessage', { ...draft, dispatchedAt: null })
            return { outcome: 'accepted', handOver: { state: 'held', waitMs: this.waitMs } }
          }
          await db.write('acceptMessage', draft)
          return { outcome: 'accepted', handOver: { state: 'handedOver', validMs: this.validMs } }
        }),
      handOverMessages: ({ messageIds, at }) => written(() => this.#handOver(messageIds, at)),
      deferMessages: ({ messages, at }) =>
        written(async () => {
          await db.write('deferMessages', { messages: messages.filter(({ messageId }) => !taken.has(messageId)), at })
          return messages.map(({ messageId }) => messageId).filter(id => taken.has(id))
        }),
      forgetMedia: uploads => written(() => db.write('forgetMedia', uploads)),
      recordEvent: recorded => written(() => db.write('recordEvent', recorded)),
      markInterrupted: change => written(() => db.write('markInterrupted', change)),
      claimWaiting: query => written(() => db.write('claimWaiting', query)),
    }
  }

  async #handOver(messageIds: readonly string[], at: number): Promise<HandOvers> {
    this.asked.push(messageIds.join(' '))
    const ours = messageIds.filter(id => !this.taken.has(id))
    const leaving = this.#leaving(ours)
    const { handedOver, overtaken } = await this.db.write('handOverMessages', { messageIds: leaving, at })
    return handOvers({
      handedOver: handedOver.messageIds,
      validMs: this.validMs,
      held: ours.slice(leaving.length),
      waitMs: this.waitMs,
      taken: messageIds.filter(id => this.taken.has(id)),
      overtaken,
    })
  }

  #leaving(messageIds: readonly string[]): readonly string[] {
    const leaving = messageIds.slice(0, this.room)
    this.room -= leaving.length
    return leaving
  }
}
