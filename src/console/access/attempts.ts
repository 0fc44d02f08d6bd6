import type { Clock } from '../../base/clock.ts'
import { CountTable, others } from '../../base/countTable.ts'
import { GatewayError } from '../../base/errors.ts'
import { FixedWindow, networkLimits } from '../../base/rateLimits.ts'

/** Failed sign-ins in a window. A person who tries to remember needs a few; guessing needs thousands. */
const failuresMax = {
  /** Of one account from one network. */
  pair: 5,
  /** From one network, whatever the accounts: people of one office share an address. */
  network: 30,
  /** Of one account, from anywhere: guesses that are spread over many addresses. */
  account: 20,
  /** Of one account from a browser in which it signed in before: guesses of others never use it up. */
  device: 10,
  /** Of one account from all such browsers: a sign-in without a cookie makes a new one, and each has its own count. */
  devices: 30,
} as const
type Subject = keyof typeof failuresMax

/** Accounts and networks counted in a window. All later ones share one count. */
const subjectsMax = 10_000

/** The source of an attempt to sign in. */
export interface SignInAttempt {
  /** Normalised. */
  readonly email: string
  /** Of the caller's address, the narrowest first. */
  readonly networks: readonly string[]
  /** The browser, if this account signed in with it before. */
  readonly device: string | null
}

/**
 * Limits guesses of passwords and codes without locking anybody out: guesses use up the limit of unknown browsers, and
 * the owner's own browsers have a count of their own. An attempt is counted before the password is checked, so that
 * parallel guesses are counted too. The count is undone when the attempt succeeds, and when it could not be judged, for
 * example because too many passwords were being hashed. Only in memory: a restart resets it.
 */
export class SignInAttempts {
  readonly #tables: Record<Subject, CountTable> = {
    pair: new CountTable(subjectsMax),
    network: new CountTable(subjectsMax),
    account: new CountTable(subjectsMax),
    device: new CountTable(subjectsMax),
    devices: new CountTable(subjectsMax),
  }
  /** For attempts that lacked only their code, one for each account and network or browser: how to undo their count. */
  readonly #unfinished = new Map<string, () => void>()
  readonly #window: FixedWindow

  constructor(clock: Clock) {
    this.#window = new FixedWindow(clock, () => {
      for (const table of Object.values(this.#tables)) table.clear()
      this.#unfinished.clear()
    })
  }

  /**
   * Counts an attempt and judges it.
   * @param check throws the refusal of an attempt that fails. One that only lacks its code (SECOND_FACTOR_REQUIRED)
   *   counts until the attempt with the code succeeds: a known password alone must not make this gateway hash without a
   *   limit
   * @throws GatewayError RATE_LIMIT_EXCEEDED before anything is checked; what `check` throws
   */
  async judge<Result>(attempt: SignInAttempt, check: () => Promise<Result>): Promise<Result> {
    const { subject, countBack } = this.#count(attempt)
    try {
      const result = await check()
      countBack()
      this.#unfinished.get(subject)?.()
      this.#unfinished.delete(subject)
      return result
    } catch (error) {
      if (!isJudged(error)) countBack()
      else if (error.reason === 'SECOND_FACTOR_REQUIRED') this.#unfinished.set(subject, countBack)
      throw error
    }
  }

  #count(attempt: SignInAttempt): { readonly subject: string; readonly countBack: () => void } {
    const startsAt = this.#window.advance()
    const subjects = subjectsOf(attempt)
    const counted = subjects.map(([kind, subject, max = failuresMax[kind]]) => {
      const table = this.#tables[kind]
      return { max, table, subject: table.countedAs(subject) }
    })
    if (counted.some(({ max, table, subject }) => table.count(subject) >= max)) throw this.#exceeded()
    for (const { table, subject } of counted) table.add(subject, 1)
    const countBack = () => {
      if (startsAt !== this.#window.advance()) return
      for (const { table, subject } of counted) table.add(subject, -1)
    }
    return { subject: subjects[0][1], countBack }
  }

  #exceeded() {
    return new GatewayError({
      reason: 'RATE_LIMIT_EXCEEDED',
      message: 'Too many failed sign-ins. Try again after Retry-After seconds.',
      retryAfterMs: this.#window.endsInMs,
    })
  }
}

/** Every other refusal says that the attempt was wrong. */
const isJudged = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && error.reason !== 'SERVICE_UNAVAILABLE'

type Counted = readonly [kind: Subject, subject: string, max?: number | undefined]

/** @returns what is counted, the narrowest first, with the limit of wider networks */
function subjectsOf({ email, networks, device }: SignInAttempt): readonly [Counted, ...Counted[]] {
  if (device !== null) {
    return [
      ['device', device],
      ['devices', email],
    ]
  }
  const [narrowest = others] = networks
  const limits = networkLimits(networks, failuresMax.network)
  return [
    ['pair', `${narrowest} ${email}`],
    ...networks.map((network, at): Counted => ['network', network, limits[at]]),
    ['account', email],
  ]
}
