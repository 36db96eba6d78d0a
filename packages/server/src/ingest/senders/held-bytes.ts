/** What has come so far of something unfinished. Grows by doubling: what comes byte by byte is not copied again with every byte. */
export class HeldBytes {
  #store: Buffer = EMPTY
  #held = 0

  get length(): number {
    return this.#held
  }

  /** What is held and the chunk after it, held no longer. Valid until the next call. */
  append(chunk: Buffer): Buffer {
    if (this.#held === 0) return chunk
    const length = this.#held + chunk.length
    if (length > this.#store.length) {
      const larger = Buffer.allocUnsafeSlow(length * 2)
      this.#store.copy(larger, 0, 0, this.#held)
      this.#store = larger
    }
    chunk.copy(this.#store, this.#held)
    this.#held = 0
    return this.#store.subarray(0, length)
  }

  /** The end of what `append` gave. */
  hold(rest: Buffer): void {
    if (rest.length === 0) {
      this.#store = EMPTY
      return
    }
    // Already at its place when nothing before it was taken.
    if (rest.buffer !== this.#store.buffer || rest.byteOffset !== this.#store.byteOffset) {
      this.#store = Buffer.from(rest)
    }
    this.#held = rest.length
  }

  take(): Buffer {
    const rest = this.#store.subarray(0, this.#held)
    this.#held = 0
    return rest
  }
}

const EMPTY = Buffer.alloc(0)
