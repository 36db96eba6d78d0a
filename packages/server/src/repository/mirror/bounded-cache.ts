/** Values that never change, made once and kept as long as there is room. Failures are not kept. */
export class BoundedCache<Value> {
  readonly #max: number
  readonly #sizeOf: (value: Value) => number
  readonly #entries = new Map<string, { value: Promise<Value>; size: number }>()
  #size = 0

  /** Above `max` in total, the least recently used values are dropped. Until it is there, a value has size 1. */
  constructor(max: number, sizeOf: (value: Value) => number = () => 1) {
    this.#max = max
    this.#sizeOf = sizeOf
  }

  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const entry = this.#entries.get(key) ?? this.#add(key, make())
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#shrink()
    return entry.value
  }

  #add(key: string, value: Promise<Value>) {
    const entry = { value, size: 1 }
    this.#entries.set(key, entry)
    this.#size++
    value.then(
      (made) => {
        if (this.#entries.get(key) !== entry) return
        const size = this.#sizeOf(made)
        this.#size += size - entry.size
        entry.size = size
        this.#shrink()
      },
      () => {
        if (this.#entries.get(key) === entry) this.#drop(key, entry)
      },
    )
    return entry
  }

  #shrink(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#size <= this.#max) break
      this.#drop(key, entry)
    }
  }

  #drop(key: string, { size }: { size: number }): void {
    this.#entries.delete(key)
    this.#size -= size
  }
}
