import type { Problem } from './batches.ts'

const MAX_REASONS = 100

/** Why records were not stored: like reasons together, each with the first place where it came up. */
export class Reasons {
  readonly #found = new Map<string, { reason: string; count: number; line: number }>()

  add(problems: readonly Problem[]): void {
    for (const { line, reason } of problems) {
      const kind = reason.replace(/"[^"]*"/g, '"…"').replace(/\d+/g, '#')
      const known = this.#found.get(kind)
      if (known) known.count++
      else if (this.#found.size < MAX_REASONS) this.#found.set(kind, { reason, count: 1, line })
    }
  }

  /** The most frequent first. */
  list(): { reason: string; count: number; line: number }[] {
    return [...this.#found.values()].sort((one, other) => other.count - one.count || one.line - other.line)
  }
}
