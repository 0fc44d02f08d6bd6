import { networkMatcher, parseCidr } from '../network.ts'

/** Keys that share their networks share an entry; far more than a deployment has. */
const matchersMax = 1_000

/** Tells whether an address lies in a key's networks. A list is parsed once, not at every request. */
export class KeyNetworks {
  readonly #matchers = new Map<string, (address: string) => boolean>()

  /** @param networks CIDRs as they are stored; one that cannot be read admits nobody */
  admit(networks: readonly string[], address: string): boolean {
    const known = networks.join(' ')
    let matches = this.#matchers.get(known)
    if (!matches) {
      matches = networkMatcher(networks.map(parseCidr).filter(network => network !== null))
      if (this.#matchers.size >= matchersMax) this.#matchers.clear()
      this.#matchers.set(known, matches)
    }
    return matches(address)
  }
}
