import { GatewayError } from '../base/errors.ts'
import { passwordLengthMin } from '../base/names.ts'

/** A longer text is probably something else; each character is hashed. */
export const passwordLengthMax = 1_024

/** @returns the password on the only line of a file; null when there is none of the right length */
export function passwordIn(file: string): string | null {
  const password = file.replace(/\r?\n$/, '')
  const isOne = password.length >= passwordLengthMin && password.length <= passwordLengthMax
  return isOne && !/[\r\n]/.test(password) ? password : null
}

const passwordLengths = `${passwordLengthMin} to ${passwordLengthMax} characters`

/** Said of a file that holds no password. */
export const passwordFileRule = `must hold a password of ${passwordLengths} on one line`

/** What one hash takes: memory in KiB, and how often it is passed over. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
}

/**
 * Slow on purpose (about 67 ms and 64 MB), unlike the hash of a key's secret: people's passwords can be guessed. Only a
 * test hands in another one, to a `Passwords` of its own: no setting names the cost.
 */
const slow: HashCost = { memoryCost: 65_536, timeCost: 2 }

export const hashPassword = (password: string, cost = slow): Promise<string> =>
  Bun.password.hash(password, { algorithm: 'argon2id', ...cost })

const hashStart = '$argon2id$'

/**
 * The hash for unknown users, with the same cost as every other: it takes as long as a wrong password. Its password was
 * random and was not kept.
 */
const nobodyHash = ({ memoryCost, timeCost }: HashCost) =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$` +
  'Bdbwbrz9aHXGodv8qD1YOf6GBUoJyXYJs6Jg8tZPEC4$GUJe6JixPQ/VGfG3DeL4FoBgB1PoJ4KXmPhQQUAdeys'

/** Two seconds of work. Longer queues exist only during an attack. */
const strangersMax = 30
/**
 * Permits reserved for known browsers: during an attack, people can still sign in with browsers that they used before.
 */
const knownMax = 10
const retryMs = 2_000

/**
 * Checks and hashes passwords outside the HTTP thread. One at a time: each takes a core for its time and 64 MB, and
 * sends need cores too. 15 sign-ins a second are far more than people make.
 */
export class Passwords {
  readonly #known: (() => void)[] = []
  readonly #strangers: (() => void)[] = []
  readonly #cost: HashCost
  #isBusy = false

  constructor(cost = slow) {
    this.#cost = cost
  }

  /**
   * For users, and holders of a link.
   * @throws GatewayError SERVICE_UNAVAILABLE when too many wait
   */
  hash(password: string): Promise<string> {
    return this.#inTurn(true, () => hashPassword(password, this.#cost))
  }

  /**
   * @param hash null: there is no such user; no hash: the password was reset. Both take as long as a wrong password
   * @param isKnown whether the browser is one in which the user signed in before
   * @throws GatewayError SERVICE_UNAVAILABLE when too many wait
   */
  verify(password: string, hash: string | null, isKnown: boolean): Promise<boolean> {
    const stored = hash?.startsWith(hashStart) ? hash : null
    return this.#inTurn(
      isKnown,
      async () => (await Bun.password.verify(password, stored ?? nobodyHash(this.#cost))) && stored !== null,
    )
  }

  async #inTurn<Result>(isKnown: boolean, work: () => Promise<Result>): Promise<Result> {
    const [queue, max] = isKnown ? [this.#known, knownMax] : [this.#strangers, strangersMax]
    if (queue.length >= max) throw busy()
    if (this.#isBusy) await new Promise<void>(resolve => queue.push(resolve))
    this.#isBusy = true
    try {
      return await work()
    } finally {
      const next = this.#known.shift() ?? this.#strangers.shift()
      // The turn passes to the next in the queue: a caller that comes meanwhile waits behind it.
      if (next) next()
      else this.#isBusy = false
    }
  }
}

const busy = () =>
  new GatewayError({
    reason: 'SERVICE_UNAVAILABLE',
    message: 'Too many sign-ins at once. Try again after Retry-After seconds.',
    retryAfterMs: retryMs,
  })
