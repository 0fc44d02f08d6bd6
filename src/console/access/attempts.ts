import type { Clock, EpochMs } from '../../clock.ts'
import { GatewayError } from '../../errors.ts'
import { CountTable } from '../../http/countTable.ts'

const windowMs = 15 * 60_000

/**
 * The limits of the networks around an address, as multiples of its own: an IPv6 /56 and a /48. So the owner of a whole
 * network cannot multiply the limit by its size.
 */
const networkShares = [1, 4, 16] as const

/** Failed sign-ins in a window. A person who tries to remember makes a few; a guess needs thousands. */
const failuresMax = {
  /** Of one account from one network. */
  pair: 5,
  /** From one network, whatever the accounts: people of one office share an address. */
  network: 30,
  /** Of one account, from anywhere: guesses that are spread over many addresses. */
  account: 20,
  /** Of one account from a browser in which it signed in before: guesses of others never use it up. */
  device: 10,
} as const
type Subject = keyof typeof failuresMax

/** Accounts and networks counted in a window. All later ones share one count. */
const subjectsMax = 10_000
const others = 'others'

/** Who tries to sign in. */
export interface Attempt {
  /** Normalised. */
  readonly email: string
  /** Of the caller's address, the narrowest first. */
  readonly networks: readonly string[]
  /** The browser, if this account signed in with it before. */
  readonly device: string | null
}

/**
 * Limits guesses of passwords and codes, without locking anybody out: who guesses at an account uses up what is allowed
 * from unknown browsers, and the owner's own browsers have a count of their own. Counted before the password is checked,
 * so that guesses at the same moment are counted too; a success is counted back. Only in memory: a restart resets it.
 */
export class SignInAttempts {
  readonly #clock: Clock
  readonly #tables: Record<Subject, CountTable> = {
    pair: new CountTable(subjectsMax),
    network: new CountTable(subjectsMax),
    account: new CountTable(subjectsMax),
    device: new CountTable(subjectsMax),
  }
  #startsAt: EpochMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Counts an attempt.
   * @returns call it when the attempt succeeded
   * @throws GatewayError RATE_LIMIT_EXCEEDED
   */
  begin(attempt: Attempt): () => void {
    this.#roll()
    const counted = subjectsOf(attempt).map(([kind, subject, share = 1]) => {
      const table = this.#tables[kind]
      return { max: share * failuresMax[kind], table, subject: table.holds([subject]) ? subject : others }
    })
    if (counted.some(({ max, table, subject }) => table.count(subject) >= max)) throw this.#exceeded()
    for (const { table, subject } of counted) table.add(subject, 1)
    const startsAt = this.#startsAt
    return () => {
      if (startsAt !== this.#startsAt) return
      for (const { table, subject } of counted) table.add(subject, -1)
    }
  }

  #exceeded() {
    return new GatewayError({
      reason: 'RATE_LIMIT_EXCEEDED',
      message: 'Too many failed sign-ins. Try again after Retry-After seconds.',
      retryAfterMs: this.#startsAt + windowMs - this.#clock.now(),
    })
  }

  #roll() {
    const now = this.#clock.now()
    const startsAt = now - (now % windowMs)
    if (startsAt === this.#startsAt) return
    this.#startsAt = startsAt
    for (const table of Object.values(this.#tables)) table.clear()
  }
}

/** @returns what is counted, with the multiple of its limit */
function subjectsOf({ email, networks, device }: Attempt): readonly (readonly [Subject, string, share?: number])[] {
  if (device !== null) return [['device', device]]
  const [narrowest = others] = networks
  return [
    ['pair', `${narrowest} ${email}`],
    ...networks.map((network, at) => ['network', network, networkShares[at] ?? 1] as const),
    ['account', email],
  ]
}
