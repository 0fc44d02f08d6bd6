import type { KeyOfTenant, Tenant } from './history.ts'
import type { Uploaded } from './log.ts'
import { type Answer, isNoAnswer, type PartnerApi } from './partnerApi.ts'
import { documentOf } from './platformFiles.ts'
import { tenants } from './tenants.ts'
import type { World } from './world.ts'

/** How often a caller asks. */
const patience = 6

/** Files that callers have kept here, to be sent. */
export class Uploads {
  readonly #world: World
  readonly #api: PartnerApi
  /** By the send that shows it. */
  #known = new Map<string, Uploaded>()
  uploaded: Uploaded[] = []

  constructor(world: World, api: PartnerApi) {
    this.#world = world
    this.#api = api
  }

  /** Gives the file of a send to the gateway, until that is answered. @returns its id; null: it never was */
  async keep(tenant: Tenant, apiKey: KeyOfTenant, name: string): Promise<string | null> {
    const content = documentOf(name)
    const sent = { type: 'application/pdf', text: content }
    for (let tries = 0; tries < patience; tries += 1) {
      const known = this.#known.get(name)
      if (known) return known.id
      const answer = await this.#api.fetch(tenants[tenant], apiKey, 'POST', '/media', sent)
      if (answer?.status === 201) {
        const { data } = JSON.parse(answer.text) as Answer
        const uploaded = { tenant, at: this.#world.steady(), id: data?.id ?? '', content }
        this.uploaded.push(uploaded)
        this.#known.set(name, uploaded)
        return uploaded.id
      }
      if (!isNoAnswer(answer)) return null
      await this.#world.wait(300 * (tries + 1))
    }
    return null
  }

  /** Gets all files of a workspace, each of which has to be whole. @returns what was not */
  async look(tenant: Tenant): Promise<readonly string[]> {
    const failures: string[] = []
    for (const { id, content } of this.uploaded.filter(one => one.tenant === tenant)) {
      const answer = await this.#api.fetch(tenants[tenant], 1, 'GET', `/media/${id}`)
      const isLost = !this.uploaded.some(one => one.id === id)
      if (answer?.status === 200 && answer.text !== content) failures.push(`${id} is answered as ${answer.text}`)
      if (answer?.status === 404 && !isLost) failures.push(`${id} was answered, and is not found`)
      const other = await this.#api.fetch(tenants[tenant === 0 ? 1 : 0], 1, 'GET', `/media/${id}`)
      if (other?.status === 200) failures.push(`${id} is shown to another workspace`)
    }
    return failures
  }

  /** What was answered since the backup is not in the database any more. */
  restored(backedUpAt: number): void {
    this.uploaded = this.uploaded.filter(({ at }) => at < backedUpAt)
    this.#known = new Map([...this.#known].filter(([, { at }]) => at < backedUpAt))
  }
}
