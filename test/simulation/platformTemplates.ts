import type { Exchange } from '../../src/transport/transport.ts'
import type { Act, Tenant } from './history.ts'
import { listingOf } from './templates.ts'
import type { World } from './world.ts'

/** A change of a template that decides whether it is sent. */
export interface TemplateChange {
  readonly tenant: Tenant
  readonly at: number
  readonly status: 'APPROVED' | 'PAUSED'
  /** By the platform's clock, in whole seconds, as its callbacks say it. */
  readonly timestamp: number
  /** When it was told, and that was taken; null: not yet, or never. */
  acknowledgedAt: number | null
}

const lost = { kind: 'lost', why: 'the connection was reset' } as const

/** The platform's reviews: which template may be sent, and what it lists. */
export class PlatformTemplates {
  readonly #world: World
  readonly #statuses: TemplateChange['status'][] = ['APPROVED', 'APPROVED']
  readonly #isListed = [true, true]
  readonly changes: TemplateChange[] = []
  isCalm = false

  constructor(world: World) {
    this.#world = world
  }

  statusOf(tenant: Tenant): TemplateChange['status'] {
    return this.#statuses[tenant] ?? 'APPROVED'
  }

  /** @returns the change; null: it decides nothing, and is only told */
  change({ tenant, event, isListed }: Pick<Extract<Act, { kind: 'template' }>, 'tenant' | 'event' | 'isListed'>) {
    this.#isListed[tenant] = isListed
    if (event === 'FLAGGED') return null
    const status = event === 'PAUSED' ? 'PAUSED' : 'APPROVED'
    this.#statuses[tenant] = status
    const timestamp = Math.floor(this.#world.now() / 1_000)
    const change: TemplateChange = { tenant, at: this.#world.steady(), status, timestamp, acknowledgedAt: null }
    this.changes.push(change)
    return change
  }

  /** @returns the listing as it is at this moment */
  list(tenant: Tenant): Exchange {
    if (!(this.#isListed[tenant] || this.isCalm)) return lost
    const body = JSON.stringify({ data: listingOf(this.statusOf(tenant)), paging: {} })
    return { kind: 'answered', status: 200, headers: {}, body }
  }
}
