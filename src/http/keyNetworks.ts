import { networkMatcher, parseCidr } from '../base/network.ts'

/** Far more than a deployment has. Keys with the same networks share an entry. */
const matchersMax = 1_000

/** Checks whether an address is in a key's networks. A list is parsed once, not at every request. */
export class KeyNetworks {
  readonly #matchers = new Map<string, (address: string) => boolean>()

  /** @param networks CIDRs as stored. One that cannot be parsed matches no address */
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
