import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Gateways } from '../rig/callers.ts'
import type { Random } from '../rig/random.ts'
import { type Environment, type Serving, serve } from '../rig/serving.ts'

/** A supervisor waits so long before it starts a process again that has ended. */
const startAgainMs = 500
/** A server that is restarted is back long before. */
const attemptsMax = 60

/** One of several gateways on a database, through all its starts. */
export class Instance {
  readonly #env: Environment
  #serving: Serving | null = null
  #logs = ''
  /** Null while it does not serve. */
  address: string | null = null
  /** Stopped by SIGSTOP: it does not know how long it slept. */
  isAsleep = false

  constructor(env: Environment) {
    this.#env = env
  }

  /**
   * Starts it, as a supervisor does: one that ends because the server is away is started again.
   * @returns its address; null when it was killed before it served
   */
  async start(): Promise<string | null> {
    for (let attempt = 0; ; attempt += 1) {
      const serving = serve({ env: this.#env })
      this.#serving = serving
      const address = await serving.ready
      if (this.#serving !== serving) return null
      this.address = address
      if (address !== null) return address
      this.#logs += serving.stderr()
      if (attempt === attemptsMax) throw new Error(`an instance does not start: ${serving.stderr()}`)
      await Bun.sleep(startAgainMs)
      if (this.#serving !== serving) return null
    }
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** @returns the code that it ends with by itself */
  terminate(): Promise<number> {
    return this.#end('SIGTERM')
  }

  sleep(): void {
    this.isAsleep = true
    this.#signal('SIGSTOP')
  }

  wake(): void {
    this.#signal('SIGCONT')
    this.isAsleep = false
  }

  /** Everything that its processes have logged. */
  logs(): string {
    return this.#logs + (this.#serving?.stderr() ?? '')
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number> {
    const serving = this.#serving
    this.address = null
    this.#serving = null
    if (serving === null) return 0
    const code = await serving.end(signal)
    this.#logs += serving.stderr()
    return code
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.#serving) process.kill(this.#serving.pid, signal)
  }
}

/**
 * A client that is not answered goes to another instance; a load balancer tries the one that failed again after that.
 */
const avoidedMs = 2_000
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
      return new Instance({ ...env, DATA_DIR: dataDir })
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
