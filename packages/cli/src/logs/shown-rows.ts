import type { Row } from './format-row.ts'

const MAX_REMEMBERED = 50_000

/**
 * Which rows have been shown. `completeFromMs` is the time from which everything shown is remembered: a row
 * after it that is not known is new, a row before it may have been shown and forgotten.
 */
export class ShownRows {
  readonly #timeOf = new Map<string, number>()
  readonly #max: number
  completeFromMs: number

  constructor(completeFromMs: number, max: number = MAX_REMEMBERED) {
    this.completeFromMs = completeFromMs
    this.#max = max
  }

  /** Those of the rows that are new, which count as shown from now on. */
  take<Taken extends Row>(rows: readonly Taken[]): Taken[] {
    return rows.filter((row) => {
      if (this.#timeOf.has(row.id)) return false
      this.#timeOf.set(row.id, Date.parse(row.timestamp))
      this.#forgetOldest()
      return true
    })
  }

  #forgetOldest(): void {
    if (this.#timeOf.size <= this.#max) return
    const [id, timeMs] = this.#timeOf.entries().next().value ?? ['', 0]
    this.#timeOf.delete(id)
    this.completeFromMs = Math.max(this.completeFromMs, timeMs + 1)
  }
}
