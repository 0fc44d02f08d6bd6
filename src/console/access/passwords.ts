import type { Clock } from '../../clock.ts'
import { GatewayError } from '../../errors.ts'
import { Semaphore } from '../../media/semaphore.ts'

/** Short enough to be a sentence of a few words, long enough not to be one word of a list. */
export const passwordLengthMin = 12
/** A longer text is probably something else; each character is hashed. */
export const passwordLengthMax = 1_024

/** Slow on purpose (about 67 ms and 64 MB), unlike the hash of a key's secret: people's passwords can be guessed. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, 'argon2id')

const hashStart = '$argon2id$'

/**
 * Stands for the hash of an unknown user, with the same cost as every other: it takes as long as a wrong password. Nobody
 * knows its password, which was random and was not kept.
 */
const nobodyHash =
  '$argon2id$v=19$m=65536,t=2,p=1$Bdbwbrz9aHXGodv8qD1YOf6GBUoJyXYJs6Jg8tZPEC4$GUJe6JixPQ/VGfG3DeL4FoBgB1PoJ4KXmPhQQUAdeys'

/**
 * One at a time: each takes a core for its time and 64 MB, and sends need cores too. 15 sign-ins a second are far more
 * than people make.
 */
const parallelMax = 1
/** Two seconds of work. More than that waits only during an attack. */
const waitingMax = 30
const retryMs = 2_000

/** Checks and hashes passwords beside the HTTP thread, without taking the cores from sends. */
export class Passwords {
  readonly #semaphore: Semaphore
  #waiting = 0

  constructor(clock: Clock) {
    this.#semaphore = new Semaphore(clock, parallelMax)
  }

  /** @throws GatewayError SERVICE_UNAVAILABLE when too many wait */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hashPassword(password))
  }

  /**
   * @param hash null: there is no such user; no hash: the password was reset. Both take as long as a wrong password
   * @throws GatewayError SERVICE_UNAVAILABLE when too many wait
   */
  verify(password: string, hash: string | null): Promise<boolean> {
    const known = hash?.startsWith(hashStart) ? hash : null
    return this.#inTurn(async () => (await Bun.password.verify(password, known ?? nobodyHash)) && known !== null)
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= waitingMax) throw busy()
    this.#waiting += 1
    try {
      if (!(await this.#semaphore.acquire(1))) throw busy()
      try {
        return await work()
      } finally {
        this.#semaphore.release(1)
      }
    } finally {
      this.#waiting -= 1
    }
  }
}

const busy = () =>
  new GatewayError({
    reason: 'SERVICE_UNAVAILABLE',
    message: 'Too many sign-ins at once. Try again after Retry-After seconds.',
    retryAfterMs: retryMs,
  })
