import { type Serving, type Start, serve } from './serving.ts'

/** A supervisor waits so long before it starts a process again that has ended. */
const startAgainMs = 500

/** A gateway through all its starts, one process after the other. */
export class Instance {
  readonly #start: Start
  readonly #startsMax: number
  #serving: Serving | null = null
  #logs = ''
  /** Null while it does not serve. */
  address: string | null = null
  /** Stopped by SIGSTOP: it does not know how long it slept. */
  isAsleep = false

  /** @param startsMax how often it is started again when it ends before it serves; never when it is not given */
  constructor(start: Start, startsMax = 1) {
    this.#start = start
    this.#startsMax = startsMax
  }

  /** The process that runs. */
  get serving(): Serving {
    if (this.#serving === null) throw new Error('nothing runs')
    return this.#serving
  }

  /** @returns its address; null when it was killed before it served */
  async start(): Promise<string | null> {
    for (let starts = 1; ; starts += 1) {
      const serving = serve(this.#start)
      this.#serving = serving
      const address = await serving.ready
      if (this.#serving !== serving) return null
      this.address = address
      if (address !== null) return address
      this.#logs += serving.stderr()
      if (starts === this.#startsMax) throw new Error(`the gateway did not start: ${serving.stderr()}`)
      await Bun.sleep(startAgainMs)
      if (this.#serving !== serving) return null
    }
  }

  /** Starts it, and nothing kills it meanwhile. @returns its address */
  async serve(): Promise<string> {
    const address = await this.start()
    if (address === null) throw new Error('the gateway was killed before it served')
    return address
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
