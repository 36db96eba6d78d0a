/**
 * How many uploads there are at once, and how much of them is in memory, by shares: of a key, of a project, of all, so
 * that nobody keeps the others out.
 */
import type { AppError } from '../errors.ts'

/** `full`: what is said to one upload more. */
export type Share = { name: string; uploads: number; bytes?: number; full: AppError }

type UploadSlot = {
  /** What is in memory of this upload now, in all. False when a share has no room for it. */
  hold(bytes: number): boolean
  /** Gives the slot back, once, however often it is called. */
  release(): void
}

export class UploadSlots {
  readonly #uses = new Map<string, { uploads: number; bytes: number }>()

  /** Throws what the first share says that is full. */
  take(shares: readonly Share[]): UploadSlot {
    for (const { name, uploads, full } of shares) if ((this.#uses.get(name)?.uploads ?? 0) >= uploads) throw full
    let heldBytes = 0
    let isHeld = true
    const change = (uploads: number, bytes: number) => {
      heldBytes += bytes
      for (const { name } of shares) this.#change(name, uploads, bytes)
    }
    change(1, 0)
    return {
      hold: (bytes) => {
        change(0, bytes - heldBytes)
        return shares.every((share) => this.#uses.get(share.name)!.bytes <= (share.bytes ?? Infinity))
      },
      release: () => {
        if (isHeld) change(-1, -heldBytes)
        isHeld = false
      },
    }
  }

  #change(name: string, uploads: number, bytes: number): void {
    const use = this.#uses.get(name) ?? { uploads: 0, bytes: 0 }
    use.uploads += uploads
    use.bytes += bytes
    if (use.uploads === 0) this.#uses.delete(name)
    else this.#uses.set(name, use)
  }
}
