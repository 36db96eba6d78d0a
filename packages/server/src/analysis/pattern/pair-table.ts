/** Numbers by the two halves of a hash, in an open-addressed table: ten times quicker than a Map with text as key. */
export class PairTable {
  #size: number
  #a: Int32Array
  #b: Int32Array
  /** One more than the number, because 0 says that the slot is free. */
  #numbers: Int32Array
  #count = 0

  /** Grows when there are more than expected. */
  constructor(expected: number) {
    this.#size = 16
    while (this.#size < 2 * expected) this.#size *= 2
    this.#a = new Int32Array(this.#size)
    this.#b = new Int32Array(this.#size)
    this.#numbers = new Int32Array(this.#size)
  }

  /** -1 when there is none. */
  get(a: number, b: number): number {
    return this.#numbers[this.#slotOf(a, b)]! - 1
  }

  /** The number that is there already, or `number`, which from now on is. */
  getOrSet(a: number, b: number, number: number): number {
    const slot = this.#slotOf(a, b)
    const known = this.#numbers[slot]!
    if (known !== 0) return known - 1
    this.#a[slot] = a
    this.#b[slot] = b
    this.#numbers[slot] = number + 1
    if (++this.#count * 2 > this.#size) this.#grow()
    return number
  }

  #slotOf(a: number, b: number): number {
    const mask = this.#size - 1
    let slot = (a ^ (a >>> 15) ^ (b << 3)) & mask
    while (this.#numbers[slot] !== 0 && (this.#a[slot] !== a || this.#b[slot] !== b)) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [a, b, numbers] = [this.#a, this.#b, this.#numbers]
    this.#size *= 2
    this.#a = new Int32Array(this.#size)
    this.#b = new Int32Array(this.#size)
    this.#numbers = new Int32Array(this.#size)
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i] === 0) continue
      const slot = this.#slotOf(a[i]!, b[i]!)
      this.#a[slot] = a[i]!
      this.#b[slot] = b[i]!
      this.#numbers[slot] = numbers[i]!
    }
  }
}
