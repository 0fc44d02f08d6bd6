import type { PostgresServer } from '../../postgres.ts'
import type { Instance } from '../rig/instance.ts'
import type { Random } from '../rig/random.ts'
import type { Instances } from './balancer.ts'
import type { Sleep } from './pace.ts'

const killEveryMs = { min: 2_000, max: 5_000 } as const
const downMsMax = 1_500
/** Longer than a lease: others take over what the sleeper had. */
const sleepMs = 15_000
const sleepEveryMs = 60_000
const serverDownMsMax = 2_000

interface Parts {
  readonly instances: Instances
  readonly server: PostgresServer
  readonly random: Random
  readonly say: (line: string) => void
  /** A busy machine is given more time for them. */
  readonly killsMin: number
}

/** What happens to the instances and their server during a run. */
export class Faults {
  readonly #parts: Parts
  readonly sleeps: Sleep[] = []
  kills = 0
  serverRestarts = 0
  #starting: Promise<void>[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Resolves when the time is over and all instances serve. */
  async run(seconds: number): Promise<void> {
    const ms = seconds * 1_000
    const end = performance.now() + ms
    await Promise.all([this.#kill(end), this.#putToSleep(ms), this.#restartServer(ms)])
    await Promise.all(this.#starting)
  }

  async #kill(end: number): Promise<void> {
    const { random, instances, killsMin } = this.#parts
    while (performance.now() < end || this.kills < killsMin) {
      await Bun.sleep(random.whole(killEveryMs.min, killEveryMs.max))
      const awake = instances.all.filter(({ isAsleep }) => !isAsleep)
      const victim = random.pick(awake)
      const others = awake.filter(instance => instance !== victim && instance.address !== null)
      // Somebody has to be there, or the callers only wait.
      if (others.length === 0) continue
      instances.expectCuts(victim)
      await victim.kill()
      this.kills += 1
      await Bun.sleep(random.whole(0, downMsMax))
      this.#starting.push(instances.start(victim))
    }
  }

  async #putToSleep(ms: number): Promise<void> {
    const { random, instances, say } = this.#parts
    for (let at = 0; at + sleepMs < ms; at += sleepEveryMs) {
      const length = Math.min(sleepEveryMs, ms - at)
      await Bun.sleep((length - sleepMs) / 4)
      const sleeper = await this.#pickAwake(random)
      say('an instance sleeps')
      sleeper.sleep()
      const from = Date.now()
      await Bun.sleep(sleepMs)
      const to = Date.now()
      sleeper.wake()
      say('the instance is awake')
      this.sleeps.push({ from, to })
      await Bun.sleep(((length - sleepMs) * 3) / 4)
    }
    for (const instance of instances.all) if (instance.isAsleep) instance.wake()
  }

  async #pickAwake(random: Random): Promise<Instance> {
    const { instances } = this.#parts
    for (;;) {
      const serving = instances.all.filter(({ address }) => address !== null)
      if (serving.length > 0) {
        const sleeper = random.pick(serving)
        instances.expectCuts(sleeper)
        return sleeper
      }
      await Bun.sleep(100)
    }
  }

  async #restartServer(ms: number): Promise<void> {
    const { random, server, say } = this.#parts
    await Bun.sleep(ms * 0.75)
    say('the server is restarted')
    await server.stop()
    await Bun.sleep(random.whole(0, serverDownMsMax))
    await server.start()
    this.serverRestarts += 1
    say('the server is back')
  }
}
