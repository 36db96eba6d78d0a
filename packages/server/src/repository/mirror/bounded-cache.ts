/** Keeps the most recently used values, promises included, so that many who ask at once cause one answer. */
export class BoundedCache<Value> {
  readonly #max: number
  readonly #values = new Map<string, Promise<Value>>()

  /** At the limit the least recently used value goes. */
  constructor(max: number) {
    this.#max = max
  }

  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#values.get(key)
    if (known !== undefined) {
      this.#values.delete(key)
      this.#values.set(key, known)
      return known
    }
    const value = make()
    this.#values.set(key, value)
    // A failure is not an answer to keep.
    value.catch(() => this.#values.get(key) === value && this.#values.delete(key))
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#max) break
      this.#values.delete(oldest)
    }
    return value
  }
}
