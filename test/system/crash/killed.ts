import { Instance } from '../rig/instance.ts'
import type { Rig } from '../rig/rig.ts'

/** A start takes about 300 ms: this finds it at every step. */
const startKillMsMax = 350

/** The gateway of a rig that is killed and started again and again. */
export class Killed {
  readonly #rig: Rig
  readonly #gateway: Instance
  /** Kills that came before the gateway served, while it migrated or recovered. */
  atStart = 0
  #hasServed = false

  constructor(rig: Rig) {
    this.#rig = rig
    this.#gateway = new Instance({ env: rig.deployment.env })
  }

  /** Starts the next gateway. @param looks whether the logs are compared as soon as it serves. @returns its address */
  async restart(looks = true): Promise<string> {
    const { platform, subscribe } = this.#rig.deployment
    const url = await this.#gateway.serve()
    platform.point(() => url)
    if (!this.#hasServed) await subscribe()
    this.#hasServed = true
    if (looks) await this.#rig.look(this.#gateway.serving.startedAt)
    return url
  }

  /** Starts it, and kills it while it starts. */
  async killAtStart(): Promise<void> {
    this.atStart += 1
    const kill = async () => {
      await Bun.sleep(this.#rig.random.whole(0, startKillMsMax))
      await this.#gateway.kill()
    }
    await Promise.all([this.#gateway.start(), kill()])
  }

  async kill(): Promise<void> {
    this.#rig.deployment.platform.point(null)
    await this.#gateway.kill()
  }

  /** The end of a run without a broken promise. */
  async terminate(): Promise<void> {
    const code = await this.#gateway.terminate()
    if (code !== 0) this.#rig.violations.push(`the last gateway ended with ${code}`)
    this.#rig.checkFile()
  }
}
