/** Mulberry32: small, quick, and the same everywhere. The same seed gives the same shop. */
export class Random {
  #state: number

  /** With a name, so that each part of the shop has its own sequence and a change to one leaves the others alone. */
  constructor(seed: number, name = '') {
    this.#state = seed
    for (let at = 0; at < name.length; at++) this.#state = Math.imul(this.#state ^ name.charCodeAt(at), 0x01000193)
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0]
  }

  hex(digits: number): string {
    let text = ''
    while (text.length < digits) text += this.below(0x10000).toString(16).padStart(4, '0')
    return text.slice(0, digits)
  }
}
