/** Counts what was lost and reports it: to `onDrop` soon, in a record once the service is back, to the next flush. */
import type { Platform } from '../platform.ts'
import type { Drop, DropReason } from './problem.ts'

/** `onDrop` gets losses in sums, at most this often. */
const TELL_EVERY_MS = 250

type Counts = Partial<Record<DropReason, number>>

export class DropCounter {
  readonly #after: Platform['after']
  readonly #onDrop: ((drop: Drop) => void) | undefined
  readonly #total: Counts = {}
  #untold: Counts = {}
  #unrecorded: Counts = {}
  #sinceFlush = 0
  #isTelling = false

  constructor({ after, onDrop }: Pick<Platform, 'after'> & { onDrop: ((drop: Drop) => void) | undefined }) {
    this.#after = after
    this.#onDrop = onDrop
  }

  add(reason: DropReason, records: number): void {
    if (records <= 0) return
    // Thousands a second in a flood: no list, no loop.
    this.#total[reason] = (this.#total[reason] ?? 0) + records
    this.#untold[reason] = (this.#untold[reason] ?? 0) + records
    this.#unrecorded[reason] = (this.#unrecorded[reason] ?? 0) + records
    this.#sinceFlush += records
    if (this.#isTelling || this.#onDrop === undefined) return
    this.#isTelling = true
    this.#after(TELL_EVERY_MS, () => this.tell())
  }

  tell(): void {
    this.#isTelling = false
    const untold = this.#untold
    this.#untold = {}
    for (const [reason, records] of Object.entries(untold)) {
      try {
        this.#onDrop?.({ reason: reason as DropReason, records })
      } catch {
        // The application's own function; its trouble must not become ours.
      }
    }
  }

  get hasUnrecorded(): boolean {
    return Object.keys(this.#unrecorded).length > 0
  }

  takeUnrecorded(): Counts {
    const counts = this.#unrecorded
    this.#unrecorded = {}
    return counts
  }

  takeSinceFlush(): number {
    const records = this.#sinceFlush
    this.#sinceFlush = 0
    return records
  }

  total(): { dropped: number; droppedBy: Counts } {
    return { dropped: sum(this.#total), droppedBy: { ...this.#total } }
  }
}

export function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
