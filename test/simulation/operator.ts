import type { Store } from '../../db/contract/store.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import { settleRestored } from '../../src/cli/settleWaiting.ts'
import { forgetContact } from '../../src/operations/erasure.ts'
import type { VerbAnswer } from '../../src/threads/protocol.ts'
import type { HistoryDatabase } from './database.ts'
import type { SimulatedGateway } from './gateway.ts'
import type { Tenant } from './history.ts'
import type { Erased, Restore, Revoked } from './log.ts'
import { commandStore } from './store.ts'
import { person, tenants } from './tenants.ts'
import type { World } from './world.ts'

/** Who runs the gateway: commands beside it, and a restore while none runs. */
export class Operator {
  readonly #world: World
  readonly #database: HistoryDatabase
  readonly #gateway: () => SimulatedGateway | null
  readonly #store: Pick<Store, 'clock' | 'read' | 'write'>
  #backedUpAt: number | null = null
  revoked: Revoked[] = []
  readonly restores: Restore[] = []
  readonly erased: Erased[] = []

  constructor(world: World, database: HistoryDatabase, gateway: () => SimulatedGateway | null) {
    this.#world = world
    this.#database = database
    this.#gateway = gateway
    this.#store = commandStore(
      database,
      world.clockOf(() => true),
    )
  }

  /** Several verbs in one commit. */
  command(calls: readonly { readonly verb: string; readonly argument: unknown }[]): void {
    this.#database.release()
    let answers: readonly VerbAnswer[] = []
    this.#database.command.writes.commit(calls.map((call, id) => ({ id, ...call }))).then(done => {
      answers = done
    })
    this.#world.settleMicrotasks()
    const failed = answers.find(answer => !answer.ok)
    if (answers.length !== calls.length || failed) throw new Error(`a command failed: ${JSON.stringify(failed)}`)
  }

  async revoke(tenant: Tenant, by: 'command' | 'console'): Promise<void> {
    if (this.revoked.some(one => one.tenant === tenant)) return
    const { keys } = tenants[tenant]
    const keyId = keys[0].apiKey
    const change = { keyId, at: this.#world.now() }
    if (by === 'command') this.command([{ verb: 'revokeKey', argument: change }])
    else {
      const revoked = await this.#gateway()
        ?.store?.write.revokeKey(change)
        .catch(() => null)
      if (!revoked) return
    }
    const rows = this.#database.rows<{ id: string }>(
      'SELECT m.id FROM messages m JOIN api_keys k ON k.seq = m.api_key_seq WHERE k.id = ?',
      keyId,
    )
    this.revoked.push({ tenant, at: this.#world.steady(), messageIds: new Set(rows.map(({ id }) => id)) })
  }

  limit(tenant: Tenant, limit: number): void {
    this.command([{ verb: 'setMonthlyLimit', argument: { workspaceId: tenants[tenant].workspaceId, limit } }])
  }

  /** Whatever has switched the endpoint of a workspace off: it is on again. */
  switchOn(tenant: Tenant): void {
    const argument = { endpointId: tenants[tenant].webhookId, isOn: true, at: this.#world.now() }
    this.command([{ verb: 'changeWebhook', argument }])
  }

  /** The person who writes to a workspace is forgotten, by a command or in the console of a gateway. */
  async erase(tenant: Tenant, by: 'command' | 'console'): Promise<void> {
    const { workspaceId } = tenants[tenant]
    const ids = (sql: string, ...values: string[]) =>
      this.#database.rows<{ id: string }>(sql, ...values).map(({ id }) => id)
    const [contactId] = ids('SELECT id FROM contacts WHERE workspace_id = ? AND phone = ?', workspaceId, `+${person}`)
    const store = by === 'command' ? this.#store : this.#gateway()?.store
    if (contactId === undefined || !store) return
    const sent = 'SELECT id FROM messages WHERE workspace_id = ? AND recipient = ?'
    const written = 'SELECT channel_message_id AS id FROM inbound_messages WHERE contact_id = ?'
    const erased: Erased = {
      ...{ tenant, contactId, doneAt: null },
      messageIds: new Set(ids(sent, workspaceId, `+${person}`)),
      written: new Set(ids(written, contactId)),
    }
    this.erased.push(erased)
    const { clock, read, write } = store
    const done = await forgetContact({ clock, read, write, workspaceId }, contactId).catch((error: unknown) => {
      if (!(error instanceof Unavailable || error instanceof OutcomeUnknown)) throw error
    })
    if (done) erased.doneAt = this.#world.steady()
  }

  /** The one before is forgotten. */
  backUp(): void {
    this.#database.backUp()
    this.#backedUpAt = this.#world.steady()
  }

  get backedUpAt(): number | null {
    return this.#backedUpAt
  }

  /** As `waypost restore`, while no gateway runs. @param backedUpAt when that was kept which is there from now on */
  restore(backedUpAt: number): Restore {
    this.#database.release()
    this.#database.restore()
    let isDone = false
    settleRestored(this.#store).then(() => {
      isDone = true
    })
    this.#world.settleMicrotasks()
    if (!isDone) throw new Error('a restore was not settled')
    // A key that was revoked since is valid again.
    this.revoked = this.revoked.filter(({ at }) => at < backedUpAt)
    const restored = { backedUpAt, at: this.#world.steady() }
    this.restores.push(restored)
    return restored
  }
}
