/** How many uploads there are at once, each with up to a whole map in memory: of a key and of all. */

import { UploadSlots } from '../bytes/upload-slots.ts'
import { AppError } from '../errors.ts'
import { UPLOADS_AT_ONCE, UPLOADS_OF_A_KEY } from './limits.ts'

export class MapUploadSlots {
  readonly #slots = new UploadSlots()

  /** Before anything of the body is read. What it returns gives the slot back, once, however often it is called. */
  take(keyId: string): () => void {
    const ofKey = new AppError(
      'rate_limited',
      `This key is already uploading ${UPLOADS_OF_A_KEY} source maps: send this one when one of them has ended.`,
      { retryAfterSeconds: 2 },
    )
    const ofAll = new AppError('unavailable', 'Many source maps are being uploaded: send this one again shortly.')
    const { release } = this.#slots.take([
      { name: `key ${keyId}`, uploads: UPLOADS_OF_A_KEY, full: ofKey },
      { name: 'all', uploads: UPLOADS_AT_ONCE, full: ofAll },
    ])
    return release
  }
}
