import { copyFileSync, linkSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../executable.ts'
import { type NotifySocket, notifyNeeds, openNotifySocket } from '../packaging/notifySocket.ts'
import { Instance } from '../rig/instance.ts'
import type { Environment } from '../rig/serving.ts'

/** The times of one swap, of the machine's steady clock. */
export interface Swap {
  readonly askedMs: number
  readonly endedMs: number
  readonly readyMs: number
  readonly code: number
}

/**
 * Runs an installed executable as systemd does with `Restart=always`: an end of the process, whatever its reason,
 * starts the one that is installed now. `upgrade` puts another file in its place, as a package manager does, and
 * restarts.
 */
export class Supervisor {
  readonly gateway: Instance
  readonly #folder: string
  readonly #installed: string
  /** Where it is missing, the log has to do. */
  readonly #systemd: NotifySocket | null
  #upgrades = 0

  private constructor(folder: string, env: Environment, systemd: NotifySocket | null) {
    this.#folder = folder
    this.#installed = join(folder, 'waypost')
    this.#systemd = systemd
    this.gateway = new Instance({ env: { ...env, ...systemd?.env }, program: [this.#installed, 'serve'] })
  }

  static async start(folder: string, env: Environment): Promise<Supervisor> {
    mkdirSync(folder)
    // Two files with the same bytes: an upgrade is seen by the number of the file that runs.
    for (const name of ['one', 'two']) copyFileSync(binary, join(folder, name))
    const isTold = notifyNeeds.every(([, isThere]) => isThere)
    const systemd = isTold ? await openNotifySocket(join(folder, 'notify.sock')) : null
    const supervisor = new Supervisor(folder, env, systemd)
    supervisor.#install('one')
    await supervisor.#start()
    return supervisor
  }

  /** @returns once the other executable serves */
  async upgrade(): Promise<Swap> {
    this.#upgrades += 1
    const next = this.#upgrades % 2 === 0 ? 'one' : 'two'
    this.#install(next)
    const askedMs = performance.now()
    const code = await this.gateway.terminate()
    const endedMs = performance.now()
    await this.#start()
    const readyMs = performance.now()
    const file = statSync(join(this.#folder, next)).ino
    if (statSync(`/proc/${this.gateway.serving.pid}/exe`).ino !== file)
      throw new Error('the former executable runs still')
    return { askedMs, endedMs, readyMs, code }
  }

  async kill(): Promise<void> {
    this.#systemd?.close()
    await this.gateway.kill()
  }

  /** In one step, so that there is an executable at every moment. */
  #install(name: string): void {
    const draft = `${this.#installed}.new`
    linkSync(join(this.#folder, name), draft)
    renameSync(draft, this.#installed)
  }

  async #start(): Promise<void> {
    await this.gateway.serve()
    // What it is told besides, such as its status, is passed over.
    while (this.#systemd !== null && (await this.#systemd.next()) !== 'READY=1');
  }
}
