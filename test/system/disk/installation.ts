import { resolve } from 'node:path'
import { startUpstream, type Upstream } from '../../upstream.ts'
import { type Serving, type Start, serve } from '../rig/serving.ts'
import { type Pace, type Seeded, seedFolder } from '../threads/seeded.ts'

const main = resolve(import.meta.dir, '../../../src/main.ts')

export interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly error: string | undefined
  readonly details: string
  readonly id: string | undefined
  readonly state: string | undefined
  readonly isReplay: boolean
}

/** A data folder with a workspace, a line and a key, the upstream it sends to, and the gateways that run on it. */
export class Installation {
  readonly upstream: Upstream
  readonly seeded: Seeded
  readonly #servings: Serving[] = []

  private constructor(upstream: Upstream, seeded: Seeded) {
    this.upstream = upstream
    this.seeded = seeded
  }

  /** @param dataDir one of its own when it is not given */
  static async make(dataDir?: string, pace?: Pace): Promise<Installation> {
    const upstream = startUpstream()
    return new Installation(upstream, await seedFolder(upstream, dataDir, pace))
  }

  get dataDir(): string {
    return this.seeded.dataDir
  }

  path(name: string): string {
    return `${this.dataDir}/${name}`
  }

  /** Starts the sources, unless another program is given. */
  start({ env, ...options }: Partial<Start> = {}): Serving {
    const serving = serve({
      env: { DATA_DIR: this.dataDir, CHANNEL_API_URL: this.upstream.url, ...env },
      program: [process.execPath, main, 'serve'],
      ...options,
    })
    this.#servings.push(serving)
    return serving
  }

  /** Starts a gateway that must come up. */
  async run(start: Partial<Start> = {}) {
    const serving = this.start(start)
    const url = await serving.ready
    if (url === null) throw new Error(`the gateway did not start: ${serving.stderr()}`)
    return { serving, url }
  }

  async request(url: string, init: RequestInit): Promise<Answer> {
    const headers = { ...this.seeded.key, 'content-type': 'application/json' }
    const response = await fetch(url, { ...init, headers })
    const { data, error, details } = (await response.json()) as Wire
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      error,
      details: JSON.stringify(details),
      id: data?.id,
      state: data?.status,
      isReplay: data?.idempotentReplay ?? false,
    }
  }

  send(url: string, idempotencyKey: string): Promise<Answer> {
    return this.post(url, { type: 'text', phone: '+15550100200', content: idempotencyKey, idempotencyKey })
  }

  post(url: string, body: object): Promise<Answer> {
    return this.request(`${url}/api/v1/public/messages/send`, { method: 'POST', body: JSON.stringify(body) })
  }

  status(url: string, messageId: string | undefined): Promise<Answer> {
    return this.request(`${url}/api/v1/public/messages/${messageId}`, {})
  }

  /** The orders that reached the upstream, in the order they came. */
  get sent(): string[] {
    return this.upstream.received.map(({ json }) => (json.text as { body: string }).body)
  }

  async remove(): Promise<void> {
    await Promise.all(this.#servings.map(serving => serving.end('SIGKILL')))
    await this.upstream.stop()
    this.seeded.remove()
  }
}

interface Wire {
  readonly error?: string
  readonly details?: unknown
  readonly data?: { readonly id: string; readonly status: string; readonly idempotentReplay: boolean }
}

/** How a start that was refused must end: with 1, and with sentences that a person can act on. */
export async function refusal(serving: Serving): Promise<{ code: number; says: string }> {
  const url = await serving.ready
  if (url !== null) throw new Error(`the gateway started at ${url}`)
  return { code: await serving.ended, says: serving.stderr().trim() }
}
