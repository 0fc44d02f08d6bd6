/**
 * A map is rebuilt after this many deletions, or after as many as it has entries: copying it is cheap beside that many
 * changes, and little garbage collects meanwhile.
 */
const deletedMax = 256

/**
 * A map for entries that come and go all the time, such as requests in flight.
 *
 * A plain `Map` or `Set` would slow the whole thread down. When enough entries were deleted, the runtime moves the
 * others to a new table, and the old table refers to the new one. The collector looks at old objects rarely: as soon as
 * one of these tables is old, it keeps all later ones alive, and so nearly everything that ever was in the map, until
 * the next full collection. Such a map makes one necessary every few megabytes. A rebuilt map has no old table that
 * refers to it.
 */
export class ShortLivedMap<Key, Value> {
  #map = new Map<Key, Value>()
  #deleted = 0

  get size(): number {
    return this.#map.size
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key)
  }

  set(key: Key, value: Value): void {
    this.#map.set(key, value)
  }

  delete(key: Key): void {
    if (!this.#map.delete(key)) return
    this.#deleted += 1
    if (this.#deleted <= Math.max(deletedMax, this.#map.size)) return
    this.#map = new Map(this.#map)
    this.#deleted = 0
  }

  clear(): void {
    this.#map = new Map()
    this.#deleted = 0
  }

  /** @returns the key that came first; undefined for an empty map */
  first(): Key | undefined {
    for (const key of this.#map.keys()) return key
    return undefined
  }

  /** @returns all of now in the order in which they came: entries may go while a caller walks through them */
  entries(): (readonly [Key, Value])[] {
    return [...this.#map]
  }

  /** @returns the values of `entries` */
  values(): Value[] {
    return [...this.#map.values()]
  }
}
