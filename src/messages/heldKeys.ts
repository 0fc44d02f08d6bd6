/** A request under way that has the key. */
export interface Held<Outcome> {
  readonly fingerprint: string
  /** What its caller is answered. */
  readonly outcome: Promise<Outcome>
}

/**
 * The idempotency keys of sends that may go out once more. A refusal of the first attempt frees the key on disk, as every
 * definite refusal does; nobody else may take it before the second attempt has it. In memory, one for each such request
 * under way: should the process end between the attempts, nothing was sent, and nobody waits for it any more.
 */
export class HeldKeys<Outcome> {
  readonly #held = new Map<string, Held<Outcome>>()

  /** @returns undefined when the key is not held, which does not mean that it is free. */
  find(scope: string, key: string): Held<Outcome> | undefined {
    return this.#held.size === 0 ? undefined : this.#held.get(nameOf(scope, key))
  }

  /** Holds the key, which nobody holds, until the outcome is known. */
  async hold(
    scope: string,
    { key, fingerprint }: { key: string; fingerprint: string },
    outcome: Promise<Outcome>,
  ): Promise<Outcome> {
    const name = nameOf(scope, key)
    this.#held.set(name, { fingerprint, outcome })
    try {
      return await outcome
    } finally {
      this.#held.delete(name)
    }
  }
}

/** No scope has a space. */
const nameOf = (scope: string, key: string) => `${scope} ${key}`
