import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Gateways } from '../rig/callers.ts'
import { Instance } from '../rig/instance.ts'
import type { Random } from '../rig/random.ts'
import type { Environment } from '../rig/serving.ts'

/**
 * A client that is not answered goes to another instance; a load balancer tries the one that failed again after that.
 */
const avoidedMs = 2_000
/** Of an instance that ends because the server is away, half a second apart: it is back long before. */
const startsMax = 60
/** Between two attempts of an order. */
const repeatMs = 100
/** Far more than an answer of a busy instance takes; one that sleeps does not answer at all. */
const patienceMs = 5_000
/** So many that no address of the load reaches its limit. */
const loadAddresses = 10_000

/** The instances, as callers see them behind a load balancer. */
export class Instances implements Gateways {
  readonly all: readonly Instance[]
  readonly patienceMs = patienceMs
  readonly #random: Random
  readonly #mayCut = new Set<string>()
  readonly #avoidedUntil = new Map<string, number>()
  readonly #last = new Map<Instance, string>()
  #requests = 0
  #isOver = false

  constructor(count: number, env: Environment, folder: string, random: Random) {
    this.#random = random
    this.all = Array.from({ length: count }, (_, at) => {
      const dataDir = join(folder, `instance-${at + 1}`)
      mkdirSync(dataDir, { mode: 0o700 })
      return new Instance({ env: { ...env, DATA_DIR: dataDir } }, startsMax)
    })
  }

  async start(instance: Instance): Promise<void> {
    const address = await instance.start()
    if (address !== null) this.#last.set(instance, address)
  }

  /** From now on it is no fault of an instance when its connections are cut. */
  expectCuts({ address }: Instance): void {
    if (address !== null) this.#mayCut.add(address)
  }

  address(): string {
    const known = [...this.#last.values()]
    const now = performance.now()
    const good = known.filter(address => (this.#avoidedUntil.get(address) ?? 0) <= now)
    return this.#random.pick(good.length > 0 ? good : known)
  }

  mayCut(address: string): boolean {
    return this.#mayCut.has(address)
  }

  async failed(address: string): Promise<void> {
    this.#avoidedUntil.set(address, performance.now() + avoidedMs)
    await Bun.sleep(repeatMs)
  }

  proxyHeaders() {
    this.#requests = (this.#requests + 1) % loadAddresses
    return forwardedFor(`10.0.${Math.floor(this.#requests / 250)}.${(this.#requests % 250) + 1}`)
  }

  isOver(): boolean {
    return this.#isOver
  }

  /** The load ends with the requests that are under way. */
  end(): void {
    this.#isOver = true
  }

  /** The last requests of a run: each is repeated until it is answered. */
  endless(): Gateways {
    return {
      patienceMs,
      address: () => this.address(),
      mayCut: () => false,
      isOver: () => false,
      failed: address => this.failed(address),
      proxyHeaders: () => this.proxyHeaders(),
    }
  }
}

export const forwardedFor = (address: string) => ({ 'x-forwarded-for': address })
