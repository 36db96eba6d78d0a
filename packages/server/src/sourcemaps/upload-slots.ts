/** How many uploads there are at once, each with up to a whole map in memory: of a key and of all. */
import { AppError } from '../errors.ts'
import { UPLOADS_AT_ONCE, UPLOADS_OF_A_KEY } from './limits.ts'

export class MapUploadSlots {
  readonly #ofKeys = new Map<string, number>()
  #all = 0

  /** Before anything of the body is read. What it returns gives the slot back, once, however often it is called. */
  take(keyId: string): () => void {
    const ofKey = this.#ofKeys.get(keyId) ?? 0
    if (ofKey >= UPLOADS_OF_A_KEY) {
      throw new AppError(
        'rate_limited',
        `This key uploads ${UPLOADS_OF_A_KEY} source maps already: send this one when one of them has ended.`,
        { retryAfterSeconds: 2 },
      )
    }
    if (this.#all >= UPLOADS_AT_ONCE) {
      throw new AppError('unavailable', 'Many source maps are being uploaded: send this one again shortly.')
    }
    this.#ofKeys.set(keyId, ofKey + 1)
    this.#all++
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#all--
      const left = (this.#ofKeys.get(keyId) ?? 1) - 1
      if (left === 0) this.#ofKeys.delete(keyId)
      else this.#ofKeys.set(keyId, left)
    }
  }
}
