/** A Map that drops its oldest entry when full. Setting a known key keeps its position; `touch` makes it the newest. */
export class BoundedMap<K, V> {
  readonly #map = new Map<K, V>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#map.size
  }

  get(key: K): V | undefined {
    return this.#map.get(key)
  }

  set(key: K, value: V): void {
    if (!this.#map.has(key) && this.#map.size >= this.#max) {
      const oldest = this.#map.keys().next()
      if (!oldest.done) this.#map.delete(oldest.value)
    }
    this.#map.set(key, value)
  }

  /** Sets the value and makes it the newest. */
  touch(key: K, value: V): void {
    this.#map.delete(key)
    this.set(key, value)
  }

  delete(key: K): boolean {
    return this.#map.delete(key)
  }

  clear(): void {
    this.#map.clear()
  }

  entries(): IterableIterator<[K, V]> {
    return this.#map.entries()
  }

  values(): IterableIterator<V> {
    return this.#map.values()
  }
}

/** A list that overwrites its oldest entry when full; adding never moves the others. */
export class Ring<T> {
  readonly #slots: T[] = []
  readonly #max: number
  #next = 0

  constructor(max: number) {
    this.#max = max
  }

  push(value: T): void {
    this.#slots[this.#next] = value
    this.#next = (this.#next + 1) % this.#max
  }

  clear(): void {
    this.#slots.length = 0
    this.#next = 0
  }

  /** @returns the entries, oldest first. */
  toArray(): T[] {
    if (this.#slots.length < this.#max) return [...this.#slots]
    return [...this.#slots.slice(this.#next), ...this.#slots.slice(0, this.#next)]
  }
}
