import type { Store } from '../../../db/contract/store.ts'
import type { Vault } from '../../../src/base/crypto.ts'
import { newId, numberedId } from '../../../src/base/ids.ts'
import { newSecrets, sealSecrets } from '../../../src/webhooks/secrets.ts'

/** An event as it is stored at the end. */
export interface StoredEvent {
  readonly workspaceId: string
  readonly seq: number
  readonly type: string
  readonly messageSeq: number | null
}

/** The endpoint of all workspaces of a run. It outlives every gateway, refuses an event now and then, and keeps a log. */
export class EventReceiver {
  readonly #server
  readonly #refusedShare: number
  /** By id: when it came for the first time, and when it was taken, in the order in which that was. */
  readonly #tried = new Map<string, number>()
  readonly #taken = new Map<string, number>()
  readonly #mistakes: string[] = []
  #steps = 0
  repeated = 0
  refused = 0

  /** @param refusedShare one event in so many is refused, once */
  constructor(refusedShare = 10) {
    this.#refusedShare = refusedShare
    this.#server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 120,
      fetch: async request => this.#receive(request.headers.get('webhook-id') ?? '', await request.text()),
    })
  }

  get taken(): number {
    return this.#taken.size
  }

  /** Adds an endpoint that takes all events of a workspace. */
  async addTo(workspaceId: string, { write, clock }: Store, vault: Vault): Promise<void> {
    const id = newId('hook')
    const sealed = { sealedSecrets: sealSecrets(vault, id, newSecrets()), sealedHeaders: null }
    const url = `http://127.0.0.1:${this.#server.port}/`
    const all = { description: null, types: null, lineIds: null, format: 'events' } as const
    await write.addWebhook({ id, workspaceId, url, ...all, ...sealed, createdAt: clock.now() })
  }

  /** @returns how many of these were not taken yet */
  missing(events: readonly StoredEvent[]): number {
    return events.filter(event => !this.#taken.has(idOf(event))).length
  }

  /** Each event that is stored came, nothing else did, and none before an earlier one of its message. */
  *violations(events: readonly StoredEvent[]) {
    yield* this.#mistakes
    const byId = new Map(events.map(event => [idOf(event), event]))
    for (const id of this.#tried.keys()) if (!byId.has(id)) yield `${id}: was delivered, and is no event`
    for (const [id, { type }] of byId) if (!this.#taken.has(id)) yield `${id}: ${type} was never delivered`
    const ofMessages = Map.groupBy(
      events.filter(({ messageSeq }) => messageSeq !== null),
      ({ messageSeq }) => String(messageSeq),
    )
    for (const ofOne of ofMessages.values()) {
      const ids = ofOne.toSorted((one, other) => one.seq - other.seq).map(idOf)
      for (const [at, id] of ids.entries()) {
        const next = ids[at + 1]
        const triedAt = this.#tried.get(id)
        const nextTakenAt = next === undefined ? undefined : this.#taken.get(next)
        // A minute after its first attempt it may be overtaken: not before it.
        if (triedAt !== undefined && nextTakenAt !== undefined && nextTakenAt < triedAt)
          yield `${next}: came before ${id} of the same message`
      }
    }
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }

  #receive(id: string, body: string): Response {
    this.#steps += 1
    if ((JSON.parse(body) as { id: string }).id !== id) this.#mistakes.push(`${id}: has another id in its body`)
    const isNew = !this.#tried.has(id)
    if (isNew) this.#tried.set(id, this.#steps)
    if (isNew && this.#tried.size % this.#refusedShare === 0) {
      this.refused += 1
      return new Response('not now', { status: 500 })
    }
    if (this.#taken.has(id)) this.repeated += 1
    else this.#taken.set(id, this.#steps)
    return new Response()
  }
}

const idOf = ({ workspaceId, seq }: StoredEvent) => numberedId('evt', workspaceId, seq)
